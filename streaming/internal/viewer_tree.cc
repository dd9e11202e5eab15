// SPDX-License-Identifier: Apache-2.0
#include "viewer_tree.h"

namespace fractalray::internal {
namespace {

constexpr std::size_t kLeaf = 4;

UnitBox boxOf(std::span<const Vec3i> viewers) {
  UnitBox box{viewers.front(), viewers.front()};
  for (const Vec3i& viewer : viewers) {
    for (int axis = 0; axis < 3; ++axis) {
      box.min[axis] = std::min(box.min[axis], viewer[axis]);
      box.max[axis] = std::max(box.max[axis], viewer[axis]);
    }
  }
  return box;
}

int longestAxisOf(const UnitBox& box) {
  int longest = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (box.max[axis] - box.min[axis] > box.max[longest] - box.min[longest]) longest = axis;
  }
  return longest;
}

}  // namespace

ViewerTree::ViewerTree(std::span<const Vec3i> viewers) : viewers_(viewers.begin(), viewers.end()) {
  if (viewers_.empty()) return;
  nodes_.reserve(2 * viewers_.size());
  build(0, viewers_.size());
}

void ViewerTree::build(std::size_t begin, std::size_t end) {
  const std::size_t node = nodes_.size();
  nodes_.push_back({boxOf({viewers_.data() + begin, end - begin}), begin, end, 0});
  if (end - begin <= kLeaf) return;
  const int axis = longestAxisOf(nodes_[node].box);
  const std::size_t middle = begin + (end - begin) / 2;
  const auto at = [this](std::size_t i) { return viewers_.begin() + static_cast<long>(i); };
  std::nth_element(at(begin), at(middle), at(end),
                   [axis](const Vec3i& a, const Vec3i& b) { return a[axis] < b[axis]; });
  build(begin, middle);
  nodes_[node].right = nodes_.size();
  build(middle, end);
}

void ViewerTree::descend(std::size_t node, Search& search) const {
  if (nodes_.empty() || search.least <= search.enough) return;
  const Node& here = nodes_[node];
  if (here.right == 0) {
    for (std::size_t i = here.begin; i < here.end; ++i) {
      const UnitBox viewer{viewers_[i], viewers_[i]};
      search.least = std::min(search.least, distanceBetween(search.box, viewer, search.shift));
    }
    return;
  }
  std::size_t near = node + 1;
  std::size_t far = here.right;
  std::int64_t near_least = distanceBetween(search.box, nodes_[near].box, search.shift);
  std::int64_t far_least = distanceBetween(search.box, nodes_[far].box, search.shift);
  if (far_least < near_least) {
    std::swap(near, far);
    std::swap(near_least, far_least);
  }
  if (near_least < search.least) descend(near, search);
  if (far_least < search.least) descend(far, search);
}

}  // namespace fractalray::internal
