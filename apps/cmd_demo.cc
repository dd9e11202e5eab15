// SPDX-License-Identifier: Apache-2.0
// `fractalray demo`: the library at work on a real world.
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../formats/printable.h"
#include "command.h"
#include "demo_entities.h"
#include "limit_option.h"
#include "output.h"
#include "picture.h"
#include "progress.h"
#include "text_table.h"
#include "world_option.h"

namespace fractalray {
namespace {

constexpr int kEntities = 50;

struct DemoArguments {
  WorldArguments world{.world = "examples/worlds/w1", .types = ""};
  std::string out = "out";
};

// A shot of the demo and what it shows.
struct DemoShot {
  std::string_view title;
  Segment segment;
  LevelMask levels;
  std::string_view channel;
  bool stops_at_entities = false;
};

// A segment straight down through the first entity of a class, from above it into the ground.
Segment downThrough(const EntityIndex& entities, std::size_t entity_class) {
  for (const EntityHandle handle : entities.all()) {
    const Entity& entity = *entities.find(handle);
    if (static_cast<std::size_t>(entity.entity_class) != entity_class) continue;
    const Vec3d center = blocksFromUnits(entity.position);
    return {center + Vec3d{0.25, 25, 0.25}, center + Vec3d{0.25, -40, 0.25}};
  }
  return {};
}

// Through what the bundled world has built, through entities, and across its valleys.
std::vector<DemoShot> demoShots(const EntityIndex& entities) {
  const Segment pool{{-184.5, 82.5, -50.5}, {-183.5, 71.5, -19.5}};
  const Segment balloon = downThrough(entities, 1);
  const Segment giant = downThrough(entities, 3);
  const Segment across{{-271.5, 60.5, -111.5}, {-113.5, 40.5, 30.5}};
  return {
      {"A bullet at the glass wall, which is solid to it", pool, {3}, "physical"},
      {"The same line for the eye: through the glass and into the pool", pool, {3}, "visible"},
      {"Down through a balloon, on to what is below it", balloon, {3}, "default"},
      {"The same, where the first entity stops the shot", balloon, {3}, "default", true},
      {"Down through a giant, which only those meet who ask for level 2", giant, {2, 3}, "default"},
      {"The same on level 3 alone: no giant there", giant, {3}, "default"},
      {"Across the map on level 3", across, {3}, "default"},
      {"The same for something huge, that meets blocks of 16 nodes (level 2)",
       across,
       {2},
       "default"},
      {"And for something that only planets stop (levels 0 and 1)", across, {0, 1}, "default"},
  };
}

// Registers a callback for every block type and entity class that writes down each call, in its
// order.
class CallLog {
 public:
  CallLog(const World& world, RayQueryService& service) {
    for (std::size_t i = 0; i < world.blockTypes().size(); ++i) {
      const auto type = static_cast<BlockTypeId>(i);
      const absl::Status status =
          service.onBlockHit(type, [this, &world, type](const BlockHit& hit) {
            add(printable(world.blockTypes().name(type)), hit);
            return HitResponse::kContinue;
          });
      FRACTALRAY_CHECK_OK(status);
    }
    for (std::size_t i = 0; i < kDemoClasses.size(); ++i) {
      service.onEntityHit(static_cast<EntityClassId>(i), [this, i](const EntityHit& hit) {
        add(absl::StrCat(std::string(kDemoClasses[i]), " ", hit.id), hit);
        return stops_at_entities_ ? HitResponse::kStop : HitResponse::kContinue;
      });
    }
  }

  void begin(bool stops_at_entities) {
    stops_at_entities_ = stops_at_entities;
    text_.clear();
  }
  const std::string& text() const { return text_; }

 private:
  void add(const std::string& what, const HitGeometry& hit) {
    absl::StrAppend(&text_, text_.empty() ? "" : ", ", what, " at ", formatNumber(hit.distance, 2));
  }

