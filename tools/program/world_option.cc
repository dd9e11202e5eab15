// SPDX-License-Identifier: Apache-2.0
#include "world_option.h"

#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../../formats/node_kinds.h"
#include "../../formats/suggestion.h"
#include "../../formats/world_format.h"
#include "limit_option.h"
#include "output.h"
#include "progress.h"

namespace fractalray {
namespace {

// Writes a line for each damaged chunk that is named, and one for all that are unsupported.
void writeUnread(std::string_view command, const std::string& path, const OpenedWorld& opened) {
  const LoadReport& report = opened.report;
  const std::string prefix = absl::StrCat("fractalray ", std::string(command), ": ", path);
  for (const DamagedChunk& damage : report.named_damages) {
    writeErrorLine(absl::StrCat(prefix, ": ", opened.chunk_name, " ", damage.position,
                                " is damaged: ", damage.reason));
  }
  const std::string of_all = absl::StrCat(" of ", report.chunks, " ", opened.chunk_name, "s are ");
  if (report.damaged > 0) {
    writeErrorLine(absl::StrCat(prefix, ": ", report.damaged, of_all,
                                "damaged and not loaded; the rest is loaded"));
  }
  if (report.unsupported > 0) {
    writeErrorLine(absl::StrCat(prefix, ": ", report.unsupported, of_all,
                                "not loaded: ", report.unsupported_reason));
  }
}

}  // namespace

void addWorldOptions(CommandOptions& options, WorldArguments& arguments,
                     std::string_view default_text) {
  std::string help = absl::StrCat(worldFormatPaths(), std::string(default_text));
  help.front() = absl::ascii_toupper(static_cast<unsigned char>(help.front()));
  options.add("--world PATH", arguments.world, help);
  options.add("--types FILE", arguments.types,
              "A JSON table of the nodes that are empty, permeable or solid, instead of the "
              "built-in one; see docs/luanti.md");
  addLimitOption(options, arguments.limits);
}

std::vector<NamedFile> worldFiles(const WorldArguments& arguments) {
  const absl::StatusOr<std::string> map = findWorldFile(arguments.world);
  return {{"--world", map.ok() ? *map : arguments.world}, {"--types", arguments.types}};
}

absl::StatusOr<OpenedWorld> openWorldFor(std::string_view command,
                                         const WorldArguments& arguments) {
  std::optional<NodeKinds> kinds;
  if (!arguments.types.empty()) {
    absl::StatusOr<NodeKinds> read = NodeKinds::read(arguments.types, arguments.limits);
    if (!read.ok()) return read.status();
    kinds = *std::move(read);
  }
  std::optional<Progress> progress;
  OpenOptions options;
  options.limits = arguments.limits;
  options.node_kinds = kinds.has_value() ? &*kinds : nullptr;
  options.progress = [&](std::size_t done, std::size_t total) {
    if (!progress.has_value()) progress.emplace("reading the world", total);
    progress->update(done);
  };
  absl::StatusOr<OpenedWorld> world = openWorld(arguments.world, options);
  progress.reset();
  if (world.ok() && world->report.isPartial()) writeUnread(command, arguments.world, *world);
  return world;
}

absl::StatusOr<ChannelId> findChannel(const BlockTypeTable& types, std::string_view name,
                                      std::string_view where) {
  if (const std::optional<ChannelId> channel = types.findChannel(name)) return *channel;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < types.channels(); ++i)
    known.push_back(types.channelName(static_cast<ChannelId>(i)));
  return absl::InvalidArgumentError(absl::StrCat(std::string(where), ": ", quotedText(name),
                                                 " is not a channel of this world",
                                                 alternatives(name, known)));
}

ExitStatus statusOf(const OpenedWorld& world) {
  return world.report.isPartial() ? kExitFailed : kExitOk;
}

std::string formatReport(const OpenedWorld& opened) {
  const LoadReport& report = opened.report;
  return absl::StrCat(
      report.chunks, " ", opened.chunk_name, "s in ", report.bytes, " bytes: ", report.loaded,
      " loaded, ", report.not_generated, " not generated, ", report.damaged, " damaged",
      report.unsupported > 0 ? absl::StrCat(", ", report.unsupported, " of other versions") : "",
      "\n");
}

}  // namespace fractalray
