#!/usr/bin/env python3
"""Runs the commands in a Markdown file and writes their output below them.

usage: refresh.py [--check] BIN FILE.md

BIN is the folder of the build's tools. Three kinds of blocks contain commands. They run in the order of the file, in a
folder with a copy of examples/.

1. A command in a comment, of which readers see only the output. `from`, `to` and `without` are regular expressions and
may be omitted:

    <!-- shown: tensorc compile examples/softmax.mlir --stop-after=fuse
         from: the first line to show
         to: the last line to show
         without: lines like this -->
    ```mlir
    ...
    ```

2. Commands that readers see, each followed by its output:

    ```console
    $ tensorc compile examples/softmax.mlir --emit=asm --target=cpu:x86-64-v3 | grep -c zmm
    0
    ```

3. Commands that readers see, but whose output is irrelevant or changes at each run:

    <!-- run -->
    ```sh
    tensorc compile examples/softmax.mlir -o softmax.tcpkg
    ```

Omitted lines are replaced by one `...`. With --check the file is not changed, and the exit status tells whether it is
up to date. A command that fails is an error in both cases.
"""

import difflib
import pathlib
import re
import sys

from commands import Place

BLOCK = re.compile(r"^(?:(?P<head><!-- shown: (?P<comment>.*?) -->\n```\w*\n)(?P<shown>.*?)"
                   r"|```console\n(?P<console>.*?)"
                   r"|<!-- run -->\n```sh\n(?P<run>.*?))^```$", re.M | re.S)


def shorten(lines, options):
    """Returns the lines between `from` and `to` that do not match `without`."""
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


def shown(comment, place):
    """Returns the output that a comment requests."""
    command, *rest = (line.strip() for line in comment.split("\n"))
    options = dict(line.split(": ", 1) for line in rest)
    return "\n".join(shorten(place.run(command).strip().split("\n"), options)) + "\n"


def console(text, place):
    """Returns the commands of a transcript with their current output."""
    commands = re.findall(r"^\$ (?:.*\\\n)*.*\n", text, re.M)
    return "".join(command + place.run(command[2:]) for command in commands)


def fresh(text, place):
    """Returns the text of the file with the current output of its commands."""
    def block(match):
        if match["comment"]:
            return match["head"] + shown(match["comment"], place) + "```"
        if match["console"]:
            return "```console\n" + console(match["console"], place) + "```"
        place.run(match["run"])
        return match[0]
    return BLOCK.sub(block, text)


def main():
    check = "--check" in sys.argv
    arguments = [word for word in sys.argv[1:] if word != "--check"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    path = pathlib.Path(arguments[1])
    old = path.read_text()
    with Place(arguments[0]) as place:
        new = fresh(old, place)
    if not check:
        path.write_text(new)
    elif new != old:
        sys.stdout.writelines(difflib.unified_diff(
            old.splitlines(True), new.splitlines(True), "as committed", "as it runs"))
        sys.exit(f"{path.name} is stale: tools/docs/refresh.py BIN {path.name}")


main()
