// SPDX-License-Identifier: Apache-2.0
// Checks that the list gives its candidates in the order of hits, each entity once, and sorts no
// more of them than is taken.
#include "../../query/internal/search/candidate_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

Candidate entityAt(std::int64_t t, EntityId id) {
  Candidate candidate;
  candidate.kind = Candidate::Kind::kEntity;
  candidate.entity = {static_cast<std::uint32_t>(id), 1};
  candidate.entity_id = id;
  candidate.time = HitTime(Fraction{t, 1000});
  return candidate;
}

void fill(CandidateList& list, const std::vector<Candidate>& candidates) {
  list.clear();
  for (const Candidate& candidate : candidates)
    list.add() = candidate;
}

std::vector<EntityId> takeAll(CandidateList& list) {
  std::vector<EntityId> ids;
  while (const Candidate* const next = list.take(ids.size()))
    ids.push_back(next->entity_id);
  return ids;
}

// Adds candidates of entities that are found up to three times, at few different times.
std::vector<Candidate> randomCandidates(Rng& rng, int count) {
  std::vector<Candidate> candidates;
  while (std::ssize(candidates) < count) {
    const auto id = static_cast<EntityId>(rng.below(1 << 20));
    const int copies = rng.oneIn(3) ? 3 : 1;
    for (int copy = 0; copy < copies; ++copy)
      candidates.push_back(entityAt(static_cast<std::int64_t>(id % 7), id));
  }
  for (std::size_t i = candidates.size() - 1; i > 0; --i)
    std::swap(candidates[i], candidates[static_cast<std::size_t>(rng.below(static_cast<int>(i)))]);
  return candidates;
}

std::vector<EntityId> idsInOrder(std::vector<Candidate> candidates) {
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return comesBefore(a, b); });
  std::vector<EntityId> ids;
  for (const Candidate& candidate : candidates)
    ids.push_back(candidate.entity_id);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

TEST(CandidateListTest, GivesEachEntityOnceInOrder) {
  Rng rng("CandidateListTest.InOrder");
  CandidateList list;
  for (int round = 0; round < 300; ++round) {
    const std::vector<Candidate> candidates = randomCandidates(rng, rng.in(1, 3) == 1 ? 20 : 2000);
    fill(list, candidates);
    list.cut();
    list.settleAll();
    ASSERT_EQ(takeAll(list), idsInOrder(candidates)) << "round " << round;
    ASSERT_EQ(list.last(), nullptr);
  }
}

TEST(CandidateListTest, EndsWithTheLastOne) {
  Rng rng("CandidateListTest.Last");
  CandidateList list;
  for (int round = 0; round < 300; ++round) {
    const std::vector<Candidate> candidates = randomCandidates(rng, rng.in(1, 3) == 1 ? 20 : 2000);
    fill(list, candidates);
    // Makes some of them last, each before the one that was.
    std::vector<EntityId> expected = idsInOrder(candidates);
    list.clear();
    const Candidate* last = nullptr;
    for (const Candidate& candidate : candidates) {
      const bool ends = rng.oneIn(100);
      if (ends && last != nullptr && !comesBefore(candidate, *last)) continue;
      list.add() = candidate;
      if (!ends) continue;
      list.makeNewestLast();
      last = &candidate;
    }
    list.cut();
    if (last == nullptr) {
      ASSERT_EQ(list.last(), nullptr);
      continue;
    }
    ASSERT_EQ(list.last()->entity_id, last->entity_id);
    list.settleAll();
    const std::vector<EntityId> taken = takeAll(list);
    ASSERT_EQ(taken.back(), last->entity_id);
    ASSERT_EQ(list.last()->entity_id, last->entity_id);
    for (std::size_t i = 0; i + 1 < list.size(); ++i)
      ASSERT_TRUE(comesBefore(list.settled()[i], list.settled()[i + 1]));
  }
}

TEST(CandidateListTest, CandidatesThatAreNotTakenAreNotSorted) {
  std::vector<Candidate> backwards;
  for (int i = 1000; i > 0; --i)
    backwards.push_back(entityAt(i, static_cast<EntityId>(i)));
  CandidateList list;
  fill(list, backwards);
  list.cut();
  EXPECT_EQ(list.take(0), nullptr) << "nothing is settled";
  EXPECT_EQ(list.settleAll(), 1000U);
  EXPECT_EQ(list.take(0)->entity_id, 1U);
  EXPECT_EQ(list.take(15)->entity_id, 16U);
  const auto in_order = [&list](std::size_t from) {
    const auto all = list.settled().subspan(from);
    return std::is_sorted(all.begin(), all.end(),
                          [](const Candidate& a, const Candidate& b) { return comesBefore(a, b); });
  };
  EXPECT_FALSE(in_order(16)) << "only the first are taken";
  EXPECT_EQ(list.take(999)->entity_id, 1000U);
  EXPECT_TRUE(in_order(0));
  EXPECT_EQ(list.take(1000), nullptr);
}

// The list is filled slice by slice, with candidates of later slices among them, as passes do.
TEST(CandidateListTest, SettlesSliceBySlice) {
  Rng rng("CandidateListTest.Slices");
  CandidateList list;
  for (int round = 0; round < 300; ++round) {
    const std::vector<Candidate> candidates = randomCandidates(rng, 400);
    list.clear();
    std::vector<EntityId> taken;
    std::vector<bool> is_added(candidates.size());
    std::size_t dropped = 0;
    for (int horizon = 0; horizon < 7; ++horizon) {
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        const bool is_due = candidates[i].time <= HitTime(Fraction{horizon, 1000});
        if (is_added[i] || (!is_due && !rng.oneIn(4))) continue;
        list.add() = candidates[i];
        is_added[i] = true;
      }
      list.cut();
      list.settle(HitTime(Fraction{horizon, 1000}));
      // All of them, or only a few before the next slice.
      const std::int64_t most = rng.oneIn(2) ? 1000 : rng.in(0, 5);
      for (std::int64_t i = 0; i < most; ++i) {
        const Candidate* const next = list.take(taken.size() - dropped);
        if (next == nullptr) break;
        ASSERT_LE(next->time, HitTime(Fraction{horizon, 1000}));
        taken.push_back(next->entity_id);
      }
      if (rng.oneIn(2)) {
        list.dropTaken(taken.size() - dropped);
        dropped = taken.size();
      }
    }
    while (const Candidate* const next = list.take(taken.size() - dropped))
      taken.push_back(next->entity_id);
    ASSERT_EQ(taken, idsInOrder(candidates)) << "round " << round;
  }
}

TEST(CandidateListTest, DropsLaterCandidates) {
  CandidateList list;
  fill(list, {entityAt(5, 1), entityAt(2, 2), entityAt(3, 3), entityAt(3, 4)});
  list.dropLater(HitTime(Fraction{3, 1000}));
  EXPECT_EQ(takeAll(list), (std::vector<EntityId>{2, 3, 4}));
  for (const int later : {6, 7}) {
    fill(list, {entityAt(5, 1), entityAt(2, 2), entityAt(7, 3)});
    list.makeNewestLast();
    list.cut();
    list.dropLater(HitTime(Fraction{later, 1000}));
    EXPECT_EQ(list.last() != nullptr, later == 7);
    EXPECT_EQ(takeAll(list).size(), later == 7 ? 3U : 2U);
  }
}

}  // namespace
}  // namespace fractalray::internal
