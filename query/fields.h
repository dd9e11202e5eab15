// SPDX-License-Identifier: Apache-2.0
// The members of the plain structs of queries, and the words for their values; see core/fields.h.
// The order of options and rules is the one in which files and texts have them.
#pragma once

#include <array>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "../core/corner_policy.h"
#include "../core/fields.h"
#include "query_filter.h"
#include "query_options.h"
#include "query_stats.h"
#include "sight.h"
#include "terminal_rules.h"

namespace fractalray {

// The members of the options and of their filter.
template <>
struct Fields<QueryOptions> {
  static constexpr auto kNames = std::to_array<FieldName>({
      {"corner", "The policy for exact corners: both, neither or staircase"},
      {"channel", "The collision channel, such as default, visible or physical"},
      {"categories", "Hit only entities that share a bit with this number"},
      {"ignore"},
      {"max_hits", "Report at most N hits, the nearest ones"},
      {"rules"},
      {"budgets"},
      {"skip_start_inside", "Leave out everything that contains the start"},
      {"stop_at_unknown", "End the shot where unloaded space begins"},
      {"report_unknown", "Report the t at which unloaded space begins, or that all is loaded"},
      {"report_level_spans",
       "Report in JSON the part of the line in the box of each level's loaded chunks"},
      {"blocks", "Hit no blocks"},
      {"solid_only", "Treat permeable blocks as if they were empty"},
      {"entities", "Hit no entities"},
      {"entities_block", "Let entities occlude lines of sight"},
      {"report_blocker", "Report what occludes a line of sight"},
      {"max_steps", "Give up after N steps"},
      {"max_batch_steps", "Give up after N steps of all queries together"},
      {"after"},
      {"after_by_id", "Recognize the entities of earlier hits by their ids"},
      {"on_hit"},
      {"block_filter"},
      {"entity_filter"},
      {"pass"},
  });
  static constexpr auto tie(auto& options) {
    auto& [filter, entities_block, corner, report_blocker, after, after_by_id, on_hit, rules,
           budgets, max_hits, report_unknown, stop_at_unknown, report_level_spans, max_steps,
           max_batch_steps, pass] = options;
    auto& [blocks, channel, solid_only, entities, categories, ignore, skip_start_inside,
           block_filter, entity_filter] = filter;
    return std::tie(corner, channel, categories, ignore, max_hits, rules, budgets,
                    skip_start_inside, stop_at_unknown, report_unknown, report_level_spans, blocks,
                    solid_only, entities, entities_block, report_blocker, max_steps,
                    max_batch_steps, after, after_by_id, on_hit, block_filter, entity_filter, pass);
  }
};

// The members of the options of sight and of their filter.
template <>
struct Fields<SightOptions> {
  static constexpr auto kNames = std::to_array<FieldName>({
      {"channel", "The collision channel, such as default or visible"},
      {"categories", "Let only entities occlude that share a bit with this number"},
      {"ignore"},
      {"skip_start_inside", "Leave out everything that has the eye in its interior"},
      {"blocks", "Let no blocks occlude"},
      {"boxes_block", "Let box entities occlude"},
      {"unloaded", "Report, or take for transparent or opaque, the space that is not loaded"},
      {"through", "See through N occluders"},
      {"max_steps", "Give up after N steps"},
      {"occluders"},
      {"report_certificate", "Report boxes that hide a hidden box"},
      {"solid_only"},
      {"entities"},
      {"block_filter"},
      {"entity_filter"},
  });
  static constexpr auto tie(auto& options) {
    auto& [filter, boxes_block, occluders, unloaded, through, report_certificate, max_steps] =
        options;
    auto& [blocks, channel, solid_only, entities, categories, ignore, skip_start_inside,
           block_filter, entity_filter] = filter;
    return std::tie(channel, categories, ignore, skip_start_inside, blocks, boxes_block, unloaded,
                    through, max_steps, occluders, report_certificate, solid_only, entities,
                    block_filter, entity_filter);
  }
};

// The members of a filter by itself, in the order of files of blasts.
template <>
struct Fields<QueryFilter> {
  static constexpr auto kNames = std::to_array<FieldName>({
      {"solid_only"},
      {"blocks"},
      {"entities"},
      {"categories", "Find only entities that share a bit with this number"},
      {"channel"},
      {"ignore"},
      {"skip_start_inside"},
      {"block_filter"},
      {"entity_filter"},
  });
  static constexpr auto tie(auto& filter) {
    auto& [blocks, channel, solid_only, entities, categories, ignore, skip_start_inside,
           block_filter, entity_filter] = filter;
    return std::tie(solid_only, blocks, entities, categories, channel, ignore, skip_start_inside,
                    block_filter, entity_filter);
  }
};

// Says whether a member of a filter is for entities alone, `skip_start_inside` for both aside.
constexpr bool isOfEntities(std::string_view member) {
  return member == "entities" || member == "categories" || member == "ignore" ||
         member == "entity_filter";
}

template <>
struct Fields<QueryStats> {
  static constexpr auto kNames = std::to_array<FieldName>({{"cells"},
                                                           {"chunks"},
                                                           {"index_cells"},
                                                           {"entities_tested"},
                                                           {"skips"},
                                                           {"listed"},
                                                           {"ordered"},
                                                           {"direct"}});
  static constexpr auto tie(auto& stats) {
    auto& [cells, chunks, index_cells, entities_tested, skips, listed, ordered, direct] = stats;
    return std::tie(cells, chunks, index_cells, entities_tested, skips, listed, ordered, direct);
  }
};

template <>
struct Fields<TerminalRule> {
  static constexpr auto kNames = std::to_array<FieldName>(
      {{"kind"}, {"budget"}, {"per_hit"}, {"per_block"}, {"touch_costs"}, {"per_pane"}});
  static constexpr auto tie(auto& rule) {
    auto& [kind, budget, touch_costs, per_pane, per_hit, per_block] = rule;
    return std::tie(kind, budget, per_hit, per_block, touch_costs, per_pane);
  }
};

template <>
struct EnumWords<CornerPolicy> {
  static constexpr auto kWords =
      std::to_array<EnumWord<CornerPolicy>>({{"both", CornerPolicy::kBoth},
                                             {"neither", CornerPolicy::kNeither},
                                             {"staircase", CornerPolicy::kStaircase}});
};

template <>
struct EnumWords<Sight> {
  static constexpr auto kWords = std::to_array<EnumWord<Sight>>({{"hidden", Sight::kHidden},
                                                                 {"unknown", Sight::kUnknown},
                                                                 {"visible", Sight::kVisible},
                                                                 {"undecided", Sight::kUndecided},
                                                                 {"skipped", Sight::kSkipped}});
};

template <>
struct EnumWords<UnloadedSpace> {
  static constexpr auto kWords =
      std::to_array<EnumWord<UnloadedSpace>>({{"report", UnloadedSpace::kReport},
                                              {"transparent", UnloadedSpace::kTransparent},
                                              {"opaque", UnloadedSpace::kOpaque}});
};

template <>
struct EnumWords<TerminalRule::Kind> {
  static constexpr auto kWords =
      std::to_array<EnumWord<TerminalRule::Kind>>({{"continue", TerminalRule::Kind::kContinue},
                                                   {"stop", TerminalRule::Kind::kStop},
                                                   {"cost", TerminalRule::Kind::kCost}});
};

// Says whether members of a type are plain: a flag, a number or a word, which all that handles
// members one by one handles alike. An enumeration that is not listed here needs its EnumWords.
template <class Member>
constexpr bool isPlain() {
  constexpr bool kHasNames = std::is_same_v<Member, ChannelId>;  // of the table of block types
  constexpr bool kIsInternal = std::is_same_v<Member, SearchPass>;
  static_assert(!std::is_enum_v<Member> || HasWords<Member> || kHasNames || kIsInternal ||
                    std::is_same_v<Member, BudgetId>,
                "say by EnumWords how texts call the values of this type");
  return std::is_arithmetic_v<Member> || HasWords<Member>;
}

}  // namespace fractalray
