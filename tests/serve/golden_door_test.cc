// SPDX-License-Identifier: Apache-2.0
// The answers through the door are those of this process, byte for byte: to the lines of
// tests/golden, in every form in which lines are given.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "../c/golden_scene.h"
#include "../c/sized.h"
#include "door.h"

namespace fractalray::testing {
namespace {

using golden::Scene;
using oracle::Rng;

// All that a batch answers.
template <class Answer>
struct Answers {
  std::vector<Answer> answers;
  std::vector<double> unknown_from;
  std::vector<frBlocker> blockers;
  std::vector<frResult> results;
  frBatchResult batch = sized<frBatchResult>();
  frResult result = FR_OK;
  std::string error;

  explicit Answers(std::size_t count)
      : answers(count), unknown_from(count), blockers(count), results(count) {}
};

// Returns the bytes of an array.
template <class T>
std::string bytesOfAll(const std::vector<T>& array) {
  if (array.empty()) return "";
  return {reinterpret_cast<const char*>(array.data()), array.size() * sizeof(T)};
}

// Compares answers. Their stats are equal if the server answers in one slice; else packets of rays
// may end elsewhere, and share other steps.
template <class Answer>
void expectEqual(Answers<Answer> remote, Answers<Answer> local) {
  constexpr std::size_t kSlice = 1024;
  if (local.answers.size() > kSlice) remote.batch.stats = local.batch.stats = {};
  EXPECT_EQ(remote.result, local.result) << remote.error << "\n" << local.error;
  EXPECT_EQ(bytesOfAll(remote.answers), bytesOfAll(local.answers));
  EXPECT_EQ(bytesOfAll(remote.unknown_from), bytesOfAll(local.unknown_from));
  EXPECT_EQ(bytesOfAll(remote.blockers), bytesOfAll(local.blockers));
  EXPECT_EQ(remote.results, local.results);
  EXPECT_EQ(std::memcmp(&remote.batch, &local.batch, sizeof remote.batch), 0);
  if (local.batch.errors > 0) {
    EXPECT_EQ(remote.error.substr(remote.error.find(':')),
              local.error.substr(local.error.find(':')));
  }
}

template <class Answer, class Ask>
Answers<Answer> ask(std::size_t count, const Ask& call) {
  Answers<Answer> answers(count);
  answers.result = call(answers);
  answers.error = frGetLastError();
  return answers;
}

// Compares the three verbs.
void expectEqualVerbs(const frWorld* world, Client& client, const frLines& lines,
                      frLevelMask levels, const frQueryOptions* options) {
  const std::size_t n = lines.count;
  expectEqual(ask<frHit>(n,
                         [&](Answers<frHit>& to) {
                           return frRemote_ClosestHits(client.get(), &lines, levels, options,
                                                       to.answers.data(), to.unknown_from.data(),
                                                       to.results.data(), &to.batch);
                         }),
              ask<frHit>(n, [&](Answers<frHit>& to) {
                return frWorld_ClosestHits(world, &lines, levels, options, to.answers.data(),
                                           to.unknown_from.data(), to.results.data(), &to.batch);
              }));
  expectEqual(ask<frCompactHit>(n,
                                [&](Answers<frCompactHit>& to) {
                                  return frRemote_CompactHits(
                                      client.get(), &lines, levels, options, to.answers.data(),
                                      to.unknown_from.data(), to.results.data(), &to.batch);
                                }),
              ask<frCompactHit>(n, [&](Answers<frCompactHit>& to) {
                return frWorld_CompactHits(world, &lines, levels, options, to.answers.data(),
                                           to.unknown_from.data(), to.results.data(), &to.batch);
              }));
  expectEqual(ask<std::uint8_t>(n,
                                [&](Answers<std::uint8_t>& to) {
                                  return frRemote_OccludedMany(
                                      client.get(), &lines, levels, options, to.answers.data(),
                                      to.blockers.data(), to.results.data(), &to.batch);
                                }),
              ask<std::uint8_t>(n, [&](Answers<std::uint8_t>& to) {
                return frWorld_OccludedMany(world, &lines, levels, options, to.answers.data(),
                                            to.blockers.data(), to.results.data(), &to.batch);
              }));
}

frLines linesOf(const std::vector<frLine>& array) {
  frLines lines = sized<frLines>();
  lines.count = array.size();
  lines.lines = array.data();
  return lines;
}

TEST(GoldenDoorTest, GoldenLinesHaveTheAnswersOfThisProcess) {
  Rng rng("golden shots");
  for (int number = 0; number < 40; ++number) {
    const Scene scene(rng);
    TestSource source(scene.world());
    const Door door(source);
    Client over_unix(door.address());
    Client over_tcp(door.tcpAddress());
    ASSERT_EQ(over_unix.connected(), FR_OK) << frGetLastError();
    ASSERT_EQ(over_tcp.connected(), FR_OK) << frGetLastError();
    std::vector<frLine> array;
    for (int i = 0; i < 100; ++i)
      array.push_back(scene.segment(rng));
    for (const std::int32_t corner : {FR_CORNER_BOTH, FR_CORNER_NEITHER, FR_CORNER_STAIRCASE}) {
      frQueryOptions options = sized<frQueryOptions>();
      options.corner = corner;
      options.report_unknown = 1;
      options.entities_block = 1;
      expectEqualVerbs(scene.world(), over_unix, linesOf(array), FR_ALL_LEVELS, &options);
      expectEqualVerbs(scene.world(), over_tcp, linesOf(array), 1, &options);
    }
    expectEqualVerbs(scene.world(), over_unix, linesOf(array), FR_ALL_LEVELS, nullptr);
  }
}

// A door to a small world, and random lines as numbers.
class DoorFormsTest : public ::testing::Test {
 protected:
  DoorFormsTest() : source_(world_.get()), door_(source_), client_(door_.address()) {
    Rng rng("forms of lines");
    for (double& each : numbers_) {
      each = static_cast<double>(rng.in(-8, 1024)) / 16;
      narrow_.push_back(static_cast<float>(each));
      units_.push_back(static_cast<std::int64_t>(each * FR_UNITS_PER_BLOCK));
    }
  }

