// SPDX-License-Identifier: Apache-2.0
#include "change_codec.h"

#include <algorithm>
#include <cstddef>

#include "../../levels/chunk.h"
#include "byte_reader.h"
#include "little_endian.h"

namespace fractalray {
namespace {

constexpr std::uint16_t kReverts = 0x8000;

}  // namespace

std::string packSteps(std::span<const ChunkPath::Step> steps) {
  std::string bytes((steps.size() * 3 + 1) / 2, '\0');
  std::size_t half = 0;
  for (const ChunkPath::Step& step : steps) {
    for (int axis = 0; axis < 3; ++axis, ++half) {
      const int shift = half % 2 == 0 ? 4 : 0;
      bytes[half / 2] = static_cast<char>(bytes[half / 2] | step[axis] << shift);
    }
  }
  return bytes;
}

bool appendSteps(std::string& path, std::string_view packed) {
  const std::size_t halves = packed.size() * 2;
  if (halves % 3 == 2 || (halves % 3 == 1 && (packed.back() & 15) != 0)) return false;
  for (std::size_t half = 0; half + halves % 3 < halves; ++half) {
    if (half % 3 == 0 && !path.empty()) path += '_';
    path +=
        "0123456789abcdef"[static_cast<unsigned char>(packed[half / 2]) >> (half % 2 == 0 ? 4 : 0) &
                           15];
  }
  return true;
}

std::string encodeChanges(std::span<const StoredChange> changes) {
  std::string bytes;
  bytes.reserve(changes.size() * 4);
  for (const StoredChange& change : changes) {
    const auto block = static_cast<std::uint16_t>(change.block);
    const bool reverts = change.reverts_at.has_value();
    appendLittle(bytes, reverts ? static_cast<std::uint16_t>(block | kReverts) : block);
    appendLittle(bytes, change.type);
    if (reverts) appendLittle(bytes, *change.reverts_at);
  }
  return bytes;
}

std::optional<std::vector<StoredChange>> decodeChanges(std::string_view bytes) {
  constexpr std::size_t kMostBytes = 12 * std::size_t{kBlocksPerChunk};  // of changes that revert
  if (bytes.size() > kMostBytes) return std::nullopt;
  ByteReader reader({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  std::vector<StoredChange> changes;
  changes.reserve(bytes.size() / 4);
  int last = -1;
  while (!reader.rest().empty()) {
    const auto head = reader.little<std::uint16_t>();
    StoredChange change{.block = head & ~kReverts, .type = reader.little<std::uint16_t>()};
    if ((head & kReverts) != 0) change.reverts_at = reader.little<std::int64_t>();
    if (!reader.ok() || change.block <= last || change.block >= kBlocksPerChunk) {
      return std::nullopt;
    }
    last = change.block;
    changes.push_back(change);
  }
  return changes;
}

std::optional<std::int64_t> firstTime(std::span<const StoredChange> changes) {
  std::optional<std::int64_t> first;
  for (const StoredChange& change : changes) {
    if (change.reverts_at.has_value()) {
      first = std::min(first.value_or(*change.reverts_at), *change.reverts_at);
    }
  }
  return first;
}

}  // namespace fractalray
