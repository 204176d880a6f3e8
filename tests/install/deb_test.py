"""The package for Debian: its files, what it needs, and that they run from where they are unpacked."""

import shutil
import subprocess
import unittest

import prefix
from prefix import SCRATCH


class Deb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made, cls.root = SCRATCH / "deb", SCRATCH / "deb-unpacked"
        # Quickly compressed: the files are the same.
        subprocess.run([prefix.CPACK, "-G", "DEB", "-B", made, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"],
                       cwd=prefix.BUILD, check=True, stdout=subprocess.DEVNULL)
        cls.package, = made.glob("*.deb")
        prefix.check_sum(cls.package)
        subprocess.run(["dpkg-deb", "-x", cls.package, cls.root], check=True)

    def field(self, name):
        return subprocess.run(["dpkg-deb", "-f", self.package, name], check=True, capture_output=True, text=True).stdout.strip()

    def test_control(self):
        self.assertRegex(self.package.name, rf"tensorc_{prefix.VERSION}.*_\w+\.deb")
        self.assertEqual(self.field("Package"), "tensorc")
        self.assertEqual(self.field("Version"), prefix.VERSION)
        self.assertIn("libtbb12", self.field("Depends"))
        self.assertTrue(self.field("Description").startswith("compiler of tensor expressions\n tensorc compiles"))
        subprocess.run(["dpkg-deb", "-e", self.package, self.root / "control"], check=True)
        symbols = (self.root / "control/symbols").read_text()
        self.assertRegex(symbols, r"(?m)^libtensorc_rt\.so\.[0-9.]+ tensorc #MINVER#$")
        self.assertIn(f"libtensorc_rt {'.'.join(prefix.VERSION.split('.')[:2])} tensorc (>= {prefix.VERSION})\n", (self.root / "control/shlibs").read_text())
        self.assertIn(f"\n tensorc_softmax@Base {prefix.VERSION}\n", symbols)
        shutil.rmtree(self.root / "control")

    def test_files(self):
        """Those of an installed tree, and what Debian expects of each package."""
        def tree(root):
            return {str(path.relative_to(root)).removesuffix(".gz").replace("vendor-completions", "site-functions")
                    for path in root.rglob("*") if path.is_file()}
        own = {"share/doc/tensorc/copyright", "share/doc/tensorc/changelog", "share/lintian/overrides/tensorc"}
        self.assertEqual(tree(self.root / "usr"), tree(prefix.PREFIX) | own)
        self.assertEqual({path.name for path in self.root.iterdir()}, {"usr"})

    @unittest.skipUnless(shutil.which("lintian"), "no lintian")
    def test_lintian(self):
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", self.package], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_tool_runs(self):
        softmax = self.root / "usr/share/tensorc/examples/softmax.mlir"
        output = prefix.run(self.root / "usr/bin/tensorc", "run", softmax, "--random-inputs", "--compare=reference")
        self.assertRegex(output, "compare y: ")

    def test_builds_an_example(self):
        folder = SCRATCH / "first-of-deb"
        prefix.run(prefix.CMAKE, "-S", self.root / "usr/share/tensorc/examples/first", "-B", folder,
                   f"-DCMAKE_CXX_COMPILER={prefix.compilers()[0]}", f"-DCMAKE_PREFIX_PATH={self.root}/usr", hide_llvm=False)
        prefix.run(prefix.CMAKE, "--build", folder, hide_llvm=False)
        self.assertIn("kernels: ", prefix.run(folder / "first"))


unittest.main()
