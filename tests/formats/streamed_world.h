// SPDX-License-Identifier: Apache-2.0
// An endless world with everything in it, and what a plain model says of it: positions below the
// root in big integers, and the blocks that the source supplies with the changes to them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../core/thread_executor.h"
#include "../../core/units.h"
#include "../../query/window.h"
#include "../../streaming/chunk_streamer.h"
#include "../../streaming/visibility_stream.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "../query/window_model.h"
#include "../streaming/changed_blocks.h"
#include "../streaming/threaded_source.h"
#include "change_store_fixture.h"

namespace fractalray {

inline constexpr int kLevels = 3;
inline constexpr double kLoad = 0.6;

// Returns true if the source has a chunk at a path.
inline bool exists(const std::string& path) {
  return !oracle::Rng(path + "?").oneIn(6);
}

// A store that returns an error from all calls for as long as it has one, as if it were locked or
// the disk were full.
class FailingStore final : public ChunkChanges {
 public:
  explicit FailingStore(std::unique_ptr<ChangeStore> opened) : store(std::move(opened)) {}

  absl::StatusOr<std::vector<ChangedBlock>> changesOf(const ChunkPath& chunk) override {
    if (!fault.ok()) return fault;
    return store->changesOf(chunk);
  }
  absl::Status record(std::span<const BlockChange> changes) override {
    return fault.ok() ? store->record(changes) : fault;
  }
  absl::StatusOr<std::vector<BlockChange>> due(std::int64_t now, std::size_t limit) override {
    if (!fault.ok()) return fault;
    return store->due(now, limit);
  }

  std::unique_ptr<ChangeStore> store;
  absl::Status fault;
};

// A window, entities, a streamer for two viewers with a store of changes in a file, and a source
// with threads of its own, changed at random together with the model.
class StreamedWorld {
 protected:
  explicit StreamedWorld(const std::string& seed)
      : rng_(seed), source_(2, [this](const std::string& path) { return answerFor(path); }) {
    for (int step = 0; step < 40; ++step)
      follow(model_.descend({7, 7, 7}), window_.descend({7, 7, 7}));
    open();
  }

  // Fails the first request for some paths. Called on the threads of the source.
  absl::StatusOr<Chunk> answerFor(const std::string& path) {
    if (!exists(path)) return absl::NotFoundError(path);
    if (oracle::Rng(path + "!").oneIn(6)) {
      const std::scoped_lock lock(mutex_);
      if (failed_.emplace(path, true).second) return absl::UnavailableError(path);
    }
    return Chunk::copied(suppliedFor(path), world_.blockTypes());
  }
  void open() {
    auto store = ChangeStore::open(folder_.file("world.changes"), world_.blockTypes());
    ASSERT_TRUE(store.ok()) << store.status();
    changes_of_file_.emplace(*std::move(store));
    StreamOptions options;
    for (int level = 0; level < kLevels; ++level)
      options.radii.emplace_back(StreamRadii{kLoad, 2 * kLoad});
    options.retry_ticks = 1;
    options.max_retry_ticks = 2;
    streamer_.emplace(ChunkStreamer::create(window_, source_, options, &*changes_of_file_).value());
    sights_.clear();
    for (std::size_t i = 0; i < viewers_.size(); ++i) {
      sights_.push_back(VisibilityStream::create(window_, {.rays = 200, .distance = 2000}).value());
    }
  }
  // Loses everything that is not in the file.
  void reopen() {
    streamer_.reset();
    changes_of_file_.reset();
    unloadAll(world_);
    open();
  }

