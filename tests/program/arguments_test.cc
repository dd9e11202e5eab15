// SPDX-License-Identifier: Apache-2.0
#include "../../tools/program/arguments.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "gtest/gtest.h"

#include "../../tools/program/command_line.h"

namespace fractalray {
namespace {

std::string error(std::string_view text, std::size_t min_count, std::size_t max_count) {
  return std::string(parseNumbers(text, "--v", min_count, max_count).status().message());
}

TEST(ParseNumbersTest, ReadsNumbersBetweenCommas) {
  EXPECT_EQ(*parseNumbers("1,-2.5,3e2", "--v", 3, 3), (std::vector<double>{1, -2.5, 300}));
  EXPECT_EQ(*parseNumbers(" +1 , .5", "--v", 1, 3), (std::vector<double>{1, 0.5}));
  EXPECT_EQ(*parseNumbers("7", "--v", 1, 1), (std::vector<double>{7}));
  EXPECT_TRUE(std::isinf(parseNumbers("inf", "--v", 1, 1)->front()));
}

TEST(ParseNumbersTest, ErrorsNameThePartAndTheRemedy) {
  EXPECT_EQ(error("1,x,3", 3, 3),
            "--v: \"x\" in \"1,x,3\" is not a number; write 3 numbers like 1.5,2,-3");
  EXPECT_EQ(error("1 2", 2, 2),
            "--v: \"1 2\" in \"1 2\" is not a number; write 2 numbers like 1.5,2");
  EXPECT_EQ(error("1", 2, 3), "--v: \"1\" has 1 number; write 2 or 3 numbers like 1.5,2,-3");
  EXPECT_EQ(error("1,2", 1, 1), "--v: \"1,2\" has 2 numbers; write 1 number like 1.5");
  EXPECT_FALSE(error("", 1, 3).empty());
  EXPECT_FALSE(error("1,2,", 1, 3).empty());
  EXPECT_FALSE(error("0x10", 1, 1).empty());
  EXPECT_FALSE(error("1e999", 1, 1).empty());
}

struct CountArguments {
  std::optional<std::uint64_t> count;
};

// Returns the number that a command gets for `--count <text>`; nothing if it is refused.
std::optional<std::uint64_t> countOf(const char* text) {
  CommandLine line({.name = "fractalray", .purpose = "Counts.", .footer = ""});
  auto [options, arguments] =
      line.addCommand<CountArguments>("count", "Counts.", [](const CountArguments&) { return 0; });
  options.add("--count N", arguments.count, "The number");
  const std::array words = {"fractalray", "count", "--count", text};
  const int status = line.run(static_cast<int>(words.size()), words.data());
  EXPECT_EQ(status == 0, arguments.count.has_value()) << text;
  return arguments.count;
}

TEST(WholeNumberTest, IsDecimal) {
  EXPECT_EQ(countOf("10"), 10U);
  EXPECT_EQ(countOf("010"), 10U) << "CLI11 would take it for octal";
  EXPECT_EQ(countOf("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const char* wrong :
       {"18446744073709551616", "-1", "+1", "0x10", "1e3", "1.0", "", " 1", "1 "})
    EXPECT_EQ(countOf(wrong), std::nullopt) << wrong;
}

TEST(ParsePointTest, TakesThree) {
  EXPECT_EQ(*parsePoint("1,2,3", "--from"), (Vec3d{1, 2, 3}));
  EXPECT_FALSE(parsePoint("1,2", "--from").ok());
}

TEST(ParseCornerPolicyTest, KnowsItsWords) {
  EXPECT_EQ(*parseCornerPolicy("both", "--corner"), CornerPolicy::kBoth);
  EXPECT_EQ(*parseCornerPolicy("neither", "--corner"), CornerPolicy::kNeither);
  EXPECT_EQ(*parseCornerPolicy("staircase", "--corner"), CornerPolicy::kStaircase);
  EXPECT_EQ(parseCornerPolicy("Both", "--corner").status().message(),
            "--corner: \"Both\" is not a policy; write both, neither or staircase");
}

}  // namespace
}  // namespace fractalray
