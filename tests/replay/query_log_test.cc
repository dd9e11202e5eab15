// SPDX-License-Identifier: Apache-2.0
// Query logs: what is written is read, to the last byte of the format, and damage is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../../replay/internal/log_format.h"
#include "../../replay/logged_answer.h"
#include "../../replay/query_log_reader.h"
#include "../../replay/query_log_writer.h"
#include "../oracle/random_scene.h"
#include "log_file.h"

namespace fractalray {
namespace {

using oracle::kStone;
using oracle::kVisible;
using oracle::kWater;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

// Two queries of corners and ends: a shot that met all there is, and a look.
class QueryLogTest : public testing::Test {
 protected:
  QueryLogTest() {
    Hit water;
    water.kind = Hit::Kind::kBlock;
    water.t = 0.0;
    water.t_exit = 0.25;
    water.start_inside = true;
    water.level = 1;
    water.block = {-1, 2, std::int64_t{1} << 40};
    water.type = kWater;
    water.step = 6;
    Hit entity;
    entity.kind = Hit::Kind::kEntity;
    entity.t = 0.5;
    entity.t_exit = std::nextafter(0.5, 1);
    entity.level = 2;
    entity.id = kMost - 1;
    entity.entity_class = EntityClassId{0xfffffffe};
    entity.shape = {.kind = FixedShape::Kind::kBox, .half_extents = {1, 2, 3}};
    entity.position = {-4, 5, -6};
    Hit stone;
    stone.kind = Hit::Kind::kBlock;
    stone.t = std::nextafter(1.0, 0);
    stone.t_exit = 1;
    stone.face = {2, -1};
    stone.level = 9;
    stone.block = {5, 6, 7};
    stone.type = kStone;
    stone.terminal = true;
    hits_ = {water, entity, stone};
  }

  void TearDown() override { removeLog(); }

  static QueryLogHeader header() {
    return {.levels = 10,
            .fingerprints = QueryLogHeader::Fingerprints{.world = 0x1122334455667788,
                                                         .entities = 0x99aabbccddeeff00},
            .versions = {.world = 3, .entities = 4}};
  }

  static QueryLogWriter open() {
    absl::StatusOr<QueryLogWriter> log = QueryLogWriter::open(logPath(), header());
    EXPECT_TRUE(log.ok()) << log.status();
    return *std::move(log);
  }

  void appendShot(QueryLogWriter& log) const {
    const ShotOptions options{.filter = {.channel = kVisible, .ignore = ignore_},
                              .after = std::span(hits_).first(1),
                              .max_hits = 3};
    log.append({.verb = QueryVerb::kShoot,
                .segment = {{-1, 2, -3}, {4, 5, std::int64_t{1} << 61}},
                .levels = {0, 9},
                .options = options,
                .ignore = more_ignored_,
                .after = std::span(hits_).subspan(1, 1),
                .version = {.world = 3, .entities = 5}},
               {.hits = hits_, .terminated = true, .unknown_from = 0.75, .level_parts = parts_},
               *types_);
  }
  void appendLook(QueryLogWriter& log) const {
    log.append({.verb = QueryVerb::kOccluded, .levels = {1}, .options = ShotOptions{}},
               {.occlusion = Occlusion::kUnknown}, *types_);
  }

  // A whole log of both, and one of each more.
  std::string smallLog() {
    QueryLogWriter log = open();
    appendShot(log);
    appendLook(log);
    appendShot(log);
    appendLook(log);
    EXPECT_TRUE(log.close().ok()) << log.status();
    return readBytes(logPath());
  }

  // Where each query's record ends, in smallLog().
  static std::vector<std::size_t> recordEnds(const std::string& bytes, const ReadLog& whole) {
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i < whole.queries.size(); ++i)
      ends.push_back(whole.queries[i].offset);
    ends.push_back(bytes.size() - kEndBytes);
    return ends;
  }
  static constexpr std::size_t kEndBytes = 17;

