// SPDX-License-Identifier: Apache-2.0
// Checks the order of hits, law by law (the numbers are those of candidate.h).
#include "../../query/internal/search/candidate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

// Random candidates of few times, levels and numbers, so that most pairs tie in something.
std::vector<Candidate> someCandidates(Rng& rng, int count) {
  std::vector<Candidate> candidates(static_cast<std::size_t>(count));
  for (Candidate& candidate : candidates) {
    candidate.kind = rng.oneIn(2) ? Candidate::Kind::kEntity : Candidate::Kind::kBlock;
    candidate.level = rng.below(3);
    const std::int64_t factor = rng.in(1, 3);  // equal times written differently
    candidate.time = HitTime(Fraction{rng.in(0, 2) * factor, 2 * factor});
    candidate.step = static_cast<std::uint8_t>(rng.below(3));
    candidate.entity_id = static_cast<EntityId>(rng.below(3));
  }
  return candidates;
}

// The order as the contract states it: by time; entities before blocks; the finer level first;
// blocks in walk order, entities by id.
auto keyOf(const Candidate& candidate) {
  return std::tuple(candidate.time.toDouble(), candidate.isBlock(), -candidate.level,
                    candidate.isBlock() ? std::uint64_t{candidate.step} : candidate.entity_id);
}

TEST(CandidateOrderTest, Law1IsAntisymmetricAndIrreflexive) {
  Rng rng("CandidateOrderTest.1");
  for (const Candidate& a : someCandidates(rng, 200)) {
    EXPECT_FALSE(comesBefore(a, a));
    for (const Candidate& b : someCandidates(rng, 50))
      EXPECT_FALSE(comesBefore(a, b) && comesBefore(b, a));
  }
}

TEST(CandidateOrderTest, Law2IsTransitiveAndSoAreTies) {
  Rng rng("CandidateOrderTest.2");
  const std::vector<Candidate> all = someCandidates(rng, 60);
  for (const Candidate& a : all) {
    for (const Candidate& b : all) {
      for (const Candidate& c : all) {
        if (comesBefore(a, b) && comesBefore(b, c)) {
          ASSERT_TRUE(comesBefore(a, c));
        }
        if (!comesBefore(a, b) && !comesBefore(b, c)) {
          ASSERT_FALSE(comesBefore(a, c));
        }
      }
    }
  }
}

TEST(CandidateOrderTest, Law3IsTheContractsOrder) {
  Rng rng("CandidateOrderTest.3");
  std::vector<Candidate> all = someCandidates(rng, 300);
  for (const Candidate& a : all) {
    for (const Candidate& b : all)
      ASSERT_EQ(comesBefore(a, b), keyOf(a) < keyOf(b));
  }
}

TEST(CandidateOrderTest, Law4ComparesTimesExactly) {
  // Neighbours that are equal as doubles.
  constexpr std::int64_t kMany = std::int64_t{1} << 61;
  Candidate a;
  a.time = HitTime(Fraction{kMany / 3, kMany});
  Candidate b;
  b.time = HitTime(Fraction{kMany / 3 + 1, kMany});
  ASSERT_EQ(a.time.toDouble(), b.time.toDouble());
  b.level = 9;  // the finer would be first at equal times
  EXPECT_TRUE(comesBefore(a, b));
  EXPECT_FALSE(comesBefore(b, a));
}

}  // namespace
}  // namespace fractalray::internal
