"""The rows of compare.py in the order of the table."""

from peers import arrays, products, row, windows

FAMILIES = [
    products.linear, products.matmul, windows.conv, windows.conv_bn_relu, windows.conv_transpose, windows.pools, windows.norms, arrays.norms,
    products.attention, arrays.reductions, arrays.elementwise, arrays.permutations, arrays.movement, arrays.sorting, arrays.losses, arrays.programs,
]  # fmt: skip


def rows():
    for family in FAMILIES:
        yield from family()


def prepare(side, name):
    return row.prepare(next(r for r in rows() if r.name == name), side)
