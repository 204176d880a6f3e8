"""Runs JAX's programs: `tensorc.jax.jit(f)` replaces `jax.jit(f)`, and functions of JAX can be saved as packages.

JAX lowers the function to StableHLO, and tensorc compiles that. docs/stablehlo.md lists what is supported.
"""

import functools
import inspect

import jax as _jax

from .. import _core
from .._creation import zeros
from .._files import read_program

__all__ = ["export", "jit"]


def jit(function=None, *, static_argnums=None, static_argnames=None):
    """Like jax.jit: a function of pytrees of arrays, compiled by tensorc once per structure, dtypes and shapes of its
    arguments.

    Arguments are arrays of JAX, or any that JAX accepts; results are arrays of JAX. They are shared, not copied. Arguments
    that `static_argnums` and `static_argnames` name are hashable and fixed in the program. Within a transformation of JAX
    (jax.grad of the result, jax.vmap, jax.jit) it is JAX's own function; transformations within it are lowered by JAX and
    run here. Functions of Python (jax.pure_callback, io_callback, debug.print) are called by the program, also in loops and
    branches. An operation that tensorc does not have raises a NotImplementedError that names it.
    """
    if function is None:
        return functools.partial(jit, static_argnums=static_argnums, static_argnames=static_argnames)
    return _Jit(function, static_argnums, static_argnames)


def export(function, example, path, *, static_argnums=None, static_argnames=None, **options):
    """Compiles a JAX function to a file, which runs without Python. `example` is a tuple of arguments.

    The suffix of `path` determines the kind of file, and `options` are those of `tensorc.compile_to`. Arguments are
    named after the function's parameters and the keys of pytrees: `params.dense.kernel`.
    """
    traced = _jitted(function, static_argnums, static_argnames).trace(*example)
    _read(_lowered(traced), debug_info=True).save(path, **options)


def _jitted(function, argnums, argnames):
    # The program has all arguments, even those that it does not use.
    return _jax.jit(function, static_argnums=argnums, static_argnames=argnames, keep_unused=True)


@functools.cache
def _platform():
    """Returns the platform for which JAX lowers. If tensorc does not support this version of
    JAX's internals, it is JAX's CPU, without calls of Python."""
    try:
        from jax_plugins.tensorc import lower_for

        lower_for(_core.__file__)
    except (ImportError, AttributeError, KeyError):
        return "cpu"
    return "tensorc"


def _lowered(traced):
    return traced.lower(lowering_platforms=(_platform(),))


def _read(lowered, debug_info=False):
    text = lowered.compiler_ir("stablehlo").operation.get_asm(large_elements_limit=None, enable_debug_info=debug_info)
    if not debug_info:  # results with equal names would be rejected, and the names are not visible
        text = text.replace("jax.result_info", "jax.ignored")
    try:
        return read_program(text, "jax.jit")
    except ValueError as error:
        raise NotImplementedError(str(error)) from None


def _tokens(lowered):
    """Returns the number of tokens, which order effects. The program takes them before its
    arguments and returns them before its results."""
    functions = lowered.compiler_ir("stablehlo").body.operations
    main = next(f for f in functions if "sym_name" in f.attributes and f.attributes["sym_name"].value == "main")
    return str(main.attributes["function_type"]).partition("->")[0].count("!stablehlo.token")


def _is_key(dtype):
    return _jax.dtypes.issubdtype(dtype, _jax.dtypes.prng_key)


class _Compiled:
    """The compiled function for one structure of arguments."""

    def __init__(self, traced):
        # Keeps the Python functions that the program calls alive.
        self.lowered = lowered = _lowered(traced)
        self.function, self.tokens = _read(lowered).function(), _tokens(lowered)
        self.dtypes = [x.dtype for x in _jax.tree.leaves(lowered.args_info)]
        # `out_info` also has the weak types: which results were computed from
        # Python numbers only. The lowered program does not have them.
        self.results = _jax.tree.leaves(traced.out_info)
        self.out_tree = _jax.tree.structure(traced.out_info)

    def __call__(self, leaves):
        tokens = [zeros(0, bool)] * self.tokens
        arrays = [_to_tensorc(leaf, dtype) for leaf, dtype in zip(leaves, self.dtypes, strict=True)]
        results = self.function(*tokens, *arrays)[self.tokens :]
        return self.out_tree.unflatten([_to_jax(x, info) for x, info in zip(results, self.results, strict=True)])


def _to_tensorc(leaf, dtype):
    if _is_key(dtype):
        leaf = _jax.random.key_data(leaf)
    elif not isinstance(leaf, _jax.Array) or leaf.dtype != dtype:
        leaf = _jax.numpy.asarray(leaf, dtype)
    array = _core.from_dlpack(leaf)
    device = _core.current_device()
    return array if _core.device_of(array) == device else _core.to_device(array, device)


def _to_jax(array, info):
    made = _jax.dlpack.from_dlpack(array.cpu())
    # Computed from Python numbers only, so it takes the dtype of the values it is combined with.
    if info.weak_type:
        return _jax.lax.convert_element_type_p.bind(made, new_dtype=made.dtype, weak_type=True, sharding=None)
    if not _is_key(info.dtype):
        return made
    return _jax.random.wrap_key_data(made, impl=_jax.random.key_impl(_jax.numpy.empty((), info.dtype)))


class _Jit:
    def __init__(self, function, argnums, argnames):
        functools.update_wrapper(self, function)
        self._jitted = _jitted(function, argnums, argnames)
        argnums = () if argnums is None else (argnums,) if isinstance(argnums, int) else tuple(argnums)
        self._names = {argnames} if isinstance(argnames, str) else set(argnames or ())
        self._numbers, self._programs = self._both(function, argnums), {}

    def _both(self, function, argnums):
        """Returns the positions of static arguments. If only positions or only names are given,
        the others follow from the function's parameters, as in JAX."""
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return set(argnums)
        named = [p.name if p.kind == p.POSITIONAL_OR_KEYWORD else None for p in parameters]
        if argnums and not self._names:
            self._names = {named[i] for i in argnums if -len(named) <= i < len(named)} - {None}
        elif self._names and not argnums:
            argnums = [i for i, name in enumerate(named) if name in self._names]
        return set(argnums)

    @property
    def traces(self):
        """The number of programs that were compiled."""
        return len(self._programs)

    def lower(self, *args, **kwargs):
        """Like jax.jit(f).lower: JAX's lowered program."""
        return _lowered(self._jitted.trace(*args, **kwargs))

    def __get__(self, object, owner=None):
        return self if object is None else functools.partial(self, object)

    def __call__(self, *args, **kwargs):
        numbers = {i % len(args) for i in self._numbers if -len(args) <= i < len(args)}
        dynamic = [x for i, x in enumerate(args) if i not in numbers], {k: v for k, v in kwargs.items() if k not in self._names}
        leaves, tree = _jax.tree.flatten(dynamic)
        if any(isinstance(x, _jax.core.Tracer) for x in leaves):
            return self._jitted(*args, **kwargs)
        static = tuple((i, args[i]) for i in sorted(numbers)), tuple(sorted((k, kwargs[k]) for k in self._names & kwargs.keys()))
        key = (tree, tuple(map(_jax.api_util.shaped_abstractify, leaves)), static, str(_core.current_device()),
               _jax.config.jax_enable_x64, _jax.config.jax_default_matmul_precision)  # fmt: skip
        if key not in self._programs:
            self._programs[key] = _Compiled(self._jitted.trace(*args, **kwargs))
        return self._programs[key](leaves)
