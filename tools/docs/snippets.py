#!/usr/bin/env python3
"""Runs the C++ snippets of a guide and compares their output.

  snippets.py --write=PROGRAM.cpp GUIDE.md ...      one program of all snippets
  snippets.py --run=PROGRAM GUIDE.md ... [--refresh] runs it, and compares
  snippets.py --write-c=BODY.inc GUIDE.md ... the C of guides, for a function of a test

Each ```c++ block is a separate scope within one function per guide, so later blocks do not see its names. A block after
`<!-- file scope -->` is at file scope: all later blocks of the guide can use its functions and types. A block after
`<!-- not run: WHY -->` is ignored. A ```text block that follows a c++ block, with at most one line of text between
them, is the expected output. --refresh updates the expected output in the guides.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MARK = "=== snippet "
BLOCK = re.compile(r"(?:<!-- (?P<how>file scope|not run)(?::[^\n]*)? -->\n)?```c\+\+\n(?P<code>.*?)^```\n"
                   r"(?P<printed>\n?(?:[^`\n]*\n)?\n?```text\n(?P<text>.*?)^```\n)?", re.S | re.M)  # fmt: skip


def blocks(guide):
    text = guide.read_text()
    for match in BLOCK.finditer(text):
        if match["how"] != "not run":
            yield match, text.count("\n", 0, match.start("code")) + 1


def program(guides):
    lines = ["// Written by tools/docs/snippets.py.", '#include "tensorc/optim.hpp"', '#include "tensorc/module.hpp"', '#include "tensorc/lbfgs.hpp"', '#include "tensorc/precision.hpp"', '#include "tensorc/tape.hpp"', '#include "tensorc/vmap.hpp"', "", "#include <cmath>",
             "#include <iostream>", "#include <map>", "#include <thread>", "", "using namespace tensorc;"]  # fmt: skip
    for n, guide in enumerate(guides):
        body = []
        lines.append(f"namespace guide{n} {{")
        for match, line in blocks(guide):
            # The snippet keeps its line numbers when a text before it changes.
            code = ['#line 1 "main.cpp"', match["code"].rstrip("\n")]
            if match["how"] == "file scope":
                lines += code
            else:
                body += [f'std::cout << "\\n{MARK}{guide.name}:{line}\\n";', "{", *code, "}"]
        lines += ["static void run() {", *body, "}", "} // namespace"]
    calls = [f"  guide{n}::run();" for n in range(len(guides))]
    lines += ["int main() {", "  std::cout << std::boolalpha;", *calls, "}", ""]
    return "\n".join(lines)


def c_blocks(guides):
    return "".join(re.findall(r"^```c\n(.*?)^```\n", "".join(g.read_text() for g in guides), re.S | re.M))


def outputs(tool):
    """Returns the output of each snippet by its position."""
    with tempfile.TemporaryDirectory() as folder:
        env = {name: value for name, value in os.environ.items() if not name.startswith("TENSORC_") or "SIM" in name}
        done = subprocess.run([os.path.abspath(tool)], cwd=folder, env=env | {"TENSORC_THREADS": "2"},
                              capture_output=True, text=True)  # fmt: skip
    printed = {}
    for part in done.stdout.split("\n" + MARK)[1:]:
        place, _, text = part.partition("\n")
        printed[place] = text.strip("\n")
    if done.returncode:
        last = list(printed)[-1] if printed else "the start"
        sys.exit(f"{last}: status {done.returncode}\n{done.stderr}")
    return printed


def compare(guide, printed):
    """Returns the guide with the output of its snippets, and the positions at which the output differs."""
    text, edits, wrong = guide.read_text(), [], []
    for match, line in blocks(guide):
        if match["how"] or match["printed"] is None:
            continue
        now = printed[f"{guide.name}:{line}"]
        if now.split() != match["text"].split():
            wrong.append(f"{guide.name}:{line}: shows\n{match['text']}and prints\n{now}\n")
        edits.append((match.start("text"), match.end("text"), now + "\n"))
    for start, end, now in reversed(edits):
        text = text[:start] + now + text[end:]
    return text, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write")
    parser.add_argument("--write-c")
    parser.add_argument("--run")
    parser.add_argument("--refresh", action="store_true")
    parser.add_argument("guides", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    if args.write:
        pathlib.Path(args.write).write_text(program(args.guides))
        return
    if args.write_c:
        pathlib.Path(args.write_c).write_text(c_blocks(args.guides))
        return
    printed, bad = outputs(args.run), []
    for guide in args.guides:
        text, wrong = compare(guide, printed)
        if args.refresh:
            guide.write_text(text)
        else:
            bad += wrong
    print("".join(bad) + f"{len(printed)} snippets, {len(bad)} wrong")
    sys.exit(bool(bad))


main()
