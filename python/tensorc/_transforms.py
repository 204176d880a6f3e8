"""Transformations of functions: traces, gradients and batches."""

import contextlib
import types

from . import _core
from ._arguments import _of_numpy
from ._creation import eye, zeros_like
from ._dtypes import has_derivatives, is_complex
from .tree import leaves_like

Array = _core.Array


def _flatten(value):
    """Returns the leaves and the structure of a value. NumPy arrays become arrays of tensorc;
    numbers are unchanged."""
    leaves, tree = _core.tree_flatten(value)
    return [_of_numpy(x) for x in leaves], tree


def _is_array(x):
    return isinstance(x, Array)


def jit(function=None, *, inputs=None, donate_argnums=()):
    """A function that is traced once per structure of its arguments and per dtypes, shapes and devices of their
    arrays.

    Numbers and other arguments that are not arrays are part of the trace: different numbers need another trace, which
    is cheap, because it shares the compiled code. Values that the function captures are fixed when it is traced.
    `inputs`: `Input`s with named sizes, for which the function is compiled immediately and only once.
    `donate_argnums`: positions of arguments whose arrays a call consumes: results may be computed in their memory,
    and afterwards the arrays have a shape and a dtype but no value.

    >>> f = tc.jit(lambda x: x * 2)
    >>> f(tc.ones(2))
    array([2.0, 2.0], dtype=float32)
    """
    if function is None:
        return lambda f: jit(f, inputs=inputs, donate_argnums=donate_argnums)
    _check_callable("jit", function)
    if inputs is not None:
        from ._files import record

        return record(function, *inputs).function()
    donated = _argnums(donate_argnums)
    _check_donated(function, donated)
    result = _core.Jit(function, donated)
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        try:
            setattr(result, name, getattr(function, name))
        except AttributeError:
            pass
    return result


def _check_donated(function, places):
    """Checks that calls can have arguments at these positions."""
    if not places:
        return
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # the signature of the function is unknown
        return
    kinds = [p.kind for p in parameters]
    count = sum(kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) for kind in kinds)
    for place in places:
        if place < 0 or place >= count and inspect.Parameter.VAR_POSITIONAL not in kinds:
            raise ValueError(f"jit: donate_argnums has {place}, and the function takes {count} arguments by position")


@contextlib.contextmanager
def _named(name, inner=None):
    """Makes errors name the function that the user called, instead of jit or of the function
    `inner` that implements it."""
    try:
        yield
    except (ValueError, TypeError) as error:
        if error.args and isinstance(error.args[0], str):
            text = error.args[0]
            if name in ("grad", "vjp"):
                text = text.replace("cond or while_loop  at", "cond or while_loop, or use a Tape, which differentiates what was done  at")
            if inner and text.startswith(f"{inner}: "):
                text = name + text[len(inner):]
            error.args = (text, *error.args[1:])
        raise


class _Recorded:
    """A function that was recorded with traced arguments in place of its arrays."""

    def __init__(self, function, values, name):
        leaves, tree = _flatten(values)
        self.values, self.arguments = [], []
        for i, leaf in enumerate(leaves):
            if _is_array(leaf):
                self.values.append(leaf)
                self.arguments.append(_core.trace_argument_like(leaf))
                leaves[i] = _handed(self.arguments[-1])
        with _named(name):
            self.result = _core.call_recorded(function, tree.unflatten(leaves), name)


def _handed(argument):
    """Returns a copy of a trace's argument for the function, so that assignments in the function
    do not change the argument."""
    return argument.__copy__()


def _check_callable(name, function):
    if not callable(function):
        raise TypeError(f"{name}: a function is expected, not {type(function).__name__}")


def _argnums(argnums):
    return (argnums,) if isinstance(argnums, int) else tuple(argnums)