  // Reads what has been appended by `append`.
  LoggedQuery readBack(const std::function<void(QueryLogWriter&)>& append) {
    QueryLogWriter log = open();
    append(log);
    EXPECT_TRUE(log.close().ok());
    const ReadLog read = readLog(logPath());
    EXPECT_TRUE(read.end.ok()) << read.end;
    EXPECT_EQ(read.queries.size(), 1U);
    return read.queries.at(0);
  }
  LoggedQuery readBack(const ShotOptions& options) {
    return readBack(
        [&](QueryLogWriter& log) { log.append({.levels = {0}, .options = options}, {}, *types_); });
  }

  std::shared_ptr<BlockTypeTable> types_ = oracle::sceneTypes();
  std::vector<EntityId> ignore_ = {7, kMost};
  std::vector<EntityId> more_ignored_ = {8};
  std::vector<Hit> hits_;
  std::vector<LevelPart> parts_ = {{.level = 0, .t0 = 0.125, .t1 = 1}};
};

void expectSame(const LoggedQuery& a, const LoggedQuery& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.offset, b.offset);
  EXPECT_EQ(a.segment, b.segment);
  EXPECT_EQ(a.channel, b.channel);
  EXPECT_EQ(a.answer, b.answer);
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += kDigits[value >> 4];
    text += kDigits[value & 15];
  }
  return text;
}

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
  EXPECT_EQ(query.after[0].type, "water");
  EXPECT_EQ(query.after[0].step, 6);
  EXPECT_EQ(query.after[1].entity, kMost - 1);
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
  ASSERT_EQ(answer->level_parts.size(), 1U);
  EXPECT_EQ(answer->level_parts[0].t0, 0.125);
  EXPECT_EQ(answer->level_parts[0].t1, 1);
  ASSERT_EQ(answer->hits.size(), 3U);
  const LoggedHit& water = answer->hits[0];
  EXPECT_TRUE(water.is_block && water.start_inside && !water.terminal && !water.face.exists());
  EXPECT_EQ(water.type, "water");
  EXPECT_EQ(water.block, (BlockCoord{-1, 2, std::int64_t{1} << 40}));
  EXPECT_EQ(water.level, 1);
  EXPECT_EQ(water.step, 6);
  EXPECT_EQ(water.t_exit, 0.25);
  const LoggedHit& entity = answer->hits[1];
  EXPECT_FALSE(entity.is_block || entity.start_inside || entity.terminal);
  EXPECT_EQ(entity.entity, kMost - 1);
  EXPECT_EQ(entity.entity_class, EntityClassId{0xfffffffe});
  EXPECT_EQ(entity.shape, (FixedShape{FixedShape::Kind::kBox, {1, 2, 3}}));
  EXPECT_EQ(entity.position, (Vec3i{-4, 5, -6}));
  EXPECT_EQ(entity.t, 0.5);
  EXPECT_EQ(entity.t_exit, std::nextafter(0.5, 1)) << "to the last bit";
  const LoggedHit& stone = answer->hits[2];
  EXPECT_TRUE(stone.is_block && stone.terminal && !stone.ended_by_callback);
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

