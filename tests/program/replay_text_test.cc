// SPDX-License-Identifier: Apache-2.0
// Answers that a replay shows next to each other: what differs in them can be seen.
#include "../../tools/program/replay_text.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../core/units.h"
#include "../../formats/json_document.h"
#include "../../tools/program/option_text.h"

namespace fractalray {
namespace {

LoggedAnswer answerToChange() {
  LoggedAnswer answer;
  LoggedHit block;
  block.kind = Hit::Kind::kBlock;
  block.type_name = std::string(5000, 'n');
  LoggedHit entity;
  entity.kind = Hit::Kind::kEntity;
  entity.shape = {.kind = FixedShape::Kind::kBox, .half_extents = {3, 3, 3}};
  answer.hits = {block, entity};
  answer.unknown_from = 0.0;
  answer.level_spans = {{.level = 0, .t0 = 0, .t1 = 1}};
  answer.budgets.emplace();
  answer.stopped_at = 0.5;
  return answer;
}

// A part of an answer, by its name, and how it changes.
using Change = std::pair<std::string, std::function<void(LoggedAnswer&)>>;

std::vector<Change> changes() {
  return {
      {"status", [](LoggedAnswer& a) { a.status = absl::StatusCode::kInternal; }},
      {"occlusion", [](LoggedAnswer& a) { a.occlusion = Occlusion::kBlocked; }},
      {"level", [](LoggedAnswer& a) { a.hits[0].level = 3; }},
      {"terminal", [](LoggedAnswer& a) { a.hits[0].terminal = true; }},
      {"start_inside", [](LoggedAnswer& a) { a.hits[0].start_inside = true; }},
      {"ended_by_callback", [](LoggedAnswer& a) { a.hits[0].ended_by_callback = true; }},
      {"face",
       [](LoggedAnswer& a) {
         a.hits[0].face = {1, 1};
       }},
      {"t", [](LoggedAnswer& a) { a.hits[0].t = -0.0; }},
      {"t_exit", [](LoggedAnswer& a) { a.hits[0].t_exit = 1e-300; }},
      {"block", [](LoggedAnswer& a) { a.hits[0].block[2] = 1; }},
      {"type", [](LoggedAnswer& a) { a.hits[0].type_name[2500] = 'b'; }},
      {"step", [](LoggedAnswer& a) { a.hits[0].step = 1; }},
      {"entity", [](LoggedAnswer& a) { a.hits[1].id = 1; }},
      {"class", [](LoggedAnswer& a) { a.hits[1].entity_class = EntityClassId{1}; }},
      {"shape", [](LoggedAnswer& a) { a.hits[1].shape.kind = FixedShape::Kind::kSphere; }},
      {"half extents", [](LoggedAnswer& a) { a.hits[1].shape.half_extents[1] = 4; }},
      {"position", [](LoggedAnswer& a) { a.hits[1].position[0] = 1; }},
      {"terminated", [](LoggedAnswer& a) { a.terminated = true; }},
      {"truncated", [](LoggedAnswer& a) { a.truncated = true; }},
      {"unknown_from", [](LoggedAnswer& a) { a.unknown_from.reset(); }},
      {"level spans", [](LoggedAnswer& a) { a.level_spans[0].t0 = -0.0; }},
      {"budgets", [](LoggedAnswer& a) { a.budgets.reset(); }},
      {"a budget", [](LoggedAnswer& a) { (*a.budgets)[7] = -0.0; }},
      {"stopped_at", [](LoggedAnswer& a) { a.stopped_at = 0.25; }},
  };
}

TEST(ReplayTextTest, EveryDifferenceIsShown) {
  for (const auto& [part, change] : changes()) {
    const LoggedAnswer before = answerToChange();
    LoggedAnswer after = before;
    change(after);
    const std::string text = formatDifference(LoggedQuery(), before, after);
    EXPECT_THAT(text, ::testing::HasSubstr(">")) << part;
    const Json first = differenceJson(LoggedQuery(), before, after)["first"];
    EXPECT_NE(first["recorded"], first["replayed"]) << part;
  }
}

TEST(ReplayTextTest, AnAnswerThatEndedMayBeCutToo) {
  LoggedAnswer before = answerToChange();
  before.terminated = true;
  LoggedAnswer after = before;
  after.truncated = true;
  const Json first = differenceJson(LoggedQuery(), before, after)["first"];
  EXPECT_NE(first["recorded"], first["replayed"]);
}

// Answers without hits: each is changed in every member.
std::vector<std::pair<LoggedAnswer, LoggedAnswer>> changesOfSight() {
  std::vector<std::pair<LoggedAnswer, LoggedAnswer>> all;
  const auto change = [&](LoggedAnswer before, const auto& change_member) {
    LoggedAnswer after = before;
    change_member(after);
    all.emplace_back(std::move(before), std::move(after));
  };
  LoggedAnswer sights;
  sights.sights = {Sight::kHidden, Sight::kVisible};
  change(sights, [](LoggedAnswer& a) { (*a.sights)[1] = Sight::kUnknown; });
  change(sights, [](LoggedAnswer& a) { a.sights->pop_back(); });
  LoggedAnswer found;
  LoggedFoundBlock block;
  block.type_name = "ore";
  found.seen_blocks = LoggedBlocks{.visible = {block}, .unknown = {}, .undecided = {}};
  const auto change_block = [&](const auto& change_member) {
    change(found, [&](LoggedAnswer& a) { change_member(a.seen_blocks->visible[0]); });
  };
  change_block([](LoggedFoundBlock& one) { one.type_name = "coal"; });
  change_block([](LoggedFoundBlock& one) { one.block[1] = 3; });
  change_block([](LoggedFoundBlock& one) { one.level = 1; });
  change_block([](LoggedFoundBlock& one) { one.kind = BlockKind::kSolid; });
  change_block([](LoggedFoundBlock& one) { one.distance = 1e-300; });
  change(found, [](LoggedAnswer& a) { a.seen_blocks->unknown.swap(a.seen_blocks->visible); });
  change(found, [](LoggedAnswer& a) { a.seen_blocks->undecided.swap(a.seen_blocks->visible); });
  change(found, [](LoggedAnswer& a) { a.seen_blocks->visible.clear(); });
  LoggedAnswer blast;
  blast.blast = LoggedBlastAnswer{.blocks = {LoggedBrokenBlock()}, .entities = {ExposedEntity()}};
  const auto change_broken = [&](const auto& change_member) {
    change(blast, [&](LoggedAnswer& a) { change_member(a.blast->blocks[0]); });
  };
  change_broken([](LoggedBrokenBlock& one) { one.type_name = "coal"; });
  change_broken([](LoggedBrokenBlock& one) { one.block[0] = -1; });
  change_broken([](LoggedBrokenBlock& one) { one.level = 1; });
  change_broken([](LoggedBrokenBlock& one) { one.ray = 1; });
  change_broken([](LoggedBrokenBlock& one) { one.steps = 1; });
  change_broken([](LoggedBrokenBlock& one) { one.power = 1; });
  const auto change_entity = [&](const auto& change_member) {
    change(blast, [&](LoggedAnswer& a) { change_member(a.blast->entities[0]); });
  };
  change_entity([](ExposedEntity& one) { one.id = 1; });
  change_entity([](ExposedEntity& one) { one.distance = -0.0; });
  change_entity([](ExposedEntity& one) { one.from = 1e-9; });
  change_entity([](ExposedEntity& one) { one.to = 0.5; });
  change(blast, [](LoggedAnswer& a) { a.blast->reaches_unknown = true; });
  return all;
}

TEST(ReplayTextTest, EveryDifferenceOfSightIsShown) {
  std::size_t number = 0;
  for (const auto& [before, after] : changesOfSight()) {
    const std::string text = formatDifference(LoggedQuery(), before, after);
    EXPECT_THAT(text, ::testing::HasSubstr(">")) << number;
    const Json json = differenceJson(LoggedQuery(), before, after);
    // As texts, in which -0 is not 0.
    EXPECT_NE(json["first"]["recorded"].dump(), json["first"]["replayed"].dump()) << number;
    EXPECT_NE(json["recorded"].dump(), json["replayed"].dump()) << number;
    ++number;
  }
}

TEST(ReplayTextTest, QuestionsOfSightAreNamed) {
  LoggedAnswer before;
  before.sights = {Sight::kHidden, Sight::kHidden, Sight::kHidden, Sight::kHidden};
  LoggedAnswer after = before;
  (*after.sights)[3] = Sight::kVisible;
  LoggedQuery query;
  LoggedVisibleBoxes boxes;
  boxes.viewers.resize(2);
  boxes.boxes.resize(2);
  boxes.max_distance = 3 * kUnitsPerBlock;
  query.sight = LoggedSight{.question = boxes};
  EXPECT_THAT(
      formatDifference(query, before, after),
      ::testing::AllOf(::testing::HasSubstr("visibleBoxes of 2 viewers and 2 boxes up to 3"),
                       ::testing::HasSubstr("viewer 1, box 1: hidden")));
  const Json json = differenceJson(query, before, after);
  EXPECT_EQ(json["verb"], "visibleBoxes");
  EXPECT_EQ(json["recorded"]["sights"][1][1], "hidden");
  EXPECT_EQ(json["replayed"]["sights"][1][1], "visible");

  query.sight->question =
      LoggedVisibleBlocks{.eye = {1, 2, 0.5}, .radius = 4, .types = {"ore"}, .targets = {}};
  EXPECT_THAT(formatDifference(query, before, after),
              ::testing::HasSubstr("visibleBlocks from 1, 2, 0.5 up to 4 away of ore"));
  EXPECT_EQ(differenceJson(query, before, after)["radius"], 4);
  LoggedBlast blast;
  blast.rays.resize(7);
  query.sight->question = blast;
  EXPECT_THAT(formatDifference(query, before, after),
              ::testing::HasSubstr("blast at 0, 0, 0 of 7 rays up to 0 away"));
  EXPECT_EQ(differenceJson(query, before, after)["rays"], 7);
}

TEST(OptionTextTest, NamesTheOptionsThatDiffer) {
  EXPECT_EQ(optionsText(QueryOptions{}), "");
  EXPECT_EQ(optionsText({.filter = {.blocks = false, .solid_only = true, .categories = 6},
                         .corner = CornerPolicy::kStaircase,
                         .max_hits = 3}),
            ", corner staircase, categories 6, max hits 3, no blocks, solid only");
}

}  // namespace
}  // namespace fractalray
