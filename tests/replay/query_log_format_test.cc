// SPDX-License-Identifier: Apache-2.0
// The bytes of query logs, and the terminal rules in them.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "../../formats/internal/little_endian.h"
#include "../../formats/replay/internal/log_records.h"
#include "../../formats/replay/logged_answer.h"
#include "query_log_fixture.h"

namespace fractalray {
namespace {

using oracle::kStone;
using oracle::kWater;

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

// The format may not change without kQueryLogVersion: docs/query-log.md has the same bytes.
TEST_F(QueryLogTest, TheFormatIsThis) {
  smallLog();
  const std::string bytes = readBytes(logPath());
  const ReadLog read = readLog(logPath());
  ASSERT_EQ(read.queries.size(), 4U);
  EXPECT_EQ(hex(bytes.substr(0, read.queries[2].offset)),
            // The magic number and the world.
            "894652514c4f470a0d00230000008a06840a000a01887766554433221100ffeeddccbbaa99030000"
            "00000000000400000000000000"
            // The shot.
            "fd010000982185ce01000401020000ffffffffffffffff0200000000000000fdffffffffffffff04"
            "000000000000000500000000000000000000000000002001086d61785f6869747303000000000000"
            "00030000000000000005000000000000000700000076697369626c65030000000700000000000000"
            "ffffffffffffffff080000000000000002000000000102000000000000000000000000000000d03f"
            "ffffffffffffffff0200000000000000000000000001000006000000000500000077617465720102"
            "0000000000000000e03f010000000000e03ffefffffffffffffffeffffff01010000000000000002"
            "000000000000000300000000000000fcffffffffffffff0500000000000000faffffffffffffff54"
            "5829e81d22b4e2000005000000000000e83f0100000000000000c03f000000000000f03f03000000"
            "000102000000000000000000000000000000d03fffffffffffffffff020000000000000000000000"
            "00010000060000000005000000776174657201020000000000000000e03f010000000000e03ffeff"
            "fffffffffffffeffffff01010000000000000002000000000000000300000000000000fcffffffff"
            "ffffff0500000000000000faffffffffffffff00090105ffffffffffffef3f000000000000f03f05"
            "000000000000000600000000000000070000000000000000000000000500000073746f6e65"
            // The look.
            "7500000039902cb20102040200000000000000000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000010e656e7469746965735f626c6f636b00"
            "0000000000000000000000000000000700000064656661756c74000000000000000028490c6c18aa"
            "49d9000102");
  EXPECT_EQ(hex(bytes.substr(bytes.size() - kEndBytes)), "09000000166a5d22020400000000000000");
}

// The start of a reflected line follows its end time if it has both.
TEST_F(QueryLogTest, KeepsTheBeginsOfReflectedLines) {
  const QueryOptions options;
  const FixedSegment line{.from = {1, 2, 3}, .to = {-4, 5, -6}, .begin = {.plane = -77, .axes = 5}};
  FixedSegment of_ray = line;
  of_ray.end_time = 12345;
  QueryLogWriter log = open();
  log.append({.query = {.segment = line}, .options = options}, {}, *types_);
  log.append({.query = {.segment = of_ray}, .options = options}, {}, *types_);
  ASSERT_TRUE(log.close().ok());
  const ReadLog read = readLog(logPath());
  ASSERT_TRUE(read.end.ok()) << read.end;
  ASSERT_EQ(read.queries.size(), 2U);
  EXPECT_EQ(read.queries[0].segment, line);
  EXPECT_EQ(read.queries[1].segment, of_ray);
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
  EXPECT_TRUE(rules.setBlock(kWater, TerminalRule::costPerPane(first, 0.25), {5}).ok());
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
  const QueryOptions plain;
  const QueryOptions ruled{.rules = &rules};
  const QueryOptions given{.rules = &rules, .budgets = &budgets};
  QueryLogWriter log = open();
  log.append({.options = plain}, {}, *types_);
  log.append({.options = ruled}, {.answer = {.budgets = Budgets{2, 0}}}, *types_);
  const CarriedBudgets carried{.at_start = {3, 4}, .left = {0, 1}, .overdrawn = {1e-10, 0}};
  log.append(
      {.query = {.after = hits_}, .verb = QueryVerb::kResume, .options = given, .carried = carried},
      {.answer = {.budgets = Budgets{0, 0.125}, .stopped_at = 0.75}}, *types_);
  TerminalRules others = rules;
  ASSERT_TRUE(others.setBlock(kWater, TerminalRule::continueShot()).ok());
  const QueryOptions with_others{.rules = &others};
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

TEST_F(QueryLogTest, DamagedRulesAreReported) {
  std::string bytes;
  internal::appendRules(bytes, someRules(), *types_);
  EXPECT_TRUE(internal::parseRules(bytes).ok());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(internal::parseRules(std::string_view(bytes).substr(0, size)).ok()) << size;
  // Rules that are read from changed bytes can be set, or are refused.
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int value : {0, 1, 3, 127, 255}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(value);
      const absl::StatusOr<LoggedRules> rules = internal::parseRules(changed);
      if (rules.ok()) rulesOf(*rules, *types_);
    }
  }
}

// TerminalRules refuses these costs for rules of every kind.
TEST_F(QueryLogTest, RulesWithWrongCostsAreReported) {
  for (const TerminalRule::Kind kind :
       {TerminalRule::Kind::kContinue, TerminalRule::Kind::kStop, TerminalRule::Kind::kCost}) {
    TerminalRules rules;
    ASSERT_TRUE(rules.addBudget(2).ok());
    ASSERT_TRUE(rules.setBlock(kWater, {.kind = kind, .per_hit = 0.5, .per_block = 0.25}).ok());
    std::string bytes;
    internal::appendRules(bytes, rules, *types_);
    ASSERT_TRUE(internal::parseRules(bytes).ok());
    for (const double cost : {0.5, 0.25}) {
      std::string written;
      appendLittle(written, cost);
      const std::size_t at = bytes.find(written);
      ASSERT_NE(at, std::string::npos);
      for (const double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
        std::string other;
        appendLittle(other, wrong);
        std::string changed = bytes;
        changed.replace(at, other.size(), other);
        const absl::Status status = internal::parseRules(changed).status();
        EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << cost;
        EXPECT_NE(status.message().find("a rule with a cost of "), std::string_view::npos)
            << status;
      }
    }
  }
}

}  // namespace
}  // namespace fractalray