TEST_F(QueryLogTest, TellsWhoEndedAShot) {
  const auto ended_by_callback = [&](const Hit& hit, ChannelId channel) {
    std::string bytes;
    appendAnswer(bytes, {.hits = {&hit, 1}, .terminated = true}, *types_, channel);
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
  const LoggedQuery plain = readBack(ShotOptions{});
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
  EXPECT_EQ(readBack({.pass = SearchPass::kPlain}).options.pass, SearchPass::kPlain);
  EXPECT_EQ(readBack({.filter = {.channel = ChannelId{77}}}).channel, "") << "not in the table";
}

TEST_F(QueryLogTest, KeepsVerbsErrorsAndWhatChanged) {
  for (const Occlusion occlusion : {Occlusion::kClear, Occlusion::kBlocked, Occlusion::kUnknown}) {
    const LoggedQuery look = readBack([&](QueryLogWriter& log) {
      log.append({.verb = QueryVerb::kOccluded, .options = ShotOptions{}, .has_edited = true},
                 {.occlusion = occlusion}, *types_);
    });
    EXPECT_EQ(look.verb, QueryVerb::kOccluded);
    EXPECT_TRUE(look.world_changed_meanwhile);
    EXPECT_EQ(parseAnswer(*look.answer)->occlusion, occlusion);
  }
  const LoggedQuery refused = readBack([&](QueryLogWriter& log) {
    log.append({.verb = QueryVerb::kClosestHit, .options = ShotOptions{}},
               {.status = absl::StatusCode::kOutOfRange, .hits = hits_}, *types_);
  });
  EXPECT_EQ(refused.verb, QueryVerb::kClosestHit);
  EXPECT_EQ(parseAnswer(*refused.answer)->status, absl::StatusCode::kOutOfRange);
  EXPECT_THAT(parseAnswer(*refused.answer)->hits, IsEmpty());
}

// A whole shot goes on behind its own hits; of the options' the entities alone are kept from it.
TEST_F(QueryLogTest, KeepsWhatAResumedShotHad) {
  const LoggedQuery query = readBack([&](QueryLogWriter& log) {
    const ShotOptions options{.filter = {.ignore = ignore_}, .after = std::span(hits_).first(2)};
    log.append(
        {.verb = QueryVerb::kResume, .options = options, .after = std::span(hits_).subspan(2)},
        {.hits = hits_}, *types_);
  });
  EXPECT_EQ(query.verb, QueryVerb::kResume);
  EXPECT_THAT(query.ignore, ElementsAre(7U, kMost, kMost - 1));
  ASSERT_EQ(query.after.size(), 1U);
  EXPECT_EQ(query.after[0].type, "stone");
}

// Hits to go on behind may come from anywhere: what is written can be read all the same.
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
  EXPECT_EQ(query.after[0].type, "");
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
  const OcclusionOptions sight = occlusionOptionsOf(query, *types_);
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

// The format may not change without kQueryLogVersion: docs/query-log.md has the same bytes.
TEST_F(QueryLogTest, TheFormatIsThis) {
  smallLog();
  const std::string bytes = readBytes(logPath());
  const ReadLog read = readLog(logPath());
  ASSERT_EQ(read.queries.size(), 4U);
  EXPECT_EQ(hex(bytes.substr(0, read.queries[2].offset)),
            // What it is, and the world.
            "894652514c4f470a0700230000008a06840a000a01887766554433221100ffeeddccbbaa99030000"
            "00000000000400000000000000"
            // The shot.
            "f90100003b85cfff010003000101020000ffffffffffffffff0200000000000000fdffffffffffff"
            "ff040000000000000005000000000000000000000000000020ffffffffffffffff03000000000000"
            "00ffffffffffffffff030000000000000005000000000000000700000076697369626c6503000000"
            "0700000000000000ffffffffffffffff080000000000000002000000000102000000000000000000"
            "000000000000d03fffffffffffffffff020000000000000000000000000100000605000000776174"
            "657201020000000000000000e03f010000000000e03ffefffffffffffffffeffffff010100000000"
            "00000002000000000000000300000000000000fcffffffffffffff0500000000000000faffffffff"
            "ffffff745a60e3b5953c87000005000000000000e83f0100000000000000c03f000000000000f03f"
            "03000000000102000000000000000000000000000000d03fffffffffffffffff0200000000000000"
            "00000000000100000605000000776174657201020000000000000000e03f010000000000e03ffeff"
            "fffffffffffffeffffff01010000000000000002000000000000000300000000000000fcffffffff"
            "ffffff0500000000000000faffffffffffffff00090105ffffffffffffef3f000000000000f03f05"
            "0000000000000006000000000000000700000000000000000500000073746f6e65"
            // The look.
            "7f00000066f169620102030001020000000000000000000000000000000000000000000000000000"
            "00000000000000000000000000000000000000000000000000ffffffffffffffffffffffffffffff"
            "ffffffffffffffffff000000000000000000000000000000000700000064656661756c7400000000"
            "0000000028490c6c18aa49d9000102");
  EXPECT_EQ(hex(bytes.substr(bytes.size() - kEndBytes)), "09000000166a5d22020400000000000000");
}

// Each version is the next one without rules, the ends of rays, and the begins of reflected lines.
TEST_F(QueryLogTest, OldLogsStayReadable) {
  std::string bytes = smallLog();
  const ReadLog now = readLog(logPath());
  for (const int version : {1, 2, 4}) {
    bytes[8] = static_cast<char>(version);
    writeBytes(logPath(), bytes);
    const ReadLog old = readLog(logPath());
    ASSERT_TRUE(old.end.ok()) << old.end;
    ASSERT_EQ(old.queries.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i)
      expectSame(old.queries[i], now.queries[i]);
    EXPECT_EQ(old.queries[0].rules, nullptr);
  }
}

// What version 7 adds: the begin of a reflected line, after the end time if it has both.
TEST_F(QueryLogTest, KeepsWhereReflectedLinesBegin) {
  const ShotOptions options;
  const FixedSegment line{.from = {1, 2, 3}, .to = {-4, 5, -6}, .begin = {.plane = -77, .axes = 5}};
  FixedSegment of_ray = line;
  of_ray.end_time = 12345;
  QueryLogWriter log = open();
  log.append({.segment = line, .options = options}, {}, *types_);
  log.append({.segment = of_ray, .options = options}, {}, *types_);
  ASSERT_TRUE(log.close().ok());
  const ReadLog read = readLog(logPath());
  ASSERT_TRUE(read.end.ok()) << read.end;
  ASSERT_EQ(read.queries.size(), 2U);
  EXPECT_EQ(read.queries[0].segment, line);
  EXPECT_EQ(read.queries[1].segment, of_ray);
  // A version that does not know the flag refuses it.
  std::string bytes = readBytes(logPath());
  bytes[8] = 4;
  writeBytes(logPath(), bytes);
  EXPECT_THAT(std::string(readLog(logPath()).end.message()), HasSubstr("unknown flags"));
}

// A table of rules of all kinds, on levels of all kinds.
TerminalRules someRules() {
  TerminalRules rules;
  const BudgetId first = rules.addBudget(2).value();
  const BudgetId second = rules.addBudget(0.1).value();
  EXPECT_TRUE(rules.setBlock(kWater, TerminalRule::costPerHit(first, 0.5), {0, 9}).ok());
  TerminalRule rule = TerminalRule::costPerBlock(second, 1.0 / 3);
  rule.touch_costs = true;
  EXPECT_TRUE(rules.setBlock(kWater, rule, {3}).ok());
  EXPECT_TRUE(rules.setBlock(kStone, TerminalRule::stopShot()).ok());
  EXPECT_TRUE(rules.setBlock(BlockTypeId{999}, TerminalRule::stopShot()).ok());
  EXPECT_TRUE(rules.setEntities(kMost, TerminalRule::stopShot(), {1}).ok());
  EXPECT_TRUE(rules.setEntities(6, TerminalRule::continueShot()).ok());
  return rules;
}

void expectSame(const TerminalRules& a, const TerminalRules& b) {
  EXPECT_EQ(a.budgets(), b.budgets());
  EXPECT_EQ(a.amounts(), b.amounts());
  for (int level = 0; level < kMaxLevels; ++level) {
    for (const BlockTypeId type : {kWater, kStone, oracle::kReeds})
      EXPECT_EQ(a.ofBlock(type, level), b.ofBlock(type, level)) << level;
    for (const std::uint64_t categories : {std::uint64_t{1}, std::uint64_t{2}, kMost})
      EXPECT_EQ(a.ofEntity(categories, level), b.ofEntity(categories, level)) << level;
  }
}

TEST_F(QueryLogTest, KeepsRulesAndWhatIsLeft) {
  const TerminalRules rules = someRules();
  const Budgets budgets = {1.5, 0.25};
  const ShotOptions plain;
  const ShotOptions ruled{.rules = &rules};
  const ShotOptions given{.rules = &rules, .budgets = &budgets};
  QueryLogWriter log = open();
  log.append({.options = plain}, {}, *types_);
  log.append({.options = ruled}, {.budgets = Budgets{2, 0}}, *types_);
  const CarriedBudgets carried{.at_start = {3, 4}, .left = {0, 1}, .overdrawn = {1e-10, 0}};
  log.append({.verb = QueryVerb::kResume, .options = given, .after = hits_, .carried = carried},
             {.budgets = Budgets{0, 0.125}, .stopped_at = 0.75}, *types_);
  TerminalRules others = rules;
  ASSERT_TRUE(others.setBlock(kWater, TerminalRule::continueShot()).ok());
  const ShotOptions with_others{.rules = &others};
  log.append({.options = with_others}, {}, *types_);
  log.append({.verb = QueryVerb::kClosestHit, .options = ruled}, {}, *types_);
  ASSERT_TRUE(log.close().ok());
  const ReadLog read = readLog(logPath());
  ASSERT_TRUE(read.end.ok()) << read.end;
  ASSERT_EQ(read.queries.size(), 5U);
  EXPECT_EQ(read.queries[0].rules, nullptr);
  EXPECT_EQ(read.queries[4].rules, nullptr) << "they do not matter to it";
  ASSERT_NE(read.queries[1].rules, nullptr);
  EXPECT_EQ(read.queries[1].rules, read.queries[2].rules) << "written once";
  expectSame(rulesOf(*read.queries[1].rules, *types_), rules);
  expectSame(rulesOf(*read.queries[3].rules, *types_), others);
  EXPECT_EQ(read.queries[1].budgets, (Budgets{2, 0.1}));
  EXPECT_FALSE(read.queries[1].carried.has_value());
  EXPECT_EQ(read.queries[2].budgets, budgets);
  ASSERT_TRUE(read.queries[2].carried.has_value());
  EXPECT_EQ(read.queries[2].carried->at_start, carried.at_start);
  EXPECT_EQ(read.queries[2].carried->left, carried.left);
  EXPECT_EQ(read.queries[2].carried->overdrawn, carried.overdrawn);
  const LoggedAnswer answer = parseAnswer(*read.queries[2].answer).value();
  EXPECT_EQ(answer.budgets, (Budgets{0, 0.125}));
  EXPECT_EQ(answer.stopped_at, 0.75);
  EXPECT_FALSE(parseAnswer(*read.queries[0].answer)->budgets.has_value());
}

TEST_F(QueryLogTest, DamagedRulesAreTold) {
  std::string bytes;
  internal::appendRules(bytes, someRules(), *types_);
  const auto error_of = [](std::string_view rules) {
    ByteReader reader({reinterpret_cast<const std::uint8_t*>(rules.data()), rules.size()});
    std::string error;
    internal::readRules(reader, error);
    return reader.ok() ? error : "too short";
  };
  EXPECT_EQ(error_of(bytes), "");
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(error_of(std::string_view(bytes).substr(0, size)), "") << size;
  // Whatever is changed, what is read can be set, or is refused.
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    for (const int value : {0, 1, 3, 127, 255}) {
      std::string changed = bytes;
      changed[place] = static_cast<char>(value);
      ByteReader reader({reinterpret_cast<const std::uint8_t*>(changed.data()), changed.size()});
      std::string error;
      const LoggedRules rules = internal::readRules(reader, error);
      if (reader.ok() && error.empty()) rulesOf(rules, *types_);
    }
  }
}

