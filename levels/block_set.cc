// SPDX-License-Identifier: Apache-2.0
#include "block_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace fractalray {

std::array<std::uint64_t, 1> BlockSet::no_words{};

BlockSet::BlockSet(const Words& words) {
  std::size_t mixed = 0;
  for (std::size_t brick = 0; brick < words.size(); ++brick) {
    const bool is_full = words[brick] == ~std::uint64_t{0};
    bricks_ |= (words[brick] != 0 ? std::uint64_t{1} : 0) << brick;
    full_ |= (is_full ? std::uint64_t{1} : 0) << brick;
    if (words[brick] != 0 && !is_full) ++mixed;
  }
  if (mixed == 0) return;
  mixed_.reset(new std::uint64_t[mixed + 1]{});
  std::size_t next = 0;
  for (const std::uint64_t word : words) {
    if (word != 0 && word != ~std::uint64_t{0}) mixed_.get()[next++] = word;
  }
}

BlockSet::BlockSet(const BlockSet& other) : bricks_(other.bricks_), full_(other.full_) {
  const std::size_t words = other.storedWords();
  if (words == 0) return;
  mixed_.reset(new std::uint64_t[words]);
  std::copy_n(other.mixed_.get(), words, mixed_.get());
}

BlockSet BlockSet::all() {
  BlockSet set;
  set.bricks_ = ~std::uint64_t{0};
  set.full_ = ~std::uint64_t{0};
  return set;
}

BlockSet::Words BlockSet::words() const {
  Words words;
  for (int brick = 0; brick < 64; ++brick)
    words[static_cast<std::size_t>(brick)] = word(brick);
  return words;
}

void BlockSet::set(int index, bool value) {
  if (contains(index) == value) return;
  const int brick = brickOf(index);
  const std::uint64_t changed = word(brick) ^ (std::uint64_t{1} << bitOf(index));
  const std::size_t at = wordIndexOf(brick);
  const bool had_word = internal::hasBit(bricks_ & ~full_, brick);
  const bool has_word = changed != 0 && changed != ~std::uint64_t{0};
  if (had_word && has_word) {
    mixed_.get()[at] = changed;
    return;
  }
  // The brick gets its word or loses it, since one bit does not fill an empty brick.
  const std::size_t mixed = bitsSet(bricks_ & ~full_);
  const std::uint64_t* const old = mixed_.get();
  std::unique_ptr<std::uint64_t, Free> words{no_words.data()};
  if (has_word || mixed > 1) {
    words.reset(new std::uint64_t[has_word ? mixed + 2 : mixed]);
    std::uint64_t* next = std::copy_n(old, at, words.get());
    if (has_word) *next++ = changed;
    // The extra word is the last.
    std::copy(old + at + (had_word ? 1 : 0), old + mixed + 1, next);
  }
  // Nothing throws any more.
  mixed_ = std::move(words);
  internal::setBit(bricks_, brick, changed != 0);
  internal::setBit(full_, brick, changed == ~std::uint64_t{0});
}

}  // namespace fractalray
