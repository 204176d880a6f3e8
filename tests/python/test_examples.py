"""The programs of examples/python."""

import importlib.util
import json
import pathlib

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "examples/python"


def load(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the package is tested without the project")
class TestExamples:
    def test_devices(self, capsys):
        load("devices").main()
        text = capsys.readouterr().out
        assert "equal: True" in text and "memory: True" in text
        line = next(line for line in text.splitlines() if line.startswith("sum of squares"))
        first, second = (float(part.split()[0]) for part in line.split(":")[1:])
        assert abs(first - second) < 1e-5 * second

    def test_picture(self, capsys):
        load("picture").main()
        text = capsys.readouterr().out
        assert text.count("\n") == 16 and "#" in text and " " in text

    def test_classifier(self, capsys):
        assert load("classifier").main() > 0.9
        assert "('n', 2)" in capsys.readouterr().out

    def test_break_even(self, capsys):
        load("break_even").main((8, 16))
        assert len(capsys.readouterr().out.splitlines()) == 3

    def test_the_notebook(self):
        notebook = json.loads((FOLDER / "tour.ipynb").read_text(encoding="utf-8"))
        names = {}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)
        assert abs(names["w"][0].item() - 3) < 1e-2 and abs(names["w"][1].item() + 1) < 1e-2
        assert names["z"].device == "sim:0" and names["z"].item() == 499500
