// SPDX-License-Identifier: Apache-2.0
#include "visibility_stream.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../core/internal/access.h"
#include "../core/internal/containers/vector_capacity.h"
#include "../core/internal/geometry/line.h"
#include "../core/internal/number_text.h"
#include "../levels/internal/world_content.h"
#include "internal/anchor_follower.h"
#include "internal/direction_sequence.h"
#include "internal/sight_set.h"

namespace fractalray {
namespace internal {

// A chunk that rays looked into, and their number.
struct LookedInto {
  ChunkOfLevel chunk;
  std::size_t rays = 1;
};

namespace {

auto rankOf(const ChunkOfLevel& chunk) {
  return std::tie(chunk.level, chunk.chunk);
}

// Adds up equal chunks, and sorts those that most rays looked into first.
void addUp(std::vector<LookedInto>& looked) {
  const auto by_chunk = [](const LookedInto& a, const LookedInto& b) {
    return rankOf(a.chunk) < rankOf(b.chunk);
  };
  std::sort(looked.begin(), looked.end(), by_chunk);
  auto last = looked.begin();
  for (auto it = looked.begin(); it != looked.end(); ++it) {
    if (it == last) continue;
    if (it->chunk == last->chunk) {
      ++last->rays;
    } else {
      *++last = *it;
    }
  }
  if (!looked.empty()) looked.erase(last + 1, looked.end());
  std::sort(looked.begin(), looked.end(), [&](const LookedInto& a, const LookedInto& b) {
    return a.rays != b.rays ? a.rays > b.rays : by_chunk(a, b);
  });
}

// Returns a ray of a given length, in units, cut where it leaves the frame.
FixedSegment rayFrom(const Vec3i& from, const Vec3d& direction, double length) {
  constexpr auto kMost = static_cast<double>(kMaxCoordinate);
  for (int axis = 0; axis < 3; ++axis) {
    const auto at = static_cast<double>(from[axis]);
    const double space = kMost - (direction[axis] < 0 ? -at : at);
    const double reach = std::abs(direction[axis]) * length;
    if (reach > space) length *= space / reach;
  }
  FixedSegment ray{.from = from, .to = from};
  for (int axis = 0; axis < 3; ++axis) {
    ray.to[axis] += std::llround(direction[axis] * length);
    ray.to[axis] = std::clamp(ray.to[axis], -kMaxCoordinate, kMaxCoordinate);
  }
  return ray;
}

absl::Status checkOptions(const VisibilityOptions& options, const Frame& frame) {
  constexpr double kMost = static_cast<double>(kMaxCoordinate) / kUnitsPerBlock;
  if (options.rays == 0 || options.rays > VisibilityOptions::kMaxRays) {
    return absl::InvalidArgumentError(absl::StrCat(
        "rays is ", options.rays, "; it must be from 1 to ", VisibilityOptions::kMaxRays));
  }
  if (options.forget_ticks == 0) {
    return absl::InvalidArgumentError(
        "forget_ticks is 0; nothing would stay in sight: it must be at least 1");
  }
  if (!(options.distance > 0 && options.distance <= kMost)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "distance is ", internal::numberText(options.distance),
        " finest-block widths; it must be more than 0 and at most ", internal::numberText(kMost)));
  }
  if (options.levels.activeIn(frame).empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the level mask has no active level; the window has levels 0 to ", frame.levels() - 1));
  }
  return absl::OkStatus();
}

absl::Status checkView(const ViewCone& view) {
  const Vec3d& direction = view.direction;
  const bool is_finite =
      std::isfinite(direction[0]) && std::isfinite(direction[1]) && std::isfinite(direction[2]);
  if (!is_finite || direction == Vec3d{}) {
    return absl::InvalidArgumentError(absl::StrCat("the direction of the view is [", direction[0],
                                                   ", ", direction[1], ", ", direction[2],
                                                   "]; it must be finite and not zero"));
  }
  if (!(view.cos_half_angle >= -1 && view.cos_half_angle <= 1)) {
    return absl::InvalidArgumentError(absl::StrCat("cos_half_angle is ",
                                                   internal::numberText(view.cos_half_angle),
                                                   "; a cosine is from -1 (all directions) to 1"));
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (view.from[axis] >= -kMaxCoordinate && view.from[axis] <= kMaxCoordinate) continue;
    return absl::OutOfRangeError(absl::StrCat("the viewer is at ", view.from[axis],
                                              " units on axis ", axis,
                                              ", outside of the frame's 2^61 units"));
  }
  return absl::OkStatus();
}

}  // namespace

