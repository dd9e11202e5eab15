// SPDX-License-Identifier: Apache-2.0
#include "../../query/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <concepts>
#include <string>
#include <vector>

namespace fractalray {
namespace {

using ::testing::ElementsAre;

TEST(FieldsTest, NamesComeInTheOrderOfTheList) {
  std::vector<std::string> names;
  const TerminalRule rule;
  forEachField([&](std::string_view name, const auto&) { names.emplace_back(name); }, rule);
  EXPECT_THAT(names,
              ElementsAre("kind", "budget", "per_hit", "per_block", "touch_costs", "per_pane"));
}

// Finds a name that is given to another member: each member differs alone.
TEST(FieldsTest, EachNameIsThatOfItsMember) {
  const auto differing = [](const QueryOptions& options) {
    const QueryOptions usual;
    std::string names;
    const auto compare = [&]<class Member>(std::string_view name, const Member& a,
                                           const Member& b) {
      if constexpr (std::equality_comparable<Member>) {
        if (a != b) names += name;
      }
    };
    forEachField(compare, options, usual);
    return names;
  };
  EXPECT_EQ(differing({}), "");
  EXPECT_EQ(differing({.filter = {.blocks = false}}), "blocks");
  EXPECT_EQ(differing({.filter = {.channel = ChannelId{1}}}), "channel");
  EXPECT_EQ(differing({.filter = {.solid_only = true}}), "solid_only");
  EXPECT_EQ(differing({.filter = {.entities = false}}), "entities");
  EXPECT_EQ(differing({.filter = {.categories = 1}}), "categories");
  EXPECT_EQ(differing({.filter = {.skip_start_inside = true}}), "skip_start_inside");
  EXPECT_EQ(differing({.entities_block = true}), "entities_block");
  EXPECT_EQ(differing({.corner = CornerPolicy::kNeither}), "corner");
  EXPECT_EQ(differing({.report_blocker = true}), "report_blocker");
  EXPECT_EQ(differing({.after_by_id = true}), "after_by_id");
  EXPECT_EQ(differing({.max_hits = 1}), "max_hits");
  EXPECT_EQ(differing({.report_unknown = true}), "report_unknown");
  EXPECT_EQ(differing({.stop_at_unknown = true}), "stop_at_unknown");
  EXPECT_EQ(differing({.report_level_spans = true}), "report_level_spans");
  EXPECT_EQ(differing({.max_steps = 1}), "max_steps");
  EXPECT_EQ(differing({.max_batch_steps = 1}), "max_batch_steps");
  EXPECT_EQ(differing({.pass = SearchPass::kPlain}), "pass");
}

TEST(FieldsTest, FieldsAreFoundByName) {
  EXPECT_EQ(Fields<TerminalRule>::kNames[fieldIndex<TerminalRule>("per_hit")].name, "per_hit");
  EXPECT_TRUE(hasField<QueryOptions>("pass"));
  EXPECT_FALSE(hasField<QueryOptions>("pas"));
}

TEST(FieldsTest, WordsStandForValues) {
  EXPECT_EQ(wordOf(CornerPolicy::kStaircase), "staircase");
  EXPECT_EQ(wordOf(static_cast<CornerPolicy>(3)), "");
  EXPECT_TRUE(isPlain<CornerPolicy>());
  EXPECT_TRUE(isPlain<bool>());
  EXPECT_FALSE(isPlain<ChannelId>());
}

// On the command line an option is described by its help.
TEST(FieldsTest, PlainOptionsHaveHelp) {
  const QueryOptions options;
  forEachField(
      []<class Member>(const FieldName& field, const Member&) {
        if constexpr (isPlain<Member>()) {
          EXPECT_NE(field.help, "") << field.name;
        }
      },
      options);
}

TEST(FieldsTest, MembersCanBeChanged) {
  QueryStats stats;
  std::uint64_t next = 0;
  forEachField([&](std::string_view, std::uint64_t& counter) { counter = ++next; }, stats);
  EXPECT_EQ(next, 8U);
  EXPECT_EQ(stats.cells, 1U);
  EXPECT_EQ(stats.direct, 8U);
}

}  // namespace
}  // namespace fractalray
