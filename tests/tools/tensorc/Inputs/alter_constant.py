"""alter_constant.py PACKAGE OUT: changes the sign of the first element of the constant that begins with 1.5, 1.5."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = bytearray(file.read())
data[data.index(struct.pack("<16f", *[1.5] * 16)) + 3] ^= 0x80
with open(sys.argv[2], "wb") as file:
    file.write(data)
