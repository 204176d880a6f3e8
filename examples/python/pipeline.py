"""A network whose layers are stages on two devices. Micro-batches flow through the stages, which work at the same time;
gradients are accumulated. The losses equal those of one device.

    python examples/python/pipeline.py                  # cpu:0 and cpu:1, or the devices that are named

Each stage has a stream of its own. The host only queues work, in the order of 1F1B (one forward, one backward): after a few
forward passes a stage alternates, so it keeps the inputs of at most as many micro-batches as there are stages after it,
and one more. The backward pass of a stage computes its forward pass again.
"""

import collections
import os
import sys
import time

os.environ.setdefault("TENSORC_CPU_DEVICES", "2")

import tensorc as tc  # noqa: E402, the devices are made when it is loaded

WIDTH, LAYERS, BATCH, MICRO, STEPS, RATE = 64, 2, 64, 8, 5, 0.5


def parameters(stage):
    keys = tc.random.split(tc.random.fold_in(tc.random.key(0), stage), LAYERS)
    return [tc.random.normal(key, (WIDTH, WIDTH)) * (2 / WIDTH) ** 0.5 for key in keys]


def data():
    x, target = (tc.random.normal(key, (BATCH, WIDTH)) for key in tc.random.split(tc.random.key(1)))
    return x, tc.tanh(target)


@tc.jit
def forward(weights, x):
    for w in weights:
        x = tc.tanh(x @ w)
    return x


def loss(weights, x, target):
    return tc.square(forward(weights, x) - target).mean()


def accumulated(total, gradients):
    return [t + g for t, g in zip(total, gradients)]


@tc.jit
def backward(weights, x, gradient, total):
    """The gradient of the stage's input, and the sum of the gradients of its weights."""
    dot = lambda weights, x: (forward(weights, x) * gradient).sum()
    dw, dx = tc.grad(dot, argnums=(0, 1))(weights, x)
    return dx, accumulated(total, dw)


@tc.jit
def last(weights, x, target, total):
    """As `backward`, of the last stage, with the loss."""
    value, (dw, dx) = tc.value_and_grad(loss, argnums=(0, 1))(weights, x, target)
    return dx, accumulated(total, dw), value


@tc.jit
def update(weights, total):
    return [w - RATE / MICRO * t for w, t in zip(weights, total)], [tc.zeros_like(t) for t in total]


def order(stage, stages):
    """The passes of a stage: forward and backward of micro-batches. The last stage computes both in one."""
    ahead = min(MICRO, stages - 1 - stage)
    passes = [("forward", m) for m in range(ahead)]
    for m in range(MICRO):
        if stage < stages - 1 and m + ahead < MICRO:
            passes.append(("forward", m + ahead))
        passes.append(("backward", m))
    return collections.deque(passes)


class Pipeline:
    def __init__(self, devices):
        self.devices, self.end = devices, len(devices) - 1
        self.streams = [tc.Stream(device) for device in devices]
        self.weights = [[w.to(d).eval() for w in parameters(s)] for s, d in enumerate(devices)]
        self.total = [[tc.zeros_like(w).eval() for w in ws] for ws in self.weights]

    def step(self, x, target):
        """Queues a step. Returns the losses of the micro-batches."""
        self.losses, self.targets = [], tc.split(target.to(self.devices[-1]).eval(), MICRO)
        # The inputs of the passes that are queued next, by stage and micro-batch.
        self.inputs = {(0, m): part for m, part in enumerate(tc.split(x.to(self.devices[0]).eval(), MICRO))}
        self.gradients = {}
        passes = [order(stage, self.end + 1) for stage in range(self.end + 1)]
        while any(passes):
            for stage, queue in enumerate(passes):
                if queue and self.queue(stage, *queue[0]):
                    queue.popleft()
        for stage, stream in enumerate(self.streams):
            with tc.stream(stream):
                self.weights[stage], self.total[stage] = update(self.weights[stage], self.total[stage])
        return self.losses

    def queue(self, stage, kind, m):
        """Queues a pass of a micro-batch, if its inputs are queued. Returns whether it has."""
        weights, total, key = self.weights[stage], self.total[stage], (stage, m)
        with tc.stream(self.streams[stage]):
            if key not in (self.inputs if kind == "forward" or stage == self.end else self.gradients):
                return False
            if kind == "forward":
                self.inputs[stage + 1, m] = forward(weights, self.inputs[key]).to(self.devices[stage + 1])
                return True
            x = self.inputs.pop(key)
            if stage == self.end:
                dx, self.total[stage], value = last(weights, x, self.targets[m], total)
                self.losses.append(value)
            else:
                dx, self.total[stage] = backward(weights, x, self.gradients.pop(key), total)
            if stage:
                self.gradients[stage - 1, m] = dx.to(self.devices[stage - 1])
            return True


def train(devices):
    """Returns the losses of all steps, and the seconds of the last one."""
    pipeline, (x, target), losses = Pipeline(devices), data(), []
    for _ in range(STEPS):
        begin = time.perf_counter()
        parts = pipeline.step(x, target)
        losses.append(sum(part.item() for part in parts) / MICRO)
    return losses, time.perf_counter() - begin


def train_on_one(stages):
    weights, (x, target), losses = [w for s in range(stages) for w in parameters(s)], data(), []
    for _ in range(STEPS):
        value, dw = tc.value_and_grad(loss)(weights, x, target)
        weights = [w - RATE * g for w, g in zip(weights, dw)]
        losses.append(value.item())
    return losses


def main(devices=("cpu:0", "cpu:1")):
    losses, seconds = train(devices)
    difference = max(abs(a - b) / a for a, b in zip(train_on_one(len(devices)), losses))
    print(f"{len(devices)} stages, {MICRO} micro-batches: {seconds * 1e3:.1f} ms a step")
    print(f"loss {losses[0]:.4f} to {losses[-1]:.4f}, as one device: {difference < 1e-6}")


if __name__ == "__main__":
    main(sys.argv[1:] or ("cpu:0", "cpu:1"))
