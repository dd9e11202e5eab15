// SPDX-License-Identifier: Apache-2.0
// Fractalray itself: both passes, by the calls that an engine would make.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"

#include "../../levels/internal/world_content.h"
#include "../../query/ray_query_service.h"
#include "grid_world.h"
#include "shape_world.h"
#include "systems.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

std::shared_ptr<const World> worldOf(const Scene& scene) {
  return scene.world != nullptr ? scene.world : makeGridWorld(scene.grid);
}

// Returns the bytes of the chunks, and of the regions and areas that hold them.
std::size_t bytesOf(const World& world) {
  std::size_t bytes = 0;
  for (int level = 0; level < world.frame().levels(); ++level) {
    absl::flat_hash_set<ChunkCoord> regions;
    absl::flat_hash_set<ChunkCoord> areas;
    world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
      bytes += chunk.bytes();
      regions.insert({at[0] >> 2, at[1] >> 2, at[2] >> 2});
      areas.insert({at[0] >> 4, at[1] >> 4, at[2] >> 4});
    });
    bytes += regions.size() * sizeof(internal::Region) + areas.size() * sizeof(internal::Area);
  }
  return bytes;
}

// Stands for an entity by its id. AnyHit: Hit or CompactHit.
template <class AnyHit>
Answer answerOf(const AnyHit& hit) {
  if (hit.kind == Hit::Kind::kNone) return {};
  if (hit.isEntity()) return {.x = static_cast<std::int32_t>(hit.id), .hits = 1};
  return hitAt(hit.block[0], hit.block[1], hit.block[2]);
}

// Return the line of a segment that the benchmark draws, as an engine has it: in doubles.
void setLine(const Segment& segment, Segment& line) {
  line = segment;
}
void setLine(const Segment& segment, Ray& line) {
  const Vec3d d = segment.to - segment.from;
  line = {.origin = segment.from, .direction = d, .max_distance = length(d)};
}
template <class Line>
std::vector<Line> linesOf(const Rays& rays) {
  std::vector<Line> lines(rays.size());
  for (std::size_t i = 0; i < rays.size(); ++i)
    setLine(rays.blocks[i], lines[i]);
  return lines;
}

class Fractalray : public System {
 public:
  Fractalray(const Scene& scene, SearchPass pass) : Fractalray(worldOf(scene), pass) {
    build_ms_ = scene.world_build_ms;
    for (const EntitySpec& entity : scene.entities)
      unwrap(entities_.add(entity));
  }
  Fractalray(std::shared_ptr<const World> world, SearchPass pass)
      : world_(std::move(world)),
        entities_(world_->frame()),
        service_(*world_, entities_),
        counting_service_(*world_, entities_) {
    options_.pass = pass;
    occlusion_options_.pass = pass;
    counting_service_.onBlockHit([this](const BlockHit&) {
      ++called_;
      return HitResponse::kContinue;
    });
  }

  bool can(Work work) const override { return work != Work::kConvert; }
  std::size_t bytes() const override { return bytesOf(*world_); }
  double buildMs() const override { return build_ms_; }

  void prepare(const Rays& rays) override {
    queries_.clear();
    for (const FixedSegment& ray : rays.units)
      queries_.push_back({.line = ray, .levels = finest_});
    if (rays.group > 0) ray_lines_ = linesOf<Ray>(rays);
  }

  void run(Work work, const Rays& rays, std::span<Answer> answers) override {
    QueryOptions options = options_;
    options.filter.solid_only = work == Work::kFirstSolid;
    switch (work) {
      case Work::kShoot:
        return forEach(rays, answers, [&](const auto& ray) { return shoot(ray); });
      case Work::kAllHits:
        return forEach(rays, answers, [&](const auto& ray) { return allHits(ray); });
      case Work::kOccluded:
        return forEach(rays, answers, [&](const auto& ray) { return occluded(ray); });
      case Work::kClosestBatch:
        return closestBatch(queries_, closest_batch_, answers);
      case Work::kCompactBatch:
        return closestBatch(queries_, compact_batch_, answers);
      case Work::kCameraBatch:  // lines and nothing else, as an image is asked for
        return closestBatch({rays.units, finest_}, compact_batch_, answers);
      case Work::kOccludedBatch:
        return occludedBatch(queries_, answers);
      case Work::kHitGroups:  // an explosion has directions
        return forEachGroup(ray_lines_, rays.group, answers, [&](const auto& group, auto part) {
          closestBatch({group, finest_}, compact_batch_, part);
        });
      case Work::kSightGroups:  // an eye has targets
        return forEachGroup(rays.blocks, rays.group, answers, [&](const auto& group, auto part) {
          occludedBatch({group, finest_}, part);
        });
      default:
        break;
    }
    const LevelMask levels = world_->finestLevels(levelsOf(work));
    forEach(rays, answers, [&](const auto& ray) { return closest(ray, levels, options); });
  }

 protected:
  template <class Line>
  Answer closest(const Line& line, LevelMask levels, const QueryOptions& options) {
    checkOk(service_.closestHit(line, levels, options, closest_));
    return closest_.hit.has_value() ? answerOf(*closest_.hit) : Answer{};
  }
  template <class Line>
  Answer occluded(const Line& line) {
    checkOk(service_.occluded(line, finest_, occlusion_options_, occlusion_));
    return {.hits = occlusion_.occlusion == Occlusion::kBlocked ? 1 : 0};
  }
  LevelMask finest() const { return finest_; }
  const QueryOptions& options() const { return options_; }

