"""Converts scalar functions of Python, from their source, to functions of whole arrays.

Each statement is recorded for all elements at once. Both sides of a branch that depends on values are recorded, and
each element selects one; a loop runs until it has ended for all elements, and elements whose loop has ended keep
their values.
"""

import ast
import builtins
import collections
import inspect
import math
import textwrap

from .. import _core, _functions
from .._arguments import _on
from .._control import while_loop
from .._dtypes import as_dtype, default_float, has_derivatives, is_float, result_type
from .scalars import _BINARY, _CALLS, _COMPARED, _and, _binary, _either, _logical, _not, _or, _select, _unary

Array = _core.Array
_bool, _int64 = as_dtype("bool"), as_dtype("int64")
# These are not valid Python names.
_RETURNED, _VALUE, _BROKE, _CONTINUED = "return", "return value", "break", "continue"


class _Partial:
    """A variable that has no value on some path. `left` is true if that path has left the loop's
    body by a break or a continue."""

    def __init__(self, value, left):
        self.value, self.left = value, left


def _plain(value):
    return value.value if isinstance(value, _Partial) else value


def _ended(env):
    """Returns how all elements have left the statements: _RETURNED, _BROKE (by a break or
    continue), or None if some have not."""
    if env.get(_RETURNED, False) is True:
        return _RETURNED
    return _BROKE if env.get(_BROKE, False) is True or env.get(_CONTINUED, False) is True else None


def _merged(condition, first, second, first_ended=None):
    """The variables after a branch: those of `first` where the condition holds, else those of `second`. A variable
    that one side does not define is undefined there, which does not matter if that side has returned.
    """
    ends = (first_ended or _ended(first), _ended(second))
    result = {}
    for name in first.keys() | second.keys():
        values = [side[name] for side in (first, second) if name in side]
        if name in (_RETURNED, _BROKE, _CONTINUED):
            result[name] = _select(condition, first.get(name, False), second.get(name, False))
        elif len(values) == 2 and values[0] is values[1]:
            result[name] = values[0]
        else:
            plain = [_plain(v) for v in values]
            value = _select(condition, *plain) if len(plain) == 2 else plain[0]
            lacking = [isinstance(side.get(name), _Partial) and side[name].left or end == _BROKE
                       for side, end in zip((first, second), ends)
                       if end != _RETURNED and (name not in side or isinstance(side[name], _Partial))]  # fmt: skip
            result[name] = _Partial(value, all(lacking)) if lacking and name != _VALUE else value
    return result


def _breaks(statements):
    """Returns True if one of the statements is a break that ends the loop whose body they
    are."""
    return builtins.any(
        isinstance(s, ast.Break) or not isinstance(s, (ast.For, ast.While)) and _breaks(ast.iter_child_nodes(s)) for s in statements)


def _assigned(statements):
    """Returns the names that the statements assign."""
    names = set()
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            elif isinstance(node, ast.Return):
                names |= {_RETURNED, _VALUE}
    return names


def _reads(statements):
    """Returns the number of times that the statements read each name."""
    nodes = [n for s in statements for n in ast.walk(s)]
    return collections.Counter([n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
                               + [n.target.id for n in nodes if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)])


