"""A row of compare.py: one computation written for each library, with equal inputs."""

import dataclasses
import functools
import os
import time
import typing

import numpy as np

from peers.libraries import jax, jnp, tc, torch


@dataclasses.dataclass
class Row:
    """One computation. Inputs and weights are functions that draw arrays. tensorc's traced function captures the
    weights, as is usual for `jit` and modules."""

    name: str
    ours: typing.Callable
    torch: typing.Callable
    jax: typing.Callable
    inputs: list
    weights: list = dataclasses.field(default_factory=list)
    tolerance: float = 1e-4
    dtype: str = "float32"  # dtype of the arrays that are drawn as float32
    numpy: typing.Callable | None = None  # a computation that NumPy does faster than PyTorch

    def arrays(self, drawn, array, cast):
        made = [(array(a), a.dtype) for a in (draw() for draw in drawn)]
        return [cast(a) if dtype == np.float32 and self.dtype != "float32" else a for a, dtype in made]


def dims(*sizes):
    return "×".join(map(str, sizes))


def random(*shape, seed=0):
    return lambda: np.random.default_rng(seed + len(shape)).standard_normal(shape).astype(np.float32)


def uniform(low, high, *shape, seed=0):
    return lambda: np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32)


def integers(high, *shape, seed=0):
    return lambda: np.random.default_rng(seed).integers(0, high, shape)


def coins(*shape, seed=0):
    """Returns booleans, three of four of which are true."""
    return lambda: np.random.default_rng(seed).random(shape) < 0.75


def answers(results, array):
    return [array(r) for r in (results if isinstance(results, (tuple, list)) else [results])]


# Each returns a call without arguments, a function that converts its result to arrays, and facts for the table.


def settle(call, made):
    """Calls the function until it compiles no more kernels. Frequent sizes get specialized kernels
    (docs/design/0008-caches.md).

    The number of calls is twice the 32 uses described there; each 2 ms of the calling thread count as another use.
    Returns the statistics of the last compilations.
    """
    uses = 0
    while uses < 64:
        tc.reset_compile_stats()
        begin = time.thread_time()
        call()
        uses += 1 + int((time.thread_time() - begin) / 2e-3)
        stats = tc.compile_stats()
        if stats["compilations"]:
            uses, made = 0, stats
    return made


def ours(row):
    cast = lambda a: a.astype(getattr(tc, row.dtype))
    arrays, weights = (row.arrays(drawn, tc.asarray, cast) for drawn in (row.inputs, row.weights))
    tc.eval(arrays + weights)
    traced = tc.jit(lambda *xs: row.ours(*xs, *weights))
    tc.reset_compile_stats(forget_kernels=True)  # drops kernels of other rows, which may have the same structure
    begin = time.process_time()
    first = traced(*arrays)
    tc.eval(first)
    facts = {"first": time.process_time() - begin}
    if isinstance(first, (tuple, list)):
        call = lambda: tc.eval(traced(*arrays))
    else:
        call = lambda: traced(*arrays).eval()
    made = settle(call, tc.compile_stats())
    call()
    facts |= {"kernels": len(tc.last_kernels().split()), "code": made["code_bytes"] / max(made["kernels"], 1)}
    facts["compile"] = made["processor_seconds"] / max(made["kernels"], 1)
    return call, answers(first, lambda r: np.asarray(r.astype(tc.float32) if row.dtype != "float32" else r)), facts


def torch_call(row, compiled):
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    torch.set_grad_enabled(False)
    function = row.torch
    if compiled:
        torch._dynamo.reset()
        function = torch.compile(lambda *xs: row.torch(*xs), dynamic=False)
    given = row.arrays(row.inputs + row.weights, torch.as_tensor, lambda a: a.to(getattr(torch, row.dtype)))
    call = functools.partial(function, *given)
    return call, answers(call(), lambda r: r.to(torch.float32).numpy() if r.dtype in (torch.bfloat16, torch.float16) else r.numpy()), {}


def numpy_call(row):
    call = functools.partial(row.numpy, *row.arrays(row.inputs + row.weights, np.asarray, None))
    return call, answers(call(), np.asarray), {}


def jax_call(row):
    function = jax.jit(row.jax)
    given = row.arrays(row.inputs + row.weights, jnp.asarray, lambda a: a.astype(row.dtype))
    call = lambda: jax.block_until_ready(function(*given))
    return call, answers(call(), lambda r: np.asarray(r.astype(jnp.float32) if row.dtype != "float32" else r)), {}


def prepare(row, side):
    if side == "ours":
        return ours(row)
    if side == "jax":
        return jax_call(row)
    return numpy_call(row) if side == "eager" and row.numpy else torch_call(row, side == "compiled")
