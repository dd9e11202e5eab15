// SPDX-License-Identifier: Apache-2.0
//
// Every step of a query examines a node of a tree (an area, a region, a chunk, a brick or a block)
// that its line touches, or nearly touches. So the steps of a pass over a level are bounded by the
// number of nodes of each width along the line:
//
//   - A line that crosses c planes between nodes enters c + 1 of them. It touches at most four
//     times as many (if it runs along an edge), and a few at its ends: mostTouched().
//   - There are no more nodes than are loaded, or occupied.
//   - In unloaded space, a walk over areas skips empty cubes 4^k areas wide. Each such cube lies in
//     a cube four times as wide that is not empty, of which a line touches a few parts:
//     walkSteps().
//
// A shot that pauses reads slice by slice. A pass pauses once it, or another, has found enough, or
// after a chunk of entities; each slice walks the areas again and examines again the nodes around
// the time at which the slice before has paused: addSlices(). Chunks of entities are read whole,
// and at most twice.
#include "step_bound.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "../../core/tree64.h"
#include "../../entities/internal/entity_store.h"
#include "../../levels/internal/world_content.h"
#include "exclusions.h"
#include "passes.h"

namespace fractalray::internal {
namespace {

// Returns a bound on the cells of a width that a line touches, or misses by little, while it
// crosses that many planes between them.
constexpr std::uint64_t mostTouched(std::uint64_t crossings) {
  return 4 * crossings + 16;
}
// Bricks and blocks of one chunk: three planes between the bricks on each axis, 15 between blocks.
constexpr std::uint64_t kMostBricks = std::min<std::uint64_t>(64, mostTouched(3ULL * 3));
constexpr std::uint64_t kMostBlocks = mostTouched(3ULL * 15);
// Cells that a walk visits each time that it leaves an empty cube: at most 7 at a corner crossing.
constexpr std::uint64_t kMostAtCorner = 7;
// The number of times that a walk leaves one of 4 x 4 x 4 empty cubes: 3 planes and an end on each
// axis.
constexpr std::uint64_t kMostInCube = 12;
// Widths above this are those of cubes that only the planes through the origin divide.
constexpr int kWidestShift = 61;
// Nodes around the time of a pause that the next slice examines again: a box of 3 blocks on each
// axis, and of 2 nodes of each of the four heights above.
constexpr std::uint64_t kReadAgain = 27 + 4 * 8;
// A pass finds this many candidates in a slice before it pauses, from the sixth slice on (see
// CandidateStream).
constexpr std::uint64_t kEnough = 256;
constexpr std::uint64_t kSlicesUntilEnough = 6;

class StepBound {
 public:
  explicit StepBound(const QueryContext& context)
      : context_(context),
        line_(context.line),
        frame_(context.world.frame()),
        whole_{.from = Fraction::zero(), .to = context.line.end()} {}

  StepEstimate run() {
    const QueryFilter& filter = context_.options.filter;
    for (int level = 0; level < frame_.levels(); ++level) {
      if (!context_.levels.contains(level)) continue;
      if (filter.blocks && chunksOf(level).loadedChunks() > 0) addBlocks(level);
      addUnknown(level);
    }
    const EntityStore& store = context_.entities.store();
    if (filter.entities && store.size() > 0) {
      const LevelMask levels = store.gridLevels(context_.levels);
      for (int level = 0; level < frame_.levels(); ++level) {
        if (levels.contains(level)) addEntities(level);
      }
    }
    if (context_.mode == HitMode::kAll) {
      bound_.ordered = candidates_;
      addSlices();
    }
    if (context_.mode != HitMode::kAny && !context_.needsUnknown()) bound_.unknown = 0;
    bound_.listed = listed();
    return bound_;
  }

 private:
  // The steps of a pass that its slices repeat.
  struct Pass {
    std::uint64_t walk = 0;   // steps of the walk over areas
    std::uint64_t nodes = 0;  // of all widths
  };

  const Level& chunksOf(int level) const { return context_.world.content().level(level); }

  // Returns the number of planes between cells 2^shift units wide that the line crosses in a span,
  // on all axes together; one at either end of the span may be left out on each axis.
  std::uint64_t crossings(const TimeSpan& span, int shift) const {
    if (shift > kWidestShift) return 3;
    const Vec3i first = line_.cellAfter(span.from, shift);
    const Vec3i last = line_.cellAfter(span.to, shift);
    std::uint64_t sum = 0;
    for (int axis = 0; axis < 3; ++axis)
      sum += static_cast<std::uint64_t>(std::abs(last[axis] - first[axis]));
    return sum;
  }
  std::uint64_t touched(const TimeSpan& span, int shift) const {
    return mostTouched(crossings(span, shift));
  }

