"""One program, sharded over several devices in three ways. The losses equal those of one device.

    python examples/python/sharded.py              # four ranks of this process
    mpirun -n 4 python examples/python/sharded.py mpi

The model is written as for one device. Annotations define the shardings of values, and the compiler inserts the
collectives.
"""

import sys

import tensorc as tc
from tensorc import distributed as dist

FEATURES, HIDDEN, CLASSES, BATCH, STEPS, RATE = 16, 32, 4, 64, 20, 0.5

# For each layout: the shardings of the batch and of the two matrices, and the mesh.
LAYOUTS = {
    "data parallel": ({"data": 4}, ("data",), (), ()),
    "tensor parallel": ({"data": 2, "model": 2}, ("data",), (None, "model"), ("model",)),
    "sharded parameters": ({"data": 4}, ("data",), ("data",), ("data",)),
}


def dataset():
    first, second = tc.random.split(tc.random.key(0))
    x = tc.random.normal(first, (BATCH, FEATURES))
    return x, tc.argmax(x @ tc.random.normal(second, (FEATURES, CLASSES)), axis=-1)


def parameters():
    first, second = tc.random.split(tc.random.key(1))
    return tc.random.normal(first, (FEATURES, HIDDEN)) / 4, tc.random.normal(second, (HIDDEN, CLASSES)) / 6


def loss(w, v, x, label):
    return tc.nn.cross_entropy(tc.nn.silu(x @ w) @ v, label)


def train_on_one():
    x, label = dataset()
    w, v = parameters()
    losses = []
    for _ in range(STEPS):
        value, (dw, dv) = tc.value_and_grad(loss, argnums=(0, 1))(w, v, x, label)
        w, v = w - RATE * dw, v - RATE * dv
        losses.append(value.item())
    return losses


def train(layout):
    """Returns the losses of all steps on each rank, which stores its parts of the matrices."""
    axes, batch, first, second = LAYOUTS[layout]
    mesh = tc.Mesh(axes)
    x, label = dataset()
    w, v = parameters()
    w_part, v_part = dist.local_part(w, mesh, first), dist.local_part(v, mesh, second)

    def loss_of_parts(w_part, v_part):
        w, v = dist.join_parts(w_part, mesh, first), dist.join_parts(v_part, mesh, second)
        return loss(w, v, tc.shard(x, mesh, batch), label)

    losses = []
    for _ in range(STEPS):
        value, (dw, dv) = tc.value_and_grad(loss_of_parts, argnums=(0, 1))(w_part, v_part)
        w_part, v_part = w_part - RATE * dw, v_part - RATE * dv
        losses.append(value.item())
    return losses


def main(devices=("cpu",) * 4):
    one = train_on_one()
    for layout in LAYOUTS:
        for losses in tc.spmd(devices, lambda rank: train(layout))[:1]:
            difference = max(abs(a - b) / a for a, b in zip(one, losses))
            print(f"{layout}: loss {losses[0]:.3f} to {losses[-1]:.3f}, as one device: {difference < 1e-5}")


if __name__ == "__main__":
    if sys.argv[1:] == ["mpi"]:
        rank = dist.init_process_group()
        for layout in LAYOUTS:
            losses = train(layout)
            if rank.rank == 0:
                print(f"{layout}: loss {losses[0]:.3f} to {losses[-1]:.3f}")
    else:
        main()
