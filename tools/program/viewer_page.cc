// SPDX-License-Identifier: Apache-2.0
#include "viewer_page.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

#include "../../core/check.h"

namespace fractalray {
namespace {

// The element of the page, empty as it was made, from which its script takes a scenario.
constexpr std::string_view kElement = R"(<script type="application/json" id="scenario-data">)";

// Returns where the content of the element begins; npos if there is no such element, or it is full.
std::size_t contentAt(std::string_view page) {
  const std::size_t at = page.find(kElement);
  if (at == std::string_view::npos) return at;
  const std::size_t begin = at + kElement.size();
  return page.substr(begin, 2) == "</" ? begin : std::string_view::npos;
}

}  // namespace

bool isViewer(std::string_view page) {
  return contentAt(page) != std::string_view::npos;
}

std::string viewerPage(std::string_view page, std::string_view scenario) {
  const std::size_t at = contentAt(page);
  FRACTALRAY_CHECK(at != std::string_view::npos);
  // JSON has "<" in its texts alone, where it may be escaped: nothing ends the element early.
  const std::string safe = absl::StrReplaceAll(std::string(scenario), {{"<", "\\u003c"}});
  return absl::StrCat(std::string(page.substr(0, at)), safe, std::string(page.substr(at)));
}

}  // namespace fractalray
