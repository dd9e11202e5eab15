// SPDX-License-Identifier: Apache-2.0
// A viewer in a world without files and without an end: finds a planet, lands on it, looks around,
// and enters a brick of a tower, in which there is a space with planets. Nothing is loaded but what
// lies around the viewer, or what it looks into.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../../tools/generator/fractal_source.h"
#include "fractalray/fractalray.h"

namespace {

using namespace fractalray;

// Ends the program if a call has failed.
void check(const absl::Status& status) {
  if (status.ok()) return;
  std::cerr << status.message() << "\n";
  std::exit(1);
}

class Journey {
 public:
  Journey()
      : streamer_(ChunkStreamer::create(
                      window_, source_,
                      {.radii = {StreamRadii{1, 1.5}, StreamRadii{1, 2}, StreamRadii{1, 2}},
                       .is_fertile = [](BlockTypeId type) { return type != kAir; }})
                      .value()),
        sight_(VisibilityStream::create(window_, {.rays = 1000, .distance = 4000}).value()) {}

  // Streams and looks around for some ticks, and prints what is there.
  void stay(std::string_view where) {
    for (int i = 0; i < 40; ++i) {
      check(streamer_.tick({&viewer_, 1}));
      check(sight_.tick(service_, {.from = viewer_}));
      check(streamer_.want(sight_.unknown()).status());
      check(streamer_.want(sight_.entered()).status());
    }
    std::cout << where << " " << window_.path(0, world_.frame().chunkAt(viewer_, 0))->text()
              << ": chunks";
    for (int level = 0; level < world_.frame().levels(); ++level)
      std::cout << " " << world_.loadedChunks(level);
    std::cout << ", blocks in sight " << sight_.blocks() << "\n";
  }

  // Shrinks the viewer into the first block of these types in its chunk of level 0: the chunk into
  // which that block expands is then the viewer's chunk of level 0.
  void enter(std::span<const BlockTypeId> types) {
    const ChunkCoord here = world_.frame().chunkAt(viewer_, 0);
    const auto is_wanted = [&](BlockTypeId type) {
      return std::find(types.begin(), types.end(), type) != types.end();
    };
    int index = 0;
    while (index < kBlocksPerChunk && !is_wanted(world_.chunk(0, here)->block(index)))
      ++index;
    if (index == kBlocksPerChunk) check(absl::NotFoundError("no such block here"));
    check(window_.descend(childChunk(blockOf(here, index))).status());
    const std::int64_t middle = world_.frame().chunkWidth(0) / 2;
    viewer_ = {middle, middle, middle};
  }
  void climb() {
    const absl::StatusOr<WindowMove> move = window_.climb();
    check(move.status());
    viewer_ = *move->frame_move.pointAfter(viewer_);
  }
  const FractalTypes& types() const { return types_; }

 private:
  World world_{{.levels = 3}};
  FractalTypes types_{world_.blockTypes()};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_, ChunkPath::parse("888_888_888_888").value()};
  RayQueryService service_{world_, entities_};
  FractalSource source_{world_.blockTypes(), types_, 2026};
  ChunkStreamer streamer_;
  VisibilityStream sight_;
  Vec3i viewer_{1, 1, 1};
};

}  // namespace

int main() {
  Journey journey;
  const FractalTypes& types = journey.types();
  journey.stay("space");
  journey.enter(types.soils);
  journey.stay("a planet");
  for (const char* const where : {"closer", "its land"}) {
    journey.enter(types.soils);
    journey.stay(where);
  }
  journey.enter({&types.brick, 1});
  journey.stay("space in a brick");
  journey.enter(types.soils);
  journey.stay("a planet in a brick");
  journey.climb();
  journey.climb();
  journey.stay("its land again");
}
