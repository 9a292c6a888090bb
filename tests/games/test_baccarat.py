"""The baccarat family, clause by clause."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from games.refusals import Refused
from games.rulebook import Notice, Outcome, Verdict, Void, Wager, book

PLAYER_9_BANKER_6 = {"player": ["KS", "9H"], "banker": ["7D", "9C"]}
PLAYER_4_BANKER_7 = {"player": ["2S", "2H", "TD"], "banker": ["3D", "4C"]}
BANKER_WINS_ON_6 = {"player": ["2S", "KH", "2D"], "banker": ["3D", "3C"]}
BANKER_WINS_ON_6_IN_THREE = {"player": ["TS", "2H", "2D"], "banker": ["AD", "3C", "2S"]}
TIE_ON_6 = {"player": ["KS", "6H"], "banker": ["TD", "6C"]}
NATURAL_TIE_ON_8 = {"player": ["KS", "8H"], "banker": ["TD", "8C"]}


def verdict(
    book_code: str, game: str, raw: dict[str, Any], bet: str, selection: str = ""
) -> Verdict:
    rules = book(book_code).game(game)
    [answer] = rules.resolve(rules.read(raw), [rules.wager(bet, selection)])
    return answer


def returns(
    book_code: str, game: str, raw: dict[str, Any], bet: str, selection: str = ""
) -> Fraction:
    return verdict(book_code, game, raw, bet, selection).returns


def read(raw: Any, game: str = "no_commission_baccarat") -> Outcome:
    return book("club-a").game(game).read(raw)


def fault(raw: Any, game: str = "no_commission_baccarat") -> Refused:
    with pytest.raises(Refused) as refused:
        read(raw, game)
    assert refused.value.code == "invalid_outcome"
    return refused.value


class TestOutcomes:
    def test_a_hand_is_told_in_one_sentence(self) -> None:
        outcome = read(PLAYER_9_BANKER_6)
        assert outcome.headline == "Player 9 beats Banker 6"
        assert outcome.winner == "player"
        assert read(TIE_ON_6).headline == "Tie on 6"
        assert read(PLAYER_4_BANKER_7).headline == "Banker 7 beats Player 4"

    def test_cards_stand_in_the_order_in_which_they_left_the_shoe(self) -> None:
        assert read(BANKER_WINS_ON_6_IN_THREE).cards == ("TS", "AD", "2H", "3C", "2D", "2S")

    def test_a_deal_is_the_same_hand_as_its_two_sides(self) -> None:
        """004 3.4.3: the first and third cards are the Player's."""
        assert read({"deal": ["TS", "AD", "2H", "3C", "2D", "2S"]}) == read(
            BANKER_WINS_ON_6_IN_THREE
        )

    def test_a_needless_card_stands_aside_and_is_noticed(self) -> None:
        """BAC clause 3: the result stands by the card rules."""
        outcome = read({"deal": ["KS", "7D", "9H", "9C", "2S"]})
        assert outcome.headline == "Player 9 beats Banker 6"
        assert "unnecessary_cards" in outcome.facts
        assert outcome.notices == (
            Notice("unnecessary_card", "2S was drawn but not due; the result stands."),
        )
        assert outcome.cards == ("KS", "7D", "9H", "9C", "2S")
        assert read(outcome.canonical) == outcome

    def test_the_bankers_third_card_is_not_taken_for_the_players(self) -> None:
        outcome = read({"deal": ["KS", "2D", "6H", "3C", "AS", "9S"]})
        assert outcome.canonical["banker"] == ["2D", "3C", "AS"]
        assert outcome.canonical["unnecessary"] == ["9S"]

    @pytest.mark.parametrize(
        ("raw", "message"),
        [
            (
                {"player": ["KS", "6H", "2D"], "banker": ["7D", "KC"]},
                "Player drew a third card on 6.",
            ),
            (
                {"player": ["KS", "3H"], "banker": ["7D", "KC"]},
                "Player did not draw a third card on 3.",
            ),
            (
                {"player": ["KS", "3H", "8D"], "banker": ["3D", "KC", "2S"]},
                "Banker drew a third card on 3 against a third card that counts 8.",
            ),
            (
                {"player": ["KS", "7H"], "banker": ["5D", "KC"]},
                "Banker did not draw a third card on 5.",
            ),
            (
                {"player": ["KS", "9H"], "banker": ["5D", "KC", "2S"]},
                "Banker drew a third card on 5 although the hand ended on a natural.",
            ),
            ({"deal": ["KS", "7D", "3H", "KC"]}, "Player did not draw a third card on 3."),
        ],
    )
    def test_a_wrong_third_card_names_the_fault_and_the_ground(
        self, raw: Any, message: str
    ) -> None:
        refused = fault(raw)
        assert (refused.message, refused.ground) == (message, "wrong_card")

    @pytest.mark.parametrize(
        "raw",
        [
            None,
            [],
            "KS",
            {},
            {"player": ["KS", "9H"]},
            {"player": ["KS", "9H"], "banker": "7D"},
            {"player": ["KS", "9H"], "banker": ["7D"]},
            {"player": ["KS", "9H"], "banker": ["7D", "9C", "2S", "2S"]},
            {"player": ["KS", "1H"], "banker": ["7D", "9C"]},
            {"player": ["ks", "9H"], "banker": ["7D", "9C"]},
            {"player": ["KS", 9], "banker": ["7D", "9C"]},
            {"player": ["KS", ["9H"]], "banker": ["7D", "9C"]},
            {"player": ["KS", "9H"], "banker": ["7D", "9C"], "dealer": []},
            {"player": ["KS", "9H"], "banker": ["7D", "9C"], "deal": ["KS", "7D", "9H", "9C"]},
            {"player": ["KS", "9H"], "banker": ["7D", "9C"], "die": 3},
            {"deal": ["KS", "7D", "9H"]},
            {"deal": ["KS", "7D", "9H", "9C", "2S", "2S", "2S", "2S", "2S"]},
        ],
    )
    def test_what_no_table_can_show_is_refused_without_a_ground(self, raw: Any) -> None:
        assert fault(raw).ground is None

    @pytest.mark.parametrize("die", [0, 13, -1, 1.0, "8", True, None])
    def test_a_die_shows_1_to_12(self, die: Any) -> None:
        assert fault(PLAYER_9_BANKER_6 | {"die": die}, "super_98").field == "die"

    def test_super_98_needs_its_die(self) -> None:
        assert fault(PLAYER_9_BANKER_6, "super_98").message == "die is missing."

    def test_a_ninth_card_of_eight_decks_is_refused(self) -> None:
        """Six cards of a hand are too few for it, so the shoe is one deck here."""
        game = book("club-a").game("no_commission_baccarat")
        small = replace(game, setup=replace(game.setup, decks=1))
        with pytest.raises(Refused, match="KS was dealt 2 times; 1 deck has 1 of it") as refused:
            small.read({"player": ["KS", "9H"], "banker": ["KS", "9C"]})
        assert refused.value.ground is None