TEST_F(QueryLogTest, TruncationAtEveryByteIsToldAndWhatPrecedesIsRead) {
  const std::string bytes = smallLog();
  const ReadLog whole = readLog(logPath());
  ASSERT_TRUE(whole.end.ok()) << whole.end;
  ASSERT_EQ(whole.queries.size(), 4U);
  const std::vector<std::size_t> ends = recordEnds(bytes, whole);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    writeBytes(logPath(), bytes.substr(0, size));
    const ReadLog read = readLog(logPath());
    const absl::Status& told = read.opened.ok() ? read.end : read.opened;
    EXPECT_FALSE(told.ok());
    EXPECT_THAT(std::string(told.message()), StartsWith(logPath() + ": "));
    EXPECT_EQ(read.opened.ok(), size >= whole.queries[0].offset);
    if (read.opened.ok()) {
      EXPECT_EQ(told.code(), absl::StatusCode::kDataLoss);
    }
    std::size_t complete = 0;
    while (complete < ends.size() && ends[complete] <= size)
      ++complete;
    ASSERT_EQ(read.queries.size(), complete);
    for (std::size_t i = 0; i < complete; ++i)
      expectSame(read.queries[i], whole.queries[i]);
  }
}

TEST_F(QueryLogTest, AFlippedBitIsToldAndWhatPrecedesIsRead) {
  const std::string bytes = smallLog();
  const ReadLog whole = readLog(logPath());
  const std::vector<std::size_t> ends = recordEnds(bytes, whole);
  std::fstream file(logPath(), std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t place, char byte) {
    file.seekp(static_cast<std::streamoff>(place));
    file.put(byte).flush();
  };
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    for (int bit = 0; bit < 8; ++bit) {
      put(place, static_cast<char>(bytes[place] ^ (1 << bit)));
      const ReadLog read = readLog(logPath());
      ASSERT_FALSE(read.opened.ok() && read.end.ok()) << "byte " << place << " bit " << bit;
      ASSERT_EQ(read.opened.ok(), place >= whole.queries[0].offset) << place;
      std::size_t complete = 0;
      while (complete < ends.size() && ends[complete] <= place)
        ++complete;
      ASSERT_EQ(read.queries.size(), complete) << "byte " << place << " bit " << bit;
      for (std::size_t i = 0; i < complete; ++i)
        expectSame(read.queries[i], whole.queries[i]);
    }
    put(place, bytes[place]);
  }
}

