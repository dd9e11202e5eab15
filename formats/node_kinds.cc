// SPDX-License-Identifier: Apache-2.0
#include "node_kinds.h"

#include <new>

#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../core/printable.h"
#include "internal/block_kinds.h"
#include "internal/block_type_merge.h"
#include "internal/luanti_nodes.h"
#include "internal/out_of_memory.h"
#include "json.h"
#include "json_document.h"

namespace fractalray {

NodeKinds::Kinds NodeKinds::named(const BlockTypeSpec& spec, const BlockTypeTable& types) {
  Kinds kinds{.kind = spec.kind, .by_channel = {}};
  for (const auto& [channel, kind] : spec.channel_kinds) {
    kinds.by_channel.emplace_back(types.channelName(channel), kind);
  }
  return kinds;
}

absl::StatusOr<NodeKinds> NodeKinds::parse(std::string_view text, std::string_view name,
                                           const InputLimits& limits) {
  return internal::catchBadAlloc(name, [&]() -> absl::StatusOr<NodeKinds> {
    const absl::StatusOr<JsonDocument> document = parseJson(text, name, limits);
    if (!document.ok()) return document.status();
    return fromJson(document->root(), name);
  });
}

absl::StatusOr<NodeKinds> NodeKinds::fromJson(const Json& document, std::string_view name) {
  absl::Status error;
  const JsonReader root(document, error);
  BlockTypeTable channels;  // for its channels alone
  NodeKinds table;
  table.default_ = named(readBlockKinds(root.member("default"), "", channels), channels);
  root.forEachMember([&](const std::string& member, const JsonReader& value) {
    if (member == "default") return;
    if (member != "types") {
      return value.fail(R"(unknown member; a table of node kinds has "default" and "types")");
    }
    value.forEachMember([&](const std::string& node, const JsonReader& kinds) {
      if (node.empty()) return kinds.fail("a node needs a name");
      table.kinds_.emplace(node, named(readBlockKinds(kinds, node, channels), channels));
    });
  });
  if (!error.ok()) {
    return absl::Status(error.code(), absl::StrCat(printablePath(name), ": ", error.message()));
  }
  for (std::size_t i = 1; i < channels.channels(); ++i) {
    table.channels_.push_back(channels.channelName(static_cast<ChannelId>(i)));
  }
  return table;
}

absl::StatusOr<NodeKinds> NodeKinds::read(const std::string& path, const InputLimits& limits) {
  const absl::StatusOr<std::string> text = readFile(path, limits);
  if (!text.ok()) return text.status();
  return parse(*text, path, limits);
}

const NodeKinds& NodeKinds::builtin() {
  static const NodeKinds kTable = [] {
    absl::StatusOr<NodeKinds> table = parse(internal::luantiNodesJson(), "luanti_nodes.json");
    // The next call tries again.
    if (absl::IsResourceExhausted(table.status())) throw std::bad_alloc();
    FRACTALRAY_CHECK_OK(table);  // a test reads it too
    return *std::move(table);
  }();
  return kTable;
}

absl::Status NodeKinds::addChannels(BlockTypeTable& types) const {
  absl::Status status = checkKinds(types.size(), types.channels() + channels_.size());
  if (!status.ok()) return status;
  for (const std::string& channel : channels_) {
    const absl::StatusOr<ChannelId> added = types.addChannel(channel);
    if (!added.ok()) return added.status();
  }
  return absl::OkStatus();
}

absl::StatusOr<BlockTypeId> NodeKinds::addType(std::string_view node, BlockTypeTable& types) const {
  const bool is_listed = lists(node);
  absl::StatusOr<BlockTypeSpec> spec = specOf(node, default_.kind, types);
  if (!spec.ok()) return spec.status();
  if (!is_listed) {
    absl::Status status = addKinds(default_, types, *spec);
    if (!status.ok()) return status;
  }
  return findOrAddBlockType(types, *std::move(spec));
}

absl::StatusOr<BlockTypeSpec> NodeKinds::specOf(std::string_view node, BlockKind usual,
                                                BlockTypeTable& types) const {
  BlockTypeSpec spec{.name = std::string(node), .kind = usual, .channel_kinds = {}};
  if (const auto listed = kinds_.find(spec.name); listed != kinds_.end()) {
    spec.kind = listed->second.kind;
    absl::Status status = addKinds(listed->second, types, spec);
    if (!status.ok()) return status;
  }
  return spec;
}

absl::Status NodeKinds::addKinds(const Kinds& kinds, BlockTypeTable& types, BlockTypeSpec& spec) {
  if (absl::Status status = checkKinds(types.size() + 1, types.channels()); !status.ok()) {
    return status;
  }
  for (const auto& [channel_name, kind] : kinds.by_channel) {
    const absl::StatusOr<ChannelId> channel = types.addChannel(channel_name);
    if (!channel.ok()) return channel.status();
    spec.channel_kinds.emplace_back(*channel, kind);
  }
  return absl::OkStatus();
}

}  // namespace fractalray
