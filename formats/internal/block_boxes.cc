// SPDX-License-Identifier: Apache-2.0
#include "block_boxes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

namespace fractalray {
namespace {

class BoxCover {
 public:
  BoxCover(const ChunkBlocks& blocks, BlockTypeId fill) : blocks_(blocks), fill_(fill) {}

  std::vector<BlockBox> run() {
    std::vector<BlockBox> boxes;
    for (int index = 0; index < kBlocksPerChunk; ++index) {
      if (!isLeft(index, blocks_[static_cast<std::size_t>(index)])) continue;
      const BlockCoord at = blockOf({}, index);
      BlockBox box{at, at, blocks_[static_cast<std::size_t>(index)]};
      for (int axis = 0; axis < 3; ++axis)
        grow(box, axis);
      forEach(box, [&](int inside) {
        covered_[static_cast<std::size_t>(inside)] = true;
        return true;
      });
      boxes.push_back(box);
    }
    return boxes;
  }

 private:
  bool isLeft(int index, BlockTypeId type) const {
    const auto i = static_cast<std::size_t>(index);
    return blocks_[i] == type && type != fill_ && !covered_[i];
  }

  // Calls `visit` for each block until it returns false; returns true if it never did.
  template <class Visit>
  static bool forEach(const BlockBox& box, const Visit& visit) {
    for (std::int64_t z = box.min[2]; z <= box.max[2]; ++z) {
      for (std::int64_t y = box.min[1]; y <= box.max[1]; ++y) {
        for (std::int64_t x = box.min[0]; x <= box.max[0]; ++x) {
          if (!visit(indexInChunk({x, y, z}))) return false;
        }
      }
    }
    return true;
  }

  void grow(BlockBox& box, int axis) const {
    while (box.max[axis] + 1 < kChunkSize) {
      BlockBox slice = box;
      slice.min[axis] = slice.max[axis] = box.max[axis] + 1;
      if (!forEach(slice, [&](int index) { return isLeft(index, box.type); })) return;
      ++box.max[axis];
    }
  }

  const ChunkBlocks& blocks_;
  BlockTypeId fill_;
  std::array<bool, kBlocksPerChunk> covered_{};
};

}  // namespace

BlockTypeId mostFrequent(const ChunkBlocks& blocks) {
  std::map<BlockTypeId, int> counts;
  for (const BlockTypeId type : blocks)
    ++counts[type];
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

std::vector<BlockBox> coverWithBoxes(const ChunkBlocks& blocks, BlockTypeId fill) {
  return BoxCover(blocks, fill).run();
}

}  // namespace fractalray
