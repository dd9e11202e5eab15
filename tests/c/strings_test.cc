// SPDX-License-Identifier: Apache-2.0
// Passes hostile text to every string of the C interface, which are found in the header: each is
// refused, and the text of the error is fit for a terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "../../core/printable.h"
#include "sized.h"

namespace fractalray::testing {
namespace {

// Returns the strings that the header takes: "function.parameter" and "struct.member".
std::set<std::string> stringsOfHeader() {
  std::ifstream file(FRACTALRAY_SOURCE_DIR "/bindings/c/fractalray_c.h");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  text = std::regex_replace(text, std::regex(R"(/\*[^]*?\*/)"), "");
  std::set<std::string> strings;
  const auto add_all = [&](const std::string& owner, const std::string& list) {
    const std::regex string(R"(char\s*(?:const)?\s*\*\s*(?:const)?\s*\*?\s*(\w+))");
    for (std::sregex_iterator i(list.begin(), list.end(), string), end; i != end; ++i) {
      if (i->prefix().str().ends_with("const ") || list[0] == '{') {
        strings.insert(owner + "." + (*i)[1].str());
      }
    }
  };
  const std::regex function(R"(FR_API\s+\w+\s+(\w+)\s*\(([^;]*)\)\s*;)");
  for (std::sregex_iterator i(text.begin(), text.end(), function), end; i != end; ++i)
    add_all((*i)[1], (*i)[2]);
  const std::regex structure(R"(typedef struct (\w+) (\{[^}]*\}))");
  for (std::sregex_iterator i(text.begin(), text.end(), structure), end; i != end; ++i)
    add_all((*i)[1], (*i)[2]);
  return strings;
}

class StringsTest : public ::testing::Test {
 public:
  StringsTest(const StringsTest&) = delete;
  StringsTest& operator=(const StringsTest&) = delete;

 protected:
  StringsTest() {
    auto def = sized<frWorldDef>();
    def.version = FR_VERSION;
    EXPECT_EQ(frCreateWorld(&def, &world_), FR_OK);
  }
  ~StringsTest() override { frDestroyWorld(world_); }
  static frResult openWorld(const char* path, const char* kinds,
                            std::span<const char* const> block_types = {}) {
    auto def = sized<frWorldDef>();
    def.version = FR_VERSION;
    auto options = sized<frOpenOptions>();
    options.node_kinds = kinds;
    options.block_types = block_types.data();
    options.block_type_count = block_types.size();
    frWorld* opened = nullptr;
    const frResult result = frOpenWorld(&def, path, &options, &opened, nullptr);
    frDestroyWorld(opened);
    return result;
  }
  frResult createStreamer(const char* changes_path, frStreamer** streamer) {
    auto source = sized<frChunkSource>();
    source.keeps_changes = 1;
    source.changes_path = changes_path;
    auto options = sized<frStreamOptions>();
    const frStreamRadii radii{};
    options.radii = &radii;
    options.radius_count = 1;
    return frCreateStreamer(world_, &source, &options, streamer);
  }
  frResult setBlock(const char* path) {
    frStreamer* streamer = nullptr;
    EXPECT_EQ(createStreamer(nullptr, &streamer), FR_OK) << frGetLastError();
    frBlockChange change{};
    change.path = path;
    const frResult result = frStreamer_SetBlocks(streamer, &change, 1);
    frDestroyStreamer(streamer);
    return result;
  }

  // Returns a function for each string of the header, which passes a text as that string. Files are
  // in a directory that does not exist.
  std::map<std::string, std::function<frResult(const std::string&)>> callers() {
    return {
        {"frWorldDef.anchor",
         [](const std::string& text) {
           auto def = sized<frWorldDef>();
           def.version = FR_VERSION;
           def.anchor = text.c_str();
           frWorld* world = nullptr;
           return frCreateWorld(&def, &world);
         }},
        {"frOpenOptions.node_kinds",
         [](const std::string& text) {
           const std::string kinds = "{\"" + text + "\": 1}";
           return openWorld(FRACTALRAY_SOURCE_DIR "/examples/worlds/w1/map.sqlite", kinds.c_str());
         }},
        {"frOpenOptions.block_types",
         [](const std::string& text) {
           const std::array<const char*, 2> names = {"air", text.c_str()};
           return openWorld(FRACTALRAY_SOURCE_DIR "/examples/worlds/w1/map.sqlite", nullptr, names);
         }},
        {"frOpenWorld.path",
         [](const std::string& text) {
           return openWorld(("/no such folder/" + text).c_str(), nullptr);
         }},
        {"frBlockTypeDef.name",
         [this](const std::string& text) {
           auto def = sized<frBlockTypeDef>();
           def.name = text.c_str();
           frBlockType type = 0;
           return frWorld_AddBlockType(world_, &def, &type);
         }},
        {"frWorld_AddChannel.name",
         [this](const std::string& text) {
           frChannel channel = 0;
           return frWorld_AddChannel(world_, text.c_str(), &channel);
         }},
        {"frWorld_FindBlockType.name",
         [this](const std::string& text) {
           frBlockType type = 0;
           return frWorld_FindBlockType(world_, text.c_str(), &type);
         }},
        {"frWorld_FindChannel.name",
         [this](const std::string& text) {
           frChannel channel = 0;
           return frWorld_FindChannel(world_, text.c_str(), &channel);
         }},
        {"frWorld_BeginLog.path",
         [this](const std::string& text) {
           return frWorld_BeginLog(world_, ("/no such folder/" + text).c_str(), 1);
         }},
        {"frCreateReplay.path",
         [this](const std::string& text) {
           const auto options = sized<frReplayOptions>();
           frReplay* replay = nullptr;
           return frCreateReplay(world_, ("/no such folder/" + text).c_str(), &options, &replay);
         }},
        {"frFollowPath.path",
         [](const std::string& text) {
           const std::array<int64_t, 3> ancestor{};
           std::array<int64_t, 3> chunk{};
           int32_t steps = 0;
           return frFollowPath(text.c_str(), ancestor.data(), chunk.data(), &steps);
         }},
        {"frWorld_FindPath.path",
         [this](const std::string& text) {
           int32_t level = 0;
           std::array<int64_t, 3> chunk{};
           return frWorld_FindPath(world_, text.c_str(), &level, chunk.data());
         }},
        {"frChunkSource.changes_path",
         [this](const std::string& text) {
           frStreamer* streamer = nullptr;
           return createStreamer(("/no such folder/" + text).c_str(), &streamer);
         }},
        {"frConnect.address",
         [](const std::string& text) {
           frRemote* remote = nullptr;
           return frConnect(text.c_str(), nullptr, &remote);
         }},
        {"frConnectOptions.token",
         [](const std::string& text) {
           auto options = sized<frConnectOptions>();
           options.token = text.c_str();
           frRemote* remote = nullptr;
           return frConnect("unix:/no such folder/socket", &options, &remote);
         }},
        {"frConnectOptions.world",
         [](const std::string& text) {
           auto options = sized<frConnectOptions>();
           options.world = text.c_str();
           frRemote* remote = nullptr;
           return frConnect("unix:/no such folder/socket", &options, &remote);
         }},
        {"frRemote_SetAtLeast.version",
         [](const std::string& text) { return frRemote_SetAtLeast(nullptr, text.c_str()); }},
        {"frBlockChange.path", [this](const std::string& text) { return setBlock(text.c_str()); }},
    };
  }

