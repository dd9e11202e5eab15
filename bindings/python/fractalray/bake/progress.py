# SPDX-License-Identifier: Apache-2.0
"""Prints how far a bake is, to the standard error output."""

from __future__ import annotations

import sys
import time

from .plan import Outcome
from .shares import Share

_SECONDS = 5.0  # between lines that are not on a terminal


class Printed:
    """The progress of one run: a line that is written over on a terminal, else one now and then."""

    def __init__(self, job: str, share: Share, variables: str) -> None:
        """variables: those of the environment from which the share is."""
        self._name = job if share.count == 1 else f"{job}, share {share}"
        if variables:
            self._name += f" of {variables}"
        self._is_terminal = sys.stderr.isatty()
        self._begin = self._last = time.monotonic()
        self._baked = 0
        self._replaced = ""

    def begin(self, replaced: str) -> None:
        """Says which members of an earlier plan in the folder differ."""
        self._replaced = replaced
        if replaced:
            text = f"the folder has another bake, which differs in {replaced}; "
            self._print(text + "what does not fit is baked again", "\n")

    def __call__(self, outcome: Outcome, done: int, total: int) -> None:
        self._baked += 1 if outcome.reason else 0
        if outcome.reason not in ("", "not baked") and not self._replaced:
            self._print(f"region {outcome.region} was {outcome.reason}; baked again", "\n")
        now = time.monotonic()
        is_last = done == total
        if not is_last and now - self._last < (0.1 if self._is_terminal else _SECONDS):
            return
        self._last = now
        text = f"{done} of {total} regions"
        if self._baked < done:
            text += f", {done - self._baked} kept"
        if self._baked and not is_last:
            left = (now - self._begin) / self._baked * (total - done)
            text += f", {_clock(left)} left"
        if is_last:
            text += f", {_clock(now - self._begin)}"
        self._print(text, "\n" if is_last or not self._is_terminal else "")

    def _print(self, text: str, end: str) -> None:
        start = "\r\x1b[K" if self._is_terminal else ""
        print(f"{start}{self._name}: {text}", end=end, file=sys.stderr, flush=True)


def _clock(seconds: float) -> str:
    whole = round(seconds)
    hours = f"{whole // 3600}:" if whole >= 3600 else ""
    minutes = whole // 60 % 60
    return f"{hours}{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"
