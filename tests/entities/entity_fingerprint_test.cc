// SPDX-License-Identifier: Apache-2.0
// Checks that fingerprints of entities are equal for equal entities, whatever their history, and
// differ for any difference.
#include "../../entities/entity_fingerprint.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <vector>

#include "../oracle/rng.h"

namespace fractalray {
namespace {

TEST(EntitiesFingerprintTest, DependsOnContentAndNotOnHistory) {
  const Frame frame(2);
  const EntitySpec one{.id = 1, .level = 1, .shape = Sphere{1}, .position = {1, 2, 3}};
  const EntitySpec two{.id = 2, .level = 0, .shape = Box{{1, 2, 3}}, .position = {4, 5, 6}};
  const auto of = [&](const std::vector<EntitySpec>& specs) {
    EntityIndex index(frame);
    EXPECT_TRUE(index.addAll(specs).ok());
    return entitiesFingerprint(index);
  };
  const std::uint64_t expected = of({one, two});
  EXPECT_EQ(of({two, one}), expected);
  EntityIndex index(frame);
  const EntityHandle gone = index.add({.id = 9}).value();
  ASSERT_TRUE(index.add(two).ok());
  ASSERT_TRUE(index.remove(gone).ok());
  ASSERT_TRUE(index.add(one).ok());
  EXPECT_EQ(entitiesFingerprint(index), expected);
  ASSERT_TRUE(index.move(*index.findId(1), {1, 2, 3.5}).ok());
  EXPECT_NE(entitiesFingerprint(index), expected);
  ASSERT_TRUE(index.move(*index.findId(1), {1, 2, 3}).ok());
  EXPECT_EQ(entitiesFingerprint(index), expected);

  std::set<std::uint64_t> seen = {expected, of({})};
  const auto expect_new = [&](const char* what, const std::function<void(EntitySpec&)>& change) {
    EntitySpec changed = one;
    change(changed);
    EXPECT_TRUE(seen.insert(of({changed, two})).second) << what;
  };
  expect_new("id", [](EntitySpec& spec) { spec.id = 3; });
  expect_new("level", [](EntitySpec& spec) { spec.level = 0; });
  expect_new("class", [](EntitySpec& spec) { spec.entity_class = EntityClassId{1}; });
  expect_new("categories", [](EntitySpec& spec) { spec.categories = 2; });
  expect_new("shape", [](EntitySpec& spec) { spec.shape = Box{{1, 1, 1}}; });
  expect_new("size", [](EntitySpec& spec) { spec.shape = Sphere{2}; });
  expect_new("axes", [](EntitySpec& spec) { spec.position = {2, 1, 3}; });
}

// Each entity counts in the chunk of its own level in which its centre lies.
TEST(EntitiesFingerprintTest, BoxesOfChunksAddUp) {
  const Frame frame(2);
  EntityIndex index(frame);
  oracle::Rng rng(8);
  for (EntityId id = 1; id <= 300; ++id) {
    const auto coordinate = [&] { return static_cast<double>(rng.in(-640, 640)) / 10; };
    ASSERT_TRUE(index
                    .add({.id = id,
                          .level = rng.below(2),
                          .shape = Sphere{3},
                          .position = {coordinate(), coordinate(), coordinate()}})
                    .ok());
  }
  std::uint64_t all = 0;
  for (const int level : {0, 1}) {
    std::uint64_t of_level = 0;
    std::size_t with_some = 0;
    for (std::int64_t x = -4; x <= 4; ++x) {
      for (std::int64_t y = -4; y <= 4; ++y) {
        for (std::int64_t z = -4; z <= 4; ++z) {
          const std::uint64_t own = entitiesFingerprint(index, level, {x, y, z}, {x, y, z});
          of_level += own;
          if (own != 0) ++with_some;
        }
      }
    }
    EXPECT_EQ(entitiesFingerprint(index, level, {-4, -4, -4}, {4, 4, 4}), of_level);
    EXPECT_EQ(with_some, level == 0 ? 8U : with_some);
    EXPECT_GT(with_some, 7U);
    all += of_level;
  }
  EXPECT_EQ(entitiesFingerprint(index), all);
  EXPECT_EQ(entitiesFingerprint(index, 2, {-4, -4, -4}, {4, 4, 4}), 0U);
  EXPECT_EQ(entitiesFingerprint(index, 0, {1, 0, 0}, {0, 0, 0}), 0U);
}

}  // namespace
}  // namespace fractalray
