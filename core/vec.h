// SPDX-License-Identifier: Apache-2.0
// Small fixed vectors. A tag makes vectors of different frames different types, so that a block
// index is never taken for a chunk index or for a position.
#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>  // for std::hash: compiles faster than <functional>
#include <utility>

#include "check.h"

namespace fractalray {

// N components of type T, compared lexicographically. An aggregate: `Vec3d{1, 2, 3}`.
template <class T, int N, class Tag = void>
struct Vec {
  std::array<T, static_cast<std::size_t>(N)> values{};

  // Requires: 0 <= axis < N.
  constexpr T& operator[](int axis) {
    FRACTALRAY_DCHECK(axis >= 0 && axis < N, axis);
    return values[static_cast<std::size_t>(axis)];
  }
  constexpr const T& operator[](int axis) const {
    FRACTALRAY_DCHECK(axis >= 0 && axis < N, axis);
    return values[static_cast<std::size_t>(axis)];
  }
  // Components by name, to read and, of a variable, to assign: `v.x() = 3`.
  constexpr T x() const& { return values[0]; }
  constexpr T y() const& { return values[1]; }
  constexpr T z() const& { return values[2]; }
  constexpr T& x() & { return values[0]; }
  constexpr T& y() & { return values[1]; }
  constexpr T& z() & { return values[2]; }

  friend constexpr bool operator==(const Vec& a, const Vec& b) {
    bool equal = true;
    for (int i = 0; i < N; ++i)
      equal = equal && a[i] == b[i];
    return equal;
  }
  friend constexpr auto operator<=>(const Vec&, const Vec&) = default;

  constexpr Vec& operator+=(const Vec& b) {
    for (int i = 0; i < N; ++i)
      (*this)[i] += b[i];
    return *this;
  }
  constexpr Vec& operator-=(const Vec& b) {
    for (int i = 0; i < N; ++i)
      (*this)[i] -= b[i];
    return *this;
  }
  constexpr Vec& operator*=(T factor) {
    for (int i = 0; i < N; ++i)
      (*this)[i] *= factor;
    return *this;
  }
  constexpr Vec& operator/=(T divisor) {
    for (int i = 0; i < N; ++i)
      (*this)[i] /= divisor;
    return *this;
  }
  friend constexpr Vec operator+(Vec a, const Vec& b) { return a += b; }
  friend constexpr Vec operator-(Vec a, const Vec& b) { return a -= b; }
  friend constexpr Vec operator-(const Vec& a) { return a * T{-1}; }
  friend constexpr Vec operator*(Vec a, T factor) { return a *= factor; }
  friend constexpr Vec operator*(T factor, Vec a) { return a *= factor; }
  friend constexpr Vec operator/(Vec a, T divisor) { return a /= divisor; }

  // Writes "[1, 2, 3]" to a stream of text.
  template <class Stream>
  friend Stream& operator<<(Stream& out, const Vec& v) {
    for (int i = 0; i < N; ++i)
      out << (i == 0 ? "[" : ", ") << v[i];
    out << "]";
    return out;
  }

  // For absl's hash containers; std::hash is below.
  template <class H>
  friend H AbslHashValue(H h, const Vec& v) {
    return H::combine(std::move(h), v.values);
  }
};

// Returns the scalar product. In integers it must fit T.
template <class T, int N, class Tag>
constexpr T dot(const Vec<T, N, Tag>& a, const Vec<T, N, Tag>& b) {
  T sum{};
  for (int i = 0; i < N; ++i)
    sum += a[i] * b[i];
  return sum;
}

// Returns the Euclidean length.
template <int N, class Tag>
double length(const Vec<double, N, Tag>& v) {
  return std::sqrt(dot(v, v));
}

// Hashes a cell, for absl's hash containers: a few multiplications, since shots look cells up.
struct CellHash {
  template <class Tag>
  std::size_t operator()(const Vec<std::int64_t, 3, Tag>& cell) const {
    std::uint64_t mixed = static_cast<std::uint64_t>(cell[0]) * 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ (mixed >> 32)) + static_cast<std::uint64_t>(cell[1]);
    mixed *= 0xd6e8feb86659fd93U;
    mixed = (mixed ^ (mixed >> 32)) + static_cast<std::uint64_t>(cell[2]);
    mixed *= 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32));
  }
};

// A position or direction on a tile map, in pixels.
using Vec2d = Vec<double, 2>;
// The index of a tile, or a position on a tile map in units.
using Vec2i = Vec<std::int64_t, 2>;
// A position or direction in finest-block widths.
using Vec3d = Vec<double, 3>;
// A position in units, or a difference of two (units.h).
using Vec3i = Vec<std::int64_t, 3>;
// The index of a block on its level, over the whole frame: block k of level l reaches from k to
// k + 1 times Frame::blockWidth(l) on each axis, the upper end excluded.
using BlockCoord = Vec<std::int64_t, 3, struct BlockTag>;
// The index of a chunk on its level, over the whole frame. It equals the index of the block on the
// next coarser level that fills the same space.
using ChunkCoord = Vec<std::int64_t, 3, struct ChunkTag>;

}  // namespace fractalray

namespace std {
// Combines the hashes of the components.
template <class T, int N, class Tag>
struct hash<fractalray::Vec<T, N, Tag>> {
  std::size_t operator()(const fractalray::Vec<T, N, Tag>& v) const {
    std::uint64_t mixed = 0;
    for (const T& value : v.values) {
      mixed = (mixed ^ std::hash<T>()(value)) * 0x9e3779b97f4a7c15U;
      mixed ^= mixed >> 32;
    }
    return mixed;
  }
};
}  // namespace std
