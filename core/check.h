// SPDX-License-Identifier: Apache-2.0
// The assertion macros of the project. A failed check is a bug of the caller or of the library. Bad
// outside data is reported as an absl::Status instead. The message has the condition and the values
// that broke it, but no path of the machine that compiled it:
//
//     FRACTALRAY_CHECK(levels >= 1 && levels <= kMaxLevels, levels);
//     frame.h:22: check failed: levels >= 1 && levels <= kMaxLevels; levels = 11
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

#include "platform.h"  // IWYU pragma: export

// __FILE__ would leave a path of the building machine in every program; the condition is in the
// message anyway.
#ifdef __FILE_NAME__
#define FRACTALRAY_INTERNAL_FILE __FILE_NAME__
#else
#define FRACTALRAY_INTERNAL_FILE "fractalray"
#endif

// Compiled for size, and apart from the code that calls it.
#if defined(__GNUC__)
#define FRACTALRAY_INTERNAL_COLD [[gnu::cold]]
#else
#define FRACTALRAY_INTERNAL_COLD
#endif

namespace fractalray::internal {

// Returns the text of a value for the message of a failed check: a status or text as it is, other
// types as numbers (exact, except for integers wider than 64 bits).
template <class T>
std::string checkedValue(const T& value) {
  if constexpr (requires { value.ToString(); }) {
    return value.ToString();
  } else if constexpr (requires { value.status().ToString(); }) {
    return value.status().ToString();
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return std::string(std::string_view(value));
  } else if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.17g", static_cast<double>(value));
    return text.data();
  }
}

// Returns "; NAMES = VALUE, VALUE", or "" if there are no values. Takes values by copy: a variable
// whose address is taken here would be kept in memory by the code around the check. Cold: checks
// are in loops that have to be fast, and their texts have to be small.
template <class... T>
FRACTALRAY_INTERNAL_COLD std::string checkedValues([[maybe_unused]] const char* names,
                                                   T... values) {
  std::string text;
  ((text += (text.empty() ? "; " + std::string(names) + " = " : ", ") + checkedValue(values)), ...);
  return text;
}

[[noreturn]] FRACTALRAY_INTERNAL_COLD inline void checkFailed(const char* condition,
                                                              const std::string& values,
                                                              const char* file, int line) {
  std::fprintf(stderr, "%s:%d: check failed: %s%s\n", file, line, condition, values.c_str());
  std::abort();
}

// Takes an absl::Status or an absl::StatusOr.
template <class Result>
void checkOk(const Result& result, const char* expression, const char* file, int line) {
  if (!result.ok()) checkFailed(expression, checkedValues("status", result), file, line);
}

}  // namespace fractalray::internal

// Checks a condition in every build; for conditions whose cost does not matter. The values are
// evaluated only to be printed.
#define FRACTALRAY_CHECK(condition, ...)                                                           \
  ((condition) ? static_cast<void>(0)                                                              \
               : ::fractalray::internal::checkFailed(#condition,                                   \
                                                     ::fractalray::internal::checkedValues(        \
                                                         #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__), \
                                                     FRACTALRAY_INTERNAL_FILE, __LINE__))

// Checks that a call succeeds; prints its status if it does not.
#define FRACTALRAY_CHECK_OK(result) \
  ::fractalray::internal::checkOk((result), #result " is ok", FRACTALRAY_INTERNAL_FILE, __LINE__)

// Checks a condition in the builds that keep asserts (presets dev, checked, asan, tsan); free
// elsewhere.
#ifdef NDEBUG
#define FRACTALRAY_DCHECK(condition, ...) static_cast<void>(0)
#else
#define FRACTALRAY_DCHECK(condition, ...) FRACTALRAY_CHECK(condition __VA_OPT__(, ) __VA_ARGS__)
#endif
