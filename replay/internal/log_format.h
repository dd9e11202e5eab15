// SPDX-License-Identifier: Apache-2.0
// The parts of a query log's format that its writer and its reader share. docs/query-log.md
// describes the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../../core/level_mask.h"
#include "../../formats/internal/byte_reader.h"
#include "../../levels/block_type.h"
#include "../../query/hit.h"
#include "../../query/terminal_rules.h"
#include "../logged_answer.h"
#include "../logged_rules.h"

namespace fractalray::internal {

inline constexpr std::string_view kQueryLogMagic(
    "\x89"
    "FRQLOG\n",
    8);
inline constexpr std::size_t kRecordHeadBytes = 8;  // length and checksum
enum class RecordKind : std::uint8_t { kWorld = 0, kQuery = 1, kEnd = 2, kRules = 3 };
// Bits of a query's flags.
enum QueryFlag : std::uint16_t {
  kMeetsBlocks = 1,
  kMeetsEntities = 2,
  kSolidOnly = 4,
  kSkipStartInside = 8,
  kReportUnknown = 16,
  kStopAtUnknown = 32,
  kPlainPass = 64,
  kHasFilter = 128,
  kChangedMeanwhile = 256,
  kAnswerLeftOut = 512,
  kQueryFlagsOfVersion1 = 1023,
  kHasRules = 1024,
  kHasCarried = 2048,
  kQueryFlagsOfVersion2 = 4095,
  kHasEndTime = 4096,
  kAllQueryFlags = 8191,
};
// Bits of a rule's flags.
enum RuleFlag : std::uint8_t {
  kTouchCosts = 1,
  kRuleFlagsOfVersion4 = 1,
  kPerPane = 2,
  kAllRuleFlags = 3,
};
// The first version whose rules may have all of them.
inline constexpr std::uint16_t kVersionWithPanes = 7;

// The checksum of a record: the CRC-32 of its length, as the four bytes that it is in the log, and
// of what follows the checksum.
std::uint32_t recordChecksum(std::string_view body);

// A hit's bytes, as they are in an answer; of types and in channels that are not in the table too.
void appendHit(std::string& bytes, const Hit& hit, const BlockTypeTable& types, ChannelId channel);
// The hit that appendHit wrote. What is wrong goes to `error` where nothing is there yet; that the
// bytes end too early is told by the reader.
LoggedHit readHit(ByteReader& bytes, std::string& error);

// Appends the rules' bytes; those of types that are not in the table are left out.
void appendRules(std::string& bytes, const TerminalRules& rules, const BlockTypeTable& types);
// The rules that appendRules wrote, of that version of the format. What is wrong goes to `error`
// where nothing is there yet; that the bytes end too early is told by the reader.
LoggedRules readRules(ByteReader& bytes, std::uint16_t version, std::string& error);

// The levels of a mask, as bits. What is wrong goes to `error`, as above.
LevelMask readLevelBits(ByteReader& bytes, std::string& error);

}  // namespace fractalray::internal
