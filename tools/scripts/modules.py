"""The modules of the repository, as cmake/modules.txt lists them."""

import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Folders of C++ that are no modules.
OTHERS = ("tests", "examples", "tools/bench")
PROGRAMS = ("tools/program", "tools/store_program", "tools/grpc_program")


@dataclasses.dataclass(frozen=True)
class Module:
    folder: str  # from the root of the repository, such as query/explain
    library: str  # the library that it is compiled into, - if it is not installed
    may_include: frozenset  # the folders of modules, its own too

    @property
    def is_installed(self):
        return self.library != "-"


def read_modules(root=ROOT):
    """Returns the modules in the order of the list, in which each follows those that it may include."""
    rows = (line.split() for line in (root / "cmake/modules.txt").read_text(encoding="utf-8").splitlines()
            if line and not line.startswith("#"))
    return [Module(folder, library, frozenset((folder, *allowed))) for folder, library, *allowed in rows]


def module_of(path, modules):
    """Returns the module that a path (a string, from the root) belongs to, the innermost one, or None."""
    found = [module for module in modules if path.startswith(module.folder + "/")]
    return max(found, key=lambda module: len(module.folder), default=None)


def sources_of(module, modules, suffixes=(".h", ".cc"), root=ROOT):
    """Returns the paths of the files of a module that have these suffixes, without those of modules inside it."""
    paths = sorted(path.relative_to(root) for path in (root / module.folder).rglob("*") if path.suffix in suffixes)
    return [path for path in paths if module_of(path.as_posix(), modules) == module]
