"""Solves the heat equation on a grid whose rows are sharded over devices, which exchange the rows at their borders.

    python examples/python/heat_halo.py              # four ranks of this process
    mpirun -n 4 python examples/python/heat_halo.py mpi

The results have the same bits as on one device, because each element is computed from the same numbers.
"""

import sys

import tensorc as tc
from tensorc import distributed as dist

ROWS, COLUMNS, STEPS, RATE = 32, 24, 50, 0.2


def spread(u, above, below):
    """Computes one time step. The temperature outside the grid is 0 degrees."""
    tall = tc.concatenate([above, u, below])
    wide = tc.pad(u, [(0, 0), (1, 1)])
    return u + RATE * (tall[:-2] + tall[2:] + wide[:, :-2] + wide[:, 2:] - 4 * u)


def step(u):
    """Computes one time step of a rank's rows. A rank without a neighbour receives zeros."""
    ranks = dist.get_world_size()
    above = dist.permute(u[-1:], [(r, r + 1) for r in range(ranks - 1)])
    below = dist.permute(u[:1], [(r + 1, r) for r in range(ranks - 1)])
    return spread(u, above, below)


def start():
    return tc.where((tc.arange(ROWS)[:, None] < 5) & (tc.arange(COLUMNS) > 12), 100.0, 0.0)


def on_ranks(ranks):
    mesh = tc.Mesh({"rows": ranks})
    steps = tc.jit(tc.shard_map(step, mesh, [("rows",)], ("rows",)))
    u = tc.shard(start(), mesh, ("rows",))
    for _ in range(STEPS):
        u = steps(u)  # u stays split
    assert u.sharding.spec(mesh) == ("rows", None)
    return u.numpy()


def report(results):
    u, edge = start(), tc.zeros((1, COLUMNS))
    for _ in range(STEPS):
        u = spread(u, edge, edge)
    print(f"{float(u.max()):.2f} degrees, equal to one device in all bits: {bool((u == tc.asarray(results)).all())}")


def main(devices=("cpu",) * 4):
    report(tc.spmd(devices, lambda rank: on_ranks(rank.size))[0])


if __name__ == "__main__":
    if sys.argv[1:] == ["mpi"]:
        rank = dist.init_process_group()
        results = on_ranks(rank.size)
        dist.destroy_process_group()
        if rank.rank == 0:
            report(results)
    else:
        main()
