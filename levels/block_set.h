// SPDX-License-Identifier: Apache-2.0
// A set of blocks of a chunk, as bits by which a walk can skip.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "../core/tree64.h"

namespace fractalray {

// 4096 bits: a word for each brick (4 x 4 x 4 blocks), and one word that shows which bricks hold
// any block. Only partly filled bricks store their word, so the rest of a chunk is often a single
// cache line. A set that was moved from can only be assigned to. A value; const use is safe from
// any thread.
class BlockSet {
 public:
  using Words = std::array<std::uint64_t, 64>;  // by brick

  // Returns, for a block's index in its chunk (x + 16 y + 256 z), the brick's index among the 64 of
  // the chunk and the block's among the 64 of the brick, both x + 4 y + 16 z.
  static constexpr int brickOf(int index) {
    return ((index >> 2) & 3) | ((index >> 4) & 12) | ((index >> 6) & 48);
  }
  static constexpr int bitOf(int index) {
    return (index & 3) | ((index >> 2) & 12) | ((index >> 4) & 48);
  }
  // Returns the block's index in its chunk, given these two.
  static constexpr int indexOf(int brick, int bit) {
    return (((brick & 3) << 2) | ((brick & 12) << 4) | ((brick & 48) << 6)) +
           ((bit & 3) | ((bit & 12) << 2) | ((bit & 48) << 4));
  }

  BlockSet() = default;
  explicit BlockSet(const Words& words);
  static BlockSet all();
  ~BlockSet() = default;
  BlockSet(const BlockSet& other);
  BlockSet& operator=(const BlockSet& other) { return *this = BlockSet(other); }
  BlockSet(BlockSet&&) noexcept = default;
  BlockSet& operator=(BlockSet&&) noexcept = default;

  bool contains(int index) const { return internal::hasBit(word(brickOf(index)), bitOf(index)); }
  bool empty() const { return bricks_ == 0; }
  bool isFull() const { return full_ == ~std::uint64_t{0}; }
  // Adds or removes a block. Cost: up to 64 words are moved if a brick gets or loses a word of its
  // own. If there is no memory for them it throws std::bad_alloc, and the set is unchanged.
  void set(int index, bool value);

  // Returns a word in which bit b is set iff brick b holds any block of the set.
  std::uint64_t bricks() const { return bricks_; }
  // Returns a word in which bit b is set iff all 64 blocks of brick b are in the set.
  std::uint64_t fullBricks() const { return full_; }
  // Returns the blocks of a brick.
  std::uint64_t word(int brick) const {
    return internal::hasBit(bricks_, brick) ? presentWord(brick) : 0;
  }
  // Returns the blocks of a brick that is known to hold any, without a branch.
  std::uint64_t presentWord(int brick) const {
    const std::uint64_t is_full = (full_ >> brick) & 1;
    // For a full brick this reads the word at the index that it would have; one extra word is
    // stored so that the read is valid.
    return mixed_.get()[wordIndexOf(brick)] | (0 - is_full);
  }

  Words words() const;

  // Returns the bytes outside of the object itself.
  std::size_t bytes() const { return storedWords() * sizeof(std::uint64_t); }

  friend bool operator==(const BlockSet& a, const BlockSet& b) { return a.words() == b.words(); }

 private:
  struct Free {
    void operator()(const std::uint64_t* words) const {
      if (words != no_words.data()) delete[] words;
    }
  };

  // Counts bits as std::popcount does, which is a call into a library on the oldest machines
  // (Warren, "Hacker's Delight", section 5-1).
  static constexpr std::size_t bitsSet(std::uint64_t bits) {
    bits -= (bits >> 1) & 0x5555555555555555U;
    bits = (bits & 0x3333333333333333U) + ((bits >> 2) & 0x3333333333333333U);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fU;
    return (bits * 0x0101010101010101U) >> 56;
  }

  // Returns the number of words in mixed_ of bricks before this one: the index of its own word, if
  // it has one.
  std::size_t wordIndexOf(int brick) const {
    return bitsSet(bricks_ & ~full_ & ((std::uint64_t{1} << brick) - 1));
  }
  // Returns the number of words in mixed_, the extra one included.
  std::size_t storedWords() const {
    const std::size_t mixed = bitsSet(bricks_ & ~full_);
    return mixed == 0 ? 0 : mixed + 1;
  }

  // One word for all sets that need none of their own; never written. Not inline: a shared library
  // and a program that hides its symbols must use the same one.
  static std::array<std::uint64_t, 1> no_words;

  std::uint64_t bricks_ = 0;
  std::uint64_t full_ = 0;  // those that hold all of their blocks
  // The words of partly filled bricks, in the order of bricks, and one extra word.
  std::unique_ptr<std::uint64_t, Free> mixed_{no_words.data()};
};

}  // namespace fractalray
