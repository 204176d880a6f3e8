"""The class of layers."""

import types

from .. import _core, tree
from .._dtypes import as_dtype, is_float
from .._transforms import _text

Array = _core.Array


def _is_part(value):
    """Returns True for attributes that are stored in the dict: arrays, modules, and lists,
    tuples and dicts that contain them."""
    return any(isinstance(leaf, Array) for leaf in tree.leaves(value)) or isinstance(value, Module)


class Module(dict):
    """The base class of layers: a dict of parameters, whose keys are also attributes.

    >>> class Scale(tc.nn.Module):
    ...     def __init__(self):
    ...         self.factor = tc.ones(2)
    ...     def __call__(self, x):
    ...         return x * self.factor
    >>> tc.tree.leaves(Scale())
    [array([1.0, 1.0], dtype=float32)]
    """

    def __setattr__(self, name, value):
        if name in self or _is_part(value) or isinstance(value, (list, tuple)) and any(isinstance(v, Module) for v in value):
            self[name] = value
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no '{name}'") from None

    __hash__ = None

    def __repr__(self):
        lines = [f"{name}: {_shown(value)}" for name, value in self.items()]
        text = "\n".join("  " + line.replace("\n", "\n  ") for line in lines)
        return f"{type(self).__name__}(\n{text}\n)" if lines else f"{type(self).__name__}()"

    def parameters(self):
        """A dict of all arrays by name, such as 'layers.0.weight'."""
        from .._files import _named

        return dict(_named(_plain(self), ""))

    def update(self, parameters):
        """Sets arrays by name, in the form that parameters() and tc.load() return."""
        known = self.parameters()
        missing, unknown = sorted(known.keys() - parameters.keys()), sorted(parameters.keys() - known.keys())
        if missing or unknown:
            raise ValueError(f"update: missing {missing}, not known {unknown}")
        for name, value in parameters.items():
            if value.shape != known[name].shape:
                raise ValueError(f"update: '{name}' has the shape {value.shape}, not {known[name].shape}")
        leaves, structure = tree.flatten(self)
        names = iter(known)
        changed = structure.unflatten([parameters[next(names)] if isinstance(x, Array) else x for x in leaves])
        for name in self:
            self[name] = changed[name]
        return self


def _plain(value):
    """Converts modules to plain dicts, without the attributes that are not arrays."""
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value if isinstance(value, Array) else []


def _shown(value):
    if isinstance(value, Array):
        return f"{value.dtype.name}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_shown(v) for v in value) + "]"
    return _text(value) if isinstance(value, types.FunctionType) else repr(value)


def _flatten(module):
    rest = tuple(sorted(vars(module).items(), key=lambda pair: pair[0]))
    return list(module.values()), (type(module), tuple(module), rest)


def _unflatten(meta, children):
    cls, names, rest = meta
    module = cls.__new__(cls)
    dict.update(module, zip(names, children))
    for name, value in rest:
        object.__setattr__(module, name, value)
    return module


tree.register(Module, _flatten, _unflatten)


def cast(value, dtype):
    """Converts the floats of a structure, such as a module, to another float dtype; other leaves are unchanged.

    >>> tc.nn.cast({"w": tc.ones(2), "n": tc.arange(2)}, tc.float16)["w"].dtype
    tensorc.float16
    """
    dtype = as_dtype(dtype)
    if not is_float(dtype):
        raise ValueError(f"cast: {dtype.name} is no dtype of floats")
    return tree.map(lambda x: _core.astype(x, dtype) if isinstance(x, Array) and is_float(x.dtype) else x, value)
