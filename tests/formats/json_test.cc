// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../core/printable.h"
#include "../../formats/json_document.h"

namespace fractalray {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string parseError(std::string_view text) {
  return std::string(parseJson(text, "f.json").status().message());
}

TEST(ParseJsonTest, ReadsADocument) {
  const absl::StatusOr<JsonDocument> document =
      parseJson(R"( {"a": [1, -2, 2.5, "x", true, null], "b": {"c": []}} )", "f.json");
  ASSERT_TRUE(document.ok()) << document.status();
  EXPECT_EQ(document->root().dump(), R"({"a":[1,-2,2.5,"x",true,null],"b":{"c":[]}})");
}

TEST(ParseJsonTest, ErrorsNameLineAndColumn) {
  EXPECT_THAT(parseError("{\n  \"a\": 1,\n  \"b\": ]\n}"), StartsWith("f.json:3:8: "));
  EXPECT_THAT(parseError("[1, "), StartsWith("f.json:1:5: "));
  EXPECT_THAT(parseError("[1,\r\n2\r\n"), StartsWith("f.json:3:1: "));
  EXPECT_THAT(parseError("{} x"), StartsWith("f.json:1:4: "));
  EXPECT_THAT(parseError("[1,]"), StartsWith("f.json:1:4: "));
  EXPECT_THAT(parseError("{\"a\": tru}"), StartsWith("f.json:1:10: "));
}

TEST(ParseJsonTest, EmptyTextIsRefused) {
  EXPECT_EQ(parseError(""), "f.json:1:1: there is nothing in it; expected a JSON document");
  EXPECT_THAT(parseError(" \n \n"), StartsWith("f.json:3:1: there is nothing"));
}

TEST(ParseJsonTest, RefusesAMemberThatIsThereTwice) {
  EXPECT_EQ(parseError("{\"a\": 1,\n \"b\": {\"a\": 2},\n \"a\": 3}"),
            "f.json:3:4: the member \"a\" is there twice in one object");
}

TEST(ParseJsonTest, RefusesNulBytesEvenAfterADocument) {
  EXPECT_EQ(parseError(std::string_view("{}\n\0{", 5)), "f.json:2:1: a NUL byte: this is no text");
}

TEST(ParseJsonTest, RefusesNumbersBeyondADouble) {
  EXPECT_THAT(parseError("[1e308,\n 1e309]"), StartsWith("f.json:2:6: number overflow"));
  EXPECT_THAT(parseError("[NaN]"), StartsWith("f.json:1:2: "));
}

TEST(ParseJsonTest, ErrorsQuoteLongNumbersInPart) {
  EXPECT_LT(parseError(std::string(10'000'000, '7')).size(), 500U);
}

TEST(ParseJsonTest, RefusesDeeperNestingThanTheLimit) {
  const std::string open(100, '[');
  const std::string close(100, ']');
  EXPECT_TRUE(parseJson(open + close, "f.json").ok());
  EXPECT_EQ(parseError(absl::StrCat("[", open, close, "]")),
            "f.json:1:101: more than 100 arrays and objects within each other; --limit depth=N "
            "(InputLimits::depth) allows more");
  EXPECT_THAT(parseError(std::string(5'000'000, '[')), StartsWith("f.json:1:101: "));
}

TEST(ParseJsonTest, ErrorsStayOneShortLine) {
  for (const std::string& text :
       {std::string("\"a\nb\""), std::string("\xff\xfe"), "\"" + std::string(100'000, 'x'),
        "{\"" + std::string(100'000, 'x') + "\": \"\x01\"}", std::string("[1, \0]", 6)}) {
    const std::string error = parseError(text);
    EXPECT_THAT(error, StartsWith("f.json:1:"));
    EXPECT_LT(error.size(), 200U) << error;
    for (const char c : error)
      EXPECT_TRUE(c >= ' ' && c <= '~') << error;
  }
}

TEST(ReadFileTest, ErrorsNameThePathAndTheReason) {
  const absl::StatusOr<std::string> missing = readFile("/no/such/file");
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.status().message()), HasSubstr("/no/such/file"));
  EXPECT_THAT(std::string(missing.status().message()), HasSubstr("No such file"));
  const std::string folder = std::filesystem::temp_directory_path().string();
  EXPECT_THAT(std::string(readJsonFile(folder).status().message()), StartsWith(folder + ": "));
}

TEST(ReadFileTest, RefusesMoreThanTheLimit) {
  const std::string path = ::testing::TempDir() + "/fractalray-read-file-limit";
  std::ofstream(path) << "12345";
  EXPECT_EQ(readFile(path, {.file_bytes = 5}).value(), "12345");
  const absl::Status status = readFile(path, {.file_bytes = 4}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), path +
                                  ": more than 4 bytes; --limit file_bytes=N "
                                  "(InputLimits::file_bytes) allows more");
  std::filesystem::remove(path);
}

TEST(ReadFileTest, DevicesAreReadUpToTheLimit) {
  EXPECT_EQ(readFile("/dev/null").value(), "");
  EXPECT_EQ(readFile("/dev/zero", {.file_bytes = 100'000}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(ParseJsonTest, RefusesMoreValuesThanTheLimit) {
  const std::string_view text = "[1, {\"a\": 2},\n 3]";
  EXPECT_TRUE(parseJson(text, "f.json", {.values = 5}).ok());
  const absl::Status status = parseJson(text, "f.json", {.values = 4}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), StartsWith("f.json:2:3: more than 4 values; --limit"));
}

TEST(ParseJsonTest, TakenElementsAreNotHeld) {
  // 4 values are held with the last list: the object, the two lists and an element.
  const InputLimits limits{.values = 4};
  std::string taken;
  const absl::StatusOr<JsonDocument> rest =
      parseJson(R"({"a": [1, [2], 3], "b": [[4], 5], "c": {"d": []}})", "f.json", {.values = 8},
                [&](const Json& document, const std::string& member, std::size_t index,
                    const Json& element) -> absl::StatusOr<bool> {
                  EXPECT_TRUE(document.contains("a"));
                  absl::StrAppend(&taken, member, index, "=", element.dump(), " ");
                  return member == "a";
                });
  ASSERT_TRUE(rest.ok()) << rest.status();
  EXPECT_EQ(taken, "a0=1 a1=[2] a2=3 b0=[4] b1=5 ");
  EXPECT_EQ(rest->root().dump(), R"({"a":[],"b":[[4],5],"c":{"d":[]}})");
  const auto take = [](const Json&, const std::string&, std::size_t,
                       const Json&) -> absl::StatusOr<bool> { return true; };
  EXPECT_TRUE(parseJson(R"({"a": [1, [2], 3, 4, 5], "b": [6, 7]})", "f.json", limits, take).ok());
  EXPECT_FALSE(parseJson(R"({"a": [1, [2, 3], 4]})", "f.json", limits, take).ok());
}

TEST(ParseJsonTest, EndsWithTheErrorOfTheTaker) {
  int calls = 0;
  const absl::Status status = parseJson(R"({"a": [1, 2, 3]} and no JSON)", "f.json", {},
                                        [&](const Json&, const std::string&, std::size_t,
                                            const Json&) -> absl::StatusOr<bool> {
                                          if (++calls == 2) return absl::UnavailableError("enough");
                                          return true;
                                        })
                                  .status();
  EXPECT_EQ(status, absl::UnavailableError("enough"));
}

// A document that a test reads, and the first error found in it.
struct Read {
  explicit Read(std::string_view text) : document(Json::parse(text)), reader(document, error) {}
  std::string message() const { return std::string(error.message()); }

  Json document;
  absl::Status error;
  JsonReader reader;
};

TEST(JsonReaderTest, ReadsMembersByType) {
  const Read read(R"({"n": 1.5, "i": -3, "u": 18446744073709551615, "s": "x", "b": true,
                      "v": [1, 2.5, -3], "c": [1, 2, 3]})");
  EXPECT_EQ(read.reader.member("n").number(), 1.5);
  EXPECT_EQ(read.reader.member("i").integer(), -3);
  EXPECT_EQ(read.reader.member("u").unsignedInteger(), 18446744073709551615U);
  EXPECT_EQ(read.reader.member("s").text(), "x");
  EXPECT_TRUE(read.reader.member("b").boolean());
  EXPECT_EQ(read.reader.member("v").numbers<3>(), (Vec3d{1, 2.5, -3}));
  EXPECT_EQ(read.reader.member("c").integers<BlockCoord>(), (BlockCoord{1, 2, 3}));
  EXPECT_FALSE(read.reader.find("nothing").has_value());
  EXPECT_TRUE(read.error.ok()) << read.error;
}

TEST(JsonReaderTest, ErrorsNameThePath) {
  const Read read(R"({"queries": [{}, {"from": [1, "x", 3]}]})");
  read.reader.member("queries").element(1).member("from").numbers<3>();
  EXPECT_EQ(read.message(), "queries[1].from[1]: expected a number, got \"x\"");
}

TEST(JsonReaderTest, NamesThatAreNoWordsAreQuotedInPaths) {
  const Read read(R"({"a b\n": {"\u00e4": 1}})");
  read.reader.forEachMember([](const std::string&, const JsonReader& inner) {
    inner.forEachMember([](const std::string&, const JsonReader& value) { value.text(); });
  });
  EXPECT_EQ(read.message(), "[\"a b\\n\"][\"\\u00e4\"]: expected a string, got 1");
}

TEST(JsonReaderTest, TheFirstErrorStays) {
  const Read read(R"({"a": 1, "b": 2})");
  EXPECT_EQ(read.reader.member("a").text(), "");
  read.reader.member("b").text();
  EXPECT_EQ(read.reader.member("c").member("d").number(), 0);
  EXPECT_EQ(read.message(), "a: expected a string, got 1");
}

TEST(JsonReaderTest, MissingMembersAreNamed) {
  const Read read(R"({"a": {"b": 1}})");
  EXPECT_EQ(read.reader.member("a").member("levels").integer(1, 10), 1);
  EXPECT_EQ(read.message(), "a: the member \"levels\" is missing");
}

TEST(JsonReaderTest, UnrequestedMembersAreRefusedAndTheRequestedOnesListed) {
  const Read read(R"({"from": 1, "chanel": 2, "inner": {"whatever": 3}})");
  read.reader.member("from").number();
  EXPECT_FALSE(read.reader.find("channel").has_value());
  read.reader.find("inner");
  read.reader.refuseOthers();
  EXPECT_EQ(read.message(),
            R"(unknown member "chanel"; did you mean "channel"? There are from, channel, inner)");
  const Read good(R"({"a": 1})");
  good.reader.find("a");
  good.reader.refuseOthers();
  EXPECT_TRUE(good.error.ok()) << good.error;
}

TEST(JsonReaderTest, ErrorsArePrintableAndShort) {
  const std::string hostile = "\x1b[2J\n\u202e" + std::string(1'000'000, 'x');
  const Json document = {{hostile, hostile}};
  absl::Status error;
  const JsonReader reader(document, error);
  reader.forEachMember([&](const std::string& name, const JsonReader& value) {
    value.fail(absl::StrCat("what is ", name));
  });
  const std::string message(error.message());
  EXPECT_TRUE(isPrintable(message) && message.find('\n') == std::string::npos) << message;
  EXPECT_LT(message.size(), 4000U);
  EXPECT_THAT(message, HasSubstr("bytes left out"));
}

TEST(JsonReaderTest, OtherTypesAreRefused) {
  const auto error = [](std::string_view text, auto&& get) {
    const Read read(text);
    get(read.reader);
    return read.message();
  };
  const auto number = [](const JsonReader& r) { r.number(); };
  const auto integer = [](const JsonReader& r) { r.integer(0, 15); };
  const auto any_integer = [](const JsonReader& r) { r.integer(); };
  const auto id = [](const JsonReader& r) { r.unsignedInteger(); };
  const auto flag = [](const JsonReader& r) { r.boolean(); };
  const auto point = [](const JsonReader& r) { r.numbers<3>(); };
  const auto list = [](const JsonReader& r) { r.forEachElement([](const JsonReader&) {}); };
  const auto members = [](const JsonReader& r) { r.find("x"); };
  EXPECT_EQ(error("true", number), "expected a number, got true");
  EXPECT_EQ(error("null", number), "expected a number, got null");
  EXPECT_EQ(error("16", integer), "expected an integer from 0 to 15, got 16");
  EXPECT_EQ(error("-1", integer), "expected an integer from 0 to 15, got -1");
  EXPECT_EQ(error("1.5", integer), "expected an integer from 0 to 15, got 1.5");
  EXPECT_EQ(error("9223372036854775808", any_integer),
            "expected an integer of 64 bits, got 9223372036854775808");
  EXPECT_EQ(error("1e16", any_integer), "expected an integer of 64 bits, got 1e+16");
  EXPECT_EQ(error("-1", id), "expected an integer from 0 to 18446744073709551615, got -1");
  EXPECT_THAT(error("18446744073709551616", id), StartsWith("expected an integer from 0 to 18"));
  EXPECT_EQ(error("1", flag), "expected true or false, got 1");
  EXPECT_EQ(error("[1, 2]", point), "expected an array of 3 numbers, got an array of 2");
  EXPECT_EQ(error("{}", list), "expected an array, got an object");
  EXPECT_EQ(error("[]", members), "expected an object, got an array of 0");
}

TEST(JsonReaderTest, IntegersMayBeWrittenAsReals) {
  EXPECT_EQ(Read("2.0").reader.integer(), 2);
  EXPECT_EQ(Read("-1e3").reader.integer(), -1000);
  EXPECT_EQ(Read("9007199254740992.0").reader.integer(), 9007199254740992);
  EXPECT_EQ(Read("3.0").reader.unsignedInteger(), 3U);
  EXPECT_EQ(Read("-9223372036854775808").reader.integer(),
            std::numeric_limits<std::int64_t>::min());
}

TEST(JsonReaderTest, ChoicesListTheirWords) {
  constexpr std::array<std::pair<std::string_view, int>, 2> kWords = {{{"one", 1}, {"two", 2}}};
  EXPECT_EQ(Read("\"two\"").reader.choice(kWords), 2);
  const Read read("\"three\"");
  EXPECT_EQ(read.reader.choice(kWords), 1);
  EXPECT_EQ(read.message(), R"(expected one of "one", "two", got "three")");
}

TEST(JsonReaderTest, LongValuesAreCutInErrors) {
  const Read read("\"" + std::string(100'000, 'x') + "\"");
  read.reader.number();
  EXPECT_LT(read.message().size(), 100U);
}

TEST(AppendJsonNumberTest, ReadsBackAsTheSameNumber) {
  for (const double value : {0.1, 1.0 / 3, 1e300, -5e-324, 123456789.0, 0x1p61, -2.5}) {
    std::string text;
    appendJsonNumber(text, value);
    EXPECT_EQ(Json::parse(text).get<double>(), value) << text;
  }
}

TEST(AppendJsonNumberTest, WritesNaNAndInfinityAsNullAndNegativeZeroAsZero) {
  std::string text;
  appendJsonNumber(text, std::nan(""));
  appendJsonNumber(text, std::numeric_limits<double>::infinity());
  appendJsonNumber(text, -0.0);
  EXPECT_EQ(text, "nullnull0");
}

TEST(AppendJsonStringTest, LeavesNoControlCharactersForATerminal) {
  const std::string hostile = "\x7f\u009b\u202e\u2028\x1b";
  std::string text;
  appendJsonString(text, hostile);
  EXPECT_EQ(text, R"("\u007f\u009b\u202e\u2028\u001b")");
  EXPECT_EQ(dumpJson({{"a", hostile}}), absl::StrCat("{\"a\":", text, "}"));
}

TEST(AppendJsonStringTest, EscapesQuotesAndNewlines) {
  std::string text;
  appendJsonString(text, "a\"\n\xff");
  EXPECT_EQ(Json::parse(text).get<std::string>(), "a\"\n\xEF\xBF\xBD");
}

}  // namespace
}  // namespace fractalray
