"""Ranks of one process, on devices of the CPU and on simulated ones. tests/runtime/core has processes."""

import collections
import contextlib
import math
import os
import pathlib
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest

import tensorc as tc
from tensorc import distributed as dist

def check_collectives(devices):
    n = len(devices)

    def body(rank):
        assert (dist.get_rank(), dist.get_world_size(), dist.is_initialized()) == (rank.rank, n, True)
        x = tc.arange(n, dtype="float32") + 10 * rank.rank
        return {
            "sum": dist.all_reduce(x), "mean": dist.all_reduce(x, "mean"), "max": dist.all_reduce(x, "max"),
            "scattered": dist.reduce_scatter(x), "gathered": dist.all_gather(x[None]), "exchanged": dist.all_to_all(x),
            "root": dist.broadcast(x, 1), "ring": dist.permute(x, [(r, (r + 1) % n) for r in range(n)]), "id": dist.partition_id(),
            "where": x.device,
        }  # fmt: skip

    all_x = np.arange(n, dtype=np.float32) + 10 * np.arange(n, dtype=np.float32)[:, None]
    for r, made in enumerate(tc.spmd(devices, body)):
        expected = {
            "sum": all_x.sum(0), "mean": all_x.mean(0), "max": all_x.max(0), "scattered": all_x.sum(0)[r : r + 1], "gathered": all_x,
            "exchanged": all_x[:, r], "root": all_x[1], "ring": all_x[r - 1], "id": r,
        }  # fmt: skip
        assert made.pop("where") == tc.device(devices[r])
        for name, value in made.items():
            np.testing.assert_array_equal(np.asarray(value), expected[name], name)
    assert not dist.is_initialized() and dist.get_world_size() == 1


def test_collectives():
    check_collectives(["cpu"] * 4)


def test_simulated_devices():
    in_process("check_collectives(['sim:0', 'sim:1'])", TENSORC_SIM_DEVICES="2")


def train(device, shard, steps=2, width=64, layers=6, batch=128):
    """Trains by Adam. Returns the device's bytes of the state and the gradients, its peak in a step, and the loss."""

    def loss(ws, x):
        for w in ws:
            x = tc.tanh(x @ w)
        return (x * x).mean()

    x = shard(tc.random.normal(tc.random.key(0), (batch, width)))
    ws = [shard(tc.random.normal(tc.random.key(i), (width, width)) / 8) for i in range(layers)]
    ms, vs = [shard(tc.zeros_like(w)) for w in ws], [shard(tc.zeros_like(w)) for w in ws]
    tc.eval(x, *ws, *ms, *vs)
    for _ in range(steps):
        tc.reset_peak(device)
        value, gs = tc.value_and_grad(loss)(ws, x)
        ms = [0.9 * m + 0.1 * g for m, g in zip(ms, gs)]
        vs = [0.99 * v + 0.01 * g * g for v, g in zip(vs, gs)]
        ws = [w - 1e-3 * m / (tc.sqrt(v) + 1e-8) for w, m, v in zip(ws, ms, vs)]
        gs = None
        tc.eval(value, *ws, *ms, *vs)
        peak = tc.memory_stats(device)["peak"]
    value, gs = tc.value_and_grad(loss)(ws, x)
    tc.eval(value, *gs)
    return tc.memory_stats(device)["allocated"], peak, value.item()


def check_memory_of_sharded_parameters(batch):
    state, peak, loss = tc.spmd(["cpu:0"], lambda rank: train("cpu:0", lambda x: x, batch=batch))[0]
    mesh = tc.Mesh({"data": 4})
    ranks = tc.spmd([f"cpu:{r}" for r in range(4)],
                    lambda rank: train(f"cpu:{rank.rank}", lambda x: tc.shard(x, mesh, ("data",)), batch=batch))  # fmt: skip
    for part, part_peak, part_loss in ranks:
        assert part <= 0.3 * state and part_peak <= 0.45 * peak, (part / state, part_peak / peak)
        assert abs(part_loss - loss) <= 1e-5 * loss


