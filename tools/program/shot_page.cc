// SPDX-License-Identifier: Apache-2.0
#include "shot_page.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

#include "../../core/printable.h"
#include "shot_page_template.h"
#include "text_table.h"

namespace fractalray {
namespace {

std::string escaped(const std::string& text) {
  return absl::StrReplaceAll(printableLines(text), {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}});
}

}  // namespace

std::string titleOfShot(const FixedSegment& line) {
  const double end = static_cast<double>(line.end_time) / static_cast<double>(kWholeLine);
  return absl::StrCat("A shot from ", formatPoint(line.pointAt(0)), " to ",
                      formatPoint(line.pointAt(end)));
}

std::string shotPage(const std::string& title, const Trace& trace, const std::string& words) {
  std::string list;
  for (const std::string& item : trace.lines)
    absl::StrAppend(&list, "<li>", escaped(item), "</li>\n");
  const std::string_view page = internal::shotPageTemplate();
  return absl::StrReplaceAll(absl::string_view(page.data(), page.size()),
                             {{"{{title}}", escaped(title)},
                              {"{{trace}}", traceJson(trace)},
                              {"{{lines}}", list},
                              {"{{words}}", escaped(words)}});
}

}  // namespace fractalray
