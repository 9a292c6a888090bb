"""Setting the house up by command, for scripts."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.test import Client

from casino.audit import Head, verify_log
from casino.models import ApiClient, AuditEvent, AuditHead, LimitSet, Person, Table
from casino.models.audit import Action
from casino.selectors import system
from tests.house import BANKER_WINS, House
from tests.web.calls import Caller
from tests.web.counting import nothing_written, seal, write_the_log_anew
from tickets.models import SettlementHead
from tickets.services import verification
from tickets.services.ledger import Difference, Verification

pytestmark = pytest.mark.django_db

PIT = ("create_pit", "main", "--time-zone", "Asia/Manila")
OPERATOR = ("create_operator", "north")
TABLE = (
    "create_table", "bac-01", "--pit", "main", "--book", "club-a",
    "--game", "no_commission_baccarat",
)  # fmt: skip
CLIENT = (
    "create_api_client", "platform", "--operator", "north",
    "--scope", "tickets:read", "--scope", "tickets:write",
)  # fmt: skip
LIMITS = ("set_limits", "bac-01", "--currency", "USD", "--min", "1", "--max", "1000.00")
PERSON = ("create_person", "ines", "--role", "pit_manager")


def run(*words: str) -> dict[str, Any]:
    """What a command prints: one JSON object and nothing else."""
    out, error = StringIO(), StringIO()
    call_command(*words, stdout=out, stderr=error)
    assert error.getvalue() == ""
    [line] = out.getvalue().splitlines()
    answer = json.loads(line)
    assert isinstance(answer, dict)
    return answer


def refused(*words: str) -> str:
    """The sentence with which a command is refused, with its code; nothing is written."""
    out = StringIO()
    with nothing_written(), pytest.raises(CommandError) as caught:
        call_command(*words, stdout=out)
    assert out.getvalue() == ""
    assert caught.value.returncode == 1
    return str(caught.value)


def test_a_house_is_set_up_from_nothing() -> None:
    assert run(*PIT) == {"pit": "main", "time_zone": "Asia/Manila", "day_starts": "06:00"}
    assert run(*OPERATOR) == {"operator": "north", "name": "north"}
    assert run(*TABLE, "--name", "Baccarat 1") == {
        "table": "bac-01",
        "name": "Baccarat 1",
        "pit": "main",
        "book": "club-a",
        "game": "no_commission_baccarat",
        "rides_on": None,
    }
    client = run(*CLIENT)
    key = client.pop("key")
    assert client == {
        "client": "platform",
        "operator": "north",
        "scopes": ["tickets:read", "tickets:write"],
        "addresses": [],
    }
    limits = run(*LIMITS)
    assert limits.pop("effective_from").endswith("+00:00")
    assert limits == {
        "table": "bac-01",
        "operator": None,
        "profile": None,
        "currency": "USD",
        "version": "1",
        "table_min": None,
        "table_max": None,
        "payout_max": None,
        "exposure_max": None,
        "bets": {"": {"min": "1.00", "max": "1000.00"}},
    }
    [table] = Caller(key).get("tables/").json()["results"]
    assert table["limits"][0]["bets"][0]["maximum"] == "1000.00"


def test_every_command_is_harmless_when_repeated() -> None:
    for words in (PIT, OPERATOR, TABLE, CLIENT, LIMITS, PERSON):
        first = run(*words)
        with nothing_written():
            again = run(*words)
        for secret in ("key", "password"):
            if secret in first:
                assert first.pop(secret)
                assert again.pop(secret) is None
        assert again == first


def test_the_log_says_that_a_command_did_it() -> None:
    run("create_pit", "annex", "--time-zone", "Europe/Riga")
    event = AuditEvent.objects.get(action=Action.PIT_CREATED, subject="pit:annex")
    assert (event.actor, event.reason) == (system(), "Set up by command.")


def test_a_refusal_is_one_sentence_with_its_code() -> None:
    assert refused("create_pit", "p", "--time-zone", "Mars/Olympus") == (
        "invalid_value: Mars/Olympus is not a time zone."
    )
    run(*PIT)
    run(*OPERATOR)
    cases = [
        (("create_pit", "main", "--time-zone", "Europe/Riga"), "conflict"),
        (("create_pit", "a b", "--time-zone", "Europe/Riga"), "invalid_value"),
        (("create_operator", "o" * 33), "invalid_value"),
        ((*TABLE[:3], "nowhere", *TABLE[4:]), "not_found"),
        ((*TABLE[:5], "club-z", *TABLE[6:]), "unknown_book"),
        ((*TABLE[:7], "chess"), "unknown_game"),
        ((*TABLE, "--name", "n" * 81), "invalid_value"),
        ((*TABLE, "--rides-on", "nothing"), "not_found"),
        (("create_api_client", "c", "--scope", "everything"), "invalid_value"),
        (("create_api_client", "c", "--scope", "tickets:write"), "invalid_value"),
        ((*CLIENT[:3], "west", *CLIENT[4:]), "not_found"),
        ((*CLIENT, "--scope", "floor:write"), "invalid_value"),
        ((*CLIENT, "--address", "somewhere"), "invalid_value"),
        (LIMITS, "not_found"),
        (("create_person", "ines", "--role", "machine"), "invalid_value"),
        (("create_person", "ines", "--role", "king"), "invalid_value"),
    ]
    for words, code in cases:
        assert refused(*words).startswith(f"{code}: "), words


def test_limits_are_laid_over_those_in_force() -> None:
    for words in (PIT, TABLE, LIMITS):
        run(*words)
    tie = ("set_limits", "bac-01", "--currency", "USD", "--bet", "tie", "--min", "1", "--max", "5")
    answer = run(*tie, "--table-min", "2", "--table-max", "5000")
    assert (answer["version"], answer["table_min"], answer["table_max"]) == ("2", "2.00", "5000.00")
    assert answer["bets"] == {
        "": {"min": "1.00", "max": "1000.00"},
        "tie": {"min": "1.00", "max": "5.00"},
    }
    yen = ("set_limits", "bac-01", "--currency", "JPY", "--min", "100", "--max", "5000")
    assert run(*yen)["bets"] == {"": {"min": "100", "max": "5000"}}
    assert LimitSet.objects.count() == 3


def test_a_profile_is_written_and_a_table_follows_it() -> None:
    for words in (PIT, TABLE, LIMITS):
        run(*words)
    floor = ("set_limits", "--profile", "Main floor", "--currency", "USD")
    assert run(*floor, "--min", "5", "--max", "50")["bets"] == {"": {"min": "5.00", "max": "50.00"}}
    follows = ("set_limits", "bac-01", *floor[1:])
    for _ in range(2):
        answer = run(*follows)
        assert (answer["profile"], answer["version"]) == ("Main floor", "2")
    assert run(*floor, "--bet", "tie", "--min", "5", "--max", "20")["version"] == "2"
    assert LimitSet.objects.latest("version").bets.count() == 2
    assert refused(*follows[:3], "Side floor", *follows[4:]).startswith("not_found: ")
    assert "Name a table, a profile, or both." in refused("set_limits", "--currency", "USD")
    assert "nobody's own" in refused(*floor, "--operator", "north", "--min", "1", "--max", "2")
    assert "takes its limits from there" in refused(*follows, "--max", "2")


def test_limits_that_are_none_are_refused() -> None:
    for words in (PIT, TABLE):
        run(*words)
    usd = ("set_limits", "bac-01", "--currency", "USD")
    crossed = ("--table-min", "9", "--table-max", "8")
    cases = [
        ((*usd, "--min", "5", "--max", "1"), "invalid_value"),
        ((*usd, "--min", "-1", "--max", "1"), "invalid_stake"),
        ((*usd, "--min", "1.005", "--max", "2"), "invalid_stake"),
        ((*usd, "--min", "one", "--max", "2"), "invalid_stake"),
        ((*usd, "--bet", "moon", "--min", "1", "--max", "2"), "unknown_bet"),
        ((*usd[:3], "XXX", "--min", "1", "--max", "2"), "unknown_currency"),
        ((*usd, "--min", "1", "--max", "2", *crossed), "invalid_value"),
    ]
    for words, code in cases:
        assert refused(*words).startswith(f"{code}: "), words


def test_a_client_may_be_bound_to_addresses() -> None:
    words = ("create_api_client", "c", "--scope", "audit:read", "--address", "203.0.113.7", "::1")
    answer = run(*words)
    assert answer["addresses"] == run(*words)["addresses"] == ["203.0.113.7", "::1"]
    assert refused(*words[:-1]).startswith("conflict: ")
    assert ApiClient.objects.get(name="c").operator is None
    assert Caller(answer["key"]).get("rulings/").status_code == 403


def test_a_person_signs_in_with_the_password_that_was_told() -> None:
    answer = run(*PERSON)
    assert (answer["person"], answer["role"]) == ("ines", "pit_manager")
    assert len(answer["password"]) == 16
    assert Person.objects.get(username="ines").check_password(answer["password"])


def test_one_person_of_each_role_is_let_in_once() -> None:
    Person.objects.filter(is_staff=True).update(username=Concat(Value("old-"), F("username")))
    first, second = StringIO(), StringIO()
    call_command("demo_people", stdout=first)
    roles = {row.split("  ")[0].strip(): row.split()[-1] for row in first.getvalue().splitlines()}
    assert list(roles) == ["name", "supervisor", "manager", "compliance", "administrator"]
    assert Person.objects.get(username="manager").check_password(roles["manager"])
    with nothing_written():
        call_command("demo_people", stdout=second)
    assert second.getvalue().count("(exists already; told when created)") == 4
    assert roles["manager"] not in second.getvalue()


def test_a_table_rides_on_another() -> None:
    run(*PIT)
    pictures = ("create_table", "tp-01", "--pit", "main", "--book", "club-b", "--game")
    run(*pictures, "three_pictures")
    fan_tan = (*pictures[:1], "ft-01", *pictures[2:], "super_fan_tan", "--rides-on", "tp-01")
    assert run(*fan_tan)["rides_on"] == "tp-01"
    assert Table.objects.get(code="ft-01").rides_on == Table.objects.get(code="tp-01")


def test_a_verification_is_printed_and_logged(house: House, client: Client) -> None:
    house.play(BANKER_WINS, ("banker", "10.00"))
    seal()
    answer = run("verify_ledger")
    log, ledger = AuditHead.objects.get(), SettlementHead.objects.get()
    assert answer == {
        "rounds": 1,
        "tickets": 1,
        "settlements": 1,
        "events": log.position,
        "ledger_digest": bytes(ledger.digest).hex(),
        "log_digest": bytes(log.digest).hex(),
        "differences": [],
    }
    event = AuditEvent.objects.get(action=Action.LEDGER_VERIFIED)
    assert json.loads(event.body) == answer | {"differences": 0}
    assert client.get("/healthz").json()["ledger"]["passed"] is True


def test_digests_kept_from_earlier_are_found_until_the_chain_is_written_anew(house: House) -> None:
    house.play(BANKER_WINS, ("banker", "10.00"))
    seal()
    first = run("verify_ledger")
    kept = [first["log_digest"], first["ledger_digest"]]
    house.play(BANKER_WINS, ("banker", "10.00"))
    seal()
    asked = [part for digest in kept for part in ("--kept", digest)]
    again = run("verify_ledger", *asked)
    assert again["kept"] == {kept[0]: f"log {first['events']}", kept[1]: "ledger 1"}
    assert again["differences"] == [] and again["log_digest"] not in kept

    seal()
    write_the_log_anew()
    assert verify_log().faults == (), "whoever owns the database can make the chain look whole"
    out = StringIO()
    with pytest.raises(CommandError, match=f"Nothing in the house has the digest {kept[0]}."):
        call_command("verify_ledger", *asked, stdout=out)
    told = json.loads(out.getvalue())
    assert told["kept"] == {kept[0]: None, kept[1]: "ledger 1"}
    assert told["differences"] == []
    last = verification.last_verification()
    assert last is not None and last.passed, "a digest copied wrongly makes no house unwell"


def test_what_is_no_digest_is_refused_before_anything_is_verified(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "verify_ledger", lambda: pytest.fail("verified"))
    with nothing_written(), pytest.raises(CommandError, match="64 characters"):
        call_command("verify_ledger", "--kept", "12ab")


def test_a_digest_is_found_however_it_was_copied(house: House) -> None:
    seal()
    told = run("verify_ledger")
    digest = told["log_digest"]
    copied = f"{digest[:32].upper()} {digest[32:]}\n"
    seal()
    assert run("verify_ledger", "--kept", copied)["kept"] == {digest: f"log {told['events']}"}


def test_a_ledger_in_which_nothing_is_settled_has_no_digest_to_keep(house: House) -> None:
    assert run("verify_ledger")["ledger_digest"] is None


def test_a_difference_ends_with_status_1_and_makes_the_house_unwell(
    house: House, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = (Difference("ticket", "Ticket 1 pays 5; the rules say 4."),)
    found = Verification(1, 1, 1, wrong, Head(1, "ab" * 32))
    monkeypatch.setattr(verification, "verify_ledger", lambda: found)
    seal()
    out = StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("verify_ledger", stdout=out)
    assert caught.value.returncode == 1
    [difference] = json.loads(out.getvalue())["differences"]
    assert difference == {"what": "ticket", "detail": "Ticket 1 pays 5; the rules say 4."}
    assert client.get("/healthz").status_code == 503
