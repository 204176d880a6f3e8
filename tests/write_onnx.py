"""Writes an ONNX model that is given in ONNX's text syntax: IN OUT [SECTION].

    write_onnx.py test.mlir model.onnx net     # the lines behind `//--- net`

    <opset: 17, opset "com.microsoft": 1>
    net (float[n,3] x) => (float[n,3] y) <float[3] w = {1, 2, 3}> {
      [/scaled] s = Mul(x, w)
      y = Softmax <axis = 1> (s)
    }

What is left out of that syntax: sparse tensors, and types that are not tensors. A
graph in an attribute has the form of the one above. Without the package `onnx`,
which a test need not have.
"""

import re
import struct
import sys

DTYPES = {"float": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "string": 8, "bool": 9,
          "float16": 10, "double": 11, "uint32": 12, "uint64": 13, "complex64": 14, "bfloat16": 16}
FORMATS = {1: "f", 2: "B", 3: "b", 4: "H", 5: "h", 6: "i", 7: "q", 9: "?", 10: "e", 11: "d", 12: "I", 13: "Q"}
TOKEN = re.compile(r'\s*(?://[^\n]*\n\s*)*("(?:[^"\\]|\\.)*"|=>|[-+]?(?:inf|nan)\b|[-+]?\d[\w.+-]*|[\w/.$]+|.)', re.S)


def number(value):
    value &= (1 << 64) - 1
    parts = []
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def integer(field, value):
    return number(field << 3) + number(value)


def text(field, value):
    value = value.encode() if isinstance(value, str) else value
    return number(field << 3 | 2) + number(len(value)) + value