def value_and_grad(function, argnums=0, *, has_aux=False):
    """A function of the same arguments that returns the value of `function`, one float, and its gradient.

    The gradient has the structure of the argument, with None for leaves other than floats and complex numbers; for
    several `argnums` it is a tuple. The gradient with respect to x + iy is d/dx + i d/dy, the direction of steepest
    ascent. With `has_aux` the function returns a pair, whose second part is returned unchanged.

    >>> tc.value_and_grad(lambda x: (x * x).sum())(tc.asarray([1.0, 2.0]))
    (array(5.0, dtype=float32), array([2.0, 4.0], dtype=float32))
    """
    _check_callable("grad", function)
    chosen = _argnums(argnums)

    def call(*args, **kwargs):
        for n in chosen:
            if not -len(args) <= n < len(args):
                raise ValueError(f"grad: there is no argument {n} among {len(args)}")
        wanted_at = [n % len(args) for n in chosen]
        given = list(args)
        picked = tuple(args[n] for n in wanted_at)

        def of_picked(*parts):
            for n, part in zip(wanted_at, parts):
                given[n] = part
            return function(*given, **kwargs)

        recorded = _Recorded(of_picked, tuple(_numbers_too(p) for p in picked), "grad")
        result = recorded.result
        loss, aux = _pair(result, "grad: the function", "its loss and what is passed on") if has_aux else (result, None)
        if not _is_array(loss):
            raise TypeError(f"grad: the function returns {type(loss).__name__}, not an array" +
                            (" and what is passed on" if has_aux else ""))  # fmt: skip
        aux_leaves, aux_tree = _flatten(aux)
        aux_places = [i for i, leaf in enumerate(aux_leaves) if _is_array(leaf)]
        wanted = [int(has_derivatives(x.dtype)) for x in recorded.values]
        results, gradients = _core.pullback(recorded.arguments, recorded.values, wanted,
                                            [loss, *(aux_leaves[i] for i in aux_places)], None)  # fmt: skip
        for i, value in zip(aux_places, results[1:]):
            aux_leaves[i] = value
        made = _filled(tuple(_numbers_too(p) for p in picked), gradients)
        gradient = made[0] if isinstance(argnums, int) else made
        value = (results[0], aux_tree.unflatten(aux_leaves)) if has_aux else results[0]
        return value, gradient

    return _Transformed("value_and_grad", call, function)


def _pair(value, who, parts):
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        kind = "one array" if _is_array(value) else type(value).__name__ + (f" of {len(value)}" if hasattr(value, "__len__") else "")
        raise TypeError(f"{who} returns {kind}, not a pair: {parts}  at " + _core.line())
    return value


def _numbers_too(value):
    """Converts Python numbers to arrays in arguments with respect to which a function is
    differentiated."""
    return _core.as_array(value) if isinstance(value, (float, complex)) else value


def _filled(value, gradients):
    """Returns the value with its arrays replaced by gradients, and other leaves replaced by
    None."""
    leaves, tree = _flatten(value)
    gradients = iter(gradients)
    return tree.unflatten([next(gradients) if _is_array(leaf) else None for leaf in leaves])


def _text(function):
    """Returns a name of the function, without an address."""
    if isinstance(function, (_Transformed, _core.Jit)):
        return repr(function)
    return getattr(function, "__qualname__", type(function).__name__)


class _Transformed:
    """The function that a transformation makes of another one. Its text has no address."""

    def __init__(self, transformation, call, function):
        self._call = call
        self._transformation = transformation
        self.__name__ = getattr(function, "__name__", "function")
        self.__doc__ = function.__doc__
        self.__wrapped__ = function

    def __call__(self, *args, **kwargs):
        return self._call(*args, **kwargs)

    def __get__(self, instance, owner=None):
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self):
        return f"<{self._transformation} of {_text(self.__wrapped__)}>"


def grad(function, argnums=0, *, has_aux=False):
    """The same as value_and_grad, but returns only the gradient, or with `has_aux` the pair of the gradient and the
    second part.

    >>> tc.grad(tc.grad(lambda x: x * x * x))(tc.asarray(2.0))
    array(12.0, dtype=float32)
    """
    both = value_and_grad(function, argnums, has_aux=has_aux)

    def call(*args, **kwargs):
        value, gradient = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return _Transformed("grad", call, function)


class _Pulled:
    """A function that was recorded for arguments and can return their cotangents."""

    def __init__(self, function, args, name):
        self.name = name
        self.args = args
        self.recorded = _Recorded(function, args, name)
        self.leaves, self.tree = _flatten(self.recorded.result)
        for leaf in self.leaves:
            if not _is_array(leaf):
                raise TypeError(f"{name}: a result is {type(leaf).__name__}, not an array")
        self.wanted = [int(has_derivatives(x.dtype)) for x in self.recorded.values]

    def pull(self, wanted, cotangents):
        r = self.recorded
        with _named(self.name, "grad"):
            return _core.pullback(r.arguments, r.values, wanted, self.leaves, cotangents)

    def value(self):
        results, _ = self.pull([0] * len(self.wanted), [None] * len(self.leaves))
        return self.tree.unflatten(results)


