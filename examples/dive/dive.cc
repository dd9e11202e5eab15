// SPDX-License-Identifier: Apache-2.0
#include "dive.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "fractalray/core/units.h"

namespace fractalray {
namespace {

// The ticks before the fall, in which the world around its beginning is loaded.
constexpr int kSettleTicks = 32;
constexpr std::size_t kRays = 1000;
constexpr double kSightDistance = 4096;  // in blocks of the finest level
constexpr int kBullets = 64;
constexpr double kBulletRange = 512;
// The cosine of half the angle of what the viewer sees.
constexpr double kViewCosine = 0.6;

// The tick of a stage in which blocks are changed, on the way down; in which they are checked, on
// the way up.
constexpr int kChangeTick = DiveRoute::kTicks / 2;
// The changed blocks are those within this distance, squared, of the block that was hit.
constexpr int kCraterSquare = 2;
// They keep this distance from the route.
constexpr int kRouteDistance = 4;

using Clock = std::chrono::steady_clock;

// Adds the time since it was made to a duration in milliseconds.
class Stopwatch {
 public:
  explicit Stopwatch(double& millis) : millis_(millis) {}
  ~Stopwatch() {
    millis_ += std::chrono::duration<double, std::milli>(Clock::now() - begin_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& millis_;
  Clock::time_point begin_ = Clock::now();
};

StreamOptions streamOptions(const BlockTypeTable& table, const FractalTypes& types) {
  StreamOptions options;
  options.radii = {StreamRadii{4, 5}, StreamRadii{4, 5}, StreamRadii{5, 6}, StreamRadii{5, 6}};
  options.chunks_per_tick = 96;
  // Lamps stay whole: the generator does not know of them.
  options.is_fertile = [&table, lamp = types.lamp](BlockTypeId type) {
    return type != lamp && table.kind(type, kDefaultChannel) != BlockKind::kEmpty;
  };
  return options;
}

Vec3d directionOf(const Camera& camera) {
  const Vec3d look = camera.target - camera.position;
  return look / length(look);
}

// Returns a direction around another, for bullet `i` of tick `tick`: spread evenly, by the
// fractional parts of multiples of irrational numbers (the sequence R3 of Roberts).
Vec3d bulletDirection(const Vec3d& ahead, std::size_t tick, int i) {
  const double number = static_cast<double>(tick) * kBullets + i;
  const auto part = [&](double of) { return of * number - std::floor(of * number) - 0.5; };
  return ahead +
         Vec3d{part(0.8191725133961645), part(0.6710436067037893), part(0.5497004779019703)};
}

std::int64_t greatestDistance(const BlockCoord& a, const BlockCoord& b) {
  std::int64_t most = 0;
  for (int axis = 0; axis < 3; ++axis)
    most = std::max(most, std::abs(a[axis] - b[axis]));
  return most;
}

Vec3d middleOf(const BlockCoord& block) {
  Vec3d middle;
  for (int axis = 0; axis < 3; ++axis)
    middle[axis] = static_cast<double>(block[axis]) + 0.5;
  return middle;
}

}  // namespace

Dive::Dive(const DiveOptions& options, const ThreadExecutor& threads)
    : threads_(threads),
      // The window's anchor has as many steps as the last stage has, less the levels below it.
      route_(options.seed, types_, options.levels + kLevels),
      source_(world_.blockTypes(), types_, options.seed),
      changes_(static_cast<std::size_t>(route_.stages())),
      sight_(
          VisibilityStream::create(window_, {.rays = kRays, .distance = kSightDistance}).value()) {}

absl::StatusOr<std::unique_ptr<Dive>> Dive::create(const DiveOptions& options,
                                                   const ThreadExecutor& threads) {
  std::unique_ptr<Dive> dive(new Dive(options, threads));
  absl::Status status = dive->open(options.changes);
  if (!status.ok()) return status;
  return dive;
}

absl::Status Dive::open(const std::string& changes) {
  absl::StatusOr<std::unique_ptr<ChangeStore>> store =
      ChangeStore::open(changes, world_.blockTypes());
  if (!store.ok()) return store.status();
  store_ = *std::move(store);
  absl::StatusOr<ChunkStreamer> streamer = ChunkStreamer::create(
      window_, source_, streamOptions(world_.blockTypes(), types_), store_.get());
  if (!streamer.ok()) return streamer.status();
  streamer_ = *std::move(streamer);
  return absl::OkStatus();
}

std::size_t Dive::ticks() const {
  return kSettleTicks + 2 * static_cast<std::size_t>(route_.stages() * DiveRoute::kTicks);
}

absl::Status Dive::run(absl::FunctionRef<absl::Status(const DiveMoment&)> after_tick) {
  const auto run_tick = [&](const DiveMoment& moment) {
    absl::Status status = tick(moment);
    return status.ok() ? after_tick(moment) : status;
  };
  for (int i = 0; i < kSettleTicks; ++i) {
    absl::Status status = run_tick({.is_settling = true});
    if (!status.ok()) return status;
  }
  for (int stage = 0; stage < route_.stages(); ++stage) {
    for (int i = 0; i < DiveRoute::kTicks; ++i) {
      absl::Status status = run_tick({.stage = stage, .tick = i});
      if (!status.ok()) return status;
    }
  }
  deepest_ = window_.anchor();
  for (int stage = route_.stages(); stage-- > 0;) {
    for (int i = DiveRoute::kTicks; i-- > 0;) {
      absl::Status status = run_tick({.stage = stage, .tick = i, .is_climb = true});
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

absl::Status Dive::tick(const DiveMoment& moment) {
  DiveCounts& counts = this->counts(moment);
  TickCost cost;
  absl::Status status = moveTo(moment, cost);
  if (!status.ok()) return status;
  const Camera camera = route_.camera(world_.frame(), moment.stage, moment.tick);
  const absl::StatusOr<Vec3i> viewer = toUnits(camera.position, "the viewer");
  if (!viewer.ok()) return viewer.status();
  status = load(*viewer, cost, counts);
  if (status.ok()) status = look(*viewer, camera, cost, counts);
  if (status.ok()) status = shoot(camera, cost, counts);
  if (status.ok() && moment.tick == kChangeTick) {
    status = moment.is_climb ? check(moment.stage, counts) : change(camera, moment.stage, cost);
  }
  ++counts.ticks;
  costs_.push_back(cost);
  return status;
}

absl::Status Dive::moveTo(const DiveMoment& moment, TickCost& cost) {
  const auto steps = static_cast<std::size_t>(DiveRoute::anchorSteps(world_.frame(), moment.stage));
  const std::size_t now = window_.anchor().steps().size();
  if (steps == now) return absl::OkStatus();
  const Stopwatch stopwatch(cost.moves);
  const FractalChunk::Step& step = route_.target(static_cast<int>(now));
  const absl::StatusOr<WindowMove> move =
      steps > now ? window_.descend(ChunkCoord{step[0], step[1], step[2]}) : window_.climb();
  if (!move.ok()) return move.status();
  DiveCounts& counts = this->counts(moment);
  counts.dropped += move->dropped_chunks;
  ++counts.moves;
  return absl::OkStatus();
}

absl::Status Dive::load(const Vec3i& viewer, TickCost& cost, DiveCounts& counts) {
  const Stopwatch stopwatch(cost.loads);
  const StreamStats before = streamer_->stats();
  absl::Status status = streamer_->tick({&viewer, 1}, threads_);
  const StreamStats after = streamer_->stats();
  counts.requested += after.requested - before.requested;
  counts.loaded += after.loaded - before.loaded;
  counts.unloaded += after.unloaded - before.unloaded;
  return status;
}

absl::Status Dive::look(const Vec3i& viewer, const Camera& camera, TickCost& cost,
                        DiveCounts& counts) {
  const Stopwatch stopwatch(cost.sight);
  const ViewCone view{
      .from = viewer, .direction = directionOf(camera), .cos_half_angle = kViewCosine};
  absl::Status status = sight_.tick(service_, view, threads_);
  if (status.ok()) status = streamer_->want(sight_.unknown()).status();
  counts.rays += kRays;
  counts.seen += sight_.changes().blocks_in.size();
  return status;
}

absl::Status Dive::shoot(const Camera& camera, TickCost& cost, DiveCounts& counts) {
  const Stopwatch stopwatch(cost.shots);
  const Vec3d ahead = directionOf(camera);
  bullets_.clear();
  for (int i = 0; i < kBullets; ++i) {
    bullets_.push_back({.line = Ray{.origin = camera.position,
                                    .direction = bulletDirection(ahead, costs_.size(), i),
                                    .max_distance = kBulletRange}});
  }
  absl::Status status = service_.shootSegment(bullets_, {}, shots_, threads_);
  if (!status.ok()) return status;
  counts.shots += bullets_.size();
  counts.hits += shots_.hits.size();
  const std::optional<Hit> around =
      firstHit({.origin = camera.position, .direction = ahead, .max_distance = 0.01});
  if (around.has_value() && around->start_inside) ++counts.enclosed;
  return absl::OkStatus();
}

std::optional<Hit> Dive::firstHit(const Ray& ray) const {
  QueryOptions options;
  options.filter.solid_only = true;
  const absl::StatusOr<ClosestHit> shot = service_.closestHit(ray, LevelMask::all(), options);
  return shot.ok() ? shot->hit : std::nullopt;
}

std::optional<BlockCoord> Dive::aim(const Camera& camera, int stage) const {
  const BlockCoord target = route_.block(world_.frame(), stage);
  const Vec3d ahead = directionOf(camera);
  const Vec3d side = Vec3d{ahead[2], 0, -ahead[0]} / length(Vec3d{ahead[2], 0, -ahead[0]});
  for (const int aside : {5, -5, 7, -7, 4, -4}) {
    for (const int below : {0, 2, 4, 8}) {
      const Vec3d to = middleOf(target) + side * aside - Vec3d{0, static_cast<double>(below), 0};
      const std::optional<Hit> hit = firstHit({.origin = camera.position,
                                               .direction = to - camera.position,
                                               .max_distance = 2 * DiveRoute::kDistance});
      if (hit.has_value() && hit->level == finest() &&
          greatestDistance(hit->block, target) >= kRouteDistance)
        return hit->block;
    }
  }
  return std::nullopt;
}

absl::Status Dive::change(const Camera& camera, int stage, TickCost& cost) {
  const Stopwatch stopwatch(cost.edits);
  if (stage < finest()) return absl::OkStatus();  // the blocks of the stage are not the finest
  const std::optional<BlockCoord> middle = aim(camera, stage);
  if (!middle.has_value()) return absl::OkStatus();
  std::vector<Change>& changes = changes_[static_cast<std::size_t>(stage)];
  std::vector<BlockChange> stored;
  for (int i = 0; i < 27; ++i) {
    const BlockCoord from_middle{i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
    if (dot(from_middle, from_middle) > kCraterSquare) continue;
    const BlockCoord block = *middle + from_middle;
    const absl::StatusOr<BlockTypeId> type = world_.block(finest(), block);
    if (!type.ok() || world_.blockTypes().kind(*type, kDefaultChannel) != BlockKind::kSolid) {
      continue;
    }
    const absl::StatusOr<BlockChange> change =
        streamer_->changeOf(finest(), block, block == *middle ? types_.lamp : kAir);
    if (!change.ok()) return change.status();
    changes.push_back({block, *change});
    stored.push_back(*change);
  }
  down_.changed += stored.size();
  return streamer_->setBlocks(stored);
}

absl::Status Dive::check(int stage, DiveCounts& counts) {
  for (const Change& change : changes_[static_cast<std::size_t>(stage)]) {
    const absl::StatusOr<ChunkPath> path = window_.path(finest(), chunkOf(change.block));
    if (!path.ok()) return path.status();
    const absl::StatusOr<BlockTypeId> type = world_.block(finest(), change.block);
    const bool is_found = *path == change.change.chunk && type.ok() && *type == change.change.type;
    ++(is_found ? counts.found : counts.missing);
  }
  return absl::OkStatus();
}

}  // namespace fractalray
