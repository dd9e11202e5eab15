// SPDX-License-Identifier: Apache-2.0
// Checks which of its chunks reports an entity to a range search: exactly one, and none is nearer
// to the searched box.
#include "../../entities/internal/rounded_box.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

constexpr int kShift = 10;  // chunks are 1024 units wide
constexpr std::int64_t kWidth = std::int64_t{1} << kShift;

Entity sphere(const Vec3i& position, std::int64_t radius) {
  Entity entity;
  entity.position = position;
  entity.shape = {.kind = FixedShape::Kind::kSphere, .half_extents = {radius, radius, radius}};
  return entity;
}

Entity randomEntity(Rng& rng) {
  const auto any = [&rng] { return rng.in(-2 * kWidth, 2 * kWidth); };
  Entity entity = sphere({any(), any(), any()}, rng.in(0, kWidth - 1));
  if (rng.oneIn(3)) {
    entity.shape.kind = FixedShape::Kind::kBox;
    for (int axis = 0; axis < 3; ++axis)
      entity.shape.half_extents[axis] = rng.in(0, kWidth - 1);
  }
  return entity;
}

RoundedBox randomReach(Rng& rng) {
  RoundedBox reach;
  for (int axis = 0; axis < 3; ++axis) {
    // Mostly near a corner of chunks, where several of them are as near.
    const std::int64_t at = rng.in(-3, 3) * kWidth;
    reach.min[axis] = rng.oneIn(2) ? at : at + rng.in(-kWidth, kWidth);
    reach.max[axis] = reach.min[axis] + (rng.oneIn(2) ? 0 : rng.in(0, 3 * kWidth));
  }
  return reach;
}

absl::int128 gapOf(const ChunkCoord& chunk, const RoundedBox& reach) {
  const Vec3i min{chunk[0] * kWidth, chunk[1] * kWidth, chunk[2] * kWidth};
  return squaredGap(min, min + Vec3i{kWidth, kWidth, kWidth}, reach.min, reach.max);
}

TEST(ReportingChunkTest, IsExactlyOneOfTheNearest) {
  Rng rng("ReportingChunkTest");
  int several = 0;
  int misses_corner = 0;  // spheres that are not in all chunks around them
  int ties = 0;
  for (int i = 0; i < 20000; ++i) {
    const Entity entity = randomEntity(rng);
    const RoundedBox reach = randomReach(rng);
    const EntityChunks chunks = overlappedChunks(entity.shape, entity.position, kShift);
    const auto reports = [&](const ChunkCoord& chunk) {
      return isReportingChunk(chunk, entity, reach, kShift);
    };
    ASSERT_EQ(std::count_if(chunks.begin(), chunks.end(), reports), 1) << i;
    const ChunkCoord reporting = *std::find_if(chunks.begin(), chunks.end(), reports);
    const auto as_near = [&](const ChunkCoord& chunk) {
      EXPECT_GE(gapOf(chunk, reach), gapOf(reporting, reach)) << i;
      return gapOf(chunk, reach) == gapOf(reporting, reach);
    };
    ties += std::count_if(chunks.begin(), chunks.end(), as_near) > 1 ? 1 : 0;
    several += chunks.size() > 1 ? 1 : 0;
    const std::int64_t around = chunkRange(entity.shape, entity.position, kShift).chunks();
    misses_corner += around > std::ssize(chunks) ? 1 : 0;
  }
  EXPECT_GT(several, 10000);
  EXPECT_GT(misses_corner, 1000);
  EXPECT_GT(ties, 1000);
}

// 3-4-5: the sphere ends 1 unit before the edge between its chunk and the one across the corner.
TEST(ReportingChunkTest, IsNeverAChunkThatASphereMissesAtItsCorner) {
  const Entity entity = sphere({kWidth - 3, kWidth - 4, 512}, 4);
  const RoundedBox beyond{.min = {3000, 3000, 512}, .max = {3000, 3000, 512}};
  const EntityChunks chunks = overlappedChunks(entity.shape, entity.position, kShift);
  ASSERT_EQ(chunks.size(), 3U) << "not [1, 1, 0], which is the nearest";
  // The two others are as near: the first one reports.
  EXPECT_TRUE(isReportingChunk({0, 1, 0}, entity, beyond, kShift));
  EXPECT_FALSE(isReportingChunk({1, 0, 0}, entity, beyond, kShift));
  EXPECT_FALSE(isReportingChunk({0, 0, 0}, entity, beyond, kShift));
}

TEST(ReportingChunkTest, IsTheOnlyChunkOfASmallEntityWhereverTheSearchIs) {
  const Entity entity = sphere({512, 512, 512}, 100);
  for (const std::int64_t at : {-100000, 0, 512, 100000}) {
    const RoundedBox reach{.min = {at, at, at}, .max = {at, at, at}};
    EXPECT_TRUE(isReportingChunk({0, 0, 0}, entity, reach, kShift));
  }
}

}  // namespace
}  // namespace fractalray::internal
