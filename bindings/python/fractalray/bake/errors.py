# SPDX-License-Identifier: Apache-2.0
"""The exceptions of bakes."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import FailedPreconditionError, FractalrayError
from .region import Region

_NAMED = 10  # the most regions that a text names


class RegionError(FractalrayError, RuntimeError):
    """A job that failed, or whose workers died, on a region. Finished regions are kept."""

    code = "ABORTED"


class MissingRegionsError(FailedPreconditionError):
    """A bake that is not complete.

    missing: the region and the reason of each region that is not there.
    """

    missing: Sequence[tuple[Region, str]] = ()


def missing_regions(missing: Sequence[tuple[Region, str]], total: int) -> MissingRegionsError:
    """Returns the error that lists regions with their reasons."""
    lines = [f"  {region}: {reason}" for region, reason in missing[:_NAMED]]
    if len(missing) > _NAMED:
        lines.append(f"  and {len(missing) - _NAMED} more")
    error = MissingRegionsError(
        f"{len(missing)} of {total} regions are missing; run the bake again, which does these "
        "alone:\n" + "\n".join(lines)
    )
    error.missing = tuple(missing)
    return error


def failed(regions: Sequence[Region], error: BaseException) -> RegionError:
    """Returns the error of regions, of one of which a job has raised another error."""
    first = " ".join(map(str, regions[:_NAMED]))
    more = f" and {len(regions) - _NAMED} more" if len(regions) > _NAMED else ""
    named = f"region {first}" if len(regions) == 1 else f"one of {first}{more}"
    hint = ""
    if isinstance(error, ImportError):
        hint = "; a worker needs PYTHONPATH and FRACTALRAY_LIBRARY as this process has them"
    return RegionError(
        f"{named}: {type(error).__name__}: {str(error).rstrip('.')}{hint}. Finished regions are "
        "kept; repeat the bake to continue"
    )
