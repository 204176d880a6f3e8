"""What the package says where its parts are not of one build."""

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


def test_modules_that_are_imported_later_are_listed():
    program = "import tensorc as tc, sys; print('tensorc.nn' in sys.modules, {'nn', 'optim', 'special', 'sin'} <= {*dir(tc)})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert done.stdout.split() == ["False", "True"], done.stderr
