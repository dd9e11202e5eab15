// SPDX-License-Identifier: Apache-2.0
#include "block_kinds.h"

#include <array>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

#include "../json_document.h"

namespace fractalray {
namespace {

BlockKind readKind(const JsonReader& value) {
  static constexpr std::array<std::pair<std::string_view, BlockKind>, 3> kKinds = {
      {{"empty", BlockKind::kEmpty},
       {"permeable", BlockKind::kPermeable},
       {"solid", BlockKind::kSolid}}};
  return value.choice(kKinds);
}

// Returns the channel of that name, which is added if there is none.
absl::StatusOr<ChannelId> addChannel(const std::string& name, BlockTypeTable& types) {
  if (const std::optional<ChannelId> known = types.findChannel(name)) return *known;
  if (absl::Status status = checkKinds(types.size(), types.channels() + 1); !status.ok()) {
    return status;
  }
  return types.addChannel(name);
}

}  // namespace

absl::Status checkKinds(std::size_t types, std::size_t channels) {
  if (types <= kMaxKinds / channels) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(types, " block types in ", channels,
                                                   " channels have more than ", kMaxKinds,
                                                   " kinds; use fewer channels"));
}

BlockTypeSpec readBlockKinds(const JsonReader& value, std::string name, BlockTypeTable& types) {
  BlockTypeSpec spec{.name = std::move(name), .kind = BlockKind::kSolid, .channel_kinds = {}};
  if (!value.value().is_object()) {
    spec.kind = readKind(value);
    return spec;
  }
  spec.kind = readKind(value.member("default"));
  value.forEachMember([&](const std::string& channel_name, const JsonReader& kind) {
    if (channel_name == "default") return;
    const absl::StatusOr<ChannelId> channel = addChannel(channel_name, types);
    kind.failIfError(channel.status());
    if (channel.ok()) spec.channel_kinds.emplace_back(*channel, readKind(kind));
  });
  return spec;
}

}  // namespace fractalray
