// SPDX-License-Identifier: Apache-2.0
// An index after any number of random calls equals one built from scratch. 10^4 calls; 10^6 where
// the environment variable FRACTALRAY_LONG_TESTS is set.
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
#include <string_view>
#include <utility>
#include <vector>

#include "fractalray/entities/entity_index.h"
#include "fractalray/tests/oracle/rng.h"
#include "fractalray/tests/oracle/shape_oracle.h"

namespace fractalray {
namespace {

using oracle::Rng;

struct Living {
  EntityHandle handle;
  Entity entity;  // as the contract says it must be
};

class EntityIndexModelTest : public testing::Test {
 protected:
  void start(int levels) {
    index_ = std::make_unique<EntityIndex>(Frame(levels));
    living_.clear();
    dead_.clear();
    tenants_.clear();
  }
  const Frame& frame() const { return index_->frame(); }

  Vec3d randomPosition(Rng& rng) const {
    const int scale = rng.below(frame().levels());
    const double width = blocksFromUnits(frame().blockWidth(scale));
    Vec3d position;
    for (int axis = 0; axis < 3; ++axis) {
      position[axis] = width * static_cast<double>(rng.in(-40, 40));
    }
    return position;
  }

  void add(Rng& rng) {
    EntitySpec spec;
    spec.id = static_cast<EntityId>(rng.in(0, 300));
    spec.level = rng.below(frame().levels());
    spec.entity_class = EntityClassId(static_cast<std::uint32_t>(rng.below(5)));
    spec.categories = rng.next();
    spec.position = randomPosition(rng);
    const double width = blocksFromUnits(frame().blockWidth(rng.below(frame().levels())));
    const auto size = [&] { return width * static_cast<double>(rng.in(0, 31)) / 2; };
    if (rng.oneIn(2)) {
      spec.shape = Sphere{size()};
    } else {
      spec.shape = Box{{size(), size(), size()}};
    }
    const absl::StatusOr<EntityHandle> handle = index_->add(spec);
    if (living_.contains(spec.id)) {
      ASSERT_EQ(handle.status().code(), absl::StatusCode::kAlreadyExists);
      return;
    }
    ASSERT_TRUE(handle.ok()) << handle.status();
    for (const EntityHandle& other : dead_)
      ASSERT_NE(other, *handle) << "a handle came back";
    Entity entity;
    entity.id = spec.id;
    entity.categories = spec.categories;
    entity.position = unitsFromBlocks(spec.position, "").value();
    entity.shape = toUnits(spec.shape).value();
    entity.entity_class = spec.entity_class;
    entity.level = static_cast<std::int8_t>(spec.level);
    entity.index_level =
        static_cast<std::int8_t>(oracle::indexLevelOf(frame(), entity.shape).value());
    living_[spec.id] = {*handle, entity};
    enter(living_[spec.id]);
  }

  void move(Rng& rng) {
    if (living_.empty()) return;
    Living& one = randomLiving(rng);
    Vec3d position = randomPosition(rng);
    if (rng.oneIn(2)) {  // a small step, mostly within the same chunks
      position = blocksFromUnits(one.entity.position);
      position[rng.below(3)] += static_cast<double>(rng.in(-8, 8)) / 8;
    }
    ASSERT_TRUE(index_->move(one.handle, position).ok());
    leave(one);
    one.entity.position = unitsFromBlocks(position, "").value();
    enter(one);
  }

  void remove(Rng& rng) {
    if (living_.empty()) return;
    const Living one = randomLiving(rng);
    ASSERT_TRUE(index_->remove(one.handle).ok());
    leave(one);
    living_.erase(one.entity.id);
    dead_.push_back(one.handle);
    if (dead_.size() > 50) dead_.erase(dead_.begin());
  }