class _Reader:
    """Executes the statements of a function on arrays."""

    most_steps = 4
    most_written_out = 64  # maximum number of operations in an unrolled loop

    def __init__(self, function):
        self.function = function
        self.loops = 0  # number of loops around the statement that is read
        lines, first = inspect.getsourcelines(function)
        module = ast.parse(textwrap.dedent("".join(lines)))
        self.definition = module.body[0]
        self.lambda_body = None
        if not isinstance(self.definition, ast.FunctionDef):
            found = [n for n in ast.walk(module) if isinstance(n, ast.Lambda)]
            if len(found) != 1:
                raise TypeError("vectorize: a function, or a line with one lambda, is expected")
            self.lambda_body = found[0].body
        ast.increment_lineno(module, first - 1)
        self.file = inspect.getsourcefile(function)
        closure = inspect.getclosurevars(function)
        self.outside = {**closure.builtins, **closure.globals, **closure.nonlocals}

    def refuse(self, node, text):
        raise TypeError(f"vectorize: {text}  at {self.file}:{getattr(node, 'lineno', '?')}")

    def __call__(self, *args):
        bound = inspect.signature(self.function).bind(*args)
        bound.apply_defaults()
        env = dict(bound.arguments)
        if self.lambda_body is not None:
            return self.value(self.lambda_body, env)
        self.floats = result_type(*[a for a in args if isinstance(a, Array) and is_float(a.dtype)]) if any(
            isinstance(a, Array) and is_float(a.dtype) for a in args) else default_float()  # fmt: skip
        self.shape = _functions.broadcast_shapes(*(a.shape for a in args if isinstance(a, Array)))
        env = self.run(self.definition.body, env)
        if env.get(_RETURNED, False) is False:
            self.refuse(self.definition, f"{self.function.__name__} returns nothing")
        if env[_RETURNED] is not True:
            self.refuse(self.definition.body[-1], f"a path through {self.function.__name__} ends without a return")
        return env[_VALUE]

    # Statements.

    def run(self, statements, env):
        for i, statement in enumerate(statements):
            method = getattr(self, "run_" + type(statement).__name__, None)
            if method is None:
                self.refuse(statement, f"{type(statement).__name__} is not a statement of a scalar function")
            env = method(statement, env)
            stop = _or(_or(env.get(_RETURNED, False), env.get(_BROKE, False)), env.get(_CONTINUED, False))
            if isinstance(stop, Array):
                rest = self.side(_not(stop), statements[i + 1:], env)
                has_left = env.get(_BROKE, False) is not False or env.get(_CONTINUED, False) is not False
                merged = _merged(stop, env, rest, _BROKE if has_left else _RETURNED)
                if not has_left and rest.get(_RETURNED, False) is True:
                    merged[_RETURNED] = True
                return merged
            if stop:
                return env
        return env

    def run_Expr(self, node, env):
        if not isinstance(node.value, ast.Constant):
            self.refuse(node, "a value that nobody takes")
        return env

    def run_Pass(self, node, env):
        return env

    def run_Return(self, node, env):
        if node.value is None:
            self.refuse(node, "a return without a value")
        return {**env, _VALUE: self.value(node.value, env), _RETURNED: True}

    def run_Break(self, node, env):
        return {**env, _BROKE: True}

    def run_Continue(self, node, env):
        return {**env, _CONTINUED: True}

    def assign(self, target, value, env):
        if isinstance(target, ast.Name):
            env[target.id] = value
        elif isinstance(target, ast.Tuple) and isinstance(value, tuple) and len(value) == len(target.elts):
            for one, part in zip(target.elts, value):
                self.assign(one, part, env)
        else:
            self.refuse(target, "what is assigned to is not a name")

    def run_Assign(self, node, env):
        value, env = self.value(node.value, env), dict(env)
        for target in node.targets:
            self.assign(target, value, env)
        return env

    def run_AnnAssign(self, node, env):
        env = dict(env)
        if node.value is not None:
            self.assign(node.target, self.value(node.value, env), env)
        return env

    def run_AugAssign(self, node, env):
        value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value) if isinstance(node.target, ast.Name) else None
        if value is None:
            self.refuse(node, "what is assigned to is not a name")
        ast.copy_location(value, node)
        ast.copy_location(value.left, node)
        return {**env, node.target.id: self.value(value, env)}

    def run_If(self, node, env):
        condition = self.value(node.test, env)
        if not isinstance(condition, Array):
            return self.run(node.body if condition else node.orelse, env)
        return _merged(condition, self.side(condition, node.body, env), self.side(_not(condition), node.orelse, env))

    def side(self, condition, statements, env):
        """Returns the variables after the statements, executed for the elements for which the
        condition holds."""
        guarded = self.guarded(condition, statements, env)
        after = self.run(statements, {**env, **guarded})
        return {n: env[n] if v is guarded.get(n, self) else v for n, v in after.items()}

    def guarded(self, condition, nodes, env):
        """Returns the variables that the nodes read, with derivatives only where the condition
        holds. The derivatives of other elements could be infinite or NaN, and would be multiplied
        by a slope of 0. Variables of loops have no such derivatives."""
        if self.loops:
            return {}
        reads = _reads(nodes)
        return {n: _core.select(_logical(condition), v, _core.stop_gradient(v)) for n, v in env.items()
                if n in reads and isinstance(v, Array) and has_derivatives(v.dtype)}  # fmt: skip

    def run_While(self, node, env):
        if node.orelse:
            self.refuse(node, "an else of a loop")
        env = self.loop(node, env, lambda env: self.value(node.test, env), lambda env: env)
        if isinstance(node.test, ast.Constant) and node.test.value and _RETURNED in env and not _breaks(node.body):
            env[_RETURNED] = True  # no other condition ends the loop
        return env

    def run_For(self, node, env):
        call = node.iter
        if node.orelse:
            self.refuse(node, "an else of a loop")
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range" and not call.keywords):
            self.refuse(node, "a loop over what is not a range")
        bounds = [self.value(a, env) for a in call.args]
        begin, end, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        if isinstance(step, Array) or step == 0:
            self.refuse(node, "a range whose step is 0 or depends on values")
        if not isinstance(node.target, ast.Name):
            self.refuse(node, "what is assigned to is not a name")
        if not builtins.any(isinstance(b, Array) for b in (begin, end)) and self.is_short(node, range(begin, end, step)):
            env = dict(env)
            for i in range(begin, end, step):
                env = self.run(node.body, {**env, node.target.id: i})
            return env
        counter = f"range {node.lineno}"  # not a valid Python name
        env = {**env, counter: begin}

        def test(env):
            return env[counter] < end if step > 0 else env[counter] > end

        def enter(env):
            return {**env, node.target.id: env[counter], counter: env[counter] + step}

        return self.loop(node, env, test, enter, counter)

    def loop(self, node, env, test, enter, counter=None):
        self.loops += 1
        try:
            return self.repeated(node, env, test, enter, counter)
        finally:
            self.loops -= 1

    def repeated(self, node, env, test, enter, counter):
        names = _assigned(node.body)
        if counter:
            names |= {counter, node.target.id}
        names -= self.temporaries(node, names)
        # All elements that are still in the loop have had the same number of iterations, so all
        # share one counter.
        shared = {counter} if counter and not isinstance(env[counter], Array) else set()
        # A break or continue of an outer loop does not end this loop, but the elements that
        # executed it take no part in this loop.
        outer = {n: env[n] for n in (_BROKE, _CONTINUED) if n in env}
        env = {n: v for n, v in env.items() if n not in outer}

        def once(env):
            env = self.run(node.body, enter(dict(env)))
            stop = _or(env.get(_RETURNED, False), env.pop(_BROKE, False))
            env.pop(_CONTINUED, None)
            return env, stop

        # The first iteration is recorded once to find the variables and their dtypes.
        trial, known = env, {n for n in names if n in env and not isinstance(env[n], _Partial)}
        before = {n: _plain(v) for n, v in env.items()}
        for i in range(2):
            trial = {**env, **{n: self.like(_plain(trial[n]), before.get(n)) for n in (names & trial.keys() if i else known)}}
            trial = once(trial)[0]
            if i == 0:
                enters = test(env)  # a number or boolean if it is known whether there is an iteration
                if not isinstance(enters, Array) and enters:
                    known = {n for n in trial if not isinstance(trial[n], _Partial)}
        names = sorted(n for n in names if n in trial)
        state = {n: _core.full(_int64, (), env[n]) if n in shared else self.start(_plain(trial[n]), before.get(n), n == _RETURNED)
                 for n in names}  # fmt: skip
        started = _and(test({**env, **state}), _not(env.get(_RETURNED, False)))
        for flag in outer.values():
            started = _and(started, _not(flag))
        active = _core.broadcast_to(_logical(_core.as_array(started)), self.shape)

        def step(active, state):
            after, stop = once({**env, **state})
            # An element whose loop has ended keeps its values.
            made = {n: after[n] if n in shared else _select(active, self.fit(_plain(after[n]), state[n]), state[n]) for n in names}
            goes_on = _and(_and(active, _not(stop)), test({**env, **made}))
            return _core.broadcast_to(_logical(goes_on) if isinstance(goes_on, Array) else _core.as_array(goes_on), self.shape), made

        def body(carried):
            for _ in range(self.steps(node)):
                carried = step(*carried)
            return carried

        _, state = while_loop(lambda carried: _functions.any(carried[0]), body, (active, state))
        # A variable that is assigned only in iterations has no value if there is no iteration.
        state = {n: v if n in known or n in (_RETURNED, _VALUE) else _Partial(v, False) for n, v in state.items()}
        return {**env, **state, **outer}

    def temporaries(self, node, names):
        """Returns the names that each iteration assigns before it reads them, and that nothing
        else reads."""
        inside, all_reads = _reads(node.body), _reads([self.definition])
        given, met = {node.target.id} if isinstance(node, ast.For) else set(), set()
        for statement in node.body:
            mentioned = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
            if isinstance(statement, ast.Assign):
                given |= mentioned - met - _reads([statement]).keys()
            met |= mentioned
        return {n for n in names & given if inside[n] == all_reads[n]}

    def is_short(self, node, numbers):
        """Returns True if the loop is unrolled, which gives it derivatives: it has few
        iterations, and no break or return ends it."""
        inside = [n for s in node.body for n in ast.walk(s)]
        if builtins.any(isinstance(n, (ast.Return, ast.Break, ast.Continue, ast.While)) for n in inside):
            return False
        most = self.most_written_out // 4 if builtins.any(isinstance(n, ast.For) for n in inside) else self.most_written_out
        return len(numbers) * self.operations(node) <= most

    def operations(self, node):
        return max(1, sum(isinstance(n, (ast.BinOp, ast.AugAssign, ast.Compare, ast.Call, ast.If, ast.IfExp)) for s in node.body for n in ast.walk(s)))

    def steps(self, node):
        """Returns the number of iterations of a loop that are executed at once, with the
        variables in registers in between."""
        if builtins.any(isinstance(n, (ast.While, ast.For)) for s in node.body for n in ast.walk(s)):
            return 1
        return max(1, min(self.most_steps, 40 // self.operations(node)))

    def like(self, value, before):
        """Returns the value of a variable as an array, so that a loop can change a number."""
        return self.start(value, before, isinstance(value, bool))

    def start(self, value, before, is_flag=False):
        """Returns the value that a variable has before a loop that ends with `value`."""
        if is_flag:
            dtype = _bool
        elif isinstance(value, Array):
            dtype = value.dtype
            if isinstance(before, Array):
                dtype = result_type(value, before)
            elif isinstance(before, float) and not is_float(dtype):
                dtype = self.floats
        else:
            dtype = self.floats if isinstance(value, float) or isinstance(before, float) else (
                _bool if isinstance(value, bool) else _int64)  # fmt: skip
        before = _core.full(dtype, (), 0 if before is None else before) if not isinstance(before, Array) else before
        return _core.broadcast_to(before if before.dtype == dtype else _core.astype(before, dtype), self.shape)

    def fit(self, value, like):
        value = value if isinstance(value, Array) else _core.full(like.dtype, (), value)
        value = value if value.dtype == like.dtype else _core.astype(value, like.dtype)
        return _core.broadcast_to(value, self.shape)

    # Expressions.

    def value(self, node, env):
        method = getattr(self, "of_" + type(node).__name__, None)
        if method is None:
            self.refuse(node, f"{type(node).__name__} is not an expression of scalars")
        try:
            return method(node, env)
        except (ValueError, ArithmeticError) as error:
            raise type(error)(f"{error}  at {self.file}:{node.lineno}") from None

    def of_Constant(self, node, env):
        if not isinstance(node.value, (bool, int, float)):
            self.refuse(node, f"{node.value!r} is not a number")
        return node.value

    def of_Name(self, node, env):
        if node.id in env:
            value = env[node.id]
            if isinstance(value, _Partial) and not value.left:
                self.refuse(node, f"{node.id} has no value on a path that leads here: give it one before the branch or the loop")
            return _plain(value)
        if node.id not in self.outside:
            self.refuse(node, f"{node.id} has no value here")
        return self.outside[node.id]

    def of_Attribute(self, node, env):
        value = self.value(node.value, env)
        if isinstance(value, Array):
            self.refuse(node, f"an element has no .{node.attr}")
        return getattr(value, node.attr)

    def of_Tuple(self, node, env):
        return tuple(self.value(e, env) for e in node.elts)

    def of_BinOp(self, node, env):
        if type(node.op) not in _BINARY:
            self.refuse(node, f"{type(node.op).__name__} is not an operation of scalars")
        return _binary(node.op, self.value(node.left, env), self.value(node.right, env))

    def of_UnaryOp(self, node, env):
        x = self.value(node.operand, env)
        return _not(x) if isinstance(node.op, ast.Not) else _unary(node.op, x)

    def of_Compare(self, node, env):
        left, result = self.value(node.left, env), True
        for op, right in zip(node.ops, node.comparators):
            if type(op) not in _COMPARED:
                self.refuse(node, f"{type(op).__name__} is not a comparison of scalars")
            right = self.value(right, env)
            result, left = _and(result, _COMPARED[type(op)](left, right)), right
        return result

    def of_BoolOp(self, node, env):
        result, *others = (self.value(v, env) for v in node.values)
        for other in others:
            result = _either(isinstance(node.op, ast.And), result, other)
        return result

    def of_IfExp(self, node, env):
        condition = self.value(node.test, env)
        if not isinstance(condition, Array):
            return self.value(node.body if condition else node.orelse, env)
        taken, other = ({**env, **self.guarded(c, [n], env)} for c, n in ((condition, node.body), (_not(condition), node.orelse)))
        return _select(condition, self.value(node.body, taken), self.value(node.orelse, other))

    def of_Call(self, node, env):
        function = self.value(node.func, env)
        if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            self.refuse(node, "a call with named arguments")
        args = [self.value(a, env) for a in node.args]
        if isinstance(function, Vectorized):
            return function.reader(*args)
        try:
            known = _CALLS.get(function)
        except TypeError:
            known = None
        if known is None and getattr(function, "__module__", "").startswith("tensorc"):
            known = function
        if known is None and not any(isinstance(a, Array) for a in args):
            known = function
        if known is None:
            name = getattr(function, "__name__", function)
            self.refuse(node, f"{name} is not a function of scalars: those of math, abs, min, max, and vectorized ones are")
        return known(*args)


class Vectorized:
    """A scalar function as a function of arrays, which broadcast."""

    # The number of elements for which a loop runs at once. With blocks, the variables stay in a
    # cache, and the loop can end early for the elements of a block.
    block = 2048

    def __init__(self, function):
        self.reader = _Reader(function)
        self.__wrapped__ = function
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        body = self.reader.definition.body if self.reader.lambda_body is None else []
        self.has_loops = builtins.any(isinstance(n, (ast.While, ast.For)) for s in body for n in ast.walk(s))
        self.jit = _core.Jit(self.recorded)

    def recorded(self, *args):
        with _on(next(a.device for a in args if isinstance(a, Array))):
            return self.on_device(*args)

    def on_device(self, *args):
        shape = _functions.broadcast_shapes(*(a.shape for a in args if isinstance(a, Array)))
        size = math.prod(shape)
        if not self.has_loops or size <= self.block:
            return self.whole(self.reader(*args), shape)
        from .._control import map

        blocks = -(-size // self.block)
        extra = blocks * self.block - size

        def cut(x):
            x = _core.reshape(_core.broadcast_to(x, shape), (-1,))
            # The last block is padded with copies of an element, which does not make the loop
            # longer.
            x = _core.concatenate([x, _core.broadcast_to(x[-1:], (extra,))], 0) if extra else x
            return _core.reshape(x, (blocks, self.block))

        given = [a for a in args if isinstance(a, Array) and a.ndim]

        def one(parts):
            parts = iter(parts)
            return self.whole(self.reader(*[next(parts) if isinstance(a, Array) and a.ndim else a for a in args]), (self.block,))

        made = map(one, tuple(cut(a) for a in given))
        back = [_core.reshape(_core.reshape(m, (-1,))[:size], shape) for m in (made if isinstance(made, tuple) else (made,))]
        return tuple(back) if isinstance(made, tuple) else back[0]

    def whole(self, value, shape):
        if isinstance(value, tuple):
            return tuple(self.whole(v, shape) for v in value)
        return _core.broadcast_to(_core.as_array(value), shape)

    def __call__(self, *args):
        args = [a if isinstance(a, (Array, bool, int, float)) else _core.as_array(a) for a in args]
        if not builtins.any(isinstance(a, Array) for a in args):
            args = [_core.as_array(a) for a in args]
        return self.jit(*args)

    def __repr__(self):
        return f"<vectorized {self.__name__}>"


def vectorize(function):
    """Converts a scalar Python function with branches and loops to an element-wise function of arrays.

    The function's source may contain assignments, if, while, for over a range, break, continue, return, functions of
    math, and other vectorized functions. Arguments broadcast. In loops an int becomes int64, and a float has the
    dtype of the arguments. A path without a return, or reading a name that a path does not assign, is a TypeError. An
    integer to the power of an integer array is a ValueError, because the result is a float where the exponent is
    negative: write float(x) ** n.

    A loop with a small, known number of iterations is unrolled and has derivatives; other loops have none. In a
    branch, an element has the derivative of its own side, even if the other side divides by 0.

    >>> @tc.vectorize
    ... def collatz(n):
    ...     steps = 0
    ...     while n > 1:
    ...         n = n // 2 if n % 2 == 0 else 3 * n + 1
    ...         steps += 1
    ...     return steps
    >>> collatz(tc.asarray([1, 7, 27]))
    array([0, 16, 111], dtype=int64)
    """
    return Vectorized(function)
