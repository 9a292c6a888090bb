"""What holds for every legal round of blackjack, whatever is dealt and however it is played.

The rules are written down a second time here, as plainly as they can be, and held against what
the books pay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.cards import DECK
from games.families.blackjack import plays_allowed
from games.families.blackjack.dealing import play_round
from games.refusals import Refused
from games.returns import payout
from games.rulebook import Game, Outcome, Stake, Wager
from tests.games.blackjack_layout import CLUB_B, EURO, every_book
from tests.games.shoes import shuffled

SEEDS = st.integers(0, 2**32)
LOW = tuple(card for card in DECK if card[0] in "A2345")

ROUNDS = 4
"""Rounds dealt for one example: what an example itself costs is more than a round."""

quickly = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])

PLAYED = ("ante", "split", "double")


def dealt(game: Game, random: Random) -> dict[str, Any]:
    """Deal a round, every third one from a shoe of low cards, of which long hands are made."""
    cards = LOW if random.randrange(3) == 0 else DECK
    return game.deal(shuffled(cards * 8, random), lambda faces: random.randint(1, faces))


def rounds(game: Game, seed: int) -> Iterator[tuple[dict[str, Any], Outcome]]:
    """Deal the rounds of one example, and read them."""
    random = Random(seed)
    for _ in range(ROUNDS):
        raw = dealt(game, random)
        yield raw, game.read(raw)


def fitting(game: Game, outcome: Outcome) -> Iterator[Wager]:
    for bet in game.bets.values():
        for selection in bet.selections:
            yield from game.fitting(outcome, bet.code, selection)


def count(cards: list[str]) -> int:
    """The best total of a hand: every ace tried both ways."""
    ways = [
        (1, 11) if card[0] == "A" else (10,) if card[0] in "TJQK" else (int(card[0]),)
        for card in cards
    ]
    totals = [sum(way) for way in product(*ways)]
    return max((total for total in totals if total <= 21), default=min(totals))


def expected(game: Game, raw: Any, wager: Wager) -> Fraction:
    """What one stake returns, from the printed rules alone."""
    box, _, half = wager.selection.partition("/")
    hands = raw["boxes"][box.removeprefix("box")]
    play = wager.play or "S"
    split = play.startswith("P")
    if split:
        hand = 1 if wager.bet == "split" or half == "2" else 0
        actions, dealt_cards = play[2:-1].split("][")[hand], hands["hands"][hand]
    else:
        pair = [hand[0] for hand in hands["hands"]] if "hands" in hands else hands["cards"][:2]
        forced = game is not EURO and pair[0][0] == pair[1][0] and pair[0][0] in "A8"
        if play == "F" or (wager.play is None and forced):
            return Fraction(1)
        actions, dealt_cards = play, hands.get("cards", pair)
    cards = dealt_cards[: 2 + actions.count("H") + actions.count("D")]
    mine, dealers = count(cards), count(raw["dealer"])
    natural = len(cards) == 2 and mine == 21 and not split
    dealer_natural = len(raw["dealer"]) == 2 and dealers == 21
    ten_up = raw["dealer"][0][0] in "TJQK"
    if dealer_natural and ten_up and wager.bet == "double" and game is not EURO:
        return Fraction(1)
    if mine > 21:
        return Fraction(0)
    if natural or dealer_natural:
        return {
            (True, True): Fraction(1),
            (True, False): Fraction(5, 2),
            (False, True): Fraction(0),
        }[natural, dealer_natural]
    if len(cards) == 8 and game is not EURO:
        return Fraction(2)
    if dealers > 21 or mine > dealers:
        return Fraction(2)
    return Fraction(1 if mine == dealers else 0)


@every_book
@quickly
@given(seed=SEEDS)
def test_every_stake_returns_what_the_printed_rules_say(game: Game, seed: int) -> None:
    for raw, outcome in rounds(game, seed):
        wagers = [wager for wager in fitting(game, outcome) if wager.bet in PLAYED]
        for wager, verdict in zip(wagers, game.resolve(outcome, wagers), strict=True):
            assert verdict.returns == expected(game, raw, wager), (raw, wager)


@every_book
@quickly
@given(seed=SEEDS)
def test_a_box_never_depends_on_the_other_boxes(game: Game, seed: int) -> None:
    for raw, outcome in rounds(game, seed):
        wagers = list(fitting(game, outcome))
        for number, box in raw["boxes"].items():
            alone = game.read({"dealer": raw["dealer"], "boxes": {number: box}})
            on_box = [one for one in wagers if one.selection.partition("/")[0] == f"box{number}"]
            assert game.resolve(alone, on_box) == game.resolve(outcome, on_box)


@every_book
@quickly
@given(seed=SEEDS, stakes=st.tuples(*[st.integers(1, 10**9)] * ROUNDS))
def test_a_ticket_is_paid_the_sum_of_its_lines(
    game: Game, seed: int, stakes: Sequence[int]
) -> None:
    """A ticket with every stake of its play is accepted, and its lines settle one by one."""
    for stake, (_, outcome) in zip(stakes, rounds(game, seed), strict=True):
        for ante in (wager for wager in fitting(game, outcome) if wager.bet == "ante"):
            lines = _ticket(game, ante, stake)
            assert not any(game.check_slip(lines, hand=None)), (ante, lines)
            _settles_line_by_line(game, outcome, lines)


def _settles_line_by_line(game: Game, outcome: Outcome, lines: list[Stake]) -> None:
    together = game.resolve(outcome, [line.wager for line in lines])
    for line, verdict in zip(lines, together, strict=True):
        assert game.resolve(outcome, [line.wager]) == [verdict]
        assert verdict.returns == expected(game, outcome.canonical, line.wager)
    paid = [
        payout(line.stake, verdict.returns) for line, verdict in zip(lines, together, strict=True)
    ]
    won = sum((verdict.returns for verdict in together), Fraction(0)) * lines[0].stake
    assert abs(sum(paid) - won) <= Fraction(len(lines), 2)


def _ticket(game: Game, ante: Wager, stake: int) -> list[Stake]:
    """The lines that a ticket with this play has."""
    play, lines = ante.play, [Stake(ante, stake)]
    if play is None:
        return lines
    if play.startswith("P"):
        lines.append(Stake(game.wager("split", ante.selection, play), stake))
        for number, actions in enumerate(play[2:-1].split("]["), 1):
            if actions == "D":
                double = game.wager("double", f"{ante.selection}/{number}", play)
                lines.append(Stake(double, stake))
    elif play == "D":
        lines.append(Stake(game.wager("double", ante.selection, play), stake))
    return lines


@every_book
@quickly
@given(seed=SEEDS)
def test_the_dealer_draws_to_17_and_no_further(game: Game, seed: int) -> None:
    """One ticket a box: the Dealer draws if a hand waits, and not if all are decided."""
    random = Random(seed)
    for _ in range(ROUNDS):
        shoe = shuffled(DECK * 8, random)
        boxes = random.sample(range(1, 5), random.randint(1, 4))
        _check_dealer(
            game,
            play_round(game.setup, shoe, boxes, lambda cards, up, allowed: random.choice(allowed)),
        )


def _check_dealer(game: Game, raw: dict[str, Any]) -> None:
    dealer = raw["dealer"]
    assert len(dealer) >= 2
    assert all(count(dealer[:taken]) < 17 for taken in range(2, len(dealer)))
    if any(_waits(game, box) for box in raw["boxes"].values()):
        assert count(dealer) >= 17
        assert _refused(game, raw | {"dealer": [*dealer, "2C"]})
        assert len(dealer) == 2 or _refused(game, raw | {"dealer": dealer[:-1]})
    else:
        assert len(dealer) == 2
    assert game.read(raw).notices == ()


@every_book
@quickly
@given(seed=SEEDS)
def test_a_deal_settles_every_ticket_that_decided_nothing(game: Game, seed: int) -> None:
    """The Dealer drew also for whoever stood on two cards of a box that went bust."""
    antes = [game.wager("ante", selection) for selection in game.bets["ante"].selections]
    for _, outcome in rounds(game, seed):
        assert len(game.resolve(outcome, antes)) == game.options["boxes"]


def _waits(game: Game, box: Any) -> bool:
    """Whether the longest line of a box waits for the Dealer's total."""
    if "hands" in box:
        hands = box["hands"]
        return any(
            count(hand) <= 21 and not (len(hand) == 8 and game is not EURO) for hand in hands
        )
    cards = box["cards"]
    if len(cards) == 2 and cards[0][0] == cards[1][0] and cards[0][0] in "A8":
        return game is EURO
    if len(cards) == 2 and count(cards) == 21:
        return False
    return count(cards) <= 21 and not (len(cards) == 8 and game is not EURO)