class TestMains:
    def test_banker_pays_half_on_6(self) -> None:
        half = verdict("club-a", "no_commission_baccarat", BANKER_WINS_ON_6, "banker")
        assert (half.result, half.odds, half.returns) == ("win", "0.5:1", Fraction(3, 2))
        assert half.why == "Banker wins on 6"

    def test_banker_pays_five_per_cent_commission(self) -> None:
        won = verdict("asia", "baccarat", PLAYER_4_BANKER_7, "banker")
        assert (won.odds, won.returns, won.why) == (
            "0.95:1",
            Fraction(39, 20),
            "Banker 7 beats Player 4",
        )

    @pytest.mark.parametrize(
        ("book_code", "game"),
        [
            ("club-a", "no_commission_baccarat"),
            ("club-a", "fabulous_4"),
            ("club-a", "lucky_baccarat"),
            ("asia", "baccarat"),
            ("euro", "baccarat"),
        ],
    )
    def test_a_tie_returns_player_and_banker(self, book_code: str, game: str) -> None:
        """R-6, C-53."""
        for bet in ("player", "banker"):
            tied = verdict(book_code, game, TIE_ON_6, bet)
            assert (tied.result, tied.returns, tied.odds) == ("push", 1, "")
            assert tied.why == "Tie on 6: stake returned"

    def test_fabulous_mains_follow_the_winning_total(self) -> None:
        """000 L164-176."""
        banker_on_4 = {"player": ["AS", "2H", "TD"], "banker": ["3D", "AC"]}
        banker_on_1 = {"player": ["KS", "QH", "TD"], "banker": ["QD", "KC", "AS"]}
        player_on_4 = {"player": ["AS", "2H", "AD"], "banker": ["2D", "KC", "TS"]}
        player_on_1 = {"player": ["KS", "TH", "AD"], "banker": ["2D", "KC", "8S"]}
        results = [
            returns("club-a", "fabulous_4", raw, bet)
            for raw, bet in [
                (banker_on_4, "banker"),
                (banker_on_1, "banker"),
                (PLAYER_4_BANKER_7, "banker"),
                (player_on_4, "player"),
                (player_on_1, "player"),
                (PLAYER_9_BANKER_6, "player"),
            ]
        ]
        assert results == [1, 3, 2, Fraction(3, 2), 3, 2]
        assert returns("club-a", "fabulous_4", banker_on_4, "banker_fabulous_4") == 21
        assert returns("club-a", "fabulous_4", player_on_4, "player_fabulous_4") == 41


