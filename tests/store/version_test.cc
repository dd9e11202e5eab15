// SPDX-License-Identifier: Apache-2.0
#include "../../store/version.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "../oracle/rng.h"

namespace fractalray {
namespace {

// A snapshot by the transactions that it does not see, from 1 to a number past all of them.
struct Model {
  std::uint64_t next = 1;
  std::vector<std::uint64_t> running{};

  std::string text() const {
    const std::uint64_t oldest = running.empty() ? next : running.front();
    return absl::StrCat(oldest, ":", next, ":", absl::StrJoin(running, ","));
  }
  bool sees(std::uint64_t transaction) const {
    return transaction < next &&
           std::find(running.begin(), running.end(), transaction) == running.end();
  }
};

Model randomModel(oracle::Rng& rng) {
  Model model{.next = static_cast<std::uint64_t>(rng.in(1, 8))};
  for (std::uint64_t each = 1; each < model.next; ++each) {
    if (rng.oneIn(3)) model.running.push_back(each);
  }
  return model;
}

TEST(DatabaseSnapshotTest, SeesAndIncludesByDefinition) {
  oracle::Rng rng("DatabaseSnapshotTest");
  int included = 0;
  for (int repeat = 0; repeat < 20'000; ++repeat) {
    const Model a = randomModel(rng);
    const Model b = randomModel(rng);
    const absl::StatusOr<DatabaseSnapshot> first = DatabaseSnapshot::parse(a.text());
    const absl::StatusOr<DatabaseSnapshot> second = DatabaseSnapshot::parse(b.text());
    ASSERT_TRUE(first.ok()) << first.status();
    ASSERT_TRUE(second.ok()) << second.status();
    EXPECT_EQ(first->text(), a.text());
    bool includes = true;
    for (std::uint64_t each = 1; each < 10; ++each) {
      EXPECT_EQ(first->sees(each), a.sees(each)) << a.text() << " " << each;
      includes = includes && (!b.sees(each) || a.sees(each));
    }
    EXPECT_EQ(first->includes(*second), includes) << a.text() << " and " << b.text();
    included += includes ? 1 : 0;
  }
  EXPECT_GT(included, 1000);
}

TEST(DatabaseSnapshotTest, LargeNumbersAreCountedNotListed) {
  const DatabaseSnapshot now = *DatabaseSnapshot::parse("899:905:899,901");
  EXPECT_FALSE(
      now.includes(*DatabaseSnapshot::parse("18446744073709551000:18446744073709551615:")));
  EXPECT_TRUE(DatabaseSnapshot::parse("18446744073709551615:18446744073709551615:")->includes(now));
  EXPECT_TRUE(now.includes(DatabaseSnapshot()));
}

TEST(DatabaseSnapshotTest, OtherTextsAreRefused) {
  const std::vector<std::string> wrong = {"",
                                          "1",
                                          "1:1",
                                          "0:1:",
                                          "2:1:",
                                          "1:3:3",
                                          "2:3:1",
                                          "1:4:2,2",
                                          "1:4:3,2",
                                          "1:4:2,",
                                          "1:4:,2",
                                          "1:4: 2",
                                          "-1:4:",
                                          "1:4:2;",
                                          "+1:4:",
                                          "a:b:c",
                                          "1:99999999999999999999:",
                                          std::string("1:4:2\0", 6)};
  for (const std::string& text : wrong) {
    const absl::Status status = DatabaseSnapshot::parse(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(StoreVersionTest, IsWrittenAndParsed) {
  const absl::StatusOr<StoreVersion> version = StoreVersion::parse("a@b@899:905:899,901");
  ASSERT_TRUE(version.ok()) << version.status();
  EXPECT_EQ(version->world, "a@b");
  EXPECT_EQ(version->text(), "a@b@899:905:899,901");
  EXPECT_EQ(*version, *StoreVersion::parse(version->text()));
  for (const char* text : {"", "@1:1:", "a", "a@", "a@1:1"})
    EXPECT_FALSE(StoreVersion::parse(text).ok()) << text;
}

}  // namespace
}  // namespace fractalray
