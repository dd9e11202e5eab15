// SPDX-License-Identifier: Apache-2.0
// Checks that an index after any number of random calls, one by one and many at once, equals one
// built from scratch, in crowds and far apart. 10^4 calls; 10^6 if the environment variable
// FRACTALRAY_LONG_TESTS is set.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../entities/entity_index.h"
#include "../../entities/internal/entity_store.h"
#include "../oracle/rng.h"
#include "../oracle/shape_oracle.h"

namespace fractalray {
namespace {

using oracle::Rng;

struct Living {
  EntityHandle handle;
  Entity entity;  // as the contract requires it
};

class EntityIndexModelTest : public testing::Test {
 protected:
  void start(int levels) {
    index_ = std::make_unique<EntityIndex>(Frame(levels));
    living_.clear();
    dead_.clear();
    occupants_.clear();
  }
  const Frame& frame() const { return index_->frame(); }

  // The positions of the entities.
  enum class Spots : std::uint8_t {
    kMixed,  // around the origin, on the scale of every level
    kCrowd,  // in a few of the finest chunks
    kApart,  // anywhere, mostly alone in their areas
  };

  Vec3d randomPosition(Rng& rng) const {
    const int finest = frame().levels() - 1;
    const int scale = spots_ == Spots::kCrowd ? finest : rng.below(frame().levels());
    const double width = blocksFromUnits(frame().blockWidth(scale));
    const std::int64_t reach = spots_ == Spots::kCrowd ? 20 : 40;
    Vec3d position;
    for (int axis = 0; axis < 3; ++axis) {
      position[axis] = width * static_cast<double>(rng.in(-reach, reach));
      if (spots_ == Spots::kApart) position[axis] += 0x1p36 * static_cast<double>(rng.in(-9, 9));
    }
    return position;
  }
  EntitySpec randomSpec(Rng& rng) const {
    EntitySpec spec;
    spec.id = static_cast<EntityId>(rng.in(0, 300));
    spec.level = rng.below(frame().levels());
    spec.entity_class = EntityClassId(static_cast<std::uint32_t>(rng.below(5)));
    spec.categories = rng.next();
    spec.position = randomPosition(rng);
    const int scale = rng.below(frame().levels());
    const double width = blocksFromUnits(frame().blockWidth(scale));
    const std::int64_t most = spots_ == Spots::kCrowd && !rng.oneIn(4) ? 4 : 31;
    const auto size = [&] { return width * static_cast<double>(rng.in(0, most)) / 2; };
    if (rng.oneIn(2)) {
      spec.shape = Sphere{size()};
    } else {
      spec.shape = Box{{size(), size(), size()}};
    }
    return spec;
  }

  void add(Rng& rng) {
    const EntitySpec spec = randomSpec(rng);
    const absl::StatusOr<EntityHandle> handle = index_->add(spec);
    if (living_.contains(spec.id)) {
      ASSERT_EQ(handle.status().code(), absl::StatusCode::kAlreadyExists);
      return;
    }
    ASSERT_TRUE(handle.ok()) << handle.status();
    remember(spec, *handle);
  }
  // Computes an added entity by the contract.
  void remember(const EntitySpec& spec, EntityHandle handle) {
    for (const EntityHandle& other : dead_)
      ASSERT_NE(other, handle) << "a handle came back";
    Entity entity;
    entity.id = spec.id;
    entity.categories = spec.categories;
    entity.position = unitsFromBlocks(spec.position, "").value();
    entity.shape = toUnits(spec.shape).value();
    entity.entity_class = spec.entity_class;
    entity.level = static_cast<std::int8_t>(spec.level);
    entity.index_level =
        static_cast<std::int8_t>(oracle::indexLevelOf(frame(), entity.shape).value());
    living_[spec.id] = {handle, entity};
    enter(living_[spec.id]);
  }

  void move(Rng& rng) {
    if (living_.empty()) return;
    Living& one = randomLiving(rng);
    const Vec3d position = nextPosition(rng, one);
    ASSERT_TRUE(index_->move(one.handle, position).ok());
    rememberMove(one, position);
  }
  Vec3d nextPosition(Rng& rng, const Living& one) const {
    if (rng.oneIn(2)) return randomPosition(rng);
    // A small step, mostly within the same chunks.
    Vec3d position = blocksFromUnits(one.entity.position);
    position[rng.below(3)] += static_cast<double>(rng.in(-8, 8)) / 8;
    return position;
  }
  void rememberMove(Living& one, const Vec3d& position) {
    leave(one);
    one.entity.position = unitsFromBlocks(position, "").value();
    enter(one);
  }

