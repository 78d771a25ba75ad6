"""What the documentation shows runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simlab import experiment, results, run

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = re.findall(
    r"```python\n(.*?)```", (ROOT / "docs/strategies.md").read_text(encoding="utf-8"), re.DOTALL
)


@pytest.mark.compiled_only
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_a_documented_strategy_plays(number: int, tmp_path: Path) -> None:
    strategy = tmp_path / f"documented_{number}.py"
    strategy.write_text(EXAMPLES[number], encoding="utf-8")
    file = tmp_path / "question.toml"
    lines = ['name = "question"', 'game = "dei"', "seed = 1", "games = 8", "players = 2"]
    file.write_text("\n".join([*lines, f'strategies = ["{strategy}", "dei/uniform"]']), encoding="utf-8")
    run.play(run.plan(experiment.load(file), tmp_path / "run"), 1, quiet=True)
    endings = results.open_run(tmp_path / "run").sql("SELECT DISTINCT ending FROM games").fetchall()
    assert endings == [("finished",)]
