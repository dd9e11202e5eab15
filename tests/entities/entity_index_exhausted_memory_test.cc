// SPDX-License-Identifier: Apache-2.0
// Checks that editing an index while memory runs out, at any of its allocations, leaves the index
// unchanged, and that the edit works once there is memory again.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../../core/internal/access.h"
#include "../../entities/entity_index.h"
#include "../../entities/internal/entity_store.h"
#include "../../levels/world.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/rng.h"
#include "index_content.h"
#include "index_questions.h"

namespace fractalray {
namespace {

using oracle::AllocationFailure;
using oracle::Rng;
using Extent = AllocationFailure::Extent;

constexpr int kLevels = 2;
constexpr EntityId kNewIds = 1000;  // the first id that no entity has

// An index, the handles of its entities in the order of their ids from 0, and the snapshots held at
// the same time. Rebuilt for each failure, always the same.
struct Subject {
  EntityIndex index{Frame(kLevels)};
  std::vector<EntityHandle> handles;
  std::vector<std::shared_ptr<const EntityIndex>> held;
};

EntitySpec specAt(EntityId id, const Vec3d& position, double radius) {
  return {.id = id, .level = 1, .shape = Sphere{radius}, .position = position};
}

// A crowd of 50 in one chunk and of 17 in another, so that pages are full and lists at the end of
// their runs; entities in up to 27 chunks; some that have an area of their own.
std::unique_ptr<Subject> makeSubject() {
  auto subject = std::make_unique<Subject>();
  const auto add = [&](const Vec3d& position, const Shape& shape) {
    EntitySpec spec = specAt(subject->handles.size(), position, 0);
    spec.shape = shape;
    spec.level = static_cast<int>(spec.id % kLevels);
    subject->handles.push_back(subject->index.add(spec).value());
  };
  for (int i = 0; i < 50; ++i)
    add({2.0 + i % 10, 2.0 + i / 10, 5}, Sphere{0.25});
  for (int i = 0; i < 17; ++i)
    add({-10.0 + i % 5, -10.0 + i / 5, -5}, Box{{0.5, 0.25, 0.25}});
  for (const double radius : {5.0, 9.0, 15.5, 20.0, 100.0})
    add({8 + radius / 8, 9, 10}, Sphere{radius});
  for (const double far : {300.0, -2000.0, 0x1p30})
    add({far, far / 2, 4}, Sphere{1});
  // Some free slots, of various generations.
  for (const std::size_t gone : {5U, 40U, 60U}) {
    EXPECT_TRUE(subject->index.remove(subject->handles[gone]).ok());
    subject->handles.erase(subject->handles.begin() + static_cast<std::ptrdiff_t>(gone));
  }
  return subject;
}

// The snapshots held while the index is edited, and whether crowds are in order.
enum class Held { kNothing, kSnapshot, kOldAndNewSnapshot, kOptimized, kOptimizedSnapshot };

void hold(Subject& subject, Held held) {
  if (held == Held::kNothing) return;
  if (held == Held::kOptimized || held == Held::kOptimizedSnapshot) {
    ASSERT_EQ(subject.index.optimize(), 1U) << "the crowd of 50";
    if (held == Held::kOptimized) return;
  }
  subject.held.push_back(subject.index.snapshot());
  if (held != Held::kOldAndNewSnapshot) return;
  // Some pages are the index's own again, some others are not.
  for (const std::size_t i : {0U, 20U, 48U, 66U}) {
    const Entity entity = *subject.index.find(subject.handles[i]);
    Vec3d position = toBlocks(entity.position);
    position[0] += 3;
    ASSERT_TRUE(subject.index.move(subject.handles[i], position).ok());
  }
  subject.held.push_back(subject.index.snapshot());
  ASSERT_TRUE(subject.index.remove(subject.handles.back()).ok());
  subject.handles.pop_back();
}

struct Observed {
  std::string text;
  std::uint64_t version = 0;
  IndexQuestions::Answers answers;
};

// An edit, by name, that succeeds where there is memory, or is refused.
struct Edit {
  const char* name;
  bool is_refused;
  std::function<bool(EntityIndex&, const std::vector<EntityHandle>&)> run;  // true if it succeeded
};
using Handles = std::vector<EntityHandle>;

std::vector<EntitySpec> manySpecs() {
  std::vector<EntitySpec> specs;
  Rng rng("ExhaustedMemory.Specs");
  for (EntityId id = kNewIds; id < kNewIds + 60; ++id) {
    const double reach = rng.pick({8.0, 8.0, 100.0, 0x1p30});
    Vec3d position;
    for (int axis = 0; axis < 3; ++axis)
      position[axis] = reach * static_cast<double>(rng.in(-100, 100)) / 100;
    specs.push_back(specAt(id, position, rng.pick({0.25, 0.25, 6.0, 15.0, 40.0})));
  }
  return specs;
}

// Moves all, some of them twice, to near and far and into the crowds.
std::vector<EntityMove> manyMoves(const Handles& handles) {
  std::vector<EntityMove> moves;
  Rng rng("ExhaustedMemory.Moves");
  for (std::size_t i = 0; i < handles.size() + 20; ++i) {
    const double reach = rng.pick({6.0, 6.0, 100.0, 3000.0});
    Vec3d position;
    for (int axis = 0; axis < 3; ++axis)
      position[axis] = reach * static_cast<double>(rng.in(-100, 100)) / 100;
    moves.push_back({handles[i % handles.size()], position});
  }
  return moves;
}

// All become something else, some of them twice.
std::vector<EntityChange> manyChanges(const Handles& handles) {
  std::vector<EntityChange> changes;
  Rng rng("ExhaustedMemory.Changes");
  for (const EntityMove& move : manyMoves(handles)) {
    EntityUpdate update;
    if (rng.oneIn(2)) update.position = move.position;
    if (rng.oneIn(2)) update.shape = Sphere{rng.pick({0.25, 6.0, 15.5, 100.0})};
    if (rng.oneIn(2)) update.level = rng.below(kLevels);
    changes.push_back({move.entity, update});
  }
  return changes;
}

Edit adding(const char* name, const Vec3d& position, double radius) {
  return {name, false, [=](EntityIndex& index, const Handles&) {
            return index.add(specAt(kNewIds, position, radius)).ok();
          }};
}
Edit moving(const char* name, std::size_t number, const Vec3d& position) {
  return {name, false, [=](EntityIndex& index, const Handles& handles) {
            return index.move(handles[number], position).ok();
          }};
}
Edit updating(const char* name, std::size_t number, const EntityUpdate& update) {
  return {name, false, [=](EntityIndex& index, const Handles& handles) {
            return index.update(handles[number], update).ok();
          }};
}
Edit removing(const char* name, std::size_t number) {
  return {name, false, [=](EntityIndex& index, const Handles& handles) {
            return index.remove(handles[number]).ok();
          }};
}

std::vector<Edit> allEdits() {
  return {
      adding("AddToTheCrowd", {3, 3, 6}, 0.25),
      adding("AddToTheSmallerCrowd", {-8, -8, -6}, 0.25),
      adding("AddIn27Chunks", {8, 8, 8}, 15.5),
      adding("AddInTwoAreas", {256, 8, 8}, 1),
      adding("AddFarAway", {-0x1p40, 5, 9}, 1),
      moving("MoveWithinItsChunk", 10, {4, 4, 6}),
      moving("MoveWithinTwoChunks", 65, {8.5, 9, 10}),
      moving("MoveOutOfTheCrowd", 11, {-100, 0, 5}),
      moving("MoveIntoTheOtherCrowd", 12, {-8, -8, -6}),
      moving("MoveToAnAreaOfItsOwn", 13, {-0x1p35, 77, 5}),
      moving("MoveTheLargestByAChunk", 66, {25, 9, 10}),
      moving("MoveTheOnlyOneOfAnArea", 69, {9000, 3, 4}),
      updating("UpdateOfItsLevel", 14, {.level = 1, .categories = 6}),
      updating("UpdateOfItsPosition", 15, {.position = Vec3d{-8, -8, -6}}),
      updating("UpdateOfItsShapeInItsChunk", 16, {.shape = Box{{0.5, 0.125, 0.25}}}),
      updating("UpdateFromOneTo27Chunks", 17, {.shape = Sphere{15.5}, .position = Vec3d{8, 8, 8}}),
      updating("UpdateFrom27ToOneChunk", 66, {.shape = Sphere{0.25}, .position = Vec3d{3, 3, 6}}),
      updating("UpdateToAnotherIndexLevel", 18, {.shape = Sphere{100}}),
      updating("UpdateFromTheCoarserIndexLevel", 68, {.level = 0, .shape = Sphere{1}}),
      updating("UpdateOfAllFarAway", 19,
               {.level = 0,
                .entity_class = EntityClassId(7),
                .shape = Box{{17, 1, 2}},
                .position = Vec3d{0x1p35, 5, 9},
                .categories = 9}),
      updating("UpdateOfTheOnlyOneOfAnArea", 69, {.shape = Sphere{20}}),
      {"UpdateRefused", true,
       [](EntityIndex& index, const Handles& handles) {
         return index.update(handles[3], {.level = 0, .shape = Sphere{-1}}).ok();
       }},
      removing("RemoveFromTheCrowd", 20),
      removing("RemoveFromTheSmallerCrowd", 50),
      removing("RemoveFrom27Chunks", 66),
      removing("RemoveTheOnlyOneOfAnArea", 69),
      {"AddAll", false,
       [](EntityIndex& index, const Handles&) { return index.addAll(manySpecs()).ok(); }},
      {"MoveAll", false,
       [](EntityIndex& index, const Handles& handles) {
         return index.moveAll(manyMoves(handles)).ok();
       }},
      {"UpdateAll", false,
       [](EntityIndex& index, const Handles& handles) {
         return index.updateAll(manyChanges(handles)).ok();
       }},
      {"RemoveAll", false,
       [](EntityIndex& index, const Handles& handles) { return index.removeAll(handles).ok(); }},
      {"AddAllRefused", true,
       [](EntityIndex& index, const Handles&) {
         std::vector<EntitySpec> specs = manySpecs();
         specs.push_back(specs.front());
         return index.addAll(specs).ok();
       }},
      {"MoveAllRefused", true,
       [](EntityIndex& index, const Handles& handles) {
         std::vector<EntityMove> moves = manyMoves(handles);
         moves.push_back({{12345, 1}, {0, 0, 0}});
         return index.moveAll(moves).ok();
       }},
      {"UpdateAllRefused", true,
       [](EntityIndex& index, const Handles& handles) {
         std::vector<EntityChange> changes = manyChanges(handles);
         changes.push_back({handles.front(), {.shape = Sphere{-1}}});
         return index.updateAll(changes).ok();
       }},
      {"RemoveAllRefused", true,
       [](EntityIndex& index, const Handles& handles) {
         Handles twice = handles;
         twice.push_back(handles.front());
         return index.removeAll(twice).ok();
       }},
      {"Snapshot", false,
       [](EntityIndex& index, const Handles&) {
         const std::uint64_t version = index.version();
         return index.snapshot()->version() == version;
       }},
      {"Optimize", false,
       [](EntityIndex& index, const Handles&) {
         index.optimize();
         return index.optimize() == 0;
       }},
  };
}

using Parameters = std::tuple<Edit, Held>;

class ExhaustedMemoryTest : public testing::TestWithParam<Parameters> {
 protected:
  void SetUp() override {
    if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  }
  static const Edit& edit() { return std::get<0>(GetParam()); }
  static std::unique_ptr<Subject> subject() {
    std::unique_ptr<Subject> subject = makeSubject();
    hold(*subject, std::get<1>(GetParam()));
    return subject;
  }

