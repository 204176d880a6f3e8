#!/usr/bin/env python3
"""Checks that emitters have few constants, because values that were measured on a processor belong in the tables of
costs.

An emitter may have constants that follow from a format, from an order or from the code itself. Values that may differ
on another processor, such as the size of a cache, the distance of a prefetch, a grain or a threshold, are rows of
codegen/kernel/costs/*.def or GpuCosts.def, or properties of the target. No order of additions (#tx.order) depends on a
cost.
"""

import re
import sys

import functions
import repo

EMITTERS, PLANS = "codegen/emitters/", "codegen/emitters/plans/"
MOST = 77  # integers in all emitters, none of which depends on the processor; decrease this number when one is removed
INTEGER = r"(?:(?:std::)?u?int\d+_t|(?:std::)?size_t|unsigned|long|int)"
CONSTANT = re.compile(rf"\bconstexpr\s+{INTEGER}\s+(?P<all>\w+\s*[={{][^;]*);|\bconst\s+{INTEGER}\s+(?P<literal>\w+\s*=\s*[\d(][^;]*);")
FACT = re.compile(r"(?i)line|page|cache|prefetch|stream|grain|latency|l[123](?:bytes|ways)")
ORDER = re.compile(r"^(?:static )?(?:llvm::|mlir::)?FailureOr<(?:mlir::)?tx::OrderAttr>\s+[\w:]+\(.*?^\}", re.S | re.M)
COST = re.compile(r"\b(?:costs\(\)|costs\.|gpuCosts|getCpuCosts)")


def names(text):
    """Returns (line, name) of each integer constant. Tables and doubles define values of functions and are not
    counted."""
    text = functions.NOT_CODE.sub(lambda m: "\n" * m[0].count("\n"), text)
    for match in CONSTANT.finditer(text):
        declared = match["all"] or match["literal"]
        while re.search(r"\([^()]*\)|\{[^{}]*\}|<[^<>]*>", declared):
            declared = re.sub(r"\([^()]*\)|\{[^{}]*\}|<[^<>]*>", "", declared)
        for part in declared.split(","):
            yield text.count("\n", 0, match.start()) + 1, re.match(r"\s*(\w+)", part)[1]


def main():
    root = repo.root(__doc__)
    found, bad = 0, 0
    for name in repo.files(root, ".h", ".cpp", ".inc"):
        if not name.startswith(EMITTERS):
            continue
        text = (root / name).read_text(encoding="utf-8")
        for line, constant in names(text):
            found += 1
            if FACT.search(constant):
                bad += 1
                print(f"{name}:{line}: {constant} is a fact or a cost: a row of codegen/kernel/costs, or of TargetFacts")
        for body in [text] if name.startswith(PLANS) else ORDER.findall(text):
            if COST.search(body):
                bad += 1
                print(f"{name}: an order depends on a cost")
    if found > MOST:
        bad += 1
        print(f"{EMITTERS}: {found} integer constants, above {MOST}")
    print(f"check_constants: {bad} violations" if bad else "check_constants: ok")
    sys.exit(bad > 0)


main()
