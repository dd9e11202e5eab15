// SPDX-License-Identifier: Apache-2.0
#include "node_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace fractalray {
namespace {

using Param2 = NodeDefinition::Param2;

constexpr int kX = 0;
constexpr int kY = 1;
constexpr int kZ = 2;
constexpr double kUnit = 1.0 / kShapeUnits;

constexpr std::size_t indexOf(NodeSide side) {
  return static_cast<std::size_t>(side);
}
constexpr unsigned bitOf(NodeSide side) {
  return 1U << indexOf(side);
}
constexpr unsigned kEndsOnly = bitOf(NodeSide::kTop) | bitOf(NodeSide::kBottom);

// Returns the turn by so many quarters in the plane of two axes, from the first towards the second.
CubeTurn quarters(int from, int to, int count) {
  CubeTurn quarter;
  quarter.axis[static_cast<std::size_t>(from)] = static_cast<std::uint8_t>(to);
  quarter.axis[static_cast<std::size_t>(to)] = static_cast<std::uint8_t>(from);
  quarter.flip[static_cast<std::size_t>(to)] = true;
  CubeTurn turn;
  for (int i = 0; i < (count & 3); ++i)
    turn = turn.then(quarter);
  return turn;
}

// Returns the turn of a facedir from 0 to 23: the way in which the top points, and a number of
// quarters about it.
CubeTurn facedirTurn(int facedir) {
  const int spins = facedir & 3;
  switch (facedir >> 2) {
    case 0:
      return quarters(kX, kZ, -spins);
    case 1:
      return quarters(kY, kZ, 1).then(quarters(kX, kY, spins));
    case 2:
      return quarters(kY, kZ, -1).then(quarters(kX, kY, -spins));
    case 3:
      return quarters(kX, kY, -1).then(quarters(kY, kZ, spins));
    case 4:
      return quarters(kX, kY, 1).then(quarters(kY, kZ, -spins));
    default:
      return quarters(kX, kY, 2).then(quarters(kX, kZ, spins));
  }
}

// The facedir by which Luanti turns fixed boxes of wallmounted nodes.
constexpr std::array<int, 8> kFacedirOfWall = {20, 0, 17, 15, 8, 6, 0, 0};

CubeTurn turnOf(const NodeDefinition& node, std::uint8_t state) {
  if (node.param2 == Param2::kFacedir) return facedirTurn((state & 31) % 24);
  if (node.param2 == Param2::k4dir) return facedirTurn(state & 3);
  if (node.param2 == Param2::kWallmounted)
    return facedirTurn(kFacedirOfWall[static_cast<std::size_t>(state & 7)]);
  return {};
}

Boxd turnedBox(const Boxd& box, const CubeTurn& turn) {
  Boxd result;
  for (int i = 0; i < 3; ++i) {
    const auto from = static_cast<std::size_t>(i);
    const int to = turn.axis[from];
    result.min[to] = turn.flip[from] ? -box.max[i] : box.min[i];
    result.max[to] = turn.flip[from] ? -box.min[i] : box.max[i];
  }
  return result;
}

void append(NodeBoxList& to, const NodeBoxList& boxes) {
  to.insert(to.end(), boxes.begin(), boxes.end());
}

NodeBoxList fixedBoxes(const NodeDefinition& node, const NodeBox& box, std::uint8_t state) {
  NodeBoxList boxes = box.fixed;
  if (box.kind == NodeBox::Kind::kLeveled) {
    const int own = node.param2 == Param2::kLeveled ? state & 127 : 0;
    const double top = -0.5 + (own != 0 ? own : node.leveled) / 64.0;
    for (Boxd& each : boxes) {
      // A level below the box turns it over.
      each.max[kY] = std::max(each.min[kY], top);
      each.min[kY] = std::min(each.min[kY], top);
    }
  }
  const CubeTurn turn = turnOf(node, state);
  for (Boxd& each : boxes)
    each = turnedBox(each, turn);
  return boxes;
}

NodeBoxList orUsual(const NodeBoxList& boxes, const Boxd& usual) {
  return boxes.empty() ? NodeBoxList{usual} : boxes;
}

NodeBoxList wallBoxes(const NodeDefinition& node, const NodeBox& box, std::uint8_t state) {
  constexpr double kHalf = 0.5;
  constexpr double kThick = 1.0 / 16;
  const bool is_mounted = node.param2 == Param2::kWallmounted;
  const int wall = is_mounted ? state & 7 : (node.hangs_on_floor ? 1 : 0);
  if (wall == 1) {
    return orUsual(box.wall_bottom, {{-kHalf, -kHalf, -kHalf}, {kHalf, kThick - kHalf, kHalf}});
  }
  if (wall < 2 || wall > 5) {
    return orUsual(box.wall_top, {{-kHalf, kHalf - kThick, -kHalf}, {kHalf, kHalf, kHalf}});
  }
  const NodeBoxList side =
      orUsual(box.wall_side, {{-kHalf, -kHalf, -kHalf}, {kThick - kHalf, kHalf, kHalf}});
  // For x+, x-, z+ and z-.
  constexpr std::array<int, 4> kQuarters = {2, 0, 3, 1};
  return {turnedBox(side.front(), quarters(kX, kZ, kQuarters[static_cast<std::size_t>(wall - 2)]))};
}

// Calls back for each list of boxes that a connected node has, with those connections.
void forEachList(const NodeBox& box, unsigned connections,
                 absl::FunctionRef<void(const NodeBoxList& boxes)> use) {
  use(box.fixed);
  for (std::size_t side = 0; side < kNodeSides; ++side) {
    const bool is_on = ((connections >> side) & 1U) != 0;
    use(is_on ? box.connect[side] : box.disconnected_side[side]);
  }
  if (connections == 0) use(box.disconnected);
  if ((connections & ~kEndsOnly) == 0) use(box.disconnected_sides);
}

NodeBoxList connectedBoxes(const NodeBox& box, unsigned connections) {
  NodeBoxList boxes;
  forEachList(box, connections, [&](const NodeBoxList& list) { append(boxes, list); });
  return boxes;
}

// Returns true if a list of names and groups names a node. Luanti takes "group:a,b" for one group.
bool names(const std::vector<std::string>& list, const NodeDefinition& node) {
  constexpr std::string_view kGroup = "group:";
  return std::any_of(list.begin(), list.end(), [&](std::string_view wanted) {
    if (wanted.substr(0, kGroup.size()) != kGroup) return wanted == node.name;
    wanted.remove_prefix(kGroup.size());
    return std::find(node.groups.begin(), node.groups.end(), wanted) != node.groups.end();
  });
}

// Returns the side that is asked for of a node whose facedir is 0 to 3, as Luanti's table has it.
NodeSide turnedSide(NodeSide side, int facedir) {
  constexpr std::array<NodeSide, 4> kRing = {NodeSide::kFront, NodeSide::kRight, NodeSide::kBack,
                                             NodeSide::kLeft};
  if ((bitOf(side) & kEndsOnly) != 0) return side;
  const auto at =
      static_cast<std::size_t>(std::find(kRing.begin(), kRing.end(), side) - kRing.begin());
  return kRing[(at + static_cast<std::size_t>(facedir)) % 4];
}

bool connectsTo(const NodeDefinition& node, const PlacedNode& neighbor, NodeSide side) {
  if (neighbor.definition == nullptr) return false;
  const NodeDefinition& other = *neighbor.definition;
  if (!names(node.connects_to, other)) return false;
  if (other.connects) return names(other.connects_to, node);
  if (other.connect_sides == 0) return true;
  NodeSide asked = side;
  const bool is_4dir = other.param2 == Param2::k4dir;
  if ((is_4dir || other.param2 == Param2::kFacedir) && (bitOf(side) & kEndsOnly) == 0) {
    const int facedir = neighbor.param2 & (is_4dir ? 3 : 31);
    if (facedir >= 4) return false;
    asked = turnedSide(side, facedir);
  }
  return (other.connect_sides & bitOf(asked)) != 0;
}

// Rounds a fraction of a node's width to 1/65,536, halves up.
double rounded(double fraction) {
  return std::floor(fraction * kShapeUnits + 0.5) / kShapeUnits;
}

// Moves a box from the centre of its node to the lower corner, rounds it, cuts off what is beyond
// the neighbours, and thickens it where it is flat.
Boxd fromCorner(const Boxd& box, bool& is_cut) {
  constexpr double kLowest = -1;
  constexpr double kHighest = 2;
  Boxd result;
  for (int axis = 0; axis < 3; ++axis) {
    double min = rounded(box.min[axis] + 0.5);
    double max = rounded(box.max[axis] + 0.5);
    is_cut = is_cut || min < kLowest || max > kHighest;
    min = std::clamp(min, kLowest, kHighest);
    max = std::clamp(max, kLowest, kHighest);
    if (min == max) {
      const bool is_upper_face = max == std::floor(max) && max > 0;
      (is_upper_face ? min : max) += is_upper_face ? -kUnit : kUnit;
    }
    result.min[axis] = min;
    result.max[axis] = max;
  }
  return result;
}

}  // namespace

