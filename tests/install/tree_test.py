"""What the installed files hold: nothing of this machine, only the libraries a user has."""

import json
import pathlib
import re
import subprocess
import unittest

import prefix
from prefix import PREFIX, SHIPPED

LANGUAGE_RUNTIMES = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "ld-linux-x86-64.so.2"}
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "/dev/null"]


def files():
    return [path for path in PREFIX.rglob("*") if path.is_file() and not path.is_symlink()]


class Tree(unittest.TestCase):
    def test_components(self):
        for path in ("bin/tensorc", "bin/tensorc-opt", "bin/tensorc-lsp-server", "lib/libtensorc.so", "lib/libtensorc_rt.so", "lib/libtensorc_linalg.so",
                     "include/tensorc/tensorc.hpp", "include/tensorc/ops.h", "include/tensorc/runtime.h",
                     "share/tensorc/examples/softmax.mlir", "share/man/man1/tensorc-compile.1",
                     "share/bash-completion/completions/tensorc"):
            self.assertTrue((PREFIX / path).exists(), path)

    def test_description_for_bindings(self):
        api = json.loads((PREFIX / "share/tensorc/api.json").read_text())
        self.assertEqual(api["format"], 1)
        self.assertEqual(api["functions"]["tensorc_softmax"]["parameters"],
                         ["const tensorc_tensor *", "int64_t", "tensorc_location", "tensorc_tensor **"])
        operations = {operation["function"]: operation for operation in api["operations"]}
        self.assertLessEqual({"tensorc_add", "tensorc_softmax", "tensorc_einsum"}, set(operations))
        self.assertEqual([p["kind"] for p in operations["tensorc_softmax"]["parameters"]], ["tensor", "int"])

    def test_licences(self):
        names = {path.stem for path in (PREFIX / "share/licenses/tensorc").iterdir()}
        self.assertLessEqual({"LICENSE", "eigen", "flatbuffers"}, names)
        if SHIPPED:
            self.assertLessEqual({"llvm", "mlir", "lld", "zlib", "zstd"}, names)
            self.assertIn("LLVM Exceptions", (PREFIX / "share/licenses/tensorc/llvm.txt").read_text())

    def test_texts_name_no_folder_of_the_build(self):
        self.assert_absent(path for path in files() if path.suffix in (".cmake", ".pc", ".h", ".hpp", ".txt", ".mlir"))

    @unittest.skipUnless(SHIPPED, "debug information names sources")
    def test_binaries_name_no_folder_of_the_build(self):
        self.assert_absent(files())

    def assert_absent(self, paths):
        # The folder's entries, because LLVM's own build may have had a folder of the same short name.
        sources = [entry for entry in prefix.SOURCE.iterdir() if entry.is_dir() and entry != prefix.BUILD]
        folders = b"|".join(re.escape(bytes(folder)) for folder in (*sources, prefix.BUILD, prefix.SCRATCH))
        named = re.compile(rb"(?<![\w.-])(?:" + folders + rb")/[\w./-]*")
        for path in paths:
            found = named.search(path.read_bytes())
            self.assertIsNone(found, f"{path} names {found and found[0].decode()}")

    @unittest.skipUnless(SHIPPED, "uses the shared LLVM")
    def test_dependencies(self):
        minor = ".".join(prefix.VERSION.split(".")[:2])
        runtime, compiler = {f"libtensorc_rt.so.{minor}"}, {f"libtensorc.so.{minor}"}
        expected = {
            "lib/libtensorc_rt.so": ({"libtbb.so.12"}, ["$ORIGIN"]),
            "lib/libtensorc.so": (runtime, ["$ORIGIN"]),
            "bin/tensorc": (compiler, ["$ORIGIN/../lib"]),
            "bin/tensorc-opt": (compiler, ["$ORIGIN/../lib"]),
            "bin/tensorc-lsp-server": (compiler, ["$ORIGIN/../lib"]),
        }
        for name, (libraries, search) in expected.items():
            needed, runpath = prefix.dependencies(PREFIX / name)
            # A linker that leaves out what is not used may drop the runtime.
            self.assertEqual((needed - LANGUAGE_RUNTIMES - runtime, runpath), (libraries - runtime, search), name)

    @unittest.skipUnless(SHIPPED, "debug builds keep their symbols")
    def test_stripped(self):
        for path in (PREFIX / "lib/libtensorc.so", PREFIX / "lib/libtensorc_rt.so", PREFIX / "bin/tensorc"):
            sections = subprocess.run(["readelf", "-SW", path], check=True, capture_output=True, text=True).stdout
            self.assertNotRegex(sections, r"\.symtab|\.debug", path)
        self.assertLess((PREFIX / "lib/libtensorc_rt.so").stat().st_size, 1 << 20)

    def test_headers(self):
        """None lacks another, in C99 and in C++17. That each stands alone is what exports.headers looks at."""
        headers = sorted((PREFIX / "include/tensorc").iterdir())
        c = [header for header in headers if header.suffix == ".h"]
        # ops.hpp is the inside of a namespace, which tensorc.hpp opens.
        cxx = [header for header in headers if header.suffix == ".hpp" and header.name != "ops.hpp"]
        self.assertGreaterEqual(min(len(c), len(cxx)), 3)
        self.compile("-xc", "-std=c99", c)
        self.compile("-xc++", "-std=c++17", c + cxx)

    def compile(self, language, standard, headers):
        included = [word for header in headers for word in ("-include", header)]
        prefix.run(prefix.compilers()[0], language, standard, f"-I{PREFIX / 'include'}", *WARNINGS, *included, hide_llvm=False)

    def test_tool(self):
        version = prefix.run("tensorc", "--version")
        self.assertTrue(version.startswith(f"tensorc {prefix.VERSION}\ncommit "), version)
        softmax = PREFIX / "share/tensorc/examples/softmax.mlir"
        run = prefix.run("tensorc", "run", softmax, "--random-inputs", "--compare=reference")
        self.assertRegex(run, "compare .*: ")
        self.assertIn("tx.softmax", prefix.run("tensorc-opt", softmax))
        for path in map(pathlib.Path, prefix.loaded(PREFIX / "bin/tensorc")):
            self.assertFalse({prefix.SOURCE, prefix.BUILD} & set(path.resolve().parents), path)


unittest.main()
