// SPDX-License-Identifier: Apache-2.0
#include "query_input.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "absl/strings/str_cat.h"

#include "arguments.h"
#include "caller_callbacks.h"
#include "convert.h"
#include "objects.h"
#include "plain_members.h"

namespace fractalray::capi {
namespace {

// The options that copyPlain() leaves out.
struct OptionsByHand {
  static constexpr auto kByHand = std::to_array<std::string_view>(
      {"struct_size", "ignore", "ignore_count", "after", "after_count", "rules", "budgets",
       "block_filter", "entity_filter", "filter_context", "on_hit", "hit_context", "reserved"});
  // In C an argument, a function of its own, and nothing.
  static constexpr auto kNotInC =
      std::to_array<std::string_view>({"report_blocker", "report_level_spans", "pass"});
};

}  // namespace

absl::Status copyMember(std::int32_t from, CornerPolicy& to) {
  const absl::StatusOr<CornerPolicy> corner = cornerFrom(from);
  if (corner.ok()) to = *corner;
  return corner.status();
}

const QueryOptions QueryInput::kDefault{};
const QueryOptions QueryInput::kDefaultWithBlocker{.report_blocker = true};

absl::Status QueryInput::readGiven(const frQueryOptions& options, const WorldState& world,
                                   std::vector<Hit>& after) {
  absl::Status status = checkStruct(&options, "options");
  if (!status.ok()) return status;
  options_.emplace();
  status = copyPlain<OptionsByHand>(options, *options_);
  if (status.ok()) status = readIgnored(options);
  if (status.ok()) status = readRules(options);
  if (status.ok()) status = readAfter(options, after);
  if (!status.ok()) return status;
  readFunctions(options, world);
  return status;
}

absl::Status QueryInput::readIgnored(const frQueryOptions& options) {
  absl::Status status = checkArray({options.ignore, "options->ignore"}, options.ignore_count);
  if (status.ok()) options_->filter.ignore = std::span(options.ignore, options.ignore_count);
  return status;
}

absl::Status QueryInput::readRules(const frQueryOptions& options) {
  if (options.rules == nullptr) {
    if (options.budgets == nullptr) return absl::OkStatus();
    return absl::InvalidArgumentError("options->budgets are given, but no options->rules");
  }
  absl::Status status = checkObject(options.rules, "options->rules");
  if (status.ok()) status = checkOptional({options.budgets, "options->budgets"});
  if (!status.ok()) return status;
  rules_ = find(options.rules)->rules;
  options_->rules = rules_.get();
  if (options.budgets == nullptr) return status;
  std::copy_n(options.budgets, budgets_.size(), budgets_.begin());
  options_->budgets = &budgets_;
  return status;
}

absl::Status QueryInput::readAfter(const frQueryOptions& options, std::vector<Hit>& after) {
  absl::Status status = checkArray({options.after, "options->after"}, options.after_count);
  if (!status.ok()) return status;
  after.clear();
  after.reserve(options.after_count);
  for (std::size_t i = 0; i < options.after_count; ++i) {
    const absl::StatusOr<Hit> hit = fromC(options.after[i]);
    if (!hit.ok()) return hit.status();
    after.push_back(*hit);
  }
  options_->after = after;
  return status;
}

void QueryInput::readFunctions(const frQueryOptions& options, const WorldState& world) {
  world_ = &world;
  block_filter_ = options.block_filter;
  entity_filter_ = options.entity_filter;
  filter_context_ = options.filter_context;
  on_hit_ = options.on_hit;
  hit_context_ = options.hit_context;
  // The functions hold one pointer, for which std::function needs no memory.
  if (block_filter_ != nullptr) {
    options_->filter.block_filter = [this](const Hit& hit) {
      return test(block_filter_, filter_context_, hit);
    };
  }
  if (entity_filter_ != nullptr) {
    options_->filter.entity_filter = [this](const Hit& hit) {
      return test(entity_filter_, filter_context_, hit);
    };
  }
  if (on_hit_ != nullptr) {
    options_->on_hit = [this](const Hit& hit) {
      return respond(on_hit_, hit_context_, world_, hit);
    };
  }
}

QueryOptions& QueryInput::edit() {
  if (!options_.has_value()) options_.emplace();
  return *options_;
}

absl::Status KeptQueryInput::read(const frQueryOptions* options, const WorldState& world) {
  absl::Status status = QueryInput::read(options, world, after_);
  if (!status.ok() || options == nullptr) return status;
  ignore_.assign(options->ignore, options->ignore + options->ignore_count);
  edit().filter.ignore = ignore_;
  return status;
}

}  // namespace fractalray::capi
