// SPDX-License-Identifier: Apache-2.0
// Checks that an index after any number of random calls, one by one and many at once, equals one
// built from scratch, in crowds and far apart. 10^4 calls; 10^6 if the environment variable
// FRACTALRAY_LONG_TESTS is set.
#include "entity_index_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../entities/internal/index_inspection.h"
#include "../oracle/long_run.h"
#include "../oracle/rng.h"

namespace fractalray {
namespace {

using oracle::Rng;

class EntityIndexModelTest : public testing::Test {
 protected:
  using Living = EntityIndexModel::Living;

  void start(int levels) {
    index_ = std::make_unique<EntityIndex>(Frame(levels));
    model_ = EntityIndexModel(Frame(levels));
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
    const double width = toBlocks(frame().blockWidth(scale));
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
    const double width = toBlocks(frame().blockWidth(scale));
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
    if (model_.living().contains(spec.id)) {
      ASSERT_EQ(handle.status().code(), absl::StatusCode::kAlreadyExists);
      return;
    }
    ASSERT_TRUE(handle.ok()) << handle.status();
    model_.add(spec, *handle);
  }

  void move(Rng& rng) {
    if (model_.living().empty()) return;
    const Living& one = randomLiving(rng);
    const Vec3d position = nextPosition(rng, one);
    ASSERT_TRUE(index_->move(one.handle, position).ok());
    model_.move(one.entity.id, position);
  }
  Vec3d nextPosition(Rng& rng, const Living& one) const {
    if (rng.oneIn(2)) return randomPosition(rng);
    // A small step, mostly within the same chunks.
    Vec3d position = toBlocks(one.entity.position);
    position[rng.below(3)] += static_cast<double>(rng.in(-8, 8)) / 8;
    return position;
  }

  // Makes any update of an entity, refused now and then.
  void update(Rng& rng) {
    if (model_.living().empty()) return;
    const Living& one = randomLiving(rng);
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
      return model_.expectEntityEqual(*index_, one);
    }
    const Entity before = one.entity;
    model_.update(one.entity.id, update);
    ASSERT_EQ(index_->version(), version + (one.entity == before ? 0 : 1));
    ASSERT_NO_FATAL_FAILURE(model_.expectEntityEqual(*index_, one));
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

  void remove(Rng& rng) {
    if (model_.living().empty()) return;
    const Living& one = randomLiving(rng);
    ASSERT_TRUE(index_->remove(one.handle).ok());
    model_.remove(one.entity.id);
  }

