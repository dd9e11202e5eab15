// SPDX-License-Identifier: Apache-2.0
#include "../../core/check.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/arithmetic/int128.h"
#include "../../core/frame.h"

namespace fractalray {
namespace {

using internal::checkedValue;
using internal::checkedValues;

enum class Colour : std::uint8_t { kRed = 3 };

TEST(CheckTest, ShowsAValueOfEachKind) {
  EXPECT_EQ(checkedValue(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(checkedValue(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(checkedValue(true), "1");
  EXPECT_EQ(checkedValue(Colour::kRed), "3");
  EXPECT_EQ(checkedValue(0.1), "0.10000000000000001");
  EXPECT_EQ(checkedValue(internal::Int128{-4}), "-4");
  EXPECT_EQ(checkedValue("text"), "text");
  EXPECT_EQ(checkedValue(std::string_view("view")), "view");
  EXPECT_EQ(checkedValue(absl::NotFoundError("no key")), "NOT_FOUND: no key");
  EXPECT_EQ(checkedValue(absl::StatusOr<int>(absl::NotFoundError("no key"))), "NOT_FOUND: no key");
}

TEST(CheckTest, ListsTheValuesAfterTheirNames) {
  EXPECT_EQ(checkedValues(""), "");
  EXPECT_EQ(checkedValues("a", 1), "; a = 1");
  EXPECT_EQ(checkedValues("a, b", 1, -2), "; a, b = 1, -2");
}

TEST(CheckTest, EvaluatesTheValuesOnlyToPrintThem) {
  int evaluated = 0;
  FRACTALRAY_CHECK(evaluated == 0, ++evaluated);
  EXPECT_EQ(evaluated, 0);
}

TEST(CheckDeathTest, NamesConditionValueAndFileWithoutItsPath) {
  const int limit = 3;
  EXPECT_DEATH(FRACTALRAY_CHECK(limit > 5, limit),
               "^check_test.cc:[0-9]+: check failed: limit > 5; limit = 3\n");
  EXPECT_DEATH(FRACTALRAY_CHECK(limit > 5), "^check_test.cc:[0-9]+: check failed: limit > 5\n");
}

TEST(CheckDeathTest, NamesTheStatusOfACallThatHasToSucceed) {
  EXPECT_DEATH(FRACTALRAY_CHECK_OK(absl::DataLossError("torn")),
               "^check_test.cc:[0-9]+: check failed: .* is ok; status = DATA_LOSS: torn\n");
  FRACTALRAY_CHECK_OK(absl::OkStatus());
}

TEST(CheckDeathTest, ACheckOfAPublicHeaderPrintsTheValue) {
  EXPECT_DEATH(Frame(11), "^frame.h:[0-9]+: check failed: .*; levels = 11\n");
}

}  // namespace
}  // namespace fractalray