  // Returns the times at which the line is in the box of a level's loaded chunks, or at most a
  // chunk away from that box.
  std::optional<TimeSpan> spanNearBounds(int level) const {
    const ChunkBounds& bounds = chunksOf(level).bounds();
    if (bounds.empty()) return std::nullopt;
    return spanNear(shiftedUp(bounds.min(), 0), shiftedUp(bounds.max(), 0),
                    frame_.chunkShift(level));
  }
  // Returns the times at which the line is in a box of cells 2^shift units wide, or at most a cell
  // away from it.
  std::optional<TimeSpan> spanNear(const Vec3i& first, const Vec3i& last, int shift) const {
    Vec3i min;
    Vec3i max;
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = (first[axis] - 1) * (std::int64_t{1} << shift);
      max[axis] = (last[axis] + 2) * (std::int64_t{1} << shift);
    }
    std::optional<TimeSpan> span = line_.clip(min, max);
    if (!span.has_value() || span->from > whole_.to) return std::nullopt;
    span->to = std::min(span->to, whole_.to);
    return span;
  }

  // Returns the steps of a walk over cells 2^shift units wide that skips empty cubes; `cubes`
  // returns the number of cubes of 4^(height + 1) cells that are not empty.
  template <class Cubes>
  std::uint64_t walkSteps(int shift, int heights, const Cubes& cubes) const {
    std::uint64_t steps = 1 + kMostAtCorner;
    for (int height = 0; height < heights; ++height) {
      const std::uint64_t planes = crossings(whole_, shift + 2 * height);
      if (planes == 0) break;
      steps += kMostAtCorner * std::min<std::uint64_t>(planes + 1, kMostInCube * cubes(height));
    }
    return steps;
  }
  // Returns the steps of the fast passes over areas on their way to a span and along it; none if a
  // window of areas holds the span.
  template <class Areas>
  std::uint64_t areaSteps(const TimeSpan& span, int block_shift, const Areas& areas) const {
    const int shift = block_shift + kAreaLog2;
    // A window is four areas wide, and either end may add a crossing to those that are counted.
    if (crossings(span, shift) <= 1) return 0;
    return walkSteps(shift, SparseCellSet::kHeights,
                     [&](int height) { return areas.present().nodes(height); });
  }
  // Returns the steps of the plain passes over chunks of which `occupied` are not empty.
  template <class Areas>
  std::uint64_t chunkSteps(int block_shift, std::uint64_t occupied, const Areas& areas) const {
    const auto cubes = [&](int height) -> std::uint64_t {
      if (height == 0) return occupied;
      return height == 1 ? areas.size() : areas.present().nodes(height - 2);
    };
    return walkSteps(block_shift + kChunkLog2, SparseCellSet::kHeights + 2, cubes);
  }

  void addBlocks(int level) {
    const Level& level_chunks = chunksOf(level);
    const std::uint64_t loaded = level_chunks.loadedChunks();
    const int shift = frame_.blockShift(level);
    const std::optional<TimeSpan> span = spanNearBounds(level);
    if (!span.has_value()) return;
    if (!descendsTrees(context_.options.pass)) return addPlainBlocks(level, *span);
    const std::uint64_t chunks = std::min(touched(*span, shift + kChunkLog2), loaded);
    const std::uint64_t blocks = std::min(touched(*span, shift), chunks * kMostBlocks);
    const Pass pass{.walk = areaSteps(*span, shift, level_chunks.areas()),
                    .nodes = std::min<std::uint64_t>(touched(*span, shift + kAreaLog2),
                                                     level_chunks.areas().size()) +
                             std::min(touched(*span, shift + kRegionLog2), loaded) + chunks +
                             std::min(touched(*span, shift + kBrickLog2), chunks * kMostBricks) +
                             blocks};
    candidates_ += blocks;
    block_passes_[passes_++] = pass;
    bound_.blocks += pass.walk + pass.nodes;
  }
  // Adds the plain pass, which takes a step for each cell of its walk that it does not skip.
  void addPlainBlocks(int level, const TimeSpan& span) {
    const Level& level_chunks = chunksOf(level);
    const std::uint64_t loaded = level_chunks.loadedChunks();
    const int shift = frame_.blockShift(level);
    const std::uint64_t cells = std::min(
        touched(span, shift), std::min(touched(span, shift + kChunkLog2), loaded) * kMostBlocks);
    candidates_ += cells;
    bound_.blocks +=
        std::min(touched(span, shift), cells + chunkSteps(shift, loaded, level_chunks.areas()));
  }

