"""Compiles the two programs and creates their pages: build.py OUT.

draw.html and price.html need a server; each consists of a page, a .wasm module and a script. draw-alone.html and
price-alone.html are the same pages as single files, which a browser opens without a server.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
WEIGHTS = HERE.parent / "digits/weights"
TOOL = os.environ.get("TENSORC", "tensorc")
# The program of each page, and its compile options.
PAGES = {
    "draw": ("digits", [f"--weights={name}={WEIGHTS}/{name}.npy" for name in ("w1", "b1", "w2", "b2")]),
    "price": ("options", []),
}


def compile_to(out, program, options):
    subprocess.run([TOOL, "compile", HERE / f"{program}.mlir", "-o", out, *options], check=True)


def build(page, out):
    program, options = PAGES[page]
    compile_to(out / f"{program}.js", program, options)
    text, script = (HERE / f"{page}.html").read_text(), (HERE / f"{page}.js").read_text()
    (out / f"{page}.html").write_text(text)
    (out / f"{page}.js").write_text(script)
    (out / f"{page}-main.js").write_text(f'import {{ load }} from "./{program}.js";\nstart(load);\n')
    alone = text.replace(f'<script src="{page}.js"></script>', f"<script>\n{script}</script>")
    alone = alone.replace(f'<script type="module" src="{page}-main.js"></script>', f"<script>\nstart({program}.load);\n</script>")
    with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
        file.write(alone)
        file.flush()
        compile_to(out / f"{page}-alone.html", program, [*options, "--emit=page", f"--page={file.name}"])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for each in PAGES:
        build(each, folder)
