"""The libraries in which rows and networks are written. A process imports only its own library; the names of the others
are placeholders."""

import importlib
import os

SIDES = {"ours": ["tensorc"], "eager": ["torch"], "compiled": ["torch"], "jax": ["jax"]}
WANTED = SIDES.get(os.environ.get("BENCHMARK_SIDE"), [])


class Absent:
    """A placeholder for a library of another process, and for all its members."""

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self


def library(name):
    return importlib.import_module(name) if name.split(".")[0] in WANTED else Absent()


tc, nn = library("tensorc"), library("tensorc.nn")
torch, F = library("torch"), library("torch.nn.functional")
jax, jnp, lax = library("jax"), library("jax.numpy"), library("jax.lax")
if "jax" in WANTED:
    jax.config.update("jax_cpu_enable_async_dispatch", False)  # this makes a call 10 us faster