  // Converts everything after a move, and compares what it has left out.
  void follow(const std::optional<WindowModel::Left>& left,
              const absl::StatusOr<WindowMove>& move) {
    ASSERT_EQ(left.has_value(), move.ok()) << move.status();
    if (!move.ok()) return;
    EXPECT_EQ(move->evicted, left->evicted);
    for (Vec3i& viewer : viewers_)
      viewer = move->frame_move.pointAfter(viewer).value_or(Vec3i{});
  }
  // More often down than up, so that it gets deep, and up to the root in between.
  void moveWindow() {
    const int kind = rng_.below(4);
    if (kind == 0) {
      for (int climbs = rng_.pick({1, 1, 1, 100}); climbs > 0; --climbs)
        follow(model_.climb(), window_.climb());
    } else if (kind == 1) {
      const ChunkCoord near{rng_.in(-9, 9), rng_.in(-9, 9), rng_.in(-9, 9)};
      follow(model_.recenter(near), window_.recenter(near));
    } else {
      for (int descents = rng_.pick({1, 1, 2, 9}); descents > 0; --descents) {
        const ChunkCoord into = world_.frame().chunkAt(someViewer(), 1);
        follow(model_.descend(into), window_.descend(into));
      }
    }
    EXPECT_EQ(window_.anchor().text(), model_.path(0, {0, 0, 0}));
    gatherViewers();
  }
  Vec3i& someViewer() {
    return viewers_[static_cast<std::size_t>(rng_.below(static_cast<int>(viewers_.size())))];
  }
  // Returns viewers that a climb has left outside of the root, or a descent far from all others.
  void gatherViewers() {
    const std::int64_t limit = 2 * world_.frame().chunkWidth(0);
    for (Vec3i& viewer : viewers_) {
      bool is_lost = !model_.path(0, world_.frame().chunkAt(viewer, 0)).has_value();
      for (int axis = 0; axis < 3; ++axis)
        is_lost = is_lost || std::abs(viewer[axis]) > limit;
      if (is_lost) viewer = {100, 100, 100};
    }
  }
  void moveViewers() {
    const std::int64_t step = world_.frame().chunkWidth(rng_.below(kLevels)) / 2;
    const std::int64_t limit = 2 * world_.frame().chunkWidth(0);
    Vec3i& viewer = someViewer();
    for (int axis = 0; axis < 3; ++axis)
      viewer[axis] = std::clamp(viewer[axis] + rng_.in(-step, step), -limit, limit);
  }
  // Returns a point near a viewer on the scale of a level, sometimes at a corner of blocks.
  Vec3i pointNear() {
    const int level = rng_.below(kLevels);
    const std::int64_t width = world_.frame().blockWidth(level);
    Vec3i point = someViewer();
    for (int axis = 0; axis < 3; ++axis)
      point[axis] += rng_.in(-20 * width, 20 * width);
    if (rng_.oneIn(4)) point = Vec3i{world_.frame().blockAt(point, level).values} * width;
    return point;
  }

