"""Where the champion's evaluation is shipped, the lab, reviews and hints use it by themselves.

What players there are is found out when the package is imported, so this runs in a new process,
with a folder of models that has one more.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from evaluations.champions import no_weights
from outflank import models
from outflank.evaluations.champion import save_champion

SCRIPT = """
import sys
from pathlib import Path

import outflank.models.finding as finding

finding._FOLDER = Path(sys.argv[1])

from outflank import Game
from outflank.lab import roster
from outflank.lab.settings import LabSettings
from outflank.players import make_player
from outflank.players.analysis import REVIEWER, review_game
from outflank.studies import Workbench, find_study
from outflank.studies.champion.ladder import climbers

assert (REVIEWER, roster.HINTER) == ("champion:book=no,depth=12", "champion:book=no,depth=10")
nowhere = Path(sys.argv[2])
listed = roster.Roster(LabSettings(runs=nowhere, engines=nowhere / "none"))
for spec in (REVIEWER, roster.HINTER, "champion", "champion:level=3", "champion:book=no,time=1"):
    made = listed.make(spec)
    assert made.memory == 16
    assert listed.is_listed(listed.resolve(spec))
names = [entry.name for entry in listed.entries()]
assert names.count("champion") == 1
game = Game.from_transcript("f5d6c3d3c4")
assert make_player("level:club,seed=1").think(game).move in game.position.legal_moves
critic = make_player("champion:book=no,depth=2,memory=4")
assert [one.loss is not None for one in review_game(game, critic)] == [True] * 5
smoke = find_study("ladder").scales["smoke"]
assert any(one.name == "champion" for one in climbers(smoke, Workbench(nowhere)))
print("all used it")
"""


def test_everything_uses_it(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    for path in Path(models.__file__).parent.iterdir():
        if path.suffix in (".safetensors", ".onnx", ".md") and path.stem != "champion":
            (folder / path.name).symlink_to(path)
    save_champion(folder / "champion.safetensors", no_weights(), {})
    (folder / "champion.md").write_text("# champion\n\nKnows nothing.\n")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, folder, tmp_path],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == "all used it", done.stderr
