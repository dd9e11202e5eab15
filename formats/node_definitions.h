// SPDX-License-Identifier: Apache-2.0
// The definitions of a Luanti game's nodes: what can be hit of each, and its boxes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../levels/block_shape.h"
#include "input_limits.h"
#include "json.h"

namespace fractalray {

// The sides of a node, in the order of Luanti's lists.
enum class NodeSide : std::uint8_t { kTop, kBottom, kFront, kLeft, kBack, kRight };
inline constexpr std::size_t kNodeSides = 6;

// Boxes relative to the centre of the node, in node widths.
using NodeBoxList = std::vector<Boxd>;

// A node box, selection box or collision box. Lists that its kind does not use are empty.
struct NodeBox {
  enum class Kind : std::uint8_t { kRegular, kFixed, kLeveled, kWallmounted, kConnected };

  Kind kind = Kind::kRegular;  // the whole node
  NodeBoxList fixed;
  NodeBoxList wall_top;
  NodeBoxList wall_bottom;
  NodeBoxList wall_side;
  std::array<NodeBoxList, kNodeSides> connect;  // by side
  std::array<NodeBoxList, kNodeSides> disconnected_side;
  NodeBoxList disconnected;
  NodeBoxList disconnected_sides;
};

struct NodeDefinition {
  // The meaning of param2 for boxes.
  enum class Param2 : std::uint8_t { kNone, kFacedir, k4dir, kWallmounted, kLeveled };

  std::string name;
  bool walkable = true;
  bool pointable = true;
  bool is_liquid = false;
  bool is_airlike = false;
  bool hangs_on_floor = false;  // of a wallmounted box of a node that is not: on the floor
  bool connects = false;        // a node box that grows towards neighbours
  Param2 param2 = Param2::kNone;
  int leveled = 0;  // in 1/64 of the node
  NodeBox selection;
  NodeBox collision;
  std::vector<std::string> connects_to;  // names, and "group:name"
  std::uint8_t connect_sides = 0;        // by side, a bit each; 0 for all
  std::vector<std::string> groups;       // those that are not 0
};

// Definitions by node name. Immutable once made; safe from any thread.
//
// The text is a list of lines, each a JSON object with the members of Luanti's definition that
// matter here: name, drawtype, walkable, pointable, liquidtype, paramtype2, leveled, node_box,
// selection_box, collision_box, connects_to, connect_sides, groups. Or it has a name and an alias:
// a name that old mapblocks have, and that of the node that it stands for. The mod writes it into
// the world's folder (docs/luanti-server.md).
class NodeDefinitions {
 public:
  // The name of the file next to the map.
  static constexpr std::string_view kFileName = "nodedefs.jsonl";

  // Reads the text, called `name` in damages. A line that is damaged is left out, or if its name
  // can be read, its node is a cube; see damages(). RESOURCE_EXHAUSTED if memory runs out.
  static absl::StatusOr<NodeDefinitions> parse(std::string_view text, std::string_view name,
                                               const InputLimits& limits = {});
  // Reads a file, named by its path; errors of readFile too.
  static absl::StatusOr<NodeDefinitions> read(const std::string& path,
                                              const InputLimits& limits = {});

  // Returns the definition of a node by its name or an alias; null if there is none.
  const NodeDefinition* find(std::string_view node) const;
  std::size_t size() const { return by_name_.size(); }
  // Returns what is wrong with lines, one text each: "nodedefs.jsonl:12: reason".
  const std::vector<std::string>& damages() const { return damages_; }

 private:
  void readLine(std::string_view line, const std::string& where, const InputLimits& limits);

  std::unordered_map<std::string, NodeDefinition> by_name_;
  std::unordered_map<std::string, std::string> aliases_;  // the names of nodes
  std::vector<std::string> damages_;
};

}  // namespace fractalray
