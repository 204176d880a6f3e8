#!/usr/bin/env python3
"""Creates the folder from which mkdocs builds the site.

usage: site.py BUILD OUT

OUT/pages contains the project's documents in the same folders, the sources that they link to, and a page for each
Python module and each C and C++ header that BUILD contains. A link to a folder becomes a link to a page that lists the
folder. OUT/mkdocs.yml has the navigation.
"""

import importlib
import inspect
import json
import pathlib
import re
import shutil
import subprocess
import sys

import cpp

ROOT = pathlib.Path(__file__).parents[3]
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
FENCE = re.compile(r"^( {0,3}(```+|~~~+).*?^ {0,3}\2[ \t]*$)", re.M | re.S)
TOP = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]


def tracked():
    return subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def title_of(path):
    heading = re.search(r"^# (.+)$", path.read_text(), re.M)
    return heading[1].strip("` ") if heading else path.stem


class Pages:
    def __init__(self, folder):
        self.folder = folder
        self.names = set(tracked())
        self.copied = set()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def add(self, name):
        """Copies a page and the files that it links to."""
        if name in self.copied:
            return
        self.copied.add(name)
        source = ROOT / name
        if not name.endswith(".md"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, self.folder / name)
            return
        parts = FENCE.split(source.read_text())
        # Every third part begins a fenced block, and the part after it is the fence itself.
        text = "".join(self.link(part, source.parent) if i % 3 == 0 else part for i, part in enumerate(parts) if i % 3 != 2)
        self.write(name, text)

    def link(self, text, folder):
        def target(match):
            path, hash, anchor = match[2].partition("#")
            if not path or re.match(r"[a-z]+:", path):
                return match[0]
            found = (folder / path).resolve()
            name = str(found.relative_to(ROOT))
            if found.is_dir():
                path = path.rstrip("/") + "/" + self.listing(name)
            elif name in self.names:
                self.add(name)
            return match[1] + path + hash + anchor + match[3]

        return LINK.sub(target, text)

    def listing(self, folder):
        """Returns the page of a folder, which is its README.md or a list of its files. The files are copied."""
        if f"{folder}/README.md" in self.names:
            self.add(f"{folder}/README.md")
            return "README.md"
        page = f"{folder}/index.md"
        if page not in self.copied:
            self.copied.add(page)
            files = sorted(name for name in self.names if str(pathlib.PurePath(name).parent) == folder)
            for name in files:
                self.add(name)
            lines = [f"- [{pathlib.PurePath(name).name}]({pathlib.PurePath(name).name})" for name in files]
            self.write(page, f"# {folder}\n\n" + "\n".join(lines) + "\n")
        return "index.md"


def signature(value):
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):
        return "(...)"


def python_page(module):
    """Returns the public names of a module with their docstrings."""
    yield f"# {module.__name__}\n\n{escape(inspect.getdoc(module) or '')}\n"
    names = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
    for name in sorted(set(names)):
        value = getattr(module, name, None)
        text = inspect.getdoc(value)
        if inspect.ismodule(value) or not callable(value) or not text:
            continue
        yield f"## {name}\n\n```python\n{name}{'' if inspect.isclass(value) else signature(value)}\n```\n\n{escape(text)}\n"
        for method, member in sorted(vars(value).items()) if inspect.isclass(value) else ():
            if not method.startswith("_") and callable(member) and inspect.getdoc(member):
                yield f"### {name}.{method}\n\n{escape(inspect.getdoc(member))}\n"


def escape(text):
    """Converts a docstring to Markdown. Examples with prompts become code blocks."""
    text = re.sub(r"((?:^ *(?:>>>|\.\.\.).*\n?(?:^(?! *>>>)(?!\s*$).*\n?)*)+)", lambda m: f"\n```pycon\n{m[1].rstrip()}\n```\n", text, flags=re.M)
    return "".join(part if part.startswith("\n```") else part.replace("<", "&lt;") for part in re.split(r"(\n```pycon\n.*?\n```\n)", text, flags=re.S))


def add_python(pages, build):
    sys.path.insert(0, str(build / "python"))
    made = []
    for name in ("", *importlib.import_module("tensorc")._modules):
        try:
            module = importlib.import_module(f"tensorc.{name}".rstrip("."))
        except ImportError:
            continue  # a module that needs a package that is not installed
        page = f"api/python-{name or 'tensorc'}.md"
        pages.write(page, "\n".join(python_page(module)))
        made.append((module.__name__, page))
    return made


