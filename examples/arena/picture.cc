// SPDX-License-Identifier: Apache-2.0
#include "picture.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "absl/strings/str_cat.h"

namespace arena {
namespace {

constexpr std::size_t kTraces = 14;  // ticks for which tracks and explosions are visible
constexpr std::size_t kNoRay = std::numeric_limits<std::size_t>::max();
constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr double kHaze = 900;  // the distance at which everything has the colour of the sky

const Vec3d kSun = Vec3d{0.55, 0.62, 0.42} / length(Vec3d{0.55, 0.62, 0.42});
constexpr Color kSunlight{1.02, 0.93, 0.76};
constexpr Color kSkylight{0.40, 0.47, 0.60};

// By the engine's ids; the last is that of mountains.
constexpr std::array<Color, kBlockIds + 1> kBlockColors = {{{0, 0, 0},
                                                            {0.38, 0.58, 0.24},
                                                            {0.50, 0.37, 0.24},
                                                            {0.55, 0.54, 0.52},
                                                            {0.66, 0.38, 0.29},
                                                            {0.62, 0.70, 0.78},
                                                            {0.55, 0.40, 0.25},
                                                            {0.22, 0.44, 0.17},
                                                            {0.78, 0.90, 0.95},
                                                            {0.12, 0.34, 0.52},
                                                            {0.17, 0.15, 0.14},
                                                            {0.43, 0.35, 0.27},
                                                            {0.50, 0.53, 0.50}}};
constexpr std::array<Color, kKinds> kKindColors = {
    {{0.16, 0.42, 1.0}, {0.88, 0.28, 0.12}, {0.96, 0.80, 0.16}, {0.93, 0.92, 0.90}}};
constexpr std::array<Color, kWeapons> kTrackColors = {
    {{1.0, 0.86, 0.45}, {0.30, 1.0, 0.55}, {1.0, 0.42, 0.20}}};

Color mix(const Color& a, const Color& b, double part_of_b) {
  return a * (1 - part_of_b) + b * part_of_b;
}

Color times(const Color& a, const Color& b) {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
}

Color sky(const Vec3d& direction) {
  const double height = std::clamp(direction[1], 0.0, 1.0);
  return mix({0.80, 0.86, 0.92}, {0.30, 0.52, 0.84}, std::sqrt(height));
}

// Returns the colour of a surface in white light.
Color surface(const Hit& hit) {
  if (hit.isEntity()) return kKindColors[static_cast<std::size_t>(hit.entity_class)];
  // Types have been added in the order of the engine's ids.
  const double uneven = static_cast<double>(CellHash()(hit.block) >> 56) / 255 - 0.5;
  return kBlockColors[BlockTypeTable::index(hit.type)] * (1 + 0.13 * uneven);
}

std::uint8_t toByte(double value) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
}

Rgb toRgb(const Color& color) {
  return {toByte(color[0]), toByte(color[1]), toByte(color[2])};
}

}  // namespace

Painter::Painter(const Arena& arena, int width, int height, int samples)
    : arena_(arena), samples_(samples), width_(width * samples), height_(height * samples) {}

void Painter::follow() {
  traces_.push_front({.tracks = arena_.tracks(), .explosions = arena_.explosions()});
  if (traces_.size() > kTraces) traces_.pop_back();
}

Image Painter::paint(const Camera& camera) {
  shoot(camera);
  colors_.resize(rays_.size());
  distances_.resize(rays_.size());
  for (std::size_t i = 0; i < rays_.size(); ++i)
    shade(i, camera);
  for (std::size_t age = traces_.size(); age-- > 0;) {
    const double strength = 1 - static_cast<double>(age) / kTraces;
    for (const Explosion& explosion : traces_[age].explosions)
      draw(explosion, strength, camera);
    for (const Track& track : traces_[age].tracks)
      draw(track, strength * strength, camera);
  }
  return scaledDown();
}

// Finds what each sample shows, and if the sun shines on it.
void Painter::shoot(const Camera& camera) {
  rays_.clear();
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x)
      rays_.push_back({.line = camera.ray(x + 0.5, y + 0.5, width_, height_)});
  }
  const RayQueryService& service = arena_.service();
  const ChannelId light = arena_.blocks().light;
  check(service.closestHit(rays_, {.filter = {.channel = light}}, opaque_, arena_.threads()));
  check(service.closestHit(rays_, {.filter = {.entities = false}}, first_, arena_.threads()));
  sun_rays_.clear();
  sun_ray_of_.assign(rays_.size(), kNoRay);
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    const Hit& hit = opaque_.answers[i];
    if (hit.kind == Hit::Kind::kNone || dot(hit.normal, kSun) <= 0) continue;
    sun_ray_of_[i] = sun_rays_.size();
    const Vec3d from = hit.point + hit.normal * (1.0 / 256);
    sun_rays_.push_back({.line = Ray{.origin = from, .direction = kSun, .max_distance = 200}});
  }
  check(service.occluded(sun_rays_, {.filter = {.channel = light}, .entities_block = true},
                         sunlight_, arena_.threads()));
}

