"""Dragon Tiger and Football Studio, clause by clause, over every pair of cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from games.cards import DECK
from games.refusals import Refused
from games.rulebook import Game, Notice, Result, Stake, Verdict, Wager, book
from games.theory import edges

HALF, PUSH = Fraction(1, 2), Fraction(1)

GAMES = [
    ("club-a", "dragon_tiger"),
    ("club-b", "dragon_tiger"),
    ("asia", "dragon_tiger"),
    ("euro", "dragon_tiger"),
    ("euro", "football_studio"),
]
in_every_game = pytest.mark.parametrize(("book_code", "game_code"), GAMES)

K_TO_A = ["K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2", "A"]
"""000 L354, 001 L198, highest first."""

A_TO_2 = ["A", *K_TO_A[:-1]]
"""R-10: Football Studio's ace is high."""


def beats(order: list[str], one: str, other: str) -> bool:
    return order.index(one[0]) < order.index(other[0])


def main(order: list[str], own: str, opposite: str) -> Fraction:
    """1:1, half the stake lost on equal ranks (000 L358, 001 L216, C-32, R-10)."""
    if own[0] == opposite[0]:
        return HALF
    return Fraction(2 if beats(order, own, opposite) else 0)


def equal(one: str, other: str, odds: int) -> Fraction:
    return Fraction(odds + 1 if one[0] == other[0] else 0)


def of_ranks(card: str, ranks: str, odds: str) -> Fraction:
    return 1 + Fraction(odds) if card[0] in ranks else Fraction(0)


def of_suits(card: str, suits: str, odds: str) -> Fraction:
    return 1 + Fraction(odds) if card[1] in suits else Fraction(0)


def club(dragon: str, tiger: str) -> dict[str, Fraction]:
    """000 L350-367 and 001 L194-222: a 7 is neither odd nor even."""
    return {
        "dragon": main(K_TO_A, dragon, tiger),
        "tiger": main(K_TO_A, tiger, dragon),
        "tie": equal(dragon, tiger, 8),
        "dragon_odd": of_ranks(dragon, "A359JK", "1"),
        "dragon_even": of_ranks(dragon, "2468TQ", "1"),
        "tiger_odd": of_ranks(tiger, "A359JK", "1"),
        "tiger_even": of_ranks(tiger, "2468TQ", "1"),
    }


def asia(dragon: str, tiger: str) -> dict[str, Fraction]:
    """003 L96-108: 7 is odd."""
    return {
        "dragon": main(K_TO_A, dragon, tiger),
        "tiger": main(K_TO_A, tiger, dragon),
        "tie": equal(dragon, tiger, 8),
        "dragon_odd": of_ranks(dragon, "A3579JK", "0.75"),
        "tiger_odd": of_ranks(tiger, "A3579JK", "0.75"),
        "dragon_even": of_ranks(dragon, "2468TQ", "1.05"),
        "tiger_even": of_ranks(tiger, "2468TQ", "1.05"),
        "dragon_red": of_suits(dragon, "HD", "0.9"),
        "tiger_red": of_suits(tiger, "HD", "0.9"),
        "dragon_black": of_suits(dragon, "SC", "0.9"),
        "tiger_black": of_suits(tiger, "SC", "0.9"),
    }


def euro(dragon: str, tiger: str) -> dict[str, Fraction]:
    """R-10."""
    return {
        "dragon": main(K_TO_A, dragon, tiger),
        "tiger": main(K_TO_A, tiger, dragon),
        "tie": equal(dragon, tiger, 11),
        "suited_tie": Fraction(51 if dragon == tiger else 0),
    }


def football(home: str, away: str) -> dict[str, Fraction]:
    """R-10."""
    return {
        "home": main(A_TO_2, home, away),
        "away": main(A_TO_2, away, home),
        "draw": equal(home, away, 11),
    }


CLAUSES = dict(zip(GAMES, (club, club, asia, euro, football), strict=True))


def rules(book_code: str, game_code: str) -> Game:
    return book(book_code).game(game_code)


def hand(game: Game, first: str, second: str) -> dict[str, Any]:
    return dict(zip(game.options["sides"], (first, second), strict=True))


