// SPDX-License-Identifier: Apache-2.0
#include "sparse_cell_set.h"

#include "../../tree64.h"

namespace fractalray {
namespace {

Vec3i nodeAt(const Vec3i& cell, int height) {
  return internal::shiftedDown(cell, 2 * (height + 1));
}

std::uint64_t childBit(const Vec3i& cell, int height) {
  return internal::bitOf(internal::slotOf(internal::shiftedDown(cell, 2 * height)));
}

}  // namespace

void SparseCellSet::reserve(const Vec3i& cell) {
  for (int height = 0; height < kHeights; ++height) {
    auto& nodes = nodes_[static_cast<std::size_t>(height)];
    if (nodes.find(nodeAt(cell, height)) != nullptr) return;  // so are the nodes above
    nodes.reserve();
  }
}

void SparseCellSet::insert(const Vec3i& cell) {
  reserve(cell);
  for (int height = 0; height < kHeights; ++height) {
    auto& nodes = nodes_[static_cast<std::size_t>(height)];
    const Vec3i at = nodeAt(cell, height);
    if (std::uint64_t* const mask = nodes.find(at)) {
      *mask |= childBit(cell, height);
      return;  // the nodes above have this one already
    }
    nodes.insert(at, childBit(cell, height));
  }
}

void SparseCellSet::erase(const Vec3i& cell) noexcept {
  for (int height = 0; height < kHeights; ++height) {
    auto& nodes = nodes_[static_cast<std::size_t>(height)];
    const Vec3i at = nodeAt(cell, height);
    std::uint64_t* const mask = nodes.find(at);
    if (mask == nullptr) return;
    if (const std::uint64_t left = *mask & ~childBit(cell, height); left != 0) {
      *mask = left;
      return;
    }
    nodes.erase(at);
    nodes.shrink();
  }
}

bool SparseCellSet::contains(const Vec3i& cell) const {
  return (children(0, nodeAt(cell, 0)) & childBit(cell, 0)) != 0;
}

std::optional<int> SparseCellSet::emptyCubeLog2(const Vec3i& cell) const {
  for (int height = 0; height < kHeights; ++height) {
    const std::uint64_t present = children(height, nodeAt(cell, height));
    if (present == 0) continue;
    // Above the lowest height the child is empty: it has no node.
    if ((present & childBit(cell, height)) != 0) return std::nullopt;
    return 2 * height;
  }
  return kMaxCubeLog2;
}

}  // namespace fractalray
