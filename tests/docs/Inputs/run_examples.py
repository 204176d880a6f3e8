"""Runs the example of every op in docs/ops.md: run_examples.py BIN OPS.md FOLDER

An example is one op on values that it does not define. They become the arguments of a
function, whose types the parser tells: it says which type a use expects. The function then
runs on the CPU with random inputs, against the reference.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

# Their vectors have the signs of an implementation.
FACTORS = {"tx.eigh", "tx.svd"}
# These parse and verify; what they name exists only inside a program.
PARSED_ONLY = {
    "tx.fusion": "is made by the planner, and refused before it",
    "tx.custom_call": "calls a function that the application registers",
    "tx.kernel_call": "calls a kernel of the program, on GPUs",
}
TYPE = re.compile(r"tensor<(?:[^<>]|<[^<>]*>)*>")

# Has no meaning alone: the examples of the ops around it show it.
TERMINATORS = ("tx.yield", "tx.return")


def examples(text):
    """(op, example or None) of every section."""
    for section in re.split(r"^### ", text, flags=re.M)[1:]:
        example = re.search(r"^```mlir\n(.*?)^```", section, re.M | re.S)
        yield re.match(r"`(.*?)`", section)[1], example and example[1]


def results(example):
    """The values that the last op at the outermost level defines."""
    defined = re.findall(r"^(%[^=]*?) =", example, re.M)[-1].split(",")
    for name in (name.strip() for name in defined):
        base, _, count = name.partition(":")
        yield from (f"{base}#{i}" for i in range(int(count))) if count else (name,)


def wrap(example, types, outputs):
    arguments = ", ".join(f"{name}: {type}" for name, type in types.items())
    returned = ", ".join(outputs.values())
    return (f"func.func @main({arguments}) -> ({returned}) {{\n{example}"
            f"return {', '.join(outputs)} : {returned}\n}}\n")


def function(tool, example):
    """The example as a function, or the parser's last message."""
    first = TYPE.search(example)[0]
    defined = set(re.findall(r"^\s*(%\w+)(?::\d+)?(?:, %\w+)* =|(?<=[(,]) ?(%\w+): ", example, re.M))
    defined = {name for pair in defined for name in pair} | {name.split("#")[0] for name in results(example)}
    types = {name: first for name in re.findall(r"%[a-z]\w*", example) if name not in defined}
    outputs = {name: first for name in results(example)}
    # The parser's message does not say which of several results it means.
    signature = re.search(r"-> \(([^()]*)\)", example)
    if signature and len(TYPE.findall(signature[1])) == len(outputs):
        outputs = dict(zip(outputs, TYPE.findall(signature[1])))
    while True:
        text = wrap(example, types, outputs)
        done = subprocess.run([tool, "-"], input=text, capture_output=True, text=True)
        wrong = re.search(r"use of value '(%[\w#]+)' expects different type than prior uses: '(.*?)' vs '(.*?)'$",
                          done.stderr, re.M)
        if done.returncode == 0 or not wrong:
            return text, done.stderr
        name, wanted, given = wrong.groups()
        known = types if name in types else outputs
        fixed = wanted if known is types else given
        if known.get(name) == fixed:
            return text, done.stderr
        known[name] = fixed


def check(bin, folder, op, example):
    """What is wrong with the example of an op; none if nothing is."""
    if not example:
        return "error: has no example"
    if op not in example:
        return "error: is not in its own example"
    text, errors = function(os.path.join(bin, "tensorc-opt"), example)
    if errors:
        return errors
    if op in PARSED_ONLY:
        return None
    path = folder / f"{op}.mlir"
    path.write_text(text)
    compare = [] if op in FACTORS else ["--compare=reference"]
    done = subprocess.run([os.path.join(bin, "tensorc"), "run", path, "--device=cpu", "--random-inputs", *compare],
                          capture_output=True, text=True)
    if done.returncode or ("compare " not in done.stdout and compare):
        return text + done.stdout + done.stderr
    return None


def main():
    bin, document, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    found = [pair for pair in examples(document.read_text()) if pair[0] not in TERMINATORS]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = list(pool.map(lambda pair: check(bin, folder, *pair), found))
    for (op, _), what in zip(found, wrong):
        if what:
            print(f"{op}: {what}")
    print(f"{len(found)} ops, {sum(map(bool, wrong))} wrong")
    sys.exit(any(wrong))


main()