def in_process(function, **variables):
    code = f"import test_distributed as t; t.{function}"
    paths = os.pathsep.join([str(pathlib.Path(__file__).parent), *filter(None, sys.path)])
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | variables | {"PYTHONPATH": paths})


def test_four_ranks_share_the_memory_of_parameters():
    """The allocator's peaks with sharded parameters, gradients and optimizer state, as in FSDP."""
    in_process("check_memory_of_sharded_parameters(128)", TENSORC_CPU_DEVICES="4")
    in_process("check_memory_of_sharded_parameters(16)", TENSORC_CPU_DEVICES="4")


@pytest.mark.skipif(not shutil.which("mpirun.openmpi"), reason="Open MPI is not installed")
def test_processes():
    code = """
import tensorc as tc
from tensorc import distributed as dist
rank = dist.init_process_group()
assert rank.backend == "mpi" and dist.get_world_size() == 2
total = dist.all_reduce(tc.asarray([1.0, float(dist.get_rank())]))
assert total.tolist() == [2, 1], total
dist.destroy_process_group()
"""
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    command = ["mpirun.openmpi", "--oversubscribe", "-n", "2", sys.executable, "-c", code]
    paths = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | allowed | {"PYTHONPATH": paths})
    if "this build of tensorc does not have it" in done.stderr:
        pytest.skip("built without Open MPI")
    assert not done.returncode, done.stderr


def check_layers_on_two_devices(first, second):
    """Trains layers on two devices, and compares with one device."""

    def train(devices, compiled):
        keys = tc.random.split(tc.random.key(0), 3)
        ws = [(tc.random.normal(keys[0], (16, 32)) / 4).to(devices[0]), (tc.random.normal(keys[1], (32, 4)) / 4).to(devices[1])]
        x, losses = tc.random.normal(keys[2], (8, 16)).to(devices[0]), []

        def loss(ws, x):
            h = tc.tanh(x @ ws[0]).to(devices[1])
            return ((h @ ws[1]) ** 2).mean()

        @compiled
        def step(ws, x):
            value, gradients = tc.value_and_grad(loss)(ws, x)
            return value, [w - 0.1 * g for w, g in zip(ws, gradients)]

        for _ in range(3):
            value, ws = step(ws, x)
            tc.eval(value, *ws)
            assert [w.device for w in ws] == [tc.device(d) for d in devices]
            losses.append(value.item())
        curvature = tc.grad(lambda w: (tc.grad(lambda w: loss([w, ws[1]], x))(w) ** 2).sum())(ws[0])
        return losses + [tc.sum(curvature * curvature).item()]

    expected = train(["cpu:0", "cpu:0"], lambda f: f)
    np.testing.assert_allclose(train([first, second], lambda f: f), expected, rtol=1e-5)
    np.testing.assert_allclose(train([first, second], tc.jit), expected, rtol=1e-5)


def test_layers_on_two_devices():
    in_process("check_layers_on_two_devices('cpu:0', 'cpu:1'), t.check_layers_on_two_devices('sim:0', 'sim:1')",
               TENSORC_CPU_DEVICES="2", TENSORC_SIM_DEVICES="2")  # fmt: skip


def test_groups():
    def body(rank):
        x = tc.asarray([float(rank.rank)])
        return [dist.all_reduce(x, groups=[[0, 2], [1, 3]]), dist.all_gather(x, groups=[[3, 0], [1, 2]])]

    made = tc.spmd(["cpu"] * 4, body)
    assert [m[0].item() for m in made] == [2, 4, 2, 4]
    assert [m[1].tolist() for m in made] == [[3, 0], [1, 2], [1, 2], [3, 0]]


def test_compiled_for_all_ranks():
    """One compilation; the gradient is of the sum of all ranks' losses."""

    @tc.jit
    def step(w, x):
        return tc.value_and_grad(lambda w: dist.all_reduce(((x @ w) ** 2).mean(), "mean"))(w)

    x = np.random.default_rng(0).normal(size=(8, 3)).astype(np.float32)
    w = np.ones(3, np.float32)
    made = tc.spmd(["cpu"] * 4, lambda rank: step(tc.asarray(w), tc.asarray(x[2 * rank.rank : 2 * rank.rank + 2])))
    alone = ((x @ w) ** 2).mean()
    for loss, _ in made:
        np.testing.assert_allclose(loss.item(), alone, rtol=1e-6)
    # Each rank has the part of its own rows, of which there are all ranks' losses.
    total = sum(np.asarray(gradient) for _, gradient in made)
    np.testing.assert_allclose(total, 4 * 2 * x.T @ (x @ w) / 8, rtol=1e-5)


