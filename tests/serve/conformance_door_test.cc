// SPDX-License-Identifier: Apache-2.0
// The scenarios with exact answers, through the door: shots hit by hit, and lines of sight to what
// is visible or hidden.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../c/scenario_json.h"
#include "../c/scenario_player.h"
#include "../c/scenario_values.h"
#include "../conformance/answers.h"
#include "../conformance/scenario_files.h"
#include "../oracle/rng.h"
#include "door.h"

namespace fractalray::testing {
namespace {

namespace fs = std::filesystem;

// Answers a scenario with the hits that the door has.
class DoorPlayer : public ScenarioPlayer {
 public:
  explicit DoorPlayer(const Json& scenario)
      : ScenarioPlayer(scenario),
        hits_again_(scenario.dump().find("\"again\"") != std::string::npos),
        source_(world()),
        door_(source_),
        client_(door_.address()) {}

  // Returns how many shots the door has answered.
  std::size_t shots() const { return shots_; }

  // Compares lines of sight into a box with what is expected of the box; returns how many are
  // clear.
  std::size_t expectLines(const Json& query, const std::string& sight, oracle::Rng& rng);

 protected:
  frResult findHits(const frLine& line, frLevelMask levels, const frQueryOptions& options,
                    std::vector<frHit>& hits, frQueryResult& shot) const override;

 private:
  // Finds the next hit of a line after others, if there is one.
  frResult findNext(const frLine& line, frLevelMask levels, frQueryOptions options,
                    const std::vector<frHit>& before, std::optional<frHit>& next) const;

