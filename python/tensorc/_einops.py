"""The einops backend for arrays of tensorc. einops looks for backends among the subclasses of
its class AbstractBackend."""

import importlib.machinery
import sys

from . import _core

_MODULE = "einops._backends"


_backend = None  # keeps the class alive, because einops itself has no reference to it


def _define(backends):
    """Defines the backend after einops has been imported."""
    global _backend
    import tensorc as tc

    class TensorcBackend(backends.AbstractBackend):
        framework_name = "tensorc"

        def is_appropriate_type(self, tensor):
            return isinstance(tensor, _core.Array)

        def from_numpy(self, x):
            return tc.asarray(x)

        def to_numpy(self, x):
            return x.numpy()

        def arange(self, start, stop):
            return tc.arange(start, stop)

        def shape(self, x):
            return x.shape

        def reshape(self, x, shape):
            return tc.reshape(x, shape)

        def transpose(self, x, axes):
            return tc.permute_dims(x, tuple(axes))

        def reduce(self, x, operation, axes):
            return getattr(tc, operation)(x, axis=tuple(axes))

        def stack_on_zeroth_dimension(self, tensors):
            return tc.stack(tensors)

        def add_axis(self, x, new_position):
            return tc.expand_dims(x, axis=new_position)

        def tile(self, x, repeats):
            return tc.tile(x, tuple(repeats))

        def concat(self, tensors, axis):
            return tc.concat(tensors, axis=axis)

        def is_float_type(self, x):
            return tc.isdtype(x.dtype, ("real floating", "complex floating"))

        def einsum(self, pattern, *x):
            return tc.einsum(pattern, *x)

    _backend = TensorcBackend


class _Finder:
    """A finder that lets the other finders find einops' module, and defines the backend after
    the import."""

    @staticmethod
    def find_spec(name, path, target=None):
        if name != _MODULE:
            return None
        sys.meta_path.remove(_Finder)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                _define(module)

            spec.loader.exec_module = exec_module
        return spec


def register():
    """Defines the backend now if einops is already imported, otherwise when it is
    imported."""
    if _MODULE in sys.modules:
        _define(sys.modules[_MODULE])
    else:
        sys.meta_path.insert(0, _Finder)