def test_traces_depend_on_the_number_of_ranks():
    total = tc.jit(lambda x: dist.all_reduce(x))
    for n in 2, 3:
        assert [y.item() for y in tc.spmd(["cpu"] * n, lambda rank: total(tc.ones(())))] == [n] * n
    assert total(tc.ones(())).item() == 1


def test_vmap():
    made = tc.spmd(["cpu"] * 2, lambda rank: tc.vmap(dist.all_reduce)(tc.ones((3, 2)) * (rank.rank + 1)))
    np.testing.assert_array_equal(np.asarray(made[0]), np.full((3, 2), 3.0))


def test_errors():
    def failing(rank):
        if rank.rank == 1:
            raise KeyError("no more data")
        return dist.all_reduce(tc.ones(2))

    with pytest.raises(KeyError, match="no more data"):
        tc.spmd(["cpu"] * 2, failing)

    # The other ranks do not wait for one whose function returns early, whose communicator can still be described.
    kept = []

    def early(rank):
        kept.append(rank)
        if rank.rank == 0:
            dist.barrier()

    with pytest.raises(ValueError, match="all_reduce: rank 1 has ended without calling it"):
        tc.spmd(["cpu"] * 2, early)
    assert sorted((rank.rank, rank.size, rank.counters["collectives"]) for rank in kept) == [(0, 2, 1), (1, 2, 0)]
    kept[0].abort("too late")
    with pytest.raises(ValueError, match="the communicator has ended"), kept[0]:
        pass

    is_over = threading.Event()

    def late(rank):
        rank.set_timeout(0.05)
        if rank.rank == 0:
            try:
                dist.barrier()
            finally:
                is_over.set()
        else:
            is_over.wait(600)

    with pytest.raises(RuntimeError, match="all_reduce: rank 1 did not call it within"):
        tc.spmd(["cpu"] * 2, late)
    with pytest.raises(ValueError, match="spmd: sim:0 is there twice"):
        tc.spmd(["sim:0", "sim:0"], failing)
    with pytest.raises(ValueError, match="no and of float32|no and of f32"):
        dist.all_reduce(tc.ones(2), "and")
    with pytest.raises(ValueError, match="op is one of 'sum'"):
        dist.all_reduce(tc.ones(2), "avg")
    with pytest.raises(ValueError, match="all of one length"):
        dist.all_reduce(tc.ones(2), groups=[[0], [1, 2]])
    with pytest.raises(ValueError, match="the groups have 2 ranks, the communicator has 1"):
        dist.all_reduce(tc.ones(2), groups=[[0, 1]])
    with pytest.raises(ValueError, match="the backend is 'mpi' or 'nccl'"):
        dist.init_process_group("gloo")
    with pytest.raises(ValueError, match="init_method is 'file:///PATH'"):
        dist.init_process_group("nccl", init_method="tcp://host:1")
    with pytest.raises(RuntimeError, match="NCCL connects GPUs whose vendor has such a library"):
        dist.init_process_group("nccl", "cpu", init_method="file:///never")


def train_in_bf16(split, reduce, steps=3, micro=4, width=16, batch=32):
    """Trains weights of f32 by products of bf16, with gradients that are accumulated over micro-batches."""
    keys = tc.random.split(tc.random.key(0), 3)
    x, target = (tc.random.normal(key, (batch, width)) for key in keys[:2])
    w = tc.random.normal(keys[2], (width, width)) / 4

    def loss(w, x, target):
        y = x.astype(tc.bfloat16) @ w.astype(tc.bfloat16)
        return tc.square(tc.tanh(y.astype(tc.float32)) - target).mean()

    @tc.jit
    def accumulate(w, x, target, total):
        value, gradient = tc.value_and_grad(loss)(w, x, target)
        return value, total + gradient

    losses = []
    for _ in range(steps):
        total, values = tc.zeros_like(w), []
        for part, wanted in zip(tc.split(x, micro), tc.split(target, micro)):
            value, total = accumulate(w, split(part), split(wanted), total)
            values.append(value)
        # One sum over the ranks for all micro-batches.
        gradient = reduce(total) / micro
        assert w.dtype == gradient.dtype == tc.float32
        w = w - 1e-3 * gradient
        losses.append(reduce(sum(values) / micro).item())
    return np.asarray(w), losses


