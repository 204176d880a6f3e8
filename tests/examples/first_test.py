"""Installs tensorc, builds and runs examples/first, and compares the README.

usage: first_test.py CMAKE SOURCE BUILD SCRATCH COMPILER
"""

import pathlib
import shutil
import subprocess
import sys

cmake, source, build, scratch, compiler = sys.argv[1:]
source, scratch = pathlib.Path(source), pathlib.Path(scratch)
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)


def run(*command):
    # A machine's own settings must not change what the example prints.
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


# By the path that the README's commands have.
run(cmake, "--install", build, "--prefix", scratch / "prefix")
run(cmake, "-B", scratch / "build", "-S", source / "examples/first",
    f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_PREFIX_PATH={scratch / 'prefix'}")
run(cmake, "--build", scratch / "build")
output = run(scratch / "build/first")
print(output)

readme = (source / "README.md").read_text()
blocks = {
    "examples/first/main.cpp": "c++",
    "examples/first/CMakeLists.txt": "cmake",
}
missing = [f"README.md shows another {name}" for name, language in blocks.items()
           if f"```{language}\n{(source / name).read_text()}```" not in readme]
if f"```\n{output}```" not in readme:
    missing.append("README.md shows another output")
sys.exit("\n".join(missing) or 0)
