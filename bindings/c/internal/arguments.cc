// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"

namespace fractalray::capi {
namespace {

absl::Status wrongSize(const std::string& member, std::uint32_t size, std::size_t expected) {
  return absl::InvalidArgumentError(
      absl::StrCat(member, " is ", size, "; set it to ", expected,
                   ", the sizeof of the struct in the header of this version"));
}

}  // namespace

absl::Status badArgument(const Argument& argument) {
  if (argument.at == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(argument.name, " is null"));
  }
  return absl::InvalidArgumentError(
      absl::StrCat(argument.name, " is not at a multiple of ", argument.alignment, " bytes"));
}

absl::Status badStructSize(const char* name, std::uint32_t size, std::size_t expected) {
  return wrongSize(absl::StrCat(name, "->struct_size"), size, expected);
}

absl::Status badElementSize(const char* array, std::size_t index, std::uint32_t size,
                            std::size_t expected) {
  return wrongSize(absl::StrCat(array, "[", index, "].struct_size"), size, expected);
}

absl::Status ofElement(const char* array, std::size_t index, const absl::Status& error) {
  return {error.code(), absl::StrCat(array, "[", index, "]: ", error.message())};
}

absl::Status badEnum(const char* name, std::int64_t value, std::string_view allowed) {
  return absl::InvalidArgumentError(
      absl::StrCat(name, " is ", value, "; it is one of ", std::string(allowed)));
}

absl::StatusOr<CornerPolicy> cornerFrom(std::int32_t corner) {
  switch (corner) {
    case FR_CORNER_BOTH:
      return CornerPolicy::kBoth;
    case FR_CORNER_NEITHER:
      return CornerPolicy::kNeither;
    case FR_CORNER_STAIRCASE:
      return CornerPolicy::kStaircase;
    default:
      return badEnum("corner", corner, "FR_CORNER_BOTH, FR_CORNER_NEITHER, FR_CORNER_STAIRCASE");
  }
}

absl::Status tooShort(std::size_t size, std::size_t capacity) {
  return absl::OutOfRangeError(absl::StrCat("the array is too short: the answer has ", size,
                                            " elements, the capacity is ", capacity));
}

absl::Status copyText(std::string_view text, char* to, std::size_t capacity, std::size_t* length) {
  if (length != nullptr) *length = text.size();
  if (capacity == 0) return absl::OkStatus();
  if (text.size() >= capacity) return tooShort(text.size() + 1, capacity);
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  to[text.size()] = '\0';
  return absl::OkStatus();
}

}  // namespace fractalray::capi
