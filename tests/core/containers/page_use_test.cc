// SPDX-License-Identifier: Apache-2.0
#include "../../../core/internal/containers/page_use.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <vector>

#include "../../oracle/rng.h"

namespace fractalray {
namespace {

std::vector<std::size_t> pagesOf(const PageUse<3>& use) {
  std::vector<std::size_t> pages;
  use.forEach([&](std::size_t page) { pages.push_back(page); });
  return pages;
}

TEST(PageUseTest, AnySequenceOfChangesEqualsTheModel) {
  oracle::Rng rng("PageUseTest");
  PageUse<3> use;
  EXPECT_EQ(use.end(), 0U);
  std::map<std::size_t, int> uses;  // by element
  std::size_t size = 0;
  for (int step = 0; step < 6000; ++step) {
    if (rng.oneIn(4)) use.reserve(++size);
    if (size == 0) continue;
    const auto element = static_cast<std::size_t>(rng.below(static_cast<int>(size)));
    // Fewer and fewer are in use after a third.
    if (uses.contains(element) && (step > 2000 || rng.oneIn(2))) {
      use.release(element);
      if (--uses[element] == 0) uses.erase(element);
    } else if (step < 2000 || rng.oneIn(8)) {
      use.use(element);
      ++uses[element];
    }
    std::map<std::size_t, int> expected;
    for (const auto& [used, count] : uses)
      expected[used / 8] += count;
    std::vector<std::size_t> pages;
    for (const auto& [page, count] : expected)
      pages.push_back(page);
    ASSERT_EQ(pagesOf(use), pages) << step;
    ASSERT_EQ(use.end(), pages.empty() ? 0 : pages.back() + 1) << step;
  }
}

}  // namespace
}  // namespace fractalray
