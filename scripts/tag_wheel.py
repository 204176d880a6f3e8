#!/usr/bin/env python3
"""Tags a wheel for the oldest glibc with which its libraries run, so that pip installs it on such systems and package
indexes accept it.

usage: tag_wheel.py WHEEL

Reads the versions of the symbols that the wheel's libraries need (with readelf). Reports an error for needed libraries
that are neither in the wheel nor on every such system (PEP 600), and for a wheel of the stable ABI whose extension is
for one version of Python. Replaces the wheel by NAME-manylinux_2_MINOR_ARCH.whl and prints the new path.
"""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

# Libraries that PEP 600 expects on a system. libstdc++ is as new as the compiler of the distribution with that glibc.
SYSTEM = re.compile(r"(lib(c|m|dl|rt|pthread|util|gcc_s|stdc\+\+|z)\.so\.\d+|ld-linux[\w-]*\.so\.\d)$")
GLIBCXX = {34: 29, 35: 30, 36: 30, 38: 32, 39: 33, 41: 34}  # maps glibc's minor version to the last GLIBCXX_3.4.N


def readelf(option, file):
    return subprocess.run(["readelf", "--wide", option, file], check=True, capture_output=True, text=True).stdout


def newest(pattern, text):
    return max(map(int, re.findall(pattern, text)), default=0)


def examine(files):
    """Returns the minor version of glibc that the libraries need, and the needed libraries that may be missing on a
    system."""
    minor, glibcxx, missing = 0, 0, set()
    inside = {file.name for file in files}
    for file in files:
        versions, dynamic = readelf("--version-info", file), readelf("--dynamic", file)
        minor = max(minor, newest(r"GLIBC_2\.(\d+)", versions), 36 if "GLIBC_ABI_DT_RELR" in versions else 0)
        glibcxx = max(glibcxx, newest(r"GLIBCXX_3\.4\.(\d+)", versions))
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
        missing |= {f"{file.name} needs {name}" for name in needed if name not in inside and not SYSTEM.fullmatch(name)}
    known = [glibc for glibc, last in GLIBCXX.items() if last >= glibcxx]
    if not known:
        missing.add(f"GLIBCXX_3.4.{glibcxx} is newer than any that this script knows")
    return max(minor, min(known, default=0)), missing


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}"


def retag(wheel, tag):
    """Writes the wheel again with another platform tag in its name and its metadata."""
    python, abi, platform = wheel.stem.split("-")[-3:]
    target = wheel.with_name(wheel.name.replace(f"-{platform}.whl", f"-{tag}.whl"))
    scratch = target.with_suffix(".tmp")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(scratch, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        names = {kind: next(n for n in old.namelist() if n.endswith(f".dist-info/{kind}")) for kind in ("WHEEL", "RECORD")}
        metadata = re.sub(rf"(?m)^Tag: (.*)-{re.escape(platform)}$", rf"Tag: \1-{tag}", old.read(names["WHEEL"]).decode()).encode()
        lines = old.read(names["RECORD"]).decode().splitlines()
        lines = [record_line(names["WHEEL"], metadata) if line.startswith(names["WHEEL"] + ",") else line for line in lines]
        changed = {names["WHEEL"]: metadata, names["RECORD"]: ("\n".join(lines) + "\n").encode()}
        for entry in old.infolist():
            new.writestr(entry, changed.get(entry.filename) or old.read(entry), zipfile.ZIP_DEFLATED, 9)
    wheel.unlink()
    scratch.rename(target)
    return target


def main():
    wheel = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        files = [file for file in pathlib.Path(folder).rglob("*.so*") if file.read_bytes()[:4] == b"\x7fELF"]
        minor, missing = examine(files)
        if "-abi3-" in wheel.name:
            missing |= {f"{file.name} is for one version of Python" for file in files if ".cpython-" in file.name}
    if missing:
        sys.exit("tag_wheel: " + "\ntag_wheel: ".join(sorted(missing)))
    machine = re.search(r"linux_(?:\d+_\d+_)?(\w+)$", wheel.stem)[1]
    tag = f"manylinux_2_{minor}_{machine}"
    print(wheel if wheel.stem.endswith(tag) else retag(wheel, tag))


main()
