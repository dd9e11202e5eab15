// SPDX-License-Identifier: Apache-2.0
// `fractalray render`: a picture of a world by shots and lines of sight.
#include <string>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../../core/thread_executor.h"
#include "../../formats/world_format.h"
#include "arguments.h"
#include "command.h"
#include "command_line.h"
#include "output.h"
#include "output_check.h"
#include "picture.h"
#include "picture_size.h"
#include "progress.h"
#include "text_table.h"
#include "world_option.h"

namespace fractalray {
namespace {

struct RenderArguments {
  WorldArguments world;
  std::string out;
  std::string camera;
  std::string look_at;
  std::string size = "960x540";
  std::string levels = "3";
  std::string channel = "visible";
  double field_of_view = 70;
  double distance = 1000;
  int samples = 2;
  bool shadows = true;
};

absl::StatusOr<PictureOptions> readOptions(const RenderArguments& arguments, const World& world) {
  PictureOptions options;
  absl::Status status = readPictureSize(arguments.size, "--size", options);
  if (!status.ok()) return status;
  const absl::StatusOr<LevelMask> levels = parseLevelMask(arguments.levels);
  if (!levels.ok()) return levels.status();
  options.levels = *levels;
  const absl::StatusOr<ChannelId> channel =
      findChannel(world.blockTypes(), arguments.channel, "--channel");
  if (!channel.ok()) return channel.status();
  options.channel = *channel;
  if (!(arguments.distance > 0)) {
    return absl::InvalidArgumentError(absl::StrCat("--distance: ", arguments.distance,
                                                   " is not a view distance; it must be above 0"));
  }
  options.view_distance = arguments.distance;
  options.samples = arguments.samples;
  options.shadows = arguments.shadows;
  return options;
}

absl::StatusOr<Camera> readCamera(const RenderArguments& arguments, const World& world) {
  const std::optional<Camera> overview = overviewCamera(world);
  if (!overview.has_value()) {
    return absl::NotFoundError("nothing is loaded in this world; there is nothing to see");
  }
  Camera camera = *overview;
  camera.field_of_view_degrees = arguments.field_of_view;
  for (const auto& [text, option, point] :
       {std::tuple{&arguments.camera, "--camera", &camera.position},
        std::tuple{&arguments.look_at, "--look-at", &camera.target}}) {
    if (text->empty()) continue;
    const absl::StatusOr<Vec3d> given = parsePoint(*text, option);
    if (!given.ok()) return given.status();
    *point = *given;
  }
  return camera;
}

// Prints a note if the camera is inside a solid block, whose inside then fills the picture.
absl::Status warnIfInside(const World& world, const RayQueryService& service, const Camera& camera,
                          const PictureOptions& options) {
  QueryOptions shot;
  shot.filter.channel = options.channel;
  shot.filter.solid_only = true;
  const absl::StatusOr<ClosestHit> around = service.closestHit(
      Segment{.from = camera.position, .to = camera.position}, options.levels, shot);
  if (!around.ok()) return around.status();
  if (!around->hit.has_value() || !around->hit->isBlock()) return absl::OkStatus();
  const Hit& block = *around->hit;
  writeErrorLine(absl::StrCat(
      "fractalray render: warning: the camera is inside a block of ",
      world.blockTypes().name(block.type), " of level ", block.level,
      ", so the picture shows nothing else; move --camera, or leave the level out of --levels"));
  return absl::OkStatus();
}

int runRender(const RenderArguments& arguments) {
  absl::Status distinct = checkDistinct({{{"--out", arguments.out}}}, worldFiles(arguments.world));
  if (distinct.ok()) distinct = checkFileType({"--out", arguments.out}, ".png");
  if (!distinct.ok()) return reportError("render", distinct, kExitUsage);
  absl::StatusOr<OutputFile> out = OutputFile::open(arguments.out);
  if (!out.ok()) return reportError("render", out.status(), kExitFailed);
  const absl::StatusOr<OpenedWorld> opened = openWorldFor("render", arguments.world);
  if (!opened.ok()) return reportError("render", opened.status(), kExitUsage);
  const World& world = opened->world;
  const absl::StatusOr<PictureOptions> options = readOptions(arguments, world);
  if (!options.ok()) return reportError("render", options.status(), kExitUsage);
  const absl::StatusOr<Camera> camera = readCamera(arguments, world);
  if (!camera.ok()) return reportError("render", camera.status(), kExitUsage);

  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const absl::Status inside = warnIfInside(world, service, *camera, *options);
  if (!inside.ok()) return reportError("render", inside, kExitUsage);
  absl::StatusOr<Image> image = [&] {
    Progress progress("rendering", static_cast<std::uint64_t>(options->height));
    return renderPicture(world, service, *camera, *options, ThreadExecutor(),
                         [&](int rows) { progress.update(static_cast<std::uint64_t>(rows)); });
  }();
  if (!image.ok()) return reportError("render", image.status(), kExitUsage);
  const absl::StatusOr<std::string> png = encodePng(*image);
  if (!png.ok()) return reportError("render", png.status(), kExitFailed);
  absl::Status status = out->write(*png);
  if (status.ok()) {
    status = writeStdout(absl::StrCat(arguments.out, ": ", options->width, " x ", options->height,
                                      " pixels, seen from ", formatPoint(camera->position, 1),
                                      " towards ", formatPoint(camera->target, 1), "\n"));
  }
  if (status.ok()) status = flushStdout();
  if (!status.ok()) return reportError("render", status, kExitFailed);
  return statusOf(*opened);
}

}  // namespace

void addRenderCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "render",
      absl::StrCat("Render a ", worldFormatNames(),
                   " world to a PNG file, by shots from the eye and lines of sight to the sun"),
      runRender);
  addWorldOptions(options, arguments.world);
  options.require("--world");
  options.add("--out FILE", arguments.out, "The PNG file to write");
  options.require("--out");
  options.add("--camera X,Y,Z", arguments.camera,
              "The position of the camera, in blocks of the finest level (default: above a corner "
              "of the loaded chunks)");
  options.add("--look-at X,Y,Z", arguments.look_at,
              "The point in the middle of the picture (default: the middle of the loaded chunks)");
  options.add("--size WxH", arguments.size, "The size of the picture in pixels");
  options.add("--fov FLOAT", arguments.field_of_view,
              "The field of view, in degrees from the left to the right edge");
  options.add("--levels LEVELS", arguments.levels, "The levels to show, like 2-3,0");
  options.add("--channel NAME", arguments.channel,
              "The channel of the eye: its empty blocks are invisible, its permeable ones "
              "transparent");
  options.add("--distance FLOAT", arguments.distance,
              "The view distance, in blocks of the finest level");
  options.add("--samples N", arguments.samples,
              "The samples across and down in each pixel, 1 to 8: more make smoother edges");
  options.flag("--no-shadows", arguments.shadows,
               "Leave out the shadows, which takes half the time");
  options.footer(
      "Example:\n"
      "  fractalray render --world examples/worlds/w1 --out view.png --camera -150,100,-100 "
      "--look-at -195,76,-30");
}

}  // namespace fractalray
