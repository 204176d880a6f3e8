"""Conan 2: the runtime, which loads and runs compiled packages. It needs no LLVM.

    conan create packaging/conan --build=missing                            # requirements from a server
    conan create packaging/conan -pr packaging/conan/profiles/debian        # requirements from Debian's packages
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
    requires = "onetbb/[>=2021.8 <2023]", "flatbuffers/[>=2.0.8 <26]"
    tool_requires = "flatbuffers/<host_version>"
    package_type = "shared-library"

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "runtime/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.variables["TENSORC_RUNTIME_ONLY"] = True
        toolchain.variables["TENSORC_UNITY"] = True
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # find_package(tensorc COMPONENTS runtime) finds the installed configuration, as without Conan.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/tensorc"]
        self.cpp_info.libs = ["tensorc_rt"]
