"""Runs PyTorch's programs: torch.compile(model, backend="tensorc"), and models as packages.

`import tensorc.torch` registers the backend; for an installed package this is not necessary. docs/torch.md lists what
is converted, and the models that were tested.
"""

import functools
import os

import torch
import torch._refs
from torch._dynamo.backends.common import aot_autograd

from .. import _core
from .._files import Input, compile_to
from ._graph import Graph, to_array
from ._interpolation import decompositions as interpolations
from ._interpolation import whole
from ._slices import join_slices
from ._table import DTYPES, aten, table

__all__ = ["backend", "export", "report", "reset_report"]

_graphs = []


# Operations that have a conversion and are not decomposed. If attention were decomposed, its parts
# would lack the sums that its derivative needs.
_whole = (aten.silu, aten.hardswish, aten.hardsigmoid, aten.mish, aten.softplus, aten.roll,
          aten.reflection_pad1d, aten.reflection_pad2d, aten.reflection_pad3d,
          aten.replication_pad1d, aten.replication_pad2d, aten.replication_pad3d,
          aten.col2im, aten._scaled_dot_product_flash_attention_for_cpu)  # fmt: skip

# PyTorch decomposes these into operations without a conversion.
_left = (aten.as_strided_scatter.default, aten.frexp.Tensor)


@functools.cache
def _decompositions():
    """PyTorch's decompositions: those to core ATen, and those of other operations without a conversion."""
    made = dict(torch._decomp.core_aten_decompositions())
    for packet in _whole:
        for overload in packet.overloads():
            made.pop(getattr(packet, overload), None)
    for target, function in torch._decomp.decomposition_table.items():
        if target not in table and target not in _left and not str(target).endswith("out"):
            made.setdefault(target, function)
    return made | interpolations(torch._decomp.decomposition_table)


def _compiler(mode):
    def compile(module, example_inputs):
        join_slices(module)
        graph = Graph(module, mode)
        _graphs.append(graph)

        def call(args):
            return graph(args)

        # AOTAutograd's mark for a function that takes a list and empties it.
        call._boxed_call = True
        return call

    return compile


def backend(module, example_inputs, **options):
    """The backend of torch.compile for FX graphs, for inference and training.

    Operations without a conversion run in PyTorch, and have a line in `report`. Tensors are shared, not copied.
    """
    compiled = aot_autograd(fw_compiler=_compiler("forward"), bw_compiler=_compiler("backward"),
                            inference_compiler=_compiler("inference"), decompositions=_decompositions())  # fmt: skip
    with whole():
        return compiled(module, example_inputs)


class Report:
    """A report about the graphs that were compiled in this process."""

    def __init__(self, graphs):
        self.graphs = list(graphs)

    @property
    def fallbacks(self):
        """The number of nodes that run in PyTorch."""
        return sum(n for g in self.graphs for (_, why), n in g.fallbacks.items() if why != "a part")

    @property
    def nodes(self):
        return sum(g.nodes for g in self.graphs)

    @property
    def seconds(self):
        """The time for converting the graphs, without compilation."""
        return sum(g.seconds for g in self.graphs)

    def __str__(self):
        lines = []
        for g in self.graphs:
            left = {k: n for k, n in g.fallbacks.items() if k[1] != "a part"}
            lines.append(f"{g.mode}: {g.nodes} nodes, {sum(left.values())} left to PyTorch")
            lines += [f"  {n} x {target}: {why}" for (target, why), n in left.items()]
        return "\n".join(lines)

    __repr__ = __str__


def report():
    """A report of the graphs so far: a line for each graph, and a line with the reason for each operation that runs
    in PyTorch."""
    return Report(_graphs)


def reset_report():
    """Discards the report of the graphs so far."""
    _graphs.clear()


def export(model, example, path, *, target=None):
    """Compiles a torch.nn.Module to a package, which runs without Python. `example` is an argument, a tensor or a
    tuple of tensors. Operations without a conversion raise a NotImplementedError that names them.
    """
    example = example if isinstance(example, tuple) else (example,)
    with torch.no_grad(), whole():
        program = torch.export.export(model, example)
        program = program.run_decompositions(_decompositions())
    module, signature = program.graph_module, program.graph_signature
    join_slices(module)
    graph = Graph(module, "export")
    if len(graph.steps) != 1 or graph.fallbacks:
        text = ", ".join(sorted({f"{op} ({why})" for (op, why) in graph.fallbacks})) or "nothing is computed"
        raise NotImplementedError(f"export: no package can be made of this model: {text}")
    (segment,) = graph.steps
    weights = {}
    for spec in signature.input_specs:
        if spec.target is not None:
            values = program.state_dict if spec.target in program.state_dict else program.constants
            weights[spec.arg.name] = to_array(values[spec.target].detach().contiguous())
    given = [n for n in graph.placeholders if n.name not in weights]
    returned = [n for n in graph.result.args[0]]
    changed = len(returned) - len(signature.user_outputs)

    def call(*arrays):
        env = dict(zip(given, arrays))
        values = [env[n] if n in env else weights[n.name] if n.name in weights else to_array(graph.constants[n])
                  for n in segment.inputs]  # fmt: skip
        env.update(zip(segment.outputs, segment.trace(None, *values)))
        results = [env[n] for n in returned[changed:]]
        return results[0] if len(results) == 1 else results

    inputs = [Input(DTYPES[n.meta["val"].dtype], tuple(n.meta["val"].shape)) for n in given]
    compile_to(call, os.fspath(path), *inputs, target=target, kind="package")


torch._dynamo.register_backend(name="tensorc", compiler_fn=backend)
