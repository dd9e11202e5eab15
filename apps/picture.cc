// SPDX-License-Identifier: Apache-2.0
#include "picture.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>
#include <new>
#include <numbers>
#include <thread>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../executor/thread_executor.h"
#include "palette.h"

namespace fractalray {
namespace {

using Color = Vec3d;  // red, green, blue from 0 to 1

constexpr Color kSkyAbove{0.38, 0.58, 0.86};
constexpr Color kSkyHorizon{0.80, 0.88, 0.95};

Vec3d cross(const Vec3d& a, const Vec3d& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double length(const Vec3d& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

Vec3d normalized(const Vec3d& v) {
  return v * (1 / length(v));
}

Color mix(const Color& a, const Color& b, double part_of_b) {
  return a * (1 - part_of_b) + b * part_of_b;
}

Color toColor(Rgb rgb) {
  return Color{rgb.red / 255.0, rgb.green / 255.0, rgb.blue / 255.0};
}

Rgb toRgb(const Color& color) {
  const auto component = [&](int i) {
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(color[i], 0.0, 1.0)));
  };
  return {component(0), component(1), component(2)};
}

Color skyColor(const Vec3d& direction) {
  return mix(kSkyHorizon, kSkyAbove, std::clamp(direction[1] * 1.6, 0.0, 1.0));
}

// A sun from above and from one side: tops brightest, undersides darkest, x and z faces apart.
double shadeOf(const Vec3d& normal) {
  return 0.72 + 0.28 * normal[1] + 0.09 * normal[0] - 0.06 * normal[2];
}

Color entityColor(EntityClassId entity_class) {
  constexpr std::array<Rgb, 4> kColors = {
      {{214, 60, 52}, {240, 196, 60}, {160, 70, 190}, {240, 240, 240}}};
  return toColor(kColors[static_cast<std::size_t>(entity_class) % kColors.size()]);
}

// The three directions of a camera: where the middle of the picture is, and a picture's half width
// to the right and half height up from there.
struct View {
  Vec3d forward;
  Vec3d right;
  Vec3d up;
};

absl::StatusOr<View> viewOf(const Camera& camera, const PictureOptions& options) {
  if (options.width < 1 || options.height < 1 || options.width > 16384 || options.height > 16384) {
    return absl::InvalidArgumentError(absl::StrCat("the picture is ", options.width, " x ",
                                                   options.height,
                                                   " pixels; each side must be from 1 to 16384"));
  }
  if (!(camera.field_of_view_degrees > 0 && camera.field_of_view_degrees < 180)) {
    return absl::InvalidArgumentError(absl::StrCat("the field of view is ",
                                                   camera.field_of_view_degrees,
                                                   " degrees; it must be between 0 and 180"));
  }
  const Vec3d look = camera.target - camera.position;
  if (!(length(look) > 0) || !std::isfinite(length(look))) {
    return absl::InvalidArgumentError("the camera and the point that it looks at are the same");
  }
  View view;
  view.forward = normalized(look);
  // Looking straight up or down, the top of the picture is towards +z.
  const bool is_vertical = std::abs(view.forward[1]) > 1 - 1e-9;
  const Vec3d upwards = is_vertical ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
  // Luanti's axes are left-handed: x to the right, y up, z ahead.
  const Vec3d right = normalized(cross(upwards, view.forward));
  const double half_width = std::tan(camera.field_of_view_degrees * std::numbers::pi / 360);
  view.right = right * half_width;
  view.up = cross(view.forward, right) * (half_width * options.height / options.width);
  return view;
}

// Renders rows, one after another, in any order.
class Painter {
 public:
  Painter(const World& world, const RayQueryService& service, const Camera& camera,
          const View& view, const PictureOptions& options, Image& image)
      : service_(service), camera_(camera), view_(view), options_(options), image_(image) {
    for (std::size_t type = 0; type < world.blockTypes().size(); ++type) {
      const std::string& name = world.blockTypes().name(static_cast<BlockTypeId>(type));
      colors_.push_back(toColor(colorOfName(name)));
      opacities_.push_back(opacityOfName(name));
    }
  }

