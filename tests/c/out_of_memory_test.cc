// SPDX-License-Identifier: Apache-2.0
// Checks that functions of the C interface that run out of memory, at any of their allocations,
// return FR_RESOURCE_EXHAUSTED and change nothing.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "../oracle/allocations.h"
#include "sized.h"

namespace fractalray::testing {
namespace {

// A world with a chunk and an entity.
class Subject {
 public:
  Subject() {
    frWorldDef def = sized<frWorldDef>();
    def.version = FR_VERSION;
    def.anchor = "888";
    EXPECT_EQ(frCreateWorld(&def, &world), FR_OK);
    frBlockTypeDef type = sized<frBlockTypeDef>();
    type.name = "stone";
    EXPECT_EQ(frWorld_AddBlockType(world, &type, &stone), FR_OK);
    const frChunkDef chunk = sized<frChunkDef>();
    EXPECT_EQ(frWorld_LoadChunks(world, 0, &chunk, 1), FR_OK);
    frEntityDef entity_def = sized<frEntityDef>();
    entity_def.id = 1;
    entity_def.half_extents[0] = 0.5;
    EXPECT_EQ(frWorld_AddEntities(world, &entity_def, 1, &entity), FR_OK);
    const std::array<double, 3> from = {0.5, 0.5, 0.5};
    const std::array<double, 3> to = {40.5, 9.5, 3.5};
    EXPECT_EQ(frMakeSegment(from.data(), to.data(), &line), FR_OK);
  }
  ~Subject() { EXPECT_EQ(frDestroyWorld(world), FR_OK); }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  std::array<std::uint64_t, 2> versions() const {
    std::array<std::uint64_t, 2> found{};
    EXPECT_EQ(frWorld_GetVersions(world, &found[0], &found[1]), FR_OK);
    return found;
  }

