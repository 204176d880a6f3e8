"""The examples, built against the moved tree as a user would, with the sources and the build out of reach."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

import prefix
from prefix import PREFIX, SCRATCH, SOURCE

EXAMPLES = PREFIX / "share/tensorc/examples"


def build(name, compiler):
    """Configures and builds an example; the folder of its programs."""
    folder = SCRATCH / f"{name}-{os.path.basename(compiler)}"
    prefix.run(prefix.CMAKE, "-S", EXAMPLES / name, "-B", folder, f"-DCMAKE_CXX_COMPILER={compiler}",
               "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror", f"-DCMAKE_PREFIX_PATH={PREFIX}", hide_llvm=False)
    prefix.run(prefix.CMAKE, "--build", folder, hide_llvm=False)
    return folder


class Examples(unittest.TestCase):
    def assert_outside(self, program, without=()):
        """All that a program loads is of the installed tree or of the system."""
        for path in prefix.loaded(program):
            resolved = pathlib.Path(path).resolve()
            self.assertFalse({SOURCE, prefix.BUILD} & set(resolved.parents), path)
            for name in without:
                self.assertNotIn(name, path)

    def test_first_is_what_the_readme_shows(self):
        """Text and output, by the path that the README's commands have."""
        for compiler in prefix.compilers():
            program = build("first", compiler) / "first"
            output = prefix.run(program)
            self.assert_outside(program)
        readme = (SOURCE / "README.md").read_text()
        for name, language in (("main.cpp", "c++"), ("CMakeLists.txt", "cmake")):
            self.assertIn(f"```{language}\n{(SOURCE / 'examples/first' / name).read_text()}```", readme)
        self.assertIn(f"```\n{output}```", readme)

    def test_embed_cmake(self):
        for compiler in dict.fromkeys((prefix.compilers()[0], prefix.CXX)):
            folder = build("embed-cmake", compiler)
            self.assertEqual(prefix.run(folder / "jit"),
                             "tensor([[0.6, 0.0, 0.8], [0.0, 0.0, 1.0]], dtype=f32)\nkernels: 1\n"
                             f"matmul: inner dimensions differ: [2,3] x [2,3]  at {EXAMPLES}/embed-cmake/jit.cpp:20\n")
            self.assertEqual(prefix.run(folder / "serve", folder / "scale.tcpkg"), "0.6 0 0.8\n0 0 1\n0 1 0\n")
            self.assert_outside(folder / "jit")
            self.assert_outside(folder / "serve", without=("libtensorc.so", "LLVM", "MLIR"))
            self.assertIn("not a tensorc package", prefix.run(folder / "serve", EXAMPLES / "embed-cmake/scale.mlir", status=1))

    def test_c_api(self):
        """The commands of its README, with two C compilers."""
        commands, = re.findall(r"```sh\n(.*?)```", (EXAMPLES / "c-api/README.md").read_text(), re.S)
        for compiler in ("gcc", "clang-22"):
            folder = SCRATCH / compiler
            shutil.copytree(EXAMPLES, folder)
            home = folder / "home"
            home.mkdir()
            (home / "tensorc").symlink_to(PREFIX)
            output = prefix.run(commands.replace("cc -std", f"{compiler} -Wall -Wextra -Werror -pedantic -std"),
                                cwd=folder / "c-api", env={"HOME": str(home)}, hide_llvm=False)
            self.assertEqual(output, "0.6 0 0.8\n0 0 1\nx: f32[n, 3]\n0.6 0 0.8\n0 0 1\n")
            self.assert_outside(folder / "c-api/expression")
            self.assert_outside(folder / "c-api/package", without=("libtensorc.so", "LLVM", "MLIR"))

    def test_ship_it(self):
        """The README's commands; what they make holds nothing of the compiler or the runtime."""
        section = re.search(r"^## Ship it\n(.*?)^## ", (SOURCE / "README.md").read_text(), re.M | re.S)[1]
        commands, = re.findall(r"```sh\n(.*?)```", section, re.S)
        shown, = re.findall(r"```\n(\d.*?)```", section, re.S)
        self.assertEqual(commands.count("\n"), 5)
        folder = SCRATCH / "ship"
        folder.mkdir()
        (folder / "examples").symlink_to(EXAMPLES)
        output, _, loaded = prefix.run(commands, cwd=folder, hide_llvm=False).partition("\n")
        self.assertEqual(output + "\n", shown)
        self.assertEqual(re.findall(r"^\s*(lib\S+)", loaded, re.M), ["libc.so.6"])
        self.assertLess((folder / "ship").stat().st_size, 1 << 18)
        symbols = subprocess.run(["nm", folder / "ship"], check=True, capture_output=True, text=True).stdout
        self.assertIn(" T digits_run\n", symbols)
        self.assertNotRegex(symbols, "(?i)tensorc_rt|llvm|mlir")


unittest.main()