  void addEntities(int index_level) {
    const EntityGrid& grid = context_.entities.store().grid(index_level);
    const int shift = frame_.blockShift(index_level);
    const std::uint64_t occupied = grid.pool().lists();
    if (occupied == 0) return;
    // The plain pass walks along the whole line.
    const std::optional<TimeSpan> span =
        descendsTrees(context_.options.pass)
            ? spanNear(grid.areaBox().min, grid.areaBox().max, shift + kAreaLog2)
            : whole_;
    if (!span.has_value()) return;
    const std::uint64_t chunks = std::min(touched(*span, shift + kChunkLog2), occupied);
    const std::uint64_t pages = grid.pool().mostPages(chunks);
    // Each page belongs to one chunk. Only a shot that pauses reads a chunk twice.
    const std::uint64_t reads =
        canPause(context_.options.pass) && context_.mode == HitMode::kAll ? 2 : 1;
    const std::uint64_t tests = reads * pages * EntityPage::kLanes;
    bound_.entities += reads * pages + tests;
    candidates_ += tests;
    entity_chunks_ += chunks;
    if (!descendsTrees(context_.options.pass)) {
      bound_.entities += chunkSteps(shift, occupied, grid.areas());
      return;
    }
    const Pass pass{
        .walk = areaSteps(*span, shift, grid.areas()),
        .nodes = std::min<std::uint64_t>(touched(*span, shift + kAreaLog2), grid.areas().size()) +
                 std::min(touched(*span, shift + kRegionLog2), occupied)};
    entity_passes_[index_passes_++] = pass;
    bound_.entities += pass.walk + pass.nodes;
  }

  // Adds the search for the unknown, each step of which leaves a loaded chunk of one of the levels.
  void addUnknown(int level) {
    const std::optional<TimeSpan> span = spanNearBounds(level);
    bound_.unknown += 4;
    if (!span.has_value()) return;
    bound_.unknown += std::min<std::uint64_t>(crossings(*span, frame_.chunkShift(level)) + 4,
                                              chunksOf(level).loadedChunks());
  }

  void addSlices() {
    const std::uint64_t passes = passes_ + index_passes_;
    if (!canPause(context_.options.pass) || passes == 0) {
      bound_.unknown *= 2;
      return;
    }
    const std::uint64_t pauses =
        std::min(kSlicesUntilEnough * passes + candidates_ / kEnough, candidates_);
    const std::uint64_t slices = pauses + entity_chunks_ + passes;
    for (std::size_t i = 0; i < passes_; ++i)
      bound_.blocks += slices * repeated(block_passes_[i]);
    for (std::size_t i = 0; i < index_passes_; ++i)
      bound_.entities += slices * repeated(entity_passes_[i]);
    // The unknown is searched for in each slice, and once more if max_hits has cut the shot.
    bound_.unknown = 2 * bound_.unknown + 3 * slices;
  }
  static std::uint64_t repeated(const Pass& pass) {
    return pass.walk + std::min(pass.nodes, kReadAgain);
  }

  std::uint64_t listed() const {
    const auto counted = [](std::size_t size) { return size > kShortList ? size : 0; };
    const ShotOptions& options = context_.options;
    const bool is_same = options.after.data() == context_.after.data() &&
                         options.after.size() == context_.after.size();
    return counted(options.filter.ignore.size() + context_.ignore.size()) +
           counted(context_.after.size() + (is_same ? 0 : options.after.size()));
  }

  const QueryContext& context_;
  const Line& line_;
  const Frame& frame_;
  TimeSpan whole_;
  StepEstimate bound_;
  std::uint64_t candidates_ = 0;
  std::uint64_t entity_chunks_ = 0;
  std::array<Pass, kMaxLevels> block_passes_{};
  std::array<Pass, kMaxLevels> entity_passes_{};
  std::size_t passes_ = 0;
  std::size_t index_passes_ = 0;
};

}  // namespace

StepEstimate boundSteps(const QueryContext& context) {
  return StepBound(context).run();
}

}  // namespace fractalray::internal