  bool stops_at_entities_ = false;
  std::string text_;
};

absl::Status shootDemoShots(const World& world, const EntityIndex& entities,
                            RayQueryService& service) {
  CallLog log(world, service);
  for (const DemoShot& shot : demoShots(entities)) {
    log.begin(shot.stops_at_entities);
    ShotOptions options;
    options.filter.channel = world.blockTypes().findChannel(shot.channel).value_or(kDefaultChannel);
    options.report_unknown = true;
    const absl::StatusOr<ShotResult> result =
        service.shootSegment(shot.segment, shot.levels, options);
    if (!result.ok()) return result.status();
    absl::Status status = writeStdout(absl::StrCat(
        "\n", std::string(shot.title), "\n  levels ", formatLevelMask(shot.levels), ", channel ",
        std::string(shot.channel), ", ", formatShot(world, *result),
        "  callbacks, in their order: ", log.text().empty() ? "none" : log.text(), "\n"));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status paint(const World& world, const RayQueryService& service, OutputFile& file) {
  PictureOptions options;
  options.channel = world.blockTypes().findChannel("visible").value_or(kDefaultChannel);
  options.levels = world.finest(1);
  const Camera camera{.position = {-120.5, 118.5, -118.5}, .target = {-196.5, 62.5, -28.5}};
  absl::StatusOr<Image> image = [&] {
    Progress progress("rendering", static_cast<std::uint64_t>(options.height));
    return renderPicture(world, service, camera, options,
                         [&](int rows) { progress.update(static_cast<std::uint64_t>(rows)); });
  }();
  if (!image.ok()) return image.status();
  const absl::StatusOr<std::string> png = encodePng(*image);
  if (!png.ok()) return png.status();
  return file.write(*png);
}

// A file in the folder of the outputs, which is made where it is not there.
absl::StatusOr<OutputFile> openIn(const std::string& folder, const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat("cannot make the folder ", folder, ": ", error.message()));
  }
  return OutputFile::open(path);
}

absl::Status runDemoShots(const OpenedWorld& opened, OutputFile& picture, const std::string& path) {
  const World& world = opened.world;
  EntityIndex entities(world.frame());
  RayQueryService service(world, entities);
  const absl::StatusOr<int> dropped = dropEntities(world, service, kEntities, entities);
  if (!dropped.ok()) return dropped.status();
  absl::Status status = writeStdout(absl::StrCat("Dropped ", *dropped,
                                                 " entities onto the ground, each found by a shot "
                                                 "straight down: sheep, balloons, boulders, and\n"
                                                 "giants of level 2.\n"));
  if (status.ok()) status = shootDemoShots(world, entities, service);
  if (!status.ok()) return status;

  const RayQueryService eye(world, entities);  // no callbacks: seen from several threads at once
  status = paint(world, eye, picture);
  if (!status.ok()) return status;
  return writeStdout(absl::StrCat("\nThe picture, a shot a pixel: ", path, "\n"));
}

int runDemo(const DemoArguments& arguments) {
  const std::string path = (std::filesystem::path(arguments.out) / "demo.png").string();
  absl::StatusOr<OutputFile> picture = openIn(arguments.out, path);
  if (!picture.ok()) return reportError("demo", picture.status(), kExitFailed);
  const absl::StatusOr<OpenedWorld> opened = openWorldFor("demo", arguments.world);
  if (!opened.ok()) return reportError("demo", opened.status(), kExitUsage);
  absl::Status status =
      writeStdout(absl::StrCat(arguments.world.world, ", a Luanti world: ", formatReport(*opened)));
  if (status.ok()) status = runDemoShots(*opened, *picture, path);
  if (status.ok()) status = flushStdout();
  if (!status.ok()) return reportError("demo", status, kExitFailed);
  return statusOf(*opened);
}

}  // namespace

Command addDemoCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "demo",
      "Show the library at work: a real world, entities, shots at several levels, a picture");
  auto arguments = std::make_shared<DemoArguments>();
  addWorldOptions(*command, arguments->world);
  addLimitOption(*command, arguments->world.limits,
                 {"file_bytes", "depth", "values", "mapblocks", "mapblock_bytes"});
  command->add_option("--out", arguments->out, "The folder for the picture")->capture_default_str();
  command->footer(
      "Example, in a clone of the repository:\n"
      "  fractalray demo");
  return {command, [arguments] { return runDemo(*arguments); }};
}

}  // namespace fractalray
