// SPDX-License-Identifier: Apache-2.0
#include "dive_scene.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "random.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
// The viewer's circle around its target, and its height above it, in blocks of the finest level.
constexpr double kCircle = 24;
constexpr double kHeight = 14;
constexpr double kAnglePerTick = 0.02;
// The level of entities in the beginning: not the finest, since a climb evicts entities of that.
constexpr int kEntityLevel = DiveScene::kLevels - 2;
// Their radius, and how far from the viewer they are, in blocks of their own level.
constexpr double kEntityRadius = 0.4;
constexpr double kEntityReach = 200;
constexpr double kEntityHeight = 20;
// They walk around the viewer: 0.2 blocks of their level a tick on average, 4 a second.
constexpr double kEntityAnglePerTick = 0.0015;
constexpr double kSightDistance = 4096;
constexpr double kShotRange = 512;
constexpr std::size_t kEdits = 20;
constexpr std::size_t kChunksPerTick = 64;

StreamOptions streamOptions(double radius, std::size_t chunks_per_tick) {
  StreamOptions options;
  options.radii.assign(DiveScene::kLevels, StreamRadii{radius, radius + 1});
  options.chunks_per_tick = chunks_per_tick;
  options.bytes_per_tick = std::size_t{1} << 40;
  options.max_bytes = std::size_t{1} << 40;
  options.max_pending = chunks_per_tick;
  return options;
}

std::unique_ptr<ChangeStore> makeStore(const std::filesystem::path& file,
                                       const BlockTypeTable& types) {
  std::filesystem::remove(file);
  return unwrap(ChangeStore::open(file.string(), types));
}

// Adds the time of a work to a figure.
template <class Work>
void time(double& millis, const Work& work) {
  const Clock::time_point begin = Clock::now();
  work();
  millis += millisSince(begin);
}

}  // namespace

DiveScene::DiveScene(const DiveLoad& load, const ThreadExecutor& threads)
    : load_(load),
      threads_(threads),
      way_(fractalWay(kSeed, types_, load.depth + kLevels + 2)),
      window_(world_, entities_, pathOfTargets(std::span(way_).first(load.depth))),
      source_(world_.blockTypes(), types_, kSeed),
      file_(std::filesystem::temp_directory_path() / "fractalray_dive.changes"),
      store_(makeStore(file_, world_.blockTypes())),
      streamer_(unwrap(
          ChunkStreamer::create(window_, source_, streamOptions(load.radius, 4096), store_.get()))),
      sight_(unwrap(
          VisibilityStream::create(window_, {.rays = load.rays, .distance = kSightDistance}))) {
  fly();
  do {
    const Vec3i viewer = unwrap(toUnits(viewer_, "the viewer"));
    checkOk(streamer_.tick({&viewer, 1}, threads_));
  } while (!streamer_.loaded().empty() || streamer_.stats().pending > 0);
  checkOk(streamer_.setOptions(streamOptions(load.radius, kChunksPerTick)));
  for (EntityId id = 0; id < load.entities; ++id) {
    handles_.push_back(unwrap(entities_.add({.id = id,
                                             .level = kEntityLevel,
                                             .shape = Sphere{kEntityRadius * entityBlock()},
                                             .position = positionOf(id)})));
  }
}

DiveScene::~DiveScene() {
  store_.reset();
  std::filesystem::remove(file_);
}

std::size_t DiveScene::chunks() const {
  std::size_t chunks = 0;
  for (int level = 0; level < kLevels; ++level)
    chunks += world_.loadedChunks(level);
  return chunks;
}

void DiveScene::fly() {
  const std::size_t depth = window_.anchor().steps().size();
  Vec3d target;
  double width = toBlocks(world_.frame().blockWidth(0));
  for (std::size_t level = 0; level < kLevels; ++level) {
    for (int axis = 0; axis < 3; ++axis)
      target[axis] += width * way_[depth + level].target[axis];
    width /= 16;
  }
  const double angle = kAnglePerTick * static_cast<double>(ticks_);
  viewer_ = target + Vec3d{kCircle * std::cos(angle), kHeight, kCircle * std::sin(angle)};
}

DiveCost DiveScene::tick() {
  DiveCost cost;
  double processor = -processMillis();
  ++ticks_;
  time(cost.moves, [&] { moveWindow(); });
  fly();
  const Vec3i viewer = unwrap(toUnits(viewer_, "the viewer"));
  time(cost.loads, [&] {
    unwrap(streamer_.want(sight_.unknown()));
    checkOk(streamer_.tick({&viewer, 1}, threads_));
  });
  processor += processMillis();
  decideMoves();
  processor -= processMillis();
  time(cost.entities, [&] { checkOk(entities_.moveAll(moves_)); });
  time(cost.sight, [&] { checkOk(sight_.tick(service_, {.from = viewer}, threads_)); });
  time(cost.shots, [&] { shoot(); });
  time(cost.edits, [&] { edit(); });
  cost.processor = processor + processMillis();
  time(cost.pause, [&] {
    moved_.reset();
    if (ticks_ % kUpkeepTicks == 0) checkOk(store_->maintain());
  });
  return cost;
}

void DiveScene::moveWindow() {
  if (ticks_ % kMoveTicks != 0) return;
  const FractalChunk::Step& step = way_[load_.depth].target;
  moved_ =
      unwrap(ticks_ / kMoveTicks % 2 == 1 ? window_.descend(ChunkCoord{step[0], step[1], step[2]})
                                          : window_.climb());
}

double DiveScene::entityBlock() const {
  const auto descents = static_cast<int>(window_.anchor().steps().size() - load_.depth);
  return toBlocks(world_.frame().blockWidth(kEntityLevel - descents));
}

Vec3d DiveScene::positionOf(EntityId id) const {
  Random random(id);
  const double angle = kEntityAnglePerTick * static_cast<double>(ticks_) + 6.28 * random.real();
  const double reach = kEntityReach * std::sqrt(random.real());
  const Vec3d offset{reach * std::cos(angle), kEntityHeight * (2 * random.real() - 1),
                     reach * std::sin(angle)};
  return viewer_ + entityBlock() * offset;
}

void DiveScene::decideMoves() {
  moves_.clear();
  for (std::size_t id = 0; id < handles_.size(); ++id)
    moves_.push_back({handles_[id], positionOf(id)});
}

void DiveScene::shoot() {
  bullets_.clear();
  Random random(ticks_);
  for (std::size_t i = 0; i < load_.shots; ++i) {
    const Vec3d direction{random.real() - 0.5, random.real() - 0.5, random.real() - 0.5};
    bullets_.push_back(
        {.line = Ray{.origin = viewer_, .direction = direction, .max_distance = kShotRange}});
  }
  checkOk(service_.shootSegment(bullets_, {}, shots_, threads_));
}

void DiveScene::edit() {
  edits_.clear();
  for (const Hit& hit : shots_.hits) {
    if (!hit.isBlock() || edits_.size() == kEdits) continue;
    edits_.push_back(unwrap(streamer_.changeOf(hit.level, hit.block, types_.lamp)));
  }
  checkOk(streamer_.setBlocks(edits_));
}

}  // namespace fractalray::bench
