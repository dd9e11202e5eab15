// SPDX-License-Identifier: Apache-2.0
// Shares the parts of a query log's format that its writer and its reader need. docs/query-log.md
// describes the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../../../core/level_mask.h"
#include "../../../levels/block_type.h"
#include "../../../query/hit.h"
#include "../../../query/terminal_rules.h"
#include "../../internal/byte_reader.h"
#include "../logged_answer.h"
#include "../logged_rules.h"

namespace fractalray::internal {

inline constexpr std::string_view kQueryLogMagic(
    "\x89"
    "FRQLOG\n",
    8);
inline constexpr std::size_t kRecordHeadBytes = 8;  // length and checksum
enum class RecordKind : std::uint8_t { kWorld = 0, kQuery = 1, kEnd = 2, kRules = 3, kMove = 4 };
// Bits of a query's flags.
enum QueryFlag : std::uint8_t {
  kHasFilter = 1,
  kChangedMeanwhile = 2,
  kAnswerLeftOut = 4,
  kHasRules = 8,
  kHasCarried = 16,
  kHasEndTime = 32,
  kHasBegin = 64,
  kAllQueryFlags = 127,
};

// Returns the checksum of a record: the CRC-32 of its length, as the four bytes that it is in the
// log, and of the bytes after the checksum.
std::uint32_t recordChecksum(std::string_view body);

// Reads the length of a name and the name, as every name of a type or channel is written. An error
// goes to `error` unless one is there already; the reader reports if the bytes end too early.
std::string readName(ByteReader& bytes, std::string_view what, std::string& error);

// Appends a hit's bytes, as they are in an answer, also for types and channels that the table
// lacks.
void appendHit(std::string& bytes, const Hit& hit, const BlockTypeTable& types, ChannelId channel);
// Reads the hit that appendHit wrote. An error goes to `error` unless one is there already; the
// reader reports if the bytes end too early.
LoggedHit readHit(ByteReader& bytes, std::string& error);

// Appends the rules' bytes; leaves out rules of types that are not in the table.
void appendRules(std::string& bytes, const TerminalRules& rules, const BlockTypeTable& types);
// Reads the rules that appendRules wrote. An error goes to `error` unless one is there already; the
// reader reports if the bytes end too early.
LoggedRules readRules(ByteReader& bytes, std::string& error);

// Reads the levels of a mask, as bits. An error goes to `error`, as above.
LevelMask readLevelBits(ByteReader& bytes, std::string& error);

}  // namespace fractalray::internal