def verdict(book_code: str, game_code: str, first: str, second: str, bet: str) -> Verdict:
    game = rules(book_code, game_code)
    [answer] = game.resolve(game.read(hand(game, first, second)), [game.wager(bet)])
    return answer


def fault(raw: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        rules("club-a", "dragon_tiger").read(raw)
    assert refused.value.code == "invalid_outcome"
    return refused.value


@cache
def settled(book_code: str, game_code: str) -> dict[tuple[str, str], dict[str, Verdict]]:
    """What every bet of a game gets for every pair of cards."""
    game = rules(book_code, game_code)
    wagers = [game.wager(bet) for bet in game.bets]
    return {
        pair: dict(zip(game.bets, game.resolve(game.read(hand(game, *pair)), wagers), strict=True))
        for pair in product(DECK, DECK)
    }


class TestEveryPairOfCards:
    @in_every_game
    def test_pays_what_the_clause_says(self, book_code: str, game_code: str) -> None:
        clause = CLAUSES[book_code, game_code]
        for pair, verdicts in settled(book_code, game_code).items():
            paid = {bet: answer.returns for bet, answer in verdicts.items()}
            assert paid == clause(*pair), pair

    @in_every_game
    def test_bets_stand_in_the_printed_order(self, book_code: str, game_code: str) -> None:
        game = rules(book_code, game_code)
        assert list(game.bets) == list(CLAUSES[book_code, game_code]("KS", "AH"))

    @in_every_game
    def test_every_bet_wins_and_loses_and_the_mains_lose_half(
        self, book_code: str, game_code: str
    ) -> None:
        game = rules(book_code, game_code)
        for bet in game.bets:
            results = {verdicts[bet].result for verdicts in settled(book_code, game_code).values()}
            half = {Result.HALF_LOSE} if bet in game.options["sides"] else set()
            assert results == {Result.WIN, Result.LOSE} | half

    @in_every_game
    def test_keeps_for_the_house_what_counting_the_shoe_gives(
        self, book_code: str, game_code: str
    ) -> None:
        """Card by card from 416: the second is one of 415, seven of them like the first."""
        clause = CLAUSES[book_code, game_code]
        returned: dict[str, Fraction] = defaultdict(Fraction)
        for one, other in product(DECK, DECK):
            ways = 8 * (7 if one == other else 8)
            for bet, returns in clause(one, other).items():
                returned[bet] += returns * ways
        expected = {bet: 1 - total / (416 * 415) for bet, total in returned.items()}
        found = {edge.wager.bet: edge.house_edge for edge in edges(rules(book_code, game_code))}
        assert found == expected


@pytest.mark.parametrize(
    ("book_code", "game_code", "bet", "percent"),
    [
        ("club-a", "dragon_tiger", "dragon", "3.7349"),
        ("club-a", "dragon_tiger", "tie", "32.7711"),
        ("club-b", "dragon_tiger", "tiger_odd", "7.6923"),
        ("asia", "dragon_tiger", "tiger", "3.7349"),
        ("asia", "dragon_tiger", "dragon_odd", "5.7692"),
        ("asia", "dragon_tiger", "tiger_even", "5.3846"),
        ("asia", "dragon_tiger", "dragon_red", "5.0000"),
        ("euro", "dragon_tiger", "tie", "10.3614"),
        ("euro", "dragon_tiger", "suited_tie", "13.9759"),
        ("euro", "football_studio", "away", "3.7349"),
        ("euro", "football_studio", "draw", "10.3614"),
    ],
)
def test_known_edges(book_code: str, game_code: str, bet: str, percent: str) -> None:
    [edge] = [row for row in edges(rules(book_code, game_code)) if row.wager.bet == bet]
    assert edge.house_edge is not None
    assert f"{float(edge.house_edge * 100):.4f}" == percent


def test_a_tie_comes_in_31_of_415_hands() -> None:
    [edge] = [row for row in edges(rules("euro", "dragon_tiger")) if row.wager.bet == "tie"]
    assert edge.probabilities[Result.WIN] == Fraction(31, 415)


class TestWhatIsSaid:
    def test_a_hand_is_told_in_one_sentence(self) -> None:
        game = rules("club-b", "dragon_tiger")
        told = [
            (outcome.headline, outcome.winner)
            for outcome in (
                game.read({"dragon": dragon, "tiger": tiger})
                for dragon, tiger in [("TS", "9H"), ("AS", "2H"), ("7S", "7S")]
            )
        ]
        assert told == [
            ("Dragon 10 beats Tiger 9", "dragon"),
            ("Tiger 2 beats Dragon A", "tiger"),
            ("Tie on 7", "tie"),
        ]

    def test_football_studio_has_its_own_words(self) -> None:
        game = rules("euro", "football_studio")
        assert game.read({"home": "AS", "away": "KH"}).headline == "Home A beats Away K"
        draw = game.read({"home": "AS", "away": "AS"})
        assert (draw.headline, draw.winner) == ("Draw on A", "draw")
        assert "suited_draw" in draw.facts

    def test_reasons_name_the_card(self) -> None:
        why = [
            verdict("club-a", "dragon_tiger", *pair, bet).why
            for pair, bet in [
                (("7S", "KH"), "dragon_odd"),
                (("7S", "KH"), "dragon_even"),
                (("8S", "KH"), "dragon_odd"),
                (("8S", "KH"), "dragon_even"),
                (("8S", "8H"), "tiger"),
                (("8S", "KH"), "tie"),
            ]
        ]
        assert why == [
            "Dragon's card is a 7",
            "Dragon's card is a 7",
            "Dragon's card is even",
            "Dragon's card is even",
            "Tie on 8: half the stake lost",
            "Tiger K beats Dragon 8",
        ]

    def test_a_needless_card_stands_aside_and_is_noticed(self) -> None:
        """BAC clause 3: the result stands by the card rules, and the shoe has lost the card."""
        game = rules("club-a", "dragon_tiger")
        outcome = game.read({"dragon": "KS", "tiger": "7H", "unnecessary": ["2S"]})
        assert outcome.headline == "Dragon K beats Tiger 7"
        assert outcome.notices == (
            Notice("unnecessary_card", "2S was drawn but not due; the result stands."),
        )
        assert outcome.cards == ("KS", "7H", "2S")
        assert "unnecessary_cards" in outcome.facts
        assert game.read(outcome.canonical) == outcome


class TestWhatCannotBe:
    @pytest.mark.parametrize(
        "raw",
        [
            None,
            [],
            {},
            {"dragon": "KS"},
            {"dragon": "KS", "tiger": None},
            {"dragon": "KS", "tiger": ["7H"]},
            {"dragon": "KS", "tiger": "1H"},
            {"dragon": "KS", "tiger": "10H"},
            {"dragon": "KS", "tiger": "7h"},
            {"dragon": "KS", "tiger": "7H", "die": 3},
            {"dragon": "KS", "tiger": "7H", "home": "2S"},
            {"dragon": "KS", "tiger": "7H", "unnecessary": "2S"},
            {"dragon": "KS", "tiger": "7H", "unnecessary": ["2S", "2S", "2S"]},
            {"home": "KS", "away": "7H"},
        ],
    )
    def test_is_refused(self, raw: Any) -> None:
        assert fault(raw).ground is None

    def test_a_missing_card_is_named(self) -> None:
        refused = fault({"dragon": "KS"})
        assert (refused.message, refused.field) == ("Tiger's card is missing.", "tiger")

    def test_more_copies_of_a_card_than_decks_are_refused(self) -> None:
        """A hand is too short for a ninth copy of eight decks, so the shoe is one deck here."""
        game = rules("club-a", "dragon_tiger")
        small = replace(game, setup=replace(game.setup, decks=1))
        with pytest.raises(Refused, match="KS was dealt 2 times; 1 deck has 1 of it"):
            small.read({"dragon": "KS", "tiger": "KS"})

    def test_a_void_hand_is_taken_down_as_far_as_it_went(self) -> None:
        game = rules("club-b", "dragon_tiger")
        for raw in ({}, {"tiger": "KS"}, {"dragon": "KS", "unnecessary": ["2S"]}):
            outcome = game.read(raw, unfinished=True)
            assert outcome.canonical == raw
            assert outcome.facts == frozenset()
        assert outcome.cards == ("KS", "2S")
        with pytest.raises(Refused):
            game.read({"dragon": "1S"}, unfinished=True)


class TestTheSlip:
    def codes(
        self, book_code: str, game_code: str, *bets: str, hand: int = 1, held: tuple[str, ...] = ()
    ) -> list[str | None]:
        game = rules(book_code, game_code)
        slip = [Stake(game.wager(bet), 100) for bet in bets]
        answers = game.check_slip(slip, hand=hand, held=[Wager(bet) for bet in held])
        return [refused.code if refused else None for refused in answers]

    @pytest.mark.parametrize(("book_code", "last"), [("club-a", 40), ("club-b", 35)])
    @pytest.mark.parametrize("bet", ["dragon_odd", "dragon_even", "tiger_odd", "tiger_even"])
    def test_odd_and_even_end_with_their_window(self, book_code: str, last: int, bet: str) -> None:
        """000 L367, 001 L211, C-5."""
        assert self.codes(book_code, "dragon_tiger", bet, hand=last) == [None]
        assert self.codes(book_code, "dragon_tiger", bet, "tie", hand=last + 1) == [
            "not_offered",
            None,
        ]

    @in_every_game
    def test_no_other_bet_has_a_window(self, book_code: str, game_code: str) -> None:
        windows = {
            bet.code for bet in rules(book_code, game_code).bets.values() if bet.window is not None
        }
        odd_even = {f"{side}_{look}" for side in ("dragon", "tiger") for look in ("odd", "even")}
        assert windows == (odd_even if book_code.startswith("club") else set())

    @pytest.mark.parametrize(
        ("game_code", "one", "other", "level"),
        [("dragon_tiger", "dragon", "tiger", "tie"), ("football_studio", "home", "away", "draw")],
    )
    def test_euro_prohibits_both_sides_across_all_tickets(
        self, game_code: str, one: str, other: str, level: str
    ) -> None:
        """R-8, C-44, 004 L527-528."""
        prohibited = "prohibited_combination"
        assert self.codes("euro", game_code, one, other, level) == [prohibited, prohibited, None]
        assert self.codes("euro", game_code, other, held=(one,)) == [prohibited]
        assert self.codes("euro", game_code, one, held=(other,)) == [prohibited]
        assert self.codes("euro", game_code, one, level, held=(one, level)) == [None, None]

    @pytest.mark.parametrize("book_code", ["club-a", "club-b", "asia"])
    def test_other_books_take_both_sides(self, book_code: str) -> None:
        assert self.codes(book_code, "dragon_tiger", "dragon", "tiger") == [None, None]


class TestTheBooks:
    def test_what_the_documents_do_not_print_says_so(self) -> None:
        """R-2: the pay table of 000 is lost (B-6), 004 prints only restrictions (R-10)."""

        def printed(book_code: str, game_code: str) -> set[bool]:
            return {bet.in_document for bet in rules(book_code, game_code).bets.values()}

        assert printed("club-a", "dragon_tiger") == {False}
        assert printed("club-b", "dragon_tiger") == {True}
        assert printed("asia", "dragon_tiger") == {True}
        assert printed("euro", "dragon_tiger") == {False}
        assert printed("euro", "football_studio") == {False}

    @in_every_game
    def test_eight_decks_in_a_shoe(self, book_code: str, game_code: str) -> None:
        game = rules(book_code, game_code)
        assert (game.decks, game.has_shoe) == (8, True)

    def test_incidents_are_printed_where_the_document_prints_them(self) -> None:
        wrong_card = [rules(*which).grounds["wrong_card"].source for which in GAMES]
        assert wrong_card == [
            "000 L371-392, clause 4",
            "001 L224-245, clause 4",
            "not in the document",
            "not in the document",
            "not in the document",
        ]

    def test_a_deal_takes_the_next_two_cards(self) -> None:
        def shoe() -> Iterator[str]:
            yield from ("KS", "7H", "2D")

        cards = shoe()
        game = rules("euro", "football_studio")
        assert game.deal(cards, lambda faces: 1) == {"home": "KS", "away": "7H"}
        assert next(cards) == "2D"
