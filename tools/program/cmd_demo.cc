// SPDX-License-Identifier: Apache-2.0
// `fractalray demo`: the library at work on a real world.
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/thread_executor.h"
#include "color.h"
#include "command.h"
#include "command_line.h"
#include "demo_entities.h"
#include "demo_shots.h"
#include "example_world.h"
#include "output.h"
#include "picture.h"
#include "picture_size.h"
#include "progress.h"
#include "world_option.h"

namespace fractalray {
namespace {

constexpr int kEntities = 50;
constexpr Camera kCamera{.position = {-118.5, 123.5, -108.5}, .target = {-200, 88, -25}};
constexpr double kViewDistance = 340;

struct DemoArguments {
  WorldArguments world;
  std::string out = "out";
  std::string size = "800x450";
};

// A picture of the demo, of one level.
struct DemoPicture {
  int level = 0;
  std::string path;
  OutputFile file;
};

// Opens the pictures in the folder of the outputs, which is created if it does not exist.
absl::StatusOr<std::vector<DemoPicture>> openDemoPictures(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat("cannot make the folder ", folder, ": ", error.message()));
  }
  std::vector<DemoPicture> pictures;
  for (const auto& [level, name] : {std::pair(3, "demo.png"), std::pair(2, "demo-level-2.png")}) {
    std::string path = (std::filesystem::path(folder) / name).string();
    absl::StatusOr<OutputFile> file = OutputFile::open(path);
    if (!file.ok()) return file.status();
    pictures.push_back({level, std::move(path), *std::move(file)});
  }
  return pictures;
}

absl::Status paint(const World& world, const RayQueryService& eye,
                   const std::vector<DemoAnswer>& answers, PictureOptions options,
                   DemoPicture& picture) {
  options.channel = world.blockTypes().findChannel("visible").value_or(kDefaultChannel);
  options.levels = {picture.level};
  options.view_distance = kViewDistance;
  options.detailed_only = true;
  options.overlay = overlayOf(answers, options.levels);
  absl::StatusOr<Image> image = [&] {
    Progress progress("rendering", static_cast<std::uint64_t>(options.height));
    return renderPicture(world, eye, kCamera, options, ThreadExecutor(),
                         [&](int rows) { progress.update(static_cast<std::uint64_t>(rows)); });
  }();
  if (!image.ok()) return image.status();
  const absl::StatusOr<std::string> png = encodePng(*image);
  if (!png.ok()) return png.status();
  absl::Status status = picture.file.write(*png);
  if (!status.ok()) return status;
  return writeStdout(absl::StrCat("Level ", picture.level, ": ", picture.path, "\n"));
}

absl::Status runShots(const World& world, const PictureOptions& options,
                      std::vector<DemoPicture>& pictures) {
  EntityIndex entities(world.frame());
  const RayQueryService eye(world, entities);  // no callbacks: used by several threads at once
  const absl::StatusOr<int> dropped = dropEntities(world, eye, kEntities, entities);
  if (!dropped.ok()) return dropped.status();
  absl::Status status = writeStdout(absl::StrCat("Dropped ", *dropped,
                                                 " entities onto the ground, each found by a shot "
                                                 "straight down: sheep, balloons, boulders, and\n"
                                                 "giants of level 2.\n"));
  const absl::StatusOr<std::vector<DemoAnswer>> answers = shootDemoShots(world, entities);
  if (!answers.ok()) return answers.status();
  for (const DemoAnswer& answer : *answers) {
    if (status.ok()) {
      status = writeStdout(absl::StrCat("\n", formatDemoAnswer(world, answer, Colors::of(stdout))));
    }
  }
  if (status.ok()) {
    status = writeStdout(
        "\nPictures of the world, rendered by shots, with the shots above as lines and their hits "
        "as dots:\n");
  }
  for (DemoPicture& picture : pictures) {
    if (status.ok()) status = paint(world, eye, *answers, options, picture);
  }
  return status;
}

int runDemo(const DemoArguments& arguments) {
  PictureOptions options;
  const absl::Status size = readPictureSize(arguments.size, "--size", options);
  if (!size.ok()) return reportError("demo", size, kExitUsage);
  WorldArguments world = arguments.world;
  if (world.world.empty()) {
    absl::StatusOr<std::string> example = findExampleWorld();
    if (!example.ok()) return reportError("demo", example.status(), kExitUsage);
    world.world = *std::move(example);
  }
  absl::StatusOr<std::vector<DemoPicture>> pictures = openDemoPictures(arguments.out);
  if (!pictures.ok()) return reportError("demo", pictures.status(), kExitFailed);
  const absl::StatusOr<OpenedWorld> opened = openWorldFor("demo", world);
  if (!opened.ok()) return reportError("demo", opened.status(), kExitUsage);
  absl::Status status = writeStdout(
      absl::StrCat(world.world, ", a ", opened->format, " world: ", formatReport(*opened)));
  if (status.ok()) status = runShots(opened->world, options, *pictures);
  if (status.ok()) status = flushStdout();
  if (!status.ok()) return reportError("demo", status, kExitFailed);
  return statusOf(*opened);
}

}  // namespace

void addDemoCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "demo",
      "Show the library at work: a real world, entities, shots at several levels, two pictures",
      runDemo);
  addWorldOptions(options, arguments.world,
                  " (default: the example world that is installed with fractalray)");
  options.add("--out FOLDER", arguments.out, "The folder for the pictures; made if it is missing");
  options.add("--size WxH", arguments.size, "The size of a picture in pixels");
  options.footer(
      "Example:\n"
      "  fractalray demo");
}

}  // namespace fractalray