TEST_F(QueryLogTest, DamageSaysWhereAndWhat) {
  std::string bytes = smallLog();
  const ReadLog whole = readLog(logPath());
  const std::size_t third = whole.queries[2].offset;
  bytes[third + 20] = static_cast<char>(bytes[third + 20] ^ 1);
  writeBytes(logPath(), bytes);
  EXPECT_THAT(std::string(readLog(logPath()).end.message()),
              AllOf(HasSubstr("damaged at byte " + std::to_string(third)), HasSubstr("record 4"),
                    HasSubstr("checksum"), HasSubstr("2 queries before it are whole")));
}

TEST_F(QueryLogTest, WhatWasNotClosedIsTold) {
  QueryLogWriter log = open();
  appendShot(log);
  EXPECT_EQ(readLog(logPath()).queries.size(), 0U) << "still in the buffer";
  EXPECT_TRUE(log.flush().ok());
  const ReadLog read = readLog(logPath());
  EXPECT_EQ(read.queries.size(), 1U);
  EXPECT_THAT(std::string(read.end.message()), HasSubstr("was not closed"));
}

TEST_F(QueryLogTest, MoreBehindTheEndIsTold) {
  const std::string bytes = smallLog();
  writeBytes(logPath(), bytes + "x");
  const ReadLog read = readLog(logPath());
  EXPECT_EQ(read.queries.size(), 4U);
  EXPECT_THAT(std::string(read.end.message()), HasSubstr("more behind the log's end"));
}

