"""Reviews of the decision log: up to where somebody looked through it, and what they found."""

from __future__ import annotations

import pytest

from casino.models import AuditEvent, AuditHead
from casino.pages import listing
from casino.services.reviews import review_log
from games.refusals import Refused
from tests.house import PLAYER_WINS, House
from tests.web.browsing import Visitor, hidden, listed, text
from tests.web.counting import nothing_written, seal

pytestmark = pytest.mark.first_hand


def end() -> int:
    seal()
    return AuditHead.objects.get().position


def test_a_review_is_noted_and_the_page_tells_what_came_since(house: House) -> None:
    visitor = Visitor(house.compliance)
    assert "Nobody has reviewed it yet." in text(visitor.get("log"))
    reviewed = end()
    assert f"/admin/log/review/?upto={reviewed}" in visitor.get("log").content.decode()
    assert hidden(visitor.get("log_review", upto=reviewed), "upto") == str(reviewed)
    form = {"upto": reviewed, "reason": "Two voids looked at, both on video."}
    assert visitor.post("log_review", script=False, **form).status_code == 302
    house.play(PLAYER_WINS, ("player", "10"))
    since = end() - reviewed
    said = text(visitor.get("log"))
    assert f"Reviewed up to No. {reviewed} by compliance," in said
    assert f": {form['reason']} {since} decisions since , those of people" in said
    rows = listed(visitor.get("log", after=reviewed))
    assert [int(row[0]) for row in rows] == list(range(reviewed + since, reviewed, -1))
    assert rows[-1][2:5] == ["Decision log reviewed", "log:all", "compliance"]
    event = AuditEvent.objects.get(action="log_reviewed")
    assert event.body == f'{{"after":0,"up_to":{reviewed}}}'


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"upto": 1}, "The log is reviewed up to No. 2 already."),
        ({"upto": 2}, "The log is reviewed up to No. 2 already."),
        ({"upto": 10**6}, "There is no decision No. 1,000,000 yet."),
        ({"upto": 10**30}, "less than or equal to"),
        ({"upto": "two"}, "Enter a whole number."),
        ({"reason": "  "}, "This field is required."),
    ],
)
def test_a_review_of_what_is_not_there_or_was_reviewed_is_refused(
    house: House, changed: dict[str, object], why: str
) -> None:
    visitor = Visitor(house.compliance)
    end()
    form = {"upto": 2, "reason": "Nothing stood out."}
    visitor.post("log_review", script=False, **form)
    seal()
    with nothing_written():
        page = visitor.post("log_review", script=False, **form | {"upto": 3} | changed)
    assert page.status_code == 422
    assert why in text(page)


@pytest.mark.parametrize("person", ["manager", "administrator", "supervisor"])
def test_whoever_decides_or_sets_up_reviews_nothing(house: House, person: str) -> None:
    visitor = Visitor(getattr(house, person))
    with nothing_written():
        page = visitor.post("log_review", script=False, upto=1, reason="Nothing stood out.")
        with pytest.raises(Refused, match="may not do this"):
            review_log(upto=1, actor=getattr(house, person), reason="Nothing stood out.")
    assert page.status_code == 403


def test_a_page_after_a_number_looks_through_a_stretch_and_no_further_than_there(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = end()
    monkeypatch.setattr(listing, "STRETCH", 5)
    visitor = Visitor(house.compliance)
    asked = {"after": last - 7, "action": "pit_created"}
    page = visitor.get("log", **asked)
    assert listed(page) == [] and f"before={last - 4}" in page.content.decode()
    page = visitor.get("log", **asked, before=last - 4)
    assert listed(page) == [] and "before=" not in page.content.decode()
    rows = listed(visitor.get("log", after=last - 2, until="2999-01-01T00:00"))
    assert [int(row[0]) for row in rows] == [last, last - 1]
    exported = b"".join(visitor.get("log_export", after=last - 2).streaming_content)
    assert len(exported.splitlines()) == 3
    assert listed(visitor.get("log", after=2**63 - 1)) == []


@pytest.mark.parametrize("after", ["-1", "1.5", "NaN", "1e40", "x"])
def test_what_is_no_number_is_marked_in_the_filter(house: House, after: str) -> None:
    page = Visitor(house.compliance).get("log", after=after)
    assert page.status_code == 200
    assert "A filter is not understood" in text(page)
