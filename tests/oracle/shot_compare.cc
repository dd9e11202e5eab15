// SPDX-License-Identifier: Apache-2.0
#include "shot_compare.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <variant>

#include "shape_oracle.h"
#include "walk_oracle.h"

namespace fractalray::oracle {
namespace {

bool isNear(double a, double b) {
  return std::abs(a - b) <= 1e-9;
}

bool sameGeometry(const HitGeometry& hit, const OracleHit& expected) {
  return isNear(hit.t, toDouble(expected.t)) && isNear(hit.t_exit, expected.t_exit) &&
         hit.face == expected.face && hit.start_inside == expected.start_inside;
}

bool sameGeometry(const HitGeometry& hit, const HitGeometry& other) {
  return hit.t == other.t && hit.t_exit == other.t_exit && hit.face == other.face &&
         hit.normal == other.normal && hit.start_inside == other.start_inside &&
         hit.point == other.point && hit.distance == other.distance;
}

// Returns true if the rest of the hit follows from its t.
bool isConsistent(const HitGeometry& hit, const FixedSegment& segment) {
  const Vec3d from = toBlocks(segment.from);
  const Vec3d delta = toBlocks(segment.delta());
  const double length = std::sqrt(delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2]);
  const double scale = 1e-9 * (1 + length);
  for (int axis = 0; axis < 3; ++axis) {
    const double at = from[axis] + delta[axis] * hit.t;
    if (!(std::abs(hit.point[axis] - at) <= scale + 1e-9 * std::abs(at))) return false;
  }
  if (!(std::abs(hit.distance - length * hit.t) <= scale)) return false;
  if (hit.start_inside) return hit.normal == Vec3d{} && !hit.face.exists();
  return !hit.face.exists() || hit.normal == hit.face.normal();
}

void describeGeometry(std::ostream& out, const HitGeometry& hit, bool terminal) {
  out << " t " << hit.t << " to " << hit.t_exit << " face " << faceName(hit.face)
      << (hit.start_inside ? " inside" : "") << (terminal ? " terminal" : "") << " point "
      << hit.point << " distance " << hit.distance << " normal " << hit.normal;
}

}  // namespace

bool isSame(const Hit& hit, const OracleHit& expected) {
  if (!sameGeometry(hit, expected)) return false;
  if (hit.isEntity() != expected.is_entity || hit.level != expected.level ||
      hit.terminal != expected.terminal) {
    return false;
  }
  if (hit.isBlock()) {
    return hit.block == expected.block && hit.type == expected.type && hit.step == expected.step &&
           hit.plane == expected.plane;
  }
  return hit.isEntity() && hit.id == expected.id && hit.entity == expected.entity &&
         hit.entity_class == expected.entity_class;
}

bool isSame(const Hit& hit, const Hit& other) {
  if (hit.kind != other.kind || hit.level != other.level || hit.terminal != other.terminal ||
      !sameGeometry(hit, other)) {
    return false;
  }
  if (hit.isBlock()) {
    return hit.block == other.block && hit.type == other.type && hit.step == other.step &&
           hit.plane == other.plane;
  }
  return hit.entity == other.entity && hit.id == other.id &&
         hit.entity_class == other.entity_class && hit.categories == other.categories &&
         hit.shape == other.shape && hit.position == other.position;
}

std::string difference(const ShotResult& answer, const ShotResult& other) {
  std::ostringstream out;
  if (answer.segment != other.segment) out << "another segment\n";
  for (std::size_t i = 0; i < std::max(answer.hits.size(), other.hits.size()); ++i) {
    const bool both = i < answer.hits.size() && i < other.hits.size();
    if (both && isSame(answer.hits[i], other.hits[i])) continue;
    const auto hit_text = [&](const ShotResult& shot) {
      return i < shot.hits.size() ? describe(shot.hits[i]) : "none";
    };
    out << "hit " << i << ":\n  answer " << hit_text(answer) << "\n  other  " << hit_text(other)
        << '\n';
    break;  // later hits are of no use if one is missing
  }
  if (answer.terminated != other.terminated) out << "terminated " << answer.terminated << '\n';
  if (answer.truncated != other.truncated) out << "truncated " << answer.truncated << '\n';
  if (answer.budgets != other.budgets) out << "other budgets\n";
  if (answer.stopped_at != other.stopped_at) {
    out << "stopped_at " << answer.stopped_at.value_or(-1) << ", other "
        << other.stopped_at.value_or(-1) << '\n';
  }
  if (answer.unknown_from != other.unknown_from) {
    out << "unknown_from " << answer.unknown_from.value_or(-1) << ", other "
        << other.unknown_from.value_or(-1) << '\n';
  }
  const auto isSameSpan = [](const LevelSpan& a, const LevelSpan& b) {
    return a.level == b.level && a.t0 == b.t0 && a.t1 == b.t1;
  };
  if (!std::equal(answer.level_spans.begin(), answer.level_spans.end(), other.level_spans.begin(),
                  other.level_spans.end(), isSameSpan)) {
    out << "other level spans\n";
  }
  return out.str();
}

