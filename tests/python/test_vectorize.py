"""tc.vectorize beside the same function called for each element."""

import math

import numpy as np
import pytest

import tensorc as tc


def agrees(function, *arrays, rtol=1e-6):
    made = tc.vectorize(function)(*arrays)
    arrays = np.broadcast_arrays(*arrays)
    expected = np.array([function(*(x.item() for x in xs)) for xs in zip(*(a.ravel() for a in arrays))]).reshape(arrays[0].shape)
    assert made.shape == expected.shape
    np.testing.assert_allclose(made.numpy(), expected, rtol=rtol, atol=1e-6)
    return made


def floats(*shape):
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def mandelbrot(cr, ci):
    """How many steps the orbit of 0 stays within the radius 2."""
    zr = zi = 0.0
    for i in range(40):
        if zr * zr + zi * zi > 4:
            return i
        zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
    return 40


def black_scholes(price, strike, years, rate=0.02, volatility=0.3):
    """The price of a call (Black and Scholes 1973)."""
    d1 = (math.log(price / strike) + (rate + volatility * volatility / 2) * years) / (volatility * math.sqrt(years))
    d2 = d1 - volatility * math.sqrt(years)
    return price * normal(d1) - strike * math.exp(-rate * years) * normal(d2)


@tc.vectorize
def normal(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2.0)))


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def nested(x):
    total = 0.0
    for i in range(1, 6):
        if i == 3:
            continue
        j = 0
        while j < i:
            total += x * j
            if total > 2:
                break
            j += 1
    return total


def many_returns(x):
    if x > 1:
        return x
    if x > 0:
        y = x * 2
    elif x < -1:
        return -1.0
    else:
        y = -x
    while y < 3:
        y += 1
        if y * y > 5 and x > 0.5:
            return y * 100
    return y


@pytest.mark.parametrize("shape", [(), (1,), (7,), (0,), (3, 5), (5000,)])
def test_mandelbrot(shape):
    c = np.random.default_rng(1).uniform(-2, 1, size=(2, *shape)).astype(np.float32)
    # Elements at the boundary may leave a step earlier or later in single precision.
    made = tc.vectorize(mandelbrot)(c[0], c[1])
    expected = np.array([mandelbrot(*map(np.float32, p)) for p in zip(c[0].ravel(), c[1].ravel())]).reshape(shape)
    assert made.shape == shape and made.dtype == tc.int64
    assert np.mean(made.numpy() != expected) < 0.01 if made.size else True


def test_black_scholes():
    n = 100
    price, strike = np.linspace(5, 30, n, dtype=np.float32), np.linspace(1, 100, n, dtype=np.float32)
    made = tc.vectorize(black_scholes)(price, strike, np.float32(1.5) * np.ones(n, np.float32)).numpy()

    def phi(x):
        return 0.5 * (1 + math.erf(x / math.sqrt(2)))

    for p, k, m in zip(price, strike, made):
        d1 = (math.log(p / k) + (0.02 + 0.045) * 1.5) / (0.3 * math.sqrt(1.5))
        assert abs(m - (p * phi(d1) - k * math.exp(-0.03) * phi(d1 - 0.3 * math.sqrt(1.5)))) < 1e-3


def test_bodies_that_attract_each_other():
    def force(dx, dy, dz, mass):
        d2 = dx * dx + dy * dy + dz * dz + 0.01
        return mass / (d2 * math.sqrt(d2))

    x, mass = floats(20, 3), np.abs(floats(20))
    d = x[None] - x[:, None]
    pull = tc.vectorize(force)(d[..., 0], d[..., 1], d[..., 2], mass[None])
    made = (pull[..., None] * d).sum(axis=1).numpy()
    expected = np.array([sum(mass[j] * (x[j] - x[i]) / (((x[j] - x[i]) ** 2).sum() + 0.01) ** 1.5 for j in range(20)) for i in range(20)])
    np.testing.assert_allclose(made, expected, rtol=1e-4, atol=1e-5)


def test_branches_and_loops():
    agrees(many_returns, floats(200))
    agrees(nested, floats(50))
    agrees(gcd, np.arange(1, 60), np.arange(60, 1, -1))
    agrees(gcd, np.arange(1, 5)[:, None], np.arange(1, 9))
    agrees(lambda x: x if x > 0 else -x * 2, floats(9))
    agrees(lambda x, y: max(min(x, y), 0.5) + abs(x) % 2, floats(9), floats(9))


