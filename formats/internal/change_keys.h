// SPDX-License-Identifier: Apache-2.0
// The rows of a change store (change_rows.h), by the first byte of their keys. Numbers are those of
// appendOrdered(), so that the changes of chunks near each other are too.
//
//   key                       value
//   c region steps            the changes of a chunk: change_codec.h
//   d time region steps       nothing: a chunk has changes to revert, the first of them at that
//   time i region                  its parent, and the steps from there r parent steps the region
//   t number                  the name of a block type; the number has 2 bytes, the higher first
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fractalray {

// The key of a chunk: its region (change_regions.h), and the packed steps after that. Region 0 is
// the root.
struct ChunkKey {
  std::int64_t region = 0;
  std::string steps;

  friend bool operator==(const ChunkKey&, const ChunkKey&) = default;
};
// A time at which changes of a chunk revert.
struct DueKey {
  std::int64_t time = 0;
  ChunkKey chunk;
};

// The marks before the rows of each kind, and after the last.
inline constexpr std::string_view kChunkRows = "c";
inline constexpr std::string_view kDueRows = "d";
inline constexpr std::string_view kRegionIdRows = "i";
inline constexpr std::string_view kRegionRows = "r";
inline constexpr std::string_view kTypeRows = "t";
inline constexpr std::string_view kEndOfRows = "u";
inline constexpr std::array kRowMarks = {kChunkRows,  kDueRows,  kRegionIdRows,
                                         kRegionRows, kTypeRows, kEndOfRows};

std::string rowKey(const ChunkKey& chunk);
std::string rowKey(const DueKey& due);
std::string regionIdKey(std::int64_t region);
std::string regionKey(std::int64_t parent, std::string_view steps);
std::string typeKey(std::uint16_t number);

// Returns the key before which all times up to `now` are.
std::string endOfDue(std::int64_t now);

// Return what the key of a row says, nothing for an impossible key.
std::optional<DueKey> parseDueKey(std::string_view key);
std::optional<std::int64_t> parseRegionIdKey(std::string_view key);

}  // namespace fractalray
