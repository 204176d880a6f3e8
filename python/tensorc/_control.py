"""Branches and loops. Their functions are recorded once."""

from . import _core
from ._arguments import _on, _whole
from ._dtypes import as_dtype
from ._functions import concatenate, reshape
from ._transforms import _Recorded, _arrays, _flatten, _handed, _is_array, _named


def _described(value, leaves):
    """Describes the result of a function for errors, together with the line where its first
    array was recorded."""
    kind = "an array" if _is_array(value) else f"a {type(value).__name__}"
    if isinstance(value, (tuple, list)):
        kind += f" of {len(value)}"
    if isinstance(value, dict):
        kind += f" with the keys {', '.join(repr(key) for key in value)}"
    file, line = leaves[0].location if leaves else ("", 0)
    return kind + (f" made at {file}:{line}" if file else "")


def _same_structure(first, second, name, what):
    """Raises unless both results have the same structure, dtypes and shapes. Each result is
    (value, leaves, tree)."""
    if not first[2] == second[2]:
        raise ValueError(
            f"{name}: {what[0]} is {_described(*first[:2])}, {what[1]} {_described(*second[:2])}: "
            "give both the same tuples, lists and dicts, with keys in one order  at " + _core.line())


def cond(predicate, then, otherwise, *args):
    """then(*args) if the predicate, a single boolean, is true, else otherwise(*args); only one of them runs.

    >>> tc.cond(tc.asarray(True), lambda x: x + 1, lambda x: x - 1, tc.asarray(1))
    array(2, dtype=int64)
    """
    first, second = _Recorded(then, args, "cond"), _Recorded(otherwise, args, "cond")
    results, tree = _arrays(first.result, "cond")
    others, other_tree = _arrays(second.result, "cond")
    _same_structure((first.result, results, tree), (second.result, others, other_tree), "cond",
                    ("the result of the first branch", "that of the second"))
    return tree.unflatten(_core.cond(predicate, first.values, first.arguments, results, second.arguments, others))


def switch(index, branches, *args):
    """branches[index](*args) for one integer; only that one runs.

    A negative index selects the first branch, and an index that is too large the last.

    >>> tc.switch(tc.asarray(2), [lambda x: x + 1, lambda x: x - 1, lambda x: x * 5], tc.asarray(3))
    array(15, dtype=int64)
    """
    recorded = [_Recorded(branch, args, "switch") for branch in branches]
    results = [_arrays(body.result, "switch") for body in recorded]
    for i in range(1, len(results)):
        _same_structure((recorded[0].result, *results[0]), (recorded[i].result, *results[i]), "switch",
                        ("the result of branch 0", f"that of branch {i}"))
    if not recorded:
        raise ValueError("switch: there is no branch")
    return results[0][1].unflatten(_core.switch(
        index, recorded[0].values, [body.arguments for body in recorded], [leaves for leaves, _ in results]))


def while_loop(condition, body, state, *, most=None):
    """Repeats state = body(state) while condition(state) is true, at most `most` times, and returns the last state.
    If `most` is given the loop has a gradient, which keeps the states of all iterations; iterations that are not
    executed cost little.

    >>> tc.while_loop(lambda x: x < 100, lambda x: x * 2, tc.asarray(1))
    array(128, dtype=int64)
    >>> tc.grad(lambda x: tc.while_loop(lambda x: x < 100, lambda x: x * x, x, most=5))(tc.asarray(3.0))
    array(17496.0, dtype=float32)
    """
    if most is not None and most < 1:
        raise ValueError(f"while_loop: at most {most} iterations are none")
    leaves, tree = _arrays(state, "while_loop")
    state = tree.unflatten(leaves)
    test, next = _Recorded(condition, (state,), "while_loop"), _Recorded(body, (state,), "while_loop")
    results, after = _arrays(next.result, "while_loop")
    _same_structure((state, leaves, tree), (next.result, results, after), "while_loop", ("the state", "after an iteration"))
    return tree.unflatten(_core.while_loop(leaves, test.arguments, [test.result], next.arguments, results, most or 0))


def _scan(body, state, xs, length, reverse, name):
    """Records body(index, state, part) -> (state, result) as a scan. Returns the leaves of both, and the structure of
    the results."""
    leaves, tree = _arrays(state, name)
    scanned, xs_tree = _arrays(xs, name)
    with _on((leaves + scanned)[0].device if leaves or scanned else None):
        index = _core.trace_argument_like(_core.full(as_dtype("int64"), (), 0))
    carried = [_core.trace_argument_like(x) for x in leaves]
    parts = [_core.trace_part_like(x) for x in scanned]
    with _named(name, "scan"):
        given = [[_handed(x) for x in some] for some in (carried, parts)]
        state_and_part = tree.unflatten(given[0]), xs_tree.unflatten(given[1])
        returned = _core.call_recorded(body, (_handed(index), *state_and_part), name)
        if not isinstance(returned, (tuple, list)) or len(returned) != 2:
            raise TypeError(f"{name}: the body returns {_described(returned, _arrays(returned, name)[0])}, "
                            "not a pair of the next state and a result  at " + _core.line())
        after, result = returned
        after_leaves, after_tree = _arrays(after, name)
        _same_structure((state, leaves, tree), (after, after_leaves, after_tree), name, ("the state", "after an iteration"))
        result_leaves, result_tree = _arrays(result, name)
        made = _core.scan_loop(leaves, scanned, length, reverse, [index, *carried, *parts], [*after_leaves, *result_leaves])
    return tree.unflatten(made[: len(leaves)]), result_tree.unflatten(made[len(leaves):])


