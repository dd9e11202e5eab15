// SPDX-License-Identifier: Apache-2.0
#include "change_keys.h"

#include <cstddef>

#include "change_rows.h"

namespace fractalray {
namespace {

constexpr std::size_t kTimeBytes = 8;

// Appends the bytes of a number of fixed length, the highest first.
void appendBig(std::string& bytes, std::uint64_t number, std::size_t length) {
  for (std::size_t i = length; i-- > 0;)
    bytes += static_cast<char>(number >> (8 * i) & 0xff);
}

// Returns a time as a number that is greater for a later time; its own inverse.
std::uint64_t withoutSign(std::uint64_t time) {
  return time ^ std::uint64_t{1} << 63;
}

std::string dueKeyOf(std::int64_t time) {
  std::string key(kDueRows);
  appendBig(key, withoutSign(static_cast<std::uint64_t>(time)), kTimeBytes);
  return key;
}

}  // namespace

std::string rowKey(const ChunkKey& chunk) {
  std::string key(kChunkRows);
  appendOrdered(key, chunk.region);
  return key + chunk.steps;
}

std::string rowKey(const DueKey& due) {
  std::string key = dueKeyOf(due.time);
  appendOrdered(key, due.chunk.region);
  return key + due.chunk.steps;
}

std::string regionIdKey(std::int64_t region) {
  std::string key(kRegionIdRows);
  appendOrdered(key, region);
  return key;
}

std::string regionKey(std::int64_t parent, std::string_view steps) {
  std::string key(kRegionRows);
  appendOrdered(key, parent);
  key += steps;
  return key;
}

std::string typeKey(std::uint16_t number) {
  std::string key(kTypeRows);
  appendBig(key, number, sizeof number);
  return key;
}

std::string endOfDue(std::int64_t now) {
  // After the time comes the length of a number, at most 8.
  return dueKeyOf(now) + '\xff';
}

std::optional<DueKey> parseDueKey(std::string_view key) {
  if (!key.starts_with(kDueRows)) return std::nullopt;
  key.remove_prefix(kDueRows.size());
  if (key.size() < kTimeBytes) return std::nullopt;
  std::uint64_t time = 0;
  for (const char byte : key.substr(0, kTimeBytes))
    time = time << 8 | static_cast<unsigned char>(byte);
  key.remove_prefix(kTimeBytes);
  const std::optional<std::int64_t> region = takeOrdered(key);
  if (!region.has_value()) return std::nullopt;
  return DueKey{static_cast<std::int64_t>(withoutSign(time)), {*region, std::string(key)}};
}

std::optional<std::int64_t> parseRegionIdKey(std::string_view key) {
  if (!key.starts_with(kRegionIdRows)) return std::nullopt;
  key.remove_prefix(kRegionIdRows.size());
  return takeOrdered(key);
}

}  // namespace fractalray
