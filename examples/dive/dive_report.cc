// SPDX-License-Identifier: Apache-2.0
#include "dive_report.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include "../../tools/program/text_table.h"

namespace fractalray {
namespace {

// Returns the smallest of the values that is as large as this part of them.
double quantile(std::vector<double> values, double part) {
  const auto rank = std::min(values.size() - 1,
                             static_cast<std::size_t>(part * static_cast<double>(values.size())));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank),
                   values.end());
  return values[rank];
}

TableRow costRow(const char* name, std::span<const TickCost> costs,
                 const std::function<double(const TickCost&)>& part) {
  std::vector<double> millis;
  millis.reserve(costs.size());
  for (const TickCost& cost : costs)
    millis.push_back(part(cost));
  TableRow row{name};
  for (const double of : {0.5, 0.99, 1.0})
    row.push_back(absl::StrFormat("%.2f", quantile(millis, of)));
  return row;
}

}  // namespace

std::string formatCounts(const DiveCounts& down, const DiveCounts& up) {
  constexpr std::array<std::pair<const char*, std::size_t DiveCounts::*>, 14> kCounts = {{
      {"ticks", &DiveCounts::ticks},
      {"moves of the window", &DiveCounts::moves},
      {"chunks requested", &DiveCounts::requested},
      {"chunks loaded", &DiveCounts::loaded},
      {"chunks unloaded, out of reach", &DiveCounts::unloaded},
      {"chunks dropped by moves", &DiveCounts::dropped},
      {"visibility rays", &DiveCounts::rays},
      {"blocks that came into sight", &DiveCounts::seen},
      {"shots", &DiveCounts::shots},
      {"hits", &DiveCounts::hits},
      {"blocks changed", &DiveCounts::changed},
      {"changed blocks found", &DiveCounts::found},
      {"changed blocks missing", &DiveCounts::missing},
      {"ticks within a solid block", &DiveCounts::enclosed},
  }};
  std::vector<TableRow> rows = {{"", "down", "up"}};
  for (const auto& [name, count] : kCounts)
    rows.push_back({name, absl::StrCat(down.*count), absl::StrCat(up.*count)});
  return formatTable(std::move(rows));
}

std::string formatCosts(std::span<const TickCost> costs) {
  std::vector<TableRow> rows = {{"a tick, in ms", "p50", "p99", "worst"}};
  rows.push_back(costRow("loads", costs, [](const TickCost& cost) { return cost.loads; }));
  rows.push_back(costRow("moves", costs, [](const TickCost& cost) { return cost.moves; }));
  rows.push_back(costRow("visibility", costs, [](const TickCost& cost) { return cost.sight; }));
  rows.push_back(costRow("shots", costs, [](const TickCost& cost) { return cost.shots; }));
  rows.push_back(costRow("edits", costs, [](const TickCost& cost) { return cost.edits; }));
  rows.push_back(costRow("all", costs, [](const TickCost& cost) { return cost.all(); }));
  return formatTable(std::move(rows));
}

}  // namespace fractalray
