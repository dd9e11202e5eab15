// SPDX-License-Identifier: Apache-2.0
#include "../../levels/chunk_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "../oracle/rng.h"

namespace fractalray {
namespace {

TEST(ChunkPathTest, TextHasThreeDigitsAStep) {
  const ChunkPath path = ChunkPath::parse("7a3_221").value();
  ASSERT_EQ(path.steps().size(), 2U);
  EXPECT_EQ(path.steps()[0], (ChunkPath::Step{7, 10, 3}));
  EXPECT_EQ(path.steps()[1], (ChunkPath::Step{2, 2, 1}));
  EXPECT_EQ(path.text(), "7a3_221");
  EXPECT_EQ(ChunkPath::parse("7A3_221").value(), path);
  EXPECT_EQ(ChunkPath().text(), "");
  EXPECT_EQ(ChunkPath::parse("").value(), ChunkPath());
}

TEST(ChunkPathTest, LeadsFromTheAncestorDown) {
  EXPECT_EQ(ChunkPath::parse("7a3_221").value().from({0, 0, 0}).value(),
            (ChunkCoord{7 * 16 + 2, 10 * 16 + 2, 3 * 16 + 1}));
  EXPECT_EQ(ChunkPath::parse("fff").value().from({-1, -1, 2}).value(), (ChunkCoord{-1, -1, 47}));
  EXPECT_EQ(ChunkPath().from({4, 5, 6}).value(), (ChunkCoord{4, 5, 6}));
}

TEST(ChunkPathTest, EveryChunkRoundTripsThroughItsPath) {
  oracle::Rng rng("ChunkPathTest.RoundTrip");
  for (int i = 0; i < 5000; ++i) {
    const std::int64_t reach = std::int64_t{1} << rng.in(0, 41);
    const ChunkCoord chunk{rng.in(-reach, reach), rng.in(-reach, reach), rng.in(-reach, reach)};
    const int levels = rng.below(10);
    ChunkCoord ancestor = chunk;
    for (int axis = 0; axis < 3; ++axis)
      ancestor[axis] >>= 4 * levels;
    const ChunkPath path = ChunkPath::to(chunk, levels);
    ASSERT_EQ(path.steps().size(), static_cast<std::size_t>(levels));
    ASSERT_EQ(path.from(ancestor).value(), chunk);
    ASSERT_EQ(ChunkPath::parse(path.text()).value(), path);
  }
}

TEST(ChunkPathTest, OrderIsThatOfTheText) {
  oracle::Rng rng("ChunkPathTest.Order");
  for (int i = 0; i < 2000; ++i) {
    const auto random = [&] {
      return ChunkPath::to({rng.in(0, 20), rng.in(0, 20), rng.in(0, 20)}, rng.below(3));
    };
    const ChunkPath a = random();
    const ChunkPath b = random();
    ASSERT_EQ(a < b, a.text() < b.text()) << a.text() << " " << b.text();
  }
}

TEST(ChunkPathTest, BadTextIsRefusedWithItsPosition) {
  const struct {
    const char* text;
    const char* position;
  } cases[] = {
      {"7", "character 2"},      {"7a", "character 3"},       {"7a3_", "character 5"},
      {"7a3_22", "character 7"}, {"7a3_2211", "character 8"}, {"_7a3", "character 1"},
      {"7g3", "character 2"},    {"7a3-221", "character 4"},  {" 7a3", "character 1"},
      {"7a3221", "character 4"}, {"7a3__221", "character 5"},
  };
  for (const auto& c : cases) {
    const absl::Status status = ChunkPath::parse(c.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(c.position)) << c.text;
  }
}

TEST(ChunkPathTest, MessagesShowTheBeginOfALongPath) {
  std::string text = "123";
  for (int i = 0; i < 100'000; ++i)
    text += "_123";
  const absl::Status deep = ChunkPath::parse(text)->from({0, 0, 0}).status();
  EXPECT_EQ(deep.code(), absl::StatusCode::kOutOfRange);
  EXPECT_LT(deep.message().size(), 200U);
  const absl::Status bad = ChunkPath::parse(text + "_12g").status();
  EXPECT_EQ(bad.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_LT(bad.message().size(), 250U);
  EXPECT_NE(std::string(bad.message()).find("at character 400007"), std::string::npos)
      << bad.message();
}

TEST(ChunkPathTest, NamesTheChunksOfAFrame) {
  const ChunkPath anchor = ChunkPath::parse("0ff_100").value();
  EXPECT_EQ(anchor.inFrame({0, 0, 0}, 0).value(), anchor);
  EXPECT_EQ(anchor.inFrame({0, 0, 0}, 2)->text(), "0ff_100_000_000");
  EXPECT_EQ(anchor.inFrame({-1, 15, 15}, 0)->text(), "0ff_0ff");
  EXPECT_EQ(anchor.inFrame({-2, 0, 0}, 0).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(anchor.inFrame({0, 16, 0}, 0).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(anchor.inFrame({-17, 0, 0}, 1).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(ChunkPath().inFrame({0, 0, 0}, 0)->text(), "");
  EXPECT_EQ(ChunkPath().inFrame({1, 0, 0}, 0).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(ChunkPath().inFrame({0, 15, 3}, 1)->text(), "0f3");
  EXPECT_EQ(anchor.parent().text(), "0ff");
  EXPECT_EQ(anchor.parent().parent(), ChunkPath());
}

TEST(ChunkPathTest, NamesInFramesAreThoseFromTheRoot) {
  oracle::Rng rng("ChunkPathTest.InFrame");
  for (int i = 0; i < 5000; ++i) {
    const int depth = rng.below(9);
    const std::int64_t width = std::int64_t{1} << 4 * depth;
    const ChunkCoord at{rng.in(0, width - 1), rng.in(0, width - 1), rng.in(0, width - 1)};
    const int levels = rng.below(6);
    const std::int64_t reach = std::int64_t{1} << rng.below(60);
    ChunkCoord chunk;
    ChunkCoord from_root;
    bool is_inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      chunk[axis] = rng.in(-reach, reach);
      from_root[axis] = (at[axis] << 4 * levels) + chunk[axis];
      is_inside = is_inside && from_root[axis] >= 0 && from_root[axis] >> 4 * levels < width;
    }
    const absl::StatusOr<ChunkPath> path = ChunkPath::to(at, depth).inFrame(chunk, levels);
    ASSERT_EQ(path.ok(), is_inside);
    if (is_inside) {
      ASSERT_EQ(*path, ChunkPath::to(from_root, depth + levels));
    }
  }
}

TEST(ChunkPathTest, NeverLeadsOutOfTheFrame) {
  const ChunkPath deep = ChunkPath::to({1, 1, 1}, 200);
  EXPECT_EQ(deep.from({1, 0, 0}).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(deep.from({0, 0, 0}).value(), (ChunkCoord{1, 1, 1}));
  const ChunkPath one = ChunkPath::parse("000").value();
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(one.from({kMin, 0, 0}).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(one.from({0, 0, kMax}).status().code(), absl::StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace fractalray