def counter_after_its_loop(x):
    """The counter is read behind the loop and assigned in it; a variable of a loop is read by the next."""
    total = 0.0
    for i in range(3, 9):
        square = i * x
        square += 1
        if square > 6:
            break
        last = square
        total += last
    j = 0
    for j in range(i, 0, -2):
        j = j - 1
        value = total + j + i
        if value > 20:
            return value
        total = value
    return total + i + j


def kept_from_the_last_iteration(x):
    """Read at the start of an iteration: what the one before left there."""
    before, total = x, 0.0
    for i in range(5):
        total += before * i
        before = i - x
        if before > 2:
            continue
        once = before
        total -= once
    return total + before


def test_variables_that_last():
    x = np.concatenate([floats(2500) * 2.0, [0.3, 1.7, -4]]).astype(np.float64)  # as Python counts
    agrees(counter_after_its_loop, x, rtol=1e-5)
    agrees(kept_from_the_last_iteration, x, rtol=1e-4)


def test_ranges_that_depend_on_the_element():
    def triangle(n):
        total = 0
        for i in range(n):
            total += i
        return total

    agrees(triangle, np.arange(-1, 9))

    def down(n):
        last = -1
        for i in range(10, n, -3):
            last = i
        return last

    agrees(down, np.arange(0, 14))


def test_in_traced_functions_and_gradients():
    @tc.vectorize
    def f(x):
        if x > 0:
            return x * x
        return -x

    x = tc.asarray([-2.0, 3.0])
    assert tc.jit(lambda x: f(x).sum())(x).item() == 11
    assert tc.grad(lambda x: f(x).sum())(x).tolist() == [-1, 6]


def test_dtypes():
    def f(x):
        y = 1.5
        while y < 4:
            y = y * x
        return y

    for dtype in (tc.float16, tc.float32, tc.float64):
        assert tc.vectorize(f)(tc.full((3,), 2.0, dtype=dtype)).dtype == dtype


def test_several_results():
    @tc.vectorize
    def both(x, y):
        return x + y, x * y

    a, b = both(tc.arange(3), 2)
    assert a.tolist() == [2, 3, 4] and b.tolist() == [0, 2, 4]


def test_nan_and_infinities():
    x = np.array([np.nan, np.inf, -np.inf, 0], np.float32)
    made = tc.vectorize(lambda x: 1.0 if x > 0 else 2.0 if x == x else 3.0)(x)
    assert made.tolist() == [3, 1, 2, 2]


def wrong_call(x):
    return print(x)


def wrong_statement(x):
    with x:
        return x


def wrong_name(x):
    return x + undefined  # noqa: F821


def wrong_index(x):
    return x[0]


def no_result(x):
    y = x


def path_without_return(x):
    if x > 0:
        return x * 2
    y = x * 7  # noqa: F841


def loop_without_return(x):
    while x > 0:
        if x > 5:
            return x
        x -= 1


def one_branch(x):
    if x > 0:
        y = 1.0
    return y


def after_no_iteration(x):
    while x > 0:
        y = x
        x -= 1
    return y


def after_a_break(x):
    for _ in range(3):
        if x > 0:
            break
        y = x
    return y


def nested_branch(x):
    if x > 0:
        if x > 1:
            y = 1.0
    else:
        y = 2.0
    return y


def integer_power(n):
    return int(n) ** int(n)


def two_to_the_power(n):
    return 2 ** int(n)


@pytest.mark.parametrize("function, text", [(wrong_call, "print is not a function"), (wrong_statement, "With is not a statement"),
                                            (wrong_name, "undefined has no value"), (wrong_index, "Subscript"), (no_result, "returns nothing"),
                                            (path_without_return, "without a return"), (loop_without_return, "without a return"),
                                            (one_branch, "y has no value on a path"), (after_no_iteration, "y has no value on a path"),
                                            (after_a_break, "y has no value on a path"), (nested_branch, "y has no value on a path")])
def test_what_is_no_scalar_function(function, text):
    with pytest.raises(TypeError, match=text) as error:
        tc.vectorize(function)(tc.ones(2))
    line = function.__code__.co_firstlineno
    assert any(f"test_vectorize.py:{line + i}" in str(error.value) for i in range(7))


@pytest.mark.parametrize("function", [integer_power, two_to_the_power])
def test_an_integer_to_a_power_that_may_be_negative(function):
    line = function.__code__.co_firstlineno + 1
    with pytest.raises(ValueError, match=rf"may be negative.*test_vectorize.py:{line}"):
        tc.vectorize(function)(tc.asarray([-1, 2]))


