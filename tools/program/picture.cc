// SPDX-License-Identifier: Apache-2.0
#include "picture.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "light.h"
#include "palette.h"

namespace fractalray {
namespace {

// Less light than this is ignored.
constexpr double kLeastSeen = 0.02;
// The distance from a surface at which its line of sight to the sun starts, so that the surface
// does not block it; and the length of that line; both in finest-block widths.
constexpr double kShadowStart = 1.0 / 256;
constexpr double kShadowLength = 256;
// Times are doubles here, so equal times may differ in their last bits.
constexpr double kTimeSlack = 1e-9;
// The greatest difference in brightness of blocks of one type, which makes single blocks visible.
constexpr double kUnevenness = 0.07;

struct Surface {
  Color color{};
  double density = 0;
  bool is_smooth = false;
  bool is_glowing = false;
};

Color entityColor(EntityClassId entity_class) {
  constexpr std::array<Rgb, 4> kEntityColors = {
      {{238, 236, 230}, {240, 196, 60}, {160, 70, 190}, {226, 120, 70}}};
  return toColor(kEntityColors[static_cast<std::size_t>(entity_class) % kEntityColors.size()]);
}

// Returns a number from -0.5 to 0.5 that looks random from block to block.
double variation(const BlockCoord& block) {
  const std::size_t mixed = CellHash()(block);
  return static_cast<double>((mixed >> 40) & 0xffU) / 255 - 0.5;
}

// The state of a shot for a sample of a pixel.
struct ViewRay {
  Vec3d direction{};  // of the shot, of length 1
  double length = 0;  // of its segment, in finest-block widths
  Color color{};
  double unseen = 1;  // the part of the light that comes from what is beyond
  double distance = std::numeric_limits<double>::infinity();  // of what hides all beyond it
  // The end and the type of the last permeable block that was seen through.
  double last_exit = -1;
  BlockTypeId last_type = kAir;

  void add(const Color& part, double hidden) {
    color += part * (unseen * hidden);
    unseen *= 1 - hidden;
  }
};

// Renders rows, each on its own, in any order.
class Painter {
 public:
  Painter(const World& world, const RayQueryService& service, const Camera& camera,
          const View& view, const PictureOptions& options, Image& image)
      : world_(world),
        service_(service),
        eye_(camera.position),
        view_(view),
        options_(options),
        image_(image) {
    for (std::size_t type = 0; type < world.blockTypes().size(); ++type) {
      const Material material =
          materialOfName(world.blockTypes().name(static_cast<BlockTypeId>(type)));
      surfaces_.push_back(
          {toColor(material.color), material.density, material.is_smooth, material.is_glowing});
    }
  }

  absl::Status paintRow(int y) const {
    ShotResult result;
    for (int x = 0; x < options_.width; ++x) {
      Color sum{};
      for (int sample = 0; sample < options_.samples * options_.samples; ++sample) {
        const double across = x + (sample % options_.samples + 0.5) / options_.samples;
        const int row = sample / options_.samples;
        const double down = y + (row + 0.5) / options_.samples;
        const Vec3d direction =
            view_.direction(2 * across / options_.width - 1, 1 - 2 * down / options_.height);
        const absl::StatusOr<Color> color = look(direction, result);
        if (!color.ok()) return color.status();
        sum += *color;
      }
      image_.at(x, y) = toRgb(sum / (options_.samples * options_.samples));
    }
    return absl::OkStatus();
  }

 private:
  // Shoots from the eye, through permeable blocks, until too little light is left.
  absl::StatusOr<Color> look(const Vec3d& direction, ShotResult& result) const {
    const absl::StatusOr<FixedSegment> segment = toFixedSegment(
        Ray{.origin = eye_, .direction = direction, .max_distance = options_.view_distance});
    if (!segment.ok()) return segment.status();
    ViewRay sight{.direction = direction, .length = segment->lengthBlocks()};
    QueryOptions shot;
    shot.filter.channel = options_.channel;
    if (options_.detailed_only) {
      shot.filter.block_filter = [this](const BlockHit& hit) { return isDetailed(hit); };
    }
    shot.on_hit = [this, &sight](const Hit& hit) {
      see(hit, sight);
      return sight.unseen < kLeastSeen ? HitResponse::kStop : HitResponse::kContinue;
    };
    absl::Status status = service_.shootSegment(*segment, options_.levels, shot, result);
    if (!status.ok()) return status;
    sight.add(skyColor(direction, options_.sky), 1);
    return drawOverlay(options_.overlay, view_, eye_, direction, sight.distance, sight.color);
  }

