// SPDX-License-Identifier: Apache-2.0
// Runs direct searches (first_block.h): one alone, or many together on one thread. A search alone
// waits for one read from memory after another: a region, a chunk in it, a brick in that. Here each
// search stops before such a read, fetches what it will read, and is queued by the height of that;
// then all searches of a queue continue, one after another, by the same code. So their reads
// overlap, and the branches between heights are foretold.
//
// Each search has the outcome and the steps that it has alone. For one instruction set, as
// first_block_search.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "first_block.h"
#include "first_block_search.h"

namespace fractalray::internal {
namespace {

// The searches of some queries. A single use.
template <class Lanes>
class FirstBlockWave {
 public:
  // The most searches at once: those of a task of a batch. With 32 they are 3 to 5 % slower.
  static constexpr std::size_t kMost = 64;

  // Begins the searches of the queries. Requires: at most kMost.
  FRACTALRAY_TARGET FirstBlockWave(const FirstBlockSettings& settings,
                                   std::span<FirstBlockQuery> queries)
      : queries_(queries) {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const FixedSegment& segment = *queries[i].segment;
      new (memory_.data() + i * sizeof(Search))
          Search(settings, segment, queries[i].levels, FirstBlockLine<Lanes>::lengthsOf(segment),
                 queries[i].direct.block);
      enterLevel(i);
    }
  }

  FRACTALRAY_TARGET void run() {
    while (starts_.size + regions_.size + chunks_.size > 0) {
      runStarts();
      runRegions();
      runChunks();
    }
    for (std::size_t i = 0; i < queries_.size(); ++i)
      queries_[i].direct.outcome = search(i).finish(queries_[i].stats);
  }

 private:
  using Search = FirstBlockSearch<Lanes>;
  using Outcome = FirstBlock::Outcome;

  // A cache line. g++ 12 ignores alignas(Search) here.
  static constexpr std::size_t kAlignment = 64;
  static_assert(alignof(Search) <= kAlignment);

  // Searches by their numbers.
  struct Queue {
    std::array<std::uint8_t, kMost> numbers{};
    std::size_t size = 0;

    FRACTALRAY_TARGET void add(std::size_t i) { numbers[size++] = static_cast<std::uint8_t>(i); }
    // Returns the searches that are queued, and leaves none.
    FRACTALRAY_TARGET Queue take() {
      const Queue taken = *this;
      size = 0;
      return taken;
    }
  };

  FRACTALRAY_TARGET Search& search(std::size_t i) {
    return *reinterpret_cast<Search*>(memory_.data() + i * sizeof(Search));
  }

  FRACTALRAY_TARGET void enterLevel(std::size_t i) {
    if (!search(i).enterLevel()) return;
    search(i).fetchStart();
    starts_.add(i);
  }
  // Queues a search by what it reads next, or leaves its level.
  FRACTALRAY_TARGET void proceed(std::size_t i, Outcome of_level) {
    if (of_level == Outcome::kNone && search(i).nextChunk()) {
      search(i).fetchChunk();
      chunks_.add(i);
    } else if (of_level == Outcome::kNone && search(i).nextRegion()) {
      search(i).fetchRegion();
      regions_.add(i);
    } else {
      search(i).leaveLevel(of_level);
      enterLevel(i);
    }
  }

  FRACTALRAY_TARGET void runStarts() {
    const Queue starts = starts_.take();
    for (std::size_t k = 0; k < starts.size; ++k)
      search(starts.numbers[k]).readStart();
    for (std::size_t k = 0; k < starts.size; ++k)
      proceed(starts.numbers[k], search(starts.numbers[k]).searchStart());
  }
  FRACTALRAY_TARGET void runRegions() {
    const Queue regions = regions_.take();
    for (std::size_t k = 0; k < regions.size; ++k) {
      search(regions.numbers[k]).readRegion();
      proceed(regions.numbers[k], Outcome::kNone);
    }
  }
  FRACTALRAY_TARGET void runChunks() {
    const Queue chunks = chunks_.take();
    Queue bricks;
    for (std::size_t k = 0; k < chunks.size; ++k) {
      const std::size_t i = chunks.numbers[k];
      if (search(i).isOutOfSteps()) {
        proceed(i, Outcome::kUnclear);
      } else if (search(i).readChunk()) {
        bricks.add(i);
      } else {
        proceed(i, Outcome::kNone);
      }
    }
    for (std::size_t k = 0; k < bricks.size; ++k)
      proceed(bricks.numbers[k], search(bricks.numbers[k]).searchChunk());
  }

  std::span<FirstBlockQuery> queries_;
  Queue starts_;
  Queue regions_;
  Queue chunks_;
  // A search has no default, and is never destroyed.
  alignas(kAlignment) std::array<std::byte, kMost * sizeof(Search)> memory_;
};

// Runs the search of one query. Without `flatten`, which inlines the stages, a search alone is 5 to
// 10 % slower, since the wave calls them too.
template <class Lanes>
[[gnu::flatten]] FRACTALRAY_TARGET FirstBlock::Outcome searchFirstBlock(const QueryContext& context,
                                                                        FirstBlock& found,
                                                                        QueryStats& stats) {
  const FirstBlockSettings settings{context.world, context.options, context.mode};
  const FixedSegment& segment = context.line.segment();
  FirstBlockSearch<Lanes> search(settings, segment, context.levels,
                                 FirstBlockLine<Lanes>::lengthsOf(segment), found);
  search.run();
  const FirstBlock::Outcome outcome = search.finish(stats);
  Lanes::leave();
  return outcome;
}

// Runs the searches of some queries.
template <class Lanes>
FRACTALRAY_TARGET void searchFirstBlocks(const FirstBlockSettings& settings,
                                         std::span<FirstBlockQuery> queries) {
  constexpr std::size_t kMost = FirstBlockWave<Lanes>::kMost;
  for (std::size_t begin = 0; begin < queries.size(); begin += kMost) {
    const std::size_t size = std::min(kMost, queries.size() - begin);
    FirstBlockWave<Lanes> wave(settings, queries.subspan(begin, size));
    wave.run();
  }
  Lanes::leave();
}

}  // namespace
}  // namespace fractalray::internal