  frWorld* world_ = nullptr;
};

// Invalid UTF-8, and control characters.
const std::vector<std::string> kBadNames = {"\x1b[2J",
                                            "a\x1b]0;title\x07",
                                            "a\nfractalray: fine",
                                            "\r",
                                            "tab\t",
                                            "\x01",
                                            "del\x7f",
                                            "nel\u0085",
                                            "csi\u009b31m",
                                            "\xff",
                                            "\xc0\xaf",
                                            "\xe0\x80\xaf",
                                            "\xed\xa0\x80",
                                            "\xf4\x90\x80\x80",
                                            "cut\xe4\xb8",
                                            "\x80",
                                            "\xf0\x9f\x98",
                                            "ok\xc3(",
                                            "\xfe\xfe",
                                            "\xf8\x88\x80\x80\x80"};
// Names that are unusual and right, which messages escape.
const std::vector<std::string> kOddNames = {
    "\xe2\x80\xaeright to left", "\u2028", "\u200b", "\"'\\", std::string(100'000, 'x'),
    "Gr\u00fcn \U0001f600"};

void expectPrintable(const std::string& caller) {
  const std::string error = frGetLastError();
  EXPECT_TRUE(isPrintable(error)) << caller << ": " << printable(error, 2000);
  EXPECT_EQ(error.find('\n'), std::string::npos) << caller << ": " << error;
  EXPECT_FALSE(error.empty()) << caller;
  EXPECT_LT(error.size(), 1024U) << caller;
}

TEST_F(StringsTest, EveryStringOfTheHeaderIsTested) {
  std::set<std::string> tested;
  for (const auto& [name, call] : callers())
    tested.insert(name);
  EXPECT_EQ(stringsOfHeader(), tested);
}

TEST_F(StringsTest, HostileTextIsRefusedByAPrintableError) {
  for (const auto& [name, call] : callers()) {
    for (const std::string& text : kBadNames) {
      const frResult result = call(text);
      EXPECT_NE(result, FR_OK) << name << ": " << printable(text);
      EXPECT_NE(result, FR_INTERNAL) << name << ": " << frGetLastError();
      expectPrintable(name);
    }
    for (const std::string& text : kOddNames) {
      if (call(text) != FR_OK) expectPrintable(name);
    }
  }
}

TEST_F(StringsTest, NamesAreUtf8WithoutControlCharacters) {
  const auto all = callers();
  for (const char* const name : {"frBlockTypeDef.name", "frWorld_AddChannel.name"}) {
    for (const std::string& text : kBadNames)
      EXPECT_EQ(all.at(name)(text), FR_INVALID_ARGUMENT) << name << ": " << printable(text);
    for (const std::string& text : kOddNames)
      EXPECT_EQ(all.at(name)(text), FR_OK) << name << ": " << frGetLastError();
  }
  EXPECT_EQ(all.at("frBlockTypeDef.name")("ab\xffz"), FR_INVALID_ARGUMENT);
  EXPECT_THAT(frGetLastError(), ::testing::HasSubstr(R"("ab\xffz", has the byte 0xff at 2)"));
}

TEST_F(StringsTest, ThePathThatIsTooLongIsAnInvalidArgument) {
  const auto all = callers();
  const std::string long_path(5000, 'x');
#ifdef FRACTALRAY_C_FORMATS
  for (const char* const name : {"frOpenWorld.path", "frWorld_BeginLog.path", "frCreateReplay.path",
                                 "frChunkSource.changes_path"}) {
    EXPECT_EQ(all.at(name)(long_path), FR_INVALID_ARGUMENT) << name << ": " << frGetLastError();
    EXPECT_THAT(frGetLastError(), ::testing::HasSubstr("File name too long")) << name;
  }
#endif
}

}  // namespace
}  // namespace fractalray::testing
