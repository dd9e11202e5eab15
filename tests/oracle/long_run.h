// SPDX-License-Identifier: Apache-2.0
// Long runs of random tests, and runs that repeat a failure.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "rng.h"

namespace fractalray::oracle {

// Returns whether random tests are to take many times as long: FRACTALRAY_LONG_TESTS is set, which
// `./dev check --long` does.
inline bool isLongRun() {
  return std::getenv("FRACTALRAY_LONG_TESTS") != nullptr;
}

// True in builds with a sanitizer of addresses or threads, which are several times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif
#else
inline constexpr bool kIsSanitized = false;
#endif

// Returns how many cases a long random test draws: `many` in long runs, `few` in others, and a
// third of that with a sanitizer, which notices a fault whatever the numbers are, and is several
// times slower: the builds without one compare all answers.
inline int casesToDraw(int few, int many) {
  if (isLongRun()) return many;
  return kIsSanitized ? (few + 2) / 3 : few;
}

// Returns the seed that FRACTALRAY_TEST_SEED has: random tests then begin with the round of which a
// failure has said repeatBy().
inline std::optional<std::uint64_t> repeatedSeed() {
  const char* const seed = std::getenv("FRACTALRAY_TEST_SEED");
  if (seed == nullptr) return std::nullopt;
  return static_cast<std::uint64_t>(std::strtoull(seed, nullptr, 10));
}
inline std::string repeatBy(std::uint64_t seed) {
  return "FRACTALRAY_TEST_SEED=" + std::to_string(seed);
}

// Returns the generator of a random test: seeded by the name, or by repeatedSeed().
inline Rng rngOf(std::string_view name) {
  const std::optional<std::uint64_t> seed = repeatedSeed();
  return seed.has_value() ? Rng(*seed) : Rng(name);
}

}  // namespace fractalray::oracle
