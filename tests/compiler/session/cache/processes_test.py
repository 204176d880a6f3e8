#!/usr/bin/env python3
"""Processes that share a disk cache.

  processes_test.py PROGRAM TENSORC
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "tools/tensorc/Inputs"))
import tuned  # noqa: E402

program = sys.argv[1]


def start(folder, *arguments, **extra):
    names = {"TENSORC_CACHE_DIR": str(folder), "TENSORC_DEVICE": "cpu"} | extra
    pipe = subprocess.PIPE
    return subprocess.Popen([program, *arguments], env=os.environ | names, stdout=pipe, stderr=pipe, text=True)


def finish(process):
    """(the result, compilations, hits, misses) and what was on stderr."""
    out, err = process.communicate(timeout=3600)
    assert process.returncode == 0, (process.returncode, err)
    total, *counts = out.splitlines()[-1].split()
    return (total, *map(int, counts)), err


def files(folder):
    return sorted(path.name for path in pathlib.Path(folder).iterdir())


with tempfile.TemporaryDirectory() as base:
    base = pathlib.Path(base)

    # Two, one after the other.
    cold, _ = finish(start(base / "two", "5"))
    warm, _ = finish(start(base / "two", "5"))
    assert cold[1:] == (5, 0, 5) and warm == (cold[0], 0, 5, 0), (cold, warm)
    assert finish(start("off", "5"))[0] == (cold[0], 5, 0, 0)

    # The user's cache folder, and none without a home.
    finish(start("auto", "1", XDG_CACHE_HOME=str(base / "xdg")))
    assert len(files(base / "xdg/tensorc")) == 1
    finish(start("auto", "1", XDG_CACHE_HOME="relative", HOME=str(base / "home")))
    assert len(files(base / "home/.cache/tensorc")) == 1
    _, err = finish(start("auto", "1", XDG_CACHE_HOME="", HOME=""))
    assert err == ("tensorc: TENSORC_CACHE_DIR=auto is ignored: neither XDG_CACHE_HOME nor HOME is an absolute path\n"), err

    # What tuning found is compiled, with the same results, and is another entry.
    finish(start("off", "1", TENSORC_DUMP=str(base / "usual")))
    tuning = base / "tuned.tctune"
    schedule = tuned.write(tuning, sys.argv[2], str(base / "usual/0/00-import.mlir"))
    extra = {"TENSORC_TUNING": str(tuning)}
    usual = finish(start(base / "tuned", "1"))[0]
    assert finish(start(base / "tuned", "1", **extra)) == ((usual[0], 1, 0, 1), "")
    assert finish(start(base / "tuned", "1", **extra))[0] == (usual[0], 0, 1, 0)
    assert finish(start(base / "tuned", "1"))[0] == (usual[0], 0, 1, 0)
    finish(start("off", "1", TENSORC_DUMP=str(base / "dump"), **extra))
    words = schedule.split()
    text = f'#tx.schedule<"{words[0]}"' + "".join(f", {word.replace('=', ' = ')}" for word in words[1:])
    assert text in (base / "dump/0/02-fuse.mlir").read_text(), schedule
    tuning.write_text("{")
    out, err = finish(start(base / "tuned", "1", **extra))
    assert out == (usual[0], 0, 1, 0) and err.startswith(f"tensorc: TENSORC_TUNING is ignored: {tuning}: [1:"), err

    # A limit that is none is said, and ignored.
    for size in ("abc", "-5", "1.5G", "10T", "99999999999G"):
        _, err = finish(start(base / "two", "1", TENSORC_CACHE_SIZE=size))
        assert err.startswith(f"tensorc: TENSORC_CACHE_SIZE={size} is ignored: ") and err.count("\n") == 1, err
    for size in ("", "1g", "1000000", "unlimited"):
        assert finish(start(base / "two", "1", TENSORC_CACHE_SIZE=size))[1] == "", size

    # Eight at once: all are right, and nothing is left but good entries.
    results = [finish(process)[0] for process in [start(base / "race", "6") for _ in range(8)]]
    assert {result[0] for result in results} == {results[0][0]}, results
    assert len(files(base / "race")) == 6, files(base / "race")
    assert finish(start(base / "race", "6"))[0] == (results[0][0], 0, 6, 0)

    # Eight in a folder that holds two entries: they throw each other's out.
    results = [finish(process)[0] for process in
               [start(base / "small", "6", TENSORC_CACHE_SIZE="40K") for _ in range(8)]]
    assert {result[0] for result in results} == {results[0][0]}, results
    size = sum(path.stat().st_size for path in (base / "small").iterdir())
    assert size <= 8 * 40 * 1024, size

    # Killed at different moments: the next process finds only good entries.
    for line in range(6):
        process = start(base / "killed", "6", "slow")
        for _ in range(line + 1):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate()
    result, err = finish(start(base / "killed", "6", TENSORC_LOG="1"))
    assert result[0] == results[0][0] and result[1] + result[2] == 6 and result[2] > 0, (result, err)

    # An unusable folder is said once, and only when asked.
    blocked = base / "blocked"
    blocked.write_text("")
    result, err = finish(start(blocked, "3", TENSORC_LOG="1"))
    assert result[1] == 3 and err.count("disk cache") == 1, (result, err)
    assert finish(start(blocked, "3"))[1] == ""

    # The reason: another user's, or others may write.
    foreign = base / "foreign"
    foreign.mkdir(mode=0o755)
    try:
        os.chown(foreign, 65534, -1)
    except OSError:
        foreign = pathlib.Path("/")
    if foreign.stat().st_uid != os.geteuid():
        _, err = finish(start(foreign, "1", TENSORC_LOG="1"))
        assert f"cannot use {foreign}: it belongs to another user\n" in err, err
    shared = base / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    _, err = finish(start(shared, "1", TENSORC_LOG="1"))
    assert f"cannot use {shared}: others can write there\n" in err, err

    # An entry of the administrator's may be used, not one that others may write.
    finish(start(base / "shipped", "1"))
    entry = next((base / "shipped").iterdir())
    assert finish(start("off", "1", TENSORC_CACHE_READ_DIR=str(base / "shipped")))[0][2] == 1
    entry.chmod(0o666)
    result, err = finish(start("off", "1", TENSORC_CACHE_READ_DIR=str(base / "shipped"), TENSORC_LOG="1"))
    assert result[1:] == (1, 0, 1) and f"ignores {entry}: others can write there\n" in err, (result, err)
    (base / "shipped").chmod(0o770)
    _, err = finish(start("off", "1", TENSORC_CACHE_READ_DIR=str(base / "shipped"), TENSORC_LOG="1"))
    assert f"cannot use {base / 'shipped'}: others can write there\n" in err, err

    # With raised privileges the environment is not looked at.
    raised = base / "raised"
    raised.mkdir()
    raised.chmod(0o777)
    base.chmod(0o755)
    copy = base / "program"
    shutil.copy(program, copy)
    if os.geteuid() == 0:
        os.chown(copy, 65534, 65534)
        copy.chmod(0o4755)
    names = {"TENSORC_TRACE": str(raised / "trace.json"), "TENSORC_DUMP": str(raised / "dump"), "TENSORC_LOG": "1",
             "TENSORC_CACHE_DIR": str(raised / "cache"), "TENSORC_NUM_THREADS": "nonsense"}
    for path, is_raised in ((program, False), (copy, True)):
        run = subprocess.run([path, "2"], env=os.environ | names, capture_output=True, text=True)
        if is_raised and (os.geteuid() != 0 or run.returncode != 0):
            break  # Only the administrator can make such a program, where file systems allow it.
        made = sorted(item.name for item in raised.iterdir())
        print("raised" if is_raised else "plain", made)
        if is_raised:
            assert made == [] and run.stderr == "", (made, run.stderr)
        else:
            assert made == ["cache", "dump", "trace.json"] and "TENSORC_NUM_THREADS" in run.stderr, (made, run.stderr)
            for item in raised.iterdir():
                shutil.rmtree(item) if item.is_dir() else item.unlink()

    # A folder that cannot be written to, where the tests are not run by root.
    if os.geteuid() != 0:
        closed = base / "closed"
        closed.mkdir(mode=0o500)
        result, err = finish(start(closed, "3", TENSORC_LOG="1"))
        assert result[1] == 3 and err.count("disk cache") == 1, (result, err)

    # A full disk: a file system of one page, where the system lets us mount it.
    full = base / "full"
    full.mkdir(mode=0o700)
    mount = ["unshare", "-rm", "sh", "-c", f"mount -t tmpfs -o size=4k,mode=700 none {full} && exec \"$@\"", "sh"]
    if shutil.which("unshare") and subprocess.run([*mount, "true"], capture_output=True).returncode == 0:
        command = [*mount, program, "3"]
        names = {"TENSORC_CACHE_DIR": str(full), "TENSORC_DEVICE": "cpu", "TENSORC_LOG": "1"}
        run = subprocess.run(command, env=os.environ | names, capture_output=True, text=True)
        assert run.returncode == 0 and run.stdout.split()[1:] == ["3", "0", "3"], run
        assert run.stderr.count("disk cache: cannot write") == 1, run.stderr
    else:
        print("skipped: no file system can be mounted")

    # A shipped folder is read, and never written to.
    before = {path.name: path.stat().st_mtime_ns for path in (base / "two").iterdir()}
    result, _ = finish(start("off", "5", TENSORC_CACHE_READ_DIR=str(base / "two")))
    assert result == (cold[0], 0, 5, 0), result
    assert {path.name: path.stat().st_mtime_ns for path in (base / "two").iterdir()} == before

    # A dump wants the compilation itself.
    result, _ = finish(start(base / "two", "1", TENSORC_DUMP=str(base / "dump")))
    assert result[1:] == (1, 0, 0), result
