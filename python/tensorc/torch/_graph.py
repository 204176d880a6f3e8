"""FX graphs as steps: segments, each of which is one function of tensorc, and nodes between them that run in PyTorch."""

import operator
import time
from collections import Counter

import torch
from torch import fx

from .. import _core
from .._device import device
from . import _complex, _interpolation, _layers, _linalg, _reductions, _shapes  # noqa: F401 (they fill the table)
from ._table import DTYPES, Array, Known, cast, table

_cpu = device("cpu")
_table = getattr(torch.Tensor, "__dlpack_c_exchange_api__", None)


def hint(value):
    """Returns a size as a number. For a symbol this is its value in the example."""
    return value.node.hint if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)) else value


def to_array(tensor):
    """Returns an array that shares the tensor's memory. A lazy conjugate or negation is
    materialized first."""
    if tensor.is_conj() or tensor.is_neg():
        tensor = tensor.resolve_conj().resolve_neg()
    return _core.from_dlpack(torch._C._to_dlpack(tensor.detach() if tensor.requires_grad else tensor))


def to_tensor(array):
    return torch._C._from_dlpack(array.__dlpack__())


def _tensors(value):
    return [v for v in (value if isinstance(value, (tuple, list)) else [value]) if isinstance(v, torch.Tensor)]


def _why_not(node):
    """Returns the reason why a node must run in PyTorch, as far as it is known without running
    the node; else None."""
    if node.op != "call_function" or node.target not in table:
        return "no conversion"
    for value in [node.meta.get("val"), *(a.meta.get("val") for a in node.all_input_nodes)]:
        for tensor in _tensors(value):
            if tensor.dtype not in DTYPES:
                return f"elements of {tensor.dtype}"
            if tensor.device.type != "cpu":
                return f"the device {tensor.device.type}"
            if tensor.layout is not torch.strided:
                return f"the layout {tensor.layout}"
            if _is_unbacked(tensor):
                return "a size that depends on values"
    return None


def _convert(node, env, key=None, counter=None):
    """Computes the node's value from the values of earlier nodes."""
    known = Known(node)
    known.key, known.count = key, counter[0] if counter else 0
    args, kwargs = fx.map_arg((node.args, node.kwargs), lambda a: env[a])
    value = table[node.target](known, *args, **kwargs)
    if counter:
        counter[0] = known.count
    if isinstance(value, (tuple, list)):
        return [_fitted(v, m) if isinstance(v, Array) else v for v, m in zip(value, known.values)]
    return _fitted(value, known.values[0])


def _fitted(value, meta):
    return cast(value, DTYPES[meta.dtype]) if isinstance(value, Array) and isinstance(meta, torch.Tensor) else value


def _example(value):
    """Returns an argument of a trace with the dtype and shape of a value in the graph."""
    if isinstance(value, torch.Tensor):
        zeros = _core.full(DTYPES[value.dtype], [hint(s) for s in value.shape], 0)
        return _core.trace_argument_like(zeros)
    if isinstance(value, (tuple, list)):
        return [_example(v) for v in value]
    return hint(value)


def _first_line(error):
    return str(error).split("\n")[0].split("  at ")[0] or type(error).__name__


def _checked(node, env):
    """Converts the node for traced arguments. Returns (value, None), or (None, reason) if that fails or gives shapes
    that differ from PyTorch's."""
    try:
        value = _convert(node, env, _core.trace_argument_like(_core.full(DTYPES[torch.int64], (), 0)))
        made = value if isinstance(value, list) else [value]
        for one, meta in zip(made, Known(node).values):
            if isinstance(one, Array) and isinstance(meta, torch.Tensor):
                shape = tuple(hint(s) for s in meta.shape)
                if tuple(one.shape) != shape:
                    return None, f"a shape of {tuple(one.shape)} in the place of {shape}"
        return value, None
    except Exception as error:  # after any error, PyTorch computes the node
        return None, _first_line(error)


def _is_symbolic(tensor):
    return any(isinstance(s, torch.SymInt) for s in (*tensor.shape, *tensor.stride()))


def _is_unbacked(tensor):
    """True if a size of the tensor is known only at run time."""
    return any(isinstance(s, torch.SymInt) and not s.node.has_hint() for s in tensor.shape)


def _layout(tensor):
    """Returns the layout of the elements: None if row-major, else the strides, or the order of
    the axes if sizes are symbols."""
    sizes, strides = [hint(s) for s in tensor.shape], [hint(s) for s in tensor.stride()]
    used = [i for i in range(len(sizes)) if sizes[i] != 1]
    order = sorted(used, key=lambda i: -strides[i])
    if 0 in sizes or order == used and tensor.is_contiguous():
        return None
    if not _is_symbolic(tensor):
        return strides
    return [i for i in range(len(sizes)) if sizes[i] == 1] + order


def _laid_out(value, layout, is_order):
    """Returns the tensor's elements in another layout."""
    if is_order:
        back = sorted(range(len(layout)), key=layout.__getitem__)
        return value.permute(layout).contiguous().permute(back)
    # An axis of stride 0 is stored once.
    once = [1 if step == 0 else size for size, step in zip(value.shape, layout)]
    made = torch.empty_strided(once, layout, dtype=value.dtype)
    made.copy_(value[tuple(slice(0, size) for size in once)])
    return made.expand(value.shape)