def _scan_in_segments(body, state, xs, length, reverse, segment, name):
    """Like _scan, but with nested scans, so that a gradient recomputes the iterations of the
    inner ones. An incomplete segment comes last."""
    if segment is None or segment >= length > 0:
        return _scan(body, state, xs, length, reverse, name)
    if segment < 1:
        raise ValueError(f"{name}: a segment of {segment} iterations")
    leaves, tree = _arrays(xs, name)
    count, whole = length // segment, length - length % segment

    def part(first, state, xs, length):
        return _scan(lambda i, state, x: body(i + first, state, x), state, xs, length, reverse, name)

    def rest(state):
        return part(whole, state, tree.unflatten([x[whole:] for x in leaves]), length - whole)

    behind = None
    if reverse and whole < length:
        state, behind = rest(state)
    segments = tree.unflatten([reshape(x[:whole], (count, segment, *x.shape[1:])) for x in leaves])
    state, front = _scan(lambda i, state, xs: part(i * segment, state, xs, segment), state, segments, count, reverse, name)
    if not reverse and whole < length:
        state, behind = rest(state)
    results, tree = _arrays(front, name)
    results = [reshape(x, (whole, *x.shape[2:])) for x in results]
    if behind is not None:
        results = [concatenate(both) for both in zip(results, _arrays(behind, name)[0])]
    return state, tree.unflatten(results)


def fori_loop(begin, end, body, state, *, segment=None):
    """The state after state = body(i, state) for i from begin to end - 1. Has a gradient.

    The bounds are integers with known values. If a bound is an argument of a trace, use while_loop. `segment` is as
    in scan.

    >>> tc.fori_loop(0, 5, lambda i, x: x + i, tc.asarray(0))
    array(10, dtype=int64)
    """
    if any(_is_array(bound) and bound.is_traced for bound in (begin, end)):
        raise ValueError("fori_loop: the bounds must be numbers, not arrays whose values a trace does not know: use while_loop")
    begin, end = _whole(begin, "fori_loop: a bound"), _whole(end, "fori_loop: a bound")
    if begin < end and (begin < -(2**63) or end >= 2**63 or end - begin >= 2**63):
        raise ValueError(f"fori_loop: from {begin} to {end} are more than 2^63 - 1 iterations, or numbers that int64 does not have")

    def step(index, state, _):
        return body(_core.add(index, begin) if begin else index, state), ()
    return _scan_in_segments(step, state, (), max(0, end - begin), False, segment, "fori_loop")[0]


def _length(xs, name):
    leaves = [x for x in _flatten(xs)[0] if _is_array(x)]
    if not leaves:
        raise ValueError(f"{name}: there is nothing to scan: use fori_loop")
    if leaves[0].ndim == 0:
        raise ValueError(f"{name}: an array of rank 0 has no parts")
    return leaves[0].shape[0]


def scan(body, state, xs=None, length=None, *, reverse=False, segment=None):
    """Calls body(state, x) for each slice x of xs along the first axis; it returns the next state and a result.
    Without xs, x is None, and `length` is the number of calls. Returns the last state, and the results stacked along
    a new first axis. Has a gradient, which keeps the state before each call. With `segment`, it keeps only every
    segment-th state and recomputes the others.

    >>> tc.scan(lambda s, x: (s + x, s), tc.asarray(0), tc.arange(4))
    (array(6, dtype=int64), array([0, 0, 1, 3], dtype=int64))
    """
    if length is not None:
        length = _whole(length, "scan: the length")
    if length is None or any(_is_array(x) for x in _flatten(xs)[0]):
        parts = _length(xs, "scan")
        if length not in (None, parts):
            raise ValueError(f"scan: the length is {length}, and the arrays have {parts} parts")
        length = parts
    if length < 0:
        raise ValueError(f"scan: the length is {length}")
    return _scan_in_segments(lambda _, state, part: body(state, part), state, xs, length, reverse, segment, "scan")


def map(function, xs):
    """Applies function(x) to each slice of xs along the first axis, and stacks the results.

    >>> tc.map(lambda x: x.sum(), tc.ones((2, 3)))
    array([3.0, 3.0], dtype=float32)
    """
    return _scan(lambda _, __, x: ((), function(x)), (), xs, _length(xs, "map"), False, "map")[1]
