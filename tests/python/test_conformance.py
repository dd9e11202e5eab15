# SPDX-License-Identifier: Apache-2.0
"""The package answers scenarios as the files of answers say and as the program does.

Besides the repository's own scenarios those of some sets in ../shared are run, if they lie next
to the checkout: the sets that tests/conformance names.
"""

from __future__ import annotations

import json
import os
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import scenario

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [
    ROOT / "tests" / "scenarios",
    *(
        ROOT.parent / "shared" / name
        for name in (
            "conformance",
            "conformance-rays",
            "conformance-shapes",
            "conformance-sight",
            "conformance-window",
        )
    ),
]
FILES = [path for folder in FOLDERS for path in sorted(folder.glob("*.json"))]
TIMES = {"t", "t_exit", "t0", "t1", "unknown_from", "stopped_at"}
GEOMETRY = {"point", "normal", "distance"}
TOLERANCE = 1e-9
WIDTH = Fraction(1, 1 << 20)  # of an exposure, at most


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def off(name: str, is_ray: bool, expected: float) -> float:
    """Returns how far a number may be off."""
    if name == "t_end" or (name in TIMES and is_ray):
        return TOLERANCE * abs(expected)
    if name in TIMES:
        return TOLERANCE
    return TOLERANCE * max(1.0, abs(expected)) if name in GEOMETRY else 0.0


def agrees_with_share(expected: Any, actual: Any) -> bool:
    """Returns True if an exposure contains the exact share, and little more."""
    share = Fraction(*map(int, expected["seen"]))
    possible = Fraction(*map(int, expected.get("seen_or_unknown", expected["seen"])))
    least, most = Fraction(actual["from"]), Fraction(actual["to"])
    return (
        share - WIDTH <= least <= share
        and possible <= most <= possible + WIDTH
        and (share != 1 or least == 1)
        and (possible != 0 or most == 0)
    )


def agrees(expected: Any, actual: Any, name: str, is_ray: bool) -> bool:
    if isinstance(expected, dict) and "seen" in expected:
        return agrees_with_share(expected, actual)
    if isinstance(expected, dict) and isinstance(actual, dict):
        return all(
            each in actual and agrees(value, actual[each], each, is_ray)
            for each, value in expected.items()
        )
    if isinstance(expected, list) and isinstance(actual, list):
        pairs = zip(expected, actual)
        return len(expected) == len(actual) and all(agrees(a, b, name, is_ray) for a, b in pairs)
    if name == "error":
        return str(expected).split(":")[0] == str(actual).split(":")[0]
    if is_number(expected) and is_number(actual):
        return abs(expected - actual) <= off(name, is_ray, expected)
    return type(expected) is type(actual) and expected == actual


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_answers_are_those_of_the_file(path: Path) -> None:
    expected = lines(path.with_suffix(".expected.jsonl").read_text(encoding="utf-8"))
    answers = scenario.read(path).answers()
    assert len(answers) == len(expected)
    for want, got in zip(expected, answers):
        assert agrees(want, got, "", "line" in want), f"expected {want}, got {got}"


def without_reasons(answers: list[Any]) -> list[Any]:
    """Returns answers whose errors are only codes: the C interface has other names."""
    cut = [dict(answer) for answer in answers]
    for answer in cut:
        if "error" in answer:
            answer["error"] = answer["error"].split(":")[0]
    return cut


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_answers_are_those_of_the_program_to_the_last_bit(path: Path) -> None:
    program = os.environ.get("FRACTALRAY_PROGRAM")
    if not program:
        pytest.skip("FRACTALRAY_PROGRAM is not set: the program is not part of this build")
    done = subprocess.run([program, "scenario", path], check=True, capture_output=True, text=True)
    printed, answers = lines(done.stdout), scenario.read(path).answers()
    assert without_reasons(answers) == without_reasons(printed)


def test_scenarios_are_found() -> None:
    assert sum(path.parent == FOLDERS[0] for path in FILES) >= 10


def test_a_wrong_answer_is_noticed() -> None:
    hit = {"t": 0.5, "block": [1, 2, 3], "terminal": True}
    assert agrees(hit, {**hit, "more": 1}, "", False)
    for wrong in ({"t": 0.51}, {"block": [1, 2, 4]}, {"terminal": 1}, {"block": [1, 2]}):
        assert not agrees(hit, {**hit, **wrong}, "", False)
    assert not agrees(hit, {"t": 0.5}, "", False)
    assert not agrees({"error": "NOT_FOUND"}, {"error": "OUT_OF_RANGE: far"}, "", False)