def vjp(function, *args):
    """Returns function(*args) and its pullback, which maps a cotangent with the structure of the result to the
    cotangents of args.

    For integer and boolean results pass None or zeros.

    >>> y, pull = tc.vjp(lambda x: x * x, tc.asarray([1.0, 2.0]))
    >>> pull(tc.ones(2))
    (array([2.0, 4.0], dtype=float32),)
    """
    pulled = _Pulled(function, args, "vjp")

    def pullback(cotangent):
        given = leaves_like(cotangent, pulled.recorded.result, "vjp")
        # Cotangents of integer results are ignored.
        seeds = [seed if has_derivatives(y.dtype) else None for seed, y in zip(given, pulled.leaves)]
        _, gradients = pulled.pull(pulled.wanted, seeds)
        return _filled(args, gradients)

    return pulled.value(), _Transformed("vjp", pullback, function)


def jvp(function, primals, tangents):
    """Returns function(*primals), and its derivative along the tangents, which have the structure of the primals.

    >>> tc.jvp(lambda x: x * x, (tc.asarray(3.0),), (tc.asarray(1.0),))
    (array(9.0, dtype=float32), array(6.0, dtype=float32))
    """
    pulled = _Pulled(function, tuple(primals), "jvp")
    # The pullback is linear in the cotangents, so its derivative along the tangents is the forward derivative.
    seeds = [_core.trace_argument_like(y) if has_derivatives(y.dtype) else None for y in pulled.leaves]
    results, gradients = pulled.pull(pulled.wanted, seeds)
    primal_leaves = _flatten(pulled.args)[0]
    along = leaves_like(tuple(tangents), pulled.args, "jvp")
    along = [zeros_like(x) if t is None else _core.as_array(t) for t, x in zip(along, primal_leaves) if _is_array(x)]
    for i, (t, x, wanted) in enumerate(zip(along, pulled.recorded.values, pulled.wanted)):
        if wanted and (t.dtype, t.shape) != (x.dtype, x.shape):
            raise ValueError(f"jvp: tangent {i} is {t.dtype.name} of shape {t.shape}, the primal {x.dtype.name} of shape {x.shape}")
    made = [s for s in seeds if s is not None]
    zeros = [zeros_like(y) for y, s in zip(results, seeds) if s is not None]
    linear = [g for g in gradients if g is not None]
    used = [t for t, w in zip(along, pulled.wanted) if w]
    _, changes = _core.pullback(made, zeros, [1] * len(made), linear, used)
    changes = iter(changes)
    return pulled.tree.unflatten(results), pulled.tree.unflatten([None if s is None else next(changes) for s in seeds])


def jacobian(function, *, _name="jacobian"):
    """A function of a real x that returns the derivatives of each element of function(x), which may be complex, with
    respect to each element of x.

    >>> tc.jacobian(lambda x: x * x)(tc.asarray([1.0, 2.0]))
    array([[2.0, 0.0], [0.0, 4.0]], dtype=float32)
    """

    def call(x):
        if not _is_array(x):
            x = _numbers_too(_of_numpy(x))
        if not _is_array(x):
            raise TypeError(f"{_name}: the argument is {type(x).__name__}, not an array  at " + _core.line())
        if is_complex(x.dtype):
            raise ValueError(f"{_name}: the argument is {x.dtype.name}: take the derivatives by its two parts, as in "
                             f"{_name}(lambda p: f(p[0] + p[1] * 1j))(tc.stack([tc.real(x), tc.imag(x)]))")  # fmt: skip
        from ._control import map

        y, pull = vjp(function, x)
        if not _is_array(y):
            raise TypeError(f"{_name}: the function returns {type(y).__name__}, not an array  at " + _core.line())

        def of(rows):
            return map(lambda row: pull(_core.reshape(row, y.shape))[0], rows)

        rows = eye(y.size, dtype=y.dtype, device=y.device)
        # The i-th part of the cotangent gives the derivative of the imaginary part.
        made = _core.complex(of(rows), of(rows * 1j)) if is_complex(y.dtype) else of(rows)
        return _core.reshape(made, (*y.shape, *x.shape))

    return _Transformed(_name, call, function)


def hessian(function):
    """A function of a real x that returns the second derivatives of function(x), one float."""
    return jacobian(grad(function), _name="hessian")


def hvp(function, x, vector):
    """The product of the Hessian of the function at x with a vector."""
    return jvp(grad(function), (x,), (vector,))[1]


