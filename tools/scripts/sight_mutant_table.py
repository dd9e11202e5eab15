# SPDX-License-Identifier: Apache-2.0
"""The mutants of sight, fields of view and blasts that sight_mutants.py tries: wrong variants of their code, each of
which a test has to notice."""

import dataclasses
import typing


class Run(typing.NamedTuple):
    """Tests of a program, by their filter."""
    program: str
    tests: str


@dataclasses.dataclass(frozen=True)
class Edit:
    """Replaces a text that a source has exactly once."""
    file: str  # from the root of the repository
    old: str
    new: str


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A wrong variant of the code, which compiles without warnings."""
    name: str  # says what is wrong
    runs: list  # each a Run, in this order until a test fails
    edits: list  # one after another


# The tests of named cases come first: they take less time, and say more.
PROPERTY = [Run("query_test", "*SightPropertyTest.Answers*")]
NAMED = [Run("query_test", "SightTest.*:SightEdgesTest.*"), *PROPERTY]
ZONES = [Run("core_test", "ZoneTest.*"), *PROPERTY]
LIMITS = [Run("query_test", "SightTest.*:*SightPropertyTest.Limits*")]
BLOCKS = [Run("query_test", "VisibleBlocks*Test.*:RockTest.*"), Run("query_test", "*VisibleBlocksPropertyTest.*")]
TABLES = [Run("batch_test", "VisibleBoxesTest.*:*VisibleBoxesPropertyTest.*")]
HISTORIES = [Run("batch_test", "SightHistoryWallTest.*"), Run("batch_test", "SightHistoryTest.*"), *TABLES]
FIELDS = [Run("core_test", "FieldOfViewTest.*")]
BLASTS = [Run("batch_test", "Blast*")]

MUTANTS = [
    # Zones: cycles of three bounds, ties, and doubles where fractions decide.
    Mutant("three-cycle-024-left-out", ZONES, [
        Edit("core/internal/geometry/zone.cc",
             "isProductAboveOne(bound(4), bound(5)) && isProductAboveOne(bound(0), bound(2), bound(4)) &&",
             "isProductAboveOne(bound(4), bound(5)) &&")]),
    Mutant("three-cycle-135-left-out", ZONES, [
        Edit("core/internal/geometry/zone.cc",
             "isProductAboveOne(bound(0), bound(2), bound(4)) &&\n"
             "         isProductAboveOne(bound(1), bound(3), bound(5));",
             "isProductAboveOne(bound(0), bound(2), bound(4));")]),
    Mutant("ties-open-in-two-cycles", ZONES, [
        Edit("core/internal/geometry/ratio.h",
             "return Int128(a.q) * b.q < Int128(a.p) * b.p;",
             "return Int128(a.q) * b.q <= Int128(a.p) * b.p;")]),
    Mutant("ties-open-in-three-cycles", ZONES, [
        Edit("core/internal/geometry/ratio.h",
             "return isProductLess(Int128(a.q) * b.q, c.q, Int128(a.p) * b.p, c.p);",
             "return !isProductLess(Int128(a.p) * b.p, c.p, Int128(a.q) * b.q, c.q);")]),
    Mutant("doubles-in-two-cycles", ZONES, [
        Edit("core/internal/geometry/ratio.h",
             "return Int128(a.q) * b.q < Int128(a.p) * b.p;",
             "return product > 1;")]),
    Mutant("doubles-in-three-cycles", ZONES, [
        Edit("core/internal/geometry/ratio.h",
             "return isProductLess(Int128(a.q) * b.q, c.q, Int128(a.p) * b.p, c.p);",
             "return product > 1;")]),

    # Shadows in an octant.
    Mutant("no-clipping-at-the-box", NAMED, [
        Edit("query/internal/sight/octant.cc",
             "    if (whole->max[axis] > target_.min[axis]) continue;\n",
             "")]),
    Mutant("one-part-instead-of-three", PROPERTY, [
        Edit("query/internal/sight/octant.cc",
             "    shadows.push_back(shadowOf(part));\n",
             "    shadows.push_back(shadowOf(part));\n"
             "    break;\n")]),

    # Arithmetic.
    Mutant("doubles-compare-bounds", ZONES, [
        Edit("core/internal/geometry/ratio.h",
             "return Int128(a.p) * b.q < Int128(b.p) * a.q;",
             "return a.approximate < b.approximate;")]),
    Mutant("doubles-without-doubt", ZONES, [
        Edit("core/internal/geometry/ratio.h",
             "kRatioDoubt = 0x1p-46",
             "kRatioDoubt = 0")]),
    Mutant("products-of-128-bits", ZONES, [
        Edit("core/internal/geometry/ratio.h",
             "return left.high != right.high ? left.high < right.high : left.low < right.low;",
             "return static_cast<std::uint64_t>(left.high) != static_cast<std::uint64_t>(right.high)\n"
             "             ? static_cast<std::uint64_t>(left.high) < static_cast<std::uint64_t>(right.high)\n"
             "             : left.low < right.low;")]),
    Mutant("corners-counted-twice", ZONES, [
        Edit("core/internal/geometry/inner_direction.cc",
             "      if (std::find(corners.begin(), corners.end(), corner) == corners.end())\n"
             "        corners.push_back(corner);",
             "      corners.push_back(corner);")]),

    # Planes.
    Mutant("near-plane-a-unit-late", PROPERTY, [
        Edit("query/internal/sight/octant.cc",
             "whole->max[axis] > target_.min[axis]) continue",
             "whole->max[axis] > target_.min[axis] + 1) continue")]),
    Mutant("flush-occluder-counts", NAMED, [
        Edit("query/internal/sight/octant.cc",
             "whole->min[axis] >= target_.min[axis]) continue",
             "whole->min[axis] > target_.min[axis]) continue")]),
    Mutant("octant-of-one-unit-lost", NAMED, [
        Edit("query/internal/sight/open_zones.cc",
             "query.box.max[axis] > query.eye[axis]) up",
             "query.box.max[axis] > query.eye[axis] + 1) up")]),
    Mutant("octant-of-one-unit-below-lost", NAMED, [
        Edit("query/internal/sight/open_zones.cc",
             "query.box.min[axis] < query.eye[axis]) down",
             "query.box.min[axis] < query.eye[axis] - 1) down")]),
    Mutant("eye-on-a-plane-is-inside", NAMED, [
        Edit("query/internal/sight/sight_scope.cc",
             "return options.filter.skip_start_inside && containsInside(boxes, query.eye);",
             "return options.filter.skip_start_inside &&\n"
             "         std::any_of(boxes.begin(), boxes.end(),\n"
             "                     [&](const FixedBox& box) { return contains(box, query.eye); });")]),
    Mutant("hull-a-unit-short", PROPERTY, [
        Edit("query/internal/sight/sight_cubes.h",
             "(last[axis] - 1) >> shift",
             "(last[axis] - 2) >> shift")]),
    Mutant("hull-loaded-a-chunk-too-far", NAMED, [
        Edit("query/internal/sight/sight_scope.cc",
             "(bounds.max()[axis] + 1) << shift",
             "(bounds.max()[axis] + 2) << shift")]),

    # Rays that touch.
    Mutant("touched-occluders-are-passed", NAMED, [
        Edit("query/internal/sight/sight_rays.cc",
             "return shadow.touches(w); });",
             "return shadow.contains(w); });")]),
    Mutant("clear-line-to-an-edge", NAMED, [
        Edit("query/internal/sight/sight_rays.cc",
             "return planes > 1 ? Answer::kUnsure : Answer::kClear;",
             "return planes > 3 ? Answer::kUnsure : Answer::kClear;")]),
    Mutant("line-ends-at-its-end", NAMED, [
        Edit("query/internal/sight/sight_rays.cc",
             ".end_time = kWholeLine - 1}",
             ".end_time = kWholeLine}")]),

    # Occluders that a line may pass.
    Mutant("through-one-more", NAMED, [
        Edit("query/internal/sight/open_zones.cc",
             "open.passed >= most_passed",
             "open.passed > most_passed")]),
    Mutant("through-counts-boxes", NAMED, [
        Edit("query/internal/sight/open_zones.cc",
             "open.octant != octant || open.last_passed == cuts_",
             "open.octant != octant")]),
    Mutant("through-counts-occluders-not-crossed", PROPERTY, [
        Edit("query/internal/sight/open_zones.cc",
             "        add(open, outside);\n"
             "    }",
             "        add(open, outside), next_.back().passed = open.passed + (most_passed > open.passed ? 1U : 0U);\n"
             "    }")]),
    Mutant("through-passes-unloaded", PROPERTY, [
        Edit("query/internal/sight/sight_search.cc",
             "occluder.is_unloaded ? 0 : scope_.options.through",
             "scope_.options.through")]),
    Mutant("through-forgets-unknown", PROPERTY, [
        Edit("query/internal/sight/sight_search.h",
             "return scope_.options.through > 0 || memory_.proof.has_unloaded;",
             "return memory_.proof.has_unloaded;")]),

    # Which blocks occlude, and how they grow.
    Mutant("deferring-without-the-mask", PROPERTY, [
        Edit("query/internal/sight/sight_scope.cc",
             "chunk.hasLoadedChild(index) && levels.contains(level + 1)) return false",
             "chunk.hasLoadedChild(index)) return false")]),
    Mutant("growth-over-the-eyes-own-block", NAMED, [
        Edit("query/internal/sight/sight_scope.cc",
             "  return !isLeftOut({&cube, 1});",
             "  return hasInterior(cube);")]),
    Mutant("growth-in-the-wrong-chunk", NAMED, [
        Edit("query/internal/sight/sight_scope.cc",
             "if (chunk == nullptr || at != of_chunk) chunk",
             "if (chunk == nullptr || at[0] != of_chunk[0]) chunk")]),
    Mutant("growth-by-the-first-block-of-a-layer", NAMED, [
        Edit("query/internal/sight/solid_growth.cc",
             "areSolidCubes(level_, first, last)",
             "areSolidCubes(level_, first, first)")]),
    Mutant("unloaded-regions-taken-as-complete", PROPERTY, [
        Edit("query/internal/sight/unloaded_walk.h",
             "if (cube.scale == kRegionScale) return hasBit(area->complete(), slotInArea(chunk));",
             "if (cube.scale == kRegionScale) return hasBit(area->loaded(), slotInArea(chunk));")]),

    # Histories.
    Mutant("history-of-any-version", HISTORIES, [
        Edit("query/internal/sight/kept_sight.cc",
             "service == other.service && version.world == other.version.world &&",
             "service == other.service &&")]),
    Mutant("history-of-any-entities", HISTORIES, [
        Edit("query/internal/sight/kept_sight.cc",
             "return version.entities == other.version.entities && ignored",
             "return ignored")]),
    Mutant("history-of-any-channel", HISTORIES, [
        Edit("query/internal/sight/kept_sight.cc",
             "         options.filter.channel == other.options.filter.channel && !has_block_filter &&",
             "         !has_block_filter &&"),
        Edit("query/internal/sight/kept_sight.cc",
             "        has_same_options = has_same_options && member == of_other;",
             '        has_same_options = has_same_options && (member == of_other || name == "channel");')]),
    Mutant("proof-by-its-two-corners", HISTORIES, [
        Edit("query/internal/sight/kept_proof.cc",
             "!scope_.areSolidCubes(part.level, first.block, last.block))",
             "!(scope_.areSolidCubes(part.level, first.block, first.block) &&\n"
             "          scope_.areSolidCubes(part.level, last.block, last.block)))")]),
    Mutant("proof-without-the-neighbour-chunk", HISTORIES, [
        Edit("query/internal/sight/kept_proof.cc",
             "!scope_.areSolidCubes(part.level, first.block, last.block))",
             "!scope_.areSolidCubes(part.level, first.block,\n"
             "                              {std::min(last.block[0], first.block[0] | 15),\n"
             "                               std::min(last.block[1], first.block[1] | 15),\n"
             "                               std::min(last.block[2], first.block[2] | 15)}))")]),
    Mutant("seen-point-outside-of-the-box", HISTORIES, [
        Edit("query/internal/sight/table_run.cc",
             "return contains(sight.box, point) ? SightHint{.seen = point} : SightHint{};",
             "return {.seen = point};")]),
    Mutant("no-second-search-without-the-hint", HISTORIES, [
        Edit("query/internal/sight/table_run.cc",
             "  if (absl::IsResourceExhausted(status) && !hint.isEmpty()) status = find(sight, {});\n",
             "")]),
    Mutant("distance-at-the-limit-is-too-far", TABLES, [
        Edit("query/internal/sight/table_run.cc",
             "return square > Square{most} * most;",
             "return square >= Square{most} * most;")]),

    # Exposures.
    Mutant("exposure-without-near-faces", NAMED, [
        Edit("query/internal/sight/visible_share.cc",
             "if (other == axis || box.min[other] <= 0) continue;",
             "if (axis >= 0 || other == axis || box.min[other] <= 0) continue;")]),
    Mutant("exposure-of-rectangles", NAMED, [
        Edit("query/internal/sight/visible_share.cc",
             "if (std::isfinite(toDouble(most))) {",
             "if (std::isnan(toDouble(most))) {")]),
    Mutant("exposure-without-rounding-errors", PROPERTY, [
        Edit("query/internal/sight/visible_share.cc",
             "constexpr double kStrip = 0x1p-48;",
             "constexpr double kStrip = 0x1p-62;")]),
    Mutant("exposure-whole-though-cut", NAMED, [
        Edit("query/internal/sight/open_zones.cc",
             "      is_whole_ = false;",
             "      is_whole_ = is_whole_ && !is_covered;")]),
    Mutant("exposure-to-without-unknown", NAMED, [
        Edit("query/internal/sight/sight_verbs.cc",
             "    seen.to = visibleShare(search.zones(), query.box).to;\n",
             "")]),

    # Budgets.
    Mutant("budget-refused-at-its-limit", LIMITS, [
        Edit("query/internal/sight/sight_steps.h",
             "return stats_.steps() > most_; }",
             "return stats_.steps() >= most_; }")]),
    Mutant("budget-ends-silently", LIMITS, [
        Edit("query/internal/sight/sight_search.cc",
             "  return steps_.isExhausted() ? steps_.exhausted() : absl::OkStatus();",
             "  return absl::OkStatus();")]),
    Mutant("budget-for-each-block", BLOCKS, [
        Edit("query/visible_blocks.cc",
             "most - std::min(most, taken), nullptr, answer_);",
             "most - std::min<std::uint64_t>(0, taken), nullptr, answer_);")]),

    # Visible blocks.
    Mutant("covered-a-unit-before-an-upper-face", BLOCKS, [
        Edit("query/internal/sight/covered_faces.cc",
             "box.min[axis] <= plane && box.max[axis] > plane",
             "box.min[axis] <= plane + 1 && box.max[axis] > plane")]),
    Mutant("covered-by-the-eyes-own-block", BLOCKS, [
        Edit("query/internal/sight/covered_faces.cc",
             "    if (!scope_.setBlock(next, chunk->block(index), occluder_)) return false;",
             "    (void)scope_.setBlock(next, chunk->block(index), occluder_);")]),
    Mutant("covered-without-near-faces", BLOCKS, [
        Edit("query/internal/sight/covered_faces.cc",
             "  return has_near;\n",
             "  return has_near || true;\n")]),

    # Fields of view on tiles.
    Mutant("field-of-view-open-at-corners", FIELDS, [
        Edit("core/geometry/octant_sweep.h",
             "(gap.from < center && center < gap.to)",
             "(!(center < gap.from) && !(gap.to < center))")]),
    Mutant("field-of-view-diagonal-by-one-side", FIELDS, [
        Edit("core/field_of_view.h",
             "!isSolid(tileAt(side, x, x - 1)) && !isSolid(tileAt(side, x - 1, x))",
             "!isSolid(tileAt(side, x, x - 1))")]),
    Mutant("field-of-view-edges-of-farther-tiles", FIELDS, [
        Edit("core/geometry/octant_sweep.h",
             "Slope{2 * y - 1, 2 * x + 1}",
             "Slope{2 * y - 1, 2 * x - 1}")]),

    # Blasts.
    Mutant("blast-breaks-by-equal-power", BLASTS, [
        Edit("query/blast.cc",
             "if (power <= 0) return false;\n"
             "            add",
             "if (power < 0) return false;\n"
             "            add")]),
    Mutant("blast-without-flat-entities", BLASTS, [
        Edit("query/blast.cc",
             "flat > 1 ? 1 : half[axis]",
             "flat > 2 ? 1 : half[axis]")]),
    Mutant("blast-thickens-planes", BLASTS, [
        Edit("query/blast.cc",
             "flat > 1 ? 1 : half[axis]",
             "flat > 0 ? 1 : half[axis]")]),
    Mutant("blast-entities-beyond-the-frame", BLASTS, [
        Edit("query/blast.cc",
             "    box.min[axis] = std::clamp(center - extent, -kMaxCoordinate, kMaxCoordinate);\n"
             "    box.max[axis] = std::clamp(center + extent, -kMaxCoordinate, kMaxCoordinate);",
             "    box.min[axis] = center - extent;\n"
             "    box.max[axis] = center + extent;")]),
]