  frWorld* world = nullptr;
  frBlockType stone = 0;
  frEntity entity = 0;
  frLine line{};
};

using Call = std::function<frResult(Subject&)>;

// Makes a call that fails at its first allocation, its second and so on, until it succeeds; returns
// the number of failures.
int failEach(const Call& call) {
  for (int n = 0;; ++n) {
    Subject subject;
    const std::array<std::uint64_t, 2> before = subject.versions();
    frResult result = FR_OK;
    bool has_failed = false;
    {
      const oracle::AllocationFailure failure(static_cast<std::size_t>(n));
      result = call(subject);
      has_failed = failure.hasFailed();
    }
    // Some allocations are not needed: the call does without them.
    if (result == FR_OK) return n;
    EXPECT_TRUE(has_failed);
    EXPECT_EQ(result, FR_RESOURCE_EXHAUSTED) << "allocation " << n;
    EXPECT_NE(std::string_view(frGetLastError()).find("not enough memory"), std::string_view::npos);
    EXPECT_EQ(subject.versions(), before) << "allocation " << n;
    if (result != FR_RESOURCE_EXHAUSTED) return n;
  }
}

// Makes a streamer, and changes a block of a chunk that is not loaded.
frResult changeStreamed(Subject& subject) {
  frChunkSource source = sized<frChunkSource>();
  source.keeps_changes = 1;
  frStreamer* streamer = nullptr;
  frResult result = frCreateStreamer(subject.world, &source, nullptr, &streamer);
  if (result != FR_OK) return result;
  std::array<frBlockChange, 2> changes{};
  changes[0].block[0] = 100;
  changes[0].type = subject.stone;
  changes[1].path = "889_111";
  changes[1].type = subject.stone;
  changes[1].reverts = 1;
  result = frStreamer_SetBlocks(streamer, changes.data(), changes.size());
  static_cast<void>(frDestroyStreamer(streamer));
  return result;
}

// Makes a view, and shoots the rays of a tick.
frResult look(Subject& subject) {
  frVisibilityOptions options = sized<frVisibilityOptions>();
  options.rays = 20;
  frVisibility* visibility = nullptr;
  frResult result = frCreateVisibility(subject.world, &options, &visibility);
  if (result != FR_OK) return result;
  frViewCone view{};
  view.direction[0] = 1;
  result = frVisibility_Tick(visibility, subject.world, &view);
  static_cast<void>(frDestroyVisibility(visibility));
  return result;
}

TEST(CapiOutOfMemoryTest, CallsFailAndChangeNothing) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  const std::vector<Call> calls = {
      [](Subject& subject) {
        frChunkDef chunk = sized<frChunkDef>();
        chunk.chunk[0] = 7;
        chunk.uniform = subject.stone;
        return frWorld_LoadChunks(subject.world, 0, &chunk, 1);
      },
      [](Subject& subject) {
        frBlockTypeDef type = sized<frBlockTypeDef>();
        type.name = "a block type with a name that is too long for a short string";
        frBlockType added = 0;
        return frWorld_AddBlockType(subject.world, &type, &added);
      },
      [](Subject& subject) {
        frEntityDef def = sized<frEntityDef>();
        def.id = 2;
        def.half_extents[0] = 5;
        frEntity added = 0;
        return frWorld_AddEntities(subject.world, &def, 1, &added);
      },
      [](Subject& subject) { return frWorld_RemoveEntities(subject.world, &subject.entity, 1); },
      [](Subject& subject) {
        frWorld* snapshot = nullptr;
        const frResult result = frWorld_Snapshot(subject.world, &snapshot);
        static_cast<void>(frDestroyWorld(snapshot));
        return result;
      },
      [](Subject& subject) {
        std::array<frHit, 4> hits{};
        return frWorld_Shoot(subject.world, &subject.line, FR_ALL_LEVELS, nullptr, hits.data(),
                             hits.size(), nullptr);
      },
      [](Subject& subject) {
        frCursor* cursor = nullptr;
        const frResult result =
            frWorld_HitsAlong(subject.world, &subject.line, FR_ALL_LEVELS, nullptr, &cursor);
        static_cast<void>(frDestroyCursor(cursor));
        return result;
      },
      changeStreamed,
      look,
  };
  int failures = 0;
  for (const Call& call : calls)
    failures += failEach(call);
  EXPECT_GT(failures, static_cast<int>(calls.size()));
}

// Checks that a streamer whose ticks and answers run out of memory loads its chunks in the end.
TEST(CapiOutOfMemoryTest, AStreamerContinues) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  Subject subject;
  frStreamRadii radii{.load = 1, .keep = 1};
  frStreamOptions options = sized<frStreamOptions>();
  options.radii = &radii;
  options.radius_count = 1;
  options.retry_ticks = 1;
  frStreamer* streamer = nullptr;
  ASSERT_EQ(frCreateStreamer(subject.world, nullptr, &options, &streamer), FR_OK);
  const std::array<double, 3> at = {8, 8, 8};
  frVectors viewer{};
  viewer.data = at.data();
  int failures = 0;
  for (std::size_t tick = 0; tick < 400; ++tick) {
    const oracle::AllocationFailure failure(tick % 100);
    const frResult ticked = frStreamer_Tick(streamer, &viewer, 1);
    if (ticked != FR_OK) {
      EXPECT_EQ(ticked, FR_RESOURCE_EXHAUSTED);
      ++failures;
    }
    std::array<std::uint64_t, 64> requests{};
    std::size_t count = 0;
    EXPECT_EQ(frStreamer_TakeRequests(streamer, requests.data(), requests.size(), &count), FR_OK);
    for (std::size_t i = 0; i < count; ++i) {
      const frChunkDef content = sized<frChunkDef>();
      const frResult answered = frStreamer_Answer(streamer, requests[i], FR_OK, &content);
      EXPECT_TRUE(answered == FR_OK || answered == FR_RESOURCE_EXHAUSTED) << answered;
    }
  }
  for (int tick = 0; tick < 4; ++tick)
    EXPECT_EQ(frStreamer_Tick(streamer, &viewer, 1), FR_OK);
  EXPECT_GT(failures, 0);
  frLevelInfo level{};
  EXPECT_EQ(frWorld_GetLevel(subject.world, 0, &level), FR_OK);
  EXPECT_EQ(level.loaded_chunks, 27U);
  EXPECT_EQ(frDestroyStreamer(streamer), FR_OK);
}

// Fills a world with 48 panes of glass, through which its line passes.
void addPanes(Subject& subject) {
  frBlockTypeDef type = sized<frBlockTypeDef>();
  type.name = "glass";
  type.kind = FR_PERMEABLE;
  frBlockType glass = 0;
  ASSERT_EQ(frWorld_AddBlockType(subject.world, &type, &glass), FR_OK);
  for (std::int64_t x = 0; x < 3; ++x) {
    frChunkDef chunk = sized<frChunkDef>();
    chunk.chunk[0] = x;
    chunk.uniform = glass;
    ASSERT_EQ(frWorld_LoadChunks(subject.world, 0, &chunk, 1), FR_OK);
  }
}

