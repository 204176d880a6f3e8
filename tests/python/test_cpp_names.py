"""What C++ can do is at hand in Python: names of the headers, functions of C, and parameters. cpp_names.txt has what differs."""

import inspect
import json
import pathlib
import re

import pytest

import tensorc as tc

ROOT = pathlib.Path(__file__).parents[2]
ROOMS = [tc, tc.nn, tc.nn.init, tc.linalg, tc.random, tc.optim, tc.fft, tc.signal, tc.special, tc.quantization, tc.tree, tc.Array]
# One word for the same in both languages.
SAME = {"x": {"x1", "self"}, "y": {"x2"}, "a": {"x1"}, "b": {"x2"}, "axes": {"axis"}, "dims": {"shape"}, "rows": {"n_rows"}, "columns": {"n_cols", "N"},
        "tensors": {"arrays"}, "diagonal": {"k"}, "order": {"ord"}, "shifts": {"shift"}, "sizes": {"s"}, "one_sided": {"onesided"},
        "size": {"length"}, "edges": {"bins"}, "fill": {"fill_value"}, "xs": {"xp"}, "ys": {"fp"}, "coefficients": {"p"}, "degree": {"deg"},
        "dx": {"spacing"}, "spacing": {"d"}, "rate": {"lam"}, "covariances": {"cov"}, "count": {"num", "repeats", "x"}, "power": {"n"},
        "pred": {"condition"}, "sorted": {"x1"}, "right": {"side"}, "epsilon": {"eps"}, "rtol": {"rcond"}}  # fmt: skip


def described():
    """The file that describes the interface: a wheel has none."""
    path = pathlib.Path(tc.__file__).parents[2] / "share/tensorc/api.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"operations": [], "functions": {}}


API = described()


def table():
    """Of each line 'name = where it is in Python', or 'name - why it is not'."""
    rows = {}
    for line in (ROOT / "tests/python/cpp_names.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            names, kind, text = re.fullmatch(r"(.+?) ([=-]) (.+)", line).groups()
            for name in names.split(", "):
                assert name not in rows, f"{name} is there twice"
                rows[name] = (kind, text)
    return rows


TABLE = table()


def of_namespace(text):
    """The statements in the headers' namespace tensorc itself."""
    text = re.sub(r"//.*|/\*.*?\*/", "", text)
    text = re.sub(r'"(\\.|[^"\\])*"', '""', text)
    text = re.sub(r"'(\\.|[^'\\])'", "' '", text)
    text = re.sub(r"^#.*(\\\n.*)*", "", text, flags=re.M)
    scopes, statement = [], ""
    for c in text:
        if c in "{;" and all(s == "tensorc" for s in scopes) and statement.strip():
            yield " ".join(statement.split())
        if c == "{":
            is_space = re.search(r"(^|\s)namespace\b", statement)
            scopes.append("tensorc" if is_space and "detail" not in statement else "other")
        elif c == "}" and scopes:
            scopes.pop()
        statement = "" if c in "{};" else statement + c


def names_of_headers():
    names = {}
    for header in sorted((ROOT / "compiler/include/tensorc").glob("*.hpp")):
        for text in of_namespace(header.read_text(encoding="utf-8")):
            if found := re.search(r"^(?:template <.*> )?(?:struct|class|enum class|enum) (\w+)( final)?( : .*)?$", text):
                names.setdefault(found[1], header.name)
            elif found := re.search(r"^(?:template <.*> )?using (\w+) =", text):
                names.setdefault(found[1], header.name)
            elif "(" in text and (found := re.search(r"(?<![\w:])(\w+)$", text.split("(")[0].strip())):
                names.setdefault(found[1], header.name)
    return names


def in_python(name):
    name = name.removeprefix("random_") if name.startswith("random_") and name != "random_key" else name
    rooms = [tc.random, *ROOMS] if name not in dir(tc) else ROOMS
    return next((getattr(room, name) for room in rooms if hasattr(room, name)), None)


def test_names():
    names = names_of_headers()
    assert len(names) > 200 and "huber_loss" in names and "unary" not in names
    operations = {call["name"] for operation in API["operations"] for call in operation["calls"]}
    missing = sorted(name for name in {*names, *operations} if in_python(name) is None and name not in TABLE)
    assert not missing, "neither in Python nor in cpp_names.txt"


@pytest.mark.parametrize("name", TABLE)
def test_the_table(name):
    kind, text = TABLE[name]
    if "." not in name and not name.startswith("tensorc_"):
        assert in_python(name) is None, "Python has it by this name"
    if kind == "=":
        for path in text.split(", "):
            value = tc
            for part in path.removeprefix("tc.").split("."):
                value = getattr(value, part)


def test_functions_of_c():
    sources = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "python/src").glob("*.[ch]*"))
    bound = {operation["function"] for operation in API["operations"]} | set(re.findall(r"\btensorc_\w+", sources))
    missing = sorted(f for f in API["functions"] if not f.startswith("tensorc_rt_") and f not in bound and f not in TABLE)
    assert not missing
    assert not [f for f in API["functions"] if f in TABLE and f in bound]


def parameters():
    for operation in API["operations"]:
        for call in operation["calls"]:
            function = in_python(call["name"])
            if inspect.isfunction(function):
                yield pytest.param(call, function, id=call["name"])


@pytest.mark.parametrize("call, function", list(parameters()))
def test_parameters(call, function):
    own = inspect.signature(function).parameters
    if any(p.kind is p.VAR_POSITIONAL for p in own.values()):
        return
    lacking = [p["name"] for p in call["parameters"] if not {p["name"], *SAME.get(p["name"], ())} & own.keys()]
    assert [p for p in lacking if f"{call['name']}.{p}" not in TABLE] == []
