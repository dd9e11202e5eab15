// SPDX-License-Identifier: Apache-2.0
#include "fractalray/core/cell_tree.h"

namespace fractalray {
namespace {

Vec3i nodeAt(const Vec3i& cell, int height) {
  const int shift = 2 * (height + 1);
  return {cell[0] >> shift, cell[1] >> shift, cell[2] >> shift};
}

std::uint64_t childBit(const Vec3i& cell, int height) {
  const int shift = 2 * height;
  const auto part = [&](int axis) { return static_cast<unsigned>((cell[axis] >> shift) & 3); };
  return std::uint64_t{1} << (part(0) | (part(1) << 2) | (part(2) << 4));
}

}  // namespace

void CellTree::insert(const Vec3i& cell) {
  for (int height = 0; height < kHeights; ++height) {
    std::uint64_t& mask = nodes_[static_cast<std::size_t>(height)][nodeAt(cell, height)];
    const bool was_empty = mask == 0;
    mask |= childBit(cell, height);
    if (!was_empty) return;  // the nodes above know of this one
  }
}

void CellTree::erase(const Vec3i& cell) {
  for (int height = 0; height < kHeights; ++height) {
    auto& nodes = nodes_[static_cast<std::size_t>(height)];
    const auto node = nodes.find(nodeAt(cell, height));
    if (node == nodes.end()) return;
    node->second &= ~childBit(cell, height);
    if (node->second != 0) return;
    nodes.erase(node);
  }
}

bool CellTree::contains(const Vec3i& cell) const {
  const auto node = nodes_[0].find(nodeAt(cell, 0));
  return node != nodes_[0].end() && (node->second & childBit(cell, 0)) != 0;
}

std::optional<int> CellTree::emptyCubeLog2(const Vec3i& cell) const {
  for (int height = 0; height < kHeights; ++height) {
    const auto& nodes = nodes_[static_cast<std::size_t>(height)];
    const auto node = nodes.find(nodeAt(cell, height));
    if (node == nodes.end()) continue;
    // Above the lowest height the child is empty: it has no node.
    if ((node->second & childBit(cell, height)) != 0) return std::nullopt;
    return 2 * height;
  }
  return kMaxCubeLog2;
}

}  // namespace fractalray