  Observed observe(const EntityIndex& index) const {
    return {contentOf(index, true), index.version(), questions_.ask(index, SearchPass::kFast)};
  }
  void expectEqual(const EntityIndex& index, const Observed& expected) const {
    ASSERT_EQ(contentOf(index, true), expected.text);
    ASSERT_EQ(index.version(), expected.version);
    for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
      IndexQuestions::Answers answers = questions_.ask(index, pass);
      ASSERT_EQ(IndexQuestions::difference(answers, expected.answers), "");
    }
  }

  // Runs `attempt` (the edit, however it is called) with each of its allocations failing.
  using Attempt = std::function<void(Subject&)>;
  void failEach(const Attempt& attempt) const {
    const std::unique_ptr<Subject> model = subject();
    const Observed before = observe(model->index);
    std::vector<Observed> held;
    for (const auto& snapshot : model->held)
      held.push_back(observe(*snapshot));
    attempt(*model);
    const std::string after = contentOf(model->index, false);
    for (const Extent extent : {Extent::kOne, Extent::kAllFromThere}) {
      for (std::size_t n = 0;; ++n) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        const std::unique_ptr<Subject> tried = subject();
        const bool has_failed = fails(attempt, *tried, n, extent);
        if (!has_failed) break;
        ASSERT_LT(n, 10000U);
        ASSERT_NO_FATAL_FAILURE(expectEqual(tried->index, before));
        attempt(*tried);  // with memory again
        ASSERT_EQ(contentOf(tried->index, false), after);
        ASSERT_EQ(tried->index.version(), model->index.version());
        for (std::size_t i = 0; i < held.size(); ++i)
          ASSERT_NO_FATAL_FAILURE(expectEqual(*tried->held[i], held[i]));
      }
    }
  }
  static bool fails(const Attempt& attempt, Subject& subject, std::size_t n, Extent extent) {
    try {
      const AllocationFailure failure(n, extent);
      attempt(subject);
    } catch (const std::bad_alloc&) {
      return true;
    }
    return false;
  }

