"""The two commands of the rules: one line for each line, exit codes, tables. No database."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("django")

from django.core.management.base import CommandError

from casino.management.commands import house_edge, resolve

QUESTION = {
    "book": "euro",
    "game": "baccarat",
    "outcome": {"player": ["KS", "9H"], "banker": ["7D", "9C"]},
    "bets": [{"bet": "player", "stake": "1"}],
}


def resolved(path: Path, content: bytes) -> list[Any]:
    path.write_bytes(content)
    out = io.StringIO()
    resolve.Command(stdout=out).handle(file=path)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def edges(**options: Any) -> str:
    out = io.StringIO()
    defaults: dict[str, Any] = {"book": None, "game": None, "format": "table"}
    house_edge.Command(stdout=out).handle(**defaults | options)
    return out.getvalue()


def test_resolve_answers_every_line_in_order(tmp_path: Path) -> None:
    lines = [QUESTION, QUESTION | {"book": "x"}, 5, QUESTION | {"more": 1}]
    content = "\n".join(map(json.dumps, lines)).encode()
    answers = resolved(tmp_path / "lines", content)
    assert [answer.get("error", {}).get("code") for answer in answers] == [
        None,
        "unknown_book",
        "malformed",
        "malformed",
    ]


def test_resolve_reads_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Piped:
        buffer = io.BytesIO(json.dumps(QUESTION).encode())

    monkeypatch.setattr("sys.stdin", Piped)
    out = io.StringIO()
    resolve.Command(stdout=out).handle(file=None)
    assert json.loads(out.getvalue())["bets"][0]["payout"] == "2.00"


@pytest.mark.parametrize(
    "line", [b"{", b"NaN", b'{"a": Infinity}', b"\xff", b"[" * 100_000, b"1 2", b"9" * 5_000]
)
def test_what_is_no_json_ends_with_status_2_and_names_the_line(tmp_path: Path, line: bytes) -> None:
    content = json.dumps(QUESTION).encode() + b"\n\n" + line + b"\n"
    with pytest.raises(CommandError, match="Line 3 is no JSON") as error:
        resolved(tmp_path / "lines", content)
    assert error.value.returncode == 2


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        resolve.Command(stdout=io.StringIO()).handle(file=tmp_path / "none")


def test_house_edge_prints_every_bet_in_printed_order() -> None:
    lines = edges(book="euro", game="baccarat").splitlines()
    assert lines[0].split() == [
        "book", "game", "bet", "selection", "house", "edge", "win", "push", "lose", "half", "lose",
    ]  # fmt: skip
    assert [line.split()[2] for line in lines[1:]] == ["player", "banker", "tie"]
    assert lines[2].split()[3] == "0.010579057842"


def test_house_edge_as_json() -> None:
    rows = json.loads(edges(game="super_98", format="json"))
    assert {row["book"] for row in rows} == {"club-a", "club-b"}
    [row] = [row for row in rows if (row["book"], row["bet"]) == ("club-b", "banker")]
    assert row["game"] == "super_98"
    assert row["selection"] == ""
    assert row["house_edge"] == "0.013226135511"
    assert set(row["probabilities"]) == {"win", "push", "lose"}
    assert "why" not in row


@pytest.mark.parametrize(
    "options", [{"book": "club-z"}, {"game": "whist"}, {"book": "euro", "game": "super_98"}]
)
def test_house_edge_of_what_does_not_exist_is_an_error(options: dict[str, str]) -> None:
    with pytest.raises(CommandError, match=r"There is no rule book|has no game"):
        edges(**options)
