"""The archive that CPack makes: unpacked somewhere, it runs and builds the example.

Compressed by zstd here, which takes seconds where xz takes a minute; the files are the same.
"""

import pathlib
import re
import subprocess
import unittest

import prefix
from prefix import SCRATCH

NAME = re.compile(rf"tensorc-{re.escape(prefix.VERSION)}-linux-\w+")


class Archive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made, cls.unpacked = SCRATCH / "archive", SCRATCH / "unpacked"
        subprocess.run([prefix.CPACK, "-G", "TZST", "-B", made], cwd=prefix.BUILD, check=True, stdout=subprocess.DEVNULL)
        archive, = made.glob("*.tar.zst")
        prefix.check_sum(archive)
        cls.unpacked.mkdir()
        prefix.run(prefix.CMAKE, "-E", "tar", "xf", archive, cwd=cls.unpacked)
        cls.root, = cls.unpacked.iterdir()

    def test_names(self):
        self.assertRegex(self.root.name, NAME)
        config = (prefix.BUILD / "CPackConfig.cmake").read_text()
        self.assertIn('set(CPACK_GENERATOR "TXZ")', config)

    def test_same_files_as_installed(self):
        """And the one dependency that a bare system lacks, with its licence."""
        def tree(root):
            return {str(path.relative_to(root)) for path in root.rglob("*")}
        extra = {"lib/libtbb.so.12", "share/licenses/tensorc/tbb.txt"}
        self.assertEqual(tree(self.root), tree(prefix.PREFIX) | extra)

    def test_tool_needs_no_installed_tbb(self):
        self.assert_own_tbb(self.root / "bin/tensorc")
        softmax = self.root / "share/tensorc/examples/softmax.mlir"
        output = prefix.run(self.root / "bin/tensorc", "run", softmax, "--random-inputs", "--compare=reference")
        self.assertRegex(output, "compare y: ")

    def assert_own_tbb(self, program):
        self.assertIn(self.root / "lib/libtbb.so.12", [pathlib.Path(path).resolve() for path in prefix.loaded(program)])

    def test_builds_an_example(self):
        folder = SCRATCH / "first-of-archive"
        prefix.run(prefix.CMAKE, "-S", self.root / "share/tensorc/examples/first", "-B", folder,
                   f"-DCMAKE_CXX_COMPILER={prefix.compilers()[0]}", f"-DCMAKE_PREFIX_PATH={self.root}", hide_llvm=False)
        prefix.run(prefix.CMAKE, "--build", folder, hide_llvm=False)
        self.assertIn("kernels: ", prefix.run(folder / "first"))
        self.assert_own_tbb(folder / "first")


unittest.main()
