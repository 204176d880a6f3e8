#!/usr/bin/env python3
"""Runs the commands that a Markdown file shows and puts their output below them.

usage: refresh.py [--check] BIN FILE.md

BIN is the build's folder of tools. A shown output looks like this; `from`, `to`
and `without` are regular expressions and may be left out:

    <!-- shown: tensorc compile examples/softmax.mlir --stop-after=fuse
         from: the first line to show
         to: the last line to show
         without: lines like this -->
    ```mlir
    ...
    ```

Commands run in the project's root. Lines that are left out leave one `...`.
With --check the file stays as it is, and the status says whether it is fresh.
"""

import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
BLOCK = re.compile(r"(<!-- shown: (.*?) -->\n```\w*\n)(.*?)(^```$)", re.M | re.S)


def shorten(lines, options):
    """The lines between `from` and `to` that are not like `without`."""
    first = next((i for i, line in enumerate(lines) if re.search(options.get("from", ""), line)), None)
    if first is None:
        sys.exit(f"no line is like {options['from']}")
    last = len(lines)
    if "to" in options:
        last = next((i + 1 for i in range(first, len(lines)) if re.search(options["to"], lines[i])), last)
    kept = ["..."] if first else []
    for line in lines[first:last]:
        if "without" not in options or not re.search(options["without"], line):
            kept.append(line)
        elif kept[-1:] == [] or kept[-1].strip() != "...":
            kept.append(re.match(r" *", line)[0] + "...")
    return kept + ["..."] * (last < len(lines))


def output(comment, tools):
    """What a comment asks to show."""
    command, *rest = (line.strip() for line in comment.split("\n"))
    options = dict(line.split(": ", 1) for line in rest)
    env = {name: value for name, value in os.environ.items() if not name.startswith("TENSORC_")}
    env["PATH"] = tools + os.pathsep + env["PATH"]
    done = subprocess.run(shlex.split(command), cwd=ROOT, env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command}: status {done.returncode}\n{done.stderr}")
    return "\n".join(shorten(done.stdout.strip().split("\n"), options)) + "\n"


def main():
    check = "--check" in sys.argv
    arguments = [word for word in sys.argv[1:] if word != "--check"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    tools, path = os.path.abspath(arguments[0]), pathlib.Path(arguments[1])
    old = path.read_text()
    new = BLOCK.sub(lambda m: m[1] + output(m[2], tools) + m[4], old)
    if not check:
        path.write_text(new)
    elif new != old:
        sys.stdout.writelines(difflib.unified_diff(
            old.splitlines(True), new.splitlines(True), "as committed", "as it runs"))
        sys.exit(f"{path.name} is stale: tools/docs/refresh.py BIN {path.name}")


main()