  Rng rng_{"ExhaustedMemoryTest"};
  IndexQuestions questions_{rng_, kLevels, 8, {0, 0, 0}, 30};
};

TEST_P(ExhaustedMemoryTest, AFailedEditHasChangedNothing) {
  failEach([](Subject& subject) {
    EXPECT_EQ(edit().run(subject.index, subject.handles), !edit().is_refused);
  });
}

// The log reserves memory in time, too: no edit without its entry, no entry without its edit.
TEST_P(ExhaustedMemoryTest, AFailedEditIsNotInTheLog) {
  for (std::size_t n = 0;; ++n) {
    const std::unique_ptr<Subject> tried = subject();
    const internal::EditLog::Watch watch;
    const std::uint64_t version = tried->index.version();
    const bool has_failed =
        fails([](Subject& subject) { edit().run(subject.index, subject.handles); }, *tried, n,
              Extent::kAllFromThere);
    const bool is_changed = tried->index.version() != version;
    ASSERT_FALSE(has_failed && is_changed);
    ASSERT_EQ(internal::Access::store(tried->index).edits().count() > 0, is_changed)
        << "allocation " << n;
    if (!has_failed) break;
  }
}

std::string nameOf(const testing::TestParamInfo<Parameters>& instance) {
  const auto& [edit, held] = instance.param;
  constexpr std::array<const char*, 5> kHeld = {"NothingHeld", "SnapshotHeld", "SnapshotsHeld",
                                                "Optimized", "OptimizedSnapshotHeld"};
  return std::string(edit.name) + kHeld[static_cast<std::size_t>(held)];
}

