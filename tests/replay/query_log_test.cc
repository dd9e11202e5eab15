// SPDX-License-Identifier: Apache-2.0
// Query logs: what is written is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../../formats/replay/logged_answer.h"
#include "query_log_fixture.h"

namespace fractalray {
namespace {

using oracle::kVisible;
using oracle::kWater;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(QueryLogTest, ReadsTheHeader) {
  smallLog();
  const ReadLog read = readLog(logPath());
  EXPECT_EQ(read.header.levels, 10);
  EXPECT_EQ(read.header.fingerprints, header().fingerprints);
  EXPECT_EQ(read.header.versions, header().versions);

  const QueryLogHeader plain{.levels = 2};
  ASSERT_TRUE(QueryLogWriter::open(logPath(), plain).ok());
  EXPECT_EQ(readLog(logPath()).header.fingerprints, std::nullopt);
  EXPECT_EQ(readLog(logPath()).header.levels, 2);
}

TEST_F(QueryLogTest, ReadsAShotWithItsAnswer) {
  const LoggedQuery query = readBack([&](QueryLogWriter& log) { appendShot(log); });
  EXPECT_EQ(query.verb, QueryVerb::kShoot);
  EXPECT_EQ(query.segment, (FixedSegment{{-1, 2, -3}, {4, 5, std::int64_t{1} << 61}}));
  EXPECT_EQ(query.levels, (LevelMask{0, 9}));
  EXPECT_EQ(query.channel, "visible");
  EXPECT_THAT(query.ignore, ElementsAre(7U, kMost, 8U));
  ASSERT_EQ(query.after.size(), 2U);
  EXPECT_EQ(query.after[0].type_name, "water");
  EXPECT_EQ(query.after[0].step, 6);
  EXPECT_EQ(query.after[1].id, kMost - 1);
  EXPECT_EQ(query.options.max_hits, 3U);
  EXPECT_EQ(query.versions, (SceneVersion{.world = 3, .entities = 5}));
  EXPECT_FALSE(query.has_filter);
  EXPECT_FALSE(query.world_changed_meanwhile);
  EXPECT_EQ(query.number, 1U);
  ASSERT_TRUE(query.answer.has_value());
  EXPECT_EQ(query.answer_hash, answerHash(*query.answer));

  const absl::StatusOr<LoggedAnswer> answer = parseAnswer(*query.answer);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->status, absl::StatusCode::kOk);
  EXPECT_EQ(answer->occlusion, std::nullopt);
  EXPECT_TRUE(answer->terminated);
  EXPECT_FALSE(answer->truncated);
  EXPECT_EQ(answer->unknown_from, 0.75);
  ASSERT_EQ(answer->level_spans.size(), 1U);
  EXPECT_EQ(answer->level_spans[0].t0, 0.125);
  EXPECT_EQ(answer->level_spans[0].t1, 1);
  ASSERT_EQ(answer->hits.size(), 3U);
  const LoggedHit& water = answer->hits[0];
  EXPECT_TRUE(water.isBlock() && water.start_inside && !water.terminal && !water.face.exists());
  EXPECT_EQ(water.type_name, "water");
  EXPECT_EQ(water.block, (BlockCoord{-1, 2, std::int64_t{1} << 40}));
  EXPECT_EQ(water.level, 1);
  EXPECT_EQ(water.step, 6);
  EXPECT_EQ(water.t_exit, 0.25);
  const LoggedHit& entity = answer->hits[1];
  EXPECT_FALSE(entity.isBlock() || entity.start_inside || entity.terminal);
  EXPECT_EQ(entity.id, kMost - 1);
  EXPECT_EQ(entity.entity_class, EntityClassId{0xfffffffe});
  EXPECT_EQ(entity.shape, (FixedShape{FixedShape::Kind::kBox, {1, 2, 3}}));
  EXPECT_EQ(entity.position, (Vec3i{-4, 5, -6}));
  EXPECT_EQ(entity.t, 0.5);
  EXPECT_EQ(entity.t_exit, std::nextafter(0.5, 1)) << "to the last bit";
  const LoggedHit& stone = answer->hits[2];
  EXPECT_TRUE(stone.isBlock() && stone.terminal && !stone.ended_by_callback);
  EXPECT_EQ(stone.face, (Face{2, -1}));
  EXPECT_EQ(stone.level, 9);
}

TEST_F(QueryLogTest, KeepsEveryFace) {
  for (std::int8_t axis = 0; axis < 3; ++axis) {
    for (const std::int8_t sign : {std::int8_t{-1}, std::int8_t{1}}) {
      Hit hit;
      hit.kind = Hit::Kind::kBlock;
      hit.face = {axis, sign};
      const std::vector<Hit> hits = {hit};
      std::string bytes;
      appendAnswer(bytes, {.hits = hits}, *types_, kDefaultChannel);
      const absl::StatusOr<LoggedAnswer> answer = parseAnswer(bytes);
      ASSERT_TRUE(answer.ok()) << answer.status();
      EXPECT_EQ(answer->hits.at(0).face, hit.face);
    }
  }
}

TEST_F(QueryLogTest, RecordsWhatEndedAShot) {
  const auto ended_by_callback = [&](const Hit& hit, ChannelId channel) {
    std::string bytes;
    appendAnswer(bytes, {.answer = {.terminated = true}, .hits = {&hit, 1}}, *types_, channel);
    return parseAnswer(bytes)->hits.at(0).ended_by_callback;
  };
  Hit block;
  block.kind = Hit::Kind::kBlock;
  block.terminal = true;
  block.type = kWater;
  EXPECT_TRUE(ended_by_callback(block, kDefaultChannel));
  block.type = oracle::kGlass;
  EXPECT_FALSE(ended_by_callback(block, kDefaultChannel));
  EXPECT_TRUE(ended_by_callback(block, kVisible)) << "not solid there";
  Hit entity;
  entity.kind = Hit::Kind::kEntity;
  EXPECT_FALSE(ended_by_callback(entity, kDefaultChannel));
  entity.terminal = true;
  EXPECT_TRUE(ended_by_callback(entity, kDefaultChannel));
}

// Each option at a time differs from its default, and only it.
TEST_F(QueryLogTest, KeepsEveryOption) {
  const LoggedQuery plain = readBack(QueryOptions{});
  EXPECT_EQ(plain.options.corner, CornerPolicy::kBoth);
  EXPECT_TRUE(plain.options.filter.blocks && plain.options.filter.entities);
  EXPECT_FALSE(plain.options.filter.solid_only || plain.options.filter.skip_start_inside ||
               plain.options.report_unknown || plain.options.stop_at_unknown || plain.has_filter);
  EXPECT_EQ(plain.options.filter.categories, kMost);
  EXPECT_EQ(plain.options.max_hits, kMost);
  EXPECT_EQ(plain.options.max_steps, kMost);
  EXPECT_EQ(plain.options.pass, SearchPass::kFast);
  EXPECT_EQ(plain.channel, "default");
  EXPECT_THAT(plain.ignore, IsEmpty());
  EXPECT_THAT(plain.after, IsEmpty());

  EXPECT_EQ(readBack({.corner = CornerPolicy::kNeither}).options.corner, CornerPolicy::kNeither);
  EXPECT_EQ(readBack({.corner = CornerPolicy::kStaircase}).options.corner,
            CornerPolicy::kStaircase);
  EXPECT_FALSE(readBack({.filter = {.blocks = false}}).options.filter.blocks);
  EXPECT_TRUE(readBack({.filter = {.blocks = false}}).options.filter.entities);
  EXPECT_FALSE(readBack({.filter = {.entities = false}}).options.filter.entities);
  EXPECT_TRUE(readBack({.filter = {.solid_only = true}}).options.filter.solid_only);
  EXPECT_FALSE(readBack({.filter = {.solid_only = true}}).options.filter.skip_start_inside);
  EXPECT_EQ(readBack({.filter = {.categories = 6}}).options.filter.categories, 6U);
  EXPECT_TRUE(readBack({.filter = {.skip_start_inside = true}}).options.filter.skip_start_inside);
  EXPECT_TRUE(
      readBack({.filter = {.block_filter = [](const BlockHit&) { return true; }}}).has_filter);
  EXPECT_TRUE(
      readBack({.filter = {.entity_filter = [](const EntityHit&) { return true; }}}).has_filter);
  EXPECT_EQ(readBack({.max_hits = 0}).options.max_hits, 0U);
  EXPECT_TRUE(readBack({.report_unknown = true}).options.report_unknown);
  EXPECT_FALSE(readBack({.report_unknown = true}).options.stop_at_unknown);
  EXPECT_TRUE(readBack({.stop_at_unknown = true}).options.stop_at_unknown);
  EXPECT_EQ(readBack({.max_steps = 99}).options.max_steps, 99U);
  EXPECT_EQ(readBack({.pass = SearchPass::kPlain}).options.pass, SearchPass::kFast)
      << "both answer alike";
  EXPECT_EQ(readBack({.filter = {.channel = ChannelId{77}}}).channel, "") << "not in the table";
}

TEST_F(QueryLogTest, KeepsVerbsErrorsAndWhatChanged) {
  for (const Occlusion occlusion : {Occlusion::kClear, Occlusion::kBlocked, Occlusion::kUnknown}) {
    const LoggedQuery look = readBack([&](QueryLogWriter& log) {
      log.append({.verb = QueryVerb::kOccluded, .options = QueryOptions{}, .has_edited = true},
                 {.occlusion = occlusion}, *types_);
    });
    EXPECT_EQ(look.verb, QueryVerb::kOccluded);
    EXPECT_TRUE(look.world_changed_meanwhile);
    EXPECT_EQ(parseAnswer(*look.answer)->occlusion, occlusion);
  }
  const LoggedQuery refused = readBack([&](QueryLogWriter& log) {
    log.append({.verb = QueryVerb::kClosestHit, .options = QueryOptions{}},
               {.status = absl::StatusCode::kOutOfRange, .hits = hits_}, *types_);
  });
  EXPECT_EQ(refused.verb, QueryVerb::kClosestHit);
  EXPECT_EQ(parseAnswer(*refused.answer)->status, absl::StatusCode::kOutOfRange);
  EXPECT_THAT(parseAnswer(*refused.answer)->hits, IsEmpty());
}

// A resumed shot continues after its own hits; of the options' hits it skips only the entities.
TEST_F(QueryLogTest, KeepsWhatAResumedShotHad) {
  const LoggedQuery query = readBack([&](QueryLogWriter& log) {
    const QueryOptions options{.filter = {.ignore = ignore_}, .after = std::span(hits_).first(2)};
    log.append({.query = {.after = std::span(hits_).subspan(2)},
                .verb = QueryVerb::kResume,
                .options = options},
               {.hits = hits_}, *types_);
  });
  EXPECT_EQ(query.verb, QueryVerb::kResume);
  EXPECT_THAT(query.ignore, ElementsAre(7U, kMost, kMost - 1));
  ASSERT_EQ(query.after.size(), 1U);
  EXPECT_EQ(query.after[0].type_name, "stone");
}

// Hits to resume after may come from anywhere: a log of any of them can be read back.
TEST_F(QueryLogTest, HitsThatCannotBeAreReadToo) {
  Hit odd;
  odd.kind = Hit::Kind::kBlock;
  odd.level = -1;
  odd.type = BlockTypeId{999};
  odd.face = {100, 1};
  odd.terminal = true;
  const std::vector<Hit> hits = {odd};
  const LoggedQuery query = readBack({.filter = {.channel = ChannelId{99}}, .after = hits});
  ASSERT_EQ(query.after.size(), 1U);
  EXPECT_EQ(query.after[0].type_name, "");
  EXPECT_EQ(query.after[0].level, 255);
}

TEST_F(QueryLogTest, OptionsOfReadsThemForATable) {
  LoggedQuery query = readBack([&](QueryLogWriter& log) { appendShot(log); });
  EXPECT_EQ(optionsOf(query, *types_).filter.channel, kVisible);
  EXPECT_EQ(optionsOf(query, *types_).filter.ignore.size(), 3U);
  EXPECT_EQ(optionsOf(query, *types_).max_hits, 3U);
  query.options.filter.categories = 5;
  query.options.filter.skip_start_inside = true;
  query.options.max_steps = 6;
  query.options.pass = SearchPass::kPlain;
  query.options.corner = CornerPolicy::kNeither;
  const QueryOptions sight = optionsOf(query, *types_);
  EXPECT_EQ(sight.filter.channel, kVisible);
  EXPECT_EQ(sight.filter.categories, 5U);
  EXPECT_EQ(sight.filter.ignore.size(), 3U);
  EXPECT_TRUE(sight.filter.skip_start_inside);
  EXPECT_EQ(sight.max_steps, 6U);
  EXPECT_EQ(sight.pass, SearchPass::kPlain);
  EXPECT_EQ(sight.corner, CornerPolicy::kNeither);
  const BlockTypeTable other;
  EXPECT_GE(static_cast<std::size_t>(optionsOf(query, other).filter.channel), other.channels())
      << "a channel that is not there is refused, not taken for the default";
}

}  // namespace
}  // namespace fractalray
