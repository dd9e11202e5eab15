// SPDX-License-Identifier: Apache-2.0
#include "luanti_fixture.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace fractalray::luanti_fixture {
namespace {

void writeMapping(ByteWriter& out, const BlockParts& parts) {
  out.u8(parts.mapping_version).u16(parts.names.size());
  for (const auto& [id, name] : parts.names)
    out.u16(id).u16(name.size()).text(name);
}

Bytes nodeBytes(const BlockParts& parts) {
  ByteWriter out;
  for (const std::uint16_t id : parts.ids)
    out.u16(id);
  out.bytes(Bytes(parts.ids.size(), 0));  // light
  out.bytes(Bytes(parts.param2.begin(), parts.param2.end()));
  return out.written();
}

constexpr std::uint32_t kTimestamp = 0xffffffff;
constexpr std::uint16_t kLightComplete = 0xfffe;

Bytes encodeZlib(const BlockParts& parts) {
  ByteWriter out;
  out.u8(static_cast<unsigned>(parts.version)).u8(parts.flags).u16(kLightComplete);
  out.u8(parts.content_width).u8(parts.params_width);
  out.bytes(packZlib(ByteWriter().bytes(nodeBytes(parts)).bytes(parts.after_nodes).written()));
  out.bytes(packZlib(parts.metadata)).bytes(parts.objects).u32(kTimestamp);
  writeMapping(out, parts);
  out.bytes(parts.timers).bytes(parts.after_all);
  return out.written();
}

Bytes encodeZstd(const BlockParts& parts) {
  ByteWriter out;
  out.u8(parts.flags).u16(kLightComplete).u32(kTimestamp);
  writeMapping(out, parts);
  out.u8(parts.content_width).u8(parts.params_width);
  out.bytes(nodeBytes(parts)).bytes(parts.after_nodes).bytes(parts.metadata);
  out.bytes(parts.objects).bytes(parts.timers).bytes(parts.after_all);
  return ByteWriter()
      .u8(static_cast<unsigned>(parts.version))
      .bytes(packZstd(out.written()))
      .written();
}

}  // namespace

ByteWriter& ByteWriter::number(std::uint64_t value, int count) {
  for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) {
    bytes_.push_back(static_cast<std::uint8_t>(value >> shift));
  }
  return *this;
}

ByteWriter& ByteWriter::text(std::string_view text) {
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  return *this;
}

ByteWriter& ByteWriter::bytes(const Bytes& bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return *this;
}

BlockParts furnishedBlock(int version) {
  BlockParts parts;
  parts.version = version;
  parts.metadata = ByteWriter()
                       .u8(2)
                       .u16(1)
                       .u16(4095)
                       .u32(1)
                       .u16(8)
                       .text("infotext")
                       .u32(5)
                       .text("Chest")
                       .u8(1)
                       .text("List main 2\nItem default:torch 13\nEmpty\nEndInventoryList\n")
                       .text("EndInventory\n")
                       .written();
  parts.objects =
      ByteWriter().u8(0).u16(1).u8(7).u32(1).u32(2).u32(3).u16(4).text("boat").written();
  parts.timers = ByteWriter().u8(10).u16(1).u16(17).u32(1000).u32(500).written();
  return parts;
}

// As Luanti does it: a stream, whose frame does not say how long its content is.
Bytes packZstd(const Bytes& content) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 0);
  Bytes packed(ZSTD_compressBound(content.size()));
  ZSTD_inBuffer in{content.data(), content.size(), 0};
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  EXPECT_EQ(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end), 0U);
  ZSTD_freeCCtx(context);
  packed.resize(out.pos);
  return packed;
}

Bytes packZlib(const Bytes& content) {
  uLongf size = compressBound(content.size());
  Bytes packed(size);
  EXPECT_EQ(compress(packed.data(), &size, content.data(), content.size()), Z_OK);
  packed.resize(size);
  return packed;
}

Bytes encode(const BlockParts& parts) {
  return parts.version == 28 ? encodeZlib(parts) : encodeZstd(parts);
}

TempDirectory::TempDirectory(const std::filesystem::path& parent) {
  std::string name = (parent / "fractalray_XXXXXX").string();
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  path_ = name;
}

TempDirectory::~TempDirectory() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

void writeFile(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  EXPECT_TRUE(file.flush().good()) << path;
}

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Database::Database(const std::string& path) {
  EXPECT_EQ(sqlite3_open(path.c_str(), &database_), SQLITE_OK);
}

Database::~Database() {
  EXPECT_EQ(sqlite3_close(database_), SQLITE_OK);
}

void Database::run(const std::string& sql, const Bytes& blob) {
  sqlite3_stmt* statement = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
      << sql << ": " << sqlite3_errmsg(database_);
  if (sqlite3_bind_parameter_count(statement) == 1) {
    // A null pointer would be taken for NULL.
    const void* const data = blob.empty() ? "" : static_cast<const void*>(blob.data());
    EXPECT_EQ(sqlite3_bind_blob64(statement, 1, data, blob.size(), SQLITE_TRANSIENT), SQLITE_OK);
  }
  int outcome = SQLITE_ROW;
  while (outcome == SQLITE_ROW)
    outcome = sqlite3_step(statement);
  EXPECT_EQ(outcome, SQLITE_DONE) << sql << ": " << sqlite3_errmsg(database_);
  sqlite3_finalize(statement);
}

void Database::createWithColumns() {
  run("CREATE TABLE blocks (x INTEGER, y INTEGER, z INTEGER, data BLOB NOT NULL, "
      "PRIMARY KEY (x, z, y))");
}

void Database::putKeyed(const ChunkCoord& at, const Bytes& blob) {
  run(absl::StrCat("INSERT INTO blocks VALUES (", keyOf(at[0], at[1], at[2]), ", ?)"), blob);
}

void Database::putInColumns(const ChunkCoord& at, const Bytes& blob) {
  run(absl::StrCat("INSERT INTO blocks VALUES (", at[0], ", ", at[1], ", ", at[2], ", ?)"), blob);
}

}  // namespace fractalray::luanti_fixture
