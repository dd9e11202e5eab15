# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of its own: in a temporary folder, on a Unix socket there, without a network."""
import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

PROGRAMS = pathlib.Path("/usr/lib/postgresql")
START_SECONDS = 60


def find_programs():
    """Returns the folder of the newest server's programs, None if there is none."""
    found = [each / "bin" for each in PROGRAMS.glob("*") if (each / "bin/initdb").exists()]
    return max(found, key=lambda folder: int(folder.parent.name), default=None)


def user():
    """Returns the user who runs the server, None for this one: it refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    return None


@contextlib.contextmanager
def database(name):
    """Yields the URL of an empty database. Requires: find_programs()."""
    programs, owner = find_programs(), user()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fractalray-scale-"))
    identity = {} if owner is None else {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
    if owner is not None:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    server = None
    try:
        subprocess.run([programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", "postgres", "-E", "UTF8",
                        "--locale=C", "--no-sync", "--no-instructions"],
                       check=True, cwd=folder, stdout=subprocess.DEVNULL, **identity)
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen([programs / "postgres", "-D", folder / "data", "-k", folder,
                                       "-c", "listen_addresses="], cwd=folder, stdout=log, stderr=log, **identity)
        end = time.monotonic() + START_SECONDS
        create = ["psql", "-q", f"postgresql:///postgres?host={folder}&user=postgres", "-c", f"CREATE DATABASE {name}"]
        while subprocess.run(create, stderr=subprocess.DEVNULL).returncode != 0:
            if time.monotonic() > end or server.poll() is not None:
                raise RuntimeError(f"PostgreSQL does not start: {(folder / 'log').read_text()}")
            time.sleep(0.1)
        yield f"postgresql:///{name}?host={folder}&user=postgres"
    finally:
        if server is not None:
            server.send_signal(signal.SIGINT)
            server.wait()
        shutil.rmtree(folder, ignore_errors=True)
