#!/usr/bin/env python3
"""Makes functions of the C++ examples of a document; what they print is compared with the comment behind.

  examples.py DOCUMENT OUTPUT
"""

import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
blocks = re.findall(r"^```cpp\n(.*?)^```", text, re.M | re.S)
printing = re.compile(r"^(\s*)std::cout << (.*?); *// (.*)$", re.M)
with open(sys.argv[2], "w", encoding="utf-8") as out:
    for i, block in enumerate(blocks):
        block = printing.sub(r'\1EXPECT_EQ(printed([&](std::ostream &out) { out << \2; }), R"(\3)");', block)
        out.write(f"TEST(Examples, Number{i}) {{\n{block}}}\n")
sys.exit(not blocks)
