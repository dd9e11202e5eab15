// SPDX-License-Identifier: Apache-2.0
#include "blast.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../core/arithmetic/int128.h"
#include "../core/internal/number_text.h"
#include "../core/units.h"
#include "internal/batch/answer_batch.h"
#include "internal/search/point_blocks.h"
#include "internal/search/query_checks.h"
#include "internal/search/search_checks.h"
#include "internal/service_state.h"
#include "internal/sight/observe_sight.h"
#include "internal/sight/sight_checks.h"
#include "internal/sight/sight_verbs.h"
#include "ray_query_service.h"

namespace fractalray {
namespace {

using internal::BlastTask;
using internal::Int128;

// Returns the most steps of a ray within a radius: the largest n with n |step| <= radius. Exact.
// Requires: the step is not zero.
std::int64_t stepsWithin(const Vec3i& step, std::int64_t radius) {
  Int128 squared = 0;
  for (int axis = 0; axis < 3; ++axis)
    squared += Int128(step[axis]) * step[axis];
  const Int128 most = Int128(radius) * radius / squared;  // of n^2
  auto n = static_cast<std::int64_t>(std::sqrt(static_cast<double>(most)));
  while (Int128(n) * n > most)
    --n;
  while (Int128(n + 1) * (n + 1) <= most)
    ++n;
  return n;
}

absl::Status checkRays(std::span<const BlastRay> rays) {
  if (rays.size() > std::numeric_limits<std::uint32_t>::max()) {
    return absl::InvalidArgumentError(
        absl::StrCat(rays.size(), " rays in one blast; use fewer than 2^32"));
  }
  absl::Status worst;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (rays[i].step == Vec3i{}) {
      return absl::InvalidArgumentError(
          absl::StrCat("the step of ray ", i, " is zero; use a step of any other length"));
    }
    if (worst.ok() && !internal::isInFrame(rays[i].step)) {
      worst = absl::OutOfRangeError(
          absl::StrCat("the step of ray ", i, " is longer than 2^61 units on an axis"));
    }
  }
  return worst;
}

absl::Status checkAmounts(const BlastQuery& query) {
  const auto negative = [](std::string_view what, std::int64_t amount) {
    return absl::InvalidArgumentError(
        absl::StrCat(std::string(what), " is ", amount, "; it must be 0 or more"));
  };
  if (query.falloff < 0) return negative("the blast's falloff", query.falloff);
  for (std::size_t type = 0; type < query.resistances.size(); ++type) {
    if (query.resistances[type] >= 0) continue;
    return negative(absl::StrCat("the resistance of block type ", type), query.resistances[type]);
  }
  return absl::OkStatus();
}

// A blast, checked and in units.
struct CheckedBlast {
  Vec3i center;
  std::int64_t radius;
  const BlastQuery& query;

  std::int64_t resistanceOf(BlockTypeId type) const {
    const std::size_t index = BlockTypeTable::index(type);
    return index < query.resistances.size() ? query.resistances[index] : kUnbreakable;
  }
};

absl::StatusOr<CheckedBlast> checked(const BlastQuery& query, const internal::ServiceState& state,
                                     LevelMask levels, const BlastOptions& options) {
  const World& world = state.world;
  const absl::StatusOr<Vec3i> center = toUnits(query.center, "the blast's centre");
  absl::StatusOr<std::int64_t> radius =
      internal::unitsFromLength(query.radius, "the blast's radius");
  if (radius.ok() && query.radius > kMaxBlastRadius) {
    radius = absl::OutOfRangeError(absl::StrCat(
        "the blast's radius is ", internal::numberText(query.radius), "; the largest one is 2^16"));
  }
  absl::Status status =
      errorToReport({internal::checkLevels(levels, world.frame()),
                     internal::checkChannel(options.filter.channel, world.blockTypes()),
                     internal::checkChannel(options.sight.filter.channel, world.blockTypes()),
                     internal::checkOccluders(options.sight.occluders), checkAmounts(query),
                     checkRays(query.rays), center.status(), radius.status()});
  // Its line is right, so this checks only the depth of nesting.
  if (status.ok()) status = state.check({.levels = levels}, options.filter.channel);
  if (!status.ok()) return status;
  return CheckedBlast{.center = *center, .radius = *radius, .query = query};
}

// Follows rays one by one.
class RayFollower {
 public:
  RayFollower(const CheckedBlast& blast, const World& world, LevelMask levels,
              const BlastOptions& options, std::atomic<std::uint64_t>& samples, BlastTask& task)
      : blast_(blast),
        blocks_(world, levels, options.filter),
        max_samples_(options.max_samples),
        samples_(samples),
        task_(task) {}

