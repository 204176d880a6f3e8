"""Programs that call back into Python (jax.pure_callback): compiled in parts, between which JAX makes the calls."""

import jax as _jax
from jax.extend import core as _extend

_CALL = "pure_callback"


def has_callbacks(jaxpr):
    """Whether a call into Python is among the equations, or within a function that they call."""
    return any(eqn.primitive.name == _CALL or (_inner(eqn) is not None and has_callbacks(_inner(eqn).jaxpr)) for eqn in jaxpr.eqns)


def _inner(eqn):
    """The function that an equation calls as it is, as jax.jit within jax.jit."""
    return eqn.params.get("jaxpr") if eqn.primitive.name in ("jit", "pjit") else None


class Parts:
    """The equations up to each callback as a program of tensorc, and the callback."""

    def __init__(self, closed, compile):
        self._given, self._wanted = closed.jaxpr.invars, closed.jaxpr.outvars
        self._constants = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
        self._steps, together = [], []
        used = [{v for v in self._wanted if _is_variable(v)}]  # behind each equation, from the last one on
        for eqn in reversed(closed.jaxpr.eqns):
            used.append(used[-1] | {v for v in eqn.invars if _is_variable(v)})
        used.reverse()

        def close(end):
            if together:
                made = [v for eqn in together for v in eqn.outvars if v in used[end]]
                inside = {v for eqn in together for v in eqn.outvars}
                needed = list(dict.fromkeys(v for eqn in together for v in eqn.invars if _is_variable(v) and v not in inside))
                jaxpr = _extend.Jaxpr((), needed, made, list(together), debug_info=closed.jaxpr.debug_info.with_unknown_names())
                self._steps.append((needed, made, compile(_extend.jaxpr_as_fun(_extend.ClosedJaxpr(jaxpr, ())))))
                together.clear()

        for i, eqn in enumerate(closed.jaxpr.eqns):
            inner = _inner(eqn)
            if eqn.primitive.name == _CALL:
                close(i)
                self._steps.append((eqn.invars, eqn.outvars, lambda *values, eqn=eqn: eqn.primitive.bind(*values, **eqn.params)))
            elif inner is not None and has_callbacks(inner.jaxpr):
                close(i)
                self._steps.append((eqn.invars, eqn.outvars, Parts(inner, compile)))
            else:
                together.append(eqn)
        close(len(closed.jaxpr.eqns))

    def __call__(self, *values):
        known = {**self._constants, **dict(zip(self._given, values, strict=True))}

        def of(variable):
            return known[variable] if _is_variable(variable) else variable.val

        for needed, made, function in self._steps:
            known.update(zip(made, function(*map(of, needed)), strict=True))
        return [_jax.numpy.asarray(of(v)) for v in self._wanted]


def _is_variable(one):
    return not isinstance(one, _extend.Literal)
