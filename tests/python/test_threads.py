"""Other threads of Python go on while the library works."""

import sys
import threading

import pytest

import tensorc as tc


@pytest.fixture
def only_voluntary_switches():
    """A thread that runs goes on until it lets go of Python's lock by itself."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


def recorded(x, operations, until=lambda: False):
    for _ in range(operations):
        x = x * 0.5 + 1.0
        if until():
            break
    return x


def test_a_long_recording_lets_other_threads_run(only_voluntary_switches):
    gate, seen = threading.Lock(), []
    gate.acquire()

    def waits():
        gate.acquire()
        seen.append(len(seen))

    x = (tc.ones(3) * 2).eval()  # what is done once is done
    thread = threading.Thread(target=waits)
    thread.start()
    gate.release()  # from now on it waits for Python's lock alone
    x = recorded(x, 100)
    assert not seen, "a short recording evaluates nothing"
    # Each evaluates a few times: a loaded machine may not wake the thread at once.
    x = recorded(x, 100 * 8192, until=lambda: seen)
    assert seen == [0]
    thread.join()
    assert x.tolist() == pytest.approx([2.0] * 3)


def test_threads_record_at_length_together():
    results = [None] * 4

    def work(i):
        results[i] = recorded(tc.full(2, float(i)), 9000).tolist()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[2.0, 2.0]] * 4