TEST_F(QueryLogTest, AMissingRecordIsTold) {
  std::string bytes = smallLog();
  const ReadLog whole = readLog(logPath());
  bytes.erase(whole.queries[1].offset, whole.queries[2].offset - whole.queries[1].offset);
  writeBytes(logPath(), bytes);
  EXPECT_THAT(std::string(readLog(logPath()).end.message()),
              HasSubstr("after 4 queries, and 3 are there"));
}

TEST_F(QueryLogTest, OtherVersionsAndOtherFilesAreRefused) {
  std::string bytes = smallLog();
  bytes[8] = 3;
  writeBytes(logPath(), bytes);
  EXPECT_EQ(readLog(logPath()).opened.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(readLog(logPath()).opened.message()),
              AllOf(HasSubstr("version 3"), HasSubstr("reads versions 1, 2, 4 and 7")));
  writeBytes(logPath(), R"({"format": "fractalray-scenario/1"})");
  EXPECT_EQ(readLog(logPath()).opened.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(readLog(logPath()).opened.message()), HasSubstr("is no query log"));
  EXPECT_EQ(readLog(logPath() + ".missing").opened.code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(readLog(testing::TempDir()).opened.ok());
}

// A record whole by its checksum, written by something else.
std::string record(const std::string& body) {
  std::string bytes;
  for (const std::uint32_t number :
       {static_cast<std::uint32_t>(body.size()), internal::recordChecksum(body)}) {
    for (int i = 0; i < 4; ++i)
      bytes += static_cast<char>(number >> (8 * i) & 0xff);
  }
  return bytes + body;
}

TEST_F(QueryLogTest, ImpossibleRecordsAreDamageWhateverTheirChecksum) {
  const std::string bytes = smallLog();
  const ReadLog whole = readLog(logPath());
  const std::size_t begin = whole.queries[0].offset;
  const std::string head = bytes.substr(0, begin);
  const std::string body = bytes.substr(begin + 8, whole.queries[1].offset - begin - 8);
  const auto end_of = [&](const std::string& changed) {
    writeBytes(logPath(), head + record(changed));
    const ReadLog read = readLog(logPath());
    EXPECT_THAT(read.queries, IsEmpty());
    EXPECT_EQ(read.end.code(), absl::StatusCode::kDataLoss);
    return std::string(read.end.message());
  };
  const auto changed_at = [&](std::size_t place, int value) {
    std::string changed = body;
    changed[place] = static_cast<char>(value);
    return end_of(changed);
  };
  EXPECT_THAT(changed_at(0, 9), HasSubstr("of kind 9"));
  EXPECT_THAT(changed_at(1, 4), HasSubstr("verb of 4"));
  EXPECT_THAT(changed_at(3, 64), HasSubstr("unknown flags"));
  EXPECT_THAT(changed_at(3, 4), HasSubstr("rules, and no rules are before it"));
  EXPECT_THAT(changed_at(4, 3), HasSubstr("corner policy of 3"));
  EXPECT_THAT(changed_at(6, 4), HasSubstr("levels that there are not"));
  EXPECT_THAT(changed_at(body.size() - 1, 'E'), HasSubstr("hash is wrong"));
  EXPECT_THAT(end_of(body + "x"), HasSubstr("1 bytes too many"));
  for (std::size_t size = 1; size < body.size(); ++size)
    EXPECT_THAT(end_of(body.substr(0, size)), HasSubstr("damaged at byte")) << size;
}

TEST_F(QueryLogTest, AnImpossibleAnswerIsRefused) {
  std::string bytes;
  appendAnswer(bytes, {.hits = hits_, .unknown_from = 1, .level_parts = parts_}, *types_,
               kDefaultChannel);
  ASSERT_TRUE(parseAnswer(bytes).ok());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(parseAnswer(bytes.substr(0, size)).ok()) << size;
  const auto message = [&](std::size_t place, int value) {
    std::string changed = bytes;
    changed[place] = static_cast<char>(value);
    return std::string(parseAnswer(changed).status().message());
  };
  EXPECT_THAT(message(0, 17), HasSubstr("status of 17"));
  EXPECT_THAT(message(1, 2), HasSubstr("form of 2"));
  EXPECT_THAT(message(2, 32), HasSubstr("flags of 32"));
  EXPECT_THAT(message(11, 11), HasSubstr("number of level parts of 11"));
  EXPECT_THAT(message(12, 10), HasSubstr("level of 10"));
  EXPECT_THAT(message(33, 2), HasSubstr("kind of 2"));
  EXPECT_THAT(message(35, 8), HasSubstr("flags of 8"));
  EXPECT_THAT(message(36, 7), HasSubstr("face of 7"));
}

// Kilobytes of resident memory, at most so far.
long peakMemory() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST_F(QueryLogTest, AWrongLengthMakesNoRoom) {
  const std::string bytes = smallLog();
  const std::size_t begin = readLog(logPath()).queries[0].offset;
  const auto message_with_length = [&](std::uint32_t length) {
    std::string damaged = bytes;
    for (std::size_t i = 0; i < 4; ++i)
      damaged[begin + i] = static_cast<char>(length >> (8 * i) & 0xff);
    writeBytes(logPath(), damaged);
    return std::string(readLog(logPath()).end.message());
  };
  const long before = peakMemory();
  EXPECT_THAT(message_with_length(kMaxRecordBytes), HasSubstr("its length is wrong"));
  EXPECT_LT(peakMemory() - before, 16 * 1024) << "of the 64 MiB that it claims";
  EXPECT_THAT(message_with_length(kMaxRecordBytes + 1), HasSubstr("its length would be"));
  EXPECT_THAT(message_with_length(0xffffffff), HasSubstr("its length would be 4294967295"));
  EXPECT_THAT(message_with_length(0), HasSubstr("its length would be 0"));
}

TEST_F(QueryLogTest, AnAnswerBeyondTheLimitIsLeftOut) {
  const std::string long_name(std::size_t{1} << 20, 'x');
  Hit hit;
  hit.kind = Hit::Kind::kBlock;
  hit.type = types_->add({.name = long_name}).value();
  QueryLogWriter log = open();
  for (const std::size_t hits : {std::size_t{63}, std::size_t{64}}) {
    const std::vector<Hit> many(hits, hit);
    log.append({.levels = {0}, .options = ShotOptions{}}, {.hits = many}, *types_);
  }
  appendLook(log);
  ASSERT_TRUE(log.close().ok());
  const ReadLog read = readLog(logPath());
  EXPECT_TRUE(read.end.ok()) << read.end;
  ASSERT_EQ(read.queries.size(), 3U);
  EXPECT_TRUE(read.queries[0].answer.has_value());
  EXPECT_FALSE(read.queries[1].answer.has_value());
  EXPECT_NE(read.queries[1].answer_hash, 0U);
  EXPECT_TRUE(read.queries[2].answer.has_value());
}

TEST_F(QueryLogTest, AFullDiskIsToldOnceAndEndsTheLogAlone) {
  EXPECT_EQ(QueryLogWriter::open("/dev/full", {}).status().code(),
            absl::StatusCode::kResourceExhausted)
      << "at once";
  EXPECT_EQ(QueryLogWriter::open("/no/such/folder/log", {}).status().code(),
            absl::StatusCode::kNotFound);

  QueryLogWriter log = open();
  // The disk becomes full: a file may not grow beyond this.
  struct rlimit limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const struct rlimit small = {.rlim_cur = 1200, .rlim_max = limit.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  for (int i = 0; i < 2000; ++i)
    appendShot(log);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(log.status().ok());
  EXPECT_THAT(std::string(log.status().message()), StartsWith(logPath() + ": the query log"));
  const absl::Status first = log.status();
  appendShot(log);
  EXPECT_EQ(log.flush(), first);
  EXPECT_EQ(log.close(), first);
  EXPECT_EQ(log.close(), first);

  const ReadLog read = readLog(logPath());
  EXPECT_EQ(read.queries.size(), 2U) << "what fits into 1200 bytes";
  EXPECT_EQ(read.end.code(), absl::StatusCode::kDataLoss);
}

TEST_F(QueryLogTest, NothingFollowsAClose) {
  QueryLogWriter log = open();
  appendLook(log);
  EXPECT_TRUE(log.close().ok());
  appendLook(log);
  EXPECT_TRUE(log.close().ok());
  EXPECT_EQ(log.queries(), 1U);
  EXPECT_EQ(readLog(logPath()).queries.size(), 1U);
}

}  // namespace
}  // namespace fractalray
