// SPDX-License-Identifier: Apache-2.0
// Checks the comparison itself: it must find every difference.
#include "answers.h"

#include "gtest/gtest.h"

#include "scenario_check.h"

namespace fractalray::testing {
namespace {

std::optional<std::string> differenceOf(const char* expected, const char* actual) {
  return difference(Json::parse(expected), Json::parse(actual));
}

TEST(AnswersTest, MembersThatAreNotExpectedAreIgnored) {
  EXPECT_EQ(differenceOf(R"({"id": "a", "hits": [{"t": 0}]})",
                         R"({"id": "a", "hits": [{"t": 0, "point": [1]}], "more": 1})"),
            std::nullopt);
}

TEST(AnswersTest, ExpectedMembersMustBeThere) {
  EXPECT_EQ(differenceOf(R"({"hits": [{"t": 0, "face": null}]})", R"({"hits": [{"t": 0}]})"),
            "hits[0].face is missing");
}

TEST(AnswersTest, TimesAgreeToOneBillionth) {
  EXPECT_EQ(differenceOf(R"({"t": 0.5})", R"({"t": 0.5000000009})"), std::nullopt);
  EXPECT_TRUE(differenceOf(R"({"t": 0.5})", R"({"t": 0.5000000011})").has_value());
  EXPECT_TRUE(differenceOf(R"({"unknown_from": null})", R"({"unknown_from": 0})").has_value());
  EXPECT_TRUE(differenceOf(R"({"unknown_from": 0})", R"({"unknown_from": null})").has_value());
}

TEST(AnswersTest, PositionsAgreeRelativeToTheirSize) {
  EXPECT_EQ(differenceOf(R"({"point": [1e12, 0]})", R"({"point": [1.0000000001e12, 0]})"),
            std::nullopt);
  EXPECT_TRUE(differenceOf(R"({"point": [1e12, 0]})", R"({"point": [1.00000001e12, 0]})"));
}

TEST(AnswersTest, AllElseAgreesExactly) {
  EXPECT_TRUE(differenceOf(R"({"block": [1, 2, 3]})", R"({"block": [1, 2, 4]})").has_value());
  EXPECT_TRUE(differenceOf(R"({"entity": 9007199254740993})", R"({"entity": 9007199254740992})"));
  EXPECT_TRUE(differenceOf(R"({"terminal": true})", R"({"terminal": 1})").has_value());
}

TEST(AnswersTest, ListsMustBeEquallyLong) {
  EXPECT_EQ(differenceOf(R"({"hits": [1, 2]})", R"({"hits": [1]})"),
            "hits: expected 2 entries, got 1");
  EXPECT_EQ(differenceOf(R"({"hits": []})", R"({"hits": [1]})"), "hits: expected 0 entries, got 1");
}

TEST(AnswersTest, ErrorsAgreeByTheirCode) {
  EXPECT_EQ(differenceOf(R"({"error": "NOT_FOUND"})", R"({"error": "NOT_FOUND: no entity 3"})"),
            std::nullopt);
  EXPECT_TRUE(differenceOf(R"({"error": "NOT_FOUND"})", R"({"error": "OUT_OF_RANGE: far"})"));
  EXPECT_TRUE(differenceOf(R"({"error": "NOT_FOUND"})", R"({"hits": []})").has_value());
}

TEST(AnswersTest, ExposuresContainTheExactShareTightly) {
  const char* const third = R"({"seen": ["1", "3"]})";
  EXPECT_EQ(differenceOf(third, R"({"from": 0.333333333022892475, "to": 0.333333333954215050})"),
            std::nullopt);
  EXPECT_TRUE(differenceOf(third, R"({"from": 0.25, "to": 0.5})").has_value());
  EXPECT_TRUE(differenceOf(third, R"({"from": 0.25, "to": 0.333333333022892475})").has_value());
  EXPECT_TRUE(differenceOf(third, R"({"from": 0.3333333, "to": 0.3333334})").has_value());
  EXPECT_TRUE(differenceOf(third, R"({"from": 0.333333333022892475})").has_value());
  EXPECT_TRUE(differenceOf(third, R"({"error": "NOT_FOUND"})").has_value());
  const char* const nothing = R"({"seen": ["0", "1"]})";
  EXPECT_EQ(differenceOf(nothing, R"({"from": 0, "to": 0})"), std::nullopt);
  EXPECT_TRUE(differenceOf(nothing, R"({"from": 0, "to": 9.3132257461547852e-10})").has_value());
  const char* const all = R"({"seen": ["5", "5"]})";
  EXPECT_EQ(differenceOf(all, R"({"from": 1, "to": 1})"), std::nullopt);
  EXPECT_TRUE(differenceOf(all, R"({"from": 0.99999999906867743, "to": 1})").has_value());
  const char* const unknown = R"({"seen": ["0", "1"], "seen_or_unknown": ["1", "2"]})";
  EXPECT_EQ(differenceOf(unknown, R"({"from": 0, "to": 0.5})"), std::nullopt);
  EXPECT_TRUE(differenceOf(unknown, R"({"from": 0, "to": 0})").has_value());
}

TEST(AnswersTest, WrongAnswersOfAScenarioAreReported) {
  constexpr std::string_view kScenario =
      R"({"format": "fractalray-scenario/1", "levels": 1,
          "queries": [{"id": "w", "op": "walk", "dimensions": 2, "from": [0, 0], "to": [0, 0]}]})";
  EXPECT_TRUE(differences(kScenario, R"({"id": "w", "cells": [{"cell": [0, 0]}]})", "x").empty());
  const std::vector<std::string> found =
      differences(kScenario, R"({"id": "w", "cells": [{"cell": [0, 1]}]})", "x");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], "query \"w\": cells[0].cell[1]: expected 1, got 0");
  EXPECT_EQ(differences(kScenario, "", "x").size(), 1U);
  EXPECT_EQ(differences("{}", "", "x").size(), 1U);
}

}  // namespace
}  // namespace fractalray::testing