class TestSideBets:
    @pytest.mark.parametrize(
        ("book_code", "game", "small", "big"),
        [
            ("club-a", "no_commission_baccarat", "1.5:1", "0.5:1"),
            ("club-b", "super_98", "1.45:1", "0.53:1"),
            ("asia", "baccarat", "1.5:1", "0.54:1"),
        ],
    )
    def test_small_and_big_pay_what_their_document_prints(
        self, book_code: str, game: str, small: str, big: str
    ) -> None:
        """C-4: per document."""
        die = {"die": 1} if game == "super_98" else {}
        four, five = PLAYER_9_BANKER_6 | die, PLAYER_4_BANKER_7 | die
        assert verdict(book_code, game, four, "small").odds == small
        assert verdict(book_code, game, five, "big").odds == big
        assert verdict(book_code, game, five, "small").result == "lose"
        assert verdict(book_code, game, four, "big").result == "lose"

    def test_a_pair_is_two_of_one_rank(self) -> None:
        """C-9: not of one value, and the third card does not count."""
        zeros = {"player": ["KS", "QH", "2D"], "banker": ["7D", "KC"]}
        late = {"player": ["2S", "KH", "2D"], "banker": ["7D", "KC"]}
        pair = {"player": ["2S", "2H", "2D"], "banker": ["7D", "KC"]}
        odds = [verdict("asia", "baccarat", raw, "player_pair").odds for raw in (zeros, late, pair)]
        assert odds == ["", "", "11:1"]

    def test_a_natural_that_does_not_win_loses(self) -> None:
        """C-1: Player's natural 8 too. C-3: only two cards are a natural."""
        beaten = {"player": ["KS", "8H"], "banker": ["TD", "9C"]}
        in_three = {"player": ["2S", "2H", "4D"], "banker": ["AD", "KC", "TH"]}
        game = "no_commission_baccarat"
        assert returns("club-a", game, beaten, "player_natural_8") == 0
        assert returns("club-a", game, beaten, "banker_natural_9") == 9
        assert returns("club-a", game, NATURAL_TIE_ON_8, "player_natural_8") == 0
        assert returns("club-a", game, in_three, "player_natural_8") == 0

    def test_super_6_pays_by_the_cards_of_the_banker(self) -> None:
        game = "no_commission_baccarat"
        assert returns("club-a", game, BANKER_WINS_ON_6, "super_6") == 13
        assert returns("club-a", game, BANKER_WINS_ON_6_IN_THREE, "super_6") == 19
        assert returns("club-a", game, TIE_ON_6, "super_6") == 0
        lost = verdict("club-a", game, TIE_ON_6, "super_6")
        assert (lost.result, lost.odds, lost.why) == ("lose", "", "Banker did not win on 6")

    @pytest.mark.parametrize(
        ("cards", "expected"),
        [(["2S", "4S"], 2), (["2S", "2H"], 5), (["2S", "2S"], 8), (["2S", "4H"], 0)],
    )
    def test_a_fabulous_pair_pays_its_best_tier_only(self, cards: list[str], expected: int) -> None:
        raw = {"player": cards, "banker": ["9D", "KC"]}
        assert returns("club-a", "fabulous_4", raw, "player_fabulous_pair") == expected

    @pytest.mark.parametrize(
        ("cards", "expected"),
        [
            (["4D", "4D"], 31),
            (["4D", "4S"], 16),
            (["4S", "4S"], 16),
            (["9D", "9D"], 13),
            (["9S", "9D"], 10),
            (["9S", "TD"], 0),
        ],
    )
    def test_a_lucky_pair_pays_its_best_tier_only(self, cards: list[str], expected: int) -> None:
        """B-4."""
        raw = {"player": cards, "banker": ["KD", "9C"]}
        assert returns("club-a", "lucky_baccarat", raw, "player_lucky_pair") == expected

    def test_red_and_black_ask_for_both_cards(self) -> None:
        red = {"player": ["9H", "KD"], "banker": ["KC", "8H"]}
        assert returns("club-a", "lucky_baccarat", red, "player_red") == 3
        assert returns("club-a", "lucky_baccarat", red, "player_black") == 0
        assert returns("club-a", "lucky_baccarat", red, "banker_red") == 0
        assert returns("club-a", "lucky_baccarat", red, "banker_black") == 0

    def test_wins_on_and_tie_on_are_groups_of_totals(self) -> None:
        """R-4."""
        game = book("club-a").game("lucky_baccarat")
        assert game.bets["player_wins_on"].selections == ("1-3", "4-6", "7-9")
        assert game.bets["tie_on"].selections == ("0-3", "4-6", "7-9")
        paid = [
            returns("club-a", "lucky_baccarat", PLAYER_9_BANKER_6, "player_wins_on", "7-9"),
            returns("club-a", "lucky_baccarat", PLAYER_9_BANKER_6, "player_wins_on", "4-6"),
            returns("club-a", "lucky_baccarat", PLAYER_4_BANKER_7, "banker_wins_on", "7-9"),
            returns("club-a", "lucky_baccarat", BANKER_WINS_ON_6, "banker_wins_on", "4-6"),
            returns("club-a", "lucky_baccarat", TIE_ON_6, "tie_on", "4-6"),
            returns("club-a", "lucky_baccarat", TIE_ON_6, "player_wins_on", "4-6"),
        ]
        assert paid == [3, 0, 3, 7, 25, 0]

    def test_lucky_6_asks_for_the_winners_or_the_tied_total(self) -> None:
        """C-12: a losing 6 is none."""
        paid = [
            returns("club-a", "lucky_baccarat", raw, "lucky_6")
            for raw in (BANKER_WINS_ON_6, TIE_ON_6, PLAYER_9_BANKER_6)
        ]
        assert paid == [7, 7, 0]


