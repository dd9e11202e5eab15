// SPDX-License-Identifier: Apache-2.0
// Made by tools/scripts/generate_bindings.py from bindings/c/fractalray_c.h, which documents it; do
// not edit.
#pragma once

#include <array>
#include <tuple>

#include "../../../core/fields.h"
#include "../fractalray_c.h"

namespace fractalray {

// clang-format off
template <>
struct Fields<frQueryOptions> {
  static constexpr auto kNames = std::to_array<FieldName>({
      {"struct_size"}, {"corner"}, {"categories"}, {"ignore"}, {"ignore_count"}, {"after"},
      {"after_count"}, {"rules"}, {"budgets"}, {"block_filter"}, {"entity_filter"},
      {"filter_context"}, {"on_hit"}, {"hit_context"}, {"max_hits"}, {"max_steps"},
      {"max_batch_steps"}, {"channel"}, {"no_blocks"}, {"no_entities"}, {"solid_only"},
      {"skip_start_inside"}, {"report_unknown"}, {"stop_at_unknown"}, {"entities_block"},
      {"after_by_id"}, {"reserved"}
  });
  static constexpr auto tie(auto& object) {
    auto& [
      struct_size, corner, categories, ignore, ignore_count, after, after_count, rules, budgets,
      block_filter, entity_filter, filter_context, on_hit, hit_context, max_hits, max_steps,
      max_batch_steps, channel, no_blocks, no_entities, solid_only, skip_start_inside,
      report_unknown, stop_at_unknown, entities_block, after_by_id, reserved
    ] = object;
    return std::tie(
      struct_size, corner, categories, ignore, ignore_count, after, after_count, rules, budgets,
      block_filter, entity_filter, filter_context, on_hit, hit_context, max_hits, max_steps,
      max_batch_steps, channel, no_blocks, no_entities, solid_only, skip_start_inside,
      report_unknown, stop_at_unknown, entities_block, after_by_id, reserved
    );
  }
};
template <>
struct Fields<frSightOptions> {
  static constexpr auto kNames = std::to_array<FieldName>({
      {"struct_size"}, {"unloaded"}, {"categories"}, {"ignore"}, {"ignore_count"}, {"occluders"},
      {"occluder_count"}, {"block_filter"}, {"entity_filter"}, {"filter_context"}, {"max_steps"},
      {"through"}, {"channel"}, {"no_blocks"}, {"skip_start_inside"}, {"boxes_block"}, {"reserved"}
  });
  static constexpr auto tie(auto& object) {
    auto& [
      struct_size, unloaded, categories, ignore, ignore_count, occluders, occluder_count,
      block_filter, entity_filter, filter_context, max_steps, through, channel, no_blocks,
      skip_start_inside, boxes_block, reserved
    ] = object;
    return std::tie(
      struct_size, unloaded, categories, ignore, ignore_count, occluders, occluder_count,
      block_filter, entity_filter, filter_context, max_steps, through, channel, no_blocks,
      skip_start_inside, boxes_block, reserved
    );
  }
};
template <>
struct Fields<frRule> {
  static constexpr auto kNames = std::to_array<FieldName>({
      {"per_hit"}, {"per_block"}, {"kind"}, {"budget"}, {"touch_costs"}, {"per_pane"}, {"reserved"}
  });
  static constexpr auto tie(auto& object) {
    auto& [
      per_hit, per_block, kind, budget, touch_costs, per_pane, reserved
    ] = object;
    return std::tie(
      per_hit, per_block, kind, budget, touch_costs, per_pane, reserved
    );
  }
};
// clang-format on

}  // namespace fractalray
