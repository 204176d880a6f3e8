"""Functions of the array API and of NumPy that are not element-wise."""

from . import _products, _reductions, _shapes, _sorting
from ._products import *  # noqa: F403
from ._reductions import *  # noqa: F403
from ._shapes import *  # noqa: F403
from ._sorting import *  # noqa: F403

__all__ = _products.__all__ + _reductions.__all__ + _shapes.__all__ + _sorting.__all__
