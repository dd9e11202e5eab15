// SPDX-License-Identifier: Apache-2.0
// Checks that bindings, world and index after any number of random calls equal plain maps of blocks
// and entities, also if memory runs out at random and while snapshots are held; and that shots hit
// the same as in a world and an index made of these maps. Ten times as many if the environment
// variable FRACTALRAY_LONG_TESTS is set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "../../query/block_bindings.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/long_run.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"

namespace fractalray {
namespace {

using oracle::AllocationFailure;
using oracle::kReeds;
using oracle::kStone;
using oracle::kWater;
using oracle::Rng;

constexpr int kLevels = 2;

using ChunkKey = std::pair<int, ChunkCoord>;
using Block = std::pair<int, BlockCoord>;

struct Bound {
  EntityHandle handle;
  EntitySpec spec;
  Vec3i position;             // in units
  std::optional<Block> to{};  // the block that it is bound to
};

// Blocks that are not air, of chunks that are loaded, and entities by id.
struct Model {
  std::set<ChunkKey> chunks;
  std::map<Block, BlockTypeId> blocks;
  std::map<EntityId, Bound> entities;

  bool isLoaded(int level, const ChunkCoord& at) const { return chunks.contains({level, at}); }
  bool isMovable(const Block& block) const {
    return isLoaded(block.first, chunkOf(block.second)) &&
           !isLoaded(block.first + 1, childChunk(block.second));
  }
  BlockTypeId typeOf(const Block& block) const {
    const auto found = blocks.find(block);
    return found == blocks.end() ? kAir : found->second;
  }
  std::vector<EntityHandle> boundTo(const Block& block) const {
    std::vector<EntityHandle> handles;
    for (const auto& [id, entity] : entities) {
      if (entity.to == block) handles.push_back(entity.handle);
    }
    std::sort(handles.begin(), handles.end());
    return handles;
  }
  void removeBound(const std::function<bool(const Block&)>& is_gone) {
    std::erase_if(entities, [&](const auto& entity) {
      return entity.second.to.has_value() && is_gone(*entity.second.to);
    });
  }
};

class BlockBindingsModelTest : public testing::Test {
 protected:
  // A call of the library, which may be repeated if memory runs out, and returns true if it
  // succeeded; and its effect on the model.
  struct Call {
    std::function<bool()> run;
    bool is_allowed = true;
    std::function<void(Model&)> apply;
  };

  // There are few blocks, so that calls often concern the same ones.
  Block randomBlock() {
    const int level = rng_.below(kLevels);
    BlockCoord block;
    for (int axis = 0; axis < 3; ++axis)
      block[axis] = rng_.pick<std::int64_t>({0, 1, 15, 16, 17, -1});
    return {level, block};
  }
  // Returns a block with bindings, or any.
  Block usedBlock() {
    if (rng_.oneIn(3) || model_.entities.empty()) return randomBlock();
    return randomEntity().to.value_or(randomBlock());
  }
  Bound& randomEntity() {
    return std::next(model_.entities.begin(), rng_.below(static_cast<int>(model_.entities.size())))
        ->second;
  }
  Vec3d randomPosition() {
    Vec3d position;
    for (int axis = 0; axis < 3; ++axis)
      position[axis] = static_cast<double>(rng_.in(-2400, 2400)) / 8;
    return position;
  }

