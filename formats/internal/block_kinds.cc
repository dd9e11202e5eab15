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

ShapeBox readShapeBox(const JsonReader& value) {
  if (!value.isArrayOf(2, "corners")) return {};
  const Vec3d min = value.element(0).numbers<3>();
  const Vec3d max = value.element(1).numbers<3>();
  if (!value.ok()) return {};
  const absl::StatusOr<ShapeBox> box = shapeBox(min, max);
  value.failIfError(box.status());
  return box.value_or(ShapeBox{});
}

// Returns the shape that is the union of boxes, which is added to the table.
ShapeId readShape(const JsonReader& value, BlockTypeTable& types) {
  value.failIfError(checkBoxCount(value.size()));
  if (!value.ok()) return kWholeCube;
  std::vector<ShapeBox> boxes;
  value.forEachElement([&](const JsonReader& box) { boxes.push_back(readShapeBox(box)); });
  if (!value.ok()) return kWholeCube;
  const absl::StatusOr<ShapeId> shape = types.addShape(boxes);
  value.failIfError(shape.status());
  return shape.value_or(kWholeCube);
}

// A kind, and a shape if the value has one.
struct Look {
  BlockKind kind = BlockKind::kEmpty;
  std::optional<ShapeId> shape{};
};

// Reads "solid", or {"kind": "solid", "boxes": [[[0, 0, 0], [1, 0.5, 1]]]}, which is the whole cube
// without boxes.
Look readLook(const JsonReader& value, BlockTypeTable& types) {
  if (!value.value().is_object()) return {.kind = readKind(value)};
  Look look{.kind = readKind(value.member("kind")), .shape = kWholeCube};
  if (const auto boxes = value.find("boxes")) look.shape = readShape(*boxes, types);
  value.refuseOthers();
  return look;
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
  BlockTypeSpec spec{.name = std::move(name)};
  const Json& given = value.value();
  const bool is_look = given.is_object() && given.contains("kind") && !given.contains("default");
  const bool by_channel = given.is_object() && !is_look;
  const Look usual = readLook(by_channel ? value.member("default") : value, types);
  spec.kind = usual.kind;
  spec.shape = usual.shape.value_or(kWholeCube);
  if (!by_channel) return spec;
  value.forEachMember([&](const std::string& channel_name, const JsonReader& kind) {
    if (channel_name == "default") return;
    const absl::StatusOr<ChannelId> channel = addChannel(channel_name, types);
    kind.failIfError(channel.status());
    if (!channel.ok()) return;
    const Look look = readLook(kind, types);
    spec.channel_kinds.emplace_back(*channel, look.kind);
    if (look.shape.has_value()) spec.channel_shapes.emplace_back(*channel, *look.shape);
  });
  return spec;
}

}  // namespace fractalray
