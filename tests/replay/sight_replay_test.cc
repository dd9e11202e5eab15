// SPDX-License-Identifier: Apache-2.0
// Queries of sight in logs: recorded, read, and replayed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "../../core/units.h"
#include "../../formats/replay/internal/log_records.h"
#include "recording_fixture.h"

namespace fractalray {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The corridor's stone at 40 is between the eye and the boxes.
class SightReplayTest : public RecordingTest {
 protected:
  static SightQuery to(const Vec3d& min, const Vec3d& max) {
    return toSightQuery({0.5, 0.5, 0.5}, {min, max}).value();
  }

  const SightQuery hidden_ = to({42, 0.25, 0.25}, {43, 0.75, 0.75});
  const SightQuery half_ = to({42, 0.25, 0.25}, {43, 6, 0.75});
  const SightQuery flat_ = to({42, 0.25, 0.25}, {43, 0.25, 0.25});
};

TEST_F(SightReplayTest, AnswersAreRecordedAndReplayed) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  EXPECT_EQ(service_.visible(hidden_, levels)->sight, Sight::kHidden);
  EXPECT_EQ(service_.visible(half_, levels)->sight, Sight::kVisible);
  const auto share = service_.exposure(half_, levels);
  EXPECT_GT(share->from, 0);
  EXPECT_LT(share->to, 1);
  EXPECT_FALSE(service_.visible(flat_, levels).ok());
  EXPECT_FALSE(service_.exposure(half_, levels, {.max_steps = 1}).ok());
  EXPECT_TRUE(recording->close().ok());
  EXPECT_EQ(recording->queries(), 5U);
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
  put(40, kAir);
  EXPECT_THAT(replay(), ElementsAre(Outcome::kDifferent, Outcome::kEqual, Outcome::kDifferent,
                                    Outcome::kEqual, Outcome::kEqual));
}

TEST_F(SightReplayTest, OptionsAreRecorded) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const std::vector<FixedBox> walls = {toFixedBox({{10, -5, -5}, {11, 9, 9}}).value()};
  const std::vector<EntityId> ignored = {7, 8};
  SightOptions options;
  options.filter.ignore = ignored;
  options.filter.skip_start_inside = true;
  options.boxes_block = true;
  options.occluders = walls;
  options.unloaded = UnloadedSpace::kTransparent;
  options.through = 3;
  options.max_steps = 1000;
  EXPECT_TRUE(service_.visible(half_, {1}, options).ok());
  options = {};
  options.filter.block_filter = [](const BlockHit& /*hit*/) { return true; };
  EXPECT_TRUE(service_.exposure(half_, {1}, options).ok());
  EXPECT_TRUE(recording->close().ok());

  const ReadLog log = readLog(logPath());
  ASSERT_EQ(log.queries.size(), 2U) << log.end;
  const LoggedQuery& first = log.queries[0];
  ASSERT_TRUE(first.sight.has_value());
  EXPECT_EQ(first.sight->verb(), SightVerb::kVisible);
  const SightQuery& query = std::get<LoggedVisible>(first.sight->question).query;
  EXPECT_EQ(query.eye, half_.eye);
  EXPECT_EQ(query.box, half_.box);
  EXPECT_EQ(first.levels, LevelMask{1});
  EXPECT_EQ(first.channel, "default");
  EXPECT_EQ(first.ignore, ignored);
  EXPECT_EQ(first.sight->occluders, walls);
  EXPECT_TRUE(first.sight->options.filter.skip_start_inside);
  EXPECT_TRUE(first.sight->options.boxes_block);
  EXPECT_EQ(first.sight->options.unloaded, UnloadedSpace::kTransparent);
  EXPECT_EQ(first.sight->options.through, 3U);
  EXPECT_EQ(first.sight->options.max_steps, 1000U);
  EXPECT_FALSE(first.has_filter);
  EXPECT_EQ(log.queries[1].sight->verb(), SightVerb::kExposure);
  EXPECT_TRUE(log.queries[1].has_filter);
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual, Outcome::kNotReplayable));
}

// Lines before and after them are read as before.
TEST_F(SightReplayTest, LinesAndSightAreInOneLog) {
  const std::unique_ptr<QueryRecorder> recording = record();
  EXPECT_TRUE(service_.shootSegment(through_, world_.allLevels()).ok());
  EXPECT_TRUE(service_.visible(half_).ok());
  EXPECT_TRUE(service_.occluded(through_, world_.allLevels()).ok());
  EXPECT_TRUE(recording->close().ok());
  const ReadLog log = readLog(logPath());
  ASSERT_EQ(log.queries.size(), 3U) << log.end;
  EXPECT_FALSE(log.queries[0].sight.has_value());
  EXPECT_TRUE(log.queries[1].sight.has_value());
  EXPECT_FALSE(log.queries[2].sight.has_value());
  EXPECT_EQ(log.queries[2].verb, QueryVerb::kOccluded);
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
}

// A record whose checksum is right, and whose content cannot be.
TEST_F(SightReplayTest, RecordsThatCannotBeAreRefused) {
  {
    const std::unique_ptr<QueryRecorder> recording = record();
    EXPECT_TRUE(service_.visible(half_).ok());
    EXPECT_TRUE(recording->close().ok());
  }
  const std::string bytes = readBytes(logPath());
  const ReadLog whole = readLog(logPath());
  ASSERT_EQ(whole.queries.size(), 1U);
  const std::size_t begin = whole.queries[0].offset;
  const std::size_t body = begin + internal::kRecordHeadBytes;
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data() + begin, sizeof size);
  const auto refused = [&](std::size_t at, char value, const char* reason) {
    std::string changed = bytes.substr(body, size);
    changed[at] = value;
    writeBytes(logPath(), bytes.substr(0, begin) + recordOf(changed) + bytes.substr(body + size));
    const ReadLog read = readLog(logPath());
    EXPECT_TRUE(absl::IsDataLoss(read.end)) << read.end;
    EXPECT_THAT(std::string(read.end.message()), HasSubstr(reason));
  };
  refused(1, 5, "a verb of sight of 5");
  refused(2, 4, "unknown flags of 4");
  refused(size - 1, 3, "a sight of 3");
  refused(size - 2, 7, "a form of 7");
  refused(size - 2, 3, "not as long");
}

}  // namespace
}  // namespace fractalray
