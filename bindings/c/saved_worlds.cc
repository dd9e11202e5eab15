// SPDX-License-Identifier: Apache-2.0
// Saved worlds, and reports of what was read of them.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "internal/objects.h"
#include "internal/world_def.h"

namespace fractalray::capi {
namespace {

struct OpenArguments {
  const frWorldDef* def;
  const char* path;
  const frOpenOptions* options;
  frWorld** world;
  frLoadReport** report;
};

// Checks the list of names of block types.
absl::Status checkNames(const frOpenOptions& options) {
  constexpr std::size_t kMostTypes = 65536;
  if (options.block_type_count > kMostTypes) {
    return absl::InvalidArgumentError(
        absl::StrCat("options->block_type_count is ", options.block_type_count,
                     "; a table has at most ", kMostTypes, " block types"));
  }
  absl::Status status =
      checkArray({options.block_types, "options->block_types"}, options.block_type_count);
  for (std::size_t i = 0; status.ok() && i < options.block_type_count; ++i) {
    const Argument name(options.block_types[i], "the name");
    if (isBad(name)) status = ofElement("options->block_types", i, badArgument(name));
  }
  return status;
}

absl::Status checkOpening(const OpenArguments& given) {
  absl::Status status = checkArguments({{given.path, "path"}, {given.world, "world"}});
  if (status.ok()) status = checkOptional({given.report, "report"});
  if (status.ok() && given.options != nullptr) status = checkStruct(given.options, "options");
  if (status.ok() && given.options != nullptr) status = checkNames(*given.options);
  // The world's block types are added to a table that queries of the other world may be reading.
  if (status.ok() && given.def->block_types_of != nullptr) status = checkEditsAllowed();
  return status;
}

// Checks the number of levels that the caller has given, if any.
absl::Status checkLevels(int levels, const SavedWorld& saved) {
  const int right = saved.world.frame().levels();
  if (levels == 0 || levels == right) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("def->levels is ", levels, "; a world of ",
                                                 saved.report.format, " has ", right,
                                                 ", for which 0 stands"));
}

absl::Status openSaved(const OpenArguments& given) {
  absl::StatusOr<WorldPlan> plan = readWorldDef(given.def);
  if (!plan.ok()) return plan.status();
  absl::Status status = checkOpening(given);
  if (!status.ok()) return status;
  constexpr frOpenOptions kDefaults{};
  absl::StatusOr<SavedWorld> saved = readSavedWorld(
      given.path, given.options == nullptr ? kDefaults : *given.options, plan->block_types);
  if (!saved.ok()) return saved.status();
  status = checkLevels(plan->levels, *saved);
  if (!status.ok()) return status;
  NewObject<frWorld> world(Object<frWorld>{makeState(*std::move(plan), std::move(saved->world))});
  if (given.report != nullptr)
    NewObject<frLoadReport>(Object<frLoadReport>{std::move(saved->report)}).giveTo(given.report);
  world.giveTo(given.world);
  return status;
}

// Runs the body of a function of a report.
template <class Body>
frResult readingReport(const char* function, const frLoadReport* report, const Body& body) {
  return with(function, report, "report", {},
              [&](const Object<frLoadReport>& object) { return body(object.report); });
}

absl::Status copyChecked(const std::string& text, char* to, std::size_t capacity,
                         std::size_t* length) {
  absl::Status status = checkArray({to, "text"}, capacity);
  if (status.ok()) status = checkOptional({length, "length"});
  return status.ok() ? copyText(text, to, capacity, length) : status;
}

// Copies the text at an index.
absl::Status copyOne(const std::vector<std::string>& texts, std::size_t index, char* to,
                     std::size_t capacity, std::size_t* length) {
  if (index < texts.size()) return copyChecked(texts[index], to, capacity, length);
  return absl::OutOfRangeError(
      absl::StrCat("index is ", index, "; the report has ", texts.size(), " of them"));
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;

extern "C" {

frResult frOpenWorld(const frWorldDef* def, const char* path, const frOpenOptions* options,
                     frWorld** world, frLoadReport** report) {
  return guarded(__func__, [&] { return openSaved({def, path, options, world, report}); });
}

frResult frDestroyLoadReport(frLoadReport* report) {
  return destroy(__func__, report, "report");
}

frResult frLoadReport_GetSummary(const frLoadReport* report, frLoadSummary* summary) {
  return readingReport(__func__, report, [&](const SavedWorldReport& read) {
    absl::Status status = checkStruct(summary, "summary");
    if (status.ok()) *summary = read.summary;
    return status;
  });
}

frResult frLoadReport_GetFormat(const frLoadReport* report, char* format, size_t capacity,
                                size_t* length) {
  return readingReport(__func__, report, [&](const SavedWorldReport& read) {
    return copyChecked(read.format, format, capacity, length);
  });
}

frResult frLoadReport_GetDamage(const frLoadReport* report, size_t index, char* damage,
                                size_t capacity, size_t* length) {
  return readingReport(__func__, report, [&](const SavedWorldReport& read) {
    return copyOne(read.damages, index, damage, capacity, length);
  });
}

frResult frLoadReport_GetDefaultedName(const frLoadReport* report, size_t index, char* name,
                                       size_t capacity, size_t* length) {
  return readingReport(__func__, report, [&](const SavedWorldReport& read) {
    return copyOne(read.defaulted_names, index, name, capacity, length);
  });
}

}  // extern "C"
