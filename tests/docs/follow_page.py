#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows a section of docs/embedding.md: writes its files, runs its commands, and compares what they
print with what the page says.

Usage: follow_page.py SECTION SOURCE PREFIX    SOURCE is the repository, PREFIX where it is installed

The home folder of the commands is a temporary one with links to both. Exit code 0 if all is as the
page says, 1 if not, 77 if a program that the section needs is not installed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "luanti"))
import server  # noqa: E402  (found by the line above)

NOT_RUN = 77
LUANTI = "A Luanti mod"
SERVER_PATH = "/usr/games"  # of Debian's minetestserver, in the PATH of its users
FILES = {"cmake": "CMakeLists.txt", "python": "first.py", "lua": "first.lua"}
MOD_FILES = {"lua": "init.lua", "ini": "mod.conf"}


def blocks(text, language):
    """Returns the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def write_files(text, files, folder):
    """Writes the first block of each of the languages to its file."""
    folder.mkdir(parents=True, exist_ok=True)
    for language, name in files.items():
        for block in blocks(text, language)[:1]:
            (folder / name).write_text(block)


def run(command, folder, environment, most_seconds=1500):
    """Returns what a command prints; ends the program if it fails."""
    done = subprocess.run(command, cwd=folder, env=environment, text=True, timeout=most_seconds,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def build_and_run(section, page, home, environment):
    """Returns what the commands of a section print."""
    project = home / "game"
    write_files(page, {"cpp": "main.cc"}, project)
    write_files(section, FILES, project)
    return run(["sh", "-e", "-c", "".join(blocks(section, "sh"))], project, environment)


def configure(path):
    """Writes what the tests' servers need in addition to what the pages say."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mg_name = singlenode\nbind_address = 127.0.0.1\n"
                    f"port = {server.free_port()}\nsecure.enable_security = true\n")


def answer_in(world):
    """Returns what `caller` wrote in the folder of a world."""
    answer = world / "answer.txt"
    return answer.read_text() if answer.exists() else "no answer\n"


def play(section, home, environment):
    """Returns what the mod of the page answers on a server, to a chat command that `caller` types."""
    prepare, start = blocks(section, "sh")
    configure(home / ".minetest/minetest.conf")
    run(["sh", "-e", "-c", prepare], home, environment)
    write_files(section, MOD_FILES, home / ".minetest/mods/first_shot")
    world = home / ".minetest/worlds/first"
    shutil.copytree(HERE / "caller", world / "worldmods/caller")
    print(run(["sh", "-e", "-c", start], home, environment, 60))
    return answer_in(world)


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    name, source, prefix = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    page = (source / "docs/embedding.md").read_text()
    section = re.search(rf"^## {re.escape(name)}\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)[1]
    has_server = server.find() is not None
    if (name == "LuaJIT" and not shutil.which("luajit")) or (name == LUANTI and not has_server):
        print("NOT RUN: luajit or minetest-server is not installed (./dev test installs them)")
        return NOT_RUN
    with tempfile.TemporaryDirectory() as temporary:
        home = pathlib.Path(temporary)
        (home / "fractalray").symlink_to(source.resolve())
        (home / ".local").symlink_to(prefix.resolve())
        # Python is the one that runs this: it was searched for, as it needs NumPy.
        search_path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        environment = {**os.environ, "HOME": str(home),
                       "PATH": f"{search_path}:{SERVER_PATH}",
                       "LD_LIBRARY_PATH": str(prefix / "lib"), "PYTHONDONTWRITEBYTECODE": "1"}
        if name == LUANTI:
            printed = play(section, home, environment)
        else:
            printed = build_and_run(section, page, home, environment)
    expected = (blocks(section, "text") or blocks(page, "text"))[0]
    if printed.endswith(expected):
        return 0
    print(f"printed:\n{printed}\nand not at its end what the page says:\n{expected}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
