// SPDX-License-Identifier: Apache-2.0
// Makes Luanti maps for tests: mapblocks as blobs, right or wrong in any part, and databases of
// them.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/vec.h"
#include "../../levels/chunk.h"

struct sqlite3;

namespace fractalray::luanti_fixture {

using Bytes = std::vector<std::uint8_t>;

// Writes big-endian numbers.
class ByteWriter {
 public:
  ByteWriter& number(std::uint64_t value, int count);
  ByteWriter& u8(std::uint64_t value) { return number(value, 1); }
  ByteWriter& u16(std::uint64_t value) { return number(value, 2); }
  ByteWriter& u32(std::uint64_t value) { return number(value, 4); }
  ByteWriter& text(std::string_view text);
  ByteWriter& bytes(const Bytes& bytes);

  const Bytes& written() const { return bytes_; }

 private:
  Bytes bytes_;
};

// The parts of a mapblock before they are packed; by default one of air, as Luanti would write it.
struct BlockParts {
  int version = 29;
  std::uint8_t flags = 0;
  std::uint8_t mapping_version = 0;
  std::vector<std::pair<std::uint16_t, std::string>> names = {{126, "air"}};
  std::uint8_t content_width = 2;
  std::uint8_t params_width = 2;
  std::array<std::uint16_t, kBlocksPerChunk> ids;
  std::array<std::uint8_t, kBlocksPerChunk> param2{};
  Bytes metadata = {0};
  Bytes objects = {0, 0, 0};
  Bytes timers = {10, 0, 0};
  Bytes after_nodes;  // after the nodes, within the zlib stream that they have in version 28
  Bytes after_all;    // at the end, still within the packed data of version 29

  BlockParts() { ids.fill(126); }
};

// Returns metadata with a private variable and an inventory, an object and a timer: parts of a
// block in use.
BlockParts furnishedBlock(int version);

Bytes packZstd(const Bytes& content);
Bytes packZlib(const Bytes& content);
// Returns the blob, in the layout of version 28 for that, else in that of 29.
Bytes encode(const BlockParts& parts);

// Returns the key of a mapblock in the older schema.
constexpr std::int64_t keyOf(std::int64_t x, std::int64_t y, std::int64_t z) {
  return z * 16777216 + y * 4096 + x;
}

// A directory that exists as long as this object.
class TempDirectory {
 public:
  explicit TempDirectory(
      const std::filesystem::path& parent = std::filesystem::temp_directory_path());
  ~TempDirectory();
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;

  std::string path() const { return path_.string(); }
  std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

void writeFile(const std::string& path, std::string_view content);
// Returns the bytes of a file, none if it cannot be read.
std::string contentOf(const std::string& path);

// A database being written; a statement that fails fails the test.
class Database {
 public:
  explicit Database(const std::string& path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Runs SQL, with the blob for its one parameter if it has one.
  void run(const std::string& sql, const Bytes& blob = {});

  // Make tables as Luanti does, up to 5.11 and since then, and their mapblocks.
  void createKeyed() { run("CREATE TABLE blocks (pos INT PRIMARY KEY, data BLOB)"); }
  void createWithColumns();
  void putKeyed(const ChunkCoord& at, const Bytes& blob);
  void putInColumns(const ChunkCoord& at, const Bytes& blob);

 private:
  sqlite3* database_ = nullptr;
};

}  // namespace fractalray::luanti_fixture
