#!/usr/bin/env python3
"""Runs the commands that a Markdown file shows and puts their output below them.

usage: refresh.py [--check] BIN FILE.md

BIN is the build's folder of tools. Three kinds of blocks hold commands; they run in the
order of the file, in a folder that holds a copy of examples/.

A command for the writer, in a comment; the reader sees what it prints. `from`, `to`
and `without` are regular expressions and may be left out:

    <!-- shown: tensorc compile examples/softmax.mlir --stop-after=fuse
         from: the first line to show
         to: the last line to show
         without: lines like this -->
    ```mlir
    ...
    ```

Commands for the reader, each with what it prints:

    ```console
    $ tensorc compile examples/softmax.mlir --emit=asm --target=cpu:x86-64-v3 | grep -c zmm
    0
    ```

Commands for the reader whose output is of no interest, or never the same:

    <!-- run -->
    ```sh
    tensorc compile examples/softmax.mlir -o softmax.tcpkg
    ```

Lines that are left out leave one `...`. With --check the file stays as it is, and the
status says whether it is fresh; a command that fails is an error either way.
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


def shown(comment, place):
    """What a comment asks to show."""
    command, *rest = (line.strip() for line in comment.split("\n"))
    options = dict(line.split(": ", 1) for line in rest)
    return "\n".join(shorten(place.run(command).strip().split("\n"), options)) + "\n"


def console(text, place):
    """The commands of a transcript with what they print now."""
    commands = re.findall(r"^\$ (?:.*\\\n)*.*\n", text, re.M)
    return "".join(command + place.run(command[2:]) for command in commands)


def fresh(text, place):
    """The file's text with what its commands print now."""
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
