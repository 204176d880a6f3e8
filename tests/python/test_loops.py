"""Loops as users write them: an iteration that looks like the one before it compiles nothing, whatever was left unread."""

import collections
import functools
import math
import operator

import numpy as np
import pytest

import tensorc as tc

STEPS = 40
LOOPS = {}


def loop(f):
    LOOPS[f.__name__.replace("_", " ")] = f
    return f


def vector(n=8):
    return tc.asarray(np.linspace(-1, 1, n, dtype=np.float32))


# Keys


@loop
def a_key_is_split_and_never_read():
    key, x = tc.random.key(0), tc.zeros((8,))
    for _ in range(STEPS):
        key, q = tc.random.split(key, 2)
        x = (x + tc.random.normal(q, (8,))).eval()
    return x


@loop
def three_keys_a_step():
    key, x = tc.random.key(0), vector()
    for _ in range(STEPS):
        key, a, b = tc.random.split(key, 3)
        x = (x * tc.random.uniform(a, (8,)) + tc.random.normal(b, (8,))).eval()
    return x


@loop
def a_key_is_folded_with_the_step():
    key, x = tc.random.key(0), vector()
    for i in range(STEPS):
        x = (x + tc.random.normal(tc.random.fold_in(key, i), (8,))).eval()
    return x


@loop
def a_key_is_replaced_by_its_fold():
    key, x = tc.random.key(0), vector()
    for i in range(STEPS):
        key = tc.random.fold_in(key, i)
        x = (x + tc.random.normal(key, (8,))).eval()
    return x


@loop
def random_walk_of_which_every_tenth_step_is_printed():
    key, x, seen = tc.random.key(0), tc.asarray(0.0), []
    for i in range(STEPS):
        key, q = tc.random.split(key, 2)
        x = x + tc.random.normal(q, ())
        if i % 10 == 9:
            seen.append(float(x))
    return seen[-1]


# Counters


@loop
def a_counter_is_used_and_never_read():
    count, x = tc.asarray(0.0), tc.ones((4,))
    for _ in range(STEPS):
        count = count + 1
        x = (x * 0.9 + count).eval()
    return x


@loop
def a_counter_goes_up_in_place():
    count, x = tc.zeros((), dtype=tc.int32), vector()
    for _ in range(STEPS):
        count += 1
        x = (x + count.astype(tc.float32) * 0.5).eval()
    return x


@loop
def a_counter_wraps():
    count, x = tc.asarray(0), vector()
    for _ in range(STEPS):
        count = (count + 1) % 10
        x = (x + count.astype(tc.float32)).eval()
    return x


@loop
def a_counter_is_read_one_step_late():
    count, x = tc.asarray(0.0), vector()
    for _ in range(STEPS):
        used, count = count * 2, count + 1
        x = (x + used).eval()
    return count


@loop
def two_counters_of_which_one_reads_the_other():
    a, b, x = tc.asarray(0.0), tc.asarray(1.0), vector()
    for _ in range(STEPS):
        a = a + 1
        b = b * 0.5 + a
        x = (x * 0.5 + b).eval()
    return a + b


@loop
def a_learning_rate_decays():
    rate, w = tc.asarray(0.1), vector()
    for _ in range(STEPS):
        rate = rate * 0.95
        w = (w - rate * (2 * w)).eval()
    return w


@loop
def a_schedule_of_the_step():
    w = vector()
    for i in range(STEPS):
        w = (w - 0.1 / (1 + i) * w).eval()
    return w


# Means and momentum


@loop
def a_running_mean_read_at_times():
    mean, n = tc.zeros((100,)), tc.asarray(0.0)
    for i in range(STEPS):
        n = n + 1
        mean = mean + (tc.ones((100,)) * i - mean) / n
        if i % 5 == 0:
            mean.sum().item()
    return mean


@loop
def welford():
    n, mean, m2 = tc.asarray(0.0), tc.zeros((8,)), tc.zeros((8,))
    for i in range(STEPS):
        x = vector() * i
        n = n + 1
        delta = x - mean
        mean = mean + delta / n
        m2 = m2 + delta * (x - mean)
        float(tc.sum(mean))
    return m2 / n