class VisibilityState {
 public:
  VisibilityState(const Window& window, const VisibilityOptions& options)
      : window_(window), options_(options), anchor_(window) {
    shot_.filter = options.filter;
    shot_.stop_at_unknown = true;
  }

  absl::Status tick(const RayQueryService& service, const ViewCone& view,
                    ParallelFor parallel_for) {
    if (absl::Status status = checkView(view); !status.ok()) return status;
    FRACTALRAY_DCHECK(isOfThisFrame(service.world()), service.version().world);
    followWindow();
    DirectionSequence directions = directions_;
    aim(view, directions);
    absl::Status status = service.closestHit(queries_, shot_, batch_, parallel_for);
    if (!status.ok()) return status;
    if (!batch_.errors.empty()) return batch_.errors.front().status;
    reserve();
    // Nothing throws any more.
    directions_ = directions;
    take(service.world());
    return status;
  }

  void clear() {
    blocks_ = {};
    chunks_ = {};
    changes_ = {};
    unknown_.clear();
    entered_.clear();
  }

  const VisibilityOptions& options() const { return options_; }
  std::uint64_t ticks() const { return now_; }
  const VisibilityChanges& changes() const { return changes_; }
  std::span<const ChunkOfLevel> unknown() const { return unknown_; }
  std::span<const ChunkOfLevel> entered() const { return entered_; }
  const SightSet<SeenBlock>& blocks() {
    followWindow();
    return blocks_;
  }
  const SightSet<SeenChunk>& chunks() {
    followWindow();
    return chunks_;
  }
  bool isActive(int level) const { return window_.world().frame().isActive(level); }

 private:
  // Returns false for a snapshot that was taken before the window's last move. Reads nothing of the
  // window's world that an edit changes: another thread may be editing it.
  bool isOfThisFrame(const World& world) const {
    return internal::Access::content(world).last_move.version() ==
           internal::Access::content(window_.world()).last_move.version();
  }
  void followWindow() {
    if (!anchor_.hasMoved(window_)) return;
    AnchorFollower anchor(window_);
    const FrameShift shift = anchor_.shift(window_);
    blocks_.follow(window_.world().frame(), shift);
    chunks_.follow(window_.world().frame(), shift);
    anchor_ = std::move(anchor);
  }

  // Makes the queries of a tick.
  void aim(const ViewCone& view, DirectionSequence& directions) {
    const DirectionCone cone(view.direction, view.cos_half_angle);
    queries_.resize(options_.rays);
    for (BatchQuery& query : queries_) {
      query.line = rayFrom(view.from, directions.next(cone), options_.distance * kUnitsPerBlock);
      query.levels = options_.levels;
    }
  }

  void reserve() {
    const std::size_t rays = queries_.size();
    const LevelMask levels = options_.levels.activeIn(window_.world().frame());
    blocks_.reserve(rays, levels);
    chunks_.reserve(rays, levels);
    ensureCapacity(changes_.blocks_in, rays);
    ensureCapacity(changes_.chunks_in, rays);
    ensureCapacity(changes_.blocks_out, blocks_.size());
    ensureCapacity(changes_.chunks_out, chunks_.size());
    ensureCapacity(looked_, rays);
    ensureCapacity(unknown_, rays);
    ensureCapacity(crossed_, 2 * rays);
    ensureCapacity(entered_, 2 * rays);
  }

