// SPDX-License-Identifier: Apache-2.0
#include "search_ahead.h"

#include <algorithm>
#include <bit>
#include <variant>

#include "absl/status/statusor.h"

#include "../../../core/check.h"
#include "../../../core/ray.h"
#include "../../../core/tree64.h"
#include "../query_scope.h"
#include "../search/query_checks.h"

namespace fractalray::internal {
namespace {

// The least packet that may take less time than its rays one by one.
constexpr std::size_t kFewest = 4;

// Return true if a line may begin a packet, and if one with the same start may follow in it.
bool mayFollow(const FixedSegment& line) {
  return isInFrame(line.to) && hasEnd(line) && line.begin.axes == 0;
}
bool mayBegin(const FixedSegment& line) {
  return isInFrame(line.from) && mayFollow(line) && line.from != line.to;
}

// Return the line in units, which may be in `converted`; null if it is in error.
const FixedSegment* inUnits(const FixedSegment& line, FixedSegment& /*converted*/) {
  return &line;
}
template <class Line>
const FixedSegment* inUnits(const Line& line, FixedSegment& converted) {
  const absl::StatusOr<FixedSegment> in_units = toFixedSegment(line);
  if (!in_units.ok()) return nullptr;
  converted = *in_units;
  return &converted;
}

// Return true if two lines of one kind start at the same point.
bool haveSameStart(const Ray& a, const Ray& b) {
  return a.origin == b.origin;
}
template <class AnySegment>
bool haveSameStart(const AnySegment& a, const AnySegment& b) {
  return a.from == b.from;
}
bool haveSameStart(const BatchQuery& a, const BatchQuery& b) {
  const auto is_start_of_b = [&b]<class Line>(const Line& line) {
    const Line* const other = std::get_if<Line>(&b.line);
    return other != nullptr && haveSameStart(line, *other);
  };
  return std::visit(is_start_of_b, a.line);
}

// Sets a line of memory, and its levels; null if the query resumes after a hit.
template <class Line>
void readLine(const Line& line, LevelMask levels, std::size_t i, PacketMemory& memory) {
  memory.lines[i] = inUnits(line, memory.converted[i]);
  memory.levels[i] = levels;
}
void readLine(const BatchQuery& query, LevelMask /*levels*/, std::size_t i, PacketMemory& memory) {
  memory.lines[i] = nullptr;
  if (!query.after.empty()) return;
  std::visit([&](const auto& line) { readLine(line, query.levels, i, memory); }, query.line);
}

// Sets memory.lines and memory.levels of the queries from number `begin` on.
void readLines(const BatchQueries& queries, std::size_t begin, std::size_t count,
               PacketMemory& memory) {
  const auto of_array = [&](const auto& array) {
    for (std::size_t i = 0; i < count; ++i)
      readLine(array[begin + i], queries.levels(), i, memory);
  };
  std::visit(of_array, queries.arrays());
}
// Does the same for those that have enough neighbours with the same start. The others are not
// converted: their lines are null.
void readLinesOfEyes(const BatchQueries& queries, std::size_t begin, std::size_t count,
                     PacketMemory& memory) {
  std::fill_n(memory.lines.begin(), count, nullptr);
  const auto of_array = [&](const auto& array) {
    const auto part = array.subspan(begin, count);
    std::size_t next = 0;
    for (std::size_t first = 0; first < count; first = next) {
      next = first + 1;
      while (next < count && haveSameStart(part[first], part[next]))
        ++next;
      if (next - first < kFewest) continue;
      for (std::size_t i = first; i < next; ++i)
        readLine(part[i], queries.levels(), i, memory);
    }
  };
  std::visit(of_array, queries.arrays());
}

// The search of the queries of a task, given their lines.
class TaskSearch {
 public:
  TaskSearch(const PacketQuery& common, std::size_t begin, std::size_t count, PacketMemory& memory,
             QueryStats& stats, OnAheadOutcome on_outcome)
      : common_(common),
        begin_(begin),
        count_(count),
        memory_(memory),
        stats_(stats),
        on_outcome_(on_outcome) {}

  // Returns the queries that are not searched. Searches those that no packet decides one by one if
  // `singly`.
  std::uint64_t run(bool singly) {
    std::uint64_t others = 0;
    std::size_t size = 0;
    for (std::size_t first = 0; first < count_; first += size) {
      size = makePacket(first);
      std::uint64_t rest = ~std::uint64_t{0} >> (RayPacket::kMost - size);
      if (size >= kFewest) rest = searchPacket(first);
      for (; rest != 0; rest &= rest - 1) {
        const std::size_t i = first + static_cast<std::size_t>(std::countr_zero(rest));
        if (!singly || !searchOne(i)) others |= std::uint64_t{1} << i;
      }
    }
    return others;
  }