def test_accumulation_and_mixed_precision():
    start, one = (train_in_bf16(lambda x: x, lambda x: x, steps=steps) for steps in (1, 3))
    mesh = tc.Mesh({"data": 2})

    def rows(x):
        return x[dist.get_rank() * len(x) // 2 : (dist.get_rank() + 1) * len(x) // 2]

    ranks = [
        tc.spmd(["cpu"] * 2, lambda rank: train_in_bf16(lambda x: tc.shard(x, mesh, ("data",)), lambda x: x)),
        tc.spmd(["cpu"] * 2, lambda rank: train_in_bf16(rows, lambda x: dist.all_reduce(x, "mean"))),
    ]
    # bf16 could not represent the updates, which are below 2^-9 of the weights.
    update = one[0] - start[0]
    assert 0 < np.abs(update).max() < np.abs(start[0]).max() * 2**-9
    for w, losses in sum(ranks, []):
        np.testing.assert_allclose(w - start[0], update, rtol=0.05, atol=np.abs(update).max() / 50)
        np.testing.assert_allclose(losses, one[1], rtol=1e-3)


def check_buckets(devices, has_stream=False):
    """Gradients of several shapes are reduced together, next to the other kernels, with the sums of each on its own."""
    n, shapes = len(devices), [(10,), (16, 16), (), (64, 64)]
    made = [[np.random.default_rng([r, i]).normal(size=s).astype(np.float32) for i, s in enumerate(shapes)] for r in range(n)]

    @tc.jit
    def step(ws, xs):
        gradients = [tc.square(x) * w for x, w in zip(xs, ws)]
        return [w - 0.5 * dist.all_reduce(g) for w, g in zip(ws, gradients)], xs[3] @ xs[3]

    def body(rank):
        ws, xs = [tc.ones(s) for s in shapes], [tc.asarray(x) for x in made[rank.rank]]
        with tc.stream(tc.Stream(devices[rank.rank])) if has_stream else contextlib.nullcontext():
            for _ in range(3):
                before = rank.counters["collectives"]
                ws, product = step(ws, xs)
                tc.eval(*ws, product)
                assert rank.counters["collectives"] - before == 1
            return [np.asarray(w) for w in ws], np.asarray(product)

    expected = [np.ones(s, np.float32) for s in shapes]
    for _ in range(3):
        for i, w in enumerate(expected):
            total = np.zeros_like(w)
            for r in range(n):
                total = total + made[r][i] * made[r][i] * w
            expected[i] = w - np.float32(0.5) * total
    for r, (ws, product) in enumerate(tc.spmd(devices, body)):
        for w, e in zip(ws, expected):
            np.testing.assert_array_equal(w, e)
        np.testing.assert_allclose(product, made[r][3] @ made[r][3], rtol=1e-4, atol=1e-4)


def test_gradients_are_reduced_in_buckets():
    check_buckets(["cpu"] * 4)
    check_buckets(["cpu"] * 2, has_stream=True)


def test_gradients_are_reduced_in_buckets_on_simulated_devices():
    in_process("check_buckets(['sim:0', 'sim:1'])", TENSORC_SIM_DEVICES="2")


def test_counters():
    def sum_and_count(rank):
        tc.eval(dist.all_reduce(tc.ones(2)))
        return rank.counters

    assert tc.spmd(["cpu"] * 2, sum_and_count) == [{"collectives": 1, "bytes_sent": 8}] * 2


def test_a_communicator_is_a_scope():
    (rank,) = tc.Communicator.local(["cpu"])
    assert repr(rank) == "Communicator(rank=0, size=1, device='cpu:0', backend='local')"
    with rank:
        assert dist.is_initialized()
        dist.barrier()
    assert not dist.is_initialized()


def test_sharded_values():
    mesh = tc.Mesh({"data": 2, "model": 2})
    x, w, v = (np.random.default_rng(i).integers(-4, 5, shape).astype("float32") for i, shape in enumerate([(8, 4), (4, 6), (6, 2)]))

    def body(rank):
        h = tc.shard(tc.asarray(x), mesh, ("data", None)) @ tc.shard(tc.asarray(w), mesh, (None, "model"))
        part = dist.local_part(tc.asarray(x), mesh, (None, ("data", "model")))
        gradient = tc.grad(lambda w: (tc.shard(tc.asarray(x), mesh, ("data",)) @ tc.shard(w, mesh, (None, "model"))).sum())(tc.asarray(w))
        return h @ tc.asarray(v), h.sum(axis=0), part, dist.join_parts(part * 2, mesh, (None, ("data", "model"))), gradient

    for r, (y, total, part, joined, gradient) in enumerate(tc.spmd(["cpu"] * 4, body)):
        np.testing.assert_array_equal(np.asarray(y), x @ w @ v)
        np.testing.assert_array_equal(np.asarray(total), (x @ w).sum(0))
        np.testing.assert_array_equal(np.asarray(part), x[:, r : r + 1])
        np.testing.assert_array_equal(np.asarray(joined), x * 2)
        np.testing.assert_array_equal(np.asarray(gradient), np.repeat(x.sum(0)[:, None], 6, 1))
    # On one device annotations do nothing.
    np.testing.assert_array_equal(np.asarray(tc.shard(tc.asarray(x), mesh, ("data",))), x)


def test_values_stay_split_between_evaluations():
    mesh = tc.Mesh({"data": 2, "model": 2})
    spec = ("data", "model")

    def body(rank):
        w = tc.shard(tc.arange(32.0).reshape(8, 4), mesh, spec)
        state = w * 0
        for _ in range(3):
            gradient = tc.grad(lambda w: (w * w).sum())(w)
            state = state * 0.5 + gradient
            w = w - state
            tc.eval(w, state)
            assert w.sharding.spec(mesh) == state.sharding.spec(mesh) == gradient.sharding.spec(mesh) == spec
            assert "%arg0: tensor<4x2xf32>" in (w + 1).to_mlir()
        step = tc.jit(lambda w, g: w - g)
        moved = step(step(w, gradient), gradient)
        assert step.traces == 1
        assert step(tc.shard(w, mesh, ()), tc.shard(gradient, mesh, ())).sharding is None and step.traces == 2
        assert moved.sharding == w.sharding and repr(w.sharding) == "Sharding(mesh=(2, 2), dims=(0, 1))"
        assert w.sum(axis=0).sharding is None and tc.shard(w, mesh, ()).sharding is None
        with pytest.raises(ValueError, match=r"split over a mesh of \(2, 2\) ranks, not \(4,\)"):
            w.sharding.spec(tc.Mesh({"data": 4}))
        return w, {"state": state.numpy(), "moved": moved}

    w = state = np.arange(32, dtype="float32").reshape(8, 4)
    state = state * 0
    for _ in range(3):
        gradient = 2 * w
        state = state * 0.5 + gradient
        w = w - state
    for made, others in tc.spmd(["cpu"] * 4, body):
        assert made.sharding is None
        np.testing.assert_array_equal(np.asarray(made), w)
        np.testing.assert_array_equal(others["state"], state)
        np.testing.assert_array_equal(np.asarray(others["moved"]), w - 2 * gradient)


def state_of(step, mesh=None, spec=None):
    """Arrays of which the first is split if there is a mesh."""
    w = tc.arange(48.0).reshape(8, 6) + step
    return {"w": tc.shard(w, mesh, spec) if mesh else w, "layers": [{"b": tc.full((3,), step, dtype="int64")}], "step": tc.asarray(step)}


def numbers_of(state):
    return float(state["w"].sum()), state["layers"][0]["b"].tolist(), int(state["step"])


def test_checkpoints_are_resumed_on_other_numbers_of_ranks(tmp_path):
    grid, line = tc.Mesh({"data": 2, "model": 2}), tc.Mesh({"data": 2})

    def write(rank):
        for step in (1, 2):
            dist.save(tmp_path, state_of(step, grid, (("data", "model"),) if step == 1 else ("model", "data")))

    tc.spmd(["cpu"] * 4, write)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["checkpoint.json", *(f"2.{r}-of-4.safetensors" for r in range(4))])
    # No rank writes all of w.
    assert all(math.prod(x.shape) == 12 for r in range(4) for k, x in tc.load(tmp_path / f"2.{r}-of-4.safetensors").items() if k[0] == "w")

    def read(rank):
        state = dist.load(tmp_path, state_of(0, line, ("data",)))
        assert state["w"].sharding.spec(line) == ("data", None)
        return numbers_of(state)

    expected = numbers_of(state_of(2))
    assert tc.spmd(["cpu"] * 2, read) == [expected] * 2
    assert numbers_of(dist.load(tmp_path, state_of(0))) == expected
    with pytest.raises(ValueError, match=r"load: w is float32\[8, 6\] in .*, float32\[6, 8\] here"):
        dist.load(tmp_path, {"w": tc.zeros((6, 8))})
    with pytest.raises(ValueError, match="has no other, or not all of it"):
        dist.load(tmp_path, {"other": tc.zeros(2)})
    with pytest.raises(FileNotFoundError, match="has no checkpoint.json"):
        dist.load(tmp_path / "none", {"w": tc.zeros(2)})


