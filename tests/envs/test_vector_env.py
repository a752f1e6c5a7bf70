"""Many games at once: the same as many single environments, seeds, passes, illegal moves."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from numpy.typing import NDArray

from outflank import IllegalMoveError, Move, NotationError, OutflankError, Position
from outflank.envs import ID, OptionError, OthelloEnv, OthelloVectorEnv
from outflank.othello.boards import Boards
from outflank.players import Player

SHARED_FACTS = ("action_mask", "agent", "illegal", "score", "turn")


def any_legal(mask: NDArray[Any], random: np.random.Generator) -> NDArray[np.int64]:
    return np.asarray(np.argmax(random.random(mask.shape) * mask, axis=1))


def assert_same_facts(many: dict[str, Any], one_by_one: dict[str, Any]) -> None:
    """Compare infos, whose flags ("_score") say which boards they are about."""
    for name in SHARED_FACTS:
        assert np.array_equal(many[f"_{name}"], one_by_one[f"_{name}"])
        about = many[f"_{name}"]
        assert many[name][about].tolist() == one_by_one[name][about].tolist(), name
        assert not many[name][~about].any()
    about = one_by_one["_position"]
    turns = np.where(many["turn"] == "white", "white", "black")
    positions = map(Position, many["black"].tolist(), many["white"].tolist(), turns.tolist())
    texts = np.array([position.to_string() for position in positions])
    assert texts[about].tolist() == one_by_one["position"][about].tolist()


@pytest.mark.parametrize("agent", ["black", "white"])
def test_it_is_the_same_as_many_single_environments(agent: str, steady: Player) -> None:
    """Gymnasium's own way to run single environments side by side is the reference."""
    many = gymnasium.make_vec(ID, 16, "vector_entry_point", opponent=steady, agent=agent)
    one_by_one = gymnasium.make_vec(
        ID,
        16,
        "sync",
        vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
        opponent=steady,
        agent=agent,
    )
    assert isinstance(many, OthelloVectorEnv)
    assert isinstance(one_by_one, SyncVectorEnv)
    for space in ("action", "observation", "single_action", "single_observation"):
        assert getattr(many, f"{space}_space") == getattr(one_by_one, f"{space}_space")

    random = np.random.default_rng(1)
    (planes, info), (planes_1, info_1) = many.reset(seed=1), one_by_one.reset(seed=1)
    seen = {"agent passes": 0, "opponent passes": 0, "illegal": 0, "won": 0, "lost": 0}
    for _ in range(180):
        assert np.array_equal(planes, planes_1)
        assert_same_facts(info, info_1)
        actions = any_legal(info["action_mask"], random)
        wild = random.random(len(actions)) < 0.004
        actions[wild] = random.integers(65, size=np.count_nonzero(wild))
        planes, rewards, terminated, truncated, info = many.step(actions)
        planes_1, *results, info_1 = one_by_one.step(actions)
        for ours, theirs in zip((rewards, terminated, truncated), results, strict=True):
            assert ours.dtype == theirs.dtype
            assert np.array_equal(ours, theirs)
        assert ("final_info" in info) == ("final_info" in info_1) == terminated.any()
        if terminated.any():
            assert np.array_equal(info["_final_info"], info_1["_final_info"])
            assert np.array_equal(info["_final_obs"], info_1["_final_obs"])
            assert_same_facts(info["final_info"], info_1["final_info"])
            for ended, final, final_1 in zip(
                terminated, info["final_obs"], info_1["final_obs"], strict=True
            ):
                assert np.array_equal(final, final_1) if ended else final is final_1 is None
            seen["illegal"] += int(np.count_nonzero(info["final_info"]["illegal"]))
        seen["won"] += int(np.count_nonzero(rewards > 0))
        seen["lost"] += int(np.count_nonzero(rewards < 0))
        seen["agent passes"] += int(np.count_nonzero(actions == 64))
        games = [env.unwrapped.game for env in one_by_one.envs]  # type: ignore[attr-defined]
        seen["opponent passes"] += sum(game.last == 64 for game in games if len(game) > 1)
    assert min(seen.values()) > 5, seen


