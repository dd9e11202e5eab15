// SPDX-License-Identifier: Apache-2.0
// An engine's storage of block ids, for tests: its width, strides and table are any, and it reads
// and writes ids by itself, without the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "../../levels/id_layout.h"
#include "../oracle/rng.h"

namespace fractalray {

// Holds a cube of `width` blocks. Blocks are given by their coordinates within it.
class EngineStorage {
 public:
  using Table = std::optional<std::vector<BlockTypeId>>;

  EngineStorage(int width, int id_bytes, const Vec3i& strides, Table table)
      : id_bytes_(id_bytes), strides_(strides), table_(std::move(table)) {
    std::int64_t low = 0;
    std::int64_t high = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t reach = strides[axis] * (width - 1);
      (reach < 0 ? low : high) += reach;
    }
    first_ = static_cast<std::size_t>(-low);
    bytes_.resize(static_cast<std::size_t>(high - low + id_bytes), std::byte{0xa5});
    for (std::int64_t i = 0; i < std::int64_t{1} * width * width * width; ++i)
      write({i % width, i / width % width, i / width / width}, 0);
  }

  // Makes strides at random: axes in any order and direction, with gaps.
  static Vec3i randomStrides(oracle::Rng& rng, int width, int id_bytes) {
    std::array<int, 3> axes = {0, 1, 2};
    for (int i = 2; i > 0; --i)
      std::swap(axes[static_cast<std::size_t>(i)],
                axes[static_cast<std::size_t>(rng.below(i + 1))]);
    Vec3i strides;
    std::int64_t step = id_bytes + rng.pick({0, 0, 1, 3});
    for (const int axis : axes) {
      strides[axis] = rng.oneIn(3) ? -step : step;
      step = step * width + rng.pick({0, 0, 1, 10});
    }
    return strides;
  }

  IdLayout layout() const {
    IdLayoutSpec spec{.id_bytes = id_bytes_, .strides = strides_};
    if (table_.has_value()) spec.types = *table_;
    return IdLayout::make(spec).value();
  }
  void* first() { return bytes_.data() + first_; }
  // Returns the address of the id of a block.
  std::byte* at(const Vec3i& block) {
    const std::int64_t offset =
        block[0] * strides_[0] + block[1] * strides_[1] + block[2] * strides_[2];
    return bytes_.data() + static_cast<std::ptrdiff_t>(first_) + offset;
  }
  void write(const Vec3i& block, std::uint32_t id) {
    for (int i = 0; i < id_bytes_; ++i)  // the lowest byte first: little endian
      at(block)[i] = static_cast<std::byte>(id >> (8 * i));
  }
  std::uint32_t read(const Vec3i& block) {
    std::uint32_t id = 0;
    for (int i = 0; i < id_bytes_; ++i)
      id |= static_cast<std::uint32_t>(at(block)[i]) << (8 * i);
    return id;
  }
  BlockTypeId type(const Vec3i& block) {
    const std::uint32_t id = read(block);
    return table_.has_value() ? table_->at(id) : static_cast<BlockTypeId>(id);
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  const Table& table() const { return table_; }

 private:
  int id_bytes_;
  Vec3i strides_;
  Table table_;
  std::size_t first_ = 0;  // of block [0, 0, 0]
  std::vector<std::byte> bytes_;
};

}  // namespace fractalray