  // Follows a ray until its power or the radius ends. Returns false if all rays of the blast, those
  // of other tasks included, have more samples than options.max_samples.
  bool follow(std::uint32_t number) {
    const BlastRay& ray = blast_.query.rays[number];
    std::int64_t power = ray.power;
    const std::int64_t most = stepsWithin(ray.step, blast_.radius);
    const std::size_t first = task_.broken.size();
    Vec3i point = blast_.center;
    for (std::int64_t steps = 0; steps <= most && power > 0; ++steps) {
      if (++taken_ == kSamplesAtOnce && !countTaken()) return false;
      const bool is_known =
          blocks_.forEachAt(point, [&](int level, const BlockCoord& block, BlockTypeId type) {
            power -= blast_.resistanceOf(type);
            if (power <= 0) return false;
            add(first, {level, type, block, number, steps, power});
            return true;
          });
      task_.reaches_unknown = task_.reaches_unknown || !is_known;
      power -= std::min(blast_.query.falloff, power);
      point += ray.step;
    }
    return countTaken();
  }

 private:
  // Samples between two looks at the count of all tasks.
  static constexpr std::uint64_t kSamplesAtOnce = 256;

  // Counts the samples taken since the last call. Returns false if there are too many.
  bool countTaken() {
    task_.samples += taken_;
    const std::uint64_t before = samples_.fetch_add(taken_, std::memory_order_relaxed);
    const bool is_enough = taken_ > max_samples_ || before > max_samples_ - taken_;
    taken_ = 0;
    return !is_enough;
  }

  // Adds a block of a ray whose blocks begin at `first`, unless its last sample was in it, too.
  void add(std::size_t first, const BrokenBlock& broken) {
    const std::size_t count = task_.broken.size();
    if (count > first && task_.broken[count - 1].level == broken.level &&
        task_.broken[count - 1].block == broken.block) {
      return;
    }
    task_.broken.push_back(broken);
  }

  const CheckedBlast& blast_;
  internal::PointBlocks blocks_;
  std::uint64_t max_samples_;
  std::atomic<std::uint64_t>& samples_;  // of all tasks
  std::uint64_t taken_ = 0;              // and not counted yet
  BlastTask& task_;
};

// Compares in the order of Blast::blocks; and block by block, each in that order.
bool comesFirst(const BrokenBlock& a, const BrokenBlock& b) {
  return std::tuple(a.steps, a.ray, -a.level) < std::tuple(b.steps, b.ray, -b.level);
}
bool isBlockBefore(const BrokenBlock& a, const BrokenBlock& b) {
  if (a.level != b.level) return a.level < b.level;
  return a.block != b.block ? a.block < b.block : comesFirst(a, b);
}
bool isSameBlock(const BrokenBlock& a, const BrokenBlock& b) {
  return a.level == b.level && a.block == b.block;
}

// Leaves each block once, with the ray that comes first, and orders them.
void orderOnce(std::vector<BrokenBlock>& blocks) {
  std::sort(blocks.begin(), blocks.end(), isBlockBefore);
  blocks.erase(std::unique(blocks.begin(), blocks.end(), isSameBlock), blocks.end());
  std::sort(blocks.begin(), blocks.end(), comesFirst);
}

// Returns the bounding box of an entity within the frame: a box of which visible() can see
// something. One that is flat on several axes is a unit wider there on both sides.
FixedBox visibleBoxOf(const Entity& entity) {
  const Vec3i& half = entity.shape.half_extents;
  const int flat = (half[0] == 0 ? 1 : 0) + (half[1] == 0 ? 1 : 0) + (half[2] == 0 ? 1 : 0);
  FixedBox box;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t extent = half[axis] == 0 && flat > 1 ? 1 : half[axis];
    const std::int64_t center = entity.position[axis];
    box.min[axis] = std::clamp(center - extent, -kMaxCoordinate, kMaxCoordinate);
    box.max[axis] = std::clamp(center + extent, -kMaxCoordinate, kMaxCoordinate);
  }
  return box;
}

// Sets the exposure of each entity that was found.
void exposeEntities(const internal::ServiceState& state, const Vec3i& center, LevelMask levels,
                    const SightOptions& options, const std::vector<FoundEntity>& found,
                    ParallelFor parallel_for, std::vector<ExposedEntity>& entities) {
  entities.resize(found.size());
  internal::answerAll(
      found.size(), parallel_for, [&](std::size_t begin, std::size_t end, bool /*in_order*/) {
        ExposureAnswer answer;
        for (std::size_t i = begin; i < end; ++i) {
          const FoundEntity& one = found[i];
          const FixedBox box = visibleBoxOf(*state.entities.find(one.entity));
          // An error, beyond max_steps, leaves 0 to 1.
          internal::exposure(state, {.eye = center, .box = box}, levels, options, answer)
              .IgnoreError();
          entities[i] = {one.entity, one.id, one.distance, answer.from, answer.to};
        }
      });
}

}  // namespace

