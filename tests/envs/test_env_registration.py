"""How Gymnasium finds the environment, and what is said where a library is missing."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import pytest

from outflank.envs import ID, OthelloEnv, OthelloVectorEnv, register


def run(code: str) -> str:
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return finished.stdout


def test_the_id_with_its_module_needs_no_import() -> None:
    code = (
        "import sys, gymnasium; assert 'outflank' not in sys.modules; "
        f"env = gymnasium.make('outflank.envs:{ID}', opponent='random:seed=1'); "
        f"envs = gymnasium.make_vec('outflank.envs:{ID}', num_envs=3); "
        "print(type(env.unwrapped).__name__, type(envs).__name__, env.spec.id)"
    )
    assert run(code).split() == ["OthelloEnv", "OthelloVectorEnv", ID]


def test_importing_the_room_registers_it_once() -> None:
    spec = gymnasium.spec(ID)
    register()
    assert gymnasium.spec(ID) is spec
    assert isinstance(gymnasium.make(ID).unwrapped, OthelloEnv)
    assert isinstance(gymnasium.make_vec(ID, num_envs=2), OthelloVectorEnv)


def test_workers_in_other_processes_can_make_it() -> None:
    envs = gymnasium.make_vec(
        ID, 2, "async", vector_kwargs={"context": "spawn"}, opponent="random", agent="white"
    )
    planes, info = envs.reset(seed=1)
    assert planes.shape == (2, 3, 8, 8)
    assert info["agent"].tolist() == ["white", "white"]
    envs.close()


@pytest.mark.parametrize(
    ("library", "module"), [("gymnasium", "outflank.envs"), ("pettingzoo", "outflank.envs.aec")]
)
def test_a_missing_library_is_named_with_its_remedy(library: str, module: str) -> None:
    code = (
        f"import sys; sys.modules[{library!r}] = None\n"
        f"try:\n    import {module}\n"
        "except ImportError as error:\n    print(type(error).__name__, error)"
    )
    assert run(code).strip() == (
        f"ImportError {module} needs {library}: pip install 'outflank[envs]'"
    )


def test_the_package_itself_needs_neither() -> None:
    code = (
        "import sys, outflank, outflank.players; "
        "print([name for name in ('gymnasium', 'pettingzoo') if name in sys.modules])"
    )
    assert run(code).strip() == "[]"