  absl::Status paintRow(int y) const {
    ShotOptions shot_options;
    shot_options.filter.channel = options_.channel;
    ShotResult result;
    for (int x = 0; x < options_.width; ++x) {
      const double across = (2.0 * x + 1) / options_.width - 1;
      const double upwards = 1 - (2.0 * y + 1) / options_.height;
      const Vec3d direction = normalized(view_.forward + view_.right * across + view_.up * upwards);
      const absl::StatusOr<FixedSegment> segment =
          toFixedSegment(Ray{.origin = camera_.position,
                             .direction = direction,
                             .max_distance = options_.view_distance});
      if (!segment.ok()) return segment.status();
      absl::Status status = service_.shootSegment(*segment, options_.levels, shot_options, result);
      if (!status.ok()) return status;
      image_.at(x, y) = toRgb(colorOf(result, direction));
    }
    return absl::OkStatus();
  }

 private:
  // From the nearest hit on, each hides a part of what is left to be seen.
  Color colorOf(const ShotResult& result, const Vec3d& direction) const {
    const Color sky = skyColor(direction);
    const double segment_length = options_.view_distance;
    Color color{};
    double seen = 1;
    for (const Hit& hit : result.hits) {
      const HitGeometry& where = hit;
      const double hidden = seen * opacityOf(hit, (where.t_exit - where.t) * segment_length);
      const double haze = std::pow(std::clamp(where.distance / segment_length, 0.0, 1.0), 2.0);
      color = color + mix(surfaceColor(hit, direction), sky, haze) * hidden;
      seen -= hidden;
      if (seen < 0.01) break;
    }
    return color + sky * seen;
  }

  double opacityOf(const Hit& hit, double length_inside) const {
    if (hit.isEntity() || hit.terminal) return 1;
    const double a_block = opacities_[BlockTypeTable::index(hit.type)];
    return 1 - std::pow(1 - a_block, length_inside);
  }

  Color surfaceColor(const Hit& hit, const Vec3d& direction) const {
    const Vec3d normal = hit.start_inside ? direction * -1 : hit.normal;
    if (hit.isEntity()) return entityColor(hit.entity_class) * shadeOf(normal);
    // A slight difference from block to block shows where one ends.
    const auto parity = (hit.block[0] + hit.block[1] + hit.block[2]) & 1;
    return colors_[BlockTypeTable::index(hit.type)] *
           (shadeOf(normal) * (parity == 0 ? 1.0 : 0.96));
  }

  const RayQueryService& service_;
  const Camera& camera_;
  const View& view_;
  const PictureOptions& options_;
  Image& image_;
  std::vector<Color> colors_;
  std::vector<double> opacities_;
};

// Paints all rows, on all threads that there are.
absl::Status paintRows(const Painter& painter, int height,
                       absl::FunctionRef<void(int rows_done)> progress) {
  const ThreadExecutor executor;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> rows_done = 0;
  std::mutex mutex;
  absl::Status status;  // guarded by mutex
  executor(static_cast<std::size_t>(height), [&](std::size_t row) {
    const absl::Status painted = painter.paintRow(static_cast<int>(row));
    if (!painted.ok()) {
      const std::lock_guard lock(mutex);
      status.Update(painted);
    }
    ++rows_done;
    if (std::this_thread::get_id() == caller) progress(rows_done);
  });
  if (status.ok()) progress(height);
  return status;
}

}  // namespace

std::optional<Camera> overviewCamera(const World& world) {
  const int finest = world.frame().levels() - 1;
  const std::optional<ChunkBox> loaded = world.loadedBox(finest);
  if (!loaded.has_value()) return std::nullopt;
  Vec3d min;
  Vec3d size;
  for (int axis = 0; axis < 3; ++axis) {
    min[axis] = static_cast<double>(loaded->min[axis] * kChunkSize);
    size[axis] = static_cast<double>((loaded->max[axis] + 1) * kChunkSize) - min[axis];
  }
  Camera camera;
  camera.position = min + Vec3d{-0.35 * size[0], 1.1 * size[1], -0.35 * size[2]};
  camera.target = min + Vec3d{0.5 * size[0], 0.3 * size[1], 0.5 * size[2]};
  return camera;
}

absl::StatusOr<Image> renderPicture(const World& world, const RayQueryService& service,
                                    const Camera& camera, const PictureOptions& options,
                                    absl::FunctionRef<void(int rows_done)> progress) {
  const absl::StatusOr<View> view = viewOf(camera, options);
  if (!view.ok()) return view.status();
  try {
    Image image(options.width, options.height);
    absl::Status status =
        paintRows(Painter(world, service, camera, *view, options, image), options.height, progress);
    if (!status.ok()) return status;
    return image;
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("out of memory for the picture");
  }
}

}  // namespace fractalray
