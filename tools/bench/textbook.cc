// SPDX-License-Identifier: Apache-2.0
// The textbook loop over blocks that fill their cubes.
#include <cstdint>
#include <functional>
#include <memory>

#include "systems.h"
#include "textbook_walk.h"

namespace fractalray::bench {
namespace {

template <class Real>
class Textbook : public System {
 public:
  explicit Textbook(const Scene& scene) : walk_(scene.grid, ChunkMap(scene.grid)) {}

  bool can(Work work) const override {
    return work == Work::kFirstHit || work == Work::kFirstSolid || work == Work::kAllHits ||
           work == Work::kOccluded;
  }

  void run(Work work, const Rays& rays, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      Answer answer;
      switch (work) {
        case Work::kFirstHit:
          walk_(rays.blocks[i], [&](std::uint16_t, int x, int y, int z) {
            answer = hitAt(x, y, z);
            return true;
          });
          break;
        case Work::kAllHits:
          walk_(rays.blocks[i], [&](std::uint16_t id, int x, int y, int z) {
            const int before = answer.hits;
            answer = hitAt(x, y, z);
            answer.hits = before;
            callback_(id, answer);
            return id == ChunkMap::kSolid;
          });
          break;
        default:
          walk_(rays.blocks[i], [&](std::uint16_t id, int x, int y, int z) {
            if (id != ChunkMap::kSolid) return false;
            answer = work == Work::kOccluded ? Answer{.hits = 1} : hitAt(x, y, z);
            return true;
          });
      }
      answers[i] = answer;
    }
  }

 private:
  TextbookWalk<Real> walk_;
  std::function<void(std::uint16_t, Answer&)> callback_ = [](std::uint16_t, Answer& answer) {
    ++answer.hits;
  };
};

}  // namespace

std::unique_ptr<System> makeTextbookFloat(const Scene& scene) {
  return std::make_unique<Textbook<float>>(scene);
}

std::unique_ptr<System> makeTextbookDouble(const Scene& scene) {
  return std::make_unique<Textbook<double>>(scene);
}

}  // namespace fractalray::bench