std::uint8_t boxState(const NodeDefinition& node, std::uint8_t param2) {
  const bool is_cube = node.selection.kind == NodeBox::Kind::kRegular &&
                       node.collision.kind == NodeBox::Kind::kRegular;
  if (is_cube && node.connect_sides == 0) return 0;
  switch (node.param2) {
    case Param2::kNone:
      return 0;
    case Param2::kFacedir:
      return param2 & 31;
    case Param2::k4dir:
      return param2 & 3;
    case Param2::kWallmounted:
      return param2 & 7;
    case Param2::kLeveled:
      return param2 & 127;
  }
  return 0;
}

Vec3i stepTo(NodeSide side) {
  switch (side) {
    case NodeSide::kTop:
      return {0, 1, 0};
    case NodeSide::kBottom:
      return {0, -1, 0};
    case NodeSide::kFront:
      return {0, 0, -1};
    case NodeSide::kLeft:
      return {-1, 0, 0};
    case NodeSide::kBack:
      return {0, 0, 1};
    case NodeSide::kRight:
      break;
  }
  return {1, 0, 0};
}

std::uint8_t connectedSides(const NodeDefinition& node,
                            absl::FunctionRef<PlacedNode(NodeSide side)> neighbor) {
  unsigned sides = 0;
  for (std::size_t i = 0; i < kNodeSides; ++i) {
    const auto side = static_cast<NodeSide>(i);
    if (connectsTo(node, neighbor(side), side)) sides |= bitOf(side);
  }
  return static_cast<std::uint8_t>(sides);
}