class Segment:
    """Nodes that run as one function. Its inputs are values of other steps, its outputs the values that other steps
    need."""

    def __init__(self, nodes, users):
        inside = set(nodes)
        self.nodes = nodes
        self.inputs = list(dict.fromkeys(a for n in nodes for a in n.all_input_nodes if a not in inside))
        self.outputs = [n for n in nodes if any(u not in inside for u in users[n])]
        self.is_random = any(n.target in _reductions.RANDOM for n in nodes)
        metas = [n.meta.get("val") for n in self.outputs]
        self.layouts = [_layout(m) if isinstance(m, torch.Tensor) else None for m in metas]
        self.are_orders = [isinstance(m, torch.Tensor) and _is_symbolic(m) for m in metas]
        self.why = None  # the reason why PyTorch runs the whole segment, or None
        self.laid_out = [i for i, layout in enumerate(self.layouts) if layout is not None]
        self.jit = _core.Jit(self.trace)
        self.call = _core.Exchanged(self.jit, _table, torch.Tensor) if _table else self.by_capsules

    def trace(self, key, *values):
        env = dict(zip(self.inputs, values))
        counter = [0]
        with _cpu:
            for node in self.nodes:
                env[node] = _convert(node, env, key, counter)
        return [env[n] for n in self.outputs]

    def by_capsules(self, key, values):
        """Calls the function without DLPack's exchange table, for versions of PyTorch that lack
        it. Results are copies."""
        made = self.jit(key, *(to_array(v) if isinstance(v, torch.Tensor) else v for v in values))
        return [to_tensor(v) if isinstance(v, Array) else v for v in made]

    def leave(self, values):
        """Runs the nodes in PyTorch instead."""
        env = dict(zip(self.inputs, values))
        for node in self.nodes:
            env[node] = _run(node, env)
        return [env[n] for n in self.outputs]

    def run(self, values):
        """Returns the values of the outputs for values of the inputs."""
        if self.why is not None:
            return self.leave(values)
        key = to_array(torch.randint(2**62, ())) if self.is_random else None
        try:
            made = self.call(key, values)
        except MemoryError:
            raise
        # A value has another size than the one that was checked, or the compiler failed.
        except Exception as error:
            self.why = _first_line(error)
            return self.leave(values)
        for i in self.laid_out:
            made[i] = _laid_out(made[i], self.layouts[i], self.are_orders[i])
        return made

    def __call__(self, env):
        env.update(zip(self.outputs, self.run([env[n] for n in self.inputs])))


def _storages(node):
    """Returns the storages of a node's tensors, as far as the graph knows them."""
    tensors = [t for t in _tensors(node.meta.get("val")) if t.layout is torch.strided]
    return {t.untyped_storage()._cdata for t in tensors}


def _run(node, env):
    """Runs the node in PyTorch and returns its value."""
    args, kwargs = fx.map_arg((node.args, node.kwargs), lambda a: env[a])
    return node.target(*args, **kwargs)


def _has_gradient(node):
    return any(t.is_floating_point() or t.is_complex() for t in _tensors(node.meta.get("val")))


def _shared_views(result, mode):
    """Returns, in order and with their bases, the views that the graph returns together with
    other values that share their memory, and the views between them. In training, AOTAutograd
    itself recreates views of bases with a gradient."""
    returned = list(dict.fromkeys(n for n in result.all_input_nodes if mode == "inference" or mode == "forward" and not _has_gradient(n)))
    counts = Counter(s for n in returned for s in _storages(n))
    views, bases = {}, {}
    for node in returned:
        chain, storage = [], _storages(node)
        if not any(counts[s] > 1 for s in storage):
            continue
        while (parent := next((a for a in node.all_input_nodes if _storages(a) & storage), None)) is not None:
            chain.append(node)
            node = parent
        if chain and not isinstance(node.meta.get("val"), torch.Tensor):
            node = chain.pop()  # selects one of several results
        if node.op == "call_function":  # AOTAutograd itself makes views of arguments
            views.update(dict.fromkeys(reversed(chain)))
    for view in views:
        bases.update((a, None) for a in view.all_input_nodes if a not in views)
    return list(views), list(bases)


class Eager:
    """A node that runs in PyTorch."""

    def __init__(self, module, node, why):
        self.module, self.node, self.why = module, node, why

    def __call__(self, env):
        env[self.node] = _run(self.node, env)