  // Returns any update of an entity, refused now and then.
  void update(Rng& rng) {
    if (living_.empty()) return;
    Living& one = randomLiving(rng);
    const EntitySpec spec = randomSpec(rng);
    EntityUpdate update;
    if (rng.oneIn(2)) update.level = spec.level;
    if (rng.oneIn(2)) update.entity_class = spec.entity_class;
    if (rng.oneIn(2)) update.shape = spec.shape;
    if (rng.oneIn(3)) update.position = nextPosition(rng, one);
    if (rng.oneIn(2)) update.categories = spec.categories;
    const bool is_refused = rng.oneIn(8);
    if (is_refused) spoil(rng, update);
    const std::uint64_t version = index_->version();
    ASSERT_EQ(index_->update(one.handle, update).ok(), !is_refused);
    if (is_refused) {
      ++refusals_;
      ASSERT_EQ(index_->version(), version);
      return expectEntityEqual(one);
    }
    const Entity before = one.entity;
    leave(one);
    become(one.entity, update);
    enter(one);
    ASSERT_EQ(index_->version(), version + (one.entity == before ? 0 : 1));
    ASSERT_NO_FATAL_FAILURE(expectEntityEqual(one));
  }
  static void spoil(Rng& rng, EntityUpdate& update) {
    switch (rng.below(4)) {
      case 0:
        update.level = rng.pick({-1, 10, 1000});
        break;
      case 1:
        update.shape = Sphere{rng.pick({-1.0, 1e12, std::numeric_limits<double>::infinity()})};
        break;
      case 2:
        update.shape = Box{{1, std::numeric_limits<double>::quiet_NaN(), 1}};
        break;
      default:
        update.position =
            Vec3d{0, 0, rng.pick({0x1p45 + 1, -std::numeric_limits<double>::infinity()})};
    }
  }
  // Computes an updated entity by the contract.
  void become(Entity& entity, const EntityUpdate& update) const {
    if (update.level) entity.level = static_cast<std::int8_t>(*update.level);
    if (update.entity_class) entity.entity_class = *update.entity_class;
    if (update.shape) entity.shape = toUnits(*update.shape).value();
    if (update.position) entity.position = unitsFromBlocks(*update.position, "").value();
    if (update.categories) entity.categories = *update.categories;
    entity.index_level =
        static_cast<std::int8_t>(oracle::indexLevelOf(frame(), entity.shape).value());
  }

  void remove(Rng& rng) {
    if (living_.empty()) return;
    const Living one = randomLiving(rng);
    ASSERT_TRUE(index_->remove(one.handle).ok());
    forget(one);
  }
  void forget(const Living& one) {
    leave(one);
    dead_.push_back(one.handle);
    if (dead_.size() > 50) dead_.erase(dead_.begin());
    living_.erase(one.entity.id);
  }