@loop
def a_mean_of_losses_that_nobody_reads():
    w, average = vector(), tc.asarray(0.0)
    for _ in range(STEPS):
        loss = tc.sum((w - 1) ** 2)
        w = (w - 0.1 * (w - 1)).eval()
        average = 0.9 * average + 0.1 * loss
    return average


@loop
def a_total_of_losses_read_at_the_end_of_an_epoch():
    w, totals = vector(), []
    for _ in range(STEPS // 10):
        total = tc.asarray(0.0)
        for _ in range(10):
            loss = tc.mean((w - 1) ** 2)
            total = total + loss
            w = (w - 0.1 * (w - 1)).eval()
        totals.append(float(total) / 10)
    return totals[-1]


@loop
def momentum():
    w, v = vector(), tc.zeros((8,))
    for _ in range(STEPS):
        v = 0.9 * v + 2 * w
        w = (w - 0.01 * v).eval()
    return v


@loop
def adam_of_which_only_the_weights_are_read():
    w, m, v, t = vector(), tc.zeros((8,)), tc.zeros((8,)), tc.asarray(0.0)
    for _ in range(STEPS):
        g, t = 2 * w, t + 1
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g * g
        w = (w - 0.01 * (m / (1 - 0.9**t)) / (tc.sqrt(v / (1 - 0.999**t)) + 1e-8)).eval()
    return w


@loop
def an_average_of_the_weights():
    w, average = vector(), vector()
    for _ in range(STEPS):
        w = (w * 0.9 + 0.1).eval()
        average = 0.99 * average + 0.01 * w
    return average


@loop
def gradients_and_an_unread_norm():
    w, norms = vector(), tc.asarray(0.0)
    gradient = tc.grad(lambda w: tc.sum(w**4))
    for _ in range(STEPS):
        g = gradient(w)
        norms = norms + tc.sqrt(tc.sum(g * g))
        w = (w - 0.01 * g).eval()
    return norms


# Lists, histories, growth


@loop
def losses_are_appended_and_read_at_the_end():
    w, losses = vector(), []
    for _ in range(STEPS):
        losses.append(tc.sum((w - 1) ** 2))
        w = (w - 0.1 * (w - 1)).eval()
    return sum(float(x) for x in losses)


@loop
def losses_are_appended_and_every_tenth_is_printed():
    w, losses = vector(), []
    for i in range(STEPS):
        losses.append(tc.sum((w - 1) ** 2))
        w = w - 0.1 * (w - 1)
        if i % 10 == 9:
            losses[-1].item()
    return w


@loop
def a_history_of_fixed_length():
    x, history = vector(), tc.zeros((5, 8))
    for _ in range(STEPS):
        x = (x * 0.9 + tc.mean(history, axis=0)).eval()
        history = tc.concat([history[1:], x[None]])
    return history


@loop
def a_ring_is_written_by_index():
    x, ring = vector(), tc.zeros((5, 8))
    for i in range(STEPS):
        ring[i % 4] = x
        x = (x * 0.5 + tc.sum(ring, axis=0) * 0.1).eval()
    return ring


@loop
def a_window_over_a_series():
    series, s = vector(100), tc.asarray(0.0)
    for i in range(STEPS):
        s = s + tc.mean(series[i : i + 10])
        if i % 10 == 9:
            float(s)
    return s


@loop
def a_concatenation_grows_and_is_read():
    x, y = vector(), vector()
    for _ in range(STEPS):
        y = tc.concat([y, x[:1]])
        float(tc.mean(y))
    return y


@loop
def a_concatenation_grows_beside_the_state():
    x, history = vector(), tc.zeros((1, 8))
    for _ in range(STEPS):
        x = x * 0.9 + 1
        history = tc.concat([history, x[None]])
        x.eval()
    return history


@loop
def a_sequence_grows_by_its_last_element():
    values = tc.zeros((1,))
    for _ in range(STEPS):
        values = tc.concat([values, values[-1:] + 1])
        float(tc.sum(values))
    return values


@loop
def a_sequence_grows_by_what_it_predicts():
    scores = tc.asarray(np.random.default_rng(0).normal(size=(10, 10)).astype(np.float32))
    tokens = tc.asarray([1])
    for _ in range(STEPS):
        token = tc.argmax(tc.mean(scores[tokens], axis=0))
        tokens = tc.concat([tokens, tc.reshape(token, (1,))])
        int(token)
    return tokens


# Control


@loop
def until_it_converges():
    x = vector() + 2
    for _ in range(1000):
        before, x = x, 0.5 * (x + 2 / x)
        if float(tc.max(tc.abs(x - before))) < 1e-6:
            break
    return x


@loop
def power_iteration_with_an_early_exit():
    a = tc.asarray(np.diag(np.arange(1, 9, dtype=np.float32)) + 0.1)
    v, value = tc.ones((8,)), 0.0
    for _ in range(100):
        v = a @ v
        v = v / tc.sqrt(tc.sum(v * v))
        new = float(v @ (a @ v))
        if abs(new - value) < 1e-4:
            break
        value = new
    return v


@loop
def a_loop_on_the_device_carries_a_value_that_nobody_reads():
    x, total = vector(), tc.asarray(0.0)
    for _ in range(STEPS):
        x, total = tc.while_loop(
            lambda s: tc.max(s[0]) > 1e-2, lambda s: (s[0] * 0.5, s[1] + tc.sum(s[0])), (x + 1, total)
        )
        x.eval()
    return total


@loop
def the_best_value_so_far():
    x, best = vector(), tc.full((), np.inf)
    for _ in range(STEPS):
        x = (x * 0.9).eval()
        best = tc.minimum(best, tc.sum(x * x))
    return best


@loop
def early_stopping_reads_the_best_value():
    x, best = vector(), tc.full((), np.inf)
    for i in range(STEPS):
        x = x * 0.9
        loss = tc.sum(x * x)
        if bool(loss < best):
            best = loss
    return best


# Chains of random states. One program serves each expression of a step, in the first iteration, too: the key and the zeros with
# which a chain begins are stored before they are read.


def log_density(x):
    return -0.5 * tc.sum(x * x)


@loop
def metropolis_reads_a_difference_and_a_number():
    key, x = tc.random.key(0), tc.zeros((4,))
    for _ in range(STEPS):
        key, a, b = tc.random.split(key, 3)
        y = x + 0.5 * tc.random.normal(a, (4,))
        difference = float(log_density(y) - log_density(x))
        if float(tc.random.uniform(b, ())) < np.exp(min(0, difference)):
            x = y
    return x


@loop
def metropolis_reads_three_numbers():
    key, x = tc.random.key(0), tc.zeros((4,))
    for _ in range(STEPS):
        key, a, b = tc.random.split(key, 3)
        y = x + 0.5 * tc.random.normal(a, (4,))
        new, old = float(log_density(y)), float(log_density(x))
        if float(tc.random.uniform(b, ())) < np.exp(min(0, new - old)):
            x = y
    return x


@loop
def metropolis_of_one_number():
    key, x = tc.random.key(0), tc.asarray(0.0)
    for _ in range(STEPS):
        key, a, b = tc.random.split(key, 3)
        y = x + tc.random.normal(a, ())
        if float(tc.random.uniform(b, ())) < float(tc.exp(0.5 * (x * x - y * y))):
            x = y
    return x


@loop
def a_chain_of_80_steps_is_evaluated_at_its_end():
    key, x = tc.random.key(0), tc.zeros((4,))
    for _ in range(80):
        key, a, b = tc.random.split(key, 3)
        y = x + 0.5 * tc.random.normal(a, (4,))
        accepted = tc.log(tc.random.uniform(b, ())) < log_density(y) - log_density(x)
        x = tc.where(accepted, y, x)
    return x.eval()


@loop
def accepted_steps_are_counted():
    key, x, accepted = tc.random.key(0), tc.asarray(0.0), 0
    for _ in range(80):
        key, a, b = tc.random.split(key, 3)
        y = x + tc.random.normal(a, ())
        is_better = tc.random.uniform(b, ()) < tc.exp(0.5 * (x * x - y * y))
        x = tc.where(is_better, y, x)
        accepted = accepted + is_better.astype(tc.float32)
    return tc.eval(x, accepted)


@loop
def minibatches_of_lazy_labels():
    x, y = vector(280).reshape(70, 4), tc.arange(70).astype(tc.float32)
    w = vector(4)
    for i in range(STEPS):
        at = 16 * (i % 4)
        xb, yb = x[at : at + 16], y[at : at + 16]
        w = (w - 0.01 * tc.grad(lambda w: tc.mean((xb @ w - yb) ** 2))(w)).eval()
    return w


@loop
def a_beam_search():
    scores = tc.asarray(np.random.default_rng(0).normal(size=(32, 32)).astype(np.float32))
    beams, best = tc.zeros((4, 1), dtype=tc.int64), tc.zeros((4,))
    for _ in range(STEPS):
        total = best[:, None] + tc.log_softmax(scores[beams[:, -1]], axis=-1)
        best, index = tc.topk(total.reshape(-1), 4)
        beams = tc.concat([beams[index // 32], (index % 32)[:, None]], axis=1)
        beams.eval()
    return beams


# States that begin as numbers and constants. An expression without code stores them, so the first iteration needs no other code.


@loop
def bisection():
    a, b = tc.asarray(0.0), tc.asarray(2.0)
    for _ in range(STEPS):
        middle = (a + b) / 2
        if float(middle * middle - 2) > 0:
            b = middle
        else:
            a = middle
    return a


@loop
def golden_section_reads_two_numbers():
    a, b, ratio = tc.asarray(0.0), tc.asarray(3.0), (math.sqrt(5) - 1) / 2
    for _ in range(STEPS // 2):
        c, d = b - ratio * (b - a), a + ratio * (b - a)
        if float((c - 1) ** 2) < float((d - 1) ** 2):
            b = d
        else:
            a = c
    return a


@loop
def a_learning_rate_is_halved_at_times():
    w, rate = vector(), tc.asarray(0.1)
    for i in range(STEPS):
        w = (w - rate * w).eval()
        if i % 10 == 9:
            rate = rate * 0.5
    return w


@loop
def a_new_constant_in_each_step():
    w = vector()
    for i in range(STEPS):
        rate = tc.asarray(1 / (i + 2))
        w = (w - rate * w).eval()
    return w


@loop
def a_ragged_last_batch_of_lazy_labels():
    x, y = vector(200).reshape(50, 4), tc.arange(50).astype(tc.float32)
    w, b = tc.zeros((4,)), tc.zeros(())
    for _ in range(4):
        for i in range(0, 50, 16):
            error = x[i : i + 16] @ w + b - y[i : i + 16]
            w, b = w - 0.01 * (x[i : i + 16].T @ error), b - 0.01 * tc.sum(error)
            tc.eval(w, b)
    return w


# Expressions of several steps whose number varies


def recurrent(xp, weights, inputs):
    h = xp.zeros((4,), dtype=xp.float32)
    for x in inputs:
        h = xp.tanh(weights @ h + x)
    return h


@loop
def an_unrolled_loop_of_ten_lengths():
    weights = tc.asarray(np.eye(4, dtype=np.float32))
    for n in (3, 5, 7, 3, 9, 5, 11, 4, 6, 8, 10, 12):
        h = recurrent(tc, weights, range(n)).eval()
    return h


@loop
def a_polynomial_of_many_degrees():
    x = vector()
    for degree in (2, 5, 3, 7, 4, 6, 9, 8):
        y = tc.zeros_like(x)
        for c in range(degree):
            y = y * x + c
        y.eval()
    return y


@loop
def leapfrog_of_which_every_fifth_step_is_read():
    q, p = vector(4), tc.zeros((4,))
    for i in range(STEPS):
        p = p - 0.05 * q
        q = q + 0.1 * p
        p = p - 0.05 * q
        if i % 5 == 0:
            float(tc.sum(p * p + q * q))
    return q


@loop
def the_game_of_life_is_shown_at_times():
    grid = tc.asarray(np.random.default_rng(0).integers(0, 2, (12, 12)))
    for i in range(STEPS // 2):
        near = sum(tc.roll(tc.roll(grid, a, 0), b, 1) for a in (-1, 0, 1) for b in (-1, 0, 1)) - grid
        grid = tc.where((near == 3) | ((grid == 1) & (near == 2)), 1, 0)
        if i % 4 == 0:
            int(tc.sum(grid))
    return grid


# Loops that really grow: one warning, and what is compiled serves all lengths. The number is that of all compilations, of which
# one is of x * 0.9 where x is evaluated.


GROWING = {}


def growing(compilations):
    def add(f):
        GROWING[f.__name__.replace("_", " ")] = f, compilations
        return f

    return add


@growing(3)
def a_list_is_summed_in_each_iteration():
    values, x = [], vector()
    for _ in range(STEPS):
        x = (x * 0.9).eval()
        values.append(x)
        total = sum(values)
        total.eval()
    return total


@growing(3)
def a_list_is_stacked_in_each_iteration():
    values, x = [], vector()
    for _ in range(STEPS):
        x = (x * 0.9).eval()
        values.append(tc.sum(x))
        mean = tc.mean(tc.stack(values))
        mean.eval()
    return mean


@growing(2)
def a_list_is_concatenated_in_each_iteration():
    values, x = [], vector()
    for _ in range(STEPS):
        x = (x * 0.9).eval()
        values.append(x)
        all = tc.concat(values)
        all.eval()
    return all


@growing(3)
def a_list_grows_by_unequal_steps():
    values, x = [], vector()
    for i in range(STEPS // 2):
        for _ in range(1 + i % 3):
            x = (x * 0.9).eval()
            values.append(x)
        total = sum(values)
        total.eval()
    return total


@growing(3)
def a_stacked_list_grows_by_unequal_steps():
    values, x = [], vector()
    for i in range(STEPS // 2):
        for _ in range(1 + i % 3):
            x = (x * 0.9).eval()
            values.append(tc.sum(x))
        mean = tc.mean(tc.stack(values))
        mean.eval()
    return mean


@growing(3)
def a_stacked_list_grows_by_unequal_chains():
    values, x = [], vector()
    for i in range(STEPS // 2):
        for _ in range(1 + i % 3):
            x = x * 0.9
            values.append(tc.sum(x))
        mean = tc.mean(tc.stack(values))
        mean.eval()
    return mean


@growing(3)
def slices_are_concatenated():
    values, x = [], vector()
    for i in range(STEPS // 2):
        for _ in range(1 + i % 4):
            x = (x * 0.9).eval()
            values.append(x[:3])
        all = tc.concat(values)
        all.eval()
    return all


@growing(3)
def the_last_four_values_are_stacked():
    values, x = collections.deque(maxlen=4), vector()
    for _ in range(STEPS):
        x = (x * 0.9).eval()
        values.append(x)
        mean = tc.mean(tc.stack(list(values)))
        mean.eval()
    return mean


@growing(3)
def the_last_four_losses_are_averaged():
    losses, x = collections.deque(maxlen=4), vector()
    for _ in range(STEPS):
        x = x * 0.9
        losses.append(tc.sum(x * x))
        mean = tc.mean(tc.stack(list(losses)))
        float(mean)
    return mean


@growing(3)
def the_last_four_values_are_summed():
    values, x = collections.deque(maxlen=4), vector()
    for _ in range(STEPS):
        x = (x * 0.9).eval()
        values.append(x)
        total = tc.sum(sum(values) / len(values))
        total.eval()
    return total


@growing(3)
def values_that_nobody_reads_are_summed():
    values, x = [], vector()
    for _ in range(STEPS):
        x = x * 0.9
        values.append(tc.sum(x))
        total = sum(values)
        total.eval()
    return total


@pytest.mark.parametrize("name", GROWING)
def test_growing(name, capfd):
    loop, compilations = GROWING[name]
    tc.reset_compile_stats(forget_kernels=True)
    result = loop()
    stats = tc.compile_stats()
    assert stats["compilations"] + stats["disk_hits"] <= compilations, stats
    told = [line for line in capfd.readouterr().err.splitlines() if "is longer each time" in line]
    assert len(told) == 1 and "test_loops.py:" in told[0], told
    np.asarray(result)


def compiled_and_told(f, capfd):
    tc.reset_compile_stats(forget_kernels=True)
    f()
    stats = tc.compile_stats()
    return stats["compilations"] + stats["disk_hits"], capfd.readouterr().err


def test_remedies_of_loops_that_grow(capfd):
    # docs/limits.md names these.
    def the_sum_is_carried():
        total, x = tc.asarray(0.0), vector()
        for _ in range(STEPS):
            x = (x * 0.9).eval()
            total = total + tc.sum(x)
            total.eval()

    def values_are_in_one_tensor():
        values, x = tc.asarray(np.zeros((4, 8), np.float32)), vector()
        for _ in range(STEPS):
            x = (x * 0.9).eval()
            values = tc.concat([values[1:], x[None]]).eval()
            tc.sum(values / 4).eval()

    for f in (the_sum_is_carried, values_are_in_one_tensor):
        compiled, told = compiled_and_told(f, capfd)
        assert compiled <= 3 and told == "", f.__name__


def test_lists_of_one_value():
    x = tc.asarray([3.0, 4.0])
    for made in (tc.stack([x]), tc.concat([x * 2]), tc.stack([x + 1], axis=1), tc.stack([tc.sum(x), x[0]])):
        np.testing.assert_array_equal(made + 1, np.asarray(made) + 1)
    assert tc.stack([x[0] * 2]).tolist() == [6] and tc.mean(tc.stack([tc.sum(x)])).item() == 7
    assert tc.concat([x[:0]]).shape == (0,) and tc.sum(tc.concat([x[:0] * 2])).item() == 0


def of_depth(weights, x):
    for w in weights:
        x = tc.tanh(x @ w)
    tc.sum(x).eval()


def weight():
    return tc.asarray(np.eye(8, dtype=np.float32))


def test_models_of_depth_1_2_and_3_are_no_loop(capfd):
    weights, x = [weight() for _ in range(3)], tc.ones((8, 8)).eval()

    def of_the_same_weights():
        for depth in (1, 2, 3):
            of_depth(weights[:depth], x)

    def of_new_weights():
        for depth in (1, 2, 3):
            of_depth([weight() for _ in range(depth)], x)

    def of_the_same_weights_and_new_data():
        for depth in (1, 2, 3):
            of_depth(weights[:depth], weight())

    for f in (of_the_same_weights, of_new_weights, of_the_same_weights_and_new_data):
        assert compiled_and_told(f, capfd) == (3, "")


def test_many_lengths_of_a_rebuilt_chain_share_kernels(capfd):
    def f():
        for n in range(1, STEPS):
            x = vector()
            for _ in range(n):
                x = tc.tanh(x * 1.1) + 0.1
            tc.sum(x).eval()

    compiled, told = compiled_and_told(f, capfd)
    assert compiled <= 12 and told == ""


def test_growing_values(capfd):
    values, x = [], vector()
    for i in range(STEPS):
        x = (x * 0.9).eval()
        values.append(x)
        together = tc.stack(values)
        np.testing.assert_array_equal(together, np.stack([np.asarray(v) for v in values]))
        assert float(tc.sum(tc.stack([tc.sum(v) for v in values]))) == pytest.approx(np.asarray(together).sum(), abs=1e-5)


def test_growing_values_after_an_empty_one(capfd):
    empty, values = tc.zeros((0,)), []
    for i in range(6):
        values.append(tc.asarray([float(i)]))
        together = tc.concat([empty] + [v * 2 for v in values])
        assert float(tc.sum(together)) == i * (i + 1)


def test_growing_values_of_several_a_step(capfd):
    values, x = [], vector()
    for i in range(STEPS // 2):
        for _ in range(1 + i % 3):
            x = x + 1
            values += [x[:3], x[2:]]
        together = tc.concat(values) * 2
        np.testing.assert_array_equal(together, 2 * np.concatenate([np.asarray(v) for v in values]))


def test_what_follows_a_growing_stack(capfd):
    def rest(xp, all):
        centered = all - xp.mean(all, axis=0)
        return xp.sum(xp.sort(centered, axis=0)[-1]) + xp.cumsum(all @ all.mT, axis=1)

    values, x = [], vector()
    for _ in range(6):
        x = (x * 0.9).eval()
        values.append(x + 1)
        expected = rest(np, np.stack([np.asarray(v) for v in values]))
        np.testing.assert_allclose(rest(tc, tc.stack(values)), expected, rtol=1e-5)


def test_folds_of_growing_lists_have_the_values_of_their_steps():
    draw = np.random.default_rng(0)
    folds = {
        "sum": sum,
        "mean": lambda v: sum(v) * 2 - len(v),
        "product": math.prod,
        "difference": lambda v: functools.reduce(operator.sub, v),
        "two sums": lambda v: sum(v) + sum(w * w for w in v),
        "a sum of a sum": lambda v: sum(v) * sum(v[:-1], v[-1]),
    }
    for name, fold in folds.items():
        for dtype in (np.float32, np.int32, np.complex64):
            values, expected = [], []
            for i in range(7):
                for _ in range(1 + i % 2):
                    x = draw.integers(-3, 4, 5).astype(dtype)
                    expected.append(x)
                    values.append(tc.asarray(x))
                np.testing.assert_array_equal(np.asarray(fold(values)), fold(expected), err_msg=f"{name}, {dtype}, {i}")


def test_sums_of_negative_zeros_are_zero():
    values = []
    for _ in range(6):
        values.append(tc.asarray([-0.0, -0.0]))
        assert not np.signbit(np.asarray(sum(values))).any()
        assert not np.signbit(np.asarray(sum(values) / len(values))).any()


def test_a_grown_expression_that_comes_again_is_compiled():
    # Its parts write 32 MiB to memory.
    def evaluate(n):
        x = vector(1 << 20)
        for _ in range(n):
            x = tc.cos(x) * 0.5
        tc.sum(x).eval()

    for n in [1, 2, 3] + 40 * [4]:
        evaluate(n)
    tc.reset_compile_stats()
    for _ in range(3):
        evaluate(4)
    stats = tc.compile_stats()
    assert stats["hits"] == 3 and stats["compilations"] == 0, stats


def test_a_long_chain_costs_as_much_as_its_parts():
    def compiled(n):
        tc.reset_compile_stats(forget_kernels=True)
        y = x = tc.asarray(np.arange(64, dtype=np.float32).reshape(8, 8))
        for _ in range(n):
            y = tc.concat([y[1:], x[:1]])
        np.testing.assert_array_equal(y, np.broadcast_to(np.asarray(x)[0], (8, 8)))
        stats = tc.compile_stats()
        return stats["compilations"] + stats["disk_hits"]

    assert compiled(1000) <= 5
    assert compiled(1503) <= 5


def test_steps_of_varying_number_have_their_values():
    draw = np.random.default_rng(0)
    weights = (draw.normal(size=(4, 4)) / 2).astype(np.float32)
    ours = tc.asarray(weights)
    for n in (3, 5, 7, 4, 9, 2, 6, 1):
        inputs = draw.normal(size=(n, 4)).astype(np.float32)
        held = [tc.asarray(x) * 2 for x in inputs]
        rows = tc.asarray(inputs)
        expected = recurrent(np, weights, 2 * inputs)
        np.testing.assert_allclose(recurrent(tc, ours, held), expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(recurrent(tc, ours, [rows[i] * 2 for i in range(n)]), expected, rtol=1e-5, atol=1e-6)


def test_two_steps_first_of_which_one_is_in_another_order():
    # The first iteration computes its operands in another order, since it reads constants.
    def gated(xp, u, x, n):
        h, c = xp.zeros(4, dtype=xp.float32), xp.zeros(4, dtype=xp.float32)
        for _ in range(n):
            doubled = xp.sin(x * 2)
            read = xp.cos(h @ u)
            h, c = xp.tanh(doubled + read) + c, read
        return h, c

    # The rest reads a value of the last step that no step reads.
    def read_last(xp, u, x, n):
        h = xp.zeros(4, dtype=xp.float32)
        for _ in range(n):
            doubled = xp.sin(x * 2)
            read = xp.cos(h @ u)
            h = xp.tanh(doubled + read)
        return xp.sum(h) + xp.sum(read), h

    draw = np.random.default_rng(0)
    u, x = ((draw.normal(size=size) / 2).astype(np.float32) for size in ((4, 4), 4))
    ours = tc.asarray(u), tc.asarray(x)
    for f in (gated, read_last):
        tc.reset_compile_stats(forget_kernels=True)
        for n in (1, 2, 5, 7, 9):
            np.testing.assert_allclose(f(tc, *ours, n)[0], f(np, u, x, n)[0], rtol=1e-5, atol=1e-6)
        stats = tc.compile_stats()
        # One or two steps as a whole, a step, and the rest.
        assert stats["compilations"] + stats["disk_hits"] <= 4, stats


def test_values_held_in_steps_are_kept():
    # Each step's loss is read after expressions of 1, 6, 3 and 5 steps.
    w, expected, losses = tc.asarray(np.ones(3, np.float32)), np.ones(3, np.float32), []
    for n in (1, 6, 3, 5, 5):
        for i in range(n):
            halves = w * np.float32(0.5)
            losses.append((tc.sum(halves), expected.sum() / 2))
            w = halves + i
            expected = expected * np.float32(0.5) + i
        float(tc.max(w))
    np.testing.assert_allclose(np.asarray(w), expected, rtol=1e-6)
    for made, value in losses:
        assert float(made) == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize("name", LOOPS)
def test_compilations(name, capfd):
    tc.reset_compile_stats(forget_kernels=True)
    result = LOOPS[name]()
    stats = tc.compile_stats()
    compiled = stats["compilations"] + stats["disk_hits"]
    # What the caller reads last is no part of the loop.
    assert compiled <= 3, stats
    assert capfd.readouterr().err == ""
    np.asarray(result)


@pytest.mark.parametrize("name", ["metropolis reads three numbers", "metropolis of one number", "accepted steps are counted"])
def test_compilations_on_a_device_without_host_memory(name, capfd):
    tc.reset_compile_stats(forget_kernels=True)
    with tc.device("sim:0"):
        LOOPS[name]()
    stats = tc.compile_stats()
    assert stats["compilations"] + stats["disk_hits"] <= 3, stats
    assert capfd.readouterr().err == ""


def test_a_chain_of_steps_has_the_bits_of_its_steps():
    def steps(count, evaluates):
        key, x = tc.random.key(7), tc.zeros((4,))
        for _ in range(count):
            key, a = tc.random.split(key, 2)
            x = tc.tanh(x + tc.random.normal(a, (4,)))
            if evaluates:
                x.eval()
        return np.asarray(x)

    for count in (1, 2, 299, 300):
        np.testing.assert_array_equal(steps(count, False), steps(count, True))


def test_keys_and_constants_of_many_kinds_are_stored_first():
    for dtype in (tc.bool, tc.int8, tc.uint16, tc.float16, tc.bfloat16, tc.float32, tc.int64, tc.float64, tc.complex64):
        x = tc.ones((3, 5), dtype=dtype)
        y = x[1:] if dtype == tc.bool else x[1:] + x[:2]
        assert y.tolist() == ([[True] * 5] * 2 if dtype == tc.bool else [[2] * 5] * 2), dtype
        assert x.tolist() == [[1] * 5] * 3, dtype
    empty = tc.zeros((0, 3))
    assert (empty + 1).tolist() == [] and empty.tolist() == []
    for seed in (0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1, -1):
        key = tc.random.key(seed)
        drawn = tc.random.uniform(key, (2,)).tolist()
        assert key.tolist() == [seed % 2**32, seed // 2**32 % 2**32]
        again = tc.asarray(np.array([seed % 2**32, seed // 2**32 % 2**32], np.uint32))
        assert drawn == tc.random.uniform(again, (2,)).tolist()
    keys = tc.random.split(tc.random.key(3), 5).eval()
    rows = [tc.random.uniform(keys[i], (2,)).tolist() for i in range(-1, 5)]
    assert rows[0] == rows[5] and len({tuple(row) for row in rows}) == 5