  Call bind() {
    if (model_.entities.empty()) return add();
    const Bound& entity = randomEntity();
    const Block block = randomBlock();
    return {[=, this] { return bindings_.bind(entity.handle, block.first, block.second).ok(); },
            model_.isLoaded(block.first, chunkOf(block.second)),
            [=](Model& model) { model.entities.at(entity.spec.id).to = block; }};
  }
  Call unbind() {
    if (model_.entities.empty()) return add();
    const Bound& entity = randomEntity();
    return {[=, this] { return bindings_.unbind(entity.handle).ok(); }, entity.to.has_value(),
            [=](Model& model) { model.entities.at(entity.spec.id).to = std::nullopt; }};
  }
  Call moveBlock() {
    const Block from = usedBlock();
    const Block to{from.first, randomBlock().second};
    const bool is_free = from == to || model_.boundTo(to).empty();
    return {[=, this] { return bindings_.moveBlock(from.first, from.second, to.second).ok(); },
            model_.isMovable(from) && model_.isMovable(to) && is_free,
            [=, this](Model& model) {
              const BlockTypeId type = model.typeOf(from);
              model.blocks.erase(from);
              model.blocks[to] = type;
              for (auto& [id, entity] : model.entities) {
                if (entity.to != from) continue;
                entity.to = to;
                for (int axis = 0; axis < 3; ++axis)
                  entity.position[axis] +=
                      (to.second[axis] - from.second[axis]) * world_.frame().blockWidth(from.first);
              }
            }};
  }
  Call removeBlock() {
    const Block block = usedBlock();
    return {[=, this] { return bindings_.removeBlock(block.first, block.second).ok(); },
            model_.isLoaded(block.first, chunkOf(block.second)),
            [=](Model& model) {
              model.blocks.erase(block);
              model.removeBound([&](const Block& to) { return to == block; });
            }};
  }
  static void eraseChunk(Model& model, const ChunkKey& chunk) {
    model.chunks.erase(chunk);
    std::erase_if(model.blocks, [&](const auto& block) {
      return ChunkKey(block.first.first, chunkOf(block.first.second)) == chunk;
    });
  }
  Call unloadChunk() {
    const Block block = usedBlock();
    const ChunkKey chunk{block.first, chunkOf(block.second)};
    return {[=, this] { return bindings_.unloadChunk(chunk.first, chunk.second).ok(); },
            model_.chunks.contains(chunk),
            [=](Model& model) {
              eraseChunk(model, chunk);
              model.removeBound(
                  [&](const Block& to) { return ChunkKey(to.first, chunkOf(to.second)) == chunk; });
            }};
  }
  Call removeUnloaded() {
    const std::size_t before = model_.entities.size();
    Model after = model_;
    after.removeBound(
        [&](const Block& to) { return !after.isLoaded(to.first, chunkOf(to.second)); });
    const std::size_t removed = before - after.entities.size();
    return {[=, this] { return bindings_.removeUnloaded() == removed; }, true,
            [=](Model& model) { model = after; }};
  }

  // Edits world and index directly.
  Call unloadElsewhere() {
    const Block block = randomBlock();
    const ChunkKey chunk{block.first, chunkOf(block.second)};
    return {[=, this] { return world_.unloadChunk(chunk.first, chunk.second).ok(); },
            model_.chunks.contains(chunk), [=](Model& model) { eraseChunk(model, chunk); }};
  }
  Call load() {
    const Block block = randomBlock();
    const ChunkKey chunk{block.first, chunkOf(block.second)};
    return {[=, this] { return world_.loadChunk(chunk.first, chunk.second, Chunk()).ok(); }, true,
            [=](Model& model) {
              eraseChunk(model, chunk);
              model.chunks.insert(chunk);
            }};
  }
  Call set() {
    const Block block = randomBlock();
    const BlockTypeId type = rng_.pick({kWater, kReeds, kStone, kAir});
    return {[=, this] { return world_.setBlock(block.first, block.second, type).ok(); },
            model_.isLoaded(block.first, chunkOf(block.second)),
            [=](Model& model) { model.blocks[block] = type; }};
  }
  Call add() {
    EntitySpec spec{.id = next_id_++,
                    .level = rng_.below(kLevels),
                    .shape = Sphere{static_cast<double>(rng_.in(0, 80)) / 4},
                    .position = randomPosition()};
    const auto added = std::make_shared<EntityHandle>();
    return {[=, this] {
              *added = entities_.add(spec).value();
              return true;
            },
            true,
            [=](Model& model) {
              model.entities[spec.id] = {*added, spec, toUnits(spec.position, "").value()};
            }};
  }
  Call remove() {
    if (model_.entities.empty()) return add();
    const Bound& entity = randomEntity();
    return {[=, this] { return entities_.remove(entity.handle).ok(); }, true,
            [=](Model& model) { model.entities.erase(entity.spec.id); }};
  }
  Call update() {
    if (model_.entities.empty()) return add();
    const Bound& entity = randomEntity();
    EntityUpdate update{.shape = Sphere{static_cast<double>(rng_.in(0, 80)) / 4}};
    if (rng_.oneIn(2)) update.position = randomPosition();
    return {[=, this] { return entities_.update(entity.handle, update).ok(); }, true,
            [=](Model& model) {
              Bound& updated = model.entities.at(entity.spec.id);
              updated.spec.shape = *update.shape;
              if (update.position) updated.position = toUnits(*update.position, "").value();
            }};
  }
  Call randomCall() {
    switch (rng_.below(24)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        return bind();
      case 5:
        return unbind();
      case 6:
      case 7:
      case 8:
      case 9:
        return moveBlock();
      case 10:
      case 11:
        return removeBlock();
      case 12:
        return unloadChunk();
      case 13:
        return removeUnloaded();
      case 14:
        return unloadElsewhere();
      case 15:
      case 16:
        return load();
      case 17:
      case 18:
        return set();
      case 19:
        return remove();
      case 20:
        return update();
      default:
        return add();
    }
  }