  // Takes the answers of the batch, which were found in `world`.
  void take(const World& world) {
    ++now_;
    changes_.blocks_in.clear();
    changes_.chunks_in.clear();
    changes_.blocks_out.clear();
    changes_.chunks_out.clear();
    looked_.clear();
    crossed_.clear();
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      const auto& ray = std::get<FixedSegment>(queries_[i].line);
      const Hit& hit = batch_.answers[i];
      const std::optional<double>& unknown_from = batch_.unknown_from[i];
      if (hit.isBlock()) {
        see(hit);
        cross(world, chunkAround(hit));
      } else if (unknown_from.has_value()) {
        lookInto(world, ray, *unknown_from);
      }
      const bool is_hit = hit.kind != Hit::Kind::kNone;
      sample(world, ray, is_hit ? hit.t : unknown_from.value_or(1));
    }
    if (now_ > options_.forget_ticks) {
      blocks_.forget(now_ - options_.forget_ticks, changes_.blocks_out);
      chunks_.forget(now_ - options_.forget_ticks, changes_.chunks_out);
    }
    list(looked_, unknown_);
    list(crossed_, entered_);
  }

  void see(const Hit& hit) {
    const SeenBlock block{hit.level, hit.block, hit.type, now_, now_};
    const bool is_new = blocks_.see(block, [&](SeenBlock& seen) {
      seen.type = hit.type;
      seen.last = now_;
    });
    if (is_new) changes_.blocks_in.push_back(block);
    const SeenChunk chunk{hit.level, chunkOf(hit.block), now_, now_};
    if (chunks_.see(chunk, [&](SeenChunk& seen) { seen.last = now_; })) {
      changes_.chunks_in.push_back(chunk);
    }
  }

  // Returns the level of unknown(): the coarsest one of the mask.
  int coarsestLevel() const { return std::countr_zero(options_.levels.bits()); }
  ChunkCoord chunkAround(const Hit& hit) const {
    ChunkCoord chunk = chunkOf(hit.block);
    for (int level = hit.level; level > coarsestLevel(); --level)
      chunk = chunkOf(parentBlock(chunk));
    return chunk;
  }
  // Notes a chunk that a ray has entered, if it is loaded.
  void cross(const World& world, const ChunkCoord& chunk) {
    if (world.chunk(coarsestLevel(), chunk) == nullptr) return;
    crossed_.push_back({{coarsestLevel(), chunk}});
  }
  // Notes the chunk at one point of a ray before `end`: over many rays, each part of what they
  // cross has its share.
  void sample(const World& world, const FixedSegment& ray, double end) {
    // Multiples of the golden ratio, which have nothing to do with those of the directions.
    samples_ += 0x9e3779b97f4a7c15U;
    const double t = end * (static_cast<double>(samples_ >> 11) * 0x1p-53);
    const Line line(ray);
    const Vec3i cell = line.cellAfter(fractionOf(t), world.frame().chunkShift(coarsestLevel()));
    cross(world, {cell[0], cell[1], cell[2]});
  }
  static Fraction fractionOf(double t) {
    return {static_cast<std::int64_t>(t * static_cast<double>(kWholeLine)), kWholeLine};
  }
  // Lists each chunk once.
  static void list(std::vector<LookedInto>& looked, std::vector<ChunkOfLevel>& chunks) {
    addUp(looked);
    chunks.clear();
    for (const LookedInto& one : looked)
      chunks.push_back(one.chunk);
  }

  // Notes the chunk that a ray enters where it becomes unknown.
  void lookInto(const World& world, const FixedSegment& ray, double unknown_from) {
    const int level = coarsestLevel();
    const int shift = world.frame().chunkShift(level);
    const Line line(ray);
    // The time is rounded: just before it, the line may still be in a loaded chunk, which it leaves
    // there.
    Fraction t = fractionOf(unknown_from);
    for (int attempt = 0; attempt < 2; ++attempt) {
      const Vec3i cell = line.cellAfter(t, shift);
      const ChunkCoord chunk{cell[0], cell[1], cell[2]};
      if (world.frame().contains(level, chunk) && world.chunk(level, chunk) == nullptr) {
        looked_.push_back({{level, chunk}});
        return;
      }
      t = line.leaveTime(cell, shift);
    }
  }

  const Window& window_;
  VisibilityOptions options_;
  QueryOptions shot_;
  AnchorFollower anchor_;
  DirectionSequence directions_;
  std::uint64_t now_ = 0;
  SightSet<SeenBlock> blocks_;
  SightSet<SeenChunk> chunks_;
  VisibilityChanges changes_;
  std::vector<ChunkOfLevel> unknown_;
  std::vector<ChunkOfLevel> entered_;
  std::uint64_t samples_ = 0;

  // Working memory of a tick.
  std::vector<BatchQuery> queries_;
  ClosestBatch batch_;
  std::vector<LookedInto> looked_;
  std::vector<LookedInto> crossed_;
};

}  // namespace internal

