"""A transformer block whose heads and hidden units are sharded over devices. Its results and gradients equal those of
one device.

    python examples/python/tensor_parallel.py              # four ranks of this process
    mpirun -n 4 python examples/python/tensor_parallel.py mpi

The first matrix of the attention and of the feed-forward layers is sharded by columns and the second one by rows, so
that each half of the block needs one all_reduce. The batch is sharded as well. Parameters stay sharded between the
steps.
"""

import sys

import tensorc as tc
from tensorc import distributed as dist

BATCH, LENGTH, WIDTH, HEADS, HIDDEN, STEPS, RATE = 4, 8, 32, 4, 64, 5, 0.1
COLUMNS, ROWS = (None, "model"), ("model",)
SPECS = {"q": COLUMNS, "k": COLUMNS, "v": COLUMNS, "o": ROWS, "up": COLUMNS, "down": ROWS}


def parameters():
    shapes = {"up": (WIDTH, HIDDEN), "down": (HIDDEN, WIDTH)}
    keys = tc.random.split(tc.random.key(0), len(SPECS))
    return {name: tc.random.normal(key, shapes.get(name, (WIDTH, WIDTH))) / 6 for name, key in zip(SPECS, keys)}


def normalized(x):
    x = x - x.mean(axis=-1, keepdims=True)
    return x / tc.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-5)


def block(p, x):
    h = normalized(x)
    q, k, v = ((h @ p[name]).reshape(*x.shape[:2], HEADS, -1).transpose(0, 2, 1, 3) for name in "qkv")
    weights = tc.nn.softmax(q @ k.mT / (WIDTH / HEADS) ** 0.5, axis=-1)
    x = x + (weights @ v).transpose(0, 2, 1, 3).reshape(*x.shape) @ p["o"]
    return x + tc.nn.silu(normalized(x) @ p["up"]) @ p["down"]


def loss(p, x, target):
    return ((block(p, x) - target) ** 2).mean()


def train(mesh=None):
    """Returns the losses of all steps. On a mesh each rank stores its part of the parameters."""
    p = parameters()
    x, target = (tc.random.normal(key, (BATCH, LENGTH, WIDTH)) for key in tc.random.split(tc.random.key(1)))
    if mesh:
        p = {name: tc.shard(w, mesh, SPECS[name]) for name, w in p.items()}
        x, target = tc.shard(x, mesh, ("data",)), tc.shard(target, mesh, ("data",))
    losses = []
    for _ in range(STEPS):
        value, gradient = tc.value_and_grad(loss)(p, x, target)
        p = {name: w - RATE * gradient[name] for name, w in p.items()}
        tc.eval(value, *p.values())
        losses.append(value.item())
    if mesh:
        assert all(w.sharding.spec(mesh)[: len(SPECS[name])] == SPECS[name] for name, w in p.items())
    return losses


def report(losses):
    difference = max(abs(a - b) / a for a, b in zip(train(), losses))
    print(f"loss {losses[0]:.4f} to {losses[-1]:.4f}, as one device: {difference < 1e-5}")


def main(devices=("cpu",) * 4):
    mesh = tc.Mesh({"data": 2, "model": 2})
    report(tc.spmd(devices, lambda rank: train(mesh))[0])


if __name__ == "__main__":
    if sys.argv[1:] == ["mpi"]:
        rank = dist.init_process_group()
        losses = train(tc.Mesh({"data": rank.size // 2, "model": 2}))
        dist.destroy_process_group()
        if rank.rank == 0:
            report(losses)
    else:
        main()
