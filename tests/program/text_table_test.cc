// SPDX-License-Identifier: Apache-2.0
// Tables: aligned, no wider than a terminal, and no row twice.
#include "../../tools/program/text_table.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fractalray {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> linesOf(const std::string& text) {
  return absl::StrSplit(text, '\n', absl::SkipEmpty());
}

// Removes the spaces and newlines, which is all that wrapping may add.
std::string inkOf(const std::string& text) {
  std::string ink;
  for (const char c : text) {
    if (c != ' ' && c != '\n') ink += c;
  }
  return ink;
}

TEST(FormatTableTest, NumbersAreAlignedAtThePointAndTextAtTheLeft) {
  EXPECT_EQ(formatTable({{"n", "value", "name"},
                         {"1", "3.25", "a"},
                         {"12", "-100", "bcd"},
                         {"3", "0.5", ""},
                         {"-", "1e-05", "e"}}),
            "   n     value  name\n"
            "   1     3.25   a\n"
            "  12  -100      bcd\n"
            "   3     0.5\n"
            "   -     1e-05  e\n");
}

TEST(FormatTableTest, NumbersUnderAWideHeadingAreAtItsRight) {
  EXPECT_EQ(formatTable({{"distance", "x"}, {"1.5", "a"}, {"10", "b"}}),
            "  distance  x\n"
            "       1.5  a\n"
            "      10    b\n");
}

// "1-14" is no number, and so the whole column is text.
TEST(FormatTableTest, AColumnWithOneTextIsText) {
  EXPECT_EQ(formatTable({{"cells"}, {"7"}, {"1-14"}, {"inf"}}), "  cells\n  7\n  1-14\n  inf\n");
}

TEST(FormatTableTest, RowsThatAreEqualBecomeOne) {
  EXPECT_EQ(formatTable({{"a", "b"}, {"1", "x"}, {"1", "x"}, {"1", "x"}, {"2", "x"}, {"1", "x"}}),
            "  a  b\n"
            "  1  x x 3\n"
            "  2  x\n"
            "  1  x\n");
}

TEST(FormatTableTest, FitsTheWidthAndLosesNothing) {
  std::vector<TableRow> rows = {{"#", "a long heading of words", "hit", "where", "then"}};
  std::string ink;
  for (int i = 0; i < 5; ++i) {
    rows.push_back({std::to_string(i), "1.5", "default:dirt_with_rainforest_litter x 1234",
                    "[-123456, 78, -49] to [-123456, 78, -99] and some more words to wrap",
                    "normal 0.123456, 0.99, 0.08 and still more words"});
  }
  const std::string text = formatTable(rows);
  for (const std::string& line : linesOf(text))
    EXPECT_LE(line.size(), kTextWidth) << line;
  // Words stay whole.
  EXPECT_THAT(text, HasSubstr("default:dirt_with_rainforest_litter"));
  EXPECT_EQ(inkOf(text).size(), [&] {
    std::size_t size = 0;
    for (const TableRow& row : rows) {
      for (const std::string& cell : row)
        size += inkOf(cell).size();
    }
    return size;
  }());
}

TEST(FormatTableTest, AWordThatIsTooLongIsBroken) {
  const std::string text = formatTable({{"name", "b"}, {std::string(300, 'x'), "y"}});
  for (const std::string& line : linesOf(text))
    EXPECT_LE(line.size(), kTextWidth);
  EXPECT_EQ(inkOf(text).size(), 4 + 1 + 300 + 1U);
}

TEST(FormatTableTest, NarrowTablesAreNotWrapped) {
  const std::string cell(100, 'x');
  EXPECT_EQ(formatTable({{"a b"}, {cell}}), "  a b\n  " + cell + "\n");
}

TEST(FormatTableTest, CountsCharactersAndNotBytes) {
  EXPECT_EQ(formatTable({{"a", "b"}, {"äöü", "1"}, {"xyz", "2"}}),
            "  a    b\n  äöü  1\n  xyz  2\n");
}

TEST(FormatTableTest, ColoursTheHeadingsAndTheEnding) {
  const std::vector<TableRow> rows = {{"a", "b"}, {"1", "goes"}, {"2", "ends"}};
  EXPECT_THAT(formatTable(rows, {}, "ends"), Not(HasSubstr("\x1b")));
  EXPECT_EQ(formatTable(rows, Colors::all(), "ends"),
            "  \x1b[4ma  b\x1b[0m\n"
            "  1  goes\n"
            "  \x1b[31m2  ends\x1b[0m\n");
}

TEST(FormatTableTest, NothingIsNothing) {
  EXPECT_EQ(formatTable({}), "");
  EXPECT_EQ(formatTable({{"a"}}), "  a\n");
}

TEST(WrapTextTest, BreaksAtSpaces) {
  EXPECT_THAT(wrapText("one two three four", 9), ElementsAre("one two", "three", "four"));
  EXPECT_THAT(wrapText("one two three four", 9, 2), ElementsAre("one two", "  three", "  four"));
  EXPECT_THAT(wrapText("one", 3), ElementsAre("one"));
  EXPECT_THAT(wrapText("one two", 7), ElementsAre("one two"));
  EXPECT_THAT(wrapText("", 7), ElementsAre(""));
}

TEST(WrapTextTest, BreaksLongWordsBetweenCharacters) {
  EXPECT_THAT(wrapText("abcdefgh", 3), ElementsAre("abc", "def", "gh"));
  EXPECT_THAT(wrapText("äöüäöü", 4), ElementsAre("äöüä", "öü"));
}

TEST(FormatNumberTest, CutsTrailingZeros) {
  EXPECT_EQ(formatNumber(3.5), "3.5");
  EXPECT_EQ(formatNumber(12), "12");
  EXPECT_EQ(formatNumber(-0.00001), "0");
  EXPECT_EQ(formatPoint({1, 2.5, -3}), "1, 2.5, -3");
}

}  // namespace
}  // namespace fractalray
