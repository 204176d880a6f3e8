"""Attention over a sequence that is sharded over devices. Keys and values are passed around in a ring.

    python examples/python/ring_attention.py              # four ranks of this process
    mpirun -n 4 python examples/python/ring_attention.py mpi

Each rank has a part of the queries, keys and values. In each step it attends to the keys that it currently has and
passes them to the next rank. So no rank ever has the whole sequence. The softmax over all keys is combined from the
softmaxes over the parts.
"""

import sys

import tensorc as tc
from tensorc import distributed as dist

HEADS, LENGTH, DEPTH = 2, 32, 8


def ring_attention(q, k, v):
    """Returns the attention of this rank's queries. Parts are [heads, rows, depth]."""
    ranks = dist.get_world_size()
    ring = [(r, (r + 1) % ranks) for r in range(ranks)]
    rows = q.shape[1]
    here = dist.partition_id()
    at = here * rows + tc.arange(rows)
    total, weight, largest = tc.zeros_like(v), tc.zeros((*q.shape[:2], 1)), tc.full((*q.shape[:2], 1), -1e30)
    for step in range(ranks):
        # Positions of the keys of the rank that is `step` positions before this one.
        of_keys = (here - step) % ranks * rows + tc.arange(rows)
        scores = q @ k.mT / DEPTH**0.5
        scores = tc.where(at[:, None] >= of_keys[None, :], scores, -1e30)  # causal
        now = tc.maximum(largest, scores.max(axis=-1, keepdims=True))
        e, scale = tc.exp(scores - now), tc.exp(largest - now)
        total, weight, largest = total * scale + e @ v, weight * scale + e.sum(axis=-1, keepdims=True), now
        k, v = dist.permute(k, ring), dist.permute(v, ring)
    return total / weight


def attention(q, k, v):
    scores = q @ k.mT / DEPTH**0.5
    return tc.nn.softmax(tc.where(tc.tril(tc.ones((LENGTH, LENGTH))) > 0, scores, -1e30), axis=-1) @ v


def inputs():
    return [tc.random.normal(key, (HEADS, LENGTH, DEPTH)) for key in tc.random.split(tc.random.key(0), 3)]


def on_ring(ranks):
    """Returns the unsharded results of one rank: the attention, and the gradients of its sum of squares with respect to
    q, k and v."""
    mesh, spec = tc.Mesh({"sequence": ranks}), (None, "sequence")
    mapped = tc.shard_map(ring_attention, mesh, [spec] * 3, spec)
    gradients = tc.grad(lambda *qkv: (mapped(*qkv) ** 2).sum(), argnums=(0, 1, 2))
    return [x.numpy() for x in (mapped(*inputs()), *gradients(*inputs()))]


def report(results):
    gradients = tc.grad(lambda *qkv: (attention(*qkv) ** 2).sum(), argnums=(0, 1, 2))
    expected = [attention(*inputs()), *gradients(*inputs())]
    errors = [float(abs(tc.asarray(a) - b).max()) for a, b in zip(results, expected)]
    print(f"attention and gradients as on one device: {max(errors) < 1e-4}")


def main(devices=("cpu",) * 4):
    report(tc.spmd(devices, lambda rank: on_ring(rank.size))[0])


if __name__ == "__main__":
    if sys.argv[1:] == ["mpi"]:
        rank = dist.init_process_group()
        results = on_ring(rank.size)
        dist.destroy_process_group()
        if rank.rank == 0:
            report(results)
    else:
        main()
