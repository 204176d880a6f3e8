"""tensorc as a platform of JAX: `JAX_PLATFORMS=tensorc python app.py` (docs/jax.md).

JAX imports this module when it looks for devices, and calls `initialize`. The library is loaded only if the program
names the platform, so programs that use other platforms see no errors of tensorc.
"""

import importlib.util
import os
import warnings

from . import _callbacks, _dlpack, _lapack

# Versions of JAX that the tests use. Others may work.
TESTED = ("0.9.2", "0.10.2")


def initialize():
    try:
        _register()
    except Exception as error:  # noqa: BLE001
        warnings.warn(f"tensorc is no platform of this JAX: {type(error).__name__}: {error}", stacklevel=2)


def _library():
    """Returns the path of libtensorc_pjrt.so in the package, or in the build folder that
    contains the package."""
    if path := os.environ.get("TENSORC_PJRT_LIBRARY"):
        return path
    package = os.path.dirname(importlib.util.find_spec("tensorc").origin)
    places = [os.path.join(package, "lib"), os.path.join(package, "..", "..", "lib")]
    for place in places:
        path = os.path.abspath(os.path.join(place, "libtensorc_pjrt.so"))
        if os.path.exists(path):
            return path
    raise FileNotFoundError("this build of tensorc has no libtensorc_pjrt.so")


def _register():
    import jax
    from jax._src import xla_bridge

    if "tensorc" not in (jax.config.jax_platforms or "").split(","):
        return
    library = _library()
    xla_bridge.register_plugin("tensorc", library_path=library)
    if jax.__version__ not in TESTED:
        warnings.warn(f"tensorc is tested with JAX {' and '.join(TESTED)}, not with {jax.__version__}", stacklevel=2)
    try:
        lower_for(library)
        _enlist()
        _dlpack.install()
    except (ImportError, AttributeError, KeyError) as error:
        warnings.warn(f"JAX {jax.__version__} has other internals than tensorc knows, so that linear algebra, donation, "
                      f"callbacks and DLPack may be refused: {error}", stacklevel=2)  # fmt: skip


def lower_for(library):
    """Lets JAX lower programs for the platform `tensorc` that run in the runtime of this library: it lowers some primitives by
    the platform's name."""
    from jax._src.interpreters import mlir
    from jax.extend.core import primitives

    ours = mlir._platform_specific_lowerings["tensorc"]
    for primitive, rule in mlir._platform_specific_lowerings["cpu"].items():
        # The CPU's rule for products refuses algorithms that its compiler ignores.
        if primitive is not primitives.dot_general_p:
            ours.setdefault(primitive, rule)
    _callbacks.install(library)
    _lapack.install()


def _enlist():
    """Adds the platform to JAX's lists of platforms that support donation and the disk
    cache."""
    from jax._src import compilation_cache
    from jax._src.interpreters import mlir

    if "tensorc" not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append("tensorc")
    is_cache_used = compilation_cache.is_cache_used

    def is_used(backend):
        return compilation_cache._is_cache_enabled() if backend.platform == "tensorc" else is_cache_used(backend)

    compilation_cache.is_cache_used = is_used
