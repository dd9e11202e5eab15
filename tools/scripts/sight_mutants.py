#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries whether the tests notice wrong variants of the code of sight, fields of view and blasts: mutants.

usage: ./dev mutants [--list] [--seconds N] [NAME...]

Applies each mutant of tools/scripts/sight_mutant_table.py, or only those that are named, builds the test programs that
have to notice it in build/checked, runs their tests until one fails, and reverts it, also if it is interrupted. A
mutant is reported as

  CAUGHT     by this test
  SURVIVED   its tests pass: one is missing
  TOO LONG   its tests take longer than --seconds and five times their time without it: perhaps an endless loop
  NOT BUILT  the compiler refuses it, perhaps by a warning: the table needs another text

build/checked/mutants/NAME.log has the output of the compiler and of the tests. Exit status: 0 if all are caught, 1 if
one is not, 2 if they cannot be tried, as in a tree with changes, or if a test fails without any mutant.

examples:
  ./dev mutants --list
  ./dev mutants ties-open-in-two-cycles 'history-*'
"""

import argparse
import collections
import contextlib
import fnmatch
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from modules import ROOT
from sight_mutant_table import MUTANTS

TABLE = "tools/scripts/sight_mutant_table.py"
BUILD = ROOT / "build/checked"
LOGS = BUILD / "mutants"
BEGUN = re.compile(r"^\[ RUN      \] (\S+)", re.MULTILINE)
FAILED = re.compile(r"^\[  FAILED  \] ([^ ,\n]+)", re.MULTILINE)
NO_TESTS = "Running 0 tests"


class CannotTry(Exception):
    """Says why no mutant is tried."""


def mutate(mutant):
    """Returns the text of each source that a mutant changes, by path."""
    texts = {}
    for edit in mutant.edits:
        path = ROOT / edit.file
        if not path.is_file():
            raise CannotTry(f"{mutant.name}: there is no {edit.file}; correct {TABLE}")
        text = texts[path] if path in texts else path.read_text(encoding="utf-8")
        count = text.count(edit.old)
        if count != 1:
            raise CannotTry(f"{mutant.name}: {edit.file} has this {count} times instead of once; correct {TABLE}:\n"
                            f"{edit.old}")
        texts[path] = text.replace(edit.old, edit.new)
    return texts


@contextlib.contextmanager
def applied(mutant):
    """Changes the sources, and reverts them however the block is left."""
    texts = mutate(mutant)
    originals = {path: path.read_bytes() for path in texts}
    try:
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8", newline="\n")
        yield
    finally:
        # Later than what was built, so that the next build does not keep it.
        for path, original in originals.items():
            path.write_bytes(original)


def check_tree():
    """Refuses a tree with changes. Files that git does not know are allowed, as no mutant is in one."""
    status = subprocess.run(["git", "status", "--porcelain", "--untracked-files=no"], cwd=ROOT, check=False,
                            capture_output=True, text=True)
    if status.returncode != 0:
        raise CannotTry(status.stderr.strip())
    if status.stdout:
        raise CannotTry(f"the tree has changes; commit, stash or revert them first:\n{status.stdout.rstrip()}")


def end(process):
    """Ends what run() has started, if that still runs. ninja ends its compilers."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def run(command, seconds=None):
    """Returns the exit status of a command, None if it was ended after some seconds, and its output."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            end(process)
        output.seek(0)
        return status, output.read().decode(errors="replace")


def build(programs, log):
    """Returns true if test programs have been built."""
    jobs = str(len(os.sched_getaffinity(0)))
    status, output = run(["cmake", "--build", "--preset", "checked", "-j", jobs, "--target", *programs])
    log.write(output)
    return status == 0


def run_tests(tests, log, seconds=None):
    """Runs those of a Run until one fails."""
    command = [str(BUILD / "bin" / tests.program), f"--gtest_filter={tests.tests}", "--gtest_fail_fast"]
    status, output = run(command, seconds)
    log.write(f"== {' '.join(command)}: exit status {status}\n{output}")
    return status, output


def open_log(name):
    LOGS.mkdir(parents=True, exist_ok=True)
    return open(LOGS / f"{name}.log", "w", encoding="utf-8")


def say(outcome, name, about=""):
    print(f"{outcome:10} {name}{'  ' if about else ''}{about}", flush=True)


def programs_of(mutants):
    return sorted({tests.program for mutant in mutants for tests in mutant.runs})


def try_without(mutants):
    """Checks that the tests of mutants pass without these. Returns the seconds that each Run takes."""
    seconds = {}
    with open_log("without") as log:
        log_path = LOGS.relative_to(ROOT) / "without.log"
        if not build(programs_of(mutants), log):
            raise CannotTry(f"without a mutant {', '.join(programs_of(mutants))} cannot be built: {log_path}")
        for tests in dict.fromkeys(tests for mutant in mutants for tests in mutant.runs):
            begin = time.monotonic()
            status, output = run_tests(tests, log)
            seconds[tests] = time.monotonic() - begin
            if status != 0:
                raise CannotTry(f"without a mutant {tests.program} --gtest_filter='{tests.tests}' fails: {log_path}")
            if NO_TESTS in output:
                raise CannotTry(f"{tests.program} has no test '{tests.tests}'; correct {TABLE}")
            say("passes", f"{tests.program} {tests.tests}", f"{seconds[tests]:.1f} s without a mutant")
    return seconds


def test_that_failed(status, output):
    """Returns the test that failed, or in which the program ended, perhaps by a check of the library."""
    failed = FAILED.search(output)
    if failed:
        return failed[1]
    begun = BEGUN.findall(output)
    return f"{begun[-1] if begun else 'a program before its first test'} (exit status {status})"


def outcome_of(mutant, seconds, log):
    """Returns the outcome of an applied mutant, and what there is to say about it."""
    built = set()
    for tests in mutant.runs:
        if tests.program not in built and not build([tests.program], log):
            return "NOT BUILT", f"{tests.program}: {LOGS.relative_to(ROOT)}/{mutant.name}.log"
        built.add(tests.program)
        status, output = run_tests(tests, log, seconds[tests])
        if status is None:
            return "TOO LONG", f"{tests.program} {tests.tests} after {seconds[tests]:.0f} s"
        if status != 0:
            return "CAUGHT", f"by {test_that_failed(status, output)}"
    return "SURVIVED", ""


def try_all(mutants, least_seconds):
    """Returns how many of the mutants had each outcome."""
    seconds = {tests: max(least_seconds, 5 * taken) for tests, taken in try_without(mutants).items()}
    counts = collections.Counter()
    for mutant in mutants:
        with applied(mutant), open_log(mutant.name) as log:
            outcome, about = outcome_of(mutant, seconds, log)
        say(outcome, mutant.name, about)
        counts[outcome] += 1
    with open_log("without") as log:
        build(programs_of(mutants), log)  # leaves no program of the last mutant
    return counts


def choose(names):
    """Returns the mutants that names or patterns select, all if there are none."""
    for name in names:
        if not any(fnmatch.fnmatchcase(mutant.name, name) for mutant in MUTANTS):
            raise CannotTry(f"there is no mutant '{name}'; ./dev mutants --list lists them")
    return [mutant for mutant in MUTANTS
            if not names or any(fnmatch.fnmatchcase(mutant.name, name) for name in names)]


def main():
    parser = argparse.ArgumentParser(prog="./dev mutants", usage=argparse.SUPPRESS, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", metavar="NAME", nargs="*", help="of a mutant, or a pattern such as 'history-*'")
    parser.add_argument("--list", action="store_true", help="only print the names of the mutants, and their sources")
    parser.add_argument("--seconds", type=float, default=60, help="the least limit of a run (default: %(default)s)")
    options = parser.parse_args()
    try:
        mutants = choose(options.names)
        if options.list:
            for mutant in mutants:
                print(mutant.name, *dict.fromkeys(edit.file for edit in mutant.edits))
            return 0
        check_tree()
        for mutant in mutants:
            mutate(mutant)
        counts = try_all(mutants, options.seconds)
    except (CannotTry, OSError) as error:
        print(f"sight_mutants.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("sight_mutants.py: stopped; the sources are as they were, build/checked may have programs of a mutant "
              "until it is built again", file=sys.stderr)
        return 130
    print(f"{len(mutants)} mutants: {', '.join(f'{count} {outcome}' for outcome, count in counts.items())}")
    return 0 if counts["CAUGHT"] == len(mutants) else 1


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    sys.exit(main())
