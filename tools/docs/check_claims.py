"""Checks that each claim of a document names tests and that these exist: ROOT FILE.md...

A claim is a list item (`- ...`) that ends with its tests in parentheses, or a row of a table whose last column is
"shown by". A test is a path in backquotes, `tests/runtime/core/YTest.cpp`, followed by the names of GoogleTests,
`Suite.Name`.
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
bad = claims = 0
for path in sys.argv[2:]:
    text = (root / path).read_text(encoding="utf-8")
    items = [" ".join(item.split()) for item in re.findall(r"^- .*(?:\n  .*)*", text, re.M)]
    shown = [(item, item[item.rfind("(`tests/") :] if "(`tests/" in item else "") for item in items]
    for table in re.findall(r"shown by \|\n\|[-|]+\n((?:\|.*\n)*)", text):
        shown += [(row[2:], row.rstrip("| ").rpartition("|")[2]) for row in table.splitlines()]
    for line, tests in shown:
        claims += 1
        errors = []
        named = re.findall(r"`(tests/[^`]+)`|`(\w+\.\w+)`", tests)
        source = ""
        for file, test in named:
            if file:
                found = root / file
                source = found.read_text(encoding="utf-8") if found.is_file() else ""
                errors += [] if found.is_file() else [f"there is no {file}"]
            elif not re.search(rf"\bTEST(?:_F|_P)?\(\s*{test.replace('.', ', *')}\s*\)", source):
                errors.append(f"there is no test {test}")
        if not named:
            errors.append("names no test")
        for error in errors:
            bad += 1
            print(f"{path}: {line[:60]}...: {error}")
print(f"{claims} claims, {bad} bad")
sys.exit(bad > 0)
