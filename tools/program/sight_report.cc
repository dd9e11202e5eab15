// SPDX-License-Identifier: Apache-2.0
#include "sight_report.h"

#include <algorithm>
#include <map>

#include "../../query/block_search.h"
#include "../../query/entity_search.h"
#include "../../query/ray_query_service.h"

namespace fractalray {
namespace {

// Returns true if the interiors intersect.
bool overlap(const FixedBox& a, const FixedBox& b) {
  bool all = true;
  for (int axis = 0; axis < 3; ++axis)
    all = all && a.min[axis] < b.max[axis] && b.min[axis] < a.max[axis];
  return all;
}

// Returns the line along a witness up to the box.
SightLine lineOf(const SightQuery& query, const SightWitness& witness) {
  SightLine line{.entry = toBlocks(query.eye)};
  double time = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto step = static_cast<double>(witness.delta[static_cast<std::size_t>(axis)]) /
                      static_cast<double>(kUnitsPerBlock);
    line.direction[axis] = step;
    const std::int64_t eye = query.eye[axis];
    const bool is_below = eye < query.box.min[axis];
    if (step == 0 || (!is_below && eye <= query.box.max[axis])) continue;
    const std::int64_t face = is_below ? query.box.min[axis] : query.box.max[axis];
    const double time_of_face = toBlocks(face - eye) / step;
    if (time_of_face < time) continue;
    time = time_of_face;
    line.face = {static_cast<std::int8_t>(axis), static_cast<std::int8_t>(is_below ? -1 : 1)};
  }
  line.entry += line.direction * time;
  line.distance = length(line.direction) * time;
  // In a crack narrower than a unit the witness may be of any length.
  if (!witness.unit) line.direction *= time;
  // The coordinate of the face itself, which the product may miss by rounding.
  if (line.face.exists()) {
    const Vec3i& corner = line.face.sign < 0 ? query.box.min : query.box.max;
    line.entry[line.face.axis] = toBlocks(corner[line.face.axis]);
  }
  return line;
}

class Reporter {
 public:
  Reporter(const World& world, const EntityIndex& entities, SightReport& report)
      : world_(world), entities_(entities), service_(world, entities), report_(report) {}

  absl::Status answer() {
    SightOptions options = report_.options;
    options.report_certificate = true;
    absl::Status status = service_.visible(report_.query, report_.levels, options, report_.answer);
    if (!status.ok()) return status;
    absl::StatusOr<ExposureAnswer> exposure =
        service_.exposure(report_.query, report_.levels, report_.options);
    if (exposure.ok()) report_.exposure = *std::move(exposure);
    if (report_.answer.witness.has_value())
      report_.line = lineOf(report_.query, *report_.answer.witness);
    if (report_.answer.sight == Sight::kUnknown) return findUnloaded();
    for (const FixedBox& box : report_.answer.certificate) {
      absl::Status described = describe(box);
      if (!described.ok()) return described;
    }
    return absl::OkStatus();
  }

 private:
  absl::Status describe(const FixedBox& box) {
    HidingBox hiding{.box = box};
    absl::Status counted = countBlocks(hiding);
    if (!counted.ok()) return counted;
    absl::Status listed = listEntities(hiding);
    if (!listed.ok()) return listed;
    for (const FixedBox& given : report_.options.occluders)
      hiding.is_given = hiding.is_given || overlap(given, box);
    measure(hiding);
    report_.hiding.push_back(std::move(hiding));
    return absl::OkStatus();
  }

  // Counts the blocks that the box consists of.
  absl::Status countBlocks(HidingBox& hiding) const {
    if (!report_.options.filter.blocks) return absl::OkStatus();
    std::map<BlockTypeId, std::uint64_t> counts;
    QueryFilter filter;
    filter.channel = report_.options.filter.channel;
    filter.solid_only = true;
    // Refuses all, so that a large box takes no memory.
    filter.block_filter = [&](const BlockHit& hit) {
      const std::int64_t width = world_.frame().blockWidth(hit.level);
      FixedBox cube;
      for (int axis = 0; axis < 3; ++axis) {
        cube.min[axis] = hit.block[axis] * width;
        cube.max[axis] = cube.min[axis] + width;
      }
      if (overlap(cube, hiding.box)) ++counts[hit.type];
      return false;
    };
    std::vector<FoundBlock> none;
    absl::Status status = blocksInBox(world_, toBlocks(hiding.box.min), toBlocks(hiding.box.max),
                                      report_.levels, filter, none);
    for (const auto& [type, blocks] : counts)
      hiding.types.push_back({type, blocks});
    std::stable_sort(hiding.types.begin(), hiding.types.end(),
                     [](const TypeCount& a, const TypeCount& b) { return a.blocks > b.blocks; });
    return status;
  }

