// SPDX-License-Identifier: Apache-2.0
// `fractalray store init` and `fractalray store check`: make a Luanti map in PostgreSQL a store for
// caches, and check it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "../../core/printable.h"
#include "../../formats/json.h"
#include "../../formats/json_document.h"
#include "../../store/store_setup.h"
#include "../program/command.h"
#include "../program/command_line.h"
#include "../program/limit_option.h"
#include "../program/output.h"
#include "../program/progress.h"
#include "../program/text_table.h"
#include "store_commands.h"

namespace fractalray {
namespace {

struct StoreArguments {
  std::string url;
  std::string types;
  std::string definitions;
  InputLimits limits{};
  bool json = false;
};

std::string hex(std::uint64_t number) {
  return absl::StrCat(absl::Hex(number, absl::kZeroPad16));
}

std::string formatStore(const StoreReport& report) {
  std::string text = absl::StrCat(
      "World ", printable(report.version.world), ", version ", report.version.blocks.text(), "\n",
      report.mapblocks, report.mapblocks == 1 ? " mapblock, " : " mapblocks, ", report.bytes,
      " bytes: ", report.loaded, " can be loaded, ", report.not_generated, " not generated, ",
      report.unsupported, " of other versions, ", report.damaged, " damaged, ", report.outside,
      " beyond the map\nFingerprint ", hex(report.fingerprint), "\n", report.logged,
      " changes are logged\n", report.types, " block types are listed\n");
  if (report.unlisted.empty()) return text;
  std::string rest = absl::StrCat(report.unlisted.size(), " are not; init adds them:");
  for (const std::string& name : report.unlisted)
    absl::StrAppend(&rest, &name == &report.unlisted.front() ? " " : ", ", printable(name));
  return absl::StrCat(text, absl::StrJoin(wrapText(rest, kTextWidth, 2), "\n"), "\n");
}

std::string storeJson(const StoreReport& report) {
  Json damages = Json::array();
  for (const DamagedChunk& damage : report.named_damages)
    damages.push_back({{"position", damage.position}, {"reason", damage.reason}});
  const Json whole = {{"world", report.version.world},
                      {"version", report.version.blocks.text()},
                      {"mapblocks",
                       {{"all", report.mapblocks},
                        {"loaded", report.loaded},
                        {"not_generated", report.not_generated},
                        {"unsupported", report.unsupported},
                        {"damaged", report.damaged},
                        {"outside", report.outside},
                        {"bytes", report.bytes}}},
                      {"damages", std::move(damages)},
                      {"fingerprint", hex(report.fingerprint)},
                      {"logged", report.logged},
                      {"types", report.types},
                      {"unlisted", report.unlisted}};
  return absl::StrCat(dumpJson(whole), "\n");
}

using Survey = absl::StatusOr<StoreReport> (*)(const StoreSetupOptions& options);

absl::StatusOr<StoreReport> surveyStore(const StoreArguments& arguments, Survey survey) {
  std::optional<NodeKinds> kinds;
  if (!arguments.types.empty()) {
    absl::StatusOr<NodeKinds> read = NodeKinds::read(arguments.types, arguments.limits);
    if (!read.ok()) return read.status();
    kinds = *std::move(read);
  }
  std::optional<NodeDefinitions> definitions;
  if (!arguments.definitions.empty()) {
    absl::StatusOr<NodeDefinitions> read =
        NodeDefinitions::read(arguments.definitions, arguments.limits);
    if (!read.ok()) return read.status();
    definitions = *std::move(read);
  }
  std::optional<Progress> progress;
  StoreSetupOptions options{.url = arguments.url};
  options.node_kinds = kinds.has_value() ? &*kinds : nullptr;
  options.definitions = definitions.has_value() ? &*definitions : nullptr;
  options.limits = arguments.limits;
  options.progress = [&](std::size_t done, std::size_t total) {
    if (!progress.has_value()) progress.emplace("reading the map", total);
    progress->update(done);
  };
  return survey(options);
}

int reportStore(const StoreArguments& arguments, Survey survey) {
  const absl::StatusOr<StoreReport> report = surveyStore(arguments, survey);
  if (!report.ok()) {
    const bool is_wrong =
        absl::IsInvalidArgument(report.status()) || absl::IsNotFound(report.status());
    return reportError("store", report.status(), is_wrong ? kExitUsage : kExitFailed);
  }
  for (const DamagedChunk& damage : report->named_damages) {
    writeErrorLine(absl::StrCat("fractalray store: mapblock ", damage.position,
                                " is damaged: ", damage.reason));
  }
  absl::Status status = writeStdout(arguments.json ? storeJson(*report) : formatStore(*report));
  if (status.ok()) status = flushStdout();
  if (!status.ok()) return reportError("store", status, kExitFailed);
  return report->isPartial() ? kExitFailed : kExitOk;
}

int runInit(const StoreArguments& arguments) {
  return reportStore(arguments, initStore);
}

int runCheck(const StoreArguments& arguments) {
  return reportStore(arguments, checkStore);
}

void addStoreOptions(CommandOptions& options, StoreArguments& arguments) {
  options.add("URL", arguments.url, "The database: postgresql://HOST/DATABASE, as for psql");
  options.require("URL");
  options.add("--types FILE", arguments.types,
              "A JSON table of the kinds of nodes, by which block types are listed; see "
              "docs/luanti.md");
  options.add("--definitions FILE", arguments.definitions,
              "The shapes of nodes, as nodedefs.jsonl has them, by which block types are listed");
  options.flag("--json", arguments.json, "Print one JSON object");
  addLimitOption(options, arguments.limits);
}

}  // namespace

void addInitCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "init", "Make what a store lacks: its log, its trigger, its block types", runInit);
  addStoreOptions(options, arguments);
  options.footer(
      "A server may be writing. Run it as the owner of the table.\n"
      "Example:\n"
      "  fractalray store init postgresql:///world");
}

void addCheckCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "check", "Read all of a store: counts, damages, version, fingerprint", runCheck);
  addStoreOptions(options, arguments);
  options.footer(
      "Example:\n"
      "  fractalray store check postgresql:///world --json");
}

}  // namespace fractalray
