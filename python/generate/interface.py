#!/usr/bin/env python3
"""Writes the name of the extension's interface, for the extension and for the package.

    interface.py VERSION HEADER MODULE SOURCES...

The name is the version and a digest of the extension's SOURCES. HEADER defines it for the extension, MODULE for the
package's Python files, which refuse an extension with another name (tensorc/__init__.py).
"""

import hashlib
import pathlib
import sys

version, header, module, *sources = sys.argv[1:]
digest = hashlib.sha256()
for source in sorted(sources, key=lambda path: pathlib.Path(path).name):
    digest.update(pathlib.Path(source).read_bytes())
name = f"{version}-{digest.hexdigest()[:12]}"
for path, text in ((header, f'#define TENSORC_PYTHON_INTERFACE "{name}"\n'), (module, f'name = "{name}"\n')):
    pathlib.Path(path).write_text("{} Written by generate/interface.py.\n".format("//" if path == header else "#") + text,
                                  encoding="utf-8")  # fmt: skip
