// SPDX-License-Identifier: Apache-2.0
// Checks that no edit of an entity index costs more because there are, or were, many entities that
// it leaves alone, wherever they are. Another edit is another row of kEdits.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "../../core/internal/access.h"
#include "../../entities/entity_index.h"
#include "../../entities/internal/entity_store.h"
#include "../oracle/allocations.h"
#include "../oracle/cost_growth.h"

namespace fractalray {
namespace {

using oracle::allocatedBytes;
using oracle::expectNoGrowth;
using oracle::kSpreads;
using oracle::Spread;

constexpr std::int64_t kFew = 1500;
constexpr std::int64_t kMany = 16 * kFew;
constexpr std::size_t kVictims = 16;

// All in one chunk.
constexpr Spread kCrowd{"a crowd", [](std::int64_t, std::int64_t) { return ChunkCoord{0, 0, 0}; }};

// An index with an entity in each of n chunks, and some of these that are edited.
class Crowd {
 public:
  Crowd(const Spread& spread, std::int64_t n) : spread_(spread), n_(n) {
    std::vector<EntitySpec> specs;
    for (std::int64_t i = 0; i < n; ++i)
      specs.push_back(specOf(i));
    handles_ = index.addAll(specs).value();
    for (std::size_t i = 0; i < kVictims; ++i) {
      const std::int64_t number = n * static_cast<std::int64_t>(i) / std::int64_t{kVictims};
      homes.push_back(specOf(number));
      away.push_back(specOf(n + static_cast<std::int64_t>(i)));
      victims.push_back(handles_[static_cast<std::size_t>(number)]);
    }
  }

  EntitySpec specOf(std::int64_t i) const {
    const ChunkCoord chunk = spread_.chunk(i, n_);
    const auto at = [&](int axis) {
      return 16.0 * static_cast<double>(chunk[axis]) + 5 + static_cast<double>(i % 7);
    };
    return {.id = static_cast<EntityId>(i), .shape = Sphere{1}, .position = {at(0), at(1), at(2)}};
  }
  std::vector<EntityMove> moves(std::span<const EntitySpec> to, const Vec3d& offset) const {
    std::vector<EntityMove> moves;
    for (std::size_t i = 0; i < victims.size(); ++i)
      moves.push_back({victims[i], to[i].position + offset});
    return moves;
  }
  std::span<const EntityHandle> handles() const { return handles_; }

  EntityIndex index{Frame(1)};
  std::vector<EntityHandle> victims;
  std::vector<EntitySpec> homes;  // of the victims
  std::vector<EntitySpec> away;   // in chunks that are new, unless there is only one