@pytest.mark.parametrize("agent", ["alternate", "random"])
def test_every_board_is_a_game_that_can_be_replayed(agent: Any, steady: Player) -> None:
    env = OthelloVectorEnv(12, steady, agent)
    random = np.random.default_rng(2)
    _, info = env.reset(seed=2)
    games = [OthelloEnv(steady, agent=color) for color in info["agent"]]
    for game in games:
        game.reset()
    ended = 0
    for _ in range(100):
        assert [game.game.position for game in games] == env.positions()
        actions = any_legal(env.action_masks(), random)
        _, rewards, terminated, _, info = env.step(actions)
        for board, action in enumerate(actions):
            _, reward, over, _, _ = games[board].step(action)
            assert (reward, over) == (rewards[board], terminated[board])
            if over:
                games[board] = OthelloEnv(steady, agent=info["agent"][board])
                games[board].reset()
                ended += 1
    assert ended > 24


def test_colours_alternate_on_each_board_and_are_even_over_all() -> None:
    env = OthelloVectorEnv(4, "random", "alternate", illegal="lose")
    colors = [env.reset()[1]["agent"]]
    for _ in range(2):
        colors.append(env.step(np.zeros(4, int))[-1]["agent"])  # a1 is illegal: a new game
    assert [row.tolist() for row in colors] == [
        ["black", "white", "black", "white"],
        ["white", "black", "white", "black"],
        ["black", "white", "black", "white"],
    ]
    assert env.reset(seed=1)[1]["agent"].tolist() == colors[0].tolist()


@pytest.mark.parametrize("opponent", ["random", "greedy", "random:seed=1"])
def test_a_seed_repeats_everything(opponent: str) -> None:
    def planes_of(env: OthelloVectorEnv, seed: int) -> list[bytes]:
        planes, info = env.reset(seed=seed)
        seen = [planes.tobytes()]
        for _ in range(70):
            planes, *_, info = env.step(info["action_mask"].argmax(axis=1))
            seen.append(planes.tobytes())
        return seen

    env = OthelloVectorEnv(8, opponent, "random")
    first = planes_of(env, 1)
    assert planes_of(env, 1) == first
    assert planes_of(OthelloVectorEnv(8, opponent, "random"), 1) == first
    assert planes_of(env, 2) != first


def test_passes_of_both_sides_on_known_positions(
    white_never_moves: Position, black_never_moves: Position, drawn: Position
) -> None:
    env = OthelloVectorEnv(3, "random", "black")
    _, info = env.reset(options={"position": [white_never_moves, black_never_moves, drawn]})
    assert env.action_masks()[1].nonzero()[0].tolist() == [64]
    c1, c3, c5 = (int(Move(name)) for name in ("c1", "c3", "c5"))
    _, rewards, over, _, info = env.step([c1, 64, c1])
    assert (rewards.tolist(), over.tolist()) == ([0.0, 0.0, 0.0], [False, False, True])
    assert info["final_info"]["score"].tolist() == [0, 0, 0]
    assert env.positions()[2] == Position.start()
    legal_on_board_2 = int(env.action_masks()[2].argmax())
    _, rewards, over, _, info = env.step([c3, 64, legal_on_board_2])
    assert (rewards.tolist(), over.tolist()) == ([0.0, -1.0, 0.0], [False, True, False])
    assert info["final_info"]["score"].tolist() == [0, -64, 0]
    legal = env.action_masks().argmax(axis=1)
    assert legal[0] == c5
    _, rewards, over, _, info = env.step(legal)
    assert (rewards[0], over[0], info["final_info"]["score"][0]) == (1.0, True, 64)


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = OthelloVectorEnv(3, "random", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="board 1: a1 is illegal: it outflanks no white"):
        env.step([37, 0, 64])
    assert env.positions() == [Position.start()] * 3
    assert not env.step([37, 37, 37])[2].any()