class Parser:
    def __init__(self, source):
        self.tokens = [match[1] for match in TOKEN.finditer(source.rstrip())] + [""]
        self.at = 0

    def peek(self):
        return self.tokens[self.at]

    def take(self, expected=None):
        token = self.tokens[self.at]
        if expected is not None and token != expected:
            raise ValueError(f"expected {expected!r} and not {token!r} behind {' '.join(self.tokens[max(0, self.at - 8):self.at])}")
        self.at += 1
        return token

    def accept(self, token):
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def list(self, begin, end, item):
        self.take(begin)
        items = []
        while not self.accept(end):
            items.append(item())
            if self.peek() != end:
                self.take(",")
        return items

    def name(self):
        token = self.take()
        return token[1:-1] if token.startswith('"') else token

    def dims(self):
        return self.list("[", "]", self.take) if self.peek() == "[" else None

    def tensor(self, dtype, dims, name):
        """`{1, 2}`, or `external("file", offset, length)`."""
        if self.accept("external"):
            entries = self.list("(", ")", self.name)
            places = zip(("location", "offset", "length"), entries)
            data = b"".join(text(13, text(1, key) + text(2, value)) for key, value in places) + integer(14, 1)
        else:
            values = self.list("{", "}", self.take)
            kind = FORMATS.get(dtype, "f")
            data = text(9, b"".join(struct.pack("<" + kind, float(v) if kind in "fde" else int(v)) for v in values))
        return b"".join(integer(1, int(d)) for d in dims) + integer(2, dtype) + text(8, name) + data

    def value(self):
        """A typed name, and its initial value if it has one."""
        dtype = DTYPES[self.take()]
        dims = self.dims()
        name = self.name()
        initial = self.tensor(dtype, dims or [], name) if self.accept("=") else None
        shape = b""
        for dim in dims or []:
            shape += text(1, b"" if dim == "?" else integer(1, int(dim)) if dim.lstrip("-").isdigit() else text(2, dim))
        kind = integer(1, dtype) + (text(2, shape) if dims != [] else b"")
        return text(1, name) + text(2, text(1, kind)), initial

    def attribute(self):
        name = self.name()
        self.take("=")
        token = self.peek()
        if token == "[":
            items = self.list("[", "]", self.take)
            if any(item.startswith('"') for item in items):
                return text(1, name) + b"".join(text(9, item[1:-1]) for item in items) + integer(20, 8)
            if any("." in item or "e" in item for item in items):
                return text(1, name) + b"".join(number(7 << 3 | 5) + struct.pack("<f", float(i)) for i in items) + integer(20, 6)
            return text(1, name) + b"".join(integer(8, int(item)) for item in items) + integer(20, 7)
        if token.startswith('"'):
            return text(1, name) + text(4, self.name()) + integer(20, 3)
        if token == "graph":
            self.take()
            return text(1, name) + text(6, self.graph()) + integer(20, 5)
        if token == "@":
            self.take()
            return text(1, name) + text(21, self.take()) + integer(20, int(self.take()))
        if token in DTYPES:
            dtype = DTYPES[self.take()]
            return text(1, name) + text(5, self.tensor(dtype, self.dims() or [], "")) + integer(20, 4)
        self.take()
        if re.fullmatch(r"[-+]?\d+", token):
            return text(1, name) + integer(3, int(token)) + integer(20, 2)
        return text(1, name) + number(2 << 3 | 5) + struct.pack("<f", float(token)) + integer(20, 1)

    def node(self):
        name = ""
        if self.accept("["):
            name = self.name()
            self.take("]")
        outputs = [self.name()]
        while self.accept(","):
            outputs.append(self.name())
        self.take("=")
        domain, _, op = self.name().rpartition(".")
        attributes = self.list("<", ">", self.attribute) if self.peek() == "<" else []
        inputs = self.list("(", ")", self.name)
        return (b"".join(text(1, each) for each in inputs) + b"".join(text(2, each) for each in outputs)
                + text(3, name) + text(4, op) + text(7, domain) + b"".join(text(5, each) for each in attributes))

    def nodes(self):
        self.take("{")
        nodes = []
        while not self.accept("}"):
            nodes.append(self.node())
        return nodes

    def graph(self):
        name = self.name()
        inputs = self.list("(", ")", self.value)
        self.take("=>")
        outputs = self.list("(", ")", self.value)
        initial = self.list("<", ">", self.value) if self.peek() == "<" else []
        graph = b"".join(text(1, node) for node in self.nodes()) + text(2, name)
        graph += b"".join(text(5, tensor) for _, tensor in [*initial, *inputs] if tensor is not None)
        return graph + b"".join(text(11, i) for i, _ in inputs) + b"".join(text(12, o) for o, _ in outputs)

    def sets(self):
        """`<opset: 17, opset "domain": 1>`"""
        def item():
            self.take("opset")
            domain = self.name() if self.peek().startswith('"') else ""
            self.take(":")
            return text(1, domain) + integer(2, int(self.take()))
        return self.list("<", ">", item)

    def function(self, sets):
        """`function domain.name <attributes> (inputs) => (outputs) { nodes }`"""
        domain, _, name = self.name().rpartition(".")
        attributes = self.list("<", ">", self.name) if self.peek() == "<" else []
        inputs = self.list("(", ")", self.name)
        self.take("=>")
        outputs = self.list("(", ")", self.name)
        body = b"".join(text(7, node) for node in self.nodes())
        return (text(1, name) + b"".join(text(4, i) for i in inputs) + b"".join(text(5, o) for o in outputs)
                + b"".join(text(6, a) for a in attributes) + body + b"".join(text(9, s) for s in sets) + text(10, domain))

    def model(self):
        sets = self.sets()
        model = integer(1, 8) + text(7, self.graph()) + b"".join(text(8, each) for each in sets)
        while self.accept("function"):
            model += text(25, self.function(sets))
        return model


def write(source, out, section=None):
    with open(source, encoding="utf-8") as file:
        model = file.read()
    if section:
        model = re.split(r"(?m)^//--- ", model.split(f"//--- {section}\n", 1)[1])[0]
    with open(out, "wb") as file:
        file.write(Parser(model).model())


if __name__ == "__main__":
    write(*sys.argv[1:])
