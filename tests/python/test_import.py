"""What the package says where its parts are not of one build."""

import ast
import os
import pathlib
import subprocess
import sys

import pytest

import tensorc as tc

PACKAGE = pathlib.Path(tc.__file__).parent


def imported(folder):
    """The last line that a process prints which imports the package that lies in the folder."""
    done = subprocess.run([sys.executable, "-c", "import tensorc; print('imported')"], capture_output=True, text=True, cwd=folder)
    return (done.stdout + done.stderr).splitlines()[-1]


@pytest.fixture
def copy(tmp_path):
    """The package, of links."""
    folder = tmp_path / "tensorc"
    folder.mkdir()
    for path in PACKAGE.iterdir():
        (folder / path.name).symlink_to(path)
    return folder


def replace(path, text):
    path.unlink()
    path.write_text(text, encoding="utf-8")


def test_an_extension_of_another_build_is_refused(copy):
    assert imported(copy.parent) == "imported"
    made = tc._core.interface
    assert made.startswith(tc.__version__ + "-")
    replace(copy / "_interface.py", 'name = "0.0.1-012345678901"\n')
    text = imported(copy.parent)
    assert text.startswith("ImportError: tensorc: ") and "0.0.1-012345678901" in text and made in text and "_core" in text


def test_an_extension_of_another_python_is_refused(copy):
    (extension,) = copy.glob("_core.*so")
    extension.rename(copy / "_core.cpython-302-x86_64-linux-gnu.so")
    text = imported(copy.parent)
    assert sys.implementation.cache_tag in text and "_core.cpython-302-x86_64-linux-gnu.so" in text


def test_a_library_of_another_version_is_refused(copy):
    (extension,) = copy.glob("_core.*so")
    stub = f"version = lambda: '0.0.9'\ninterface = {tc._core.interface!r}\n"
    extension.unlink()
    (copy / "_core.py").write_text(stub, encoding="utf-8")
    text = imported(copy.parent)
    assert text.startswith("ImportError") and "0.0.9" in text and tc.__version__ in text


def test_a_free_threaded_python_is_refused():
    program = "import sys; sys.abiflags = 't'; import tensorc"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert done.stderr.splitlines()[-1].startswith("ImportError: tensorc: ") and "free-threaded" in done.stderr


def ran(program):
    """The words that a process prints."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_what_not_every_program_needs_is_imported_later():
    # Those of Python's library read sources, or make texts for notebooks: they take longer than the package.
    apart = {"ast", "dataclasses", "dis", "enum", "html", "inspect", "numpy", "re", "textwrap", "typing"}
    begun = set(ran("import sys; print(*sys.modules)"))
    found = set(ran("import tensorc, sys; print(*sys.modules)"))
    assert not (found - begun) & apart
    own = {name.removeprefix("tensorc.") for name in found if name.startswith("tensorc.")}
    assert "_array" in own and not own & {*tc._modules, *tc._later.values()}


def test_modules_that_are_imported_later_are_listed():
    listed = set(ran("import tensorc as tc; print(*dir(tc))"))
    assert listed >= {"nn", "optim", "special", "linalg", "random", "sin", "jit", "vectorize", "cross"}
    # Naming them keeps them, and does not change what is listed.
    program = "import tensorc as tc; [getattr(tc, n) for n in tc._later]; print(*dir(tc)); assert tc.jit is tc._transforms.jit"
    assert set(ran(program)) >= listed
    assert {*tc._later} <= listed and all(callable(getattr(tc, name)) for name in tc._later)


def test_a_star_imports_what_is_imported_later():
    program = """if True:
        from tensorc import *
        import sys, tensorc
        assert jit is tensorc.jit and linalg.inv and cross is linalg.cross and map is tensorc.map
        assert not {"tensorc.jax", "tensorc.torch", "tensorc.nn"} & {*sys.modules} and "nn" not in globals()
        print("done")"""
    assert ran(program) == ["done"]


def test_names_that_are_not_there_are_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'tensorc' has no attribute 'sine'"):
        tc.sine  # noqa: B018


def test_tools_that_read_the_package_see_the_same_names():
    source = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    (block,) = [s for s in source.body if isinstance(s, ast.If) and isinstance(s.test, ast.Name)]
    read = {(line.module, alias.name) for line in block.body for alias in line.names}
    assert read == {(None, name) for name in tc._modules} | {(module, name) for name, module in tc._later.items()}


def test_a_device_of_the_environment_that_does_not_exist_is_named():
    program = "import tensorc as tc\ntry:\n    tc.current_device()\nexcept ValueError as error:\n    print(error)\n"
    environment = dict(os.environ, TENSORC_DEVICE="bogus")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=PACKAGE.parent, env=environment)
    assert done.stdout.startswith("no device 'bogus'"), done.stderr