  // Returns true for a block of the finest level, or one whose finer chunk is loaded.
  bool isDetailed(const BlockHit& hit) const {
    const int finer = hit.level + 1;
    return !world_.frame().isActive(finer) ||
           world_.chunkState(finer, childChunk(hit.block)) == ChunkState::kLoaded;
  }

  // Adds a hit to the sample.
  void see(const Hit& hit, ViewRay& sight) const {
    const Vec3d& direction = sight.direction;
    const bool is_opaque = hit.isEntity() || hit.terminal;
    const Vec3d normal = hit.start_inside ? -direction : hit.normal;
    if (is_opaque) {
      sight.distance = hit.distance;
      sight.add(hazy(surfaceColor(hit, normal), direction, hit.distance), 1);
      return;
    }
    const Surface& surface = surfaceOf(hit);
    // There is no surface between two blocks of water.
    const bool is_inner = hit.type == sight.last_type && hit.t <= sight.last_exit + kTimeSlack;
    if (surface.is_smooth && !is_inner && !hit.start_inside) {
      sight.add(hazy(skyColor(reflected(direction, normal), options_.sky), direction, hit.distance),
                reflectedPart(direction, normal));
    }
    const double length_inside = (hit.t_exit - hit.t) * sight.length;
    sight.last_exit = hit.t_exit;
    sight.last_type = hit.type;
    const Color color = surface.is_smooth ? surface.color : surfaceColor(hit, normal);
    sight.add(hazy(color, direction, hit.distance), 1 - fade(surface.density * length_inside));
    if (sight.unseen < kLeastSeen) sight.distance = hit.distance;
  }

  const Surface& surfaceOf(const BlockHit& hit) const {
    return surfaces_[BlockTypeTable::index(hit.type)];
  }

  Color hazy(const Color& color, const Vec3d& direction, double distance) const {
    return throughHaze(color, direction, distance, options_.view_distance, options_.sky);
  }

  Color surfaceColor(const Hit& hit, const Vec3d& normal) const {
    if (!hit.isEntity() && surfaceOf(hit).is_glowing) return surfaceOf(hit).color;
    const Color light = lightOn(normal, isInSun(hit, normal), options_.sky);
    const Color color = hit.isEntity()
                            ? entityColor(hit.entity_class)
                            : surfaceOf(hit).color * (1 + kUnevenness * variation(hit.block));
    return {color[0] * light[0], color[1] * light[1], color[2] * light[2]};
  }

  // Returns true if nothing blocks the sun from the surface; unloaded space does not.
  bool isInSun(const Hit& hit, const Vec3d& normal) const {
    if (hit.start_inside || dot(normal, sunDirection()) <= 0) return false;
    if (!options_.shadows) return true;
    QueryOptions sight;
    sight.filter.channel = options_.shadow_channel;
    sight.entities_block = true;
    const Vec3d start = hit.point + normal * kShadowStart;
    const Segment line{.from = start, .to = start + sunDirection() * kShadowLength};
    const absl::StatusOr<Occlusion> occlusion = service_.occluded(line, options_.levels, sight);
    return !occlusion.ok() || *occlusion != Occlusion::kBlocked;
  }

  const World& world_;
  const RayQueryService& service_;
  Vec3d eye_;
  const View& view_;
  const PictureOptions& options_;
  Image& image_;
  std::vector<Surface> surfaces_;  // by block type
};

absl::Status paintRows(const Painter& painter, int height, ParallelFor parallel_for,
                       absl::FunctionRef<void(int rows_done)> progress) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> rows_done = 0;
  std::mutex mutex;
  absl::Status status;  // guarded by mutex
  parallel_for(static_cast<std::size_t>(height), [&](std::size_t row) {
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

absl::StatusOr<Image> renderPicture(const World& world, const RayQueryService& service,
                                    const Camera& camera, const PictureOptions& options,
                                    ParallelFor parallel_for,
                                    absl::FunctionRef<void(int rows_done)> progress) {
  if (options.samples < 1 || options.samples > 8) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.samples, " samples across a pixel; there must be 1 to 8"));
  }
  const absl::StatusOr<View> view = viewOf(camera, options.width, options.height);
  if (!view.ok()) return view.status();
  try {
    Image image(options.width, options.height);
    absl::Status status = paintRows(Painter(world, service, camera, *view, options, image),
                                    options.height, parallel_for, progress);
    if (!status.ok()) return status;
    return image;
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("out of memory for the picture");
  }
}

}  // namespace fractalray
