"""Finds the functions of a C or C++ source."""

import re

NOT_CODE = re.compile(r'R"(?P<end>\w*)\(.*?\)(?P=end)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
NO_FUNCTION = re.compile(r"^\s*(?:if|for|while|switch|do|else|try|catch|namespace|class|struct|union|enum|extern)\b|=\s*$")


def bodies(text):
    """Returns (first line, number of lines) for every function body, including the lambdas in it."""
    text = NOT_CODE.sub(lambda m: "\n" * m[0].count("\n"), text)
    found, depth, inside, start = [], [], False, 0
    for match in re.finditer(r"[{};]", text):
        if match[0] == "{":
            header = text[start : match.start()]
            is_function = not inside and ")" in header and not NO_FUNCTION.match(header.strip())
            first = start + len(header) - len(header.lstrip())
            depth.append((is_function, first))
            inside = inside or is_function
        elif match[0] == "}" and depth:
            is_function, first = depth.pop()
            if is_function:
                inside = False
                line = text.count("\n", 0, first) + 1
                found.append((line, text.count("\n", 0, match.end()) + 2 - line))
        start = match.end()
    return found
