"""Pages of the C++ headers, from the XML that Doxygen writes about them.

usage: cpp.py FOLDER...    (prints the pages of the headers in these folders)
"""

import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

SETTINGS = """
INPUT = {folders}
FILE_PATTERNS = *.hpp
EXCLUDE_SYMBOLS = tensorc::detail tensorc::*::detail
EXTRACT_ALL = YES
PREDEFINED = TENSORC_API=
EXPAND_ONLY_PREDEF = YES
MACRO_EXPANSION = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
QUIET = YES
WARNINGS = NO
"""

# Titles and texts of headers that are generated from the descriptions of ops.
GENERATED = {
    "ops.hpp": ("operations; included by tensorc.hpp", "All but operators are methods of `Tensor`, too. [ops.md](../docs/ops.md) describes them.\n"),
    "functions.hpp": ("functions; included by tensorc.hpp", "[functions.md](../docs/functions.md) describes them.\n"),
}


def read(folders):
    """Returns the compounds that Doxygen finds in the headers of the folders."""
    with tempfile.TemporaryDirectory() as scratch:
        config = pathlib.Path(scratch, "Doxyfile")
        config.write_text(SETTINGS.format(folders=" ".join(f'"{folder}"' for folder in folders)))
        subprocess.run(["doxygen", config], cwd=scratch, check=True)
        files = sorted(path for path in pathlib.Path(scratch, "xml").glob("*.xml") if path.name not in ("index.xml", "Doxyfile.xml"))
        return [compound for path in files for compound in ElementTree.parse(path).getroot().iter("compounddef")]


def flat(element):
    return "" if element is None else re.sub(r"\s+", " ", "".join(element.itertext())).strip()


def code(element):
    """Returns the text of a type, without the spaces that Doxygen adds."""
    return re.sub(r" ([&*]+) ?(?=\w)", r" \1", re.sub(r"(?<=<) |(?<!\)) (?=>)", "", flat(element)))


def prose(element):
    """Returns a paragraph as Markdown. What the comment marks as code is code."""
    parts = [(element.text or "").replace("<", "&lt;")]
    for part in element:
        text = flat(part)
        parts.append(f"`{text}`" if part.tag == "computeroutput" else text.replace("<", "&lt;"))
        parts.append((part.tail or "").replace("<", "&lt;"))
    return re.sub(r"\s+", " ", "".join(parts)).strip()


def template_of(entity):
    """Returns the line `template <...>` of an entity, which is empty for most."""
    names = []
    parameters = entity.find("templateparamlist")
    for parameter in () if parameters is None else parameters.findall("param"):
        kind, name, value = (code(parameter.find(part)) for part in ("type", "declname", "defval"))
        names.append(kind + (f" {name}" if name and not kind.endswith(f" {name}") else "") + (f" = {value}" if value else ""))
    return f"template <{', '.join(names)}>\n" if names else ""


def described(element):
    """Returns the description of an entity as Markdown."""
    blocks = []
    for part in ("briefdescription", "detaileddescription"):
        for para in element.findall(f"{part}/para"):
            example = para.find("verbatim")
            if example is not None:
                blocks.append("```\n" + "".join(example.itertext()).strip("\n") + "\n```")
            else:
                blocks.append(prose(para))
    return "\n\n".join(block for block in blocks if block)


def declaration(member):
    """Returns the declaration of a member without its body."""
    kind, name = member.get("kind"), flat(member.find("name"))
    if kind == "enum":
        cases = ", ".join(flat(value.find("name")) for value in member.findall("enumvalue"))
        return f"enum class {name} {{ {cases} }};"
    if kind == "typedef":
        return f"{template_of(member)}using {name} = {code(member.find('type'))};"
    static = "static " if member.get("static") == "yes" and kind == "function" else ""
    arguments = re.sub(r"(?<=[\w>])=(?=[^=])", " = ", code(member.find("argsstring")))
    value = " " + code(member.find("initializer")) if kind == "variable" and member.find("initializer") is not None else ""
    type = code(member.find("type"))
    space = "" if type.endswith(("*", "&")) else " "
    return template_of(member) + f"{static}{type}{space}{name}{arguments}{value};".strip()