  absl::Status listEntities(HidingBox& hiding) const {
    if (!report_.options.boxes_block) return absl::OkStatus();
    const absl::StatusOr<std::vector<FoundEntity>> found =
        entitiesInBox(entities_, toBlocks(hiding.box.min), toBlocks(hiding.box.max), report_.levels,
                      report_.options.filter);
    if (!found.ok()) return found.status();
    for (const FoundEntity& each : *found) {
      const Entity& entity = *entities_.find(each.entity);
      const Vec3i half = entity.shape.half_extents;
      if (entity.shape.kind == FixedShape::Kind::kBox &&
          overlap({entity.position - half, entity.position + half}, hiding.box)) {
        hiding.entities.push_back(entity.id);
      }
    }
    return absl::OkStatus();
  }

  // Computes how much of the target the box hides alone.
  void measure(HidingBox& hiding) const {
    SightOptions alone;
    alone.filter.blocks = false;
    alone.unloaded = UnloadedSpace::kTransparent;
    alone.occluders = {&hiding.box, 1};
    alone.max_steps = report_.options.max_steps;
    const absl::StatusOr<ExposureAnswer> seen =
        service_.exposure(report_.query, report_.levels, alone);
    if (!seen.ok()) return;
    hiding.covers_from = 1 - seen->to;
    hiding.covers_to = 1 - seen->from;
  }

  // Finds a line that would see the box, and the point at which it leaves the loaded chunks.
  absl::Status findUnloaded() {
    SightOptions options = report_.options;
    options.unloaded = UnloadedSpace::kTransparent;
    const absl::StatusOr<SightAnswer> through =
        service_.visible(report_.query, report_.levels, options);
    if (!through.ok()) return through.status();
    if (!through->witness.has_value()) return absl::OkStatus();
    report_.line = lineOf(report_.query, *through->witness);
    QueryOptions on_line;
    on_line.filter.blocks = false;
    on_line.filter.entities = false;
    on_line.report_unknown = true;
    const absl::StatusOr<ClosestHit> closest = service_.closestHit(
        Segment{toBlocks(report_.query.eye), report_.line->entry}, report_.levels, on_line);
    if (!closest.ok()) return closest.status();
    if (!closest->unknown_from.has_value()) return absl::OkStatus();
    UnloadedStart start{.at = closest->segment.pointAt(*closest->unknown_from),
                        .distance = closest->segment.lengthBlocks() * *closest->unknown_from};
    listChunks(start);
    report_.unloaded = std::move(start);
    return absl::OkStatus();
  }

  // Lists the chunks a unit after the point, on the line.
  void listChunks(UnloadedStart& start) const {
    const Vec3d step = report_.line->direction / length(report_.line->direction);
    const Vec3d after = start.at + step / static_cast<double>(kUnitsPerBlock);
    Vec3i units;
    for (int axis = 0; axis < 3; ++axis)
      units[axis] = roundedUnits(after[axis]);
    for (int level = world_.frame().levels() - 1; level >= 0; --level) {
      if (!report_.levels.contains(level)) continue;
      const ChunkCoord chunk = world_.frame().chunkAt(units, level);
      const bool is_placeholder = world_.chunkState(level, chunk) == ChunkState::kProto;
      start.chunks.push_back({level, chunk, is_placeholder});
    }
  }

  const World& world_;
  const EntityIndex& entities_;
  RayQueryService service_;
  SightReport& report_;
};

}  // namespace

absl::StatusOr<SightReport> reportSight(const World& world, const EntityIndex& entities,
                                        const SightQuery& query, LevelMask levels,
                                        const SightOptions& options) {
  SightReport report{.query = query, .levels = levels, .options = options};
  const absl::Status status = Reporter(world, entities, report).answer();
  if (!status.ok()) return status;
  return report;
}

}  // namespace fractalray