def test_a_checkpoint_has_the_form_of_the_state(tmp_path):
    State = collections.namedtuple("State", "w bias")
    dist.save(tmp_path, [State(tc.ones(2), (tc.zeros(3),))])
    (state,) = dist.load(tmp_path, [State(tc.zeros(2), (tc.ones(3),))])
    assert isinstance(state, State) and state.w.tolist() == [1, 1] and state.bias[0].tolist() == [0, 0, 0]


def test_a_checkpoint_that_is_not_finished_changes_nothing(tmp_path, monkeypatch):
    """Ends at each step of the second one: what is read is the first or the second."""
    steps = ("write_text", "replace", "unlink")
    for ending in steps:
        folder = tmp_path / ending
        dist.save(folder, state_of(1))

        def end(*arguments, **options):
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(os if ending == "replace" else pathlib.Path, ending, end)
            with pytest.raises(KeyboardInterrupt):
                dist.save(folder, state_of(2))
        assert numbers_of(dist.load(folder, state_of(0))) == numbers_of(state_of(2 if ending == "unlink" else 1))
        dist.save(folder, state_of(3))
        assert numbers_of(dist.load(folder, state_of(0))) == numbers_of(state_of(3))
        assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("is_evaluated", [False, True])
def test_values_that_differ_between_ranks(is_evaluated):
    """They are not mixed with parts of sharded values, nor is an array that the function of a shard_map uses."""
    mesh = tc.Mesh({"data": 2})
    x, w = np.arange(32, dtype="float32").reshape(8, 4), np.arange(16, dtype="float32").reshape(4, 4)

    def body(rank):
        split = tc.shard(tc.asarray(w), mesh, ("data",))
        part = dist.local_part(tc.asarray(x), mesh, ("data",))
        number = dist.partition_id()
        if is_evaluated:
            tc.eval(part, number)
        own = part + split * 2
        assert own.sharding is None and (split - number).sharding is None
        if is_evaluated:
            tc.eval(own)
            # The same sum on all ranks can be split.
            total = dist.all_reduce(part)
            tc.eval(total)
            assert (split + total).sharding == split.sharding
        add = tc.jit(lambda x, y: x + y)
        np.testing.assert_array_equal(np.asarray(add(tc.asarray(w), split)), w + w)
        np.testing.assert_array_equal(np.asarray(add(part, split)), parts[rank.rank] + w)
        np.testing.assert_array_equal(np.asarray(add(own, split)), parts[rank.rank] + w * 3)
        np.testing.assert_array_equal(np.asarray(split - number), w - rank.rank)
        return (
            own, dist.all_reduce(part) - split, tc.shard_map(lambda x: x + split, mesh, [("data",)], ("data",))(tc.asarray(x)),
            dist.join_parts(split, mesh, ("data",)), dist.join_parts(own, mesh, (None, "data")),
        )  # fmt: skip

    parts = [x[:4], x[4:]]
    for r, (own, reduced, mapped, joined, both) in enumerate(tc.spmd(["cpu"] * 2, body)):
        np.testing.assert_array_equal(np.asarray(own), parts[r] + w * 2)
        np.testing.assert_array_equal(np.asarray(reduced), sum(parts) - w)
        np.testing.assert_array_equal(np.asarray(mapped), x + np.concatenate([w, w]))
        np.testing.assert_array_equal(np.asarray(joined), np.concatenate([w, w]))
        np.testing.assert_array_equal(np.asarray(both), np.concatenate([part + w * 2 for part in parts], 1))