std::vector<frHit> hitsOf(const Subject& subject) {
  std::vector<frHit> hits(100);
  frQueryResult result = sized<frQueryResult>();
  EXPECT_EQ(frWorld_Shoot(subject.world, &subject.line, FR_ALL_LEVELS, nullptr, hits.data(),
                          hits.size(), &result),
            FR_OK);
  hits.resize(static_cast<std::size_t>(result.hit_count));
  return hits;
}

// Checks that a cursor whose memory runs out has returned the hits before, and has ended.
TEST(CapiOutOfMemoryTest, ACursorReturnsTheHitsBefore) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  int failures = 0;
  for (std::size_t n = 0;; ++n) {
    Subject subject;
    addPanes(subject);
    const std::vector<frHit> expected = hitsOf(subject);
    ASSERT_GT(expected.size(), 40U);
    frCursor* cursor = nullptr;
    ASSERT_EQ(frWorld_HitsAlong(subject.world, &subject.line, FR_ALL_LEVELS, nullptr, &cursor),
              FR_OK);
    std::vector<frHit> hits(100);
    std::size_t count = 1000;
    frResult result = FR_OK;
    {
      const oracle::AllocationFailure failure(n);
      result = frCursor_Next(cursor, hits.data(), hits.size(), &count);
    }
    ASSERT_LE(count, expected.size());
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_EQ(hits[i].t, expected[i].t) << n << " " << i;
    if (result != FR_OK) {
      EXPECT_EQ(result, FR_RESOURCE_EXHAUSTED);
      EXPECT_EQ(frCursor_Next(cursor, hits.data(), hits.size(), &count), FR_FAILED_PRECONDITION);
      EXPECT_EQ(count, 0U);
      ++failures;
    }
    EXPECT_EQ(frDestroyCursor(cursor), FR_OK);
    if (result == FR_OK) break;
  }
  EXPECT_GT(failures, 0);
}

// A world that begins a log, or none; a replay that takes a world over, or leaves it.
TEST(CapiOutOfMemoryTest, LogsAndReplaysBeginOrNot) {
  const std::string log = ::testing::TempDir() + "capi_out_of_memory.log";
  int failures = 0;
  for (frResult result = FR_RESOURCE_EXHAUSTED; result != FR_OK; ++failures) {
    Subject subject;
    {
      const oracle::AllocationFailure failure(static_cast<std::size_t>(failures));
      result = frWorld_BeginLog(subject.world, log.c_str(), 0);
    }
    if (result == FR_UNIMPLEMENTED) GTEST_SKIP() << "a library without query logs";
    EXPECT_TRUE(result == FR_OK || result == FR_RESOURCE_EXHAUSTED) << frGetLastError();
    if (result != FR_OK) {
      EXPECT_NE(std::string_view(frGetLastError()).find("memory"), std::string_view::npos);
    }
    frHit hit = {};
    EXPECT_EQ(
        frWorld_ClosestHit(subject.world, &subject.line, FR_ALL_LEVELS, nullptr, &hit, nullptr),
        FR_OK);  // no recorder that is gone observes it
    EXPECT_EQ(frWorld_EndLog(subject.world, nullptr),
              result == FR_OK ? FR_OK : FR_FAILED_PRECONDITION);
  }
  EXPECT_GT(failures, 3);
  failures = 0;
  for (frResult result = FR_RESOURCE_EXHAUSTED; result != FR_OK; ++failures) {
    Subject subject;
    frReplay* replay = nullptr;
    {
      const oracle::AllocationFailure failure(static_cast<std::size_t>(failures));
      result = frCreateReplay(subject.world, log.c_str(), nullptr, &replay);
    }
    EXPECT_TRUE(result == FR_OK || result == FR_RESOURCE_EXHAUSTED) << frGetLastError();
    if (result == FR_OK) {
      subject.world = nullptr;
    } else {
      subject.versions();
    }
    EXPECT_EQ(frDestroyReplay(replay), FR_OK);
  }
  EXPECT_GT(failures, 3);
}

}  // namespace
}  // namespace fractalray::testing
