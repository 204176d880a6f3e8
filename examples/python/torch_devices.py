"""Devices as in PyTorch programs, line by line. Comments show PyTorch's lines.

If the machine has no GPU, the simulated GPU is used.
"""

import sys

import tensorc as tc


def best():
    # "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    return "cuda" if tc.is_available("cuda") else "mps" if tc.is_available("mps") else "xpu" if tc.is_available("xpu") else "cpu"


def create(device):
    x = tc.ones((2, 3), device=device)  # torch.ones((2, 3), device=device)
    y = tc.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)  # torch.tensor([[...]], device=device)
    z = tc.zeros_like(x)
    print(f"created on {x.device.type}: {(x + y + z).sum().item()}, index {x.get_device()}")


def convert(device):
    x = tc.arange(4).to(tc.float32)  # x.to(torch.float32)
    moved, both, back = x.to(device), x.to(device, tc.float64), x.to(device).cpu()
    like = x.to(both)
    print(f"moved to {moved.device.type}, {both.dtype} on {both.device.type}, {like.dtype} on {like.device.type}, "
          f"back on {back.device.type}: {tc.array_equal(back, x)}")  # fmt: skip
    if tc.cuda.is_available():
        x = x.cuda()
    print(f"is_cuda: {x.is_cuda == tc.cuda.is_available()}")


def guard(device):
    before = tc.current_device()
    with tc.device(device):  # with torch.device(device):
        print(f"within the guard on {tc.zeros(2).device.type}")
        with tc.device("cpu"):
            print(f"within another one on {tc.zeros(2).device.type}")
    print(f"behind the guards as before: {tc.current_device() == before}")


def mix(device):
    x, y = tc.ones(2, device="cpu"), tc.ones(2, device=device)
    try:
        print(f"added on {(x + y).device}")
    except ValueError as error:  # "Expected all tensors to be on the same device, but found at least two"
        print(error)
    print(f"moved first: {(x.to(device) + y).tolist()}")


def time(device):
    with tc.device(device):
        x = tc.arange(1 << 16, dtype=tc.float32)
        start, end = tc.Event(), tc.Event()  # torch.cuda.Event(enable_timing=True)
        start.record()
        tc.sqrt(x).eval()
        end.record()
        end.synchronize()
        print(f"between two events: {start.elapsed(end) >= 0}, done: {end.query()}")


def name_devices():
    for text in ("cpu", "cpu:0", "cuda:1", "mps", "cuda:-1"):
        try:
            device = tc.device(text)
            print(f"{text}: type {device.type}, index {device.index}, available {tc.is_available(text)}")
        except ValueError as error:
            print(f"{text}: {error}")


def main(second=None):
    second = second or ("cuda" if tc.is_available("cuda") else "sim")
    print(f"the best is one that computes: {tc.is_available(best())}, an unknown one does not: {tc.is_available('opencl')}")
    for device in ("cpu", second):
        create(device)
        convert(device)
        guard(device)
        time(device)
    mix(second)
    name_devices()


if __name__ == "__main__":
    main(*sys.argv[1:2])