def add_c(pages, api):
    """Adds pages of the C interface of api.json, grouped by the first word of the names."""
    lines = ["# The C interface\n", "Functions, with the types of their parameters; each also has a form in C++ "
             "([cpp.md](../docs/cpp.md)).\n"]
    for name, function in sorted(api["functions"].items()):
        lines.append(f"## {name}\n\n```c\n{function['result']} {name}({', '.join(function['parameters']) or 'void'});\n```\n")
    for kind, members in (("struct", api["structs"]), ("enum", api["enums"])):
        for name, fields in sorted(members.items()):
            rows = [f"{f['type']} {f['name']};" for f in fields] if kind == "struct" else [f"{k} = {v}," for k, v in fields.items()]
            lines.append(f"## {kind} {name}\n\n```c\n" + "\n".join(rows) + "\n```\n")
    pages.write("api/c.md", "\n".join(lines))
    return [("C", "api/c.md")]


def add_cpp(pages, build):
    """Adds a page for each C++ header. Headers of the C interface, which they include, are on another page."""
    folders = [build / "compiler/include/tensorc", build / "compiler/described/tensorc"]
    if not all(folder.exists() for folder in folders):
        return []
    made = []
    for name, text in cpp.pages([ROOT / "compiler/include/tensorc", ROOT / "runtime/include/tensorc", *folders]):
        page = f"api/cpp-{name.removesuffix('.hpp')}.md"
        pages.write(page, text)
        made.append((f"tensorc/{name}", page))
    return made


def navigation(pages, api, headers):
    """Returns the pages under the headings of docs/index.md, followed by the pages that are under no heading."""
    index = (ROOT / "docs/index.md").read_text()
    used, nav = set(), [("Start", ["README.md", "docs/index.md"])]
    for heading, body in re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", index, re.M | re.S):
        names = [str((ROOT / "docs" / target.split("#")[0]).resolve().relative_to(ROOT)) for _, target, _ in LINK.findall(body)]
        names = [name for name in dict.fromkeys(names) if name in pages.copied and name.endswith(".md") and name not in used]
        used.update(names)
        nav.append((heading, names))
    if api:
        nav.append(("Interfaces", [f"{title}: {page}" for title, page in api]))
    if headers:
        nav.append(("C++ headers", [f"{title}: {page}" for title, page in headers]))
    rest = sorted(name for name in pages.copied if name.endswith(".md") and name not in used and name.startswith("docs/design/"))
    nav.append(("Decisions", rest))
    rest = sorted(name for name in pages.copied if name.endswith(".md") and name not in used and name.startswith("docs/lab/"))
    nav.append(("Measurements", rest))
    quote = lambda text: json.dumps(text, ensure_ascii=False)
    lines = ["nav:"]
    for heading, names in nav:
        lines.append(f"  - {quote(heading)}:")
        for name in names:
            title, _, page = name.rpartition(": ")
            lines.append(f"    - {quote(title or title_of(pages.folder / page))}: {quote(page)}")
    return "\n".join(lines) + "\n"


def main():
    build, out = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(out, ignore_errors=True)
    pages = Pages(out / "pages")
    for name in [*TOP, *sorted(name for name in pages.names if name.startswith("docs/") and name.endswith(".md"))]:
        if name in pages.names:
            pages.add(name)
    api = []
    if (build / "python/tensorc/_interface.py").exists() and list(build.glob("python/tensorc/_core*.so")):
        api += add_python(pages, build)
    if (build / "share/tensorc/api.json").exists():
        api += add_c(pages, json.loads((build / "share/tensorc/api.json").read_text()))
    headers = add_cpp(pages, build.resolve())
    config = pathlib.Path(__file__).with_name("mkdocs.yml").read_text()
    (out / "mkdocs.yml").write_text(config + navigation(pages, api, headers))
    for name in ("hooks.py", "worker.js"):
        shutil.copyfile(pathlib.Path(__file__).with_name(name), out / name)
    print(f"{len(pages.copied)} files, {len(api) + len(headers)} pages of interfaces")


main()
