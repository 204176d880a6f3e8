#!/usr/bin/env python3
"""Draws the ratios of a table as a chart with one bar per row, sorted, on a logarithmic scale.

  chart.py docs/tables/peers-zen5.csv "best ÷ ours" docs/pictures/peers.svg --title "267 rows beside the best peer"

A bar above 1 means that tensorc is faster in this row. The geometric mean is a line.
"""

import argparse
import csv
import math
import statistics

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 300, 46, 90, 44, 24
FASTER, SLOWER, MEAN, GRID = "#2f9e6e", "#d1605e", "#444", "#bbb"


def svg(ratios, title):
    low = min(0.5, *ratios)
    top, bottom = math.log2(max(2.0, *ratios)), math.log2(low)
    y = lambda ratio: TOP + (HEIGHT - TOP - BOTTOM) * (top - math.log2(ratio)) / (top - bottom)
    step = (WIDTH - LEFT - RIGHT) / len(ratios)
    mean = math.exp(statistics.fmean(map(math.log, ratios)))
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" '
           f'role="img" aria-label="{title}">')  # fmt: skip
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/><text x="{LEFT}" y="20" font-size="15">{title}</text>'
    for power in range(math.ceil(bottom), math.floor(top) + 1):
        at = y(2.0**power)
        yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="{GRID}" stroke-width="{2 if power == 0 else 0.5}"/>'
        yield f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{2.0**power:g}×</text>'
    for place, ratio in enumerate(sorted(ratios)):
        ends = sorted((y(ratio), y(1)))
        yield (f'<rect x="{LEFT + place * step:.2f}" width="{max(step * 0.85, 0.6):.2f}" y="{ends[0]:.1f}" '
               f'height="{max(ends[1] - ends[0], 0.5):.1f}" fill="{FASTER if ratio >= 1 else SLOWER}"/>')  # fmt: skip
    yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(mean):.1f}" y2="{y(mean):.1f}" stroke="{MEAN}" stroke-dasharray="5 4"/>'
    yield f'<text x="{WIDTH - RIGHT + 6}" y="{y(mean) + 4:.1f}">mean {mean:.2f}×</text>'
    yield f'<text x="{WIDTH - RIGHT + 6}" y="{y(1) + 4:.1f}">equal</text></svg>\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("column")
    parser.add_argument("picture")
    parser.add_argument("--title", default="")
    options = parser.parse_args()
    with open(options.table, encoding="utf-8", newline="") as file:
        ratios = [float(row[options.column]) for row in csv.DictReader(file) if row[options.column] not in ("", "–")]
    with open(options.picture, "w", encoding="utf-8") as file:
        file.write("\n".join(svg(ratios, options.title)))


if __name__ == "__main__":
    main()
