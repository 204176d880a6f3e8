"""Trains a network on several devices, each of which processes a part of every batch. The losses equal those of one
device.

    python examples/python/data_parallel.py              # two ranks of this process
    mpirun -n 4 python examples/python/data_parallel.py mpi
"""

import sys

import tensorc as tc
from tensorc import distributed as dist
from tensorc import nn, optim

BATCH, STEPS = 64, 30


def data(key):
    first, second = tc.random.split(key)
    x = tc.random.normal(first, (512, 16))
    return x, tc.argmax(x @ tc.random.normal(second, (16, 4)), axis=-1)


def train():
    """Returns the losses of all steps, on each rank. Without a communicator there is one rank."""
    keys = tc.random.split(tc.random.key(0), 4)
    model = nn.Sequential(nn.Linear(16, 32, key=keys[0]), nn.SiLU(), nn.Linear(32, 4, key=keys[1]))
    x, label = data(keys[2])
    adam = optim.Adam(0.01)
    part = BATCH // dist.get_world_size()

    def loss(model, x, label):
        return nn.cross_entropy(model(x), label)

    @tc.jit
    def step(model, state, x, label):
        value, gradient = tc.value_and_grad(loss)(model, x, label)
        # The mean over the batch is the mean of the means over its parts.
        gradient = tc.tree.map(lambda g: dist.all_reduce(g, "mean"), gradient)
        return *adam.update(model, gradient, state), dist.all_reduce(value, "mean")

    state, losses = adam.init(model), []
    for i in range(STEPS):
        begin = i * BATCH % len(x) + part * dist.get_rank()
        model, state, value = step(model, state, x[begin : begin + part], label[begin : begin + part])
        losses.append(value.item())
    return losses


def main(devices=("cpu", "cpu")):
    one = train()
    for rank, losses in enumerate(tc.spmd(devices, lambda rank: train())):
        difference = max(abs(a - b) / a for a, b in zip(one, losses))
        print(f"rank {rank}: loss {losses[0]:.3f} to {losses[-1]:.3f}, as one device: {difference < 1e-5}")


if __name__ == "__main__":
    if sys.argv[1:] == ["mpi"]:
        rank = dist.init_process_group()
        losses = train()
        if rank.rank == 0:
            print(f"{rank.size} processes: loss {losses[0]:.3f} to {losses[-1]:.3f}")
    else:
        main(sys.argv[1:] or ("cpu", "cpu"))