_core.Jit.__repr__ = lambda self: f"<jit of {_text(self.__wrapped__)}, traces: {self.traces}>"


def _jit_html(self):
    from ._inspect import jit_html

    return jit_html(self)


_core.Jit._repr_html_ = _jit_html


class Tape:
    """Records the computations in a `with` block for gradients, which are requested within the block. Host code may
    read values and branch on them.

    The same operations in the same order are differentiated and compiled only once. While a tape records, functions
    made by `jit` are called like ordinary functions. A tape records only its own thread.

    >>> w = tc.asarray([3.0, 1.0])
    >>> with tc.Tape() as tape:
    ...     tape.watch(w)
    ...     loss = (w * w).sum()
    ...     if loss.item() > 2:
    ...         loss = loss + abs(w).sum()
    ...     tape.gradient(loss, w)
    array([7.0, 3.0], dtype=float32)
    """

    def __init__(self):
        self._tape = _core.Tape()

    def __repr__(self):
        return "Tape()"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()

    def _recording(self, called):
        if self._tape is None:
            raise ValueError(f"Tape.{called}: the tape was released at the end of its `with` block: ask within the block  at " + _core.line())
        return self._tape

    def watch(self, *values):
        """From now on, records what is computed from these values: arrays of floats or complex numbers, and
        structures of them."""
        tape = self._recording("watch")
        for value in values:
            leaves = [x for x in _flatten(value)[0] if _is_array(x)]
            tape.watch(leaves if _is_array(value) else [x for x in leaves if has_derivatives(x.dtype)])

    def gradient(self, target, source):
        """The gradient of `target`, one float, with respect to a watched value or a value computed from watched ones.

        It has the structure of `source`, with None for leaves other than floats and complex numbers, and zeros where
        `target` does not depend on the source. May be called any number of times until the `with` block ends. An
        outer tape records the gradient.
        """
        tape = self._recording("gradient")
        leaves = [x for x in _flatten(source)[0] if _is_array(x)]
        wanted = [_is_array(source) or has_derivatives(x.dtype) for x in leaves]
        made = iter(tape.gradient(target, [x for x, w in zip(leaves, wanted) if w]))
        return _filled(source, [next(made) if w else None for w in wanted])

    def release(self):
        """Ends the recording, and releases the values that were kept for gradients."""
        if self._tape is not None:
            self._tape.release()
            self._tape = None


def stop_gradient(x):
    """Returns x. Gradients treat it as a constant."""
    return _core.stop_gradient(x)


def constant(x):
    """Returns x, an array or all arrays of a structure, evaluated and declared constant.

    On a cpu, products whose second factor is a constant matrix read a copy that is packed once, also in functions
    that capture the constant. The copy takes as much memory as the array, and lives as long as it. Results do not
    change.

    >>> w = tc.constant(tc.ones((64, 256)))
    >>> (tc.ones((8, 256)) @ w.T).shape
    (8, 64)
    """
    for leaf in _flatten(x)[0]:
        if _is_array(leaf):
            _core.constant(leaf)
    return x


def _arrays(value, what):
    leaves, tree = _flatten(value)
    leaves = [leaf if _is_array(leaf) else _core.as_array(leaf) for leaf in leaves]
    return leaves, tree


def custom_vjp(forward, backward):
    """A function with a user-defined gradient.

    `forward(*args)` returns the result and whatever `backward` needs; `backward(needed, cotangent)` returns the
    cotangent of the argument, or a tuple for several arguments.
    """

    def call(*args):
        value = _Recorded(forward, args, "custom_vjp")
        result, needed = _pair(value.result, "custom_vjp: forward", "the result and what backward needs")
        results, tree = _arrays(result, "custom_vjp")
        kept, kept_tree = _arrays(needed, "custom_vjp")

        def back(kept, cotangent):
            gradients = backward(kept, cotangent)
            gradients = leaves_like(tuple(gradients) if len(args) > 1 else (gradients,), args, "custom_vjp")
            return [zeros_like(_core.as_array(x)) if g is None else g for g, x in zip(gradients, _flatten(args)[0])]

        gradient = _Recorded(back, (kept_tree.unflatten(kept), tree.unflatten(results)), "custom_vjp")
        given, _ = _arrays(gradient.result, "custom_vjp")
        out = _core.custom_vjp(value.values, len(results), value.arguments, [*results, *kept], gradient.arguments, given)
        return tree.unflatten(out)

    return _Transformed("custom_vjp", call, forward)