 private:
  const Spread& spread_;
  std::int64_t n_;
  std::vector<EntityHandle> handles_;
};

// An edit and what takes it back.
struct EditRow {
  const char* name;
  bool (*edit)(Crowd& crowd);  // true if all was done
};

bool moveAndReturn(Crowd& crowd, std::span<const EntitySpec> to, const Vec3d& offset) {
  bool is_ok = true;
  for (std::size_t i = 0; i < kVictims; ++i) {
    is_ok &= crowd.index.move(crowd.victims[i], to[i].position + offset).ok();
    is_ok &= crowd.index.move(crowd.victims[i], crowd.homes[i].position).ok();
  }
  return is_ok;
}

bool updateAndReturn(Crowd& crowd, const EntityUpdate& there, const EntityUpdate& back) {
  bool is_ok = true;
  for (const EntityHandle& victim : crowd.victims)
    is_ok &= crowd.index.update(victim, there).ok() && crowd.index.update(victim, back).ok();
  return is_ok;
}

constexpr EditRow kEdits[] = {
    {"add and remove beyond the others",
     [](Crowd& crowd) {
       bool is_ok = true;
       for (const EntitySpec& spec : crowd.away)
         is_ok &= crowd.index.remove(crowd.index.add(spec).value()).ok();
       return is_ok;
     }},
    {"remove and add among the others",
     [](Crowd& crowd) {
       bool is_ok = true;
       for (std::size_t i = 0; i < kVictims; ++i) {
         is_ok &= crowd.index.remove(crowd.victims[i]).ok();
         crowd.victims[i] = crowd.index.add(crowd.homes[i]).value();
       }
       return is_ok;
     }},
    {"move within a chunk",
     [](Crowd& crowd) {
       return moveAndReturn(crowd, crowd.homes, {0.5, 0.5, 0.5});
     }},
    {"move to the next chunk",
     [](Crowd& crowd) {
       return moveAndReturn(crowd, crowd.homes, {0, 16, 0});
     }},
    {"move to the next area",
     [](Crowd& crowd) {
       return moveAndReturn(crowd, crowd.homes, {0, -256, 0});
     }},
    {"move beyond the others",
     [](Crowd& crowd) {
       return moveAndReturn(crowd, crowd.away, {256, 0, 0});
     }},
    {"addAll and removeAll",
     [](Crowd& crowd) {
       return crowd.index.removeAll(crowd.index.addAll(crowd.away).value()).ok();
     }},
    {"removeAll and addAll among the others",
     [](Crowd& crowd) {
       const bool is_ok = crowd.index.removeAll(crowd.victims).ok();
       crowd.victims = crowd.index.addAll(crowd.homes).value();
       return is_ok;
     }},
    {"moveAll",
     [](Crowd& crowd) {
       return crowd.index.moveAll(crowd.moves(crowd.away, {0, 256, 0})).ok() &&
              crowd.index.moveAll(crowd.moves(crowd.homes, {})).ok();
     }},
    {"updateAll",
     [](Crowd& crowd) {
       std::vector<EntityChange> there;
       std::vector<EntityChange> back;
       for (std::size_t i = 0; i < kVictims; ++i) {
         there.push_back({crowd.victims[i], {.position = crowd.away[i].position}});
         back.push_back({crowd.victims[i], {.position = crowd.homes[i].position}});
       }
       return crowd.index.updateAll(there).ok() && crowd.index.updateAll(back).ok();
     }},
    {"update of the shape",
     [](Crowd& crowd) {
       return updateAndReturn(crowd, {.shape = Box{{9, 9, 9}}}, {.shape = Sphere{1}});
     }},
    {"update of the class",
     [](Crowd& crowd) {
       return updateAndReturn(crowd, {.entity_class = EntityClassId{7}},
                              {.entity_class = EntityClassId{0}});
     }},
    {"shift by an area",
     [](Crowd& crowd) {
       const auto commit = [] { return absl::OkStatus(); };
       const Vec3i area{0, 256 * kUnitsPerBlock, 0};
       return internal::Access::editStore(crowd.index).shiftAll(crowd.victims, area, commit).ok() &&
              internal::Access::editStore(crowd.index)
                  .shiftAll(crowd.victims, area * -1, commit)
                  .ok();
     }},
    {"refused edits",
     [](Crowd& crowd) {
       bool is_refused = true;
       for (const EntityHandle& victim : crowd.victims) {
         const EntityHandle stale{victim.slot, victim.generation + 1};
         is_refused &= !crowd.index.remove(stale).ok() && !crowd.index.move(stale, {}).ok();
         is_refused &= !crowd.index.update(stale, {}).ok() && !crowd.index.add(crowd.homes[0]).ok();
       }
       return is_refused &&
              !crowd.index.removeAll(std::vector<EntityHandle>(2, crowd.victims[0])).ok();
     }},
    {"refine", [](Crowd& crowd) { return crowd.index.refine(1); }},
};

void expectNoEditGrows(const Spread& spread) {
  Crowd few(spread, kFew);
  Crowd many(spread, kMany);
  for (const EditRow& row : kEdits) {
    bool is_ok = true;
    expectNoGrowth(
        std::string(row.name) + ", " + spread.name, [&] { is_ok &= row.edit(few); },
        [&] { is_ok &= row.edit(many); });
    EXPECT_TRUE(is_ok) << row.name << ", " << spread.name;
  }
}

class EntityEditGrowthTest : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Spreads, EntityEditGrowthTest,
                         testing::Range(std::size_t{0}, std::size(kSpreads)));

TEST_P(EntityEditGrowthTest, NoEditCostsMoreAmongMany) {
  expectNoEditGrows(kSpreads[GetParam()]);
}

TEST(EntityCrowdGrowthTest, NoEditCostsMoreInACrowd) {
  expectNoEditGrows(kCrowd);
}

// Compares an index of a few entities with one that once had many more.
class EntityPeakTest : public testing::TestWithParam<std::size_t> {
 protected:
  static constexpr std::int64_t kLeft = 64;

  // A snapshot and the first move after it: of entity `number`, of those that were added.
  static bool snapshotAndMove(Crowd& crowd, std::int64_t number) {
    const auto snapshot = crowd.index.snapshot();
    const EntityHandle moved = crowd.handles()[static_cast<std::size_t>(number)];
    const Vec3d home = crowd.specOf(number).position;
    return crowd.index.move(moved, home + Vec3d{0.5, 0, 0}).ok() &&
           crowd.index.move(moved, home).ok();
  }
  static std::size_t bytesOf(Crowd& crowd, std::int64_t number) {
    const std::size_t before = allocatedBytes();
    EXPECT_TRUE(snapshotAndMove(crowd, number));
    return allocatedBytes() - before;
  }
  static const Spread& spread() {
    return GetParam() < std::size(kSpreads) ? kSpreads[GetParam()] : kCrowd;
  }
  // `first` is the first of the entities that are left.
  static void expectCostOfTheFew(std::int64_t first) {
    Crowd never(spread(), kLeft);
    Crowd after(spread(), kMany);
    const std::size_t at_peak = bytesOf(after, first);
    const auto left = static_cast<std::size_t>(first);
    ASSERT_TRUE(after.index.removeAll(after.handles().subspan(left + kLeft)).ok());
    ASSERT_TRUE(after.index.removeAll(after.handles().first(left)).ok());
    // Small tables do not shrink; the dense table of areas has 4,096 pointers at most.
    EXPECT_LE(bytesOf(after, first), 2 * bytesOf(never, 3) + 60'000) << at_peak << " at the peak";
    bool is_ok = true;
    const auto repeat = [&](Crowd& crowd, std::int64_t number) {
      for (int i = 0; i < 8; ++i)
        is_ok &= snapshotAndMove(crowd, number);
    };
    expectNoGrowth(
        std::string("snapshot and move, ") + spread().name, [&] { repeat(never, 3); },
        [&] { repeat(after, first); });
    EXPECT_TRUE(is_ok);
  }
};
INSTANTIATE_TEST_SUITE_P(Spreads, EntityPeakTest,
                         testing::Range(std::size_t{0}, std::size(kSpreads) + 1));

TEST_P(EntityPeakTest, ASnapshotCostsWhatIsLeftAfterAPeak) {
  expectCostOfTheFew(0);
}

// Their slots are the highest, and remain so.
TEST_P(EntityPeakTest, ASnapshotCostsWhatIsLeftIfThatCameLast) {
  expectCostOfTheFew(kMany - kLeft);
}

}  // namespace
}  // namespace fractalray
