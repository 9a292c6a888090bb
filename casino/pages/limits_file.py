"""Limits as a file: taken out, and brought in after a look at what would change."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from datetime import UTC, datetime
from io import StringIO
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.validators import MaxValueValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from casino.access import SET_LIMITS
from casino.admin.service import ClockField, ServiceForm
from casino.models import Person, Table
from casino.pages.limit_forms import TablesField
from casino.pages.limits import (
    FOLLOWS,
    Stated,
    profile_differences,
    stated,
    table_differences,
)
from casino.pages.listing import cell, house_zone
from casino.pages.registry import page, show
from casino.selectors import limits_in_force
from casino.services.limit_plans import Draft, LimitsPlan, ProfileDraft
from casino.services.limits import LAST_YEAR
from casino.services.limits_file import (
    COLUMNS,
    Row,
    export_limits,
    import_limits,
    limits_for,
    plan_import,
)
from games.refusals import Refused

LARGEST: Final = 1024 * 1024
"""Bytes that a file may have."""

SHOWN: Final = 50
"""Faults of a file that are told at once."""


class FileForm(forms.Form):
    """A file of limits, and when they are to hold."""

    file = forms.FileField(
        label="CSV file",
        help_text=f"Columns: {', '.join(COLUMNS)}. What a named table leaves out is taken away.",
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["effective_from"] = ClockField(house_zone(), label="Hold from")

    def clean_file(self) -> str:
        """The text of the file."""
        sent = self.cleaned_data["file"]
        if sent.size > LARGEST:
            raise forms.ValidationError("The file is larger than 1 MB.")
        try:
            text: str = sent.read().decode()
        except UnicodeDecodeError:
            raise forms.ValidationError("The file is not text in UTF-8.") from None
        return text


class CopyForm(forms.Form):
    """The limits of one table, for others."""

    source = forms.ModelChoiceField(Table.objects.all(), to_field_name="code", label="Limits of")
    targets = TablesField(label="For these tables")

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["effective_from"] = ClockField(house_zone(), label="Hold from")


class ConfirmForm(ServiceForm):
    """What was previewed, to be carried out with a reason."""

    text = forms.CharField(widget=forms.HiddenInput, strip=False, max_length=LARGEST)
    seen = forms.CharField(widget=forms.HiddenInput)
    effective_from = forms.DateTimeField(
        widget=forms.HiddenInput,
        required=False,
        # A clock east of UTC has no room for what comes long after.
        validators=[MaxValueValidator(datetime(LAST_YEAR, 12, 31, tzinfo=UTC))],
    )


@page("limits/file/", name="limits_file", permission=SET_LIMITS, methods=("GET", "POST"))
def limits_file(request: HttpRequest) -> HttpResponse:
    """Export, import and copying; each import is shown before it is carried out."""
    match request.POST.get("do"):
        case "export":
            return _export(request.user)  # type: ignore[arg-type]
        case "file":
            return _read_file(request)
        case "copy":
            return _copy(request)
        case "confirm":
            return _confirm(request)
    return _start(request)


def _start(request: HttpRequest, **forms_: forms.Form) -> HttpResponse:
    wrong = any(form.errors for form in forms_.values())
    context = {"title": "Limits as a file", "file": FileForm(), "copy": CopyForm()} | forms_
    return show(request, "pitbook/limits_file.html", context, status=422 if wrong else 200)


def _export(person: Person) -> HttpResponse:
    rows = export_limits(actor=person, reason="Exported in the back office.")
    name = f"limits-{timezone.now():%Y%m%d-%H%M%S}.csv"
    return HttpResponse(
        _as_text(rows),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _read_file(request: HttpRequest) -> HttpResponse:
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _start(request, file=form)
    text, effective_from = form.cleaned_data["file"], form.cleaned_data["effective_from"]
    return _preview(request, text, plan_import(text, effective_from=effective_from))


def _copy(request: HttpRequest) -> HttpResponse:
    form = CopyForm(request.POST)
    if not form.is_valid():
        return _start(request, copy=form)
    typed = form.cleaned_data
    rows = limits_for(typed["source"], typed["targets"])
    shown = preview_of(request, form, rows, effective_from=typed["effective_from"])
    return shown or _start(request, copy=form)


def preview_of(
    request: HttpRequest,
    form: forms.Form,
    rows: Sequence[Row],
    *,
    effective_from: datetime | None,
    back: str = "",
) -> HttpResponse | None:
    """Show what rows made from a form would change, to be confirmed as those of a file are.

    None where they cannot be: the form tells why. `back` is where the form is.
    """
    text = _as_text([COLUMNS, *rows])
    plan = plan_import(text, effective_from=effective_from)
    for fault in plan.faults[:SHOWN]:
        form.add_error(None, fault.message)
    return None if plan.faults else _preview(request, text, plan, back)


def _preview(request: HttpRequest, text: str, plan: LimitsPlan, back: str = "") -> HttpResponse:
    initial: dict[str, Any] = {"text": text, "seen": plan.seen}
    if plan.effective_from is not None:
        initial["effective_from"] = plan.effective_from.isoformat()
    return _show_plan(request, plan, ConfirmForm(initial=initial), back)


def _confirm(request: HttpRequest) -> HttpResponse:
    """Carry out what was previewed; where that cannot be, preview it as it is now."""
    form = ConfirmForm(request.POST)
    typed = form.cleaned_data if form.is_valid() else {}
    refusal = None
    if typed:
        try:
            written = import_limits(**typed, actor=request.user)  # type: ignore[arg-type]
        except Refused as caught:
            refusal = caught
        else:
            if written.drafts or not written.profiles:
                messages.success(request, f"Versions of limits written: {len(written.drafts)}.")
            if written.profiles:
                told = ", ".join(map(str, written.profiles))
                messages.success(request, f"Profiles written: {told}.")
            if written.profiles and not written.drafts:
                return redirect("admin:limit_profiles")
            return redirect("admin:casino_limitset_changelist")
    effective_from = form.cleaned_data.get("effective_from")
    plan = plan_import(form.data.get("text", ""), effective_from=effective_from)
    if refusal is not None:
        form = ConfirmForm({**request.POST.dict(), "seen": plan.seen})
        form.add_error(None, str(refusal))
    return _show_plan(request, plan, form)


def _show_plan(
    request: HttpRequest, plan: LimitsPlan, form: ConfirmForm, back: str = ""
) -> HttpResponse:
    """What would change, row by row, or every fault of the file."""
    changes = [_profile_change(draft) for draft in plan.profiles]
    changes += [_change(draft, plan) for draft in plan.drafts]
    context = {
        "title": "What would change" if back else "Limits as a file",
        "faults": plan.faults[:SHOWN],
        "more_faults": max(len(plan.faults) - SHOWN, 0),
        "changes": changes,
        "form": form,
        "effective_from": plan.effective_from,
        "zone": house_zone(),
        "back": back or reverse("admin:limits_file"),
    }
    status = 422 if plan.faults or form.errors else 200
    return show(request, "pitbook/limits_preview.html", context, status=status)


def _change(draft: Draft, plan: LimitsPlan) -> dict[str, Any]:
    """A set of limits, what becomes of it, and its time where it is not that of the plan."""
    after: Stated = (draft.bets, draft.bounds)
    if draft.ended:
        general = limits_in_force(draft.table, at=draft.effective_from).get(draft.currency)
        after = stated(general)
    names = [source.profile.name if source else "none" for source in (draft.was, draft.source)]
    follows = [(FOLLOWS, *names)] if names[0] != names[1] else []
    return {
        "what": f"{draft.table} {draft.currency}",
        "operator": draft.operator,
        "from": None if draft.effective_from == plan.effective_from else draft.effective_from,
        "rows": follows + table_differences(draft.table, stated(draft.old), after, draft.currency),
        "same": _same(draft),
    }


def _same(draft: Draft) -> str:
    """What is written although no amount changes, in words."""
    if draft.ended:
        return "The general limits, in place of its own"
    if draft.operator and (draft.newest is None or not draft.newest.operator_id):
        return "The same amounts, as limits of its own"
    if draft.source and draft.old == draft.newest:
        return f"The same amounts, of the next version of {draft.source.profile.name}"
    return "The same amounts, in place of what was to come"


def _profile_change(draft: ProfileDraft) -> dict[str, Any]:
    return {
        "what": f"Profile {draft.profile.name} {draft.profile.currency}",
        "rows": profile_differences(
            stated(draft.old), (draft.bets, draft.bounds), draft.profile.currency
        ),
        "same": "The same amounts, in place of what was to come",
    }


def _as_text(rows: Sequence[Sequence[str]]) -> str:
    written = StringIO()
    csv.writer(written).writerows([cell(value) for value in row] for row in rows)
    return written.getvalue()
