"""Prints the data of a page of `tensorc explain --html` as JSON, one value a line."""

import base64
import json
import re
import sys
import zlib

with open(sys.argv[1], encoding="utf-8") as file:
    encoding, data = re.search(r'data-encoding="(\w+)">([^<]*)</script>', file.read()).groups()
text = zlib.decompress(base64.b64decode(data)).decode() if encoding == "deflate" else data
report = json.loads(text)
print(json.dumps({name: report[name] for name in ("entry", "graph", "kernels", "memory", "sources", "stages", "target", "texts")}, indent=0))
