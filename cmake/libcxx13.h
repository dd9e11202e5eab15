/* SPDX-License-Identifier: Apache-2.0 */
/* What the library uses of C++20 and libc++ 13, that of Debian's emscripten, lacks. Included before
 * every C++ source of the WebAssembly module (-include); nothing else knows of it. */
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>
#include <version>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000 && __cplusplus >= 202002L

namespace std {

#ifndef __cpp_lib_bit_cast
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
#endif

template <class T, size_t N>
constexpr auto operator<=>(const array<T, N>& a, const array<T, N>& b) -> decltype(a[0] <=> b[0]) {
  for (size_t i = 0; i < N; ++i) {
    if (const auto order = a[i] <=> b[i]; order != 0) return order;
  }
  return strong_ordering::equal;
}
template <class T, class A>
constexpr auto operator<=>(const vector<T, A>& a, const vector<T, A>& b) -> decltype(a[0] <=> b[0]) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (const auto order = a[i] <=> b[i]; order != 0) return order;
  }
  return a.size() <=> b.size();
}

namespace ranges {
template <class Range, class Test>
constexpr bool all_of(Range&& range, Test test) {
  for (auto&& element : range) {
    if (!test(element)) return false;
  }
  return true;
}
}  // namespace ranges

}  // namespace std

#endif
