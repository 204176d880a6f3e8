#!/usr/bin/env python3
"""Checks that classes have few methods, fields and files, so that readers can understand them.

Tests and generated files are exempt. Classes above a limit are listed in EXCEPTIONS with their current counts and must
not grow.
"""

import pathlib
import re
import sys

import functions
import repo

# FILES counts the files that define methods of a class; a header that only declares the class does not count.
METHODS, FIELDS, FILES = 25, 12, 2
EXCEPTIONS = pathlib.Path(__file__).with_name("large_classes.txt")
CLASS = re.compile(r"\b(?:class|struct)\s+(?:\[\[\w+\]\]\s*)?(?:\w+\([^()]*\)\s*)?(?P<name>\w+)\s*(?:final\s*)?(?::[^;{}()]*)?$")
NO_MEMBER = re.compile(r"^(?:using|typedef|friend|static_assert|template\s*<[^;{}]*>\s*(?:using|friend)|enum|class\s+\w+$|struct\s+\w+$|union\s+\w+$)\b")


CALL = "\x01"  # a placeholder for a parameter list


def without_arguments(text):
    """Returns the text without the contents of <> and [] brackets, and with CALL for each list in parentheses."""
    while True:
        shorter = re.sub(r"<[^<>();{}]*>|\[[^\[\]]*\]", "", text)
        shorter = re.sub(r"\([^()]*\)", CALL, shorter)
        if shorter == text:
            return text
        text = shorter


def members(body):
    """Returns (methods, fields) declared by the statements directly in a class's body. In `body`, braces are empty."""
    methods, fields = set(), 0
    body = without_arguments(re.sub(r"\b(?:public|protected|private)\s*:(?!:)", ";", body).replace("->", " "))
    for statement in re.split(r";|(?<=\{\})(?=\s*[\w~\[])", body):
        statement = " ".join(statement.split())
        if not statement or NO_MEMBER.match(statement):
            continue
        call = re.search(rf"(operator{CALL}|operator[^{CALL}]*|~?\w+)\s*{CALL}", statement if "operator" in statement else statement.split("=")[0])
        if call:
            methods.add(call[1])
        elif re.match(r"^(?:static )?constexpr ", statement) or re.match(r"^(?:inline )?static (?:inline )?(?:constexpr|const) ", statement):
            continue  # constants
        elif re.search(r"[\w>*&\]]\s+[*&]*\w+", statement) and not re.match(r"^(?:class|struct|enum|union)\b[^{}]*\{\}$", statement):
            fields += 1 + without_arguments(re.sub(r"=[^,]*|\{\}", "", statement)).count(",")
    return methods, fields


def classes(text):
    """Returns (name, line, methods, fields) for every class that the text defines."""
    text = functions.NOT_CODE.sub(lambda m: "\n" * m[0].count("\n"), text)
    stack, found, start = [], [], 0
    for match in re.finditer(r"[{};]", text):
        if match[0] == "{":
            header = text[start : match.start()]
            header = re.split(r"\b(?:public|protected|private)\s*:(?!:)", header)[-1]
            named = CLASS.search(" ".join(header.split()))
            name = named["name"] if named and "=" not in header and not re.search(r"\benum\b", header) else None
            if stack and stack[-1]["name"]:
                stack[-1]["body"] += text[stack[-1]["at"] : match.start()]
            stack.append({"name": name, "body": "", "at": match.end(), "line": text.count("\n", 0, match.start()) + 1})
        elif match[0] == "}" and stack:
            scope = stack.pop()
            if scope["name"]:
                methods, fields = members(scope["body"] + text[scope["at"] : match.start()])
                found.append((scope["name"], scope["line"], methods, fields))
            if stack:
                if stack[-1]["name"]:
                    stack[-1]["body"] += "{}" + (";" if scope["name"] else "")
                stack[-1]["at"] = match.end()
        start = match.end()
    return found


def defined(text):
    """Returns the names of the classes whose methods the text defines outside of their bodies."""
    text = functions.NOT_CODE.sub(lambda m: "\n" * m[0].count("\n"), text)
    return {m[1] for m in re.finditer(r"^(?!\s|return\b)[^\n;{}=]*?\b([A-Z]\w*)(?:<[^<>;{}()]*>)?::~?\w+\(", text, re.M)}


def counts(root):
    """Returns (methods, fields, files) for every class, keyed by header:name."""
    found, where = {}, {}
    for name in repo.files(root, ".cpp", ".h", ".hpp"):
        if name.startswith("tests/"):
            continue
        text = (root / name).read_text(encoding="utf-8")
        for each, _, methods, fields in classes(text):
            found[f"{name}:{each}"] = (len(methods), fields)
        for each in defined(text):
            where.setdefault(each, set()).add(name)
    for place, (methods, fields) in found.items():
        file, name = place.rsplit(":", 1)
        # A class of the same name in another header has its own files.
        mine = {f for f in where.get(name, ()) if owner(f, name, found) == file}
        yield place, (methods, fields, max(1, len(mine)))


def owner(file, name, found):
    """Returns the file that defines the class whose methods are in `file`: `file` itself, or the nearest one."""
    homes = [place.rsplit(":", 1)[0] for place in found if place.rsplit(":", 1)[1] == name]
    shared = lambda home: len([1 for a, b in zip(home.split("/"), file.split("/")) if a == b])
    return file if file in homes else max(homes, key=shared, default="")


def main():
    root = repo.root(__doc__)
    allowed = {}
    listed = root / "tools/lint" / EXCEPTIONS.name
    for line in listed.read_text().splitlines() if listed.exists() else ():
        if line and not line.startswith("#"):
            place, *numbers = line.split()
            allowed[place] = tuple(map(int, numbers))
    violations = 0
    for place, found in sorted(counts(root)):
        limits = tuple(map(max, (METHODS, FIELDS, FILES), allowed.pop(place, (0, 0, 0))))
        for count, limit, what in zip(found, limits, ("methods", "fields", "files")):
            if count > limit:
                violations += 1
                print(f"{place}: {count} {what}, above {limit}")
    for place in allowed:
        violations += 1
        print(f"{EXCEPTIONS.name}: {place} is not there")
    print(f"check_classes: {violations} violations" if violations else "check_classes: ok")
    sys.exit(bool(violations))


main()