def test_shard_map():
    mesh = tc.Mesh([("data", 2), ("model", 2)])
    x = np.arange(32, dtype="float32").reshape(8, 4)

    def norms(x, y):
        return dist.all_reduce((x * y).sum(axis=1), groups=mesh.groups("model")), x[:1]

    def body(rank):
        mapped = tc.shard_map(norms, mesh, [("data", "model"), ("data", "model")], [("data",), ("data", "model")])
        return mapped(tc.asarray(x), tc.asarray(x))

    for whole, first in tc.spmd(["cpu"] * 4, body):
        np.testing.assert_array_equal(np.asarray(whole), (x * x).sum(1))
        np.testing.assert_array_equal(np.asarray(first), x[[0, 4]])


MESH = tc.Mesh([("data", 2), ("model", 2)])


@pytest.mark.parametrize(
    "in_specs, reduced, out_spec",
    [
        ([("data",), (None, "model")], (), ("data", "model")),
        ([("data",), ()], (), ("data",)),
        ([("data", "model"), ("model",)], ("model",), ("data",)),
        ([(None, ("data", "model")), (("data", "model"),)], ("data", "model"), ()),
        ([(), (None, "model")], (), (None, "model")),
        ([(None, "model"), ("model",)], ("model",), ()),
        ([(), ()], (), ()),
    ],
)
def test_gradients_of_shard_map(in_specs, reduced, out_spec):
    x, w = (np.random.default_rng(i).integers(-4, 5, shape).astype("float32") for i, shape in enumerate([(8, 4), (4, 6)]))

    def product(x, w):
        y = x @ w
        for axis in reduced:
            y = dist.all_reduce(y, groups=MESH.groups(axis))
        return y

    mapped = tc.shard_map(product, MESH, in_specs, out_spec)

    def derivatives(product):
        def loss(x, w):
            return (product(x, w) ** 2).sum()

        def norm(x, w):
            return (tc.grad(loss)(x, w) * tc.asarray(np.eye(8, 4, dtype="float32"))).sum()

        def both(function):
            value, gradients = tc.value_and_grad(function, argnums=(0, 1))(tc.asarray(x), tc.asarray(w))
            return value, *gradients

        return [*both(loss), *both(norm)]

    alone = derivatives(lambda x, w: x @ w)
    for made in tc.spmd(["cpu"] * 4, lambda rank: derivatives(mapped)):
        for one, several in zip(alone, made, strict=True):
            np.testing.assert_array_equal(np.asarray(several), np.asarray(one))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda mesh, x: tc.shard(x, mesh, ("rows",)), "has axes .*not 'rows'"),
        (lambda mesh, x: tc.shard(x, mesh, ("data", "data")), "splits two axes"),
        (lambda mesh, x: tc.shard(x, mesh, (None, None, "data")), "is for 3 axes, the array has 2"),
        (lambda mesh, x: tc.shard(x, mesh, ("data",)), r"has no 2 equal parts: pad it to a multiple"),
        (lambda mesh, x: tc.shard(x, tc.Mesh({"data": 3}), ("data",)), "the mesh has 3 devices, the communicator 2"),
        (lambda mesh, x: tc.shard(x, tc.Mesh({"a": 1, "b": 2}), (None, ("b", "a"))), r"\('b', 'a'\) is not in the order of the mesh's axes"),
        (lambda mesh, x: tc.shard(x, tc.Mesh({"a": 1 << 32, "b": 1 << 32}), ("a", "b")), "a mesh has too many ranks"),
        (lambda mesh, x: tc.Mesh({"data": 0}), "sizes of at least 1"),
    ],
)
def test_what_sharding_refuses(call, message):
    with pytest.raises(ValueError, match=message):
        tc.spmd(["cpu"] * 2, lambda rank: call(tc.Mesh({"data": 2}), tc.ones((3, 4))))


