// SPDX-License-Identifier: Apache-2.0
// Writes little-endian numbers; ByteReader::little reads them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace fractalray {

// Returns the bytes of an integer, the lowest first.
template <class T>
std::array<char, sizeof(T)> littleBytes(T value) {
  static_assert(std::is_integral_v<T>);
  std::array<char, sizeof(T)> bytes{};
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes[i] = static_cast<char>(static_cast<std::make_unsigned_t<T>>(value) >> (8 * i) & 0xff);
  }
  return bytes;
}

// Overwrites the bytes at `offset` by an integer. Requires: it fits into `bytes` there.
template <class T>
void putLittle(std::string& bytes, std::size_t offset, T value) {
  const auto little = littleBytes(value);
  std::copy(little.begin(), little.end(), bytes.data() + offset);
}

// Appends an integer, or the 64 bits of a double.
template <class T>
void appendLittle(std::string& bytes, T value) {
  const auto little = littleBytes(value);
  bytes.append(little.data(), little.size());
}
inline void appendLittle(std::string& bytes, double value) {
  appendLittle(bytes, std::bit_cast<std::uint64_t>(value));
}

}  // namespace fractalray
