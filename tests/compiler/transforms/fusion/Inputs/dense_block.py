"""Checks that each layer of a dense block costs the compiler as much as those before it.

  dense_block.py TENSORC STAGE LAYERS

Counts lines of the stage's text for one, two and three times so many layers. Each of them concatenates what all layers
before it made: normalized, it goes through a 1x1 and a 3x3 convolution, which make 12 channels more.
"""

import subprocess
import sys
import tempfile

GROWTH, WIDTH, SIZE = 12, 48, 8
WINDOW = "groups = 1 sizes = [{0}, {0}] strides = [1, 1] dilations = [1, 1] low = [{1}, {1}] high = [{1}, {1}]"


def tensor(*dims: int) -> str:
    return f"tensor<{'x'.join(map(str, dims))}xf32>"


def image(channels: int) -> str:
    return tensor(1, channels, SIZE, SIZE)


class Block:
    """A function that is a dense block."""

    def __init__(self, layers: int):
        self.arguments: list[str] = []
        self.ops = ["%eps = tx.constant dense<1.0e-5> : tensor<f32>"]
        self.parts = [(self.argument("x", 1, 2 * GROWTH, SIZE, SIZE), 2 * GROWTH)]
        for i in range(layers):
            y, channels = self.concatenated(f"all{i}") if i else self.parts[0]
            y = self.convolution(self.normalized(y, channels, f"a{i}"), channels, WIDTH, 1, f"narrow{i}")
            y = self.convolution(self.normalized(y, WIDTH, f"b{i}"), WIDTH, GROWTH, 3, f"wide{i}")
            self.parts.append((y, GROWTH))
        self.result, self.channels = self.concatenated("all")

    def argument(self, name: str, *dims: int) -> str:
        self.arguments.append(f"%{name}: {tensor(*dims)}")
        return f"%{name}"

    def concatenated(self, name: str) -> tuple[str, int]:
        values, channels = zip(*self.parts)
        types = ", ".join(map(image, channels))
        self.ops.append(f"%{name} = tx.concatenate {', '.join(values)} dim = 1 : ({types}) -> {image(sum(channels))}")
        return f"%{name}", sum(channels)

    def normalized(self, x: str, channels: int, name: str) -> str:
        mean, variance, scale, bias = (self.argument(f"{name}_{i}", channels) for i in range(4))
        vector, of = tensor(channels), image(channels)
        self.ops.append(
            f"%{name} = tx.batch_norm {x}, {mean}, {variance}, %eps scale {scale} bias {bias} dim = 1 : "
            f"({of}, {vector}, {vector}, tensor<f32>, {vector}, {vector}) -> {of}"
        )
        self.ops.append(f"%{name}_relu = tx.relu %{name} : {of}")
        return f"%{name}_relu"

    def convolution(self, x: str, channels: int, made: int, size: int, name: str) -> str:
        kernel = self.argument(f"{name}_kernel", made, channels, size, size)
        self.ops.append(
            f"%{name} = tx.conv {x}, {kernel} {WINDOW.format(size, size // 2)} input_dilations = [1, 1] : "
            f"({image(channels)}, {tensor(made, channels, size, size)}) -> {image(made)}"
        )
        return f"%{name}"

    def __str__(self) -> str:
        lines = [f"func.func @main({', '.join(self.arguments)}) -> {image(self.channels)} {{", *self.ops]
        return "\n".join([*lines, f"return {self.result} : {image(self.channels)}", "}\n"])


def lines(tensorc: str, stage: str, layers: int) -> int:
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(str(Block(layers)))
        file.flush()
        command = [tensorc, "compile", file.name, f"--stop-after={stage}"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.count("\n")


if __name__ == "__main__":
    tensorc, stage, layers = sys.argv[1], sys.argv[2], int(sys.argv[3])
    counts = [lines(tensorc, stage, layers * times) for times in (1, 2, 3)]
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    if second > 1.05 * first:
        sys.exit(f"{layers} layers more add {first} lines of {stage}, then {second}: {counts}")