  // Runs a call, with memory that runs out now and then: then nothing has changed, and it runs
  // again.
  void run(const Call& call) {
    const std::uint64_t world_version = world_.version();
    const std::uint64_t index_version = entities_.version();
    const std::size_t bindings = bindings_.size();
    std::size_t successes =
        rng_.oneIn(2) ? static_cast<std::size_t>(rng_.below(14)) : std::size_t{1'000'000};
    if (!AllocationFailure::isSupported()) successes = 1'000'000;
    for (;; successes += 5) {
      try {
        std::optional<AllocationFailure> failure;
        if (successes < 1'000'000) failure.emplace(successes);
        const bool is_done = call.run();
        failure.reset();
        ASSERT_EQ(is_done, call.is_allowed);
        if (!is_done) {
          ASSERT_EQ(world_.version(), world_version);
          ASSERT_EQ(entities_.version(), index_version);
          return;
        }
        return call.apply(model_);
      } catch (const std::bad_alloc&) {
        ++failures_;
      }
      ASSERT_EQ(world_.version(), world_version);
      ASSERT_EQ(entities_.version(), index_version);
      ASSERT_EQ(bindings_.size(), bindings);
      ASSERT_NO_FATAL_FAILURE(expectEqual());
    }
  }

  void expectEqual() const {
    ASSERT_EQ(entities_.size(), model_.entities.size());
    std::map<Block, std::vector<EntityHandle>> bound;
    for (const auto& [id, expected] : model_.entities) {
      const Entity* const entity = entities_.find(expected.handle);
      ASSERT_NE(entity, nullptr);
      ASSERT_EQ(entity->id, id);
      ASSERT_EQ(entity->position, expected.position);
      const auto block = bindings_.blockOf(expected.handle);
      ASSERT_EQ(block.has_value(), expected.to.has_value());
      if (!block.has_value()) continue;
      ASSERT_EQ(Block(block->level, block->block), *expected.to);
      bound[*expected.to].push_back(expected.handle);
    }
    std::map<ChunkKey, std::size_t> counts;
    for (auto& [block, handles] : bound) {
      std::sort(handles.begin(), handles.end());
      ASSERT_EQ(bindings_.boundTo(block.first, block.second), handles);
      counts[{block.first, chunkOf(block.second)}] += handles.size();
    }
    for (const auto& [chunk, count] : counts)
      ASSERT_EQ(bindings_.boundInChunk(chunk.first, chunk.second).size(), count);
    for (const auto& [block, type] : model_.blocks)
      ASSERT_EQ(world_.block(block.first, block.second).value(), type);
    for (int level = 0; level < kLevels; ++level) {
      const auto loaded =
          std::count_if(model_.chunks.begin(), model_.chunks.end(),
                        [&](const ChunkKey& chunk) { return chunk.first == level; });
      ASSERT_EQ(world_.loadedChunks(level), static_cast<std::size_t>(loaded));
    }
  }

