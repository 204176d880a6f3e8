"""tests/served.py with a stand-in for tensorc-test-server: SOURCE_DIR FOLDER."""

import pathlib
import stat
import subprocess
import sys

source, folder = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, f"{source}/tests")
import served  # noqa: E402

NPY = ["python", "write_npy.py"]


def step(line):
    return served.step(line, "/bin/tensorc", NPY)


def shape(line):
    s = step(line)
    return s and (s.words, s.environment, s.fails, s.merged, s.check)


# What a shell must run, and what not.
assert step("python write_npy.py x.npy f32 '[1, nan]'").words == ["x.npy", "f32", "[1, nan]"]
assert shape("/bin/tensorc run x --entry=y") == (["run", "x", "--entry=y"], {}, False, False, None)
assert shape("not env A=1 B=x=y /bin/tensorc run x 2>&1 | FileCheck f --check-prefix=P") == (
    ["run", "x"], {"A": "1", "B": "x=y"}, True, True, ["f", "--check-prefix=P"])
for line in ("rm -rf x", "/bin/tensorc run x > y", "/bin/tensorc run x 2>/dev/null", "/bin/tensorc run *.mlir",
             "/bin/tensorc run x && /bin/tensorc run y", "/bin/tensorc run x | FileCheck f --strict-whitespace",
             "/bin/tensorc run x | sort | FileCheck f", "/bin/tensorc run x | sort", "/bin/tensorc-opt x", "not rm x", "/bin/tensorc run x --max-time=1",
             "! /bin/tensorc run x", "python write_npy.py x.npy f32 '[1]' > y"):
    assert step(line) is None, line

server = folder / "server.py"
server.write_text(f"#!{sys.executable}\n" + """
import json, os, sys, time
for line in sys.stdin:
    request = json.loads(line)
    words = request["words"]
    open(request["out"], "a").write(" ".join(words) + "\\n")
    open(request["err"], "a").write("says " + words[-1] + "\\n")
    if "die" in words: os.abort()
    if "wait" in words: time.sleep(60)
    print(3 if "refuse" in words or words == ["leaks"] and os.environ.get("LEAKS") else 0, flush=True)
""")
server.chmod(server.stat().st_mode | stat.S_IXUSR)


def run(name, *lines, limit=0, environment={}):
    session = served.Session(str(server), name, environment, str(folder), str(folder / name), limit)
    return session.run(lines, [step(line) for line in lines])


assert run("good", "/bin/tensorc a", "not /bin/tensorc refuse", f"python write_npy.py {folder}/x.npy f32 '[1]'") is None
assert (folder / "x.npy").stat().st_size == 128 + 4
assert "exit status 3" in run("refused", "/bin/tensorc refuse")
assert "says refuse" in run("refused", "/bin/tensorc refuse")
assert "exit status 0" in run("allowed", "not /bin/tensorc a")
assert "something else" in run("unlike", "/bin/tensorc a | FileCheck refuse")
assert "ragged" in run("ragged", "python write_npy.py x.npy f32 '[[1], 2]'")
# Every eighth test checks for leaks of all since the last check.
for i in range(served.TESTS_PER_LEAK_CHECK - 1):
    assert run(f"leaky{i}", "env LEAKS=1 /bin/tensorc a") is None
assert "leaked in one of: leaky0, leaky1, " in run("last", "env LEAKS=1 /bin/tensorc a")

# One process for all of these; that which dies is named, and the next test has another.
died = run("dies", "/bin/tensorc die | FileCheck f")
assert "status -6" in died and "ran before: good, refused, refused, allowed, unlike" in died and "says die" in died
assert run("after", "/bin/tensorc a") is None
assert "status -6" in run("dies", "not /bin/tensorc die")
try:
    run("slow", "/bin/tensorc wait", limit=0.5)
    raise AssertionError("no limit")
except served.TimedOut:
    assert run("after", "/bin/tensorc a") is None

# The end of a worker checks its last tests, and lit then fails.
lit = folder / "lit.py"
lit.write_text(f"""
import multiprocessing, sys
sys.path[:0] = {sys.path!r}
import served

def test(name):
    session = served.Session({str(server)!r}, name, {{}}, {str(folder)!r}, {str(folder)!r} + "/" + name, 0)
    assert session.run(["a"], [served.Tool(["a"], {{"LEAKS": name}} if name else {{}}, False, False, None)]) is None

served.Server.report_leaks()
with multiprocessing.Pool(1) as pool:
    pool.map(test, sys.argv[1:])
    pool.close()
    pool.join()
print("all tests passed")
""")
for names, status, says in ((["x", "y"], 1, "says leaks\n\nmemory leaked in one of: x\n"), ([""], 0, "")):
    ended = subprocess.run([sys.executable, lit, *names], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout.startswith("all tests passed\n"), says in ended.stdout) == (status, True, True), ended
print("served")
