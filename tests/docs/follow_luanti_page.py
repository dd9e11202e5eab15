#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows docs/luanti-server.md: installs the mod by its commands, for a server of one's own and for
Debian's service, starts both, and shoots with the gun of the page's first sample.

Usage: follow_luanti_page.py SOURCE MOD    SOURCE is the repository, MOD the folder of the built mod

For the service, the folders of the system are replaced by temporary ones, after a check that the
package's unit has those of the page. Exit code 0 if all is as the page says, 1 if not, 77 if the
server or its game is not installed.
"""

import os
import pathlib
import pwd
import re
import sys
import tempfile

import follow_page
import server

GAME = pathlib.Path("/usr/share/games/minetest/games/minetest_game")
UNIT = pathlib.Path("/lib/systemd/system/minetest-server.service")
CONFIGURATION, SERVICE_HOME = "/etc/minetest/minetest.conf", "/var/games/minetest-server"
LOG = "/var/log/minetest/minetest.log"
EXPECTED = "default:glass, default:stone; glass is now air, 1 punch; default:stone\n"
MOST_SECONDS = 120


def give_mods(world, page):
    """Gives a world the mod of the page's first sample, and one that uses it."""
    mymod = world / "worldmods/mymod"
    mymod.mkdir(parents=True)
    (mymod / "init.lua").write_text(follow_page.blocks(page, "lua")[0])
    depends = re.search(r"`(depends = [^`]*)`", page)[1]
    (mymod / "mod.conf").write_text(f"name = mymod\n{depends}\n")
    (world / "worldmods/gunner").symlink_to(follow_page.HERE / "gunner")


def faults_of(name, printed, world):
    """Prints what is not as expected after a server has ended, and returns how much that is."""
    answer = follow_page.answer_in(world)
    wrong = [line for line in printed.splitlines() if "WARNING" in line and "fractalray" in line]
    if answer != EXPECTED:
        wrong.append(f"the gun's answer is {answer!r} and not {EXPECTED!r}\n{printed}")
    for line in wrong:
        print(f"{name}: {line}")
    return len(wrong)


def own_server(commands, page, clone, environment):
    home = clone.parent / "home"
    follow_page.configure(home / ".minetest/minetest.conf")
    world = home / ".minetest/worlds/w1"
    give_mods(world, page)
    printed = follow_page.run(["sh", "-e", "-c", commands], clone,
                              {**environment, "HOME": str(home)}, MOST_SECONDS)
    return faults_of("a server of your own", printed, world)


def start_of_service():
    """Returns the command of the package's unit, without its log, after a check of its folders."""
    unit = UNIT.read_text()
    user = re.search(r"^User=(.*)$", unit, re.MULTILINE)[1]
    assert pwd.getpwnam(user).pw_dir == SERVICE_HOME, "the page has another home of the service"
    command = re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)[1]
    assert f"--config {CONFIGURATION}" in command, "the page has another configuration of the service"
    assert f"--logfile {LOG}" in command, "the page has another log of the service"
    return re.sub(r" --logfile \S+", " --logfile ''", command)


def service(commands, page, clone, environment):
    system = clone.parent / "system"
    home = pathlib.Path(f"{system}{SERVICE_HOME}")
    follow_page.configure(pathlib.Path(f"{system}{CONFIGURATION}"))
    world = home / ".minetest/worlds/world"
    give_mods(world, page)
    (world / "world.mt").write_text("gameid = minetest\n")  # as the service has made it
    commands = commands.replace("systemctl restart minetest-server", start_of_service())
    for path in (CONFIGURATION, SERVICE_HOME):
        commands = commands.replace(path, f"{system}{path}")
    commands = commands.replace("sudo ", "").replace("-o Debian-minetest -g games ", "")
    printed = follow_page.run(["sh", "-e", "-c", commands], clone,
                              {**environment, "HOME": str(home)}, MOST_SECONDS)
    return faults_of("Debian's service", printed, world)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    source, mod = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    if server.find() is None or not GAME.exists():
        print("NOT RUN: minetest-server is not installed (./dev test installs it)")
        return follow_page.NOT_RUN
    page = (source / "docs/luanti-server.md").read_text()
    section = re.search(r"^## Installing it\n(.*?)^## ", page, re.DOTALL | re.MULTILINE)[1]
    _, own, of_service = follow_page.blocks(section, "sh")  # the first one builds the mod
    environment = {**os.environ, "PATH": f"{os.environ['PATH']}:{follow_page.SERVER_PATH}"}
    with tempfile.TemporaryDirectory() as temporary:
        clone = pathlib.Path(temporary) / "clone"
        (clone / "build/release/luanti").mkdir(parents=True)
        (clone / "build/release/luanti/fractalray").symlink_to(mod)
        (clone / "examples").symlink_to(source / "examples")
        faults = own_server(own, page, clone, environment)
        if UNIT.exists():
            faults += service(of_service, page, clone, environment)
        else:
            print("no unit of systemd: the service was not tried")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