  bool hits_again_;
  TestSource source_;
  Door door_;
  Client client_;
  mutable std::size_t shots_ = 0;
};

frResult DoorPlayer::findNext(const frLine& line, frLevelMask levels, frQueryOptions options,
                              const std::vector<frHit>& before, std::optional<frHit>& next) const {
  frLines lines = sized<frLines>();
  lines.count = 1;
  lines.lines = &line;
  options.after = before.data();
  options.after_count = before.size();
  frHit hit{};
  frResult result = FR_OK;
  const frResult called = frRemote_ClosestHits(client_.get(), &lines, levels, &options, &hit,
                                               nullptr, &result, nullptr);
  if (called != FR_OK) return called;
  if (hit.kind != FR_HIT_NONE) next = hit;
  return result;
}

// Asks the door for one hit after another. A response is the caller's: it makes a hit terminal.
// Rules, the steps of a whole shot, and hits of the same thing again are left to this process.
frResult DoorPlayer::findHits(const frLine& line, frLevelMask levels, const frQueryOptions& options,
                              std::vector<frHit>& hits, frQueryResult& shot) const {
  const frResult here = ScenarioPlayer::findHits(line, levels, options, hits, shot);
  if (options.rules != nullptr || options.max_steps > 0 || hits_again_) return here;
  ++shots_;
  std::vector<frHit> found;
  const std::uint64_t most =
      options.max_hits > 0 ? options.max_hits : std::numeric_limits<std::uint64_t>::max();
  while (found.size() < most && (found.empty() || found.back().terminal == 0)) {
    std::optional<frHit> next;
    const frResult result = findNext(line, levels, options, found, next);
    EXPECT_EQ(result, here) << frGetLastError();
    if (result != FR_OK) return result;
    if (!next.has_value()) break;
    if (responseTo(*next) == FR_STOP) next->terminal = 1;
    found.push_back(*next);
  }
  shot.terminated = found.empty() ? 0 : found.back().terminal;
  hits = std::move(found);
  return here;
}

std::size_t DoorPlayer::expectLines(const Json& query, const std::string& sight, oracle::Rng& rng) {
  constexpr std::size_t kLines = 20;
  const auto eye = numbers<std::int64_t>(query["eye_units"]);
  const auto low = numbers<std::int64_t>(query["box_units"][0]);
  const auto high = numbers<std::int64_t>(query["box_units"][1]);
  std::vector<std::int64_t> ends;
  for (std::size_t i = 0; i < 3 * kLines; ++i) {
    if (high[i % 3] - low[i % 3] < 2) return 0;
    ends.push_back(rng.in(low[i % 3] + 1, high[i % 3] - 1));
  }
  frLines lines = sized<frLines>();
  lines.count = kLines;
  lines.from = {eye.data(), 0, 0, FR_UNITS, 0};
  lines.to = {ends.data(), 24, 0, FR_UNITS, 0};
  frQueryOptions options = sized<frQueryOptions>();
  if (frWorld_FindChannel(world(), query.value("channel", "default").c_str(), &options.channel) !=
      FR_OK) {
    options.channel = 0;  // as ScenarioPlayer does
  }
  const frLevelMask levels = levelsFrom(query["levels"]);
  std::array<std::uint8_t, kLines> here{};
  std::array<std::uint8_t, kLines> answers{};
  require(frWorld_OccludedMany(world(), &lines, levels, &options, here.data(), nullptr, nullptr,
                               nullptr));
  require(frRemote_OccludedMany(client_.get(), &lines, levels, &options, answers.data(), nullptr,
                                nullptr, nullptr));
  EXPECT_EQ(answers, here) << query["id"].dump();
  std::size_t clear = 0;
  for (const std::uint8_t answer : answers) {
    if (answer == FR_CLEAR) {
      EXPECT_EQ(sight, "visible") << query["id"].dump();
      ++clear;
    } else if (answer == FR_UNKNOWN) {
      EXPECT_NE(sight, "hidden") << query["id"].dump();
    }
  }
  return clear;
}

// Returns true for a query of sight that nothing but blocks of a channel decides.
bool isPlain(const Json& query) {
  static const std::set<std::string> kKnown = {"id",       "op",      "eye_units", "box_units",
                                               "unloaded", "channel", "levels",    "certificate"};
  for (const auto& [name, value] : query.items()) {
    if (kKnown.count(name) == 0) return false;
  }
  return query["op"] == "visible" && query.contains("eye_units") && query.contains("box_units") &&
         query.value("unloaded", "report") != "opaque";
}

// Returns a query of sight with its eye and box in units.
Json inUnits(Json query) {
  if (query["op"] != "visible" || !query.contains("eye") || !query.contains("box")) return query;
  frSightQuery made{};
  if (frMakeSightQuery(numbers<double>(query["eye"]).data(),
                       numbers<double>(query["box"][0]).data(),
                       numbers<double>(query["box"][1]).data(), &made) != FR_OK) {
    return query;
  }
  query.erase("eye");
  query.erase("box");
  query["eye_units"] = indexJson(made.eye);
  query["box_units"] = Json::array({indexJson(made.box.min), indexJson(made.box.max)});
  return query;
}

std::string textOf(const fs::path& path) {
  const absl::StatusOr<std::string> text = readFile(path.string());
  EXPECT_TRUE(text.ok()) << text.status();
  return text.ok() ? *text : "";
}

TEST(ConformanceDoorTest, AnswersAreThoseThatAreExpected) {
  oracle::Rng rng("lines into boxes");
  std::size_t shots = 0;
  std::size_t clear = 0;
  for (const fs::path& file : allScenarios()) {
    const std::string name = file.filename().string();
    const Json scenario = Json::parse(textOf(file));
    const std::vector<Json> expected =
        parseLines(textOf(answersOf(file)), name).value_or(std::vector<Json>());
    const Json& queries = scenario["queries"];
    ASSERT_EQ(queries.size(), expected.size()) << name;
    DoorPlayer player(scenario);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const Json query = inUnits(queries[i]);
      if (isPlain(query) && expected[i].contains("sight")) {
        clear += player.expectLines(query, expected[i]["sight"].get<std::string>(), rng);
        continue;
      }
      const std::optional<std::string> different =
          difference(expected[i], player.answer(queries[i]));
      EXPECT_FALSE(different.has_value())
          << name << ", query " << queries[i]["id"].dump() << ": " << different.value_or("");
    }
    shots += player.shots();
  }
  EXPECT_GE(shots, 100U);
  EXPECT_GE(clear, 40U);
}

}  // namespace
}  // namespace fractalray::testing
