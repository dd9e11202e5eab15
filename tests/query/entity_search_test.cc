// SPDX-License-Identifier: Apache-2.0
// Checks searches for entities in spheres, in boxes and the nearest ones: against every entity
// tested by exact roots, and the laws case by case.
#include "../../query/entity_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../oracle/rng.h"
#include "../oracle/search_oracle.h"

namespace fractalray::entity_search_test {
namespace {

using oracle::Rng;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// The frame's end, in finest-block widths.
constexpr double kEnd = 0x1p45;

std::vector<EntityId> ids(const absl::StatusOr<std::vector<FoundEntity>>& found) {
  std::vector<EntityId> list;
  EXPECT_TRUE(found.ok()) << found.status();
  if (!found.ok()) return list;
  for (const FoundEntity& entity : *found)
    list.push_back(entity.id);
  return list;
}

EntityHandle addTo(EntityIndex& index, const EntitySpec& spec) {
  const absl::StatusOr<EntityHandle> handle = index.add(spec);
  EXPECT_TRUE(handle.ok()) << handle.status();
  return handle.value_or(EntityHandle());
}
EntityHandle addSphere(EntityIndex& index, EntityId id, const Vec3d& center, double radius) {
  return addTo(index, {.id = id, .shape = Sphere{radius}, .position = center});
}
EntityHandle addBox(EntityIndex& index, EntityId id, const Vec3d& center, const Vec3d& half) {
  return addTo(index, {.id = id, .shape = Box{half}, .position = center});
}

// Expects the same entities in the same order, their distances equal up to the promised error.
void expectSame(const std::vector<FoundEntity>& actual, const std::vector<FoundEntity>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(actual[i].id, expected[i].id) << i;
    ASSERT_EQ(actual[i].entity, expected[i].entity) << i;
    ASSERT_EQ(actual[i].position, expected[i].position) << i;
    ASSERT_LE(std::abs(actual[i].distance - expected[i].distance), expected[i].distance * 0x1p-49)
        << i;
  }
}

// Makes random entities and points on a lattice, on which many touch and many distances are equal.
class RandomSearch {
 public:
  RandomSearch(std::string_view seed, int levels, const Vec3d& origin)
      : rng_(seed), index_(Frame(levels)), origin_(origin) {}

  void addEntities(int count) {
    for (int i = 0; i < count; ++i) {
      EntitySpec spec;
      spec.id = static_cast<EntityId>(next_id_++ * 7919 % 100003);
      spec.level = rng_.below(index_.frame().levels());
      spec.categories = std::uint64_t{1} << rng_.below(3);
      spec.position = latticePoint();
      if (rng_.oneIn(2)) {
        spec.shape = Sphere{length()};
      } else {
        spec.shape = Box{{length(), length(), length()}};
      }
      handles_.push_back(addTo(index_, spec));
    }
  }
  void moveSome() {
    for (const EntityHandle handle : handles_) {
      if (rng_.oneIn(2)) {
        ASSERT_TRUE(index_.move(handle, latticePoint()).ok());
      }
    }
  }
  void removeSome() {
    std::erase_if(handles_,
                  [&](EntityHandle handle) { return rng_.oneIn(4) && index_.remove(handle).ok(); });
  }

