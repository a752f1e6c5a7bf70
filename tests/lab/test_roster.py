"""Nobody but the listed players can be chosen, and only with numbers within limits."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank.errors import OutflankError, SpecError
from outflank.lab import roster as roster_module
from outflank.lab.roster import HINTER, Entry, Roster
from outflank.lab.settings import LabSettings
from outflank.models import shipped_networks
from outflank.players import Spec, kinds
from outflank.players.analysis import REVIEWER

DANGEROUS = [
    'gtp:cmd="touch owned"', "nboard:cmd=sh", "edax:path=/bin/sh", "policy:/etc/passwd",
    "policy:../../secret.safetensors", "evolved:/etc/passwd", "league:/etc/passwd",
    "alphabeta:eval=/etc/passwd", "bag:/etc/*", 'hybrid:policy="gtp:cmd=sh"', "human", "run:../..",
    "run:nothing", "engine:nothing", "lenient:name=/etc/passwd", "alphabeta:eval=iago,memory=99999",
    "mcts:net=/etc/passwd", "mcts:rollouts=10,memory=99999", "mcts:time=9m",
    "alphabeta:eval=iago,threads=64", "minimax:eval=discs,depth=9",
]  # fmt: skip


@pytest.fixture
def roster(settings: LabSettings) -> Roster:
    return Roster(settings)


@pytest.mark.parametrize("spec", DANGEROUS)
def test_what_is_not_listed_is_refused(roster: Roster, spec: str) -> None:
    with pytest.raises(SpecError, match="no such player here"):
        roster.resolve(spec)


@pytest.mark.parametrize(
    ("spec", "real"),
    [
        ("random", "random"),
        ("alphabeta:eval=iago,depth=3", "alphabeta:eval=iago,depth=3,memory=16"),
        ("alphabeta:eval=patterns,time=0.1", "alphabeta:eval=patterns,time=0.1,memory=16"),
        ("policy:imitation-fast,temperature=1", "policy:imitation-fast,temperature=1"),
        ("playouts:games=10", "playouts:games=10"),
        ("mcts:rollouts=10", "mcts:rollouts=10"),
        ("league:swh", "league:swh"),
    ],
)
def test_what_is_listed_can_be_made(roster: Roster, spec: str, real: str) -> None:
    assert roster.resolve(spec) == real
    roster.make(spec).close()


@pytest.mark.parametrize("text", ["0", "99", "-1", "nan", "inf", "many", "1e99"])
def test_numbers_have_limits(roster: Roster, text: str) -> None:
    with pytest.raises(SpecError, match=r"depth is .*; accepted is 1 to 14"):
        roster.resolve(f"alphabeta:eval=iago,depth={text}")


def test_every_listed_player_can_be_chosen(roster: Roster) -> None:
    listed = roster.to_json()
    groups = {group["id"]: group["players"] for group in listed["groups"]}
    assert {"imitation", "search", "simple"} <= groups.keys()
    for players in groups.values():
        for player in players:
            roster.resolve(player["spec"])
            for option in player["options"]:
                colon = "," if ":" in player["spec"] else ":"
                for value in (option["least"], option["most"]):
                    roster.resolve(f"{player['spec']}{colon}{option['name']}={value:g}")
    roster.resolve(listed["reviewer"])
    roster.resolve(listed["hinter"])
    assert (listed["reviewer"], listed["hinter"]) == (REVIEWER, HINTER)


@given(st.text(max_size=60))
def test_any_text_is_refused_or_harmless(text: str) -> None:
    roster = Roster(LabSettings())
    try:
        real = roster.resolve(text)
    except OutflankError:
        return
    assert Spec.parse(real).kind in kinds()
    assert Spec.parse(real).kind not in ("gtp", "nboard", "edax")


def test_engines_come_from_the_users_own_file(settings: LabSettings, roster: Roster) -> None:
    settings.engines.write_text(json.dumps({"My engine, 5": 'gtp:cmd="some-engine -m 5"'}))
    entry = next(one for one in roster.entries() if one.group == "engines")
    assert entry.spec == 'engine:"My engine, 5"'
    assert roster.resolve(entry.spec) == 'gtp:cmd="some-engine -m 5"'
    assert roster.name_of(entry.spec) == "My engine, 5"


@pytest.mark.parametrize(
    ("content", "problem", "good"),
    [
        ("{", "not JSON", []),
        ("[]", "write names and specs", []),
        ('{"a": 1, "b": "random"}', "'a': not a player spec: 1", ["b"]),
        ('{"a": "no spec!", "b": "random"}', "'a': not a player spec", ["b"]),
        ('{"a": "unknown:x=1", "b": "random"}', "'a': not a player spec", ["b"]),
        ('{"say \\"x\\"": "random", "x=1": "random"}', "no quotes", ["x=1"]),
        ('{"": "random", "b,c": "random"}', "''", ["b,c"]),
    ],
)
def test_a_wrong_engine_is_told_and_the_others_go_on(
    settings: LabSettings, roster: Roster, content: str, problem: str, good: list[str]
) -> None:
    settings.engines.write_text(content)
    groups = {group["id"]: group for group in roster.to_json()["groups"]}
    notice = groups["engines"]["notice"]
    assert notice is not None
    assert problem in notice
    assert "engines.json" in notice
    assert [player["name"] for player in groups["engines"]["players"]] == good
    for player in groups["engines"]["players"]:
        assert roster.resolve(player["spec"]) == "random"
        assert roster.name_of(player["spec"]) == player["name"]
    assert groups["simple"]["notice"] is None
    assert roster.resolve("greedy") == "greedy"


def test_folders_with_odd_names_are_no_players(settings: LabSettings, roster: Roster) -> None:
    for name in ("good.run", 'a "b", c', "-x"):
        (settings.runs / name).mkdir(parents=True)
        (settings.runs / name / "config.json").write_text('{"learner": "coevolution"}')
        (settings.runs / name / "player.safetensors").touch()
    assert [one.name for one in roster.entries() if one.group == "runs"] == ["good.run"]
    real = roster.resolve("run:good.run")
    assert real == f"evolved:{settings.runs / 'good.run' / 'player.safetensors'}"
    assert roster.name_of(real) == roster.name_of("run:good.run") == "good.run"


def test_who_can_review(settings: LabSettings, roster: Roster) -> None:
    settings.engines.write_text('{"Edax": "edax:level=1", "Rhino": "gtp:cmd=x"}')
    valued = {
        player["name"]: player["values"]
        for group in roster.to_json()["groups"]
        for player in group["players"]
    }
    for name in ("imitation-fast", "patterns", "swh", "Edax"):
        assert valued[name]
    for name in ("random", "greedy", "playouts", "Rhino"):
        assert not valued[name]


def test_shipped_players_are_not_looked_for_with_every_question(
    roster: Roster, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = 0
    shipped = roster_module._shipped

    def look() -> Iterator[Entry]:
        nonlocal looked
        looked += 1
        return shipped()

    monkeypatch.setattr(roster_module, "_shipped", look)
    monkeypatch.setattr(roster_module, "_SECONDS_KNOWN", 60.0)
    for _ in range(5):
        roster.resolve("random")
        roster.name_of("greedy")
    assert looked == 1
    monkeypatch.setattr(roster_module, "_SECONDS_KNOWN", 0.0)
    roster.resolve("random")
    assert looked == 2


def test_names_for_people(roster: Roster) -> None:
    assert roster.name_of("human") == "You"
    assert roster.name_of("alphabeta:eval=iago,depth=3") == "iago (depth 3)"
    assert roster.name_of("policy:imitation-fast") == "imitation-fast"
    assert roster.name_of("gtp:cmd=x") == "gtp:cmd=x"
    for spec in ("alphabeta:eval=iago,depth=3", "playouts:games=2", "policy:imitation-fast"):
        assert roster.name_of(roster.resolve(spec)) == roster.name_of(spec)


def test_networks_of_self_play_play_with_and_without_a_tree(
    roster: Roster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are known by their names, so any shipped network will do here."""
    shipped = shipped_networks()["imitation-0ply"]
    monkeypatch.setattr(roster_module, "shipped_networks", lambda: {"selfplay-small": shipped})
    groups = {group["id"]: group for group in roster.to_json()["groups"]}
    assert "imitation" not in groups
    assert groups["selfplay"]["title"] == "Self-play"
    specs = {player["spec"]: player["name"] for player in groups["selfplay"]["players"]}
    assert specs == {
        "mcts:net=selfplay-small": "selfplay-small with search",
        "policy:selfplay-small": "selfplay-small",
    }
    spec = "mcts:net=selfplay-small,sims=2000"
    assert roster.resolve(spec) == spec
    assert roster.name_of(spec) == "selfplay-small with search (sims 2000)"
    with pytest.raises(SpecError, match="sims is '2001'; accepted is 1 to 2000"):
        roster.resolve("mcts:net=selfplay-small,sims=2001")


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("policy:runs/first/checkpoints/30/network.safetensors", "first (policy)"),
        ("mcts:net=/home/ann/runs/agent/network.safetensors,sims=50", "agent (mcts, sims 50)"),
        ("policy:nets/mine.safetensors,temperature=1", "mine (policy, temperature 1)"),
        ("gtp:cmd=engine", "gtp:cmd=engine"),
    ],
)
def test_a_player_of_a_file_has_a_name(roster: Roster, spec: str, name: str) -> None:
    assert roster.name_of(spec) == name


def test_somebody_new_meets_a_rated_opponent_like_a_person(roster: Roster) -> None:
    """One that neither collapses nor crushes: better than greedy, and no match for experts."""
    listed = roster.to_json()
    (group,) = [one for one in listed["groups"] if one["id"] == "people"]
    elo = {player["spec"]: player["elo"] for player in group["players"]}
    usual = elo[listed["opponent"]]
    assert usual is not None
    assert 187 < usual < 827
    assert all(one["about"].endswith(".") for one in listed["groups"])
    assert not any(player["values"] for player in group["players"])  # they err on purpose
    players = [player for one in listed["groups"] for player in one["players"]]
    assert {player["spec"].split(":")[0] for player in players if player["handicap"]} == {"policy"}