std::size_t mostBoxes(const NodeBox& box) {
  switch (box.kind) {
    case NodeBox::Kind::kRegular:
    case NodeBox::Kind::kWallmounted:
      return 1;
    case NodeBox::Kind::kFixed:
    case NodeBox::Kind::kLeveled:
      return box.fixed.size();
    case NodeBox::Kind::kConnected:
      break;
  }
  std::size_t most = 0;
  for (unsigned connections = 0; connections < 1U << kNodeSides; ++connections) {
    std::size_t count = 0;
    forEachList(box, connections, [&](const NodeBoxList& list) { count += list.size(); });
    most = std::max(most, count);
  }
  return most;
}

NodeShape nodeShape(const NodeDefinition& node, const NodeBox& box, std::uint8_t state,
                    std::uint8_t connections) {
  NodeBoxList list;
  switch (box.kind) {
    case NodeBox::Kind::kRegular:
      return {.is_whole = true, .boxes = {}};
    case NodeBox::Kind::kFixed:
    case NodeBox::Kind::kLeveled:
      list = fixedBoxes(node, box, state);
      break;
    case NodeBox::Kind::kWallmounted:
      list = wallBoxes(node, box, state);
      break;
    case NodeBox::Kind::kConnected:
      list = connectedBoxes(box, connections);
      break;
  }
  NodeShape shape;
  for (const Boxd& each : list) {
    const Boxd placed = fromCorner(each, shape.is_cut);
    const absl::StatusOr<CutShape> cut = splitAtCube(std::span(&placed, 1));
    if (!cut.ok()) continue;  // wholly beyond the neighbours
    shape.is_cut = shape.is_cut || !cut->beyond.empty();
    shape.boxes.insert(shape.boxes.end(), cut->inside.begin(), cut->inside.end());
  }
  return shape;
}

}  // namespace fractalray