  void expectAllRight() {
    const std::vector<EntityId> ignore = {7919, 15838, 1};
    LevelMask levels = LevelMask::all();
    QueryFilter filter;
    if (rng_.oneIn(3)) levels = LevelMask{rng_.below(index_.frame().levels())};
    if (rng_.oneIn(3)) filter.categories = static_cast<std::uint64_t>(rng_.in(1, 7));
    if (rng_.oneIn(3)) filter.ignore = ignore;
    if (rng_.oneIn(3)) filter.entity_filter = [](const EntityHit& hit) { return hit.id % 3 != 0; };

    const Vec3d point = latticePoint();
    const Vec3i units = toUnits(point, "point").value();
    const double radius = rng_.oneIn(4) ? 0 : length();
    const std::int64_t reach = toUnits(radius, "radius").value();
    ASSERT_TRUE(entitiesInSphere(index_, point, radius, levels, filter, found_).ok());
    ASSERT_NO_FATAL_FAILURE(
        expectSame(found_, oracle::nearestTo(index_, units, units, reach, levels, filter)));

    const auto count = static_cast<std::size_t>(rng_.pick({0, 1, 2, 3, 8, 1000}));
    const bool is_limited = rng_.oneIn(3);
    ASSERT_TRUE(nearestEntities(index_, point, count, is_limited ? radius : kInfinity, levels,
                                filter, found_)
                    .ok());
    ASSERT_NO_FATAL_FAILURE(expectSame(
        found_, oracle::nearestTo(index_, units, units,
                                  is_limited ? std::optional<std::int64_t>(reach) : std::nullopt,
                                  levels, filter, count)));

    Vec3d min = point;
    Vec3d max = rng_.oneIn(5) ? point : latticePoint();
    for (int axis = 0; axis < 3; ++axis) {
      if (min[axis] > max[axis]) std::swap(min[axis], max[axis]);
    }
    ASSERT_TRUE(entitiesInBox(index_, min, max, levels, filter, found_).ok());
    std::vector<FoundEntity> expected = oracle::nearestTo(
        index_, toUnits(min, "min").value(), toUnits(max, "max").value(), 0, levels, filter);
    std::sort(expected.begin(), expected.end(),
              [](const FoundEntity& a, const FoundEntity& b) { return a.id < b.id; });
    ASSERT_NO_FATAL_FAILURE(expectSame(found_, expected));
  }

  std::uint64_t seed() const { return rng_.seed(); }

 private:
  double width() {
    return toBlocks(index_.frame().blockWidth(rng_.below(index_.frame().levels())));
  }
  Vec3d latticePoint() {
    const double step = width() / rng_.pick({1.0, 2.0, 16.0});
    Vec3d position = origin_;
    for (int axis = 0; axis < 3; ++axis)
      position[axis] += step * static_cast<double>(rng_.in(-24, 24));
    return position;
  }
  double length() { return width() * static_cast<double>(rng_.in(0, 31)) / 2; }

