"""The examples of the docstrings."""

import doctest
import importlib.util
import pathlib

import pytest

import tensorc as tc

FOLDER = pathlib.Path(tc.__file__).parent
MODULES = sorted(".".join(("tensorc", *p.relative_to(FOLDER).with_suffix("").parts)).removesuffix(".__init__")
                 for p in FOLDER.rglob("*.py"))  # fmt: skip
# Those for another library need it.
MODULES = [m for m in MODULES if all(importlib.util.find_spec(name) for name in ("torch", "jax") if name in m.split("."))]


@pytest.mark.parametrize("module", MODULES)
def test_examples(module):
    result = doctest.testmod(importlib.import_module(module), extraglobs={"tc": tc})
    assert result.failed == 0


@pytest.mark.parametrize("module", [m for m in MODULES if not m.split(".")[-1].startswith("_")])
def test_all_that_is_public_is_documented(module):
    module = importlib.import_module(module)
    named = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
    missing = [n for n in named if callable(getattr(module, n)) and not (getattr(module, n).__doc__ or "").strip()]
    assert not missing


def test_the_guide():
    guide = pathlib.Path(__file__).parents[2] / "docs/python.md"
    # What is between the fences is a session; the rest, and the fences, are text.
    text, is_code = [], False
    for line in guide.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            is_code = line == "```python"
            line = ""
        text.append(line if is_code else "")
    test = doctest.DocTestParser().get_doctest("\n".join(text) + "\n", {}, "docs/python.md", str(guide), 0)
    assert doctest.DocTestRunner().run(test).failed == 0 and len(test.examples) > 20
