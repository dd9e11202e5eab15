// SPDX-License-Identifier: Apache-2.0
// Checks of the pointers, structs and arrays that C functions receive.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../../core/corner_policy.h"
#include "../../../core/level_mask.h"
#include "../../../core/vec.h"
#include "../fractalray_c.h"

namespace fractalray::capi {

// A pointer that a function needs, with its name for the error.
struct Argument {
  template <class T>
  Argument(const T* pointer, const char* argument_name)
      : at(pointer), name(argument_name), alignment(alignof(T)) {}
  Argument(const void* pointer, const char* argument_name) : at(pointer), name(argument_name) {}

  const void* at;
  const char* name;
  std::size_t alignment = 1;
};
using Arguments = std::initializer_list<Argument>;

// Returns true if the pointer is null or misaligned.
inline bool isBad(const Argument& argument) {
  return argument.at == nullptr ||
         (reinterpret_cast<std::uintptr_t>(argument.at) & (argument.alignment - 1)) != 0;
}
absl::Status badArgument(const Argument& argument);

// Returns INVALID_ARGUMENT for the first pointer that is null or misaligned.
inline absl::Status checkArguments(Arguments arguments) {
  for (const Argument& argument : arguments) {
    if (isBad(argument)) [[unlikely]]
      return badArgument(argument);
  }
  return absl::OkStatus();
}
// Returns the same, except that null is right.
inline absl::Status checkOptional(const Argument& argument) {
  return argument.at == nullptr ? absl::OkStatus() : checkArguments({argument});
}
// Checks an array of `count` elements, which may be null if there are none.
inline absl::Status checkArray(const Argument& array, std::size_t count) {
  return count == 0 ? absl::OkStatus() : checkArguments({array});
}

absl::Status badStructSize(const char* name, std::uint32_t size, std::size_t expected);
// Checks a struct that begins with struct_size.
template <class T>
absl::Status checkStruct(const T* sized, const char* name) {
  const Argument argument(sized, name);
  if (isBad(argument)) return badArgument(argument);
  if (sized->struct_size != sizeof(T)) return badStructSize(name, sized->struct_size, sizeof(T));
  return absl::OkStatus();
}
// Adds the element of an array to an error about it, as in "chunks[3]: ...".
absl::Status ofElement(const char* array, std::size_t index, const absl::Status& error);
absl::Status badElementSize(const char* array, std::size_t index, std::uint32_t size,
                            std::size_t expected);
// Checks an element of an array of structs that begin with struct_size.
template <class T>
absl::Status checkElement(const T* array, std::size_t index, const char* name) {
  const std::uint32_t size = array[index].struct_size;
  return size == sizeof(T) ? absl::OkStatus() : badElementSize(name, index, size, sizeof(T));
}
// Checks the first of several structs, which have the same size.
template <class T>
absl::Status checkStructs(const T* first, std::size_t count, const char* name) {
  return count == 0 ? absl::OkStatus() : checkStruct(first, name);
}

// Returns INVALID_ARGUMENT for a number that is none of an enumeration, which is described by
// `allowed`.
absl::Status badEnum(const char* name, std::int64_t value, std::string_view allowed);
absl::StatusOr<CornerPolicy> cornerFrom(std::int32_t corner);

// Sets a limit, unless it is 0, which stands for the default. One beyond the range of a narrower T,
// as of a 32-bit size_t, is the largest there: cut to its low bits it would be another limit.
template <class T>
void setLimit(std::uint64_t from, T& limit) {
  constexpr std::uint64_t kMost = std::numeric_limits<T>::max();
  if (from != 0) limit = static_cast<T>(std::min(from, kMost));
}

inline BlockCoord blockFrom(const std::int64_t* at) {
  return {at[0], at[1], at[2]};
}
inline ChunkCoord chunkFrom(const std::int64_t* at) {
  return {at[0], at[1], at[2]};
}
inline Vec3i vectorFrom(const std::int64_t* at) {
  return {at[0], at[1], at[2]};
}
inline Vec3d vectorFrom(const double* at) {
  return {at[0], at[1], at[2]};
}
template <class T, class Tag>
void store(const Vec<T, 3, Tag>& vector, T* to) {
  to[0] = vector[0];
  to[1] = vector[1];
  to[2] = vector[2];
}

// Copies an answer of `size` elements, made one by one, to the caller's array as far as it reaches;
// OUT_OF_RANGE if it is too short. Requires: the array has been checked.
absl::Status tooShort(std::size_t size, std::size_t capacity);
template <class T, class Make>
absl::Status copyOut(std::size_t size, T* array, std::size_t capacity, std::size_t* count,
                     const Make& make) {
  for (std::size_t i = 0; i < size && i < capacity; ++i)
    array[i] = make(i);
  *count = size;
  return capacity == 0 || size <= capacity ? absl::OkStatus() : tooShort(size, capacity);
}
// Copies a text with a zero byte at its end, or nothing of it. `length` may be null.
absl::Status copyText(std::string_view text, char* to, std::size_t capacity, std::size_t* length);

}  // namespace fractalray::capi
