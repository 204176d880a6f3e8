"""Functions of NumPy that are not in the array API."""

from . import beyond, formulas, missing, places, sets, stacking
from .beyond import *  # noqa: F403
from .formulas import *  # noqa: F403
from .missing import *  # noqa: F403
from .places import *  # noqa: F403
from .sets import *  # noqa: F403
from .stacking import *  # noqa: F403

__all__ = beyond.__all__ + formulas.__all__ + missing.__all__ + places.__all__ + sets.__all__ + stacking.__all__
