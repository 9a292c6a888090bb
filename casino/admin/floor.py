"""The floor's facts: pits, tables, shoes and rounds."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from casino.access import VIEW_FLOOR
from casino.admin.facts import FactAdmin, on_clock_of_pit
from casino.admin.service import ServiceForm, filled, service_page
from casino.models import Pit, Round, Shoe, Table
from casino.selectors import game_of
from casino.services import setup
from games import rulebook


def games_of_all_books() -> list[tuple[str, list[tuple[str, str]]]]:
    """Every game of every book, book by book."""
    return [
        (
            book.title,
            [(f"{book.code}/{game.code}", game.title) for game in book.games.values()],
        )
        for book in rulebook.books().values()
    ]


class PitForm(ServiceForm):
    code = forms.CharField(max_length=32, help_text="Never changes.")
    name = forms.CharField(max_length=80, required=False)
    time_zone = forms.ChoiceField(
        choices=lambda: [(zone, zone) for zone in sorted(available_timezones())],
        initial="UTC",
        help_text="The clock that its pages show and its gaming days follow.",
    )


class TableForm(ServiceForm):
    code = forms.CharField(max_length=32, help_text="Stands in the key of every round.")
    name = forms.CharField(max_length=80, required=False)
    pit = forms.ModelChoiceField(Pit.objects.all(), to_field_name="code")
    game = forms.ChoiceField(choices=games_of_all_books)
    rides_on = forms.ModelChoiceField(
        Table.objects.all(),
        to_field_name="code",
        required=False,
        label="Rides on",
        help_text="Only for Super Fan Tan: the 3 Pictures table whose cards decide its rounds.",
    )

    def clean_rides_on(self) -> str | None:
        carrier: Table | None = self.cleaned_data["rides_on"]
        return carrier.code if carrier else None

    def clean_pit(self) -> str:
        pit: Pit = self.cleaned_data["pit"]
        return pit.code


@admin.register(Pit)
class PitAdmin(FactAdmin):
    list_display = ("code", "name", "time_zone", "day_starts")
    search_fields = ("code", "name")
    fields = ("code", "name", "time_zone", "day_starts")
    actions_list = ("create",)

    @action(description="New pit", url_path="new", permissions=["set_up"], icon="add")
    def create(self, request: HttpRequest) -> HttpResponse:
        def carry_out(typed: dict[str, Any]) -> str:
            pit = setup.create_pit(**typed, actor=request.user)  # type: ignore[arg-type]
            return f"Pit {pit} is there."

        return service_page(
            request,
            PitForm(filled(request)),
            carry_out,
            title="New pit",
            button="Create pit",
            back=reverse("admin:casino_pit_changelist"),
        )


@admin.register(Table)
class TableAdmin(FactAdmin):
    list_display = ("code", "name", "pit", "game_title", "book", "floor_page")
    list_filter = ("pit", "book")
    list_select_related = ("pit",)
    search_fields = ("code", "name")
    fields = ("code", "name", "pit", "game_title", "book", "floor_page")
    readonly_fields = fields
    actions_list = ("create",)

    @display(description="Game", ordering="game")
    def game_title(self, table: Table) -> str:
        return game_of(table).title

    @display(description="On the floor")
    def floor_page(self, table: Table) -> SafeString:
        url = reverse("admin:table", args=[table.code])
        return format_html('<a class="pb-link" href="{}">Table page</a>', url)

    @action(description="New table", url_path="new", permissions=["set_up"], icon="add")
    def create(self, request: HttpRequest) -> HttpResponse:
        def carry_out(typed: dict[str, Any]) -> str:
            book, _, game = typed.pop("game").partition("/")
            table = setup.create_table(**typed, book=book, game=game, actor=request.user)  # type: ignore[arg-type]
            return f"Table {table} is there. It takes tickets once it has limits."

        return service_page(
            request,
            TableForm(filled(request)),
            carry_out,
            title="New table",
            button="Create table",
            back=reverse("admin:casino_table_changelist"),
        )


@admin.register(Shoe)
class ShoeAdmin(FactAdmin):
    seen_by = VIEW_FLOOR
    list_display = ("shoe", "phase", "decks", "opened", "closed", "hands")
    list_filter = ("table", "phase")
    list_select_related = ("table__pit",)
    fields = (
        "table", "number", "decks", "first_card", "burned", "cut", "phase", "blue_card", "opened",
        "closed", "hands",
    )  # fmt: skip
    readonly_fields = fields

    @display(description="Shoe")
    def shoe(self, shoe: Shoe) -> str:
        return str(shoe)

    @display(description="Opened", ordering="opened_at")
    def opened(self, shoe: Shoe) -> SafeString:
        return on_clock_of_pit(shoe, shoe.opened_at)

    @display(description="Closed", ordering="closed_at")
    def closed(self, shoe: Shoe) -> SafeString:
        return on_clock_of_pit(shoe, shoe.closed_at)

    @display(description="Hands")
    def hands(self, shoe: Shoe) -> SafeString:
        url = reverse("admin:shoe", args=[shoe.table.code, shoe.number])
        return format_html('<a class="pb-link" href="{}">Hands</a>', url)


@admin.register(Round)
class RoundAdmin(FactAdmin):
    """Rounds have a list and a page of their own; this keeps the versions of each."""

    seen_by = VIEW_FLOOR
    fields = (
        "key", "table", "shoe", "number", "book", "game", "book_version", "book_digest", "phase",
        "on_hold", "draws", "outcome_revision", "settled_revision", "opened_at", "closed_at",
        "resulted_at",
    )  # fmt: skip
    readonly_fields = fields

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("admin:rounds")