  // Returns a point of an entity, of a loaded chunk's water, or near a viewer.
  Vec3i target() {
    if (!model_.entities.empty() && rng_.oneIn(3)) return someEntity()->second.position;
    const int level = rng_.below(kLevels);
    std::vector<ChunkCoord> loaded;
    world_.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk&) { loaded.push_back(at); });
    if (loaded.empty() || rng_.oneIn(4)) return pointNear();
    std::sort(loaded.begin(), loaded.end());
    const ChunkCoord at =
        loaded[static_cast<std::size_t>(rng_.below(static_cast<int>(loaded.size())))];
    const BlockCoord water = blockOf(at, indexInChunk({rng_.below(16), 7, 7}));
    const std::int64_t width = world_.frame().blockWidth(level);
    return Vec3i{water.values} * width + Vec3i{rng_.in(0, width), rng_.in(0, width), width / 2};
  }
  std::map<EntityId, WindowModel::ModelEntity>::iterator someEntity() {
    auto it = model_.entities.begin();
    std::advance(it, rng_.below(static_cast<int>(model_.entities.size())));
    return it;
  }

  // Adds an entity, or moves or removes one.
  void editEntities() {
    if (model_.entities.size() < 30 && rng_.oneIn(2)) {
      const EntitySpec spec{.id = next_id_++,
                            .level = rng_.below(kLevels),
                            .shape = Sphere{static_cast<double>(rng_.pick({0, 1, 9, 70}))},
                            .position = toBlocks(pointNear())};
      const absl::StatusOr<EntityHandle> handle = entities_.add(spec);
      if (handle.ok()) model_.copyEntity(entities_, *handle);
    } else if (!model_.entities.empty()) {
      const auto it = someEntity();
      if (rng_.oneIn(4)) {
        EXPECT_TRUE(entities_.remove(it->second.handle).ok());
        model_.entities.erase(it);
      } else if (entities_.move(it->second.handle, toBlocks(pointNear())).ok()) {
        model_.copyEntity(entities_, it->second.handle);
      }
    }
  }
  // Returns a change to a block near a viewer, with the path that the model has for it.
  std::optional<BlockChange> randomChange() {
    const int level = rng_.below(kLevels);
    BlockCoord block = world_.frame().blockAt(someViewer(), level);
    for (int axis = 0; axis < 3; ++axis)
      block[axis] += rng_.in(-12, 12);
    std::optional<BlockTypeId> type;
    if (!rng_.oneIn(5)) type = rng_.pick({kAir, oracle::kStone, oracle::kGlass});
    std::optional<std::int64_t> reverts_at;
    if (type.has_value() && rng_.oneIn(3)) reverts_at = now_ + rng_.below(10);
    const auto change = streamer_->changeOf(level, block, type, reverts_at);
    const std::optional<std::string> path = model_.path(level, chunkOf(block));
    EXPECT_EQ(change.ok(), path.has_value());
    if (!change.ok()) return std::nullopt;
    EXPECT_EQ(change->chunk.text(), *path);
    return *change;
  }
  void setBlocks() {
    std::vector<BlockChange> changes;
    for (int count = rng_.pick({1, 1, 5, 50}); count > 0; --count) {
      const std::optional<BlockChange> change = randomChange();
      if (change.has_value()) changes.push_back(*change);
    }
    const absl::Status& fault = changes_of_file_->fault;
    ASSERT_EQ(streamer_->setBlocks(changes), changes.empty() ? absl::OkStatus() : fault);
    if (!fault.ok()) return;  // all or nothing
    changes_.record(changes);
  }
  void revert() {
    now_ += rng_.below(5);
    if (!changes_of_file_->fault.ok()) {
      EXPECT_EQ(streamer_->revertChanges(now_).status(), changes_of_file_->fault);
      return;
    }
    changes_.revert(now_);
    while (streamer_->revertChanges(now_, 7).value() > 0) {
    }
  }
  void tick() {
    const bool on_threads = rng_.oneIn(2);
    const absl::Status status =
        on_threads ? streamer_->tick(viewers_, threads_) : streamer_->tick(viewers_);
    ASSERT_TRUE(status.ok()) << status;
  }

  // Makes the store fail for some steps, and then work again.
  void failOrRecover() {
    absl::Status& fault = changes_of_file_->fault;
    if (!fault.ok() && rng_.oneIn(3)) {
      fault = absl::OkStatus();
    } else if (fault.ok() && rng_.oneIn(8)) {
      fault = rng_.oneIn(2) ? absl::UnavailableError("locked")
                            : absl::ResourceExhaustedError("the disk is full");
      ++faults_;
    }
  }

  oracle::Rng rng_;
  luanti_fixture::TempDirectory folder_;
  World world_{{.levels = kLevels, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_};
  WindowModel model_{.frame = world_.frame()};
  RayQueryService service_{world_, entities_};
  ThreadExecutor threads_{2};
  std::array<Vec3i, 2> viewers_{Vec3i{100, 100, 100}, Vec3i{-100, 9000, 100}};
  std::mutex mutex_;
  std::map<std::string, bool> failed_;  // paths whose first request has failed
  ThreadedSource source_;
  std::optional<FailingStore> changes_of_file_;
  std::optional<ChunkStreamer> streamer_;
  std::vector<VisibilityStream> sights_;  // of the viewers
  EntityId next_id_ = 1;
  std::int64_t now_ = 0;
  ChangedBlocks changes_;
  int faults_ = 0;
};

}  // namespace fractalray