 private:
  LevelMask levelsOf(std::size_t i) const {
    return memory_.levels[i].activeIn(common_.world.frame());
  }
  bool mayBeginAt(std::size_t i) const {
    return memory_.lines[i] != nullptr && mayBegin(*memory_.lines[i]) && !levelsOf(i).empty();
  }
  bool haveSameEye(std::size_t first, std::size_t next) const {
    return memory_.lines[next] != nullptr &&
           memory_.lines[next]->from == memory_.lines[first]->from;
  }

  // Makes the longest packet that begins with a query, and returns the number of its rays: at least
  // 1, also if the query cannot begin a packet.
  std::size_t makePacket(std::size_t first) {
    if (first + kFewest > count_ || !mayBeginAt(first) || !haveSameEye(first, first + 1)) return 1;
    memory_.packet.begin(*memory_.lines[first]);
    std::size_t next = first + 1;
    while (next < count_ && memory_.levels[next] == memory_.levels[first] &&
           memory_.lines[next] != nullptr && mayFollow(*memory_.lines[next]) &&
           memory_.packet.add(*memory_.lines[next])) {
      ++next;
    }
    return next - first;
  }

  // Searches the packet, which begins with a query, if it is dense. Returns the rays that it does
  // not decide.
  std::uint64_t searchPacket(std::size_t first) {
    memory_.packet.finish();
    if (!memory_.packet.isDense()) return memory_.packet.all();
    PacketAnswers& answers = memory_.answers;
    answers.begin();
    PacketQuery query = common_;
    query.levels = levelsOf(first);
    runPacketSearch(query, memory_.packet, answers, stats_);
    for (int ray = 0; ray < static_cast<int>(memory_.packet.size()); ++ray) {
      if (hasBit(answers.unclear, ray)) continue;
      const auto i = static_cast<std::size_t>(ray);
      const bool is_found = hasBit(answers.found, ray);
      on_outcome_(begin_ + first + i,
                  {.line = memory_.packet.ray(i),
                   .outcome = is_found ? DirectOutcome::kFound : DirectOutcome::kNone,
                   .block = &answers.blocks[i],
                   .is_line_loaded = hasBit(answers.loaded, ray)});
    }
    return answers.unclear;
  }

  // Searches a single query; returns false if it cannot be searched directly.
  bool searchOne(std::size_t i) {
    if (!mayBeginAt(i)) return false;
    const FixedSegment& line = *memory_.lines[i];
    const DirectQuery query{.world = common_.world,
                            .line = line,
                            .options = common_.options,
                            .levels = levelsOf(i),
                            .mode = common_.mode};
    DirectBlock block;
    const DirectOutcome outcome = runDirectSearch(query, block, nullptr, stats_);
    on_outcome_(begin_ + i, {.line = line,
                             .outcome = outcome,
                             .block = &block,
                             .is_line_loaded = block.is_line_loaded});
    return true;
  }

  const PacketQuery& common_;  // without levels
  std::size_t begin_;
  std::size_t count_;
  PacketMemory& memory_;
  QueryStats& stats_;
  OnAheadOutcome on_outcome_;
};

}  // namespace

bool canSearchAhead(const QueryOptions& options) {
  return canSearchDirectly(options) && options.after.empty() &&
         options.max_steps == QueryOptions().max_steps;
}

std::uint64_t searchAhead(const ServiceState& state, const BatchQueries& queries,
                          const QueryOptions& options, HitMode mode, std::size_t begin,
                          std::size_t end, QueryStats& stats, OnAheadOutcome on_outcome) {
  FRACTALRAY_DCHECK(end - begin <= RayPacket::kMost, begin, end);
  PacketMemory& memory = packetMemory();
  const std::size_t count = end - begin;
  const bool singly = !hitsEntities(state.entities, options, mode);
  if (singly) {
    readLines(queries, begin, count, memory);
  } else {
    readLinesOfEyes(queries, begin, count, memory);
  }
  const PacketQuery common{.world = state.world, .options = options, .levels = {}, .mode = mode};
  return TaskSearch(common, begin, count, memory, stats, on_outcome).run(singly);
}

DirectResult toDirectResult(const AheadOutcome& outcome) {
  DirectResult direct;
  direct.outcome = outcome.outcome;
  if (direct.isFound()) direct.block = *outcome.block;
  direct.block.is_line_loaded = outcome.is_line_loaded;
  return direct;
}

}  // namespace fractalray::internal