  // Calls that are refused; what follows shows that they changed nothing.
  void misuse(Rng& rng) {
    constexpr auto kNotFound = absl::StatusCode::kNotFound;
    if (!dead_.empty()) {
      const EntityHandle stale =
          dead_[static_cast<std::size_t>(rng.below(static_cast<int>(dead_.size())))];
      ASSERT_EQ(index_->find(stale), nullptr);
      ASSERT_EQ(index_->move(stale, {0, 0, 0}).code(), kNotFound);
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
    const std::vector<EntityHandle> tenants = index_->inChunk(level, at);
    const std::set<EntityHandle> actual(tenants.begin(), tenants.end());
    ASSERT_EQ(actual.size(), tenants.size()) << "an entity is in a chunk twice";
    const auto expected = tenants_.find({level, at});
    ASSERT_EQ(actual, expected == tenants_.end() ? std::set<EntityHandle>{} : expected->second);
    const std::optional<int> empty = index_->emptyCubeLog2(level, at);
    ASSERT_EQ(empty.has_value(), tenants.empty());
    if (!empty.has_value()) return;
    for (const auto& [place, entities] : tenants_) {
      if (place.first != level) continue;
      bool inside = true;
      for (int axis = 0; axis < 3; ++axis) {
        inside = inside && place.second[axis] >= cubeMin(at[axis], *empty) &&
                 place.second[axis] <= cubeMax(at[axis], *empty);
      }
      ASSERT_FALSE(inside) << "an entity in a cube that is said to be empty";
    }
  }

  void expectAllEqual() const {
    ASSERT_EQ(index_->size(), living_.size());
    std::set<EntityHandle> handles;
    for (const auto& [id, one] : living_) {
      handles.insert(one.handle);
      ASSERT_NO_FATAL_FAILURE(expectEntityEqual(one));
      ASSERT_LT(one.handle.slot, index_->slots());
    }
    const std::vector<EntityHandle> all = index_->all();
    ASSERT_TRUE(std::is_sorted(all.begin(), all.end()));
    ASSERT_EQ(std::set<EntityHandle>(all.begin(), all.end()), handles);
    for (const auto& [place, entities] : tenants_) {
      ASSERT_NO_FATAL_FAILURE(expectChunkEqual(place.first, place.second));
    }
    for (int own = 0; own < frame().levels(); ++own) {
      LevelMask expected;
      for (const auto& [id, one] : living_) {
        if (one.entity.level == own) expected.add(one.entity.index_level);
      }
      ASSERT_EQ(index_->indexLevels(LevelMask{own}), expected);
    }
  }

  void run(std::string_view name, int levels) {
    const int calls = std::getenv("FRACTALRAY_LONG_TESTS") != nullptr ? 1'000'000 : 10'000;
    Rng rng(name);
    start(levels);
    for (int i = 0; i < calls; ++i) {
      const bool growing = i % 2000 < 1200;
      const int what = rng.below(100);
      if (what < (growing ? 50 : 20)) {
        ASSERT_NO_FATAL_FAILURE(add(rng)) << i;
      } else if (what < 70) {
        ASSERT_NO_FATAL_FAILURE(move(rng)) << i;
      } else if (what < 97) {
        ASSERT_NO_FATAL_FAILURE(remove(rng)) << i;
      } else {
        ASSERT_NO_FATAL_FAILURE(misuse(rng)) << i;
      }
      const Vec3i point = unitsFromBlocks(randomPosition(rng), "").value();
      const int level = rng.below(levels);
      ASSERT_NO_FATAL_FAILURE(expectChunkEqual(level, frame().chunkAt(point, level))) << i;
      if (i % 500 == 0) {
        ASSERT_NO_FATAL_FAILURE(expectAllEqual()) << i;
      }
    }
    ASSERT_NO_FATAL_FAILURE(expectAllEqual());
    while (!living_.empty())
      ASSERT_NO_FATAL_FAILURE(remove(rng));
    ASSERT_TRUE(tenants_.empty());
    ASSERT_NO_FATAL_FAILURE(expectAllEqual());
    ASSERT_TRUE(index_->indexLevels(LevelMask::all()).empty());
  }

 private:
  Living& randomLiving(Rng& rng) {
    auto it = living_.begin();
    std::advance(it, rng.below(static_cast<int>(living_.size())));
    return it->second;
  }
  std::vector<ChunkCoord> chunksOf(const Entity& entity) const {
    return oracle::chunksMet(frame(), entity.index_level, entity.shape, entity.position);
  }
  void enter(const Living& one) {
    for (const ChunkCoord& at : chunksOf(one.entity)) {
      tenants_[{one.entity.index_level, at}].insert(one.handle);
    }
  }
  void leave(const Living& one) {
    for (const ChunkCoord& at : chunksOf(one.entity)) {
      const auto found = tenants_.find({one.entity.index_level, at});
      found->second.erase(one.handle);
      if (found->second.empty()) tenants_.erase(found);
    }
  }

  std::unique_ptr<EntityIndex> index_;
  std::map<EntityId, Living> living_;
  std::vector<EntityHandle> dead_;
  std::map<std::pair<int, ChunkCoord>, std::set<EntityHandle>> tenants_;
};

TEST_F(EntityIndexModelTest, OneLevel) {
  run("EntityIndexModelTest.One", 1);
}
TEST_F(EntityIndexModelTest, FourLevels) {
  run("EntityIndexModelTest.Four", 4);
}

}  // namespace
}  // namespace fractalray
