"""Conan 2: the runtime, which loads and runs compiled packages. It needs no LLVM.

    conan create packaging/conan --build=missing

Conan 2.34 has read and exported this recipe. It was not built, because no server with its requirements was available.
"""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain
from conan.tools.files import copy


class TensorcRuntime(ConanFile):
    name = "tensorc-runtime"
    version = "0.3.0"
    license = "Apache-2.0 WITH LLVM-exception"
    description = "Runs packages that tensorc compiled"
    settings = "os", "arch", "compiler", "build_type"
    requires = "onetbb/2021.12.0", "flatbuffers/23.5.26"
    tool_requires = "flatbuffers/23.5.26"
    package_type = "shared-library"

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "runtime/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.variables["TENSORC_RUNTIME_ONLY"] = True
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["tensorc_rt"]