def _refused(game: Game, raw: Any) -> bool:
    try:
        game.read(raw)
    except Refused as refused:
        return refused.ground == game.options["misdeal"]
    return False


@every_book
@quickly
@given(seed=SEEDS, texts=st.tuples(*[st.text("HSDFP[]", max_size=14)] * ROUNDS))
def test_any_text_is_a_play_that_fits_or_is_refused_with_a_sentence(
    game: Game, seed: int, texts: Sequence[str]
) -> None:
    bets = (("ante", "box1"), ("split", "box2"), ("double", "box3"))
    for text, (_, outcome) in zip(texts, rounds(game, seed), strict=True):
        for bet, selection in bets:
            try:
                wager = game.wager(bet, selection, text)
                [verdict] = game.resolve(outcome, [wager])
            except Refused as refused:
                assert refused.code in ("invalid_play", "invalid_outcome")
                assert refused.message.endswith((".", "hand."))
            else:
                assert verdict.why


LINES = ("", "S", "H", "HS", "HH", "HHS", "D")
SHORT_PLAYS = ["F", *filter(None, LINES), *(f"P[{a}][{b}]" for a, b in product(LINES, LINES))]


@every_book
@quickly
@given(seed=SEEDS)
def test_the_plays_listed_for_a_box_are_those_that_fit(game: Game, seed: int) -> None:
    """Every short play is tried on every box: what is not listed is refused, or said otherwise.

    A play may end without S where its hand could go on: nobody decided in time.
    """
    for (_, outcome), selection in product(rounds(game, seed), game.bets["ante"].selections):
        listed = {wager.play for wager in game.fitting(outcome, "ante", selection)}
        returned = {}
        for play in SHORT_PLAYS:
            try:
                [verdict] = game.resolve(outcome, [game.wager("ante", selection, play)])
                returned[play] = verdict.returns
            except Refused:
                assert play not in listed
        assert listed.intersection(SHORT_PLAYS) <= set(returned)
        said_otherwise = {
            game.resolve(outcome, [Wager("ante", selection, play)])[0].returns for play in listed
        }
        assert {value for play, value in returned.items() if play not in listed} <= said_otherwise


