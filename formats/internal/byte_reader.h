// SPDX-License-Identifier: Apache-2.0
// Reads numbers from bytes that may end too early.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace fractalray {

// A position in some bytes, which must outlive it. Reading past the end gives zeros and makes ok()
// false from then on, so a caller reads a whole structure and checks once.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  // Returns the bytes that have not been read yet.
  std::span<const std::uint8_t> rest() const { return rest_; }

  // Read big-endian numbers.
  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  // Reads a little-endian integer of any width.
  template <class T>
  T little() {
    std::make_unsigned_t<T> value = 0;
    int shift = 0;
    for (const std::uint8_t byte : bytes(sizeof(T))) {
      value = static_cast<std::make_unsigned_t<T>>(value | std::uint64_t{byte} << shift);
      shift += 8;
    }
    return static_cast<T>(value);
  }
  std::span<const std::uint8_t> bytes(std::size_t count) {
    if (count > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  void skip(std::size_t count) { bytes(count); }
  std::string_view text(std::size_t length) {
    const auto taken = bytes(length);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  // Reads the text up to the next line feed, and skips the line feed.
  std::string_view line() {
    std::size_t length = 0;
    while (length < rest_.size() && rest_[length] != '\n')
      ++length;
    const std::string_view found = text(length);
    skip(1);
    return found;
  }

 private:
  std::uint32_t number(std::size_t count) {
    std::uint32_t value = 0;
    for (const std::uint8_t byte : bytes(count))
      value = value << 8 | byte;
    return value;
  }

  std::span<const std::uint8_t> rest_;
  bool ok_ = true;
};

}  // namespace fractalray
