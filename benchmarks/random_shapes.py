#!/usr/bin/env python3
"""Compares computations of random shapes, for which nothing was tuned, with eager PyTorch, and prints the distribution
of the ratios.

  PYTHONPATH=build/python python3 benchmarks/random_shapes.py                       500 shapes of each family, which takes hours
  ... random_shapes.py --count=60 --families=product,convolution --output=FILE.csv  the first 60 of two families
  ... random_shapes.py --families=product --numbers=17,23                           some shapes again

A shape is determined by its family and its number (peers/drawn.py). So the first N of 500 shapes are a sample, and any
shape can be measured again. Both libraries run in separate processes on one core and take turns. A time is the median
over all rounds of the CPU time of a call. The ratio is PyTorch's time divided by that of tensorc. The rows of a table
are sorted by ratio. A summary has percentiles and the worst ten rows.
"""

import argparse
import csv
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from compare import error, mean, processor  # noqa: E402
from peers.drawn import FAMILIES, drawn  # noqa: E402
from peers.sides import Side, cores, environment, in_turns  # noqa: E402


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", default=",".join(FAMILIES), help=f"of {', '.join(FAMILIES)}, with commas")
    parser.add_argument("--count", type=int, default=500, help="shapes of each family")
    parser.add_argument("--numbers", help="these shapes alone, with commas")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--milliseconds", type=float, default=10, help="the least time of a side in a round")
    parser.add_argument("--core", type=int, default=cores()[0])
    parser.add_argument("--output", help="a file for the table")
    return parser.parse_args()


def measure(options, family, number, sides):
    """Returns the name and the milliseconds of tensorc and of eager PyTorch, or the error."""
    row = drawn(family, number)
    try:
        (expected, _), (values, _) = (side.ask("prepare", family, number) for side in sides)
        if not (difference := error(expected, values)) <= row.tolerance:
            return row.name, f"differs by {difference:.1e}"
        seconds = in_turns(sides, options.rounds, options.milliseconds)
    except RuntimeError as e:
        return row.name, str(e)
    return row.name, [seconds[side.name] * 1e3 for side in sides]


def percentile(ratios, share):
    return sorted(ratios)[min(len(ratios) - 1, int(share * len(ratios)))]


def summary(family, made):
    """Returns the summary of a family: percentiles of the ratio, and the worst ten rows."""
    ratios = {name: ms[1] / ms[0] for _, name, ms in made}
    shown = " | ".join(f"{percentile(ratios.values(), p / 100):.2f}" for p in (0, 5, 25, 50, 75))
    low = sum(r < 0.7 for r in ratios.values())
    worst = [f"  - {name}: {ratio:.2f}" for name, ratio in sorted(ratios.items(), key=lambda pair: pair[1])[:10]]
    return f"| {family} | {len(made)} | {mean(ratios.values()):.2f} | {shown} | {low} |", worst


def write(path, made):
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["family", "number", "row", "ours, ms", "eager, ms", "eager ÷ ours"])
        for family, number, name, (ours, eager) in made:
            rows.writerow([family, number, name, f"{ours:.4g}", f"{eager:.4g}", f"{eager / ours:.2f}"])


def main():
    options = parsed()
    sides = [Side(name, "peers.drawn", options.core, environment()) for name in ("ours", "eager")]
    numbers = [int(n) for n in options.numbers.split(",")] if options.numbers else range(options.count)
    made, wrong, lines = [], [], []
    for family in options.families.split(","):
        of_family = []
        for number in numbers:
            name, result = measure(options, family, number, sides)
            if isinstance(result, str):
                wrong.append(f"{family} {number}, {name}: {result}")
                print(wrong[-1], flush=True)
                continue
            of_family.append((number, name, result))
            print(f"{family} {number}, {name}: {result[0]:.4g} and {result[1]:.4g} ms, {result[1] / result[0]:.2f}", flush=True)
        if of_family:
            made += [(family, *r) for r in sorted(of_family, key=lambda r: r[2][1] / r[2][0])]
            lines.append(summary(family, of_family))
        if options.output:  # a run that is aborted still writes its results so far
            write(options.output, made)
    print(f"\n{processor()}, one thread, processor time; eager PyTorch ÷ ours\n")
    print("| family | shapes | geometric mean | least | 5 % | 25 % | median | 75 % | below 0.7 |\n|" + "---|" * 9)
    print("\n".join(line for line, _ in lines))
    for (line, worst) in lines:
        print(f"\nworst of {line.split('|')[1].strip()}:\n" + "\n".join(worst))
    if wrong:
        print("\nwent wrong:\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