std::string difference(const ShotResult& answer, const OracleShot& expected,
                       const FixedSegment& segment, const QueryOptions& options) {
  std::ostringstream out;
  if (answer.segment != segment) out << "another segment\n";
  for (std::size_t i = 0; i < std::max(answer.hits.size(), expected.hits.size()); ++i) {
    const bool both = i < answer.hits.size() && i < expected.hits.size();
    if (both && isSame(answer.hits[i], expected.hits[i]) && isConsistent(answer.hits[i], segment)) {
      continue;
    }
    out << "hit " << i << ":\n  answer "
        << (i < answer.hits.size() ? describe(answer.hits[i]) : "none") << "\n  oracle "
        << (i < expected.hits.size() ? describe(expected.hits[i]) : "none") << '\n';
  }
  if (answer.terminated != expected.terminated) out << "terminated " << answer.terminated << '\n';
  if (answer.truncated != expected.truncated) out << "truncated " << answer.truncated << '\n';
  const bool asked = options.report_unknown || options.stop_at_unknown;
  const bool expects_unknown = asked && expected.unknown_from.has_value();
  if (answer.unknown_from.has_value() != expects_unknown ||
      (expects_unknown && !isNear(*answer.unknown_from, toDouble(*expected.unknown_from)))) {
    out << "unknown_from " << answer.unknown_from.value_or(-1) << ", oracle "
        << (expects_unknown ? toDouble(*expected.unknown_from) : -1) << '\n';
  }
  std::vector<OracleSpan> expected_spans;
  if (options.report_level_spans) expected_spans = expected.level_spans;
  const auto is_same_span = [](const LevelSpan& span, const OracleSpan& other) {
    return span.level == other.level && isNear(span.t0, toDouble(other.t0)) &&
           isNear(span.t1, toDouble(other.t1));
  };
  if (!std::equal(answer.level_spans.begin(), answer.level_spans.end(), expected_spans.begin(),
                  expected_spans.end(), is_same_span)) {
    out << "level spans:";
    for (const LevelSpan& span : answer.level_spans) {
      out << ' ' << span.level << ": " << span.t0 << " to " << span.t1 << ';';
    }
    out << " oracle:";
    for (const OracleSpan& span : expected_spans) {
      out << ' ' << span.level << ": " << span.t0 << " to " << span.t1 << ';';
    }
    out << '\n';
  }
  return out.str();
}

std::string describe(const OracleHit& hit) {
  std::ostringstream out;
  if (hit.is_entity) {
    out << "entity " << hit.id;
  } else {
    out << "block " << hit.block << " type " << static_cast<int>(hit.type) << " step " << hit.step
        << " plane " << hit.plane;
  }
  out << " level " << hit.level << " t " << toString(hit.t) << " (" << toDouble(hit.t) << ") to "
      << hit.t_exit << " face " << faceName(hit.face) << (hit.start_inside ? " inside" : "")
      << (hit.terminal ? " terminal" : "");
  return out.str();
}

std::string describe(const Hit& hit) {
  std::ostringstream out;
  out.precision(17);
  if (hit.isBlock()) {
    out << "block " << hit.block << " type " << static_cast<int>(hit.type);
  } else {
    out << "entity " << hit.id;
  }
  out << " level " << hit.level;
  if (hit.isBlock()) out << " step " << int{hit.step} << " plane " << hit.plane;
  describeGeometry(out, hit, hit.terminal);
  return out.str();
}

std::string describe(const FixedSegment& segment) {
  std::ostringstream out;
  out << "from " << segment.from << " to " << segment.to << " units";
  if (segment.end_time != kWholeLine) out << " until " << segment.end_time << " / 2^60";
  if (segment.begin.axes != 0) {
    out << ", reflected on axes " << int{segment.begin.axes} << " at plane " << segment.begin.plane;
  }
  return out.str();
}

std::string describe(const QueryOptions& options) {
  std::ostringstream out;
  out << "corner policy " << static_cast<int>(options.corner) << ", channel "
      << static_cast<int>(options.filter.channel) << ", categories " << options.filter.categories
      << ", skip_start_inside " << options.filter.skip_start_inside << ", max_hits "
      << options.max_hits << ", unknown " << options.report_unknown << options.stop_at_unknown
      << ", filters " << static_cast<bool>(options.filter.block_filter)
      << static_cast<bool>(options.filter.entity_filter) << ", blocks " << options.filter.blocks
      << ", entities " << options.filter.entities << ", solid only " << options.filter.solid_only
      << ", pass " << (options.pass == SearchPass::kFast ? "fast" : "plain") << ", ignore";
  for (const EntityId id : options.filter.ignore)
    out << ' ' << id;
  return out.str();
}

std::string describe(const World& world, const EntityIndex& entities, const FixedSegment& segment) {
  std::ostringstream out;
  out << world.frame().levels() << " levels\n";
  for (int level = 0; level < world.frame().levels(); ++level) {
    const std::int64_t width = world.frame().blockWidth(level);
    world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk&) {
      out << "level " << level << " chunk " << at << ':';
      const Vec3i min = Vec3i{at[0], at[1], at[2]} * (16 * width);
      const auto part = partInBox(segment, min, min + Vec3i{16 * width, 16 * width, 16 * width});
      if (!part.has_value()) {
        out << " not hit\n";
        return;
      }
      for (const WalkCell<3>& cell : walkCells<3>(segment.from, segment.to, {width, width, width},
                                                  CornerPolicy::kBoth, part->enter, part->exit)) {
        const BlockCoord block{cell.cell.values};
        if (chunkOf(block) != at || world.block(level, block).value() == kAir) continue;
        out << ' ' << block << '=' << static_cast<int>(world.block(level, block).value());
      }
      out << '\n';
    });
  }
  for (const EntityHandle handle : entities.all()) {
    const Entity& entity = *entities.find(handle);
    out << (entity.shape.kind == FixedShape::Kind::kSphere ? "sphere " : "box ") << entity.id
        << " level " << entity.level << " at " << entity.position << " half extents "
        << entity.shape.half_extents << " categories " << entity.categories << " class "
        << static_cast<int>(entity.entity_class) << '\n';
  }
  return out.str();
}

}  // namespace fractalray::oracle