class TestSuper98:
    @pytest.mark.parametrize("die", [8, 9])
    def test_a_super_hand_improves_the_listed_results(self, die: int) -> None:
        def odds(raw: dict[str, Any], bet: str) -> str:
            return verdict("club-b", "super_98", raw | {"die": die}, bet).odds

        banker_9 = {"player": ["KS", "8H"], "banker": ["TD", "9C"]}
        assert odds(PLAYER_9_BANKER_6, "player") == "1.05:1"
        assert odds(banker_9, "banker") == "1.05:1"
        assert odds(NATURAL_TIE_ON_8, "tie") == "9:1"
        assert odds(PLAYER_9_BANKER_6, "player_natural_9") == "9:1"
        assert odds(banker_9, "banker_natural_9") == "9:1"
        assert odds({"player": ["2S", "2H", "2D"], "banker": ["7D", "KC"]}, "player_pair") == "12:1"

    def test_any_other_result_pays_its_normal_odds(self) -> None:
        """C-7: Banker on 6, the printed example. C-8: a tie in more cards."""

        def odds(raw: dict[str, Any], bet: str) -> str:
            return verdict("club-b", "super_98", raw | {"die": 8}, bet).odds

        tie_in_five = {"player": ["2S", "2H", "4D"], "banker": ["AD", "4C", "3S"]}
        assert odds(BANKER_WINS_ON_6, "banker") == "0.5:1"
        assert odds(PLAYER_4_BANKER_7, "banker") == "1:1"
        assert odds(TIE_ON_6, "tie") == "8:1"
        assert odds(tie_in_five, "tie") == "8:1"
        assert odds(PLAYER_9_BANKER_6, "small") == "1.45:1"

    @pytest.mark.parametrize("die", [1, 7, 10, 12])
    def test_other_faces_change_nothing(self, die: int) -> None:
        raw = PLAYER_9_BANKER_6 | {"die": die}
        assert verdict("club-b", "super_98", raw, "player").odds == "1:1"
        assert verdict("club-b", "super_98", raw, "player_natural_9").odds == "8:1"


