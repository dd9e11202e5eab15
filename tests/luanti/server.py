# SPDX-License-Identifier: Apache-2.0
"""Runs a headless Luanti server of its own on a world with test mods, which ends by itself."""

import json
import shutil
import socket
import subprocess

NOT_RUN = 77
MOST_SECONDS = 300
LAST_LINES = 60  # of a log, which say how far a server came
WORLD = """\
gameid = {game}
backend = sqlite3
player_backend = sqlite3
auth_backend = sqlite3
mod_storage_backend = sqlite3
"""
CONFIGURATION = """\
mg_name = singlenode
bind_address = 127.0.0.1
secure.enable_security = true
secure.trusted_mods = fractalray
server_unload_unused_data_timeout = 3600
liquid_update = 0.2
fractalray.reread_interval = 0.1
fractalray.reread_mapblocks = 4
"""


def find():
    """Returns the path of the server; None, after saying so, if it is not installed."""
    found = shutil.which("minetestserver") or shutil.which("/usr/games/minetestserver")
    if found is None:
        print("NOT RUN: the mod was not tried on a server, since minetestserver is not installed; "
              "as root: apt-get install minetest-server (./dev test does so)")
    return found


def has_game(server, game):
    """Returns true if the server finds a game; says so if it does not."""
    listed = subprocess.run([server, "--gameid", "list"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=True).stdout
    if game in listed.split():
        return True
    print(f"NOT RUN: the mod was not tried in the game {game}, since it is not installed; as root: "
          "apt-get install minetest-data")
    return False


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def make_world(folder, mod, test_mods, game, settings=""):
    """Makes a world with the mod in a folder, and returns its path. `settings` are lines of minetest.conf."""
    world = folder / "world"
    shutil.copytree(test_mods, world / "worldmods")
    shutil.copytree(mod, world / "worldmods" / "fractalray")
    (world / "world.mt").write_text(WORLD.format(game=game))
    (folder / "minetest.conf").write_text(CONFIGURATION + settings)
    return world


def stacks_of(process):
    """Returns what each thread of a process is in, by gdb."""
    try:
        return subprocess.run(["gdb", "-p", str(process.pid), "-batch", "-ex", "thread apply all backtrace 30"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace",
                              timeout=60, check=False).stdout
    except (OSError, subprocess.TimeoutExpired) as reason:
        return f"no stacks: {reason}\n"


def run(server, folder, world):
    """Returns the report of the test mod; None after printing the end of the server's output if there is none."""
    process = subprocess.Popen(
        [server, "--world", world, "--config", folder / "minetest.conf", "--port", str(free_port()),
         "--logfile", folder / "log.txt"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        env={"HOME": str(folder)})
    stacks = ""
    try:
        output = process.communicate(timeout=MOST_SECONDS)[0]
    except subprocess.TimeoutExpired:
        stacks = f"it had not ended after {MOST_SECONDS} s, when its threads were in\n{stacks_of(process)}"
        process.kill()
        output = process.communicate()[0]
    report = world / "report.json"
    if process.returncode == 0 and report.exists():
        return {**json.loads(report.read_text()), "log": output}
    last = "\n".join(output.splitlines()[-LAST_LINES:])
    print(f"the server ended with {process.returncode} and no report; the end of its log:\n{last}\n{stacks}")
    return None
