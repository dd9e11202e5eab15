// SPDX-License-Identifier: Apache-2.0
#include "kept_sight.h"

#include <memory>
#include <string_view>
#include <type_traits>

#include "../../fields.h"

namespace fractalray::internal {
namespace {

// Calls visit(name, member, member of the other) for each option that is a flag, a number or a
// word: not for functions, nor for lists that options borrow.
template <class Visit, class Options, class Others>
void forEachOwnOption(const Visit& visit, Options& options, Others& others) {
  forEachField(
      [&visit](const FieldName& field, auto& member, auto& other) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_arithmetic_v<Member> || std::is_enum_v<Member>)
          visit(field.name, member, other);
      },
      options, others);
}

}  // namespace

void KeptScene::set(const ServiceState& state, LevelMask levels_asked,
                    const SightOptions& options_asked) {
  service = state.number;
  frame_levels = state.world.frame().levels();
  version = state.version();
  levels = levels_asked.activeIn(state.world.frame());
  const QueryFilter& filter = options_asked.filter;
  forEachOwnOption([](std::string_view, const auto& asked, auto& kept) { kept = asked; },
                   options_asked, options);
  // These never change an answer.
  options.max_steps = {};
  options.report_certificate = false;
  has_block_filter = static_cast<bool>(filter.block_filter);
  has_entity_filter = static_cast<bool>(filter.entity_filter);
  occluders.assign(options_asked.occluders.begin(), options_asked.occluders.end());
  ignored.assign(filter.ignore.begin(), filter.ignore.end());
}

bool KeptScene::hasSameBlocks(const KeptScene& other) const {
  return service == other.service && version.world == other.version.world &&
         levels == other.levels && options.filter.blocks == other.options.filter.blocks &&
         options.filter.channel == other.options.filter.channel && !has_block_filter &&
         !other.has_block_filter;
}

bool KeptScene::isSame(const KeptScene& other) const {
  bool has_same_options = true;
  forEachOwnOption(
      [&](std::string_view name, const auto& member, const auto& of_other) {
        if (isOfEntities(name) && !options.boxes_block) return;
        has_same_options = has_same_options && member == of_other;
      },
      options, other.options);
  const auto has_same_entities = [&] {
    return version.entities == other.version.entities && ignored == other.ignored &&
           !has_entity_filter && !other.has_entity_filter;
  };
  return hasSameBlocks(other) && has_same_options && occluders == other.occluders &&
         (!options.boxes_block || has_same_entities());
}

void KeptCall::set(const ServiceState& state, std::span<const SightViewer> viewers,
                   std::span<const FixedBox> boxes_asked, LevelMask levels,
                   const SightOptions& options) {
  scene.set(state, levels, options);
  boxes.assign(boxes_asked.begin(), boxes_asked.end());
  eyes.clear();
  eyes_begin.assign(1, 0);
  for (const SightViewer& viewer : viewers) {
    eyes.insert(eyes.end(), viewer.eyes.begin(), viewer.eyes.end());
    eyes_begin.push_back(eyes.size());
  }
  columns = (boxes.size() + KeptSight::kBoxesInRun - 1) / KeptSight::kBoxesInRun;
  runs.resize(viewers.size() * columns);
}

KeptSight& KeptSight::of(SightHistory& history) {
  if (history.kept_ == nullptr) history.kept_ = std::make_unique<KeptSight>();
  return *history.kept_;
}

std::size_t KeptSight::size() const {
  std::size_t size = 0;
  for (const KeptRun& run : last.runs)
    size += run.pairs.size();
  return size;
}

}  // namespace fractalray::internal
