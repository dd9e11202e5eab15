// SPDX-License-Identifier: Apache-2.0
// The frames between a client and `fractalray serve`: a head, and a body that has arrays in the
// layout of the C interface, as they are in memory. All numbers are little-endian: a machine of the
// other byte order sends another magic, and is refused. Each part begins at a multiple of 8 bytes.
//
//   hello   the token                           answer   HelloAnswer, the version of the world
//   others  CallHead, options, lines, lists,    answer   AnswerHead, arrays, two texts
//           the version that it needs
//   feed    TickHead, entities, moves, ids      answer   nothing
//   types   nothing                             answer   TypesAnswer, the names of block types
//
// The answer of a call that failed is ErrorHead and a text. docs/serve.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../fractalray_c.h"

namespace fractalray::wire {

inline constexpr std::uint32_t kMagic = 0x31445246;  // the bytes "FRD1"
inline constexpr std::size_t kMaxTokenBytes = 1024;
inline constexpr std::size_t kMaxTextBytes = 4096;  // of an error, and of a version

inline constexpr std::uint64_t kMaxTypesBytes = std::uint64_t{64} << 20;

enum Verb : std::uint32_t {
  kHello = 1,
  kClosestHits = 2,
  kCompactHits = 3,
  kOccludedMany = 4,
  kBlockTypes = 5,
  kFeedTick = 6,
};

// Begins every frame.
struct FrameHead {
  std::uint32_t magic = kMagic;
  std::int32_t version = FR_VERSION;
  std::uint32_t verb = 0;
  std::int32_t result = FR_OK;  // of an answer
  std::uint64_t number = 0;     // the client's number of the request, which its answer repeats
  std::uint64_t bytes = 0;      // of the body, a multiple of 8
};
static_assert(sizeof(FrameHead) == 32);

// Lists what else a call has, in this order; and kIsRays.
enum Has : std::uint32_t {
  kHasOptions = 1,      // frQueryOptions without pointers, with its `ignore` and its `after`
  kHasLines = 2,        // frLine, in place of vectors
  kHasDistances = 4,    // of rays
  kHasBounds = 8,       // of rays
  kHasLevels = 16,      // of each line
  kHasIgnoreEnds = 32,  // with what lines ignore
  kHasAfterEnds = 64,   // with the hits after which lines resume
  kIsRays = 128,
  kAllHas = 255,
};
// The arrays that a client wants besides the answers of the verb.
enum Wants : std::uint32_t { kWantsUnknown = 1, kWantsBlockers = 2, kAllWants = 3 };

struct CallHead {
  std::uint64_t count = 0;        // lines
  std::uint64_t deadline_us = 0;  // the time that the client waits, in microseconds; 0: no limit
  std::uint32_t levels = 0;       // frLevelMask of the batch
  std::uint32_t has = 0;
  std::uint32_t wants = 0;
  std::int32_t from_format = FR_F64;
  std::int32_t to_format = FR_F64;
  std::uint32_t at_least_bytes = 0;  // of the version that the answer's is to include; 0 for any
  std::uint32_t from_stride = 0;     // bytes between two vectors: 0, or three or six numbers
  std::uint32_t to_stride = 0;
  std::uint64_t to_offset = 0;     // bytes from the first vector to the first of `to`
  std::uint64_t vector_bytes = 0;  // of all vectors
  std::uint64_t ignored = 0;       // the ids in the lists of lines
  std::uint64_t afters = 0;        // the hits in the lists of lines
};
static_assert(sizeof(CallHead) == 80);

struct HelloAnswer {
  std::uint64_t batch_lines = 0;  // the most lines of a call
  std::uint64_t frame_bytes = 0;  // the most bytes of the body of a call
  std::uint64_t block_types = 0;  // the fingerprint of the table of types; 0 if it may change
  std::uint64_t version_bytes = 0;
};

// Followed by the names, in the order of their numbers, a zero byte after each.
struct TypesAnswer {
  std::uint64_t names = 0;
  std::uint64_t text_bytes = 0;  // at most kMaxTypesBytes
};

// Followed by these numbers of frFedEntity, frFedMove, and ids of entities that are removed.
struct TickHead {
  std::uint64_t tick = 0;
  std::uint64_t added = 0;
  std::uint64_t moved = 0;
  std::uint64_t removed = 0;
  std::uint32_t is_whole = 0;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(TickHead) == 40 && sizeof(frFedEntity) == 80 && sizeof(frFedMove) == 32);

struct ErrorHead {
  std::uint64_t retry_us = 0;  // when to call again, in microseconds; 0 if that would not help
  std::uint64_t text_bytes = 0;
};

// Followed by `completed` answers, times and blockers as they were wanted, results if there are
// errors, the version and the text of the first error.
struct AnswerHead {
  frBatchResult batch{};
  std::uint64_t first_error = 0;  // the line that the text is about
  std::int32_t rest = FR_OK;      // the result of the lines that are not completed
  std::uint32_t has_results = 0;
  std::uint64_t version_bytes = 0;
  std::uint64_t error_bytes = 0;
  std::uint64_t tick = 0;  // of the entities; 0 if nobody feeds them
};
static_assert(sizeof(AnswerHead) == sizeof(frBatchResult) + 40 && sizeof(frBatchResult) % 8 == 0);

// Returns the bytes of a part, with those that fill it up to a multiple of 8. Requires: bytes is
// below 2^63.
constexpr std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + 7) & ~std::uint64_t{7};
}

// Returns the bytes of an answer of a verb to one line.
constexpr std::size_t answerBytes(std::uint32_t verb) {
  if (verb == kClosestHits) return sizeof(frHit);
  return verb == kCompactHits ? sizeof(frCompactHit) : sizeof(std::uint8_t);
}

// Returns the bytes of a number of vectors.
constexpr std::uint32_t numberBytes(std::int32_t format) {
  return format == FR_F32 ? 4 : 8;
}

}  // namespace fractalray::wire