def test_collectives_keep_their_order_whatever_the_sizes_are():
    def body(rank):
        rows = [8, 4096][rank.rank]
        x, y = tc.full((64,), float(rank.rank)).eval(), tc.ones((rows, 64)).eval()
        w = (tc.ones((128, 128)) / 128).eval()

        @tc.jit
        def step(x, y, w):
            most = dist.all_reduce(x * 1.0, "max")
            # The work before each sum differs by 500 times between the ranks.
            first = dist.all_reduce((w @ (w * most[0]) @ w)[0, :64] * 1.0)
            return first, dist.all_reduce((y.T @ y)[0] * 1.0)

        return [float(np.asarray(each)[0]) for each in step(x, y, w)]

    assert tc.spmd(["cpu"] * 2, body) == [[0.015625, 4104.0]] * 2


def test_ranks_that_return_other_sums():
    values = (1, 10, 100)

    def body(rank):
        @tc.jit
        def step(a, b, c):
            sums = [dist.all_reduce(each * 2) for each in (a, b, c)]
            part = dist.reduce_scatter(a * 3)
            # The last rank returns no sum.
            return a - sums[0], b - sums[1], c - sums[2], part + 1, *sums[rank.rank : rank.rank + 1]

        made = step(*(tc.full((64,), float(value)).eval() for value in values))
        assert [x.numpy()[5] for x in made[:3]] == [v - 2 * n * v for v in values]
        assert made[3].numpy().tolist() == [3 * n + 1] * (64 // n)
        assert [x.numpy()[7] for x in made[4:]] == [2 * n * v for v in values[rank.rank :][:1]]

        # One rank reads each sum before the next one is made.
        def update(value):
            total = dist.all_reduce(tc.full((33,), float(value)) * 2)
            assert rank.rank != 1 or total[0].item() == 2 * n * value
            return total - 1

        updates = [update(value) for value in values]
        tc.eval(*updates)
        return updates[2]

    for n in (2, 4):
        for made in tc.spmd(["cpu"] * n, body):
            np.testing.assert_array_equal(made.numpy(), np.full(33, 200.0 * n - 1))


def test_devices_that_are_no_list_are_refused():
    for devices in ("cpu", tc.device("cpu")):
        with pytest.raises(TypeError, match=r"spmd: devices is a list with one device a rank"):
            tc.distributed.spmd(devices, lambda rank: None)
    with pytest.raises(ValueError, match="spmd: the list of devices is empty"):
        tc.distributed.spmd([], lambda rank: None)
    assert tc.distributed.spmd((tc.device("cpu"),), lambda rank: rank.size) == [1]


def test_the_first_program_of_the_guide(tmp_path):
    guide = (pathlib.Path(__file__).parents[2] / "docs/distributed.md").read_text(encoding="utf-8")
    program = tmp_path / "fit.py"
    program.write_text(guide.split("```python\n# fit.py\n")[1].split("```")[0])
    environment = {**os.environ, "TENSORC_CPU_DEVICES": "4"}
    for devices in ([], ["cpu", "cpu"], ["cpu:0", "cpu:1", "cpu:2", "cpu:3"]):
        printed = subprocess.run([sys.executable, program, *devices], capture_output=True, text=True, env=environment, check=True).stdout
        weights = [float(number) for number in printed.split("[")[1].split("]")[0].split(",")]
        np.testing.assert_allclose(weights, np.arange(8), atol=2e-4)
