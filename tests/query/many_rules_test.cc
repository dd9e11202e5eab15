// SPDX-License-Identifier: Apache-2.0
// Many terminal rules of entities: the first that matches applies, as in a plain list of them, and
// neither looking one up nor setting one takes longer for that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/rng.h"

namespace fractalray::oracle {
namespace {

// The rules in a list, searched from its front.
class ListedRules {
 public:
  void set(std::uint64_t categories, const TerminalRule& rule, LevelMask levels) {
    const auto same = std::find_if(rules_.begin(), rules_.end(), [&](const auto& each) {
      return each.categories == categories && each.levels == levels;
    });
    if (same != rules_.end()) {
      same->rule = rule;
    } else {
      rules_.push_back({categories, levels, rule});
    }
  }
  TerminalRule find(std::uint64_t categories, int level) const {
    for (const TerminalRules::EntityRule& each : rules_) {
      if ((each.categories & categories) != 0 && each.levels.contains(level)) return each.rule;
    }
    return TerminalRule::continueShot();
  }
  const std::vector<TerminalRules::EntityRule>& rules() const { return rules_; }

 private:
  std::vector<TerminalRules::EntityRule> rules_;
};

std::uint64_t someCategories(Rng& rng) {
  std::uint64_t categories = 0;
  for (int i = rng.below(3); i >= 0; --i)
    categories |= std::uint64_t{1} << rng.below(rng.oneIn(2) ? 8 : 64);
  if (rng.oneIn(30)) categories = ~std::uint64_t{0};
  return categories;
}

LevelMask someLevels(Rng& rng) {
  if (rng.oneIn(3)) return LevelMask::all();
  LevelMask levels;
  for (int i = rng.below(3); i >= 0; --i)
    levels.add(rng.below(kMaxLevels));
  return levels;
}

TEST(ManyRulesTest, TheFirstThatMatchesApplies) {
  Rng rng("ManyRulesTest.First");
  for (int round = 0; round < 200; ++round) {
    TerminalRules rules;
    ListedRules listed;
    const int count = rng.below(rng.oneIn(4) ? 300 : 12);
    for (int i = 0; i < count; ++i) {
      const std::uint64_t categories = someCategories(rng);
      const LevelMask levels = someLevels(rng);
      TerminalRule rule = rng.oneIn(2) ? TerminalRule::stopShot() : TerminalRule::continueShot();
      rule.per_hit = i;  // distinguishes them
      ASSERT_TRUE(rules.setEntities(categories, rule, levels).ok());
      listed.set(categories, rule, levels);
    }
    ASSERT_EQ(rules.entityRules().size(), listed.rules().size());
    for (std::size_t i = 0; i < listed.rules().size(); ++i)
      ASSERT_EQ(rules.entityRules()[i].rule, listed.rules()[i].rule);
    const TerminalRules copy = rules;
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t categories = rng.oneIn(20) ? 0 : someCategories(rng);
      const int level = rng.below(kMaxLevels);
      ASSERT_EQ(rules.ofEntity(categories, level), listed.find(categories, level)) << round;
      ASSERT_EQ(copy.ofEntity(categories, level), listed.find(categories, level)) << round;
    }
  }
}

TEST(ManyRulesTest, ARuleOfNoActiveLevelIsNoRule) {
  TerminalRules rules;
  ASSERT_TRUE(rules.setEntities(1, TerminalRule::stopShot(), {3}).ok());
  EXPECT_EQ(rules.ofEntity(1, 3), TerminalRule::stopShot());
  for (const int level : {-1, 2, 4, kMaxLevels, 1000})
    EXPECT_EQ(rules.ofEntity(1, level), TerminalRule::continueShot());
}

}  // namespace
}  // namespace fractalray::oracle