absl::StatusOr<std::vector<BlastRay>> cubeFan(int n, double step, std::int64_t power) {
  constexpr int kMost = 256;
  if (n < 2 || n > kMost) {
    return absl::InvalidArgumentError(
        absl::StrCat("a fan of ", n, " points an edge; it must have 2 to ", kMost));
  }
  // Written so that NaN fails.
  if (!(step >= 0x1p-10 && step <= 0x1p10)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a fan with steps of length ", internal::numberText(step), "; it must be 2^-10 to 2^10"));
  }
  const auto on_edge = [&](int i) { return i == 0 || i == n - 1; };
  std::vector<BlastRay> rays;
  for (int x = 0; x < n; ++x) {
    for (int y = 0; y < n; ++y) {
      for (int z = 0; z < n; ++z) {
        if (!on_edge(x) && !on_edge(y) && !on_edge(z)) continue;
        // From the cube's centre, in half widths of the lattice; a whole number.
        const Vec3i to{2 * x - (n - 1), 2 * y - (n - 1), 2 * z - (n - 1)};
        const double scale =
            step / std::sqrt(static_cast<double>(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]));
        BlastRay ray{.power = power};
        for (int axis = 0; axis < 3; ++axis)
          ray.step[axis] = roundedUnits(static_cast<double>(to[axis]) * scale);
        rays.push_back(ray);
      }
    }
  }
  return rays;
}

namespace {

// The working memory of a blast.
struct BlastMemory {
  std::vector<BlastTask>& tasks;
  std::vector<FoundEntity>& found;
};

absl::Status findBlast(const internal::ServiceState& state, const BlastCall& call, LevelMask levels,
                       Blast& blast, const BlastMemory& memory, ParallelFor parallel_for) {
  const BlastQuery& query = call.query;
  const BlastOptions& options = call.options;
  const auto reset = [&blast] {
    blast.blocks.clear();
    blast.entities.clear();
    blast.reaches_unknown = false;
    blast.samples = 0;
  };
  reset();
  blast.version = state.version();
  const absl::StatusOr<CheckedBlast> of = checked(query, state, levels, options);
  if (!of.ok()) return of.status();
  // Also if block_filter throws, or memory runs out.
  absl::Cleanup clear = reset;
  constexpr std::size_t kRays = internal::kQueriesInTask;
  memory.tasks.resize((query.rays.size() + kRays - 1) / kRays);
  for (BlastTask& task : memory.tasks)
    task.reset();
  std::atomic<std::uint64_t> samples = 0;
  internal::answerAll(
      query.rays.size(), parallel_for, [&](std::size_t begin, std::size_t end, bool /*in_order*/) {
        BlastTask& task = memory.tasks[begin / kRays];
        samples.fetch_sub(task.samples, std::memory_order_relaxed);  // of a run that has thrown
        task.reset();
        RayFollower rays(*of, state.world, levels, options, samples, task);
        for (std::size_t ray = begin; ray < end; ++ray) {
          if (!rays.follow(static_cast<std::uint32_t>(ray))) return;
        }
      });
  if (samples.load(std::memory_order_relaxed) > options.max_samples) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the rays of the blast have more samples than max_samples, ",
                     options.max_samples, "; use fewer rays, longer steps or a higher limit"));
  }
  for (const BlastTask& task : memory.tasks) {
    blast.samples += task.samples;
    blast.reaches_unknown = blast.reaches_unknown || task.reaches_unknown;
    blast.blocks.insert(blast.blocks.end(), task.broken.begin(), task.broken.end());
  }
  orderOnce(blast.blocks);
  absl::Status status = entitiesInSphere(state.entities, query.center, query.radius, levels,
                                         options.filter, memory.found);
  if (!status.ok()) return status;
  exposeEntities(state, of->center, levels, options.sight, memory.found, parallel_for,
                 blast.entities);
  std::move(clear).Cancel();
  return absl::OkStatus();
}

}  // namespace

absl::Status RayQueryService::blast(const BlastQuery& query, LevelMask levels,
                                    const BlastOptions& options, Blast& blast,
                                    ParallelFor parallel_for) const {
  const BlastCall call{query, options};
  absl::Status status =
      findBlast(*state_, call, levels, blast, {blast.tasks_, blast.found_}, parallel_for);
  return internal::observeSight(*state_, call, levels, std::move(status), blast);
}

}  // namespace fractalray