INSTANTIATE_TEST_SUITE_P(
    Index, ExhaustedMemoryTest,
    testing::Combine(testing::ValuesIn(allEdits()),
                     testing::Values(Held::kNothing, Held::kSnapshot, Held::kOldAndNewSnapshot,
                                     Held::kOptimized, Held::kOptimizedSnapshot)),
    nameOf);

// The edit is the effect of a shot, through which the exception passes to the caller of the shot.
class ExhaustedMemoryInAnEffectTest : public ExhaustedMemoryTest {};

TEST_P(ExhaustedMemoryInAnEffectTest, AFailedEffectHasChangedNothing) {
  const World world({.levels = kLevels});
  const std::unique_ptr<Subject> model = subject();
  const Observed before = observe(model->index);
  for (std::size_t n = 0;; ++n) {
    SCOPED_TRACE("allocation " + std::to_string(n));
    const std::unique_ptr<Subject> tried = subject();
    RayQueryService service(world, tried->index);
    int calls = 0;
    service.onEntityHit(EntityClassId{}, [&](const EntityHit&) {
      if (++calls > 1) return HitResponse::kContinue;
      const AllocationFailure failure(n);
      edit().run(tried->index, tried->handles);
      return HitResponse::kContinue;
    });
    bool has_failed = false;
    try {
      ASSERT_TRUE(service.shootSegment({{0, 4, 5}, {30, 4, 5}}, LevelMask::all()).ok());
    } catch (const std::bad_alloc&) {
      has_failed = true;
    }
    ASSERT_GT(calls, 0);
    if (!has_failed) break;
    ASSERT_EQ(calls, 1);
    ASSERT_NO_FATAL_FAILURE(expectEqual(tried->index, before));
  }
}

