#!/usr/bin/env python3
"""Models that are almost right: no answer but success or a refusal that names its place, and nothing left behind.

    hostile.py TENSORC-TEST-SERVER [--seconds=60] [--first=0] [--keep=FOLDER]

Each is a drawn graph (drawn.py) with a few faults: in the messages (names, dtypes, sizes, attributes, order and inputs of
nodes, graphs in graphs), or in the bytes. Skipped where onnx is not installed.
"""

import argparse
import collections
import os
import random
import sys
import time

import drawn
import server

HUGE = (0, 1, -1, 2, 7, 127, -128, 2**31 - 1, -(2**31), 2**62, 2**63 - 1, -(2**63), 2**40)
NAMES = ("", "x", "../../etc/passwd", "/etc/passwd", "a" * 5000, "\u202e", "n", "-", "%s%n", "\n")


def fault(r, model):
    """Changes one thing of a message."""
    graph = model.graph
    nodes, tensors, values = graph.node, graph.initializer, [*graph.input, *graph.output]
    kind = r.randrange(18)
    node = r.choice(nodes) if nodes else None
    tensor = r.choice(tensors) if tensors else None
    value = r.choice(values) if values else None
    names = [name for each in nodes for name in [*each.input, *each.output]] + [each.name for each in tensors] + list(NAMES)
    if node is not None and kind < 8:
        if kind == 0 and node.input:
            node.input[r.randrange(len(node.input))] = r.choice(names)
        elif kind == 1 and node.output:
            node.output[r.randrange(len(node.output))] = r.choice(names)
        elif kind == 2:
            node.op_type = r.choice([each.op_type for each in nodes] + ["If", "Loop", "Scan", "Nothing", "Attention", "Resize", ""])
        elif kind == 3 and node.input:
            del node.input[r.randrange(len(node.input)) :]
        elif kind == 4:
            node.input.append(r.choice(names))
        elif kind == 5 and node.attribute:
            attribute = r.choice(node.attribute)
            attribute.i = r.choice(HUGE)
            attribute.f = r.choice((0.0, -1.0, 1e38, float("inf"), float("nan")))
            for i in range(len(attribute.ints)):
                if r.random() < 0.5:
                    attribute.ints[i] = r.choice(HUGE)
        elif kind == 6 and node.attribute:
            attribute = r.choice(node.attribute)
            if r.random() < 0.5:
                attribute.ints.append(r.choice(HUGE))
            else:
                attribute.type = r.randrange(15)
        elif node.attribute:
            r.choice(node.attribute).name = r.choice(("axis", "axes", "pads", "to", "strides", "body", "perm", "mode", ""))
    elif tensor is not None and kind < 13:
        if kind == 8 and tensor.dims:
            tensor.dims[r.randrange(len(tensor.dims))] = r.choice(HUGE)
        elif kind == 9:
            tensor.dims.append(r.choice(HUGE))
        elif kind == 10:
            tensor.data_type = r.randrange(30)
        elif kind == 11:
            tensor.raw_data = tensor.raw_data[: r.randrange(len(tensor.raw_data) + 1)]
        else:
            tensor.data_location = 1
            for key in ("location", "offset", "length"):
                entry = tensor.external_data.add()
                entry.key, entry.value = key, r.choice([*NAMES, "model.onnx", *map(str, HUGE)])
    elif value is not None and kind < 15:
        tensor_type = value.type.tensor_type
        if r.random() < 0.3:
            tensor_type.elem_type = r.randrange(30)
        elif r.random() < 0.5 and tensor_type.shape.dim:
            r.choice(tensor_type.shape.dim).dim_value = r.choice(HUGE)
        else:
            tensor_type.shape.dim.add().dim_param = r.choice(NAMES)
    elif kind == 15 and len(nodes) > 1:
        a, b = r.sample(range(len(nodes)), 2)
        first, second = type(nodes[a])(), type(nodes[b])()
        first.CopyFrom(nodes[a]), second.CopyFrom(nodes[b])
        nodes[a].CopyFrom(second), nodes[b].CopyFrom(first)
    elif kind == 16 and node is not None:
        whole = type(graph)()
        whole.CopyFrom(graph)
        attribute = node.attribute.add()
        attribute.name, attribute.type = r.choice(("body", "then_branch", "else_branch")), 5
        attribute.g.CopyFrom(whole)
    elif model.opset_import:
        r.choice(model.opset_import).version = r.choice((*HUGE, 7, 13, 21))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--count", type=int, default=1 << 40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    try:
        import onnx
    except ImportError as error:
        print(f"hostile: skipped, {error}")
        return 77
    tool, counts, end = server.Server(arguments.server), collections.Counter(), time.monotonic() + arguments.seconds
    folder = tool.path("models.d")
    os.makedirs(folder)
    number = arguments.first
    while time.monotonic() < end and number < arguments.first + arguments.count:
        r = random.Random(number)
        if number % 200 == 0:  # the limit of memory counts what a process has ever kept
            tool.process.kill()
            tool.process.wait()
            tool.start()
        if number % 40 == 0 or number == arguments.first:
            base = drawn.Draw(number, onnx).draw()[0]
        model = onnx.ModelProto()
        model.CopyFrom(base)
        for _ in range(r.randint(1, 4)):
            fault(r, model)
        data = bytearray(model.SerializeToString())
        if r.random() < 0.2:
            for _ in range(r.randint(1, 5)):
                data[r.randrange(len(data))] = r.randrange(256)
        path = os.path.join(folder, "model.onnx")
        with open(path, "wb") as file:
            file.write(data)
        status, text = tool.run(["compile", path, "-o", os.path.join(folder, "out.tcpkg"), "--max-time=100", "--max-memory=4G"], seconds=200)
        left = sorted(os.listdir(folder))
        bad = status is None or (status == 1 and "error" not in text) or left not in (["model.onnx"], ["model.onnx", "out.tcpkg"][: 2 - (status != 0)])
        counts["crashed" if status is None else "bad" if bad else "refused" if status else "compiled"] += 1
        if bad:
            print(f"{number}: status {status}, {left}: {' '.join(text.split())[-400:]}", flush=True)
            if arguments.keep:
                with open(os.path.join(arguments.keep, f"hostile-{number}.onnx"), "wb") as file:
                    file.write(data)
        for name in left[1:]:
            os.remove(os.path.join(folder, name))
        number += 1
    print(f"hostile: {number - arguments.first} models: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return counts["crashed"] + counts["bad"] > 0


if __name__ == "__main__":
    sys.exit(main())
