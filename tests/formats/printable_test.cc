// SPDX-License-Identifier: Apache-2.0
#include "../../core/printable.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../formats/json_document.h"
#include "../../formats/suggestion.h"

namespace fractalray {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(PrintableTest, OrdinaryTextStays) {
  for (const char* text :
       {"", "default:stone", "a \"b\" \\", "Gr\u00fcn \u4e2d \U0001f600", "\ufffd"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printableLines(text), text);
    EXPECT_TRUE(isPrintable(text)) << text;
  }
}

TEST(PrintableTest, NamesAreUtf8WithoutControlCharacters) {
  for (const char* name : {"", "default:stone", "Gr\u00fcn \u4e2d \U0001f600", "\u202e", "\u00a0"})
    EXPECT_TRUE(checkName("block type", name).ok()) << name;
  const struct {
    std::string name;
    std::string reason;
  } kCases[] = {
      {"ab\xff", "\"ab\\xff\", has the byte 0xff at 2, which is no UTF-8"},
      {"\u4e2d\x1b[2J", "has the byte 0x1b at 3, a control character"},
      {"\u0085", "has the byte 0xc2 at 0, a control character"},
      {"\xed\xa0\x80", "has the byte 0xed at 0, which is no UTF-8"},
      {std::string("a\0b", 3), "has the byte 0x00 at 1, a control character"},
      {"x\x7f", "has the byte 0x7f at 1, a control character"},
      {"x\xe4\xb8", "has the byte 0xe4 at 1, which is no UTF-8"},
  };
  for (const auto& test : kCases) {
    const absl::Status status = checkName("block type", test.name);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(test.reason));
    EXPECT_TRUE(isPrintable({status.message().data(), status.message().size()}));
  }
}

TEST(PrintableTest, ControlAndFormatCharactersBecomeEscapes) {
  const struct {
    std::string text;
    std::string escaped;
  } kCases[] = {
      {"\x1b[31mred", "\\u001b[31mred"},
      {"a\nb\tc\rd", "a\\nb\\tc\\rd"},
      {std::string("a\0b", 3), "a\\u0000b"},
      {"\x7f", "\\u007f"},
      {"\u0080\u009b31m", "\\u0080\\u009b31m"},
      {"\u202egpj.exe\u202c", "\\u202egpj.exe\\u202c"},
      {"\u2066\u2069\u200e\u200f\u061c", "\\u2066\\u2069\\u200e\\u200f\\u061c"},
      {"\u2028\u2029\u200b\ufeff", "\\u2028\\u2029\\u200b\\ufeff"},
      {"\U000e0041", "\\udb40\\udc41"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(printable(test.text), test.escaped);
    EXPECT_FALSE(isPrintable(test.text) && test.text.find('\n') == std::string::npos);
  }
  EXPECT_EQ(printableLines("a\x1b\nb\n"), "a\\u001b\nb\n");
}

TEST(PrintableTest, BytesThatAreNoUtf8BecomeEscapes) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");                           // a C1 control of eight bits
  EXPECT_EQ(printable("\xc3"), "\\xc3");           // cut off
  EXPECT_EQ(printable("\xc0\x8a"), "\\xc0\\x8a");  // a newline, overlong
  EXPECT_EQ(printable("\xe0\x82\x8a"), "\\xe0\\x82\\x8a");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xe4\xb8"
                      "a"),
            "\\xe4\\xb8a");
}

TEST(PrintableTest, LongTextKeepsItsEndsAndSaysHowMuchIsLeftOut) {
  const std::string text = "begin" + std::string(1'000'000, 'x') + "end";
  EXPECT_EQ(printable(text, 10), "begin... (999998 bytes left out) ...xxend");
  EXPECT_EQ(printable(std::string(100, 'x')), std::string(100, 'x'));
  EXPECT_THAT(printable(std::string(101, 'x')), HasSubstr("... (1 bytes left out) ..."));
  // No character is cut in two.
  std::string wide;
  for (int i = 0; i < 1000; ++i)
    wide += "\U0001f600";
  for (std::size_t max = 2; max < 20; ++max)
    EXPECT_THAT(printable(wide, max), Not(HasSubstr("\\x"))) << max;
}

TEST(QuotedTextTest, IsAsciiInQuotes) {
  EXPECT_EQ(quotedText("a\"b\\c\n"), R"("a\"b\\c\n")");
  EXPECT_EQ(quotedText("\u00e4\U0001f600"), R"("\u00e4\ud83d\ude00")");
  EXPECT_LT(quotedText(std::string(10'000'000, '\x1b')).size(), 1000U);
}

TEST(EscapeUnprintableTest, KeepsTheDocument) {
  const std::string hostile = "\x1b[2J\x7f\u009b\u202e\u2028\U000e0041 \u00e4\n";
  std::string text = Json({{hostile, {1, hostile}}}).dump(2);
  ASSERT_FALSE(isPrintable(text));
  escapeUnprintable(text);
  EXPECT_TRUE(isPrintable(text)) << text;
  EXPECT_EQ(Json::parse(text), Json({{hostile, {1, hostile}}}));
}

TEST(AlternativesTest, AsksForTheClosestAndListsAll) {
  const std::vector<std::string> kKnown = {"default", "physical", "visible"};
  EXPECT_EQ(alternatives("visble", kKnown),
            "; did you mean \"visible\"? There are default, physical, visible");
  EXPECT_EQ(alternatives("Visible", kKnown),
            "; did you mean \"visible\"? There are default, physical, visible");
  EXPECT_EQ(alternatives("sound", kKnown), "; there are default, physical, visible");
  EXPECT_EQ(alternatives("", kKnown), "; there are default, physical, visible");
  EXPECT_EQ(alternatives("x", {}), "");
}

TEST(AlternativesTest, ListsOfManyAndLongWordsStayShort) {
  const std::vector<std::string> kMany(100'000, std::string(10'000, 'x'));
  const std::string text = alternatives(std::string(10'000, 'x'), kMany);
  EXPECT_LT(text.size(), 10'000U);
  EXPECT_THAT(text, HasSubstr(" and 99960 more"));
}

}  // namespace
}  // namespace fractalray
