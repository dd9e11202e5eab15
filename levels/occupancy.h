// SPDX-License-Identifier: Apache-2.0
// A set of blocks of a chunk, as bits a walk can skip by.
#pragma once

#include <array>
#include <cstdint>

namespace fractalray {

// 4096 bits in words of 4 x 4 x 4 blocks (bricks), with a word above that tells which bricks hold
// any.
class BlockSet {
 public:
  // Of a block's index in its chunk (x + 16 y + 256 z): the brick's place among the 64 of the chunk
  // and the block's among the 64 of the brick, both x + 4 y + 16 z.
  static constexpr int brickOf(int index) {
    return ((index >> 2) & 3) | ((index >> 4) & 12) | ((index >> 6) & 48);
  }
  static constexpr int bitOf(int index) {
    return (index & 3) | ((index >> 2) & 12) | ((index >> 4) & 48);
  }

  constexpr bool contains(int index) const {
    return ((words_[static_cast<std::size_t>(brickOf(index))] >> bitOf(index)) & 1) != 0;
  }
  constexpr bool empty() const { return bricks_ == 0; }

  static constexpr BlockSet full() {
    BlockSet all;
    all.bricks_ = ~std::uint64_t{0};
    for (std::uint64_t& word : all.words_)
      word = ~std::uint64_t{0};
    return all;
  }

  constexpr void set(int index, bool value) {
    std::uint64_t& word = words_[static_cast<std::size_t>(brickOf(index))];
    const std::uint64_t bit = std::uint64_t{1} << bitOf(index);
    word = value ? word | bit : word & ~bit;
    const std::uint64_t brick = std::uint64_t{1} << brickOf(index);
    bricks_ = word != 0 ? bricks_ | brick : bricks_ & ~brick;
  }

  // Bit b is set iff brick b holds any block of the set.
  constexpr std::uint64_t bricks() const { return bricks_; }
  // The blocks of a brick.
  constexpr std::uint64_t word(int brick) const { return words_[static_cast<std::size_t>(brick)]; }

  friend constexpr bool operator==(const BlockSet&, const BlockSet&) = default;

 private:
  std::uint64_t bricks_ = 0;
  std::array<std::uint64_t, 64> words_{};
};

inline constexpr BlockSet kNoBlocks{};
inline constexpr BlockSet kAllBlocks = BlockSet::full();

}  // namespace fractalray
