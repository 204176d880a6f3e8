"""Replaces slices that are written one after the other by concatenations.

PyTorch decomposes circular padding into an empty tensor and writes of slices: the middle is written first, and the
ends are then copied from it. Each write would be a concatenation of everything so far. This rewrite resolves slices
of concatenations, so that one concatenation of slices of the image is left. If the parts use the same ranges of an
axis everywhere, as in paddings, it becomes one concatenation per axis: three parts per axis instead of 27 parts for
three axes.
"""

import torch

from ._table import aten


def _shape(node):
    value = node.meta.get("val")
    shape = list(value.shape) if isinstance(value, torch.Tensor) else [None]
    return shape if all(type(s) is int for s in shape) else None


class _Slices:
    def __init__(self, module):
        self.graph = module.graph
        self.parts = {}  # for each concatenation that was made here: the axis and the parts
        self.ranges = {}  # what `taken` found

    def node(self, target, *args):
        made = self.graph.call_function(target, args)
        values = torch.fx.node.map_arg(args, lambda n: n.meta["val"])
        made.meta["val"] = target(*values)
        return made

    def joined(self, parts, axis):
        flat = []
        for part in parts:
            inner = self.parts.get(part)
            flat += inner[1] if inner and inner[0] == axis else [part]
        if len(flat) == 1:
            return flat[0]
        made = self.node(aten.cat.default, flat, axis)
        self.parts[made] = (axis, flat)
        return made

    def part(self, x, axis, begin, end):
        """Returns x[begin:end] along the axis."""
        if (begin, end) == (0, _shape(x)[axis]):
            return x
        found = self.parts.get(x)
        if found is None:
            return self.node(aten.slice.Tensor, x, axis, begin, end)
        along, parts = found
        if along != axis:
            return self.joined([self.part(p, axis, begin, end) for p in parts], along)
        taken, place = [], 0
        for p in parts:
            size = _shape(p)[axis]
            low, high = max(begin - place, 0), min(end - place, size)
            if low < high:
                taken.append(self.part(p, axis, low, high))
            place += size
        return self.joined(taken, axis)

    def taken(self, node):
        """Returns a value and, for each of its axes, the ranges that are joined to make the
        node."""
        if node not in self.ranges:
            self.ranges[node] = self.joined_ranges(node) or self.sliced_ranges(node) or (node, [[(0, n)] for n in _shape(node) or ()])
        return self.ranges[node]

    def joined_ranges(self, node):
        axis, parts = self.parts.get(node, (0, ()))
        found = [self.taken(p) for p in parts]
        if not found or any(value is not found[0][0] for value, _ in found):
            return None
        value, ranges = found[0][0], [list(r) for r in found[0][1]]
        for _, more in found[1:]:
            if more[:axis] + more[axis + 1 :] != ranges[:axis] + ranges[axis + 1 :]:
                return None
            ranges[axis] += more[axis]
        return value, ranges

    def sliced_ranges(self, node):
        found = self.bounds(node, node.args[0]) if node.target is aten.slice.Tensor else None
        if found is None:
            return None
        axis, begin, end = found
        value, ranges = self.taken(node.args[0])
        kept, place = [], 0
        for low, high in ranges[axis]:
            first, last = max(begin - place, 0), min(end - place, high - low)
            kept += [(low + first, low + last)] if first < last else []
            place += high - low
        return value, [*ranges[:axis], kept, *ranges[axis + 1 :]]

    def axis_by_axis(self, node):
        """Returns the same value made by one concatenation per axis, or None if it already is a
        single concatenation or consists of several values."""
        value, ranges = self.taken(node)
        if value is node or sum(len(r) > 1 for r in ranges) < 2:
            return None
        for axis, parts in enumerate(ranges):
            size = _shape(value)[axis]
            taken = [value if p == (0, size) else self.node(aten.slice.Tensor, value, axis, *p) for p in parts]
            value = self.node(aten.cat.default, taken, axis) if len(taken) > 1 else taken[0]
        return value

    def bounds(self, node, values):
        """Returns the axis and the range of a slice; None if the slice has a step or symbolic
        bounds, or is empty."""
        names = [a.name for a in node.target._schema.arguments]
        given = dict(zip(names, node.args)) | node.kwargs
        axis, step = given.get("dim", 0), given.get("step", 1)
        numbers = [axis, step, given.get("start"), given.get("end")]
        shape = _shape(values)
        if shape is None or step != 1 or not all(n is None or type(n) is int for n in numbers):
            return None
        axis %= len(shape)
        begin, end, _ = slice(*numbers[2:]).indices(shape[axis])
        return (axis, begin, end) if begin < end else None

    def written(self, node):
        """Returns the value after a slice_scatter."""
        x, source = node.args[:2]
        found = self.bounds(node, x)
        if found is None or _shape(source) is None:
            return None
        axis, begin, end = found
        if source.target is aten.copy.default and source.args[1].meta["val"].dtype == source.meta["val"].dtype and \
                _shape(source.args[1]) == _shape(source):  # fmt: skip
            source = source.args[1]
        if source.meta["val"].dtype != node.meta["val"].dtype or _shape(source)[axis] != end - begin:
            return None
        size = _shape(x)[axis]
        before = [self.part(x, axis, 0, begin)] if begin else []
        after = [self.part(x, axis, end, size)] if end < size else []
        return self.joined([*before, source, *after], axis)

    def read(self, node):
        """Returns the value of a slice of a rewritten node."""
        found = self.bounds(node, node.args[0]) if node.args[0] in self.parts else None
        return found and self.part(node.args[0], *found)


def join_slices(module):
    """Rewrites the graph of an FX module."""
    if not any(n.target is aten.slice_scatter.default for n in module.graph.nodes):
        return
    slices = _Slices(module)
    for node in list(module.graph.nodes):
        rule = {aten.slice_scatter.default: slices.written, aten.slice.Tensor: slices.read}.get(node.target)
        if rule is None:
            continue
        with module.graph.inserting_before(node):
            made = rule(node)
        if made is not None:
            node.replace_all_uses_with(made)
            module.graph.erase_node(node)
    module.graph.eliminate_dead_code()
    for node in reversed(list(module.graph.nodes)):
        if node in slices.parts and node.users:
            with module.graph.inserting_before(node):
                made = slices.axis_by_axis(node)
            if made is not None:
                node.replace_all_uses_with(made)
                module.graph.eliminate_dead_code()
    module.recompile()
