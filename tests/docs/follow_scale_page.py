#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows the section "Two workers in ten minutes" of docs/scale.md, in a PostgreSQL server of its own.

Usage: follow_scale_page.py SOURCE PROGRAM LIBRARY    SOURCE is the repository

Exit code 0 if both workers answer as the page says, 1 if not, 77 if something is not installed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NOT_RUN = 77


def blocks(page):
    """Returns the commands of the section: of the database, of the workers, of the client."""
    section = re.search(r"^## Two workers in ten minutes\n(.*?)^## ", page, re.DOTALL | re.MULTILINE)[1]
    return re.findall(r"^```sh\n(.*?)^```", section, re.DOTALL | re.MULTILINE)


def why_not(program, postgres):
    """Returns what is missing, "" for nothing."""
    if postgres.find_programs() is None or not shutil.which("psql"):
        return "postgresql is not installed; as root: apt-get install postgresql (./dev test does so)"
    if "--store" not in subprocess.run([program, "serve", "--help"], capture_output=True, text=True).stdout:
        return "this program's `serve` has no --store"
    return ""


def script(page, folder, program, library):
    """Returns the commands, with what is in another folder here: programs and sockets."""
    _, workers, client = blocks(page)
    workers = workers.replace("$PWD/build/release/bin", str(pathlib.Path(program).parent))
    client = re.sub(r"FRACTALRAY_LIBRARY=\S+", f"FRACTALRAY_LIBRARY={library}", client)
    client = client.replace("kill %1 %2", "kill $(jobs -p); wait")
    end = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n"  # whatever fails
    return (end + workers + client).replace("/tmp/", f"{folder}/").replace("/usr/bin/python3 ", f"{sys.executable} ")


def fault(printed):
    """Returns how what was printed differs from what the page says, "" if it does not."""
    lines = [line for line in printed.splitlines() if line.startswith(("block ", "nothing "))]
    if len(lines) != 4 or lines[0] != lines[1] or lines[2] != lines[3]:
        return "the workers do not answer alike"
    if not lines[0].startswith("block ") or not lines[2].startswith("nothing "):
        return "the change is not seen"
    return "the version is the same" if lines[0].split()[-1] == lines[2].split()[-1] else ""


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    source, program, library = (pathlib.Path(each).resolve() for each in sys.argv[1:])
    sys.path.append(str(source / "tools/bench"))
    import local_postgres

    missing = why_not(program, local_postgres)
    if missing:
        print(f"NOT RUN: {missing}")
        return NOT_RUN
    page = (source / "docs/scale.md").read_text()
    with local_postgres.database("w1") as url, tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PGHOST": re.search(r"host=([^&]*)", url)[1], "PGUSER": "postgres",
                       "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(["bash", "-e", "-c", script(page, folder, program, library)], cwd=source, text=True,
                              env=environment, timeout=300, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found = fault(done.stdout) if done.returncode == 0 else f"the commands end with {done.returncode}"
    if found:
        print(f"{found}:\n{done.stdout}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
