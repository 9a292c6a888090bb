"""One game of one book: reading outcomes and resolving wagers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from games import slip
from games.families import Draw, Family, Roll
from games.reading import check_keys
from games.refusals import Refused
from games.returns import odds_text
from games.values import (
    VOIDING,
    Bet,
    Ground,
    Outcome,
    Result,
    Rung,
    Setup,
    Stake,
    Verdict,
    Void,
    Wager,
)

_NOTHING, _HALF, _WHOLE = Fraction(0), Fraction(1, 2), Fraction(1)


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game as one book prints it, with the family that knows how it is played.

    `digest` is the SHA-256 of everything that the book says about it. `coverage` is the
    number of parts of the layout that one player may cover in a round, if there is a limit.
    """

    book: str
    code: str
    title: str
    source: str
    family: str
    digest: str
    has_shoe: bool
    bets: Mapping[str, Bet]
    grounds: Mapping[str, Ground]
    coverage: int | None
    setup: Setup = field(repr=False)
    rules: Family = field(repr=False)
    words: Mapping[str, str] = field(repr=False)

    @property
    def decks(self) -> int | None:
        """Decks in play, or None in a game without cards."""
        return self.setup.decks

    @property
    def options(self) -> Mapping[str, Any]:
        """What the book sets for the family, defaults included."""
        return self.setup.options

    @property
    def added(self) -> frozenset[str]:
        """The bets that are added to a ticket while the hand is played, never placed before."""
        return self.rules.added

    @property
    def draws(self) -> Mapping[str, Draw]:
        """The parts of an outcome that are drawn after betting closes, before the result."""
        return self.rules.draws(self.setup)

    def wager(self, bet: str, selection: str = "", play: str | None = None) -> Wager:
        """Name a wager in its one form; Refused `unknown_bet` or `invalid_play`.

        Where a bet has one selection only, it may be left out.
        """
        offered = self.bets.get(bet) if isinstance(bet, str) else None
        if offered is None:
            raise Refused("unknown_bet", f"{self.title} has no bet {bet!r}.", field="bet")
        if selection == "" and len(offered.selections) == 1:
            [selection] = offered.selections
        if selection not in offered.selections:
            raise Refused("unknown_bet", _no_selection(offered, selection), field="selection")
        if play is None or play == "":
            play = self.rules.default_play(offered, selection)
        elif not isinstance(play, str):
            raise Refused("invalid_play", 'A play is text, such as "HS".', field="play")
        else:
            play = self.rules.play(offered, selection, play)
        return Wager(bet, selection, play)

    def complete(self, stakes: Sequence[Stake]) -> list[Stake]:
        """Give the lines of one ticket that name no play the play that another line names."""
        return list(self.rules.complete(stakes))

    def check_slip(
        self, stakes: Sequence[Stake], *, hand: int | None, held: Sequence[Wager] = ()
    ) -> list[Refused | None]:
        """Say of each bet of a ticket why it may not be placed, or None.

        `hand` is the number of the hand in its shoe (None where there is no shoe, or where
        windows are not asked for); `held` is what the player holds in the round already.
        """
        return slip.check(self, stakes, hand=hand, held=held)

    def read(self, raw: Mapping[str, Any], *, unfinished: bool = False) -> Outcome:
        """Check an outcome and turn it into facts; Refused `invalid_outcome`.

        With `unfinished`, what the rules cannot complete is taken down as it lies, for a hand
        that is void; cards that do not exist are refused all the same.
        """
        if not unfinished or self.rules.read_unfinished is None:
            return self.rules.read(self.setup, raw)
        try:
            return self.rules.read(self.setup, raw)
        except Refused:
            return self.rules.read_unfinished(self.setup, raw)

    def read_draws(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Check what was drawn between betting and result, all of it; Refused `invalid_outcome`.

        Answers it as an outcome has it: those parts of `canonical`.
        """
        if not self.draws:
            raise Refused(
                "invalid_outcome", f"{self.title} draws nothing after betting closes.", "draws"
            )
        check_keys(raw, self.draws)
        return {part: read(self.setup, raw) for part, read in self.draws.items()}

    def deal(self, shoe: Iterator[str], roll: Roll) -> dict[str, Any]:
        """Play one round by the rules: an outcome that `read` accepts."""
        return self.rules.deal(self.setup, shoe, roll)

    def fitting(self, outcome: Outcome, bet: str, selection: str = "") -> list[Wager]:
        """List the wagers on a bet and selection that can have been made on this outcome.

        One for each play that fits the cards; none where the bet was not offered on them.
        """
        plays = self.rules.fitting(self.setup, outcome, bet, selection)
        return [Wager(bet, selection, play) for play in plays]

    def resolve(
        self,
        outcome: Outcome | None,
        wagers: Sequence[Wager],
        *,
        void: Void | None = None,
    ) -> list[Verdict]:
        """Say what becomes of each wager, in order; none depends on another.

        A void returns every stake but for what the book pays all the same; its outcome may be
        missing. Refused `not_permitted` if the book does not void hands on that ground, and
        `invalid_play` if a wager's play does not fit the cards.
        """
        if void is not None:
            self.check_void(void)
            return [self._void_verdict(outcome, wager, void) for wager in wagers]
        assert outcome is not None, "only a void hand has no outcome"
        return [self._verdict(outcome, wager) for wager in wagers]

    def check_void(self, void: Void) -> None:
        """Refuse `not_permitted` if this book does not void a hand on this ground."""
        ground = self.grounds.get(void.ground)
        if ground is None:
            raise Refused(
                "not_permitted",
                f"{self.title} knows no ground {void.ground!r}.",
                field="ground",
            )
        if VOIDING.isdisjoint(ground.actions):
            raise Refused(
                "not_permitted",
                f"{self.title} does not void a hand for {_spoken(void.ground)}: "
                f"it allows {', '.join(ground.actions)}.",
                field="ground",
            )

    def _verdict(self, outcome: Outcome, wager: Wager) -> Verdict:
        bet = self.bets[wager.bet]
        chips = bet.chips.get(wager.selection)
        if chips is not None:
            parts = [(self._verdict(outcome, chip.wager), chip.count) for chip in chips]
            return _together(bet, wager.selection, parts, outcome)
        facts = self.rules.facts_for(self.setup, outcome, wager)
        for rung in bet.rungs[wager.selection]:
            if rung.fact in facts:
                return self._on_rung(outcome, wager, rung)
        return _lost(bet.lost or self.rules.reason(self.setup, outcome, wager))

    def _void_verdict(self, outcome: Outcome | None, wager: Wager, void: Void) -> Verdict:
        bet = self.bets[wager.bet]
        surviving = [
            rung for rung in bet.rungs.get(wager.selection, ()) if void.ground in rung.survives
        ]
        if outcome is not None and surviving:
            facts = self._certain(outcome, wager)
            for rung in surviving:
                if rung.fact in facts:
                    return self._on_rung(outcome, wager, rung)
        return _voided(void)

    def _certain(self, outcome: Outcome, wager: Wager) -> frozenset[str]:
        """The facts of a void hand for a wager; none for one that could not have been made."""
        try:
            return self.rules.facts_for(self.setup, outcome, wager)
        except Refused:
            return frozenset()

    def _on_rung(self, outcome: Outcome, wager: Wager, rung: Rung) -> Verdict:
        told = rung.words
        if rung.fact in self.rules.plain:
            told = self.rules.reason(self.setup, outcome, wager)
        match rung.result:
            case Result.PUSH:
                return Verdict(rung.result, "", _WHOLE, f"{told}: stake returned")
            case Result.HALF_LOSE:
                return Verdict(rung.result, "", _HALF, f"{told}: half the stake lost")
            case Result.LOSE:
                return Verdict(rung.result, "", _NOTHING, told)
        if rung.returns is None:
            drawn = outcome.odds[rung.fact]
            return Verdict(Result.WIN, odds_text(drawn), drawn, told)
        return Verdict(Result.WIN, rung.odds, rung.returns, told)


@lru_cache(maxsize=1024)
def _lost(told: str) -> Verdict:
    """The verdict of a losing wager: most wagers of a round lose, and for the same reason."""
    return Verdict(Result.LOSE, "", _NOTHING, told)


@lru_cache(maxsize=256)
def _voided(void: Void) -> Verdict:
    """The verdict of a wager that a void hands back, the same for all of a round."""
    why = f"Hand void ({_spoken(void.ground)}): stake returned"
    return Verdict(Result.VOID, "", _WHOLE, why)


def _together(
    bet: Bet, selection: str, parts: Sequence[tuple[Verdict, int]], outcome: Outcome
) -> Verdict:
    """Sum the chips of an announced bet into one verdict (R-12: by what comes back)."""
    back = [(part, count) for part, count in parts if part.returns]
    if not back:
        return _lost(bet.lost or outcome.headline)
    returns = sum((part.returns * count for part, count in back), _NOTHING) / bet.units(selection)
    if returns < 1:
        return Verdict(Result.HALF_LOSE, "", returns, f"{outcome.headline}: part of the chips won")
    if returns == 1:
        return Verdict(Result.PUSH, "", returns, f"{outcome.headline}: stake returned")
    best = max((part for part, _ in back), key=lambda part: part.returns)
    return Verdict(Result.WIN, odds_text(returns), returns, best.why)


def _no_selection(bet: Bet, selection: object) -> str:
    if bet.selections == ("",):
        return f"{bet.title} takes no selection."
    if selection == "":
        return f"{bet.title} needs a selection, such as {bet.selections[0]!r}."
    return f"{bet.title} has no selection {selection!r}."


def _spoken(code: str) -> str:
    return code.replace("_", " ")