@every_book
def test_whoever_decides_is_asked_only_for_what_is_allowed(game: Game) -> None:
    asked = []

    def choose(cards: tuple[str, ...], up: str, allowed: tuple[str, ...]) -> str:
        asked.append(allowed)
        if len(cards) == 2 and "P" not in allowed:
            assert set(allowed) <= set(plays_allowed(game, cards, up)) | {"S", "H", "D"}
        return "F" if "F" in allowed else "S"

    for seed in range(50):
        shoe = shuffled(DECK * 8, Random(seed))
        raw = play_round(game.setup, shoe, [1, 3], choose)
        assert list(raw["boxes"]) == ["1", "3"]
        assert all(len(box["cards"]) == 2 for box in raw["boxes"].values())
        assert game.read(raw)
    assert asked


def test_a_card_is_burned_before_every_hand_of_001() -> None:
    """001 L720; nothing of it is printed in 000 and 004."""
    for game, first in ((CLUB_B, 1), (EURO, 0)):
        cards = Random(7).sample(DECK, 52)
        raw = game.deal(iter(cards), lambda faces: faces)
        assert (
            raw["boxes"]["1"].get("cards", raw["boxes"]["1"].get("hands", [""])[0])[0]
            == cards[first]
        )


@every_book
def test_deals_reach_what_there_is(game: Game) -> None:
    """Splits, doubles, busts, blackjacks of both sides, and in the clubs folds and eight cards."""
    results = ("wins", "ties", "loses", "bust")
    missing = {f"ante {fact}" for fact in (*results, "blackjack")}
    missing |= {f"split {fact}" for fact in results} | {f"double {fact}" for fact in results[:3]}
    if game is EURO:
        missing |= {"double bust"}
    else:
        missing |= {"ante folded", "ante safe_blackjack", "ante eight_cards"}
    for seed in range(5000):
        outcome = game.read(dealt(game, Random(seed)))
        for wager in fitting(game, outcome):
            if wager.bet in PLAYED:
                missing -= {f"{wager.bet} {fact}" for fact in _own_facts(game, outcome, wager)}
        if not missing:
            return
    assert not missing


def _own_facts(game: Game, outcome: Outcome, wager: Wager) -> frozenset[str]:
    return game.rules.facts_for(game.setup, outcome, wager) - outcome.facts
