"""Forms that carry out one service: what was typed goes in, a refusal comes back in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from casino.pages.registry import show
from casino.services.limits import check_time
from games.refusals import Refused


class ServiceForm(forms.Form):
    """Whatever a service needs to be told, and why it is done."""

    reason = forms.CharField(
        label="Reason",
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Stands in the decision log for good.",
    )
    field_order: list[str] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields([name for name in self.fields if name != "reason"])


class ClockField(forms.DateTimeField):
    """When limits are to hold, typed on the clock of a time zone; empty is None, for at once."""

    def __init__(self, zone: str, **more: Any) -> None:
        super().__init__(
            required=False,
            help_text=f"On the clock of {zone}; empty: at once.",
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
            **more,
        )
        self.zone = ZoneInfo(zone)

    def clean(self, value: Any) -> Any:
        moment = super().clean(value)
        moment = moment and moment.replace(tzinfo=self.zone)
        try:
            check_time(moment)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return moment


def service_page(
    request: HttpRequest,
    form: ServiceForm,
    carry_out: Callable[[dict[str, Any]], str | HttpResponse],
    *,
    title: str,
    button: str,
    back: str,
    intro: str = "",
    danger: bool = False,
    template: str = "pitbook/house_form.html",
) -> HttpResponse:
    """Show a form, and carry out what was filled in.

    `carry_out` calls the service and answers a sentence, after which the person is led `back`
    (the name of an address, or a path), or an answer of its own.
    """
    if request.method == "POST" and form.is_valid():
        try:
            done = carry_out(form.cleaned_data)
        except Refused as refusal:
            field = refusal.field if refusal.field in form.fields else None
            form.add_error(field, str(refusal))
        else:
            if isinstance(done, HttpResponse):
                return done
            messages.success(request, done)
            return redirect(back)
    context = {
        "title": title,
        "form": form,
        "button": button,
        "back": back,
        "intro": intro,
        "danger": danger,
    }
    status = 422 if form.is_bound and form.errors else 200
    return show(request, template, context, status=status)


def filled(request: HttpRequest) -> dict[str, Any] | None:
    """What was sent with a form, or nothing where it is only looked at."""
    return request.POST if request.method == "POST" else None