  // Updates many at once; once in a while one of them is refused, and then nothing has changed.
  void addMany(Rng& rng) {
    std::vector<EntitySpec> specs;
    std::set<EntityId> ids;
    std::optional<std::size_t> refused;
    for (int i = rng.below(20); i > 0; --i) {
      specs.push_back(randomSpec(rng));
      const bool is_new = !living_.contains(specs.back().id) && ids.insert(specs.back().id).second;
      if (is_new) continue;
      if (rng.oneIn(20)) {
        refused = refused.value_or(specs.size() - 1);
      } else {
        specs.pop_back();
      }
    }
    if (!specs.empty() && rng.oneIn(6)) {
      const auto bad = static_cast<std::size_t>(rng.below(static_cast<int>(specs.size())));
      specs[bad].position[1] = std::numeric_limits<double>::quiet_NaN();
      refused = std::min(refused.value_or(bad), bad);
    }
    const absl::StatusOr<std::vector<EntityHandle>> handles = index_->addAll(specs);
    ASSERT_NO_FATAL_FAILURE(expectRefusal(handles.status(), refused, specs.size(), "entity ", rng));
    if (refused.has_value()) return;
    ASSERT_EQ(handles->size(), specs.size());
    for (std::size_t i = 0; i < specs.size(); ++i)
      ASSERT_NO_FATAL_FAILURE(remember(specs[i], (*handles)[i]));
  }
  void moveMany(Rng& rng) {
    std::vector<EntityMove> moves;
    std::optional<std::size_t> refused;
    if (living_.empty()) return;
    for (int i = rng.below(40); i > 0; --i) {  // some of them twice
      const Living& one = randomLiving(rng);
      moves.push_back({one.handle, nextPosition(rng, one)});
    }
    if (!moves.empty() && rng.oneIn(4)) {
      const auto bad = static_cast<std::size_t>(rng.below(static_cast<int>(moves.size())));
      refused = bad;
      if (!dead_.empty() && rng.oneIn(2)) {
        moves[bad].entity = dead_.back();
      } else {
        moves[bad].position[2] =
            rng.oneIn(2) ? std::numeric_limits<double>::quiet_NaN() : 0x1p45 + 1;
      }
    }
    ASSERT_NO_FATAL_FAILURE(
        expectRefusal(index_->moveAll(moves), refused, moves.size(), "move ", rng));
    if (refused.has_value()) return;
    for (const EntityMove& move : moves)
      rememberMove(living_.at(index_->find(move.entity)->id), move.position);
  }
  void removeMany(Rng& rng) {
    std::vector<EntityHandle> handles;
    std::optional<std::size_t> refused;
    for (const auto& [id, one] : living_) {
      if (rng.oneIn(12)) handles.push_back(one.handle);
    }
    if (!handles.empty() && rng.oneIn(4)) {
      refused = static_cast<std::size_t>(rng.below(static_cast<int>(handles.size())));
      const bool is_twice = *refused > 0 && rng.oneIn(2);
      if (!is_twice && dead_.empty()) return;
      handles[*refused] = is_twice ? handles[*refused - 1] : dead_.back();
    }
    ASSERT_NO_FATAL_FAILURE(
        expectRefusal(index_->removeAll(handles), refused, handles.size(), "removal ", rng));
    if (refused.has_value()) return;
    for (const EntityHandle& handle : handles) {
      const auto one = std::find_if(living_.begin(), living_.end(), [&](const auto& other) {
        return other.second.handle == handle;
      });
      forget(Living(one->second));
    }
  }
  // Either all was done, or nothing, with an error that names the first that was refused.
  void expectRefusal(const absl::Status& status, std::optional<std::size_t> refused,
                     std::size_t count, const std::string& what, Rng& rng) {
    ASSERT_EQ(status.ok(), !refused.has_value()) << status;
    if (!refused.has_value()) return;
    ++refusals_;
    const std::string start =
        what + std::to_string(*refused + 1) + " of " + std::to_string(count) + ": ";
    ASSERT_EQ(status.message().substr(0, start.size()), start) << status;
    if (rng.oneIn(4)) {
      ASSERT_NO_FATAL_FAILURE(expectAllEqual()) << "after " << status;
    }
  }

  // Makes calls that are refused; later checks show that they changed nothing.
  void misuse(Rng& rng) {
    constexpr auto kNotFound = absl::StatusCode::kNotFound;
    if (!dead_.empty()) {
      const EntityHandle stale =
          dead_[static_cast<std::size_t>(rng.below(static_cast<int>(dead_.size())))];
      ASSERT_EQ(index_->find(stale), nullptr);
      ASSERT_EQ(index_->move(stale, {0, 0, 0}).code(), kNotFound);
      ASSERT_EQ(index_->update(stale, {.level = 0}).code(), kNotFound);
      ASSERT_EQ(index_->remove(stale).code(), kNotFound);
      ASSERT_TRUE(index_->chunks(stale).empty());
    }
    if (living_.empty()) return;
    const EntityHandle handle = randomLiving(rng).handle;
    ASSERT_EQ(index_->move(handle, {0, std::numeric_limits<double>::quiet_NaN(), 0}).code(),
              absl::StatusCode::kInvalidArgument);
    ASSERT_EQ(index_->move(handle, {0, 0, 1e20}).code(), absl::StatusCode::kOutOfRange);
  }

  void expectEntityEqual(const Living& one) const {
    const Entity* const entity = index_->find(one.handle);
    ASSERT_NE(entity, nullptr);
    ASSERT_EQ(entity->id, one.entity.id);
    ASSERT_EQ(entity->categories, one.entity.categories);
    ASSERT_EQ(entity->position, one.entity.position);
    ASSERT_EQ(entity->shape, one.entity.shape);
    ASSERT_EQ(entity->entity_class, one.entity.entity_class);
    ASSERT_EQ(entity->level, one.entity.level);
    ASSERT_EQ(entity->index_level, one.entity.index_level);
    ASSERT_EQ(index_->findId(one.entity.id), one.handle);
    const auto chunks = index_->chunks(one.handle);
    ASSERT_EQ(std::vector<ChunkCoord>(chunks.begin(), chunks.end()), chunksOf(one.entity));
  }