  Rng rng_;
  EntityIndex index_;
  Vec3d origin_;
  std::vector<EntityHandle> handles_;
  std::vector<FoundEntity> found_;
  int next_id_ = 1;
};

void run(std::string_view seed, int levels, const Vec3d& origin) {
  RandomSearch search(seed, levels, origin);
  for (int round = 0; round < 12; ++round) {
    search.addEntities(20);
    for (int i = 0; i < 40; ++i) {
      const std::uint64_t at = search.seed();
      ASSERT_NO_FATAL_FAILURE(search.expectAllRight()) << "round " << round << ", seed " << at;
    }
    ASSERT_NO_FATAL_FAILURE(search.moveSome());
    search.removeSome();
  }
}

TEST(EntitySearchTest, EqualsEveryEntityTestedOnOneLevel) {
  run("EntitySearchTest.One", 1, {0, 0, 0});
}
TEST(EntitySearchTest, EqualsEveryEntityTestedOnThreeLevels) {
  run("EntitySearchTest.Three", 3, {0, 0, 0});
}
TEST(EntitySearchTest, EqualsEveryEntityTestedFarFromTheOrigin) {
  run("EntitySearchTest.Far", 3, {kEnd / 2, -kEnd / 2, 1000});
}
TEST(EntitySearchTest, EqualsEveryEntityTestedOnEightLevels) {
  run("EntitySearchTest.Eight", 8, {0, 0, 0});
}

TEST(EntitySearchTest, TouchingCountsAndOneUnitLessDoesNot) {
  constexpr double kUnit = 1.0 / 65536;
  EntityIndex index(Frame(2));
  addSphere(index, 1, {103, 104, 0}, 2);     // 5 from (100, 100, 0), so 3 to its surface
  addBox(index, 2, {90, 92, 0}, {4, 2, 1});  // its nearest edge is at (94, 94)
  const double to_edge = std::sqrt(72.0);    // no whole number of units
  EXPECT_THAT(ids(entitiesInSphere(index, {100, 100, 0}, 3)), ElementsAre(1));
  EXPECT_THAT(ids(entitiesInSphere(index, {100, 100, 0}, 3 - kUnit)), IsEmpty());
  EXPECT_THAT(ids(entitiesInSphere(index, {100, 100, 0}, to_edge + kUnit)), ElementsAre(1, 2));
  EXPECT_THAT(ids(entitiesInSphere(index, {100, 100, 0}, to_edge - kUnit)), ElementsAre(1));
  EXPECT_THAT(ids(entitiesInBox(index, {101, 104, 0}, {101, 104, 0})), ElementsAre(1));
  EXPECT_THAT(ids(entitiesInBox(index, {101 - kUnit, 104, 0}, {101 - kUnit, 104, 0})), IsEmpty());
  EXPECT_THAT(ids(entitiesInBox(index, {94, 94, 1}, {101, 104, 1})), ElementsAre(2));
  EXPECT_THAT(ids(nearestEntities(index, {100, 100, 0}, 5, 3)), ElementsAre(1));
  EXPECT_THAT(ids(nearestEntities(index, {100, 100, 0}, 5, 3 - kUnit)), IsEmpty());
}

TEST(EntitySearchTest, EqualDistancesOfSpheresAndBoxesComeById) {
  EntityIndex index(Frame(1));
  addSphere(index, 5, {3, 4, 0}, 1);
  addBox(index, 3, {0, 5, 0}, {7, 1, 0.5});
  addSphere(index, 9, {0, 0, -6}, 2);
  addBox(index, 1, {0, 0, 4.25}, {1, 1, 0.25});
  addSphere(index, 2, {0, 0, 5}, 1.0 + 1.0 / 65536);
  EXPECT_THAT(ids(nearestEntities(index, {0, 0, 0}, 5)), ElementsAre(2, 1, 3, 5, 9));
  EXPECT_THAT(ids(nearestEntities(index, {0, 0, 0}, 3)), ElementsAre(2, 1, 3));
  EXPECT_THAT(ids(entitiesInSphere(index, {0, 0, 0}, 4)), ElementsAre(2, 1, 3, 5, 9));
}

TEST(EntitySearchTest, EntitiesThatContainThePointComeFirstAndById) {
  EntityIndex index(Frame(1));
  addSphere(index, 9, {0, 0, 0}, 3);
  addBox(index, 4, {2, 0, 0}, {2, 2, 2});  // the point is on its face
  addSphere(index, 6, {0, 3, 0}, 3);       // and on its surface
  addSphere(index, 1, {0, -2, 0}, 1);
  const auto found = nearestEntities(index, {0, 0, 0}, 4);
  EXPECT_THAT(ids(found), ElementsAre(4, 6, 9, 1));
  EXPECT_EQ((*found)[2].distance, 0);
  EXPECT_EQ((*found)[3].distance, 1);
  EXPECT_THAT(ids(entitiesInSphere(index, {0, 0, 0}, 0)), ElementsAre(4, 6, 9));
}

TEST(EntitySearchTest, OrderFollowsExactDistancesThatDoublesCannotSeparate) {
  // sqrt(a^2 + 1) - (a - d): with a smaller a it is larger, by 2^-60 of it and less.
  constexpr std::int64_t kFar = std::int64_t{1} << 58;
  EntityIndex index(Frame(10));
  const double unit = 1.0 / 65536;
  for (EntityId id = 1; id <= 4; ++id) {
    // The larger the id, the smaller the sphere.
    const auto a =
        static_cast<double>(kFar + (std::int64_t{1} << 52)) - static_cast<double>(id) * 0x1p50;
    const double radius = 0x1p44 * 0x1p10 - static_cast<double>(id) * 0x1p50;
    addTo(index, {.id = id,
                  .level = 9,
                  .shape = Sphere{radius * unit},
                  .position = {a * unit, id % 2 == 0 ? unit : -unit, 0}});
  }
  EXPECT_THAT(ids(nearestEntities(index, {0, 0, 0}, 4)), ElementsAre(1, 2, 3, 4));
  // With the ids the other way round it must be the same order of sizes.
  EntityIndex reversed(Frame(10));
  for (const EntityHandle handle : index.all()) {
    const Entity& entity = *index.find(handle);
    addTo(reversed, {.id = 10 - entity.id,
                     .level = 9,
                     .shape = toBlocks(entity.shape),
                     .position = toBlocks(entity.position)});
  }
  EXPECT_THAT(ids(nearestEntities(reversed, {0, 0, 0}, 4)), ElementsAre(9, 8, 7, 6));
  EXPECT_THAT(ids(entitiesInSphere(reversed, {0, 0, 0}, kInfinity)), ElementsAre(9, 8, 7, 6));
}

TEST(EntitySearchTest, AFewFarEntitiesAreFoundFromAnywhere) {
  for (const int levels : {1, 4, 10}) {
    EntityIndex index{Frame(levels)};
    addSphere(index, 1, {kEnd - 1, kEnd - 1, kEnd - 1}, 1);
    addBox(index, 2, {-kEnd, 0, 0}, {0, 3, 3});
    EXPECT_THAT(ids(nearestEntities(index, {-kEnd, -kEnd, -kEnd}, 2)), ElementsAre(2, 1));
    EXPECT_THAT(ids(nearestEntities(index, {kEnd, 0, 0}, 1)), ElementsAre(1));
    EXPECT_THAT(ids(nearestEntities(index, {0, 0, 0}, 9)), ElementsAre(2, 1));
    EXPECT_THAT(ids(entitiesInSphere(index, {0, 0, 0}, kEnd)), ElementsAre(2));
    EXPECT_THAT(ids(entitiesInSphere(index, {-kEnd, -kEnd, -kEnd}, kInfinity)), ElementsAre(2, 1));
    EXPECT_THAT(ids(entitiesInSphere(index, {-kEnd, -kEnd, -kEnd}, 1.74 * 2 * kEnd)),
                ElementsAre(2, 1));
    EXPECT_THAT(ids(entitiesInBox(index, {-kEnd, -kEnd, -kEnd}, {kEnd, kEnd, kEnd})),
                ElementsAre(1, 2));
    EXPECT_THAT(ids(entitiesInBox(index, {kEnd, kEnd - 1, kEnd - 1}, {kEnd, kEnd, kEnd})),
                ElementsAre(1));
    EXPECT_THAT(ids(entitiesInBox(index, {-kEnd, -5, -5}, {-kEnd, 5, 5})), ElementsAre(2));
    EXPECT_THAT(ids(nearestEntities(index, {-kEnd, 4, 0}, 5, 1)), ElementsAre(2));
  }
}

TEST(EntitySearchTest, EachEntityIsFoundOnceWhateverChunksItIsIn) {
  EntityIndex index(Frame(2));
  addSphere(index, 1, {0, 0, 0}, 15.5);       // in 8 chunks
  addBox(index, 2, {8, 8, 8}, {15, 15, 15});  // in 27
  addSphere(index, 3, {24, 24, 8}, 15.9);     // passes by the corners of some
  for (double x = -48; x <= 48; x += 8) {
    const Vec3d point{x, x / 2, -x};
    EXPECT_THAT(ids(nearestEntities(index, point, 9)), testing::UnorderedElementsAre(1, 2, 3)) << x;
    EXPECT_THAT(ids(entitiesInBox(index, {-60, -60, -60}, point + Vec3d{60, 60, 60})).size(), 3U)
        << x;
    EXPECT_THAT(ids(entitiesInSphere(index, point, 200)), testing::UnorderedElementsAre(1, 2, 3))
        << x;
  }
}

TEST(EntitySearchTest, CheapFiltersRunFirst) {
  EntityIndex index(Frame(3));
  addTo(index, {.id = 1, .level = 0, .position = {1, 0, 0}, .categories = 1});
  addTo(index, {.id = 2, .level = 2, .position = {2, 0, 0}, .categories = 2});
  addTo(index, {.id = 3, .level = 2, .position = {3, 0, 0}, .categories = 3});
  addTo(index, {.id = 4, .level = 2, .position = {4, 0, 0}, .categories = 1});
  addTo(index, {.id = 5, .level = 2, .position = {90, 0, 0}, .categories = 1});
  const Vec3d point{0, 0, 0};
  const LevelMask all = LevelMask::all();
  EXPECT_THAT(ids(nearestEntities(index, point, 9, 10, {0, 7})), ElementsAre(1));
  EXPECT_THAT(ids(nearestEntities(index, point, 9, 10, {1})), IsEmpty());
  EXPECT_THAT(ids(nearestEntities(index, point, 9, 10, all, {.categories = 2})), ElementsAre(2, 3));
  EXPECT_THAT(ids(nearestEntities(index, point, 9, 10, all, {.categories = 0})), IsEmpty());
  const std::vector<EntityId> ignore = {3, 77};
  std::vector<EntityId> asked;
  const LevelMask finest{2};
  const QueryFilter filter{
      .categories = 1, .ignore = ignore, .entity_filter = [&](const EntityHit& hit) {
        asked.push_back(hit.id);
        return hit.id != 4;
      }};
  EXPECT_THAT(ids(nearestEntities(index, point, 9, 10, finest, filter)), IsEmpty());
  EXPECT_THAT(asked, ElementsAre(4)) << "no other passes all cheaper filters";
  EXPECT_THAT(ids(nearestEntities(index, point, 9, kInfinity, finest, filter)), ElementsAre(5));
  EXPECT_THAT(ids(entitiesInSphere(index, point, 100, finest, filter)), ElementsAre(5));
  EXPECT_THAT(ids(entitiesInBox(index, point, {100, 1, 1}, finest, filter)), ElementsAre(5));
}

TEST(EntitySearchTest, APredicateMaySearchToo) {
  EntityIndex index(Frame(1));
  for (EntityId id = 1; id <= 40; ++id)
    addSphere(index, id, {static_cast<double>(id * id), 0, 0}, 0.25);
  // Returns those whose nearest other is nearer than 10: 2 k + 1 apart, less the radius.
  const QueryFilter crowded{.entity_filter = [&](const EntityHit& hit) {
    const Vec3d at = toBlocks(hit.position);
    const auto found = nearestEntities(index, at, 2);
    return found.ok() && (*found)[1].distance < 10;
  }};
  EXPECT_THAT(ids(nearestEntities(index, {0, 0, 0}, 40, kInfinity, LevelMask::all(), crowded)),
              ElementsAre(1, 2, 3, 4, 5));
}

TEST(EntitySearchTest, AnEmptyIndexAndACountOfZeroFindNothing) {
  EntityIndex index(Frame(4));
  EXPECT_THAT(ids(nearestEntities(index, {1, 2, 3}, 5)), IsEmpty());
  EXPECT_THAT(ids(entitiesInSphere(index, {1, 2, 3}, kInfinity)), IsEmpty());
  EXPECT_THAT(ids(entitiesInBox(index, {-9, -9, -9}, {9, 9, 9})), IsEmpty());
  const EntityHandle handle = addSphere(index, 1, {0, 0, 0}, 1);
  EXPECT_THAT(ids(nearestEntities(index, {0, 0, 0}, 0)), IsEmpty());
  ASSERT_TRUE(index.remove(handle).ok());
  EXPECT_THAT(ids(nearestEntities(index, {0, 0, 0}, 1)), IsEmpty());
}

TEST(EntitySearchTest, BadQueriesAreRefusedAndLeaveNoResults) {
  EntityIndex index(Frame(2));
  addSphere(index, 1, {0, 0, 0}, 1);
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  constexpr auto kBeyond = absl::StatusCode::kOutOfRange;
  const LevelMask all = LevelMask::all();
  const LevelMask nobody{5};
  const Vec3d zero{0, 0, 0};
  std::vector<FoundEntity> found;
  const auto expect = [&](const absl::Status& status, absl::StatusCode code, const char* what) {
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(what));
    EXPECT_THAT(found, IsEmpty());
    ASSERT_TRUE(nearestEntities(index, zero, 1, 1, all, {}, found).ok());
    ASSERT_EQ(found.size(), 1U);
  };
  expect(entitiesInSphere(index, {0, kNan, 0}, 1, all, {}, found), kInvalid, "centre.y is NaN");
  expect(entitiesInSphere(index, {0, 0, kInfinity}, 1, all, {}, found), kInvalid,
         "centre.z is inf");
  expect(entitiesInSphere(index, {2 * kEnd, 0, 0}, 1, all, {}, found), kBeyond, "2^45");
  expect(entitiesInSphere(index, zero, -1, all, {}, found), kInvalid, "radius is -1");
  expect(entitiesInSphere(index, zero, kNan, all, {}, found), kInvalid, "radius is NaN");
  expect(entitiesInSphere(index, zero, 1, nobody, {}, found), kInvalid, "'5' has no active level");
  expect(entitiesInBox(index, {kNan, 0, 0}, zero, all, {}, found), kInvalid, "min.x is NaN");
  expect(entitiesInBox(index, zero, {0, kInfinity, 0}, all, {}, found), kInvalid, "max.y is inf");
  expect(entitiesInBox(index, zero, {0, 0, 2 * kEnd}, all, {}, found), kBeyond, "max.z");
  const Vec3d far{2 * kEnd, 0, 0};
  expect(entitiesInSphere(index, far, kNan, all, {}, found), kInvalid, "radius is NaN");
  expect(entitiesInBox(index, far, {0, kNan, 0}, all, {}, found), kInvalid, "max.y is NaN");
  expect(entitiesInBox(index, far, zero, all, {}, found), kInvalid, "min.x is");
  expect(nearestEntities(index, far, 1, -1, all, {}, found), kInvalid, "distance is -1");
  expect(entitiesInBox(index, {0, 3, 0}, {1, 2, 1}, all, {}, found), kInvalid,
         "min.y is 3, above its max.y, 2");
  expect(entitiesInBox(index, {0, 1000000.5, 0}, {1, 1000000.25, 1}, all, {}, found), kInvalid,
         "min.y is 1000000.5, above its max.y, 1000000.25");
  expect(entitiesInBox(index, zero, zero, nobody, {}, found), kInvalid, "no active level");
  expect(nearestEntities(index, {kNan, 0, 0}, 1, 1, all, {}, found), kInvalid, "point.x is NaN");
  expect(nearestEntities(index, {0, -2 * kEnd, 0}, 1, 1, all, {}, found), kBeyond, "point.y");
  expect(nearestEntities(index, zero, 1, -0.5, all, {}, found), kInvalid, "distance is -0.5");
  expect(nearestEntities(index, zero, 1, kNan, all, {}, found), kInvalid, "distance is NaN");
  expect(nearestEntities(index, zero, 1, 1, nobody, {}, found), kInvalid, "no active level");
  EXPECT_EQ(entitiesInSphere(index, zero, -1).status().code(), kInvalid);
}

}  // namespace
}  // namespace fractalray::entity_search_test
