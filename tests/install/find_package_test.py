"""find_package(tensorc) and pkg-config on the moved tree: targets, versions, components."""

import shutil
import unittest

import prefix
from prefix import PREFIX, SCRATCH

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(probe LANGUAGES NONE)
find_package(tensorc {arguments})
foreach(name FOUND VERSION runtime_FOUND compiler_FOUND tools_FOUND)
  message(STATUS "${{name}}=${{tensorc_${{name}}}}")
endforeach()
foreach(target tensorc runtime tool)
  if(TARGET tensorc::${{target}})
    get_target_property(location tensorc::${{target}} LOCATION)
    message(STATUS "${{target}} at ${{location}}")
  endif()
endforeach()
"""


def find(arguments, tree=PREFIX, status=0):
    folder = SCRATCH / "probe"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(PROJECT.format(arguments=arguments))
    return prefix.run(prefix.CMAKE, "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={tree}", status=status)


class FindPackage(unittest.TestCase):
    def test_all(self):
        text = find("REQUIRED")
        for line in (f"VERSION={prefix.VERSION}", "runtime_FOUND=TRUE", "compiler_FOUND=TRUE", "tools_FOUND=TRUE",
                     f"tensorc at {PREFIX}/lib/libtensorc.so", f"runtime at {PREFIX}/lib/libtensorc_rt.so",
                     f"tool at {PREFIX}/bin/tensorc"):
            self.assertIn(f"-- {line}", text)

    def test_versions(self):
        major, minor, patch = prefix.VERSION.split(".")
        find(f"{major}.{minor} REQUIRED")
        find(f"{prefix.VERSION} EXACT REQUIRED")
        for wrong in (f"{major}.{minor}.{int(patch) + 1}", f"{major}.{int(minor) + 1}", f"{int(major) + 1}"):
            self.assertIn(f"version: {prefix.VERSION}", find(f"{wrong} REQUIRED", status=1))

    def test_runtime_alone(self):
        alone = SCRATCH / "runtime-alone"
        prefix.install(alone, "--component", "runtime")
        text = find("REQUIRED COMPONENTS runtime", alone)
        self.assertIn("-- compiler_FOUND=FALSE", text)
        self.assertNotIn("libtensorc.so", text)
        self.assertIn("compiler", find("REQUIRED COMPONENTS compiler", alone, status=1))
        self.assertIn("-- FOUND=0", find("COMPONENTS compiler", alone))
        self.assertFalse((alone / "include/tensorc/tensorc.h").exists())
        self.assertFalse((alone / "lib/pkgconfig/tensorc.pc").exists())

    def test_unknown_component(self):
        self.assertIn("nonsense", find("REQUIRED COMPONENTS nonsense", status=1))


class PkgConfig(unittest.TestCase):
    def ask(self, *words):
        return prefix.run("pkg-config", *words, env={"PKG_CONFIG_PATH": f"{PREFIX}/lib/pkgconfig"})

    def test_flags(self):
        for name, libraries in (("tensorc", ["-ltensorc", "-ltensorc_rt"]), ("tensorc-runtime", ["-ltensorc_rt"])):
            self.assertEqual(self.ask("--modversion", name).strip(), prefix.VERSION)
            self.ask("--validate", name)
            words = self.ask("--cflags", "--libs", name).split()
            self.assertEqual([word for word in words if word.startswith("-l")], libraries)
            for word in words:
                if word[:2] in ("-I", "-L"):
                    self.assertIn(str(PREFIX), word)
                    self.assertNotIn("//", word)


unittest.main()