  void expectChunkEqual(int level, const ChunkCoord& at) const {
    const std::vector<EntityHandle> occupants = index_->inChunk(level, at);
    const std::set<EntityHandle> actual(occupants.begin(), occupants.end());
    ASSERT_EQ(actual.size(), occupants.size()) << "an entity is in a chunk twice";
    const auto expected = occupants_.find({level, at});
    ASSERT_EQ(actual, expected == occupants_.end() ? std::set<EntityHandle>{} : expected->second);
    const std::optional<int> empty = index_->emptyCubeLog2(level, at);
    ASSERT_EQ(empty.has_value(), occupants.empty());
    if (!empty.has_value()) return;
    for (const auto& [key, entities] : occupants_) {
      if (key.first != level) continue;
      bool inside = true;
      for (int axis = 0; axis < 3; ++axis) {
        inside = inside && key.second[axis] >= cubeMin(at[axis], *empty) &&
                 key.second[axis] <= cubeMax(at[axis], *empty);
      }
      ASSERT_FALSE(inside) << "an entity in a cube that was reported as empty";
    }
  }

  // Compares the tree that queries descend: the id and the sphere of each entity in each chunk of
  // each index level.
  using Sphere16 = std::pair<std::array<std::int16_t, 3>, std::int16_t>;
  using Contents = std::map<std::pair<int, ChunkCoord>, std::map<EntityId, Sphere16>>;
  static Contents contents(const EntityIndex& index) {
    Contents contents;
    for (int level = 0; level < index.frame().levels(); ++level) {
      const internal::EntityGrid& grid = index.store().grid(level);
      grid.areas().forEach([&](const Vec3i& at, const internal::EntityGrid::Area& area) {
        for (int i = 0; i < 64 * 64; ++i) {
          if ((area.occupied() >> (i / 64) & 1) == 0) continue;
          const internal::EntityGrid::Region& region = *area.region(i / 64);
          if ((region.occupied() >> (i % 64) & 1) == 0) continue;
          auto& chunk = contents[{level, internal::chunkAt(at, i / 64, i % 64)}];
          const internal::PageList& pages = region.chunk(i % 64);
          for (std::uint32_t number = 0; number < pages.count; ++number) {
            const internal::EntitySlot entry = grid.pool().entryOf(pages, number);
            const internal::PageSphere sphere =
                grid.pool().page(entry / 8).get(entry % internal::EntityPage::kLanes);
            const EntityHandle handle = index.store().handle(grid.pool().slot(entry));
            chunk[index.find(handle)->id] = {sphere.center, sphere.radius};
          }
        }
      });
    }
    return contents;
  }
  // An index that never held anything but the living entities.
  void expectEqualToOneFromScratch() const {
    EntityIndex scratch(frame());
    for (const auto& [id, one] : living_) {
      ASSERT_TRUE(scratch
                      .add({.id = id,
                            .level = one.entity.level,
                            .shape = toBlocks(one.entity.shape),
                            .position = blocksFromUnits(one.entity.position)})
                      .ok());
    }
    const Contents expected = contents(scratch);
    std::map<std::pair<int, ChunkCoord>, std::size_t> sizes;
    for (const auto& [key, entities] : occupants_)
      sizes[key] = entities.size();
    ASSERT_EQ(expected.size(), sizes.size());
    for (const auto& [key, entities] : expected)
      ASSERT_EQ(entities.size(), sizes.at(key));
    ASSERT_TRUE(contents(*index_) == expected);
  }

  void expectAllEqual() const {
    ASSERT_NO_FATAL_FAILURE(expectEqualToOneFromScratch());
    ASSERT_EQ(index_->size(), living_.size());
    std::set<EntityHandle> handles;
    for (const auto& [id, one] : living_) {
      handles.insert(one.handle);
      ASSERT_NO_FATAL_FAILURE(expectEntityEqual(one));
      ASSERT_LT(one.handle.slot, index_->store().slots());
    }
    const std::vector<EntityHandle> all = index_->all();
    ASSERT_TRUE(std::is_sorted(all.begin(), all.end()));
    ASSERT_EQ(std::set<EntityHandle>(all.begin(), all.end()), handles);
    for (const auto& [key, entities] : occupants_) {
      ASSERT_NO_FATAL_FAILURE(expectChunkEqual(key.first, key.second));
    }
    for (int own = 0; own < frame().levels(); ++own) {
      LevelMask expected;
      for (const auto& [id, one] : living_) {
        if (one.entity.level == own) expected.add(one.entity.index_level);
      }
      ASSERT_EQ(index_->indexLevels(LevelMask{own}), expected);
    }
  }

