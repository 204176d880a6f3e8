"""What benchmarks/compare.py does where no peer is installed."""

import json
import os
import pathlib
import subprocess
import sys

import tensorc as tc

ROOT = pathlib.Path(__file__).parents[2]


def compare(*words):
    environment = os.environ | {"PYTHONPATH": str(pathlib.Path(tc.__file__).parents[1])}
    done = subprocess.run([sys.executable, ROOT / "benchmarks/compare.py", *map(str, words)], capture_output=True, text=True, env=environment)
    assert not done.returncode, done.stderr
    return done.stdout.splitlines()


def test_rows_have_names_of_their_own():
    names = compare("--list")
    assert len(names) > 250 and len(set(names)) == len(names)
    parts = [compare("--list", f"--part={i}/3") for i in (1, 2, 3)]
    assert sorted(sum(parts, [])) == sorted(names)


def test_parts_make_one_table(tmp_path):
    for i in (1, 2):
        compare("--only=u 1024", "--peers=", "--rounds=1", "--milliseconds=1", f"--part={i}/2", f"--output={tmp_path / f'{i}.md'}")
    compare("--merge", tmp_path / "2.json", tmp_path / "1.json", f"--output={tmp_path / 'all.md'}")
    lines = [line.split(" | ") for line in (tmp_path / "all.md").read_text(encoding="utf-8").splitlines() if " 1024 |" in line]
    assert [line[0] for line in lines] == [f"| {name} 1024" for name in ("relu", "leaky_relu", "elu", "celu", "gelu", "silu")]
    facts = [row["facts"] for row in json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))["rows"]]
    assert all(f["kernels"] == 1 and 100 < f["code"] < 10000 and 0 < f["compile"] <= f["first"] for f in facts)


def test_data_parallel_runs_without_peers():
    environment = os.environ | {"PYTHONPATH": str(pathlib.Path(tc.__file__).parents[1])}
    command = [sys.executable, ROOT / "benchmarks/data_parallel.py", "--rounds=1"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert not done.returncode, done.stderr
    lines = done.stdout.splitlines()
    assert [line[:15].strip() for line in lines[:2]] == ["training step", "without sums"]
    assert abs(float(lines[-1].split("[")[1].split("]")[0]) - 2.2087) < 1e-3