  // Updates many at once; once in a while one of them is refused, and then nothing has changed.
  void addMany(Rng& rng) {
    std::vector<EntitySpec> specs;
    std::set<EntityId> ids;
    std::optional<std::size_t> refused;
    for (int i = rng.below(20); i > 0; --i) {
      specs.push_back(randomSpec(rng));
      const bool is_new =
          !model_.living().contains(specs.back().id) && ids.insert(specs.back().id).second;
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
      ASSERT_NO_FATAL_FAILURE(model_.add(specs[i], (*handles)[i]));
  }
  void moveMany(Rng& rng) {
    std::vector<EntityMove> moves;
    std::optional<std::size_t> refused;
    if (model_.living().empty()) return;
    for (int i = rng.below(40); i > 0; --i) {  // some of them twice
      const Living& one = randomLiving(rng);
      moves.push_back({one.handle, nextPosition(rng, one)});
    }
    if (!moves.empty() && rng.oneIn(4)) {
      const auto bad = static_cast<std::size_t>(rng.below(static_cast<int>(moves.size())));
      refused = bad;
      if (!model_.dead().empty() && rng.oneIn(2)) {
        moves[bad].entity = model_.dead().back();
      } else {
        moves[bad].position[2] =
            rng.oneIn(2) ? std::numeric_limits<double>::quiet_NaN() : 0x1p45 + 1;
      }
    }
    ASSERT_NO_FATAL_FAILURE(
        expectRefusal(index_->moveAll(moves), refused, moves.size(), "move ", rng));
    if (refused.has_value()) return;
    for (const EntityMove& move : moves)
      model_.move(index_->find(move.entity)->id, move.position);
  }
  void removeMany(Rng& rng) {
    std::vector<EntityHandle> handles;
    std::optional<std::size_t> refused;
    for (const auto& [id, one] : model_.living()) {
      if (rng.oneIn(12)) handles.push_back(one.handle);
    }
    if (!handles.empty() && rng.oneIn(4)) {
      refused = static_cast<std::size_t>(rng.below(static_cast<int>(handles.size())));
      const bool is_twice = *refused > 0 && rng.oneIn(2);
      if (!is_twice && model_.dead().empty()) return;
      handles[*refused] = is_twice ? handles[*refused - 1] : model_.dead().back();
    }
    ASSERT_NO_FATAL_FAILURE(
        expectRefusal(index_->removeAll(handles), refused, handles.size(), "removal ", rng));
    if (refused.has_value()) return;
    for (const EntityHandle& handle : handles) {
      const auto& living = model_.living();
      const auto one = std::find_if(living.begin(), living.end(), [&](const auto& other) {
        return other.second.handle == handle;
      });
      model_.remove(one->first);
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
      ASSERT_NO_FATAL_FAILURE(model_.expectEqual(*index_)) << "after " << status;
    }
  }

  // Makes calls that are refused; later checks show that they changed nothing.
  void misuse(Rng& rng) {
    constexpr auto kNotFound = absl::StatusCode::kNotFound;
    const std::vector<EntityHandle>& dead = model_.dead();
    if (!dead.empty()) {
      const EntityHandle stale =
          dead[static_cast<std::size_t>(rng.below(static_cast<int>(dead.size())))];
      ASSERT_EQ(index_->find(stale), nullptr);
      ASSERT_EQ(index_->move(stale, {0, 0, 0}).code(), kNotFound);
      ASSERT_EQ(index_->update(stale, {.level = 0}).code(), kNotFound);
      ASSERT_EQ(index_->remove(stale).code(), kNotFound);
      ASSERT_TRUE(index_->chunks(stale).empty());
    }
    if (model_.living().empty()) return;
    const EntityHandle handle = randomLiving(rng).handle;
    ASSERT_EQ(index_->move(handle, {0, std::numeric_limits<double>::quiet_NaN(), 0}).code(),
              absl::StatusCode::kInvalidArgument);
    ASSERT_EQ(index_->move(handle, {0, 0, 1e20}).code(), absl::StatusCode::kOutOfRange);
  }

  void run(std::string_view name, int levels, Spots spots) {
    const int calls = oracle::isLongRun() ? 1'000'000 : 10'000;
    Rng rng(name);
    start(levels);
    spots_ = spots;
    std::size_t most = 0;
    for (int i = 0; i < calls; ++i) {
      ASSERT_NO_FATAL_FAILURE(call(rng, i % 2000 < 1200)) << i;
      const Vec3i point = toUnits(randomPosition(rng), "").value();
      const int level = rng.below(levels);
      ASSERT_NO_FATAL_FAILURE(
          model_.expectChunkEqual(*index_, level, frame().chunkAt(point, level)))
          << i;
      if (i % 500 == 0) {
        for (const auto& [key, entities] : model_.occupants())
          most = std::max(most, entities.size());
        ASSERT_NO_FATAL_FAILURE(model_.expectEqual(*index_)) << i;
      }
    }
    ASSERT_NO_FATAL_FAILURE(model_.expectEqual(*index_));
    EXPECT_GT(refusals_, calls / 200);
    if (spots == Spots::kCrowd) {
      EXPECT_GT(most, 50U) << "no chunk had many pages";
      EXPECT_GT(optimized_, 20U) << "few chunks were put in order";
    }
    while (!model_.living().empty())
      ASSERT_NO_FATAL_FAILURE(remove(rng));
    ASSERT_TRUE(model_.occupants().empty());
    ASSERT_NO_FATAL_FAILURE(model_.expectEqual(*index_));
    ASSERT_TRUE(internal::indexLevels(*index_, LevelMask::all()).empty());
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
    if (what < 98) return rng.oneIn(2) ? optimize() : moveTheIndex(rng);
    misuse(rng);
  }
  void optimize() {
    const std::uint64_t version = index_->version();
    optimized_ += index_->optimize();
    ASSERT_EQ(index_->version(), version);
    ASSERT_EQ(index_->optimize(), 0U) << "all is in order";
    ASSERT_NO_FATAL_FAILURE(model_.expectEqual(*index_));
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
  const Living& randomLiving(Rng& rng) const {
    auto it = model_.living().begin();
    std::advance(it, rng.below(static_cast<int>(model_.living().size())));
    return it->second;
  }

  Spots spots_ = Spots::kMixed;
  int refusals_ = 0;
  std::size_t optimized_ = 0;  // chunks
  std::unique_ptr<EntityIndex> index_;
  EntityIndexModel model_{Frame(1)};
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