 private:
  template <class Query>
  static void forEach(const Rays& rays, std::span<Answer> answers, Query&& query) {
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i] = query(rays.units[i]);
  }

  // Calls `ask(lines, answers)` for each group, with an array that is filled for it, as a game
  // does. Requires: size > 0.
  template <class Line, class Ask>
  static void forEachGroup(const std::vector<Line>& all, std::size_t size,
                           std::span<Answer> answers, Ask&& ask) {
    const std::span<const Line> lines(all);
    std::vector<Line> group;
    for (std::size_t first = 0; first < lines.size(); first += size) {
      const std::span<const Line> part = lines.subspan(first, std::min(size, lines.size() - first));
      group.assign(part.begin(), part.end());
      ask(group, answers.subspan(first, part.size()));
    }
  }

  static int levelsOf(Work work) {
    return work < Work::kOneLevel || work > Work::kFiveLevels
               ? 1
               : static_cast<int>(work) - static_cast<int>(Work::kOneLevel) + 1;
  }

  Answer shoot(const FixedSegment& ray) {
    checkOk(service_.shootSegment(ray, finest_, options_, result_));
    return result_.hits.empty() ? Answer{} : answerOf(result_.hits.front());
  }

  Answer allHits(const FixedSegment& ray) {
    called_ = 0;
    checkOk(counting_service_.shootSegment(ray, finest_, options_, result_));
    if (result_.hits.empty()) return {};
    Answer answer = answerOf(result_.hits.back());
    answer.hits = called_;
    return answer;
  }

  template <class Batch>
  void closestBatch(const BatchQueries& queries, Batch& batch, std::span<Answer> answers) {
    checkOk(service_.closestHit(queries, options_, batch));
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i] = answerOf(batch.answers[i]);
  }

  void occludedBatch(const BatchQueries& queries, std::span<Answer> answers) {
    checkOk(service_.occluded(queries, occlusion_options_, occlusion_batch_));
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i] = {.hits = occlusion_batch_.answers[i] == Occlusion::kBlocked ? 1 : 0};
  }

  std::shared_ptr<const World> world_;
  LevelMask finest_ = world_->finestLevels(1);
  double build_ms_ = 0;  // of the scene's world
  EntityIndex entities_;
  RayQueryService service_;
  RayQueryService counting_service_;  // with a callback for every type
  int called_ = 0;
  QueryOptions options_;
  QueryOptions occlusion_options_;
  ShotResult result_;
  ClosestHit closest_;
  OcclusionResult occlusion_;
  std::vector<BatchQuery> queries_;  // of the set
  std::vector<Ray> ray_lines_;       // of a set in groups
  ClosestBatch closest_batch_;
  CompactBatch compact_batch_;
  OcclusionBatch occlusion_batch_;
};

// Answers by single calls what batches and shots answer: in turns with these, and so with the same
// in the processor's caches, which the peers of other works empty.
class SingleCalls : public Fractalray {
 public:
  explicit SingleCalls(const Scene& scene) : Fractalray(scene, SearchPass::kFast) {}

  bool can(Work work) const override {
    return work == Work::kShoot || (work >= Work::kClosestBatch && work <= Work::kCameraBatch);
  }

  void run(Work work, const Rays& rays, std::span<Answer> answers) override {
    const bool is_sight = work == Work::kOccludedBatch;
    Fractalray::run(is_sight ? Work::kOccluded : Work::kFirstHit, rays, answers);
  }
};

// Answers by calls with lines in doubles, as the loops of users take them; the others take lines
// that have been converted.
template <class Line>
class LinesInDoubles : public Fractalray {
 public:
  explicit LinesInDoubles(const Scene& scene) : Fractalray(scene, SearchPass::kFast) {}

  bool can(Work work) const override {
    return work == Work::kFirstHit || work == Work::kSightGroups || work == Work::kConvert;
  }

  void prepare(const Rays& rays) override { lines_ = linesOf<Line>(rays); }

  void run(Work work, const Rays& /*rays*/, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (work == Work::kConvert) {
        answers[i] = start(lines_[i]);
      } else if (work == Work::kSightGroups) {
        answers[i] = occluded(lines_[i]);
      } else {
        answers[i] = closest(lines_[i], finest(), options());
      }
    }
  }

 private:
  // Converts a line, and returns the block in which it starts.
  static Answer start(const Line& line) {
    const absl::StatusOr<FixedSegment> segment = toFixedSegment(line);
    checkOk(segment.status());
    const Vec3i& from = segment->from;
    return hitAt(from[0] >> 16, from[1] >> 16, from[2] >> 16);
  }

  std::vector<Line> lines_;
};

}  // namespace

std::unique_ptr<System> makeFractalrayFast(const Scene& scene) {
  return std::make_unique<Fractalray>(scene, SearchPass::kFast);
}

std::unique_ptr<System> makeFractalrayPlain(const Scene& scene) {
  return std::make_unique<Fractalray>(scene, SearchPass::kPlain);
}

std::unique_ptr<System> makeFractalrayCubes(const Scene& scene) {
  return std::make_unique<Fractalray>(makeCubeWorld(scene.grid, *scene.shapes), SearchPass::kFast);
}

std::unique_ptr<System> makeFractalraySegment(const Scene& scene) {
  return std::make_unique<LinesInDoubles<Segment>>(scene);
}

std::unique_ptr<System> makeFractalrayRay(const Scene& scene) {
  return std::make_unique<LinesInDoubles<Ray>>(scene);
}

std::unique_ptr<System> makeFractalraySingle(const Scene& scene) {
  return std::make_unique<SingleCalls>(scene);
}

}  // namespace fractalray::bench