def test_powers():
    agrees(lambda n: n**3, np.arange(-3, 4))
    agrees(lambda n: float(n) ** int(n), np.arange(1, 4))
    agrees(lambda n: math.pow(n, n), np.array([-2, -1, 1, 2, 3]))


def test_paths_that_all_return_or_give_a_value():
    def forever(x):
        while True:
            x = x * 2
            if x > 50:
                return x

    def by_branches(x):
        if x > 3:
            return 1.0
        elif x > 2:
            y = 3.0
        else:
            if x > 1:
                return x
            y = x
        return y * 2

    def after_a_loop(x):
        for i in range(4):
            y = x * i
        return y + i

    def after_a_continue(x):
        total = 0.0
        for i in range(5):
            if x > 2:
                if i == 3:
                    continue
                y = 1.0
            else:
                y = x
            total += y
        return total

    def of_two(x):
        if x > 2:
            return x
        else:
            return -x

    for function in (forever, by_branches, after_a_loop, after_a_continue, of_two):
        agrees(function, np.linspace(0.5, 5, 10, dtype=np.float32))


def test_and_and_or_of_numbers():
    @tc.vectorize
    def f(x, y):
        return (x and 5) * 100 + 10 * (x or y) + (3 if x and y else 0)

    x, y = [-7, 0, 2, 0], [7, 8, 0, 0]
    assert f(tc.asarray(x), tc.asarray(y)).tolist() == [f.__wrapped__(*pair) for pair in zip(x, y)]

    @tc.vectorize
    def inside(x):
        return 1.0 if x > 0 and x < 2 or x == 5 else 0.5

    assert inside(tc.asarray([-1.0, 1.0, 3.0, 5.0])).tolist() == [0.5, 1, 0.5, 1]


@pytest.mark.parametrize("device", ["cpu:0", "sim:0"])
def test_branches_and_loops_on_a_device(device):
    @tc.vectorize
    def f(x):
        n = 0
        while x > 1:
            x = x * 0.5
            n += 1
        return n if n > 1 else 7.0

    x = tc.asarray([1.0, 3.0, 9.0]).to(device)
    for result in (f(x), tc.jit(lambda v: f(v))(x)):
        assert str(result.device) == device and result.tolist() == [7, 2, 4]


def test_derivatives_of_short_loops():
    @tc.vectorize
    def f(x):
        s = 1.0
        for i in range(3):
            for _ in range(i):
                s = s * x
        return s + i

    x = tc.asarray([2.0, -1.0])
    assert f(x).tolist() == [10, 1]
    assert tc.grad(lambda v: f(v).sum())(x).tolist() == [12, 3]


def test_booleans_are_numbers_in_sums():
    @tc.vectorize
    def f(x):
        return 100 * ((x > 0) + (x > 1) + (x > 2)) + 10 * abs(x > 0) - (x < 0) + (-(x > 1)) + ((x > 0) & (x < 2))

    x = [-1.0, 1.5, 3.0]
    assert f(tc.asarray(x)).tolist() == [f.__wrapped__(v) for v in x]


@tc.vectorize
def rooted(x):
    if x > 0:
        return math.sqrt(x)
    return 0.0 * x


@tc.vectorize
def inverse(x):
    return 1.0 / x if x != 0 else 0.0


@tc.vectorize
def guarded(x, y):
    r = y
    if x > 0:
        r = y / x
        if r > 2:
            r = math.log(r - 2)
    else:
        r = r * 3
    return r + x


def test_derivatives_are_of_the_side_that_is_taken():
    x = tc.asarray([0.0, 4.0, -1.0])
    slope = tc.grad(lambda v: rooted(v).sum())
    assert slope(x).tolist() == [0.0, 0.25, 0.0]
    assert tc.grad(lambda v: slope(v).sum())(x).tolist() == [0.0, -0.03125, 0.0]
    assert tc.jvp(rooted, (x,), (tc.ones(3),))[1].tolist() == [0.0, 0.25, 0.0]
    assert tc.grad(lambda v: inverse(v).sum())(tc.asarray([0.0, 2.0])).tolist() == [0.0, -0.25]
    x, y = tc.asarray([0.0, 2.0, -1.0, 2.0]), tc.asarray([1.0, 8.0, 1.0, 4.0])
    assert tc.grad(lambda v: guarded(v, y).sum())(x).tolist() == [1.0, 0.0, 1.0, 0.0]
    assert tc.grad(lambda v: guarded(x, v).sum())(y).tolist() == [3.0, 0.25, 3.0, 0.5]