  // Returns lines whose starts and ends are in one array, six numbers each.
  frLines lines(std::size_t count) {
    frLines made = sized<frLines>();
    made.count = count;
    made.from = {numbers_.data(), 48, 0, FR_F64, 0};
    made.to = {numbers_.data() + 3, 48, 0, FR_F64, 0};
    return made;
  }
  void expectEqualAnswers(const frLines& asked, const frQueryOptions* options = nullptr) {
    ASSERT_EQ(client_.connected(), FR_OK) << frGetLastError();
    expectEqualVerbs(world_.get(), client_, asked, FR_ALL_LEVELS, options);
  }

  static constexpr std::size_t kLines = 3001;  // several slices, and an odd number

  SmallWorld world_;
  TestSource source_;
  Door door_;
  Client client_;
  std::vector<double> numbers_ = std::vector<double>(6 * kLines);
  std::vector<float> narrow_;
  std::vector<std::int64_t> units_;
};

TEST_F(DoorFormsTest, NoLines) {
  expectEqualAnswers(lines(0));
}

TEST_F(DoorFormsTest, Numbers) {
  frLines asked = lines(kLines);
  expectEqualAnswers(asked);
  asked.from = {numbers_.data(), 24, 8, FR_F64, 0};  // dense, each in an array of its own
  asked.to = {numbers_.data() + 3 * kLines, 24, 8, FR_F64, 0};
  expectEqualAnswers(asked);
  asked.from = {numbers_.data() + 3 * kLines, -24, 0, FR_F64, 0};  // backwards
  expectEqualAnswers(asked);
  asked.from = {numbers_.data(), 8, 8 * kLines, FR_F64, 0};  // all x, all y, all z
  expectEqualAnswers(asked);
  asked.from = {numbers_.data(), 0, 0, FR_F64, 0};  // one eye
  expectEqualAnswers(asked);
  asked.to = {narrow_.data(), 12, 0, FR_F32, 0};
  expectEqualAnswers(asked);
  asked.from = {units_.data(), 24, 0, FR_UNITS, 0};
  asked.to = {units_.data() + 3 * kLines, 24, 0, FR_UNITS, 0};
  expectEqualAnswers(asked);
}

TEST_F(DoorFormsTest, Rays) {
  frLines asked = lines(kLines);
  asked.is_rays = 1;
  const std::vector<double> distances(kLines, 20);
  constexpr std::array<double, 6> kBounds = {0, 0, 0, 50, 20, 16};
  expectEqualAnswers(asked);
  asked.max_distances = distances.data();
  expectEqualAnswers(asked);
  asked.bounds = kBounds.data();
  expectEqualAnswers(asked);
}

TEST_F(DoorFormsTest, LevelsAndListsOfEachLine) {
  frLines asked = lines(kLines);
  std::vector<frLevelMask> levels(kLines);
  std::vector<std::uint64_t> ends(kLines);
  std::vector<std::uint64_t> ignored;
  for (std::size_t i = 0; i < kLines; ++i) {
    levels[i] = i % 5 == 0 ? 0 : 1;  // a mask without a level is an error of its line
    for (std::uint64_t id = 1; id <= i % 4; ++id)
      ignored.push_back(id);
    ends[i] = ignored.size();
  }
  asked.levels = levels.data();
  asked.ignore = ignored.data();
  asked.ignore_ends = ends.data();
  expectEqualAnswers(asked);
  std::vector<frHit> hits(kLines);
  ASSERT_EQ(
      frWorld_ClosestHits(world_.get(), &asked, 1, nullptr, hits.data(), nullptr, nullptr, nullptr),
      FR_OK);
  std::vector<frHit> after;
  for (std::size_t i = 0; i < kLines; ++i) {
    if (hits[i].kind != FR_HIT_NONE) after.push_back(hits[i]);
    ends[i] = after.size();
  }
  frLines later = lines(kLines);
  later.after = after.data();
  later.after_ends = ends.data();
  expectEqualAnswers(later);
}

TEST_F(DoorFormsTest, OptionsAndTheirLists) {
  frQueryOptions options = sized<frQueryOptions>();
  constexpr std::array<std::uint64_t, 2> kIgnored = {2, 77};
  options.ignore = kIgnored.data();
  options.ignore_count = kIgnored.size();
  options.no_blocks = 1;
  options.max_steps = 40;
  expectEqualAnswers(lines(kLines), &options);
  options = sized<frQueryOptions>();
  options.max_batch_steps = 20'000;  // ends in the middle
  frLines asked = lines(1000);
  expectEqualAnswers(asked, &options);
  options = sized<frQueryOptions>();
  options.channel = 7;  // not one of the world: an error of the call
  std::vector<frHit> hits(1000);
  EXPECT_EQ(frRemote_ClosestHits(client_.get(), &asked, 1, &options, hits.data(), nullptr, nullptr,
                                 nullptr),
            FR_INVALID_ARGUMENT);
  const std::string remote = frGetLastError();
  EXPECT_EQ(frWorld_ClosestHits(world_.get(), &asked, 1, &options, hits.data(), nullptr, nullptr,
                                nullptr),
            FR_INVALID_ARGUMENT);
  const std::string local = frGetLastError();
  EXPECT_EQ(remote, "frRemote_" + local.substr(std::string("frWorld_").size()));
}

}  // namespace
}  // namespace fractalray::testing
