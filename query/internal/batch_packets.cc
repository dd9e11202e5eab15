// SPDX-License-Identifier: Apache-2.0
#include "batch_packets.h"

#include <algorithm>
#include <variant>

#include "absl/status/statusor.h"

#include "../../core/check.h"
#include "../../core/ray.h"
#include "../../core/tree64.h"
#include "query_checks.h"
#include "query_scope.h"

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

// Returns the line in units, which may be in `converted`; null if it is in error.
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

// Sets a line of memory, and its levels.
template <class Line>
void readLine(const Line& line, LevelMask levels, std::size_t i, PacketMemory& memory) {
  memory.lines[i] = inUnits(line, memory.converted[i]);
  memory.levels[i] = levels;
}
void readLine(const BatchQuery& query, LevelMask /*levels*/, std::size_t i, PacketMemory& memory) {
  if (!query.after.empty()) return;
  std::visit([&](const auto& line) { readLine(line, query.levels, i, memory); }, query.line);
}

// Sets memory.lines and memory.levels of the queries from number `begin` on that have enough
// neighbours with the same start. The others are not converted, since most of these have none.
void readLines(const BatchQueries& queries, std::size_t begin, std::size_t count,
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

// Makes the longest packet that begins with a query, and returns the number of its rays; at least
// 1, also if the query cannot begin a packet.
std::size_t makePacket(std::size_t first, std::size_t end, PacketMemory& memory) {
  if (memory.lines[first] == nullptr || !mayBegin(*memory.lines[first])) return 1;
  memory.packet.begin(*memory.lines[first]);
  std::size_t next = first + 1;
  while (next < end && memory.levels[next] == memory.levels[first] &&
         memory.lines[next] != nullptr && mayFollow(*memory.lines[next]) &&
         memory.packet.add(*memory.lines[next])) {
    ++next;
  }
  memory.packet.finish();
  return next - first;
}

}  // namespace

bool canSearchInPackets(const ShotOptions& options) {
  return options.pass == SearchPass::kFast && options.filter.blocks &&
         !options.filter.block_filter && options.after.empty() &&
         options.max_steps == ShotOptions().max_steps;
}

std::uint64_t searchInPackets(const ServiceState& state, const BatchQueries& queries,
                              const ShotOptions& options, HitMode mode, std::size_t begin,
                              std::size_t end, QueryStats& stats, OnPacketOutcome decided) {
  FRACTALRAY_DCHECK(end - begin <= RayPacket::kMost, begin, end);
  PacketMemory& memory = packetMemory();
  const std::size_t count = end - begin;
  readLines(queries, begin, count, memory);
  std::uint64_t others = 0;
  std::size_t size = 0;
  for (std::size_t first = 0; first < count; first += size) {
    size = makePacket(first, count, memory);
    const LevelMask levels = memory.levels[first].activeIn(state.world.frame());
    if (size < kFewest || levels.empty() || !memory.packet.isDense()) {
      others |= (~std::uint64_t{0} >> (RayPacket::kMost - size)) << first;
      continue;
    }
    PacketAnswers& answers = memory.answers;
    answers.begin();
    findFirstBlocks({.world = state.world, .options = options, .levels = levels, .mode = mode},
                    memory.packet, answers, stats);
    others |= answers.unclear << first;
    for (int ray = 0; ray < static_cast<int>(size); ++ray) {
      if (hasBit(answers.unclear, ray)) continue;
      const auto i = static_cast<std::size_t>(ray);
      const bool is_found = hasBit(answers.found, ray);
      decided(begin + first + i, {.line = memory.packet.ray(i),
                                  .block = is_found ? &answers.blocks[i] : nullptr,
                                  .is_line_loaded = !is_found && hasBit(answers.loaded, ray)});
    }
  }
  return others;
}

DirectSearch toDirectSearch(const PacketOutcome& outcome) {
  DirectSearch direct;
  direct.outcome =
      outcome.block != nullptr ? FirstBlock::Outcome::kFound : FirstBlock::Outcome::kNone;
  if (outcome.block != nullptr) direct.block = *outcome.block;
  direct.block.is_line_loaded = outcome.is_line_loaded;
  return direct;
}

}  // namespace fractalray::internal