def checkpoint(function):
    """A function with a gradient that recomputes intermediate values instead of keeping them. Only the arguments and
    the captured values are kept; both have gradients.

    >>> tc.grad(tc.checkpoint(lambda x: tc.exp(x)))(tc.asarray(0.0))
    array(1.0, dtype=float32)
    """

    def call(*args, **kwargs):
        recorded = _Recorded(lambda args, kwargs: function(*args, **kwargs), (args, kwargs), "checkpoint")
        results, tree = _arrays(recorded.result, "checkpoint")
        return tree.unflatten(_core.checkpoint(recorded.values, recorded.arguments, results))

    return _Transformed("checkpoint", call, function)


def _parts(value):
    """Returns the children of a value by name, or None if the value is a leaf."""
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, (list, tuple)):
        return dict(enumerate(value))
    if hasattr(type(value), "__dataclass_fields__"):
        import dataclasses

        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    return None


def _axes(prefix, value, what):
    """Returns the axis of each leaf of the value. `prefix` has the value's structure, where a
    number or None may replace any part."""
    leaves, tree = _flatten(value)
    if prefix is None or type(prefix) is int:
        return [prefix] * len(leaves)
    axes = [None] * len(leaves)

    def fill(prefix, places):
        if prefix is None or type(prefix) is int:
            for place in _flatten(places)[0]:
                axes[place] = prefix
            return
        axis_of, place_of = _parts(prefix), _parts(places)
        if axis_of is None:
            raise TypeError(f"vmap: {what} has {type(prefix).__name__}, not an integer or None")
        if place_of is None or axis_of.keys() != place_of.keys() or isinstance(prefix, dict) != isinstance(places, dict):
            has = "one array" if type(places) is int else type(places).__name__ + (f" of {len(place_of)}" if place_of else "")
            raise ValueError(f"vmap: {what} has {type(prefix).__name__} of {len(axis_of)} where the value has {has}")
        for name in axis_of:
            fill(axis_of[name], place_of[name])

    fill(prefix, tree.unflatten(list(range(len(leaves)))))
    return axes


def vmap(function, in_axes=0, out_axes=0):
    """Turns a function of one example into a function of a batch, which lies along an axis of the arrays.

    `in_axes`: the batch axis of all arguments, or one per argument, where an argument that is a structure may have
    one per part; None if all examples share the argument. Keyword arguments are shared, as in PyTorch; JAX batches
    them along their first axis. `out_axes`: the batch axis of the results, or one per part.

    >>> tc.vmap(lambda x, w: (x * w).sum(), (0, None))(tc.ones((3, 2)), tc.ones(2))
    array([2.0, 2.0, 2.0], dtype=float32)
    """

    _check_callable("vmap", function)
    if in_axes is not None and not isinstance(in_axes, (int, tuple, list)):
        raise TypeError(f"vmap: in_axes is {type(in_axes).__name__}, not an integer, None, or a tuple of one for each argument")

    def call(*args, **kwargs):
        each = (in_axes,) * len(args) if in_axes is None or isinstance(in_axes, int) else tuple(in_axes)
        if len(each) != len(args):
            raise ValueError(f"vmap: {len(each)} axes for {len(args)} arguments")
        axes, examples, values = [], [], []
        for arg, axes_of in zip(args, each):
            leaves, tree = _flatten(arg)
            for i, (leaf, axis) in enumerate(zip(leaves, _axes(axes_of, arg, "in_axes"))):
                if not _is_array(leaf):
                    continue
                if axis is not None and not -leaf.ndim <= axis < leaf.ndim:
                    raise ValueError(f"vmap: axis {axis} of an array of shape {leaf.shape}")
                values.append(leaf)
                axes.append(axis)
                if axis is not None:
                    axis_at = axis % leaf.ndim
                    shape = leaf.shape[:axis_at] + leaf.shape[axis_at + 1:]
                    leaves[i] = _core.to_device(_core.full(leaf.dtype, shape, 0), _core.device_of(leaf))
            examples.append(tree.unflatten(leaves))
        recorded = _Recorded(lambda *examples: function(*examples, **kwargs), tuple(examples), "vmap")
        results, tree = _arrays(recorded.result, "vmap")
        made = _core.vmap(values, axes, recorded.arguments, results, _axes(out_axes, recorded.result, "out_axes"))
        return tree.unflatten(made)

    return _Transformed("vmap", call, function)
