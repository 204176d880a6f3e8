"""The installed tree under test, and commands that see nothing else of the project.

usage: prefix.py setup | cleanup
"""

import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE, BUILD = pathlib.Path(os.environ["SOURCE"]), pathlib.Path(os.environ["BUILD"])
CMAKE, CPACK = os.environ["CMAKE"], os.environ["CPACK"]
CXX, VERSION = os.environ["CXX"], os.environ["VERSION"]
# Whether the build is what ships: LLVM linked in, files stripped.
SHIPPED = os.environ["SHIPPED"] == "ON"
SCRATCH = pathlib.Path(os.environ["SCRATCH"])
PREFIX = SCRATCH / "elsewhere" / "tensorc"
LLVM = "/usr/lib/llvm-22"


def compilers():
    """g++, the distribution's clang++ and the build's, as far as they are there."""
    found = [shutil.which("g++"), shutil.which("clang++"), CXX]
    return list(dict.fromkeys(filter(None, found)))


def install(prefix, *options):
    """Installs to a prefix that does not exist afterwards: the tree is moved from it."""
    first = SCRATCH / "first"
    subprocess.run([CMAKE, "--install", BUILD, "--prefix", first, *options], check=True, stdout=subprocess.DEVNULL)
    prefix.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(prefix, ignore_errors=True)
    first.rename(prefix)


def check_sum(package):
    """Checks the file with the SHA-256 checksum that CPack writes beside the package."""
    subprocess.run(["sha256sum", "--check", "--strict", f"{package.name}.sha256"], cwd=package.parent, check=True, stdout=subprocess.DEVNULL)


@functools.cache
def namespace():
    """What gives a process mounts of its own; empty where that is not allowed."""
    for words in (["unshare", "-m"], ["unshare", "-r", "-m"]):
        if subprocess.run([*words, "mount", "-t", "tmpfs", "none", BUILD], capture_output=True).returncode == 0:
            return words
    return []


def run(*command, cwd=SCRATCH, status=0, hide_llvm=SHIPPED, hidden=None, env=None):
    """Runs a command (or a shell line) with an empty environment, and with the sources,
    the build and, for what ships, LLVM out of reach. Returns its output."""
    words = ["/bin/sh", "-ec", command[0]] if len(command) == 1 else [str(word) for word in command]
    if namespace():
        # The build first: it may lie in the sources.
        hidden = hidden or [BUILD, SOURCE] + [LLVM] * hide_llvm
        mounts = "".join(f"mount -t tmpfs none '{folder}' && " for folder in hidden)
        words = [*namespace(), "/bin/sh", "-c", mounts + 'cd "$0" && exec "$@"', str(cwd), *words]
    env = {"PATH": f"{PREFIX}/bin:/usr/bin:/bin", "HOME": str(SCRATCH)} | (env or {})
    done = subprocess.run(words, cwd="/", env=env, capture_output=True, text=True)
    if done.returncode != status:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout if status == 0 else done.stdout + done.stderr


def dependencies(file):
    """The libraries that a file names, and its search path."""
    text = subprocess.run(["readelf", "-d", file], check=True, capture_output=True, text=True).stdout
    return (set(re.findall(r"\(NEEDED\).*\[(.*)\]", text)), re.findall(r"\(RUNPATH\).*\[(.*)\]", text))


def loaded(file):
    """The paths of all libraries that the loader finds for a program."""
    text = subprocess.run(["ldd", file], check=True, capture_output=True, text=True, env={}).stdout
    assert "not found" not in text, text
    return re.findall(r"=> (/\S+)", text)


if __name__ == "__main__":
    shutil.rmtree(SCRATCH, ignore_errors=True)
    if sys.argv[1] == "setup":
        SCRATCH.mkdir(parents=True)
        install(PREFIX)
