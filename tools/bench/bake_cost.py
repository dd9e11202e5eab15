# SPDX-License-Identifier: Apache-2.0
"""The cost of a bake on Dask, against the plain loop: both on one core."""
import contextlib
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORLD = ROOT / "examples/worlds/w1"
START_SECONDS = 120
#: As docs/bake.md says.
SETTINGS = {"DASK_DISTRIBUTED__WORKER__PROFILE__INTERVAL": "10s", "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms"}


def cpu_seconds(processes):
    """Returns the processor time of this process and of others, with all of their threads."""
    seconds = time.process_time()
    for process in processes:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


@contextlib.contextmanager
def cluster(folder):
    """Yields the address of a scheduler with one worker of one thread, and the two processes."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    address, processes = f"tcp://127.0.0.1:{port}", []

    def start(module, *arguments):
        with (folder / f"{module}.log").open("wb") as log:
            processes.append(subprocess.Popen([sys.executable, "-m", f"distributed.cli.{module}", *arguments],
                                              cwd=folder, stdout=log, stderr=log))

    try:
        start("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
        end = time.monotonic() + START_SECONDS
        while not answers(port):
            if time.monotonic() > end or processes[0].poll() is not None:
                raise RuntimeError(f"the scheduler does not start: {(folder / 'dask_scheduler.log').read_text()}")
            time.sleep(0.1)
        start("dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1",
              "--local-directory", str(folder))
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def answers(port):
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def measure(quick):
    """Returns the median of the ratios of pairs of bakes, and if all results were equal."""
    os.environ.update(SETTINGS)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    import distributed
    from fractalray import bake

    job, source = bake.SkyLight(rays=400 if quick else 800), bake.SavedWorld(str(WORLD))
    with tempfile.TemporaryDirectory(prefix="fractalray-bake-") as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        address, processes = stack.enter_context(cluster(folder))
        client = stack.enter_context(distributed.Client(address, timeout=START_SECONDS, set_as_default=False))
        hashes, ratios = set(), []

        def cost(executor, out):
            begin = cpu_seconds(processes)
            bake.run(job, source, folder / out, width=4, executor=executor)
            seconds = cpu_seconds(processes) - begin
            hashes.add(bake.collect(folder / out, pictures=False).hash)
            return seconds

        for pair in range(-1, 3 if quick else 7):
            loop, dask = cost(bake.Loop(), f"loop{pair}"), cost(bake.Dask(client), f"dask{pair}")
            if pair >= 0:  # the first one imports and opens
                ratios.append(dask / loop)
    return statistics.median(ratios), len(hashes) == 1
