// SPDX-License-Identifier: Apache-2.0
// Answers that a replay shows next to each other: what differs in them can be seen.
#include "../../tools/program/replay_text.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

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

TEST(OptionTextTest, NamesTheOptionsThatDiffer) {
  EXPECT_EQ(optionsText(QueryOptions{}), "");
  EXPECT_EQ(optionsText({.filter = {.blocks = false, .solid_only = true, .categories = 6},
                         .corner = CornerPolicy::kStaircase,
                         .max_hits = 3}),
            ", corner staircase, categories 6, max hits 3, no blocks, solid only");
}

}  // namespace
}  // namespace fractalray
