#!/usr/bin/env python3
"""Compares the output of the tools' --help with docs/tensorc.md.

usage: check_help.py BIN FILE.md

Each subcommand must have a section `## tensorc NAME` (tensorc-opt a section `## tensorc-opt`). Each option must have a
heading in this section and an example that uses it. The examples of the help texts are run in a folder where y.mlir is
a program, x.npy its argument, and loss.mlir a program whose result can be differentiated.
"""

import pathlib
import re
import shutil
import sys

from commands import ROOT, Place

OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)")


def options_of_help(text):
    """Returns the first word of each line under `options:`, such as `-o` or `--emit`."""
    listing = text.partition("\noptions:\n")[2].partition("\nexamples:\n")[0]
    return {spelled(word) for word in re.findall(r"^  (--?\S+)", listing, re.M)}


def spelled(word):
    name = OPTION.match(word)[1]
    return "-O" if name.startswith("-O") else name


def examples_of_help(text):
    return text.partition("\nexamples:\n")[2].partition("\n\n")[0].splitlines()


def section(document, title):
    match = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", document, re.M | re.S)
    return match[1] if match else ""


def check_section(title, listed, text):
    """Returns the errors in the section of one command."""
    headings = {spelled(word) for line in re.findall(r"^### (.*)$", text, re.M) for word in OPTION.findall(line)}
    # Only the blocks that refresh.py runs.
    blocks = re.findall(r"(?:^<!-- run -->\n```sh|^```console)\n(.*?)^```", text, re.M | re.S)
    commands = re.findall(rf"(?<![\w-]){re.escape(title)}\b(?:.*\\\n)*.*", "".join(blocks))
    used = {spelled(word) for command in commands for word in OPTION.findall(command)}
    for name in sorted(listed - headings):
        yield f"{title}: {name} has no heading"
    for name in sorted(headings - listed):
        yield f"{title}: {name} has a heading, but is not an option"
    for name in sorted((listed & headings) - used):
        yield f"{title}: {name} has no example that runs"
    if not commands:
        yield f"{title}: no example that runs"


def check_command(title, place, document):
    help_text = place.run(f"{title} --help")
    listed = options_of_help(help_text)
    if title == "tensorc-opt":
        # LLVM prints the first part of this list; our options are the passes.
        listed = set(re.findall(r"^ +(--txp?k?-[\w-]+|--cpu-[\w-]+)", help_text, re.M))
        text = section(document, title)
        missing = sorted(name for name in listed if f"`{name}`" not in text)
        errors = [f"{title}: {name} is not described" for name in missing]
    else:
        errors = list(check_section(title, listed, section(document, title)))
    examples = [line.strip() for line in examples_of_help(help_text)]
    if not examples:
        errors.append(f"{title}: the help text has no example")
    for line in examples:
        place.run(line)
    return errors


def main():
    tools, path = sys.argv[1:]
    document = pathlib.Path(path).read_text()
    with Place(tools) as place:
        shutil.copy(ROOT / "examples/softmax.mlir", place.folder / "y.mlir")
        shutil.copy(ROOT / "examples/gradients/loss.mlir", place.folder)
        place.run("tensorc run y.mlir --random-inputs --output-dir=. && mv y.npy x.npy")
        names = re.findall(r"^  (\w+) ", place.run("tensorc --help").partition("subcommands:\n")[2], re.M)
        titles = [f"tensorc {name}" for name in names] + ["tensorc-opt"]
        errors = [error for title in titles for error in check_command(title, place, document)]
    if errors:
        sys.exit("\n".join(errors) + f"\n{path} describes every option, with an example that runs")


main()