class TestSevenUp:
    def test_the_deal_runs_banker_player_banker_and_thirds(self) -> None:
        """000 L295-298, 001 L116-119; the fixed 7 is not from the shoe (C-49)."""
        outcome = read({"deal": ["6S", "4D", "KD", "8D"]}, "seven_up")
        assert outcome.canonical == {"player": ["7S", "4D", "8D"], "banker": ["6S", "KD"]}
        assert outcome.cards == ("6S", "4D", "KD", "8D")
        assert outcome.headline == "Player 9 beats Banker 6"

    def test_the_players_first_card_is_a_7_of_any_suit(self) -> None:
        assert read({"player": ["7H", "KD"], "banker": ["9S", "KS"]}, "seven_up").winner == "banker"
        refused = fault({"player": ["8H", "KD"], "banker": ["9S", "KS"]}, "seven_up")
        assert refused.message == "The Player's first card is always a 7, not 8H."

    @pytest.mark.parametrize(
        ("raw", "expected"),
        [
            ({"player": ["7S", "KH"], "banker": ["9D", "KC"]}, 0),
            ({"player": ["7S", "KH"], "banker": ["7D", "KC"]}, Fraction(5, 2)),
            ({"player": ["7S", "7H", "KD"], "banker": ["7D", "KC"]}, 7),
            ({"player": ["7S", "7H", "7D"], "banker": ["7D", "KC"]}, 16),
            ({"player": ["7S", "7H", "7D"], "banker": ["7D", "7C", "2S"]}, 78),
            ({"player": ["7S", "7H", "7D"], "banker": ["7D", "7C", "7S"]}, 778),
        ],
    )
    def test_super_7s_count_both_hands_and_the_fixed_7(self, raw: Any, expected: Fraction) -> None:
        """C-49."""
        assert returns("club-b", "seven_up", raw, "super_7s") == expected

    def test_mains_pay_by_the_total_7(self) -> None:
        player_on_7 = {"player": ["7S", "KH"], "banker": ["6D", "KC"]}
        banker_on_7 = {"player": ["7S", "8H", "KD"], "banker": ["7D", "KC"]}
        tie_on_7 = {"player": ["7S", "KH"], "banker": ["7D", "KC"]}
        tie_on_9 = {"player": ["7S", "2H"], "banker": ["9D", "KC"]}
        paid = [
            returns("club-b", "seven_up", raw, bet)
            for raw, bet in [
                (player_on_7, "player"),
                (banker_on_7, "banker"),
                (tie_on_7, "tie"),
                (tie_on_9, "tie"),
                (tie_on_9, "player"),
            ]
        ]
        assert paid == [Fraction(3, 2), Fraction(5, 2), 10, 8, 1]

    def test_the_fixed_7_is_not_counted_against_the_shoe(self) -> None:
        sevens = {"player": ["7S", "7S", "7S"], "banker": ["7S", "7S", "7S"]}
        assert read(sevens, "seven_up").cards == ("7S",) * 5


class TestVoid:
    def test_a_void_hand_returns_every_stake_exactly(self) -> None:
        game = book("club-b").game("super_98")
        wagers = [game.wager(bet) for bet in game.bets]
        outcome = game.read(PLAYER_9_BANKER_6 | {"die": 9})
        for answer in game.resolve(outcome, wagers, void=Void("exposed_card")):
            assert (answer.result, answer.returns, answer.odds) == ("void", 1, "")
            assert answer.why == "Hand void (exposed card): stake returned"

    def test_a_hand_without_an_outcome_can_be_void(self) -> None:
        game = book("euro").game("baccarat")
        [answer] = game.resolve(None, [Wager("tie")], void=Void("system_error"))
        assert answer.result == "void"

    def test_the_cards_of_a_void_hand_are_taken_down_as_they_lie(self) -> None:
        game = book("club-a").game("no_commission_baccarat")
        raw = {"player": ["KS", "6H", "2D"], "banker": ["7D"]}
        outcome = game.read(raw, unfinished=True)
        assert outcome.canonical == raw
        assert outcome.cards == ("KS", "6H", "2D", "7D")
        assert outcome.facts == frozenset()
        with pytest.raises(Refused):
            game.read({"player": ["1S"], "banker": []}, unfinished=True)

    @pytest.mark.parametrize("ground", ["bad_spin", "nonsense", "misread_result", "disconnection"])
    def test_a_ground_on_which_the_book_voids_nothing_is_refused(self, ground: str) -> None:
        game = book("club-a").game("no_commission_baccarat")
        with pytest.raises(Refused) as refused:
            game.resolve(None, [Wager("tie")], void=Void(ground))
        assert refused.value.code == "not_permitted"
