"""The decision log as compliance reads it, and the proof that nobody touched it."""

from __future__ import annotations

import pytest
from django.db import connection

from casino.models import AuditEvent, AuditSeal
from casino.pages.body import Change, read_body
from casino.services import people
from tests.house import BANKER_SIX, PLAYER_WINS, House
from tests.web.browsing import Visitor, text
from tests.web.counting import nothing_written, seal, write_the_log_anew
from tickets.models import Settlement

pytestmark = pytest.mark.first_hand


def log(house: House, **query: str) -> str:
    return text(Visitor(house.compliance).get("log", **query))


def test_a_decision_tells_who_about_what_why_and_what_changed(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "10"))
    house.edit(ticket.round, BANKER_SIX)
    seal()
    shown = log(house, action="result_edited")
    assert "Result edited round:bac-01-1-1 manager Seen on video." in shown
    assert "Headline Player 9 beats Banker 7 → Banker 6 beats Player 5" in shown
    assert "Outcome › Player KS 9H → KS 2H 3C" in shown
    assert "Evidence: cam 3 03:00:12" in shown


def test_a_subject_leads_to_where_it_is_found(house: House) -> None:
    house.play(PLAYER_WINS, ("player", "10"))
    house.profile()
    people.change_role(
        person=house.supervisor, role="compliance", actor=house.administrator, reason="Moved."
    )
    seal()
    visitor = Visitor(house.compliance)
    html = visitor.get("log").content.decode()
    for link in (
        "/admin/rounds/bac-01-1-1/",
        "/admin/tables/bac-01/",
        "/admin/limits/profiles/",
        "/admin/tables/bac-01/shoes/1/",
        "/admin/casino/person/?q=supervisor",
        "/admin/casino/operator/?q=north",
        "/admin/casino/apiclient/?q=north",
        "/admin/casino/pit/?q=main",
    ):
        assert f'href="{link}"' in html
        assert visitor.client.get(link).status_code == 200
    assert "profile:Main floor/USD" in log(house, subject="Main floor/USD")


def test_the_chain_is_verified_without_writing(house: House) -> None:
    seal()
    with nothing_written():
        shown = text(Visitor(house.compliance).get("log_verify"))
    assert "The chain is whole" in shown


def test_a_broken_chain_is_found(house: House) -> None:
    seal()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE casino_auditevent DISABLE TRIGGER ALL")
        cursor.execute(
            "UPDATE casino_auditevent SET reason = 'Another.' WHERE subject = 'pit:main'"
        )
    shown = text(Visitor(house.compliance).get("log_verify"))
    assert "The chain is broken" in shown
    assert "was altered or taken out" in shown


def test_a_digest_kept_from_earlier_shows_that_nothing_was_altered_since(house: House) -> None:
    ticket = house.play(PLAYER_WINS, ("player", "10"))
    seal()
    visitor = Visitor(house.compliance)
    last = AuditSeal.objects.order_by("-position")[0]
    digest = bytes(last.digest).hex()
    assert f"Its digest {digest}" in text(visitor.get("log_verify"))
    house.void(ticket.round)
    seal()
    found = text(visitor.get("log_verify", kept=f" {digest[:32]} {digest[32:].upper()}\n"))
    assert f"The digest is still there Decision No. {last.position} of" in found
    assert "Everything up to that decision is as it was" in found

    batch = Settlement.objects.get(position=1)
    found = text(visitor.get("log_verify", kept=bytes(batch.digest).hex()))
    assert "Settlement No. 1 of" in found

    write_the_log_anew()
    found = text(visitor.get("log_verify", kept=digest))
    assert "The chain is whole" in found and "Nothing in the house has this digest" in found


def test_what_is_no_digest_is_refused_at_its_field(house: House) -> None:
    found = text(Visitor(house.compliance).get("log_verify", kept="12ab"))
    assert "A digest has 64 characters, 0 to 9 and a to f." in found
    assert "Nothing in the house" not in found


def test_limits_are_read_as_money_of_their_currency() -> None:
    body = read_body(
        '{"after":{"bets":{"":[100,50000],"tie":[100,200]},"table_max":null,"table_min":100},'
        '"before":{"bets":{"":[100,100000]},"table_max":null,"table_min":100},'
        '"currency":"USD","version":2}'
    )
    assert body.changes == (
        Change("Bets › Every other bet", "1.00 USD to 1,000.00 USD", "1.00 USD to 500.00 USD"),
        Change("Bets › Tie", "", "1.00 USD to 2.00 USD"),
    )
    assert body.notes == (("Currency", "USD"), ("Version", "2"))


def test_bounds_of_payouts_are_read_as_money_too(house: House) -> None:
    house.limit(house.table(), payout_max=900_000, exposure_max=5_000_000)
    event = AuditEvent.objects.filter(action="limits_set").order_by("-id")[0]
    assert read_body(event.body).changes == (
        Change("Exposure max", "–", "50,000.00 USD"),
        Change("Payout max", "–", "9,000.00 USD"),
    )


def test_a_first_version_has_no_before() -> None:
    body = read_body('{"after":{"bets":{"":[5,10]}},"before":null,"currency":"JPY"}')
    assert body.changes == (Change("Bets › Every other bet", "", "5 JPY to 10 JPY"),)


def test_moments_and_switches_are_words() -> None:
    body = read_body('{"expires_at":"2027-11-29 23:14:30.944836+00:00","manual":false,"note":""}')
    assert body.notes == (
        ("Expires at", "29 Nov 2027 23:14:30 UTC"),
        ("Manual", "no"),
        ("Note", "–"),
    )


def test_a_digest_stands_in_the_log_as_it_is_printed() -> None:
    digest = "ab" * 32
    assert read_body(f'{{"kept":{{"{digest}":"log 7"}}}}').notes == ((f"Kept › {digest}", "log 7"),)


def test_what_the_preview_showed_is_kept_apart() -> None:
    body = read_body(
        '{"ruling":1,"shown":{"money":[{"currency":"EUR","operator":"north","up":1050}],"tickets":3}}'
    )
    assert body.notes == (("Ruling", "1"),)
    assert body.shown == (
        ("Money 1 › Currency", "EUR"),
        ("Money 1 › Operator", "north"),
        ("Money 1 › Up", "10.50 EUR"),
        ("Tickets", "3"),
    )


def test_long_bodies_are_told_in_short_and_folded(house: House) -> None:
    body = read_body(
        '{"proposal":3,"kind":"edit","ground":"misread_result","plan":{"after":"Tie","before":'
        '"Banker","money":[{"currency":"USD","down":-1000,"operator":"north","test":false,'
        '"up":250000}],"tickets":1200}}'
    )
    assert body.notes == (("Proposal", "3"), ("Kind", "Edit"), ("Ground", "Misread result"))
    assert body.brief == "Banker → Tie; tickets that change: 1,200; north +2,490.00 USD"
    body = read_body(f'{{"sets":[{",".join([chr(34) + "a/USD/1" + chr(34)] * 13)}]}}')
    assert body.notes == () and body.lists == (("Sets", ("a/USD/1",) * 13),)

    house.profile("Night", bets={"": (200, 30_000)})
    house.profile("Night", bets={"": (200, 25_000)})
    seal()
    told = text(Visitor(house.compliance).get("log"))
    assert "Every other bet 2.00 USD to 300.00 USD → 2.00 USD to 250.00 USD" in told
