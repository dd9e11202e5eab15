// SPDX-License-Identifier: Apache-2.0
// Writes little-endian numbers; ByteReader::little reads them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace fractalray {

// Puts an integer at `place` of the bytes, which have room for it there.
template <class T>
void putLittle(std::string& bytes, std::size_t place, T value) {
  static_assert(std::is_integral_v<T>);
  const auto bits = static_cast<std::make_unsigned_t<T>>(value);
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bytes[place + i] = static_cast<char>(static_cast<std::uint64_t>(bits) >> (8 * i) & 0xff);
}

// Appends an integer; or a double, as the 64 bits that it is made of.
template <class T>
void appendLittle(std::string& bytes, T value) {
  bytes.append(sizeof(T), '\0');
  putLittle(bytes, bytes.size() - sizeof(T), value);
}
inline void appendLittle(std::string& bytes, double value) {
  appendLittle(bytes, std::bit_cast<std::uint64_t>(value));
}

}  // namespace fractalray