  void run(std::string_view name, int levels, Spots spots) {
    const int calls = std::getenv("FRACTALRAY_LONG_TESTS") != nullptr ? 1'000'000 : 10'000;
    Rng rng(name);
    start(levels);
    spots_ = spots;
    std::size_t most = 0;
    for (int i = 0; i < calls; ++i) {
      ASSERT_NO_FATAL_FAILURE(call(rng, i % 2000 < 1200)) << i;
      const Vec3i point = unitsFromBlocks(randomPosition(rng), "").value();
      const int level = rng.below(levels);
      ASSERT_NO_FATAL_FAILURE(expectChunkEqual(level, frame().chunkAt(point, level))) << i;
      if (i % 500 == 0) {
        for (const auto& [key, entities] : occupants_)
          most = std::max(most, entities.size());
        ASSERT_NO_FATAL_FAILURE(expectAllEqual()) << i;
      }
    }
    ASSERT_NO_FATAL_FAILURE(expectAllEqual());
    EXPECT_GT(refusals_, calls / 200);
    if (spots == Spots::kCrowd) {
      EXPECT_GT(most, 50U) << "no chunk had many pages";
    }
    while (!living_.empty())
      ASSERT_NO_FATAL_FAILURE(remove(rng));
    ASSERT_TRUE(occupants_.empty());
    ASSERT_NO_FATAL_FAILURE(expectAllEqual());
    ASSERT_TRUE(index_->indexLevels(LevelMask::all()).empty());
  }
  void call(Rng& rng, bool is_growing) {
    const int what = rng.below(100);
    if (what < (is_growing ? 45 : 18)) return add(rng);
    if (what < (is_growing ? 50 : 20)) return addMany(rng);
    if (what < 58) return move(rng);
    if (what < 66) return update(rng);
    if (what < 70) return moveMany(rng);
    if (what < 95) return remove(rng);
    if (what < 97) return is_growing ? misuse(rng) : removeMany(rng);
    if (what < 98) return moveTheIndex(rng);
    misuse(rng);
  }
  // Moves the index itself: its whole content, handles too, stays as before.
  void moveTheIndex(Rng& rng) {
    if (rng.oneIn(2)) {
      index_ = std::make_unique<EntityIndex>(std::move(*index_));
      return;
    }
    EntityIndex other(Frame(2));
    ASSERT_TRUE(other.add({.id = 1}).ok());
    other = std::move(*index_);
    *index_ = EntityIndex(Frame(1));  // what was moved from can have another
    ASSERT_TRUE(index_->add({.id = 1}).ok());
    ASSERT_EQ(index_->size(), 1U);
    *index_ = std::move(other);
  }

 private:
  Living& randomLiving(Rng& rng) {
    auto it = living_.begin();
    std::advance(it, rng.below(static_cast<int>(living_.size())));
    return it->second;
  }
  std::vector<ChunkCoord> chunksOf(const Entity& entity) const {
    return oracle::overlappedChunks(frame(), entity.index_level, entity.shape, entity.position);
  }
  void enter(const Living& one) {
    for (const ChunkCoord& at : chunksOf(one.entity)) {
      occupants_[{one.entity.index_level, at}].insert(one.handle);
    }
  }
  void leave(const Living& one) {
    for (const ChunkCoord& at : chunksOf(one.entity)) {
      const auto found = occupants_.find({one.entity.index_level, at});
      found->second.erase(one.handle);
      if (found->second.empty()) occupants_.erase(found);
    }
  }

  Spots spots_ = Spots::kMixed;
  int refusals_ = 0;
  std::unique_ptr<EntityIndex> index_;
  std::map<EntityId, Living> living_;
  std::vector<EntityHandle> dead_;
  std::map<std::pair<int, ChunkCoord>, std::set<EntityHandle>> occupants_;
};

TEST_F(EntityIndexModelTest, StaysEqualOnOneLevel) {
  run("EntityIndexModelTest.One", 1, Spots::kMixed);
}
TEST_F(EntityIndexModelTest, StaysEqualOnFourLevels) {
  run("EntityIndexModelTest.Four", 4, Spots::kMixed);
}
TEST_F(EntityIndexModelTest, StaysEqualInACrowd) {
  run("EntityIndexModelTest.Crowd", 2, Spots::kCrowd);
}
TEST_F(EntityIndexModelTest, StaysEqualWithEntitiesFarApart) {
  run("EntityIndexModelTest.Apart", 3, Spots::kApart);
}

}  // namespace
}  // namespace fractalray
