// SPDX-License-Identifier: Apache-2.0
// Checks the caller's arrays after a batch of the C interface has run out of memory, at each of its
// allocations.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "../oracle/allocations.h"
#include "sized.h"

namespace fractalray::testing {
namespace {

// The lines that are answered together: see frWorld_ClosestHits.
constexpr std::size_t kPart = 8192;
constexpr std::uint8_t kOld = 0x5a;

template <class T>
std::vector<T> oldArray(std::size_t count) {
  std::vector<T> array(count);
  std::memset(static_cast<void*>(array.data()), kOld, count * sizeof(T));
  return array;
}

template <class T>
bool isOld(const T& element) {
  static const std::vector<T> old = oldArray<T>(1);
  return std::memcmp(static_cast<const void*>(&element), old.data(), sizeof(T)) == 0;
}

// Returns the number of leading elements that have been written; -1 if others have been, too.
template <class T>
std::ptrdiff_t writtenOf(const std::vector<T>& array) {
  const auto first_old = std::find_if(array.begin(), array.end(), isOld<T>);
  return std::all_of(first_old, array.end(), isOld<T>) ? first_old - array.begin() : -1;
}

// The arrays that a batch writes, all of old bytes at first, and its summary.
template <class Answer, class Detail>
struct BatchArrays {
  explicit BatchArrays(std::size_t count)
      : answers(oldArray<Answer>(count)),
        details(oldArray<Detail>(count)),
        results(oldArray<frResult>(count)) {}

  std::vector<Answer> answers;
  std::vector<Detail> details;
  std::vector<frResult> results;
  frBatchResult batch = sized<frBatchResult>();
};

// A chunk with a wall, and lines to it, of which some in each part are not finite.
class BatchOutOfMemoryTest : public ::testing::Test {
 protected:
  BatchOutOfMemoryTest() {
    frWorldDef def = sized<frWorldDef>();
    def.version = FR_VERSION;
    EXPECT_EQ(frCreateWorld(&def, &world_), FR_OK);
    frBlockTypeDef type = sized<frBlockTypeDef>();
    type.name = "glass";
    type.kind = FR_PERMEABLE;
    frBlockType glass = 0;
    EXPECT_EQ(frWorld_AddBlockType(world_, &type, &glass), FR_OK);
    const frChunkDef chunk = sized<frChunkDef>();
    EXPECT_EQ(frWorld_LoadChunks(world_, 0, &chunk, 1), FR_OK);
    const std::array<std::int64_t, 3> min = {9, 0, 0};
    const std::array<std::int64_t, 3> max = {9, 15, 15};
    EXPECT_EQ(frWorld_FillBox(world_, 0, min.data(), max.data(), glass), FR_OK);
  }
  ~BatchOutOfMemoryTest() override { EXPECT_EQ(frDestroyWorld(world_), FR_OK); }

  frLines lines(std::size_t count) {
    from_.assign(3 * count, 2.5);
    to_.assign(3 * count, 12.5);
    for (const std::size_t i : {std::size_t{99}, kPart + 99, count - 2, count - 1}) {
      if (i < count) to_[3 * i] = std::nan("");
    }
    frLines made = sized<frLines>();
    made.count = count;
    made.from.data = from_.data();
    made.from.vector_stride = 24;
    made.to.data = to_.data();
    made.to.vector_stride = 24;
    return made;
  }

  // Calls `batch` with allocation n failing, for each n from 0 on, and then `after_failure`, until
  // it succeeds. Returns the number of failures.
  template <class Batch, class AfterFailure>
  int failEach(const Batch& batch, const AfterFailure& after_failure) {
    for (int n = 0;; ++n) {
      frResult result = FR_OK;
      {
        const oracle::AllocationFailure failure(static_cast<std::size_t>(n));
        result = batch();
      }
      if (result == FR_OK) return n;
      EXPECT_EQ(result, FR_RESOURCE_EXHAUSTED) << n;
      EXPECT_NE(std::string_view(frGetLastError()).find("not enough memory"),
                std::string_view::npos);
      after_failure(n);
      if (HasFailure()) return n;
    }
  }

  // Fails a batch of `count` lines at each allocation of `call(&lines, arrays)`, and checks that
  // all arrays have the same leading lines, whole parts. Returns true if there was a failure after
  // the first part.
  template <class Arrays, class Call>
  bool checkParts(std::size_t count, const Call& call);
  bool checkClosest(std::size_t count);
  bool checkOccluded(std::size_t count);