class Graph:
    """A compiled ATen graph: a function that takes a list of the placeholders' values, empties the list, and returns
    the graph's results."""

    def __init__(self, module, mode):
        start = time.perf_counter()
        self.module, self.mode = module, mode
        self.placeholders = [n for n in module.graph.nodes if n.op == "placeholder"]
        (self.result,) = (n for n in module.graph.nodes if n.op == "output")
        self.constants = {n: _attribute(module, n.target) for n in module.graph.nodes if n.op == "get_attr"}
        nodes = [n for n in module.graph.nodes if n.op not in ("placeholder", "output", "get_attr")]
        self.nodes = len(nodes)
        self.views, bases = _shared_views(self.result, mode)
        unused = {self.result}
        for view in reversed(self.views):
            if unused.issuperset(view.users):
                unused.add(view)
        nodes = [n for n in nodes if n not in unused]
        self.steps = self.parts(nodes, self.refused(nodes), bases)
        self.last = {}
        for i, step in enumerate(self.steps):
            for node in step.inputs if isinstance(step, Segment) else step.node.all_input_nodes:
                self.last[node] = i
        returned = {*self.result.all_input_nodes, *bases}
        self.dead = [[n for n, last in self.last.items() if last == i and n not in returned] for i in range(len(self.steps))]
        self.places = self.one_segment()
        self.seconds = time.perf_counter() - start
        self.calls = 0

    @property
    def fallbacks(self):
        """Returns the number of nodes that run in PyTorch, by operation and reason."""
        found = Counter((str(s.node.target), s.why) for s in self.steps if isinstance(s, Eager))
        for segment in self.steps:
            if isinstance(segment, Segment) and segment.why is not None:
                found.update((str(n.target), segment.why) for n in segment.nodes)
        return found

    def refused(self, nodes):
        """Returns the reason for each node that runs in PyTorch."""
        env = {n: _example(n.meta.get("val")) if not _foreign(n.meta.get("val")) else None for n in self.placeholders}
        env |= {n: _example(v) if isinstance(v, torch.Tensor) and not _foreign(v) else None for n, v in self.constants.items()}
        for n, v in self.constants.items():
            n.meta.setdefault("val", v)
        refused = {}
        with _cpu:
            for node in nodes:
                if _is_check(node):
                    refused[node], env[node] = None, None
                    continue
                why = _why_not(node)
                if why is None:
                    env[node], why = _checked(node, env)
                if why is not None:
                    refused[node] = why
                    value = node.meta.get("val")
                    env[node] = None if _foreign(value) else _example(value)
        # If PyTorch computes a node with several results, it also unpacks them. If it must unpack a node's results,
        # it also computes them.
        for node in nodes:
            if _is_part(node) and node.args[0] in refused:
                refused[node] = None
        for node in reversed(nodes):
            if not _is_part(node) and any(_is_part(u) and refused.get(u) for u in node.users):
                refused[node] = next(refused[u] for u in node.users if refused.get(u))
                for user in node.users:
                    if _is_part(user):
                        refused[user] = None
        return refused

    def parts(self, nodes, refused, bases):
        """Returns segments that are as long as possible. A node that runs in PyTorch ends a
        segment only if it needs one of the segment's values."""
        users = {n: [*n.users, *([self.result] if n in bases else [])] for n in nodes}
        steps, pending = [], []

        def close():
            if pending:
                steps.append(Segment(list(pending), users))
                pending.clear()

        for node in nodes:
            if node not in refused:
                pending.append(node)
                continue
            inside = set(pending)
            if any(a in inside for a in node.all_input_nodes):
                close()
            why = refused[node]
            steps.append(Eager(self.module, node, why) if why is not None else Eager(self.module, node, "a part"))
        close()
        return steps

    def one_segment(self):
        """Returns, for a graph of a single step, the positions of its inputs among the
        arguments, and of the results among its outputs; else None."""
        returned = self.result.args[0]
        if len(self.steps) != 1 or not isinstance(self.steps[0], Segment) or self.views or not isinstance(returned, (tuple, list)):
            return None
        (segment,) = self.steps
        places = [{n: i for i, n in enumerate(nodes)} for nodes in (self.placeholders, segment.outputs)]
        found = [[where.get(n) for n in nodes] for where, nodes in zip(places, (segment.inputs, returned))]
        return None if None in found[0] + found[1] else found

    def __call__(self, args):
        self.calls += 1
        if self.places:
            made = self.steps[0].run([args[i] for i in self.places[0]])
            args.clear()
            return [made[i] for i in self.places[1]]
        env = dict(zip(self.placeholders, args))
        args.clear()
        env.update(self.constants)
        for step, dead in zip(self.steps, self.dead):
            step(env)
            for node in dead:
                del env[node]
        for node in self.views:
            env[node] = _run(node, env)
        return fx.map_arg(self.result.args[0], lambda a: env[a])


def _foreign(value):
    return any(t.dtype not in DTYPES or _is_unbacked(t) for t in _tensors(value)) or isinstance(value, (tuple, list)) and not all(
        isinstance(v, (torch.Tensor, int, float, bool, torch.SymInt)) for v in value)  # fmt: skip


def _is_part(node):
    return node.target is operator.getitem


def _is_check(node):
    """True if the node only raises PyTorch's exception for singular matrices."""
    return node.target is torch.ops.higher_order.with_effects and node.args[1] is torch.ops.aten._linalg_check_errors.default


def _attribute(module, path):
    for name in path.split("."):
        module = getattr(module, name)
    return module
