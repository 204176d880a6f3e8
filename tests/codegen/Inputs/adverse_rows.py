"""adverse_rows.py FOLDER: writes rows that are bad for a sort in parts (sort-parts.mlir), as i32.npy, f32.npy and i64.npy.

Rows: one that defeats the pivots, all keys equal but one, two values, an organ pipe, a saw, a saw downwards."""

import pathlib
import struct
import sys

LENGTH = 6007
COLUMN, PARTS_OF = 16, 64  # vectors in a sample, and in a part that the network takes
LEVELS = 40  # by samples; from there on pivots halve the range


LOADED = 4  # vectors that a partition loads before it stores any


def above(part, pivot, of, lanes):
    """The elements of a partition that are not below the pivot, in the order in which the sort leaves them."""
    step, back, rest = LOADED * lanes, len(part), [None] * len(part)
    head = len(part) % step + step
    left, right, front = head, len(part) - step, 0

    def move(vector):
        nonlocal front, back
        others = [i for i in vector if of(i) >= pivot]
        front, back = front + len(vector) - len(others), back - len(others)
        rest[back : back + len(others)] = others

    while left < right:
        if left - front <= back - right:
            source, left = left, left + step
        else:
            source = right = right - step
        for vector in range(source, source + step, lanes):
            move(part[vector : vector + lanes])
    copied = part[:head] + part[len(part) - step :]
    for vector in range(0, len(copied), lanes):
        move(copied[vector : vector + lanes])
    assert front == back
    return rest[back:]


def worst(lanes):
    """Each pivot is the median of lanes' medians over a sample. Nine of sixteen keys in just over half of the lanes get the
    smallest values that are left, so a partition takes off no more than those. What is left in the end has neighbours as
    values, at the low end of a range that pivots then halve."""
    values = [None] * LENGTH
    part, following, levels = list(range(LENGTH)), 0, 0
    while len(part) > PARTS_OF * lanes and levels <= LEVELS:
        apart = (len(part) - lanes) // (COLUMN - 1)
        known = [values[i] for i in part if values[i] is not None]
        for lane in range(lanes // 2 + 1):
            for vector in range(COLUMN // 2 + 1):
                i = part[vector * apart + lane]
                if values[i] is None:
                    values[i], following = following, following + 1
        sample = [[part[vector * apart + lane] for vector in range(COLUMN)] for lane in range(lanes)]
        of = lambda i: LENGTH if values[i] is None else values[i]
        medians = sorted(sorted(map(of, column))[COLUMN // 2] for column in sample)
        pivot = medians[lanes // 2]
        assert pivot < LENGTH and len(known) <= 1
        part, levels = above(part, pivot, of, lanes), levels + 1
    assert levels > LEVELS and len(part) > PARTS_OF * lanes, "the sample decides too well"
    for i in part:
        if values[i] is None:
            values[i], following = following, following + 1
    return values


def rows(lanes):
    half = LENGTH // 2
    return [
        worst(lanes),
        [9] + [7] * (LENGTH - 1),
        [i * 7919 % 13 % 2 for i in range(LENGTH)],
        list(range(half)) + list(range(LENGTH - half, 0, -1)),
        [i % 64 for i in range(LENGTH)],
        [-(i % 500) for i in range(LENGTH)],
    ]


def write(path, descr, code, keys):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }" % (descr, len(keys), LENGTH)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for row in keys:
            file.write(struct.pack(f"<{LENGTH}{code}", *row))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "i32.npy", "<i4", "i", rows(16))
    write(folder / "f32.npy", "<f4", "f", rows(16))
    write(folder / "i64.npy", "<i8", "q", rows(8))


main()