INSTANTIATE_TEST_SUITE_P(Index, ExhaustedMemoryInAnEffectTest,
                         testing::Combine(testing::ValuesIn(allEdits()),
                                          testing::Values(Held::kNothing, Held::kOldAndNewSnapshot,
                                                          Held::kOptimizedSnapshot)),
                         nameOf);

// Eight crowds, so that their boxes fill a page of memory, which a snapshot shares; one has grown
// by a group of boxes, and needs no longer run for them.
std::unique_ptr<Subject> makeGrownCrowds() {
  auto subject = std::make_unique<Subject>();
  const auto fill = [&](int crowd, int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Vec3d position{16.0 * crowd + 1 + i % 14, 1.0 + i / 14 % 14, 8};
      const EntitySpec spec = specAt(subject->handles.size(), position, 0.25);
      subject->handles.push_back(subject->index.add(spec).value());
    }
  };
  for (int crowd = 0; crowd < 8; ++crowd)
    fill(crowd, 0, 190);
  EXPECT_EQ(subject->index.optimize(), 8U);
  fill(0, 190, 196);
  subject->held.push_back(subject->index.snapshot());
  return subject;
}

void moveOneByOne(Subject& subject) {
  for (std::size_t i = 0; i < subject.handles.size(); i += 7) {
    Vec3d position = toBlocks(subject.index.find(subject.handles[i])->position);
    position[2] += 4;
    ASSERT_TRUE(subject.index.move(subject.handles[i], position).ok());
  }
}

TEST(FailedOptimizeTest, MovesAfterItAreSeen) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  Rng rng("FailedOptimize");
  const IndexQuestions questions(rng, kLevels, 40, {64, 8, 8}, 64);
  const std::unique_ptr<Subject> model = makeGrownCrowds();
  moveOneByOne(*model);
  const IndexQuestions::Answers expected = questions.ask(model->index, SearchPass::kPlain);
  for (std::size_t n = 0, failures = 0;; ++n) {
    SCOPED_TRACE("allocation " + std::to_string(n));
    const std::unique_ptr<Subject> tried = makeGrownCrowds();
    bool has_failed = false;
    try {
      const AllocationFailure failure(n);
      tried->index.optimize();
    } catch (const std::bad_alloc&) {
      has_failed = true;
      ++failures;
    }
    ASSERT_NO_FATAL_FAILURE(moveOneByOne(*tried));
    ASSERT_EQ(IndexQuestions::difference(questions.ask(tried->index, SearchPass::kFast), expected),
              "");
    if (has_failed) continue;
    EXPECT_GT(failures, 2U);
    break;
  }
}

}  // namespace
}  // namespace fractalray