  // Returns the position of an entity or the middle of a block that is not air.
  Vec3d somethingsPosition() {
    if (!model_.entities.empty() && rng_.oneIn(2)) return toBlocks(randomEntity().position);
    if (model_.blocks.empty()) return randomPosition();
    const int number = rng_.below(static_cast<int>(model_.blocks.size()));
    const auto& [level, block] = std::next(model_.blocks.begin(), number)->first;
    const double width = toBlocks(world_.frame().blockWidth(level));
    Vec3d position;
    for (int axis = 0; axis < 3; ++axis)
      position[axis] = width * (static_cast<double>(block[axis]) + 0.5);
    return position;
  }

  // Compares shots with those through a world and an index that are made of the model.
  void expectSameShots() {
    World fresh({.levels = kLevels, .block_types = oracle::sceneTypes()});
    for (const auto& [level, at] : model_.chunks)
      ASSERT_TRUE(fresh.loadChunk(level, at, Chunk()).ok());
    for (const auto& [block, type] : model_.blocks)
      ASSERT_TRUE(fresh.setBlock(block.first, block.second, type).ok());
    EntityIndex entities(fresh.frame());
    for (const auto& [id, entity] : model_.entities) {
      EntitySpec spec = entity.spec;
      spec.position = toBlocks(entity.position);
      ASSERT_TRUE(entities.add(spec).ok());
    }
    const RayQueryService service(world_, entities_);
    const RayQueryService expected(fresh, entities);
    for (int i = 0; i < 10; ++i) {
      const Segment segment{randomPosition(), somethingsPosition()};
      for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
        QueryOptions options;
        options.pass = pass;
        ShotResult shot = service.shootSegment(segment, LevelMask::all(), options).value();
        ShotResult other = expected.shootSegment(segment, LevelMask::all(), options).value();
        hits_ += shot.hits.size();
        for (ShotResult* const result : {&shot, &other}) {
          result->version = {};
          for (Hit& hit : result->hits)
            hit.entity = {};
        }
        ASSERT_EQ(oracle::difference(shot, other), "");
      }
    }
  }

  Rng rng_{"BlockBindingsModelTest"};
  World world_{{.levels = kLevels, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  BlockBindings bindings_{world_, entities_};
  Model model_;
  EntityId next_id_ = 1;
  int failures_ = 0;
  std::size_t hits_ = 0;
};

TEST_F(BlockBindingsModelTest, AnyHistoryEqualsAPlainModel) {
  const int calls = oracle::isLongRun() ? 200'000 : 20'000;
  std::shared_ptr<const World> world;
  std::shared_ptr<const EntityIndex> entities;
  std::size_t held_entities = 0;
  std::size_t most_bound = 0;
  for (int i = 0; i < calls; ++i) {
    SCOPED_TRACE(i);
    const Call call = randomCall();
    ASSERT_NO_FATAL_FAILURE(run(call));
    ASSERT_NO_FATAL_FAILURE(expectEqual());
    most_bound = std::max(most_bound, bindings_.size());
    if (i % 50 == 0) {
      ASSERT_NO_FATAL_FAILURE(expectSameShots());
    }
    if (rng_.oneIn(15)) {
      if (entities != nullptr) {
        ASSERT_EQ(entities->all().size(), held_entities);
      }
      world = rng_.oneIn(3) ? nullptr : world_.snapshot();
      entities = rng_.oneIn(3) ? nullptr : entities_.snapshot();
      held_entities = entities_.size();
    }
  }
  EXPECT_GT(failures_, AllocationFailure::isSupported() ? calls / 20 : -1);
  EXPECT_GT(hits_, 1000U);
  EXPECT_GT(most_bound, 20U);
}

}  // namespace
}  // namespace fractalray
