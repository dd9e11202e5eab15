// SPDX-License-Identifier: Apache-2.0
// The members of the plain structs of queries; see core/fields.h.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "../core/fields.h"
#include "query_filter.h"
#include "query_options.h"
#include "query_stats.h"
#include "terminal_rules.h"

namespace fractalray {

template <>
struct Fields<QueryFilter> {
  static constexpr std::array<std::string_view, 9> kNames = {
      "blocks", "channel",           "solid_only",   "entities",     "categories",
      "ignore", "skip_start_inside", "block_filter", "entity_filter"};
  static constexpr auto tie(auto& filter) {
    auto& [blocks, channel, solid_only, entities, categories, ignore, skip_start_inside,
           block_filter, entity_filter] = filter;
    return std::tie(blocks, channel, solid_only, entities, categories, ignore, skip_start_inside,
                    block_filter, entity_filter);
  }
};

template <>
struct Fields<QueryOptions> {
  static constexpr std::array<std::string_view, 15> kNames = {
      "filter",         "entities_block",  "corner",
      "report_blocker", "after",           "on_hit",
      "rules",          "budgets",         "max_hits",
      "report_unknown", "stop_at_unknown", "report_level_spans",
      "max_steps",      "max_batch_steps", "pass"};
  static constexpr auto tie(auto& options) {
    auto& [filter, entities_block, corner, report_blocker, after, on_hit, rules, budgets, max_hits,
           report_unknown, stop_at_unknown, report_level_spans, max_steps, max_batch_steps, pass] =
        options;
    return std::tie(filter, entities_block, corner, report_blocker, after, on_hit, rules, budgets,
                    max_hits, report_unknown, stop_at_unknown, report_level_spans, max_steps,
                    max_batch_steps, pass);
  }
};

template <>
struct Fields<QueryStats> {
  static constexpr std::array<std::string_view, 8> kNames = {
      "cells", "chunks", "index_cells", "entities_tested", "skips", "listed", "ordered", "direct"};
  static constexpr auto tie(auto& stats) {
    auto& [cells, chunks, index_cells, entities_tested, skips, listed, ordered, direct] = stats;
    return std::tie(cells, chunks, index_cells, entities_tested, skips, listed, ordered, direct);
  }
};

template <>
struct Fields<TerminalRule> {
  static constexpr std::array<std::string_view, 6> kNames = {"kind",     "budget",  "touch_costs",
                                                             "per_pane", "per_hit", "per_block"};
  static constexpr auto tie(auto& rule) {
    auto& [kind, budget, touch_costs, per_pane, per_hit, per_block] = rule;
    return std::tie(kind, budget, touch_costs, per_pane, per_hit, per_block);
  }
};

}  // namespace fractalray
