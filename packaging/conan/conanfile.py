"""A recipe of Conan 2 for the checkout that contains it: conan create packaging/conan --build=missing

Not run yet: docs/building.md. The version is that of core/version.h.
"""

import pathlib
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.env import VirtualBuildEnv
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps

COMPONENTS = ("executor", "explain", "formats")
SOURCES = ("CMakeLists.txt", "LICENSE", "fractalray.h", "cmake/modules.txt", "cmake/*", "core/*",
           "levels/*", "entities/*", "query/*", "query/explain/*", "streaming/*", "formats/*", "store/*",
           "bindings/c/*",
           "bindings/luajit/*", "bindings/luanti/*")


class FractalrayRecipe(ConanFile):
    name = "fractalray"
    description = "Exact segment queries in multi-level block worlds"
    license = "Apache-2.0"
    topics = ("voxel", "raycast", "line-of-sight")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "capi": [True, False],
        "executor": [True, False],
        "explain": [True, False],
        "formats": [True, False],
    }
    default_options = {"shared": False, "fPIC": True, "capi": False, "executor": True, "explain": False,
                       "formats": False}
    implements = ["auto_shared_fpic"]

    @property
    def checkout(self):
        return pathlib.Path(self.recipe_folder).parents[1]

    def set_version(self):
        header = (self.checkout / "core" / "version.h").read_text()
        self.version = ".".join(re.findall(r"^#define FRACTALRAY_VERSION_\w+ (\d+)$", header, re.MULTILINE))

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, self.checkout, self.export_sources_folder)

    def requirements(self):
        self.requires("abseil/20240116.2", transitive_headers=True, transitive_libs=True)
        self.requires("boost/1.84.0", options={"header_only": True})
        if self.options.formats:
            self.requires("nlohmann_json/3.11.3", transitive_headers=True)
            self.requires("sqlite3/3.45.3")
            self.requires("zstd/1.5.6")
            self.requires("zlib/[>=1.2.11 <2]")
            self.requires("libpng/1.6.43")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25 <4]")
        if self.options.formats:
            self.tool_requires("pkgconf/2.2.0")

    def validate(self):
        check_min_cppstd(self, 20)
        if self.options.capi and not self.options.executor:
            raise ConanInvalidConfiguration("the option capi needs the option executor")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for component in COMPONENTS:
            toolchain.cache_variables[f"FRACTALRAY_BUILD_{component.upper()}"] = bool(getattr(self.options, component))
        toolchain.cache_variables["FRACTALRAY_BUILD_CAPI"] = bool(self.options.capi)
        toolchain.cache_variables["FRACTALRAY_CAPI_SHARED"] = bool(self.options.shared)
        toolchain.cache_variables["FRACTALRAY_C_FORMATS"] = bool(self.options.formats)
        for part in ("APPS", "EXAMPLES", "STORE", "TESTS"):
            toolchain.cache_variables[f"FRACTALRAY_BUILD_{part}"] = False
        toolchain.generate()
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()  # the formats find zstd by pkg-config
        VirtualBuildEnv(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder) / "licenses")
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "fractalray")
        self.describe("fractalray", "fractalray", ["abseil::abseil", "boost::headers"])
        for name in COMPONENTS:
            if getattr(self.options, name):
                self.describe(name, f"fractalray_{name}", ["fractalray"])
        if self.options.capi:
            self.describe_c_library()
        if self.options.formats:
            self.cpp_info.components["formats"].requires += [
                "nlohmann_json::nlohmann_json", "sqlite3::sqlite3", "zstd::zstd", "zlib::zlib", "libpng::libpng"]
        if self.options.executor and self.settings.os == "Linux":
            self.cpp_info.components["executor"].system_libs = ["pthread"]

    def describe(self, name, library, requires):
        """Makes a component as fractalray's own CMake and pkg-config files name it."""
        component = self.cpp_info.components[name]
        component.set_property("cmake_target_name", f"fractalray::{name}")
        component.set_property("pkg_config_name", library.replace("_", "-"))
        component.libs = [library]
        component.requires = requires

    def describe_c_library(self):
        """Makes the component of the C interface. The shared library has inside what the static one needs."""
        component = self.cpp_info.components["c"]
        component.set_property("cmake_target_name", "fractalray::c" if self.options.shared else "fractalray::c_static")
        component.set_property("pkg_config_name", "fractalray-c")
        component.libs = ["fractalray_c"]
        if not self.options.shared:
            component.requires = ["fractalray", "executor", *(["formats"] if self.options.formats else [])]
            component.system_libs = ["m", "stdc++"] if self.settings.os == "Linux" else []
