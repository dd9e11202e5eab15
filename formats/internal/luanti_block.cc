// SPDX-License-Identifier: Apache-2.0
#include "luanti_block.h"

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "luanti_skip.h"
#include "out_of_memory.h"

namespace fractalray {
namespace {

// From this version on everything after the version number is one zstd frame; before, its large
// parts were zlib streams and the names came after the nodes.
constexpr int kZstdVersion = kNewestSerialization;
constexpr int kZlibVersion = kOldestSerialization;
// The engine's sources say "not generated" of this bit; its documentation says the opposite.
constexpr int kNotGenerated = 0x08;
constexpr std::size_t kIds = 65536;
// A node's param1 and param2 (light; rotation or liquid level), a byte each.

absl::Status cutOff(std::string_view what) {
  return absl::DataLossError(absl::StrCat("the data ends within the ", std::string(what)));
}

absl::Status wrongNumber(std::string_view what, int value, int expected) {
  return absl::DataLossError(
      absl::StrCat("the ", std::string(what), " is ", value, "; expected ", expected));
}

absl::Status checkEnd(std::size_t left, std::string_view what) {
  if (left == 0) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(left, left == 1 ? " byte follows" : " bytes follow",
                                          " the end of the ", std::string(what)));
}

void readFlags(ByteReader& bytes, LuantiBlock& block) {
  block.generated = (bytes.u8() & kNotGenerated) == 0;
  bytes.skip(2);  // which sides have complete light
}

absl::Status readWidths(ByteReader& bytes) {
  const int content_width = bytes.u8();
  const int parameter_width = bytes.u8();
  if (!bytes.ok()) return cutOff("header");
  if (content_width != 2) return wrongNumber("width of node ids in bytes", content_width, 2);
  if (parameter_width != 2)
    return wrongNumber("width of node parameters in bytes", parameter_width, 2);
  return absl::OkStatus();
}

absl::Status readNodes(ByteReader& bytes, LuantiBlock& block) {
  for (std::uint16_t& node : block.nodes)
    node = bytes.u16();
  bytes.skip(block.nodes.size());  // param1: light
  for (std::uint8_t& param2 : block.param2)
    param2 = bytes.u8();
  return bytes.ok() ? absl::OkStatus() : cutOff("nodes");
}

}  // namespace

absl::Status LuantiBlockDecoder::decode(ByteSpan blob, LuantiBlock& block) {
  if (blob.empty()) return absl::DataLossError("the data is empty");
  const int version = blob.front();
  if (version != kZstdVersion && version != kZlibVersion) {
    return absl::UnimplementedError(absl::StrCat("unknown serialization version ", version,
                                                 "; versions 28 and 29 can be read"));
  }
  return internal::catchBadAlloc("the mapblock", [&] {
    block.names.clear();
    absl::Status status = version == kZstdVersion ? decodeZstd(blob.subspan(1), block)
                                                  : decodeZlib(blob.subspan(1), block);
    if (status.ok()) status = resolveNodes(block);
    return status;
  });
}

absl::Status LuantiBlockDecoder::decodeZstd(ByteSpan blob, LuantiBlock& block) {
  const absl::StatusOr<std::size_t> taken = decompressor_.unpackZstd(blob, content_);
  if (!taken.ok()) return taken.status();
  absl::Status status = checkEnd(blob.size() - *taken, "zstd data");
  ByteReader bytes(content_);
  readFlags(bytes, block);
  bytes.skip(4);  // the time of saving
  status.Update(readMapping(bytes, block));
  if (status.ok()) status = readWidths(bytes);
  if (status.ok()) status = readNodes(bytes, block);
  if (status.ok()) status = internal::skipNodeMetadata(bytes);
  if (status.ok()) status = internal::skipStaticObjects(bytes);
  if (status.ok()) status = internal::skipNodeTimers(bytes);
  if (status.ok()) status = checkEnd(bytes.rest().size(), "mapblock");
  return status;
}

absl::Status LuantiBlockDecoder::decodeZlib(ByteSpan blob, LuantiBlock& block) {
  ByteReader bytes(blob);
  readFlags(bytes, block);
  absl::Status status = readWidths(bytes);
  // Unpacks a stream within the blob, all of whose content `read` has to take.
  const auto read_stream = [&](std::string_view what, auto&& read) {
    const absl::StatusOr<std::size_t> taken = decompressor_.unpackZlib(bytes.rest(), content_);
    if (!taken.ok()) return taken.status();
    bytes.skip(*taken);
    ByteReader stream(content_);
    absl::Status outcome = read(stream);
    return outcome.ok() ? checkEnd(stream.rest().size(), what) : outcome;
  };
  if (status.ok()) {
    status = read_stream("nodes", [&](ByteReader& stream) { return readNodes(stream, block); });
  }
  if (status.ok()) status = read_stream("node metadata", internal::skipNodeMetadata);
  if (status.ok()) status = internal::skipStaticObjects(bytes);
  bytes.skip(4);  // the time of saving
  if (status.ok()) status = readMapping(bytes, block);
  if (status.ok()) status = internal::skipNodeTimers(bytes);
  if (status.ok()) status = checkEnd(bytes.rest().size(), "mapblock");
  return status;
}

absl::Status LuantiBlockDecoder::readMapping(ByteReader& bytes, LuantiBlock& block) {
  const int version = bytes.u8();
  const int count = bytes.u16();
  if (bytes.ok() && version != 0) return wrongNumber("version of the table of names", version, 0);
  mapped_ids_.clear();
  for (int i = 0; i < count && bytes.ok(); ++i) {
    mapped_ids_.push_back(bytes.u16());
    const std::string_view name = bytes.text(bytes.u16());
    if (name.size() > kMaxNodeNameBytes) {
      return absl::DataLossError(absl::StrCat("id ", mapped_ids_.back(), " has a name of ",
                                              name.size(), " bytes; at most ", kMaxNodeNameBytes,
                                              " are possible"));
    }
    if (bytes.ok() && name.empty()) {
      return absl::DataLossError(absl::StrCat("id ", mapped_ids_.back(), " has an empty name"));
    }
    block.names.emplace_back(name);
  }
  return bytes.ok() ? absl::OkStatus() : cutOff("table of names");
}

absl::Status LuantiBlockDecoder::resolveNodes(LuantiBlock& block) {
  names_by_id_.resize(kIds, 0);
  const absl::Cleanup clean_for_the_next_block = [this] {
    for (const std::uint16_t id : mapped_ids_)
      names_by_id_[id] = 0;
  };
  absl::Status status;
  std::uint32_t ordinal = 0;
  for (const std::uint16_t id : mapped_ids_) {
    if (names_by_id_[id] != 0) {
      status.Update(absl::DataLossError(absl::StrCat("id ", id, " has two names")));
    }
    names_by_id_[id] = ++ordinal;
  }
  for (std::size_t i = 0; i < block.nodes.size(); ++i) {
    const std::uint32_t name = names_by_id_[block.nodes[i]];
    if (name == 0) {
      status.Update(absl::DataLossError(
          absl::StrCat("node ", i, " has id ", block.nodes[i], ", which has no name")));
      break;
    }
    block.nodes[i] = static_cast<std::uint16_t>(name - 1);
  }
  return status;
}

}  // namespace fractalray