void Painter::shade(std::size_t i, const Camera& camera) {
  const auto x = static_cast<double>(i % static_cast<std::size_t>(width_));
  const std::size_t row = i / static_cast<std::size_t>(width_);
  const auto y = static_cast<double>(row);
  const Vec3d direction = camera.ray(x + 0.5, y + 0.5, width_, height_).direction;
  const Hit& hit = opaque_.answers[i];
  Color& color = colors_[i];
  color = sky(direction);
  distances_[i] = kFar;
  if (hit.kind != Hit::Kind::kNone) {
    distances_[i] = hit.distance;
    const bool is_lit =
        sun_ray_of_[i] != kNoRay && sunlight_.answers[sun_ray_of_[i]] != Occlusion::kBlocked;
    const Color light = kSkylight * (0.75 + 0.25 * hit.normal[1]) +
                        kSunlight * (is_lit ? dot(hit.normal, kSun) : 0.0);
    const double haze = std::min(1.0, hit.distance / kHaze);
    color = mix(times(surface(hit), light), sky({0, 0.05, 0}), haze * haze);
  }
  const Hit& first = first_.answers[i];
  if (first.kind == Hit::Kind::kNone || first.distance >= distances_[i]) return;
  const bool is_water = first.type == arena_.blocks().types[kWater];
  if (is_water) {
    const double depth = std::min(distances_[i] - first.distance, 8.0);
    color = mix(color, kBlockColors[kWater], 0.45 + 0.06 * depth);
  }
  const double grazing = 1 - std::abs(dot(direction, first.normal));
  color = mix(color, is_water ? sky({0, 0.3, 0}) : kBlockColors[kGlass],
              0.12 + 0.5 * grazing * grazing * grazing);
}

void Painter::shine(int x, int y, double distance, const Color& light) {
  if (x < 0 || x >= width_ || y < 0 || y >= height_) return;
  const std::size_t i =
      static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  if (distances_[i] > distance) colors_[i] += light;
}

// Draws a line of light, a sample wide for each sample of a pixel.
void Painter::draw(const Track& track, double strength, const Camera& camera) {
  const std::optional<Pixel> from = camera.pixel(track.from, width_, height_);
  const std::optional<Pixel> to = camera.pixel(track.to, width_, height_);
  if (!from.has_value() || !to.has_value()) return;
  const double pixels = std::max({1.0, std::abs(to->x - from->x), std::abs(to->y - from->y)});
  if (pixels > 4 * width_) return;
  const auto steps = static_cast<int>(std::ceil(pixels));
  for (int step = 0; step < steps; ++step) {
    const std::optional<Pixel> at =
        camera.pixel(track.from + (track.to - track.from) * (static_cast<double>(step) / steps),
                     width_, height_);
    if (!at.has_value()) continue;
    const double wide = std::max<double>(samples_, 0.12 * at->scale);
    for (int i = 0; i < static_cast<int>(wide); ++i) {
      for (int k = 0; k < static_cast<int>(wide); ++k)
        shine(static_cast<int>(at->x - wide / 2) + i, static_cast<int>(at->y - wide / 2) + k,
              at->distance - 0.2, kTrackColors[track.weapon] * (strength * 0.8 / wide));
    }
  }
}

// Draws a ball of fire, which grows and fades.
void Painter::draw(const Explosion& explosion, double strength, const Camera& camera) {
  const std::optional<Pixel> at = camera.pixel(explosion.center, width_, height_);
  if (!at.has_value()) return;
  const double radius = explosion.radius * at->scale * (1.4 - 0.6 * strength);
  if (radius > width_) return;
  for (int y = static_cast<int>(at->y - radius); y <= static_cast<int>(at->y + radius); ++y) {
    for (int x = static_cast<int>(at->x - radius); x <= static_cast<int>(at->x + radius); ++x) {
      const double away = std::hypot(x - at->x, y - at->y) / radius;
      if (away >= 1) continue;
      const double heat = strength * strength * (1 - away * away);
      shine(x, y, at->distance - explosion.radius, Color{1.5, 0.75, 0.25} * heat);
    }
  }
}

Image Painter::scaledDown() const {
  Image image(width_ / samples_, height_ / samples_);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      Color sum{};
      for (int k = 0; k < samples_ * samples_; ++k) {
        const int row = y * samples_ + k / samples_;
        const int column = x * samples_ + k % samples_;
        const Color& color =
            colors_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                    static_cast<std::size_t>(column)];
        for (int i = 0; i < 3; ++i)
          sum[i] += std::min(color[i], 1.2);
      }
      image.at(x, y) = toRgb(sum / (samples_ * samples_));
    }
  }
  return image;
}

Image strip(const std::vector<Image>& pictures, int columns) {
  constexpr int kGap = 4;
  const int rows = (static_cast<int>(pictures.size()) + columns - 1) / columns;
  const int width = pictures.front().width + kGap;
  const int height = pictures.front().height + kGap;
  Image all(columns * width - kGap, rows * height - kGap);
  std::fill(all.pixels.begin(), all.pixels.end(), Rgb{255, 255, 255});
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const int left = static_cast<int>(i) % columns * width;
    const int top = static_cast<int>(i) / columns * height;
    for (int y = 0; y < pictures[i].height; ++y) {
      for (int x = 0; x < pictures[i].width; ++x)
        all.at(left + x, top + y) = pictures[i].at(x, y);
    }
  }
  return all;
}

void save(const Image& image, const std::string& path) {
  const absl::StatusOr<std::string> bytes = encodePng(image);
  check(bytes.status());
  std::ofstream file(path, std::ios::binary);
  file << *bytes;
  file.close();
  if (!file) check(absl::UnavailableError(absl::StrCat("cannot write ", path)));
}

}  // namespace arena
