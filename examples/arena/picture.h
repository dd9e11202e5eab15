// SPDX-License-Identifier: Apache-2.0
// Pictures of the arena, by queries alone: batches of closest hits for what each pixel shows, and
// of lines of sight to the sun. A game would leave this to the graphics card.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "arena.h"
#include "camera.h"
#include "fractalray/formats/image.h"

namespace arena {

// Red, green and blue, from 0 to 1; above 1 for things that shine.
using Color = Vec3d;

class Painter {
 public:
  // The picture is painted with samples x samples rays for each pixel.
  Painter(const Arena& arena, int width, int height, int samples);

  // Notes the tracks and the explosions of the last tick, which stay visible for a while.
  void follow();

  Image paint(const Camera& camera);

 private:
  // The tracks and explosions of a tick.
  struct Traces {
    std::vector<Track> tracks;
    std::vector<Explosion> explosions;
  };

  void shoot(const Camera& camera);
  void shade(std::size_t i, const Camera& camera);
  void draw(const Track& track, double strength, const Camera& camera);
  void draw(const Explosion& explosion, double strength, const Camera& camera);
  // Adds light to a sample unless something nearer than `distance` hides it.
  void shine(int x, int y, double distance, const Color& light);
  Image scaledDown() const;

  const Arena& arena_;
  int samples_;
  int width_;  // in samples, as all that follow
  int height_;
  std::deque<Traces> traces_;  // the latest first

  std::vector<BatchQuery> rays_;
  ClosestBatch opaque_;  // the first thing that light does not pass through
  ClosestBatch first_;   // the first thing, water and glass included
  std::vector<BatchQuery> sun_rays_;
  OcclusionBatch sunlight_;
  std::vector<std::size_t> sun_ray_of_;  // by sample
  std::vector<Color> colors_;
  std::vector<double> distances_;
};

// Returns the pictures side by side, `columns` in a row. Requires: all are of one size.
Image strip(const std::vector<Image>& pictures, int columns);
// Writes a PNG file, or ends the program.
void save(const Image& image, const std::string& path);

}  // namespace arena