using internal::VisibilityState;

absl::StatusOr<VisibilityStream> VisibilityStream::create(const Window& window,
                                                          const VisibilityOptions& options) {
  absl::Status status = internal::checkOptions(options, window.world().frame());
  if (!status.ok()) return status;
  return VisibilityStream(std::make_unique<VisibilityState>(window, options));
}

VisibilityStream::VisibilityStream(std::unique_ptr<VisibilityState> state)
    : state_(std::move(state)) {}
VisibilityStream::~VisibilityStream() = default;
VisibilityStream::VisibilityStream(VisibilityStream&&) noexcept = default;
VisibilityStream& VisibilityStream::operator=(VisibilityStream&&) noexcept = default;

const VisibilityOptions& VisibilityStream::options() const {
  return state_->options();
}

absl::Status VisibilityStream::tick(const RayQueryService& service, const ViewCone& view,
                                    ParallelFor parallel_for) {
  return state_->tick(service, view, parallel_for);
}

void VisibilityStream::clear() {
  state_->clear();
}

std::uint64_t VisibilityStream::ticks() const {
  return state_->ticks();
}

const VisibilityChanges& VisibilityStream::changes() const {
  return state_->changes();
}

std::span<const ChunkOfLevel> VisibilityStream::unknown() const {
  return state_->unknown();
}

std::span<const ChunkOfLevel> VisibilityStream::entered() const {
  return state_->entered();
}

std::optional<SeenBlock> VisibilityStream::seenBlock(int level, const BlockCoord& block) const {
  if (!state_->isActive(level)) return std::nullopt;
  const SeenBlock* const seen = state_->blocks().find(level, {block[0], block[1], block[2]});
  return seen == nullptr ? std::nullopt : std::optional(*seen);
}

std::optional<SeenChunk> VisibilityStream::seenChunk(int level, const ChunkCoord& chunk) const {
  if (!state_->isActive(level)) return std::nullopt;
  const SeenChunk* const seen = state_->chunks().find(level, {chunk[0], chunk[1], chunk[2]});
  return seen == nullptr ? std::nullopt : std::optional(*seen);
}

std::size_t VisibilityStream::blocks() const {
  return state_->blocks().size();
}

std::size_t VisibilityStream::chunks() const {
  return state_->chunks().size();
}

void VisibilityStream::forEachBlock(absl::FunctionRef<void(const SeenBlock&)> visit) const {
  state_->blocks().forEach(visit);
}

void VisibilityStream::forEachChunk(absl::FunctionRef<void(const SeenChunk&)> visit) const {
  state_->chunks().forEach(visit);
}

}  // namespace fractalray
