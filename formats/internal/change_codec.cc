// SPDX-License-Identifier: Apache-2.0
#include "change_codec.h"

#include <zlib.h>

#include <cstddef>

#include "../../levels/chunk.h"
#include "byte_reader.h"
#include "little_endian.h"

namespace fractalray {
namespace {

constexpr std::uint16_t kReverts = 0x8000;

std::uint32_t checksum(std::string_view changes, std::int64_t region, std::string_view steps) {
  std::string key;
  appendLittle(key, region);
  key += steps;
  uLong sum = crc32_z(0, reinterpret_cast<const Bytef*>(key.data()), key.size());
  sum = crc32_z(sum, reinterpret_cast<const Bytef*>(changes.data()), changes.size());
  return static_cast<std::uint32_t>(sum);
}

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

bool appendSteps(std::string& path, std::span<const std::uint8_t> packed) {
  const std::size_t halves = packed.size() * 2;
  if (halves % 3 == 2 || (halves % 3 == 1 && (packed.back() & 15) != 0)) return false;
  for (std::size_t half = 0; half + halves % 3 < halves; ++half) {
    if (half % 3 == 0 && !path.empty()) path += '_';
    path += "0123456789abcdef"[packed[half / 2] >> (half % 2 == 0 ? 4 : 0) & 15];
  }
  return true;
}

std::string encodeChanges(std::span<const StoredChange> changes, std::int64_t region,
                          std::string_view steps) {
  std::string bytes;
  bytes.reserve(changes.size() * 4 + 4);
  for (const StoredChange& change : changes) {
    const auto block = static_cast<std::uint16_t>(change.block);
    const bool reverts = change.reverts_at.has_value();
    appendLittle(bytes, reverts ? static_cast<std::uint16_t>(block | kReverts) : block);
    appendLittle(bytes, change.type);
    if (reverts) appendLittle(bytes, *change.reverts_at);
  }
  appendLittle(bytes, checksum(bytes, region, steps));
  return bytes;
}

std::optional<std::vector<StoredChange>> decodeChanges(std::span<const std::uint8_t> bytes,
                                                       std::int64_t region,
                                                       std::string_view steps) {
  if (bytes.size() < sizeof(std::uint32_t)) return std::nullopt;
  const auto content = bytes.first(bytes.size() - sizeof(std::uint32_t));
  ByteReader sum(bytes.last(sizeof(std::uint32_t)));
  const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
  if (sum.little<std::uint32_t>() != checksum(text, region, steps)) return std::nullopt;
  ByteReader reader(content);
  std::vector<StoredChange> changes;
  changes.reserve(content.size() / 4);
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

}  // namespace fractalray
