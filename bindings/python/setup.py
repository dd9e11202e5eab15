# SPDX-License-Identifier: Apache-2.0
"""Names the wheel after the platform of the shared library in it; all else is in pyproject.toml."""

from pathlib import Path

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel

HAS_LIBRARY = any(Path(__file__).parent.glob("fractalray/*fractalray_c.*"))


class Wheel(bdist_wheel):
    """Any Python 3 can use the library, but only this platform."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = not HAS_LIBRARY

    def get_tag(self) -> "tuple[str, str, str]":
        return ("py3", "none", super().get_tag()[2])


class Platform(Distribution):
    """Installs into the folder of packages for one platform."""

    def has_ext_modules(self) -> bool:
        return HAS_LIBRARY


setup(distclass=Platform, cmdclass={"bdist_wheel": Wheel})
