// SPDX-License-Identifier: Apache-2.0
// Calls functions of the C interface at random, with random arguments, many of which are wrong:
// each call has a result that exists, each error has a text, and nothing ends the program.
// FRACTALRAY_CAPI_FUZZ_CALLS sets the number of calls, FRACTALRAY_CAPI_FUZZ_SEED the seed.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "fuzzer.h"

namespace fractalray::testing {
namespace {

std::uint64_t fromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(CapiFuzzTest, RandomCallsHaveResults) {
  const std::uint64_t seed = fromEnvironment("FRACTALRAY_CAPI_FUZZ_SEED", 1);
  const std::uint64_t calls = fromEnvironment("FRACTALRAY_CAPI_FUZZ_CALLS", 200000);
  RecordProperty("seed", static_cast<int>(seed));
  std::uint64_t made = 0;
  std::uint64_t successes = 0;
  // New objects now and then, so that a failure is found again from a seed.
  for (std::uint64_t round = 0; made < calls && !HasFatalFailure(); ++round) {
    Fuzzer fuzzer(seed * 1000003 + round);
    while (fuzzer.calls() < 5000 && made + fuzzer.calls() < calls && !HasFatalFailure())
      fuzzer.call();
    made += fuzzer.calls();
    successes += fuzzer.successes();
  }
  // As many calls do something as are refused.
  EXPECT_GT(successes, made / 4);
}

}  // namespace
}  // namespace fractalray::testing