  frWorld* world_ = nullptr;
  std::vector<double> from_;
  std::vector<double> to_;
};

template <class Arrays, class Call>
bool BatchOutOfMemoryTest::checkParts(std::size_t count, const Call& call) {
  const frLines described = lines(count);
  Arrays arrays(count);
  bool was_late = false;
  failEach([&] { return call(&described, arrays); },
           [&](int n) {
             const std::ptrdiff_t written = writtenOf(arrays.results);
             EXPECT_EQ(writtenOf(arrays.answers), written) << n;
             EXPECT_EQ(writtenOf(arrays.details), written) << n;
             EXPECT_EQ(arrays.batch.blocks_version, 0U) << n;
             EXPECT_EQ(written % static_cast<std::ptrdiff_t>(kPart), 0) << written;
             was_late = was_late || written > 0;
             arrays = Arrays(count);
           });
  const auto& results = arrays.results;
  EXPECT_EQ(arrays.batch.completed, count);
  EXPECT_EQ(arrays.batch.errors, static_cast<std::uint64_t>(std::count(
                                     results.begin(), results.end(), FR_INVALID_ARGUMENT)));
  return was_late;
}

bool BatchOutOfMemoryTest::checkClosest(std::size_t count) {
  using Arrays = BatchArrays<frHit, double>;
  return checkParts<Arrays>(count, [&](const frLines* described, Arrays& arrays) {
    return frWorld_ClosestHits(world_, described, FR_ALL_LEVELS, nullptr, arrays.answers.data(),
                               arrays.details.data(), arrays.results.data(), &arrays.batch);
  });
}

bool BatchOutOfMemoryTest::checkOccluded(std::size_t count) {
  using Arrays = BatchArrays<std::uint8_t, frBlocker>;
  return checkParts<Arrays>(count, [&](const frLines* described, Arrays& arrays) {
    return frWorld_OccludedMany(world_, described, FR_ALL_LEVELS, nullptr, arrays.answers.data(),
                                arrays.details.data(), arrays.results.data(), &arrays.batch);
  });
}

TEST_F(BatchOutOfMemoryTest, AShortBatchWritesNothing) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  EXPECT_FALSE(checkClosest(500));
  EXPECT_FALSE(checkOccluded(500));
}

TEST_F(BatchOutOfMemoryTest, ALongBatchWritesLeadingParts) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  EXPECT_TRUE(checkClosest(kPart + 110));
  EXPECT_TRUE(checkOccluded(kPart + 110));
}

// Checks that a batch of shots has the results and hits of its first shots.
void checkShots(const frShotBatch* batch, const std::vector<frQueryResult>& expected, int n) {
  frBatchResult summary = sized<frBatchResult>();
  ASSERT_EQ(frShotBatch_GetSummary(batch, &summary), FR_OK);
  ASSERT_LE(summary.completed, expected.size()) << n;
  std::vector<frQueryResult> results(static_cast<std::size_t>(summary.completed),
                                     sized<frQueryResult>());
  ASSERT_EQ(frShotBatch_GetResults(batch, 0, results.size(), results.data()), FR_OK) << n;
  std::uint64_t hits = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].result, expected[i].result) << n << " " << i;
    EXPECT_EQ(results[i].hit_count, expected[i].hit_count) << n << " " << i;
    EXPECT_EQ(results[i].hits_begin, hits) << n << " " << i;
    hits += results[i].hit_count;
  }
  std::vector<frHit> copied(static_cast<std::size_t>(hits));
  EXPECT_EQ(frShotBatch_GetHits(batch, 0, copied.size(), copied.data()), FR_OK) << n;
  EXPECT_EQ(frShotBatch_GetResults(batch, 0, results.size() + 1, results.data()), FR_OUT_OF_RANGE);
}

TEST_F(BatchOutOfMemoryTest, ABatchOfShotsHasItsLeadingShots) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  constexpr std::size_t kCount = 300;
  const frLines described = lines(kCount);
  frShotBatch* batch = nullptr;
  ASSERT_EQ(frCreateShotBatch(&batch), FR_OK);
  const auto shoot = [&] {
    return frWorld_ShootMany(world_, &described, FR_ALL_LEVELS, nullptr, batch);
  };
  ASSERT_EQ(shoot(), FR_OK);
  std::vector<frQueryResult> expected(kCount, sized<frQueryResult>());
  ASSERT_EQ(frShotBatch_GetResults(batch, 0, kCount, expected.data()), FR_OK);
  ASSERT_EQ(frDestroyShotBatch(batch), FR_OK);
  ASSERT_EQ(frCreateShotBatch(&batch), FR_OK);
  const int failures = failEach(shoot, [&](int n) {
    checkShots(batch, expected, n);
    ASSERT_EQ(frDestroyShotBatch(batch), FR_OK);
    ASSERT_EQ(frCreateShotBatch(&batch), FR_OK);
  });
  EXPECT_GT(failures, 5);
  // A batch that is used again keeps its earlier shots, or has the leading ones of the same lines.
  EXPECT_GT(failEach(shoot, [&](int n) { checkShots(batch, expected, n); }), 0);
  frBatchResult summary = sized<frBatchResult>();
  ASSERT_EQ(frShotBatch_GetSummary(batch, &summary), FR_OK);
  EXPECT_EQ(summary.completed, kCount);
  EXPECT_EQ(frDestroyShotBatch(batch), FR_OK);
}

}  // namespace
}  // namespace fractalray::testing