def place(element):
    location = element.find("location")
    return location.get("declfile") or location.get("file"), int(location.get("declline") or location.get("line"))


def members_of(compound):
    for member in compound.iter("memberdef"):
        known = member.get("kind") in ("function", "variable", "typedef", "enum") and not flat(member.find("name")).startswith("~")
        if known and member.get("prot") == "public":
            yield member


def grouped(members):
    """Returns lists of members with one name, in the order of their first declarations."""
    groups = collections.OrderedDict()
    for member in sorted(members, key=place):
        groups.setdefault(flat(member.find("name")), []).append(member)
    return groups.items()


def by_file(members):
    files = {}
    for member in members:
        files.setdefault(place(member)[0], []).append(member)
    return files


def section(level, title, members):
    yield f"{'#' * level} {title.replace('<', '&lt;')}\n"
    yield "```cpp\n" + "\n".join(dict.fromkeys(map(declaration, members))) + "\n```\n"
    for text in dict.fromkeys(map(described, members)):
        if text:
            yield text + "\n"


def class_page(compound):
    """Returns a class with its public members."""
    name = flat(compound.find("compoundname")).removeprefix("tensorc::")
    bases = [code(base).removeprefix("tensorc::") for base in compound.findall("basecompoundref")]
    shown = ", ".join(base for base in bases if not base.startswith("detail::"))
    yield f"## {name.replace('<', '&lt;')}\n"
    yield f"```cpp\n{template_of(compound)}{compound.get('kind')} {name}{' : ' + shown if shown else ''};\n```\n"
    yield described(compound) + "\n"
    fields = [member for member in members_of(compound) if member.get("kind") == "variable" and not described(member)]
    if fields:
        yield "```cpp\n" + "\n".join(map(declaration, sorted(fields, key=place))) + "\n```\n"
    for member, same in grouped(member for member in members_of(compound) if member not in fields):
        yield from section(3, f"{name}::{member}", same)


def banner(path):
    """Returns the title of a header and the paragraphs below it."""
    if path.name in GENERATED:
        return GENERATED[path.name]
    lines = re.match(r"//===-+ *(.*?) -*(?:\*- C\+\+ -\*-+)?===//\n((?://.*\n)*?)(?=//===|#)", path.read_text())
    if not lines:
        return path.name, ""
    text = "\n".join(line.removeprefix("//").removeprefix(" ") for line in lines[2].splitlines())
    # Indented lines are examples.
    text = re.sub(r"((?:^ {2,}.*\n?|^\n(?= {2}))+)", lambda code: f"\n```cpp\n{code[1].strip(chr(10))}\n```\n", text + "\n", flags=re.M)
    title = lines[1].partition(" - ")[2].rstrip(" -") or path.name
    return title, "".join(part if part.startswith("\n```") else part.replace("<", "&lt;")
                          for part in re.split(r"(\n```cpp\n.*?\n```\n)", text, flags=re.S))


def pages(folders):
    """Yields (file name, Markdown) for each header with public names. Yields none if there is no Doxygen."""
    if not shutil.which("doxygen"):
        return
    entities = collections.defaultdict(list)
    for compound in read(folders):
        name, kind = flat(compound.find("compoundname")), compound.get("kind")
        # A file's own members are those outside namespaces, as in headers that others include.
        if kind == "file" or (kind == "namespace" and name.startswith("tensorc")):
            members = [member for member in members_of(compound) if member.get("id").startswith(compound.get("id"))]
            for title, same in grouped(members):
                for file, here in by_file(same).items():
                    entities[file].append((place(here[0])[1], section(2, title, here)))
        elif kind in ("class", "struct") and name.startswith("tensorc::") and compound.get("prot") == "public":
            entities[place(compound)[0]].append((place(compound)[1], class_page(compound)))
    for file in sorted(entities, key=lambda file: pathlib.Path(file).name):
        path = pathlib.Path(file)
        title, text = banner(path)
        body = "\n".join(line for _, lines in sorted(entities[file], key=lambda entity: entity[0]) for line in lines)
        yield path.name, f"# tensorc/{path.name}\n\n{title[:1].upper()}{title[1:]}\n\n{text}\n{body}"


if __name__ == "__main__":
    print("\n".join(text for _, text in pages(sys.argv[1:])))
