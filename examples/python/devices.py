"""Devices and transfers: the device of an array, the time of a copy, events, and data on two devices.

If the machine has no GPU, the simulated GPU is used.
"""

import tensorc as tc


def main():
    for one in tc.devices():
        print(f"{one.name:10} {one.description}")
    gpu = "cuda:0" if tc.cuda.is_available() else "sim:0"

    x = tc.arange(1 << 12, dtype=tc.float32)
    on_gpu = x.to(gpu)
    print(f"{x.device} -> {on_gpu.device}: {on_gpu.nbytes} bytes, equal: {bool(tc.all(on_gpu.cpu() == x))}")

    # Each device processes one half.
    halves = [x[: 1 << 11].eval(), x[1 << 11 :].to(gpu).eval()]
    sums = [tc.sum(h * h).cpu() for h in halves]
    print("sum of squares on two devices:", float(sums[0] + sums[1]), "on one:", float(tc.sum(x * x)))

    with tc.device(gpu):
        start, end = tc.Event(), tc.Event()
        start.record()
        y = tc.sqrt(on_gpu).eval()
        end.record()
        end.synchronize()
        print(f"{y.device}: a kernel between two events, {start.elapsed(end) >= 0}")
    print("memory:", tc.current_device().memory_stats()["allocated"] > 0)


if __name__ == "__main__":
    main()
