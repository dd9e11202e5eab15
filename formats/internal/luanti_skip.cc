// SPDX-License-Identifier: Apache-2.0
#include "luanti_skip.h"

#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"

#include "../../levels/chunk.h"

namespace fractalray::internal {
namespace {

// Metadata versions: none at all; without, and with, a mark for private metadata.
constexpr int kNoMetadata = 0;
constexpr int kPublicMetadata = 1;
constexpr int kPrivateMetadata = 2;
// A timer is a node's number (16 bits), a timeout and the time elapsed (32 bits each).
constexpr int kTimerBytes = 10;
constexpr std::size_t kNodeNumberBytes = 2;
// Three coordinates of 32 bits.
constexpr std::size_t kObjectPositionBytes = 12;

absl::Status skippedPartCutOff(std::string_view what) {
  return absl::DataLossError(absl::StrCat("the ", std::string(what), " is cut off"));
}

absl::Status unknownVersion(std::string_view what, int version) {
  return absl::DataLossError(
      absl::StrCat("the ", std::string(what), " has the unknown version ", version));
}

// An inventory is text in lines; its last one is "EndInventory", in old files "End".
void skipInventory(ByteReader& bytes) {
  while (bytes.ok()) {
    const std::string_view line = bytes.line();
    if (line == "EndInventory" || line == "End") return;
  }
}

}  // namespace

absl::Status skipNodeMetadata(ByteReader& bytes) {
  const int version = bytes.u8();
  if (bytes.ok() && version == kNoMetadata) return absl::OkStatus();
  if (bytes.ok() && version != kPublicMetadata && version != kPrivateMetadata) {
    return unknownVersion("node metadata", version);
  }
  const int count = bytes.u16();
  for (int i = 0; i < count && bytes.ok(); ++i) {
    const int node = bytes.u16();
    if (node >= kBlocksPerChunk) {
      return absl::DataLossError(absl::StrCat("node metadata is for node ", node, " of 4096"));
    }
    const std::uint32_t variables = bytes.u32();
    for (std::uint32_t j = 0; j < variables && bytes.ok(); ++j) {
      bytes.skip(bytes.u16());
      bytes.skip(bytes.u32());
      if (version == kPrivateMetadata) bytes.skip(1);
    }
    skipInventory(bytes);
  }
  return bytes.ok() ? absl::OkStatus() : skippedPartCutOff("node metadata");
}

absl::Status skipStaticObjects(ByteReader& bytes) {
  const int version = bytes.u8();
  if (version != 0) return unknownVersion("object list", version);
  const int count = bytes.u16();
  for (int i = 0; i < count && bytes.ok(); ++i) {
    bytes.skip(1);  // the kind of object
    bytes.skip(kObjectPositionBytes);
    bytes.skip(bytes.u16());
  }
  return bytes.ok() ? absl::OkStatus() : skippedPartCutOff("object list");
}

absl::Status skipNodeTimers(ByteReader& bytes) {
  const int timer_bytes = bytes.u8();
  const int count = bytes.u16();
  if (!bytes.ok()) return skippedPartCutOff("timer list");
  if (timer_bytes != kTimerBytes) {
    return absl::DataLossError(
        absl::StrCat("the timer list has ", timer_bytes, " bytes a timer; expected ", kTimerBytes));
  }
  for (int i = 0; i < count && bytes.ok(); ++i) {
    const int node = bytes.u16();
    if (node >= kBlocksPerChunk) {
      return absl::DataLossError(absl::StrCat("a timer is for node ", node, " of 4096"));
    }
    bytes.skip(kTimerBytes - kNodeNumberBytes);
  }
  return bytes.ok() ? absl::OkStatus() : skippedPartCutOff("timer list");
}

}  // namespace fractalray::internal