def test_an_opponent_that_fails_leaves_the_games_as_they_were(failing: Player) -> None:
    env = OthelloVectorEnv(2, failing)
    env.reset()
    with pytest.raises(OutflankError, match="the engine is gone"):
        env.step([37, 37])
    assert env.positions() == [Position.start()] * 2


def test_an_opponent_that_fails_to_begin_the_next_game_ends_the_play(
    failing: Player, drawn: Position
) -> None:
    env = OthelloVectorEnv(1, failing, "alternate")
    env.reset(options={"position": drawn})
    for error in (OutflankError, gymnasium.error.ResetNeeded):
        with pytest.raises(error):
            env.step([int(Move("c1"))])


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([37, 65], "board 1: no such move: 65"),
        ([-1, 37], "board 0: no such move: -1"),
        ([37], r"2 whole numbers, one for each board: got int64 of shape \(1,\)"),
        ([37.0, 37.0], "got float64"),
    ],
)
def test_what_is_no_action_is_refused(actions: list[int], message: str) -> None:
    env = OthelloVectorEnv(2, "random")
    env.reset()
    with pytest.raises(NotationError, match=message):
        env.step(actions)
    assert env.positions() == [Position.start()] * 2


def test_wrong_options_are_named(drawn: Position) -> None:
    with pytest.raises(OptionError, match="num_envs cannot be 0"):
        OthelloVectorEnv(0)
    with pytest.raises(OptionError, match="accepted are ansi, rgb_array"):
        OthelloVectorEnv(2, render_mode="human")
    env = OthelloVectorEnv(2, "random", "white")
    for positions, message in (
        ([Position.start()], "1 positions for 2 boards"),
        ([Position.start(), drawn], "ends the game before the agent's turn"),
        (drawn.play("c1"), "the game is over there"),
        (3, "position cannot be 3"),
    ):
        with pytest.raises(OptionError, match=message):
            env.reset(options={"position": positions})
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step([37, 37])


def test_what_was_returned_stays_as_it_was() -> None:
    env = OthelloVectorEnv(8, "random", "alternate")
    kept = [env.reset(seed=1)]
    copies = [(kept[0][0].copy(), {name: value.copy() for name, value in kept[0][1].items()})]
    for _ in range(3):
        planes, _, _, _, info = env.step(kept[-1][1]["action_mask"].argmax(axis=1))
        kept.append((planes, info))
        copies.append((planes.copy(), {name: value.copy() for name, value in info.items()}))
    for (planes, info), (planes_then, info_then) in zip(kept, copies, strict=True):
        assert np.array_equal(planes, planes_then)
        assert all(np.array_equal(info[name], info_then[name]) for name in info_then)


def test_gymnasiums_own_wrappers_understand_it(steady: Player) -> None:
    env: VectorEnv[Any, Any, Any] = OthelloVectorEnv(8, steady)
    env = DictInfoToList(RecordEpisodeStatistics(env))
    _, infos = env.reset(seed=1)
    finished = 0
    random = np.random.default_rng(3)
    for _ in range(64):
        masks = np.stack([info["action_mask"] for info in infos])
        _, _, _, _, infos = env.step(any_legal(masks, random))
        for info in (info for info in infos if "final_info" in info):
            finished += 1
            assert info["episode"]["r"] == np.sign(info["final_info"]["score"])
            assert 4 < info["episode"]["l"] <= 32
    assert finished >= 8


def test_boards_are_rendered_each() -> None:
    env = OthelloVectorEnv(2, "random", render_mode="ansi")
    env.reset()
    assert env.render() == (Position.start().text(unicode=True),) * 2
    assert OthelloVectorEnv(2).render() is None
    pictures = OthelloVectorEnv(2, render_mode="rgb_array").render()
    assert pictures is not None
    assert [picture.shape for picture in pictures] == [(256, 256, 3)] * 2


def test_the_steady_player_is_steady(steady: Player) -> None:
    boards = Boards.start(3)
    assert len(set(steady.choose_many(boards).tolist())) == 1
