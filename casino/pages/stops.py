"""Stop switches: which are thrown and which were, throwing one and lifting it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from casino.access import STOP, VIEW_FLOOR
from casino.admin.service import ServiceForm, filled, service_page
from casino.models import Operator, Stop, Table
from casino.pages.banner import in_words, stops_told, title_of, what_is_stopped
from casino.pages.registry import fragment, page, show
from casino.selectors import table_by_code
from casino.services.stops import lift_stop, stop_betting
from games.refusals import Refused

LIFTED = 50
"""Stops of the past that the page lists; the decision log has all."""

EVERYTHING = "everything"


class StopForm(ServiceForm):
    """What to stop: a table, a game, an operator or everything, as one choice."""

    what = forms.ChoiceField(label="What is stopped")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["what"].choices = [("", "Choose"), *_scopes()]  # type: ignore[attr-defined]


@page("stops/", name="stops", permission=STOP)
def stops(request: HttpRequest) -> HttpResponse:
    """The switches that are thrown, and the latest that were."""
    related = ("table", "operator", "stopped_by", "lifted_by")
    lifted = Stop.objects.filter(lifted_at__isnull=False).select_related(*related)[:LIFTED]
    past = in_words(lifted)
    reasons = dict(
        Stop.history.filter(
            id__in=[told["stop"].pk for told in past], lifted_at__isnull=False
        ).values_list("id", "history_change_reason")
    )
    rows = [told | {"why": reasons.get(told["stop"].pk, "")} for told in past]
    return show(request, "pitbook/stops.html", {"title": "Stop switches", "past": rows})


@page("stops/live/", name="stops_live", permission=VIEW_FLOOR, live=True)
def live(request: HttpRequest) -> HttpResponse:
    """The banner as it is now, or nothing (204) where the caller shows it so."""
    told = stops_told()
    if request.GET.get("seen") == "-".join(str(one["stop"].pk) for one in told):
        return HttpResponse(status=204)
    return fragment(request, "pitbook/stops_banner.html", {"stops": told})


@page("stops/throw/", name="stop_throw", permission=STOP, methods=("GET", "POST"))
def throw(request: HttpRequest) -> HttpResponse:
    """Stop betting; `?what=` names what is chosen to begin with."""

    def carry_out(typed: dict[str, Any]) -> str:
        stop = stop_betting(
            **_scope(typed["what"]),
            actor=request.user,  # type: ignore[arg-type]
            reason=typed["reason"],
        )
        return f"Betting is stopped for {what_is_stopped(stop)}."

    return service_page(
        request,
        StopForm(filled(request), initial={"what": request.GET.get("what", "")}),
        carry_out,
        title="Stop betting",
        button="Stop betting now",
        back="admin:stops",
        intro="Betting ends at once. A hand that runs finishes and settles; no new one opens.",
        danger=True,
    )


@page("stops/<int:pk>/lift/", name="stop_lift", permission=STOP, methods=("GET", "POST"))
def lift(request: HttpRequest, pk: int) -> HttpResponse:
    """Let betting begin again."""
    stop = Stop.objects.select_related("table", "operator", "lifted_by").filter(pk=pk).first()
    if stop is None:
        raise Refused("not_found", f"There is no stop {pk}.")
    what = what_is_stopped(stop)
    if stop.lifted_at is not None:
        raise Refused("conflict", f"{stop.lifted_by} has lifted the stop of {what} already.")

    def carry_out(typed: dict[str, Any]) -> str:
        lift_stop(stop=stop, actor=request.user, reason=typed["reason"])  # type: ignore[arg-type]
        return f"Betting may begin again for {what}."

    return service_page(
        request,
        ServiceForm(filled(request)),
        carry_out,
        title=f"Lift the stop of {what}",
        button="Let betting begin again",
        back="admin:stops",
        intro=f"Stopped by {stop.stopped_by}: {stop.reason}",
    )


def _scopes() -> list[tuple[str, list[tuple[str, str]]]]:
    """Everything that can be stopped, the widest first; games are those of the tables."""
    tables = list(Table.objects.order_by("code"))
    dealt = sorted({(table.game, table.book) for table in tables})
    games = [("", game) for game in dict.fromkeys(game for game, _ in dealt)]
    games += [(book, game) for game, book in dealt]
    return [
        ("Everything", [(EVERYTHING, "All betting of the house")]),
        ("One table", [(f"table:{one.code}", f"{one.code} {one.name}".strip()) for one in tables]),
        (
            "One game",
            sorted(
                (
                    (f"game:{book}/{game}", f"{title_of(book, game)}, {book or 'every book'}")
                    for book, game in games
                ),
                key=lambda choice: choice[1],
            ),
        ),
        (
            "One operator",
            [(f"operator:{one.code}", one.name or one.code) for one in Operator.objects.all()],
        ),
    ]


def _scope(what: str) -> dict[str, Any]:
    """The scope that a choice stands for, as the service takes it."""
    kind, _, name = what.partition(":")
    match kind:
        case "table":
            return {"table": table_by_code(name)}
        case "game":
            book, _, game = name.partition("/")
            return {"book": book, "game": game}
        case "operator":
            return {"operator": Operator.objects.get(code=name)}
    return {}
