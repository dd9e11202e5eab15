// SPDX-License-Identifier: Apache-2.0
#include "node_definitions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../core/printable.h"
#include "input_file.h"
#include "internal/node_boxes.h"
#include "internal/out_of_memory.h"
#include "json_document.h"

namespace fractalray {
namespace {

// Boxes of nodes reach into neighbours, but never so far, in node widths.
constexpr double kFarthest = 1000;
// The most texts of damage that are kept.
constexpr std::size_t kMostDamages = 100;
// As many as ids of nodes. A definition takes about a kilobyte, however short its line.
constexpr std::size_t kMostDefinitions = 65'536;

// Returns true if one more name is too many.
template <class Table>
bool isFull(const Table& table, const std::string& name) {
  return table.size() >= kMostDefinitions && !table.contains(name);
}

constexpr std::array<std::string_view, kNodeSides> kSideNames = {"top",  "bottom", "front",
                                                                 "left", "back",   "right"};

Boxd readBox(const JsonReader& list) {
  const auto corners = list.numbers<6>();
  Boxd box;
  for (int axis = 0; axis < 3; ++axis) {
    const double a = corners[axis];
    const double b = corners[axis + 3];
    if (std::abs(a) > kFarthest || std::abs(b) > kFarthest)
      list.fail("a box that reaches more than 1000 nodes away");
    box.min[axis] = std::min(a, b);
    box.max[axis] = std::max(a, b);
  }
  return box;
}

// Reads a box, or a list of boxes; none if the member is absent.
NodeBoxList readBoxes(const JsonReader& box, const std::string& member) {
  NodeBoxList boxes;
  const auto list = box.find(member);
  if (!list.has_value() || list->value().empty()) return boxes;
  if (list->size() > 0 && list->element(0).value().is_number()) return {readBox(*list)};
  list->forEachElement([&](const JsonReader& element) { boxes.push_back(readBox(element)); });
  return boxes;
}

NodeBox readNodeBox(const JsonReader& json) {
  using Kind = NodeBox::Kind;
  static constexpr auto kKinds =
      std::to_array<std::pair<std::string_view, Kind>>({{"regular", Kind::kRegular},
                                                        {"fixed", Kind::kFixed},
                                                        {"leveled", Kind::kLeveled},
                                                        {"wallmounted", Kind::kWallmounted},
                                                        {"connected", Kind::kConnected}});
  NodeBox box;
  if (const auto type = json.find("type"); type.has_value()) box.kind = type->choice(kKinds);
  if (box.kind == Kind::kRegular) return box;
  const auto read = [&](const std::string& member) { return readBoxes(json, member); };
  box.fixed = read("fixed");
  box.wall_top = read("wall_top");
  box.wall_bottom = read("wall_bottom");
  box.wall_side = read("wall_side");
  for (std::size_t side = 0; side < kNodeSides; ++side) {
    const std::string name(kSideNames[side]);
    box.connect[side] = read(absl::StrCat("connect_", name));
    box.disconnected_side[side] = read(absl::StrCat("disconnected_", name));
  }
  box.disconnected = read("disconnected");
  box.disconnected_sides = read("disconnected_sides");
  if (const std::size_t most = mostBoxes(box); most > kMaxShapeBoxes) {
    json.fail(absl::StrCat(most, " boxes at once; a node may have ", kMaxShapeBoxes,
                           ": join some of them"));
  }
  return box;
}

std::string textOr(const JsonReader& json, std::string_view member, std::string usual) {
  const auto found = json.find(member);
  return found.has_value() ? found->text() : std::move(usual);
}
bool flagOr(const JsonReader& json, std::string_view member, bool usual) {
  const auto found = json.find(member);
  return found.has_value() ? found->boolean() : usual;
}

// Reads a text, or a list of texts.
std::vector<std::string> readTexts(const JsonReader& json, std::string_view member) {
  std::vector<std::string> texts;
  const auto list = json.find(member);
  if (!list.has_value()) return texts;
  if (list->value().is_string()) return {list->text()};
  if (list->value().empty()) return texts;  // Luanti writes an empty list as an object
  list->forEachElement([&](const JsonReader& element) { texts.push_back(element.text()); });
  return texts;
}

std::uint8_t readSides(const JsonReader& json) {
  std::uint8_t sides = 0;
  for (const std::string& text : readTexts(json, "connect_sides")) {
    const auto* const found = std::find(kSideNames.begin(), kSideNames.end(), text);
    if (found != kSideNames.end())
      sides = static_cast<std::uint8_t>(sides | 1U << (found - kSideNames.begin()));
  }
  return sides;
}

NodeDefinition::Param2 readParam2(const std::string& text) {
  using Param2 = NodeDefinition::Param2;
  if (text == "facedir" || text == "colorfacedir") return Param2::kFacedir;
  if (text == "4dir" || text == "color4dir") return Param2::k4dir;
  if (text == "wallmounted" || text == "colorwallmounted") return Param2::kWallmounted;
  return text == "leveled" ? Param2::kLeveled : Param2::kNone;
}

NodeDefinition readDefinition(const JsonReader& json, const std::string& name) {
  NodeDefinition node;
  node.name = name;
  node.walkable = flagOr(json, "walkable", true);
  node.pointable = flagOr(json, "pointable", true);
  node.is_liquid = textOr(json, "liquidtype", "none") != "none";
  node.param2 = readParam2(textOr(json, "paramtype2", "none"));
  const std::string drawtype = textOr(json, "drawtype", "normal");
  node.is_airlike = drawtype == "airlike";
  node.hangs_on_floor = drawtype == "signlike" || drawtype == "torchlike" ||
                        drawtype == "plantlike" || drawtype == "plantlike_rooted";
  if (const auto level = json.find("leveled"); level.has_value())
    node.leveled = static_cast<int>(std::clamp(level->number(), 0.0, 127.0));
  NodeBox drawn;
  if (const auto box = json.find("node_box"); box.has_value()) drawn = readNodeBox(*box);
  node.connects = drawtype == "nodebox" && drawn.kind == NodeBox::Kind::kConnected;
  if (const auto box = json.find("selection_box"); box.has_value())
    node.selection = readNodeBox(*box);
  node.collision = std::move(drawn);
  // Luanti collides with the node box unless the collision box has a list `fixed`.
  if (const auto box = json.find("collision_box"); box.has_value()) {
    NodeBox own = readNodeBox(*box);
    if (!readBoxes(*box, "fixed").empty()) node.collision = std::move(own);
  }
  node.connects_to = readTexts(json, "connects_to");
  node.connect_sides = readSides(json);
  if (const auto groups = json.find("groups"); groups.has_value() && !groups->value().empty()) {
    groups->forEachMember([&](const std::string& group, const JsonReader& value) {
      if (value.number() != 0) node.groups.push_back(group);
    });
  }
  return node;
}

}  // namespace

const NodeDefinition* NodeDefinitions::find(std::string_view node) const {
  auto found = by_name_.find(std::string(node));
  if (found == by_name_.end()) {
    const auto alias = aliases_.find(std::string(node));
    if (alias != aliases_.end()) found = by_name_.find(alias->second);
  }
  return found == by_name_.end() ? nullptr : &found->second;
}

void NodeDefinitions::readLine(std::string_view line, const std::string& where,
                               const InputLimits& limits) {
  const auto damage = [&](const std::string& reason) {
    if (damages_.size() < kMostDamages) damages_.push_back(absl::StrCat(where, ": ", reason));
  };
  const absl::StatusOr<JsonDocument> document = parseJson(line, where, limits);
  if (!document.ok()) return damage(std::string(document.status().message()));
  absl::Status error;
  const JsonReader json(document->root(), error);
  const std::string name = json.member("name").text();
  if (!error.ok() || name.empty()) return damage("a definition needs a name; it is left out");
  const bool is_alias = json.find("alias").has_value();
  if (is_alias ? isFull(aliases_, name) : isFull(by_name_, name)) {
    return damage(absl::StrCat(printable(name), ": there are more than ", kMostDefinitions,
                               " definitions; it is left out"));
  }
  if (is_alias) {
    const std::string node = json.member("alias").text();
    if (!error.ok()) return damage(absl::StrCat(printable(name), ": ", error.message()));
    aliases_.insert_or_assign(name, node);
    return;
  }
  NodeDefinition node = readDefinition(json, name);
  if (!error.ok()) {
    damage(absl::StrCat(printable(name), ": ", error.message(), "; its node is a cube"));
    node = NodeDefinition();
    node.name = name;
  }
  by_name_.insert_or_assign(name, std::move(node));
}

absl::StatusOr<NodeDefinitions> NodeDefinitions::parse(std::string_view text, std::string_view name,
                                                       const InputLimits& limits) {
  return internal::catchBadAlloc(name, [&]() -> absl::StatusOr<NodeDefinitions> {
    NodeDefinitions definitions;
    std::size_t number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++number;
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      definitions.readLine(line, absl::StrCat(printablePath(name), ":", number), limits);
    }
    return definitions;
  });
}

absl::StatusOr<NodeDefinitions> NodeDefinitions::read(const std::string& path,
                                                      const InputLimits& limits) {
  const absl::StatusOr<std::string> text = readFile(path, limits);
  if (!text.ok()) return text.status();
  return parse(*text, path, limits);
}

}  // namespace fractalray
