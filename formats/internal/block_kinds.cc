// SPDX-License-Identifier: Apache-2.0
#include "block_kinds.h"

#include <array>

namespace fractalray {
namespace {

BlockKind readKind(const JsonReader& value) {
  static constexpr std::array<std::pair<std::string_view, BlockKind>, 3> kKinds = {
      {{"empty", BlockKind::kEmpty},
       {"permeable", BlockKind::kPermeable},
       {"solid", BlockKind::kSolid}}};
  return value.choice(kKinds);
}

}  // namespace

BlockTypeSpec readBlockKinds(const JsonReader& value, std::string name, BlockTypeTable& types) {
  BlockTypeSpec spec{.name = std::move(name), .kind = BlockKind::kSolid, .channel_kinds = {}};
  if (!value.value().is_object()) {
    spec.kind = readKind(value);
    return spec;
  }
  spec.kind = readKind(value.member("default"));
  value.forEachMember([&](const std::string& channel_name, const JsonReader& kind) {
    if (channel_name == "default") return;
    const absl::StatusOr<ChannelId> channel = types.addChannel(channel_name);
    kind.failIfError(channel.status());
    if (channel.ok()) spec.channel_kinds.emplace_back(*channel, readKind(kind));
  });
  return spec;
}

}  // namespace fractalray
