"""Replaces a text of a package's table by another of its length, and seals it again as its
writer does: PACKAGE OUT FROM TO, with \\x1b for bytes in TO"""

import struct
import sys

package, out, before, after = sys.argv[1:]
before, after = before.encode(), after.encode("latin-1").decode("unicode_escape").encode("latin-1")
assert len(before) == len(after), (before, after)
HEADER = "<8sIIQQQQ"
with open(package, "rb") as file:
    data = file.read()
magic, version, header_size, file_size, offset, size, _ = struct.unpack_from(HEADER, data)
table = data[offset : offset + size]
assert before in table
table = table.replace(before, after)

PRIME, MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1
sealed = PRIME ^ size
for at in range(0, size, 8):
    word = int.from_bytes(table[at : at + 8], "little")
    sealed = (sealed ^ word) * PRIME & MASK
    sealed ^= sealed >> 29
header = struct.pack(HEADER, magic, version, header_size, file_size, offset, size, sealed)
with open(out, "wb") as file:
    file.write(header + data[len(header) : offset] + table + data[offset + size :])
