"""Writes PREFIX.NAME.npy and .npz files, broken in every way that npy.mlir names."""

import io
import struct
import sys
import zipfile

prefix = sys.argv[1]
DATA = struct.pack("<3f", 1, 2, 3)


def npy(shape="(3,)", descr="'<f4'", order="False", data=DATA, version=1, header=None):
    text = header or "{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n" % (descr, order, shape)
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode() + data


def npz(name="x.npy", method=zipfile.ZIP_DEFLATED, content=None):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr(name, npy() if content is None else content)
    return file.getvalue()


def write(name, data):
    with open(f"{prefix}.{name}", "wb") as file:
        file.write(data)


write("good.npy", npy())
write("version2.npy", npy(version=2))
write("empty.npy", b"")
write("magic.npy", b"NUMPY" + npy())
write("version.npy", npy(version=9))
write("short.npy", npy()[:7])
write("header.npy", npy()[:30])
write("noshape.npy", npy(header="{'descr': '<f4', 'fortran_order': False}\n"))
write("negative.npy", npy(shape="(-3,)"))
write("garbage.npy", npy(header="{'descr': '<f4', 'fortran_order': False, 'shape': (3"))
write("elements.npy", npy()[:-1])
write("long.npy", npy() + b"x")
write("fortran.npy", npy(order="True", shape="(2, 3)", data=struct.pack("<6f", 1, 4, 2, 5, 3, 6)))
write("cube.npy", npy(order="True", shape="(2, 1, 3)", descr="'>i2'", data=struct.pack(">6h", 1, 4, 2, 5, 3, -6)))
write("endian.npy", npy(descr="'>f4'", data=struct.pack(">3f", 1, 2, 3)))
write("object.npy", npy(descr="'|O'"))
write("fields.npy", npy(descr="[('a', '<f4')]"))
write("huge.npy", npy(shape="(4611686018427387904, 4)"))
# No elements, yet strides that overflow.
write("zero.npy", npy(shape="(0, 4611686018427387904, 4)", data=b""))
write("stored.npz", npz(method=zipfile.ZIP_STORED))
deflated = npz()
write("deflated.npz", deflated)
write("cut.npz", deflated[:-30])
middle = deflated.index(b"x.npy") + 30
write("flipped.npz", deflated[:middle] + bytes([deflated[middle] ^ 0x55]) + deflated[middle + 1 :])
# The directory claims 3 GB of elements.
record = deflated.rindex(b"PK\x01\x02")
write("bomb.npz", deflated[: record + 24] + struct.pack("<I", 3 << 30) + deflated[record + 28 :])
# The mark of 64-bit sizes in another record.
write("large.npz", deflated[: record + 24] + b"\xff" * 4 + deflated[record + 28 :])
write("other.npz", npz(name="y.npy"))
