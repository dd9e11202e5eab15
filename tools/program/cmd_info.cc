// SPDX-License-Identifier: Apache-2.0
// `fractalray info`: the content of a world.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "../../core/printable.h"
#include "../../formats/json.h"
#include "../../formats/json_document.h"
#include "../../formats/world_format.h"
#include "color.h"
#include "command.h"
#include "command_line.h"
#include "output.h"
#include "text_table.h"
#include "world_option.h"

namespace fractalray {
namespace {

struct InfoArguments {
  WorldArguments world;
  bool json = false;
};

struct LevelInfo {
  int level = 0;
  std::size_t loaded = 0;
  std::size_t uniform = 0;  // of the loaded ones
  std::size_t proto = 0;
  std::size_t bytes = 0;
  bool has_bounds = false;
  BlockCoord min{};  // of the loaded chunks, in blocks of the level, inclusive
  BlockCoord max{};
};

struct TypeInfo {
  BlockTypeId type{};
  std::uint64_t blocks = 0;  // in loaded chunks of the finest level
};

LevelInfo describeLevel(const World& world, int number) {
  LevelInfo info{
      .level = number, .loaded = world.loadedChunks(number), .proto = world.protoChunks(number)};
  world.forEachLoaded(number, [&](const ChunkCoord&, const Chunk& chunk) {
    if (chunk.isUniform()) ++info.uniform;
    info.bytes += chunk.bytes();
  });
  if (const std::optional<ChunkBox> box = world.loadedBox(number)) {
    info.has_bounds = true;
    info.min = blockOf(box->min, 0);
    info.max = blockOf(box->max, kBlocksPerChunk - 1);
  }
  return info;
}

// Returns the block types of the finest level, the most frequent first.
std::vector<TypeInfo> countTypes(const World& world) {
  std::vector<TypeInfo> counts(world.blockTypes().size());
  world.forEachLoaded(world.frame().levels() - 1, [&](const ChunkCoord&, const Chunk& chunk) {
    for (int index = 0; index < kBlocksPerChunk; ++index) {
      ++counts[BlockTypeTable::index(world.blockTypes().orAir(chunk.block(index)))].blocks;
    }
  });
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i].type = static_cast<BlockTypeId>(i);
  std::erase_if(counts, [](const TypeInfo& info) { return info.blocks == 0; });
  std::stable_sort(counts.begin(), counts.end(),
                   [](const TypeInfo& a, const TypeInfo& b) { return a.blocks > b.blocks; });
  return counts;
}

// Formats "solid", or "solid, visible empty": the kind, and kinds by channel that differ.
std::string kindsOf(const BlockTypeTable& types, BlockTypeId type) {
  const BlockKind usual = types.kind(type, kDefaultChannel);
  std::string text(blockKindName(usual));
  for (std::size_t i = 1; i < types.channels(); ++i) {
    const auto channel = static_cast<ChannelId>(i);
    const BlockKind kind = types.kind(type, channel);
    if (kind == usual) continue;
    absl::StrAppend(&text, ", ", types.channelName(channel), " ", std::string(blockKindName(kind)));
  }
  return text;
}

std::string boundsText(const LevelInfo& info) {
  if (!info.has_bounds) return "-";
  return absl::StrCat("[", info.min[0], ", ", info.min[1], ", ", info.min[2], "] to [", info.max[0],
                      ", ", info.max[1], ", ", info.max[2], "]");
}

std::string formatDefaulted(const LoadReport& report) {
  if (report.defaulted_names.empty()) return "";
  std::string text = absl::StrCat(
      report.defaulted_names.size(),
      " of these types are not listed in the table of kinds, so they have its default:");
  for (const std::string& name : report.defaulted_names)
    absl::StrAppend(&text, &name == &report.defaulted_names.front() ? " " : ", ", printable(name));
  return absl::StrCat(absl::StrJoin(wrapText(text, kTextWidth, 2), "\n"), "\n");
}

std::string formatDefinitions(const LoadReport& report) {
  std::string text = "Without node definitions next to the map, all nodes fill their cube.";
  if (report.definitions > 0) {
    text = absl::StrCat(report.definitions, " node definitions were read; the boxes of ",
                        report.cut_types, " types reach beyond their node, and are cut.");
  }
  for (const std::string& damage : report.damaged_definitions)
    absl::StrAppend(&text, " ", printable(damage), ".");
  return absl::StrCat(absl::StrJoin(wrapText(text, kTextWidth, 2), "\n"), "\n");
}

std::string formatWorld(const OpenedWorld& opened) {
  const World& world = opened.world;
  const Colors colors = Colors::of(stdout);
  std::vector<TableRow> levels = {
      {"level", "loaded", "uniform", "proto", "bytes", "bounds in blocks"}};
  for (int level = 0; level < world.frame().levels(); ++level) {
    const LevelInfo info = describeLevel(world, level);
    levels.push_back({absl::StrCat(level), absl::StrCat(info.loaded), absl::StrCat(info.uniform),
                      absl::StrCat(info.proto), absl::StrCat(info.bytes), boundsText(info)});
  }
  std::vector<TableRow> types = {{"blocks", "type", "kind"}};
  for (const TypeInfo& info : countTypes(world)) {
    types.push_back({absl::StrCat(info.blocks), world.blockTypes().name(info.type),
                     kindsOf(world.blockTypes(), info.type)});
  }
  return absl::StrCat("Chunks of each level:\n", formatTable(std::move(levels), colors),
                      "\nBlock types of the finest level:\n", formatTable(std::move(types), colors),
                      "\n", formatReport(opened), formatDefaulted(opened.report),
                      formatDefinitions(opened.report));
}

std::string worldJson(const OpenedWorld& opened) {
  const World& world = opened.world;
  Json levels = Json::array();
  for (int level = 0; level < world.frame().levels(); ++level) {
    const LevelInfo info = describeLevel(world, level);
    levels.push_back({{"level", level},
                      {"loaded", info.loaded},
                      {"uniform", info.uniform},
                      {"proto", info.proto},
                      {"bytes", info.bytes},
                      {"min", info.has_bounds ? Json(info.min.values) : Json()},
                      {"max", info.has_bounds ? Json(info.max.values) : Json()}});
  }
  Json types = Json::array();
  for (const TypeInfo& info : countTypes(world)) {
    Json kinds;
    for (std::size_t i = 0; i < world.blockTypes().channels(); ++i) {
      const auto channel = static_cast<ChannelId>(i);
      kinds[world.blockTypes().channelName(channel)] =
          std::string(blockKindName(world.blockTypes().kind(info.type, channel)));
    }
    types.push_back({{"name", world.blockTypes().name(info.type)},
                     {"blocks", info.blocks},
                     {"kinds", std::move(kinds)}});
  }
  const Json whole = {{"levels", std::move(levels)},
                      {"types", std::move(types)},
                      {opened.chunk_name + "s",
                       {{"all", opened.report.chunks},
                        {"loaded", opened.report.loaded},
                        {"not_generated", opened.report.not_generated},
                        {"damaged", opened.report.damaged},
                        {"unsupported", opened.report.unsupported},
                        {"bytes", opened.report.bytes}}},
                      {"defaulted_types", opened.report.defaulted_names},
                      {"definitions",
                       {{"read", opened.report.definitions},
                        {"damaged", opened.report.damaged_definitions},
                        {"cut_types", opened.report.cut_types}}}};
  return absl::StrCat(dumpJson(whole), "\n");
}

int runInfo(const InfoArguments& arguments) {
  const absl::StatusOr<OpenedWorld> opened = openWorldFor("info", arguments.world);
  if (!opened.ok()) return reportError("info", opened.status(), kExitUsage);
  absl::Status status = writeStdout(arguments.json ? worldJson(*opened) : formatWorld(*opened));
  if (status.ok()) status = flushStdout();
  if (!status.ok()) return reportError("info", status, kExitFailed);
  return statusOf(*opened);
}

}  // namespace

void addInfoCommand(CommandLine& line) {
  auto [options, arguments] =
      line.addCommand("info",
                      absl::StrCat("Show the levels, chunks, block types, bytes and bounds of a ",
                                   worldFormatNames(), " world"),
                      runInfo);
  addWorldOptions(options, arguments.world);
  options.require("--world");
  options.flag("--json", arguments.json, "Print one JSON object");
  options.footer(
      "Example:\n"
      "  fractalray info --world examples/worlds/w1");
}

}  // namespace fractalray
