// SPDX-License-Identifier: Apache-2.0
// Embree 3 or 4: the exposed faces of blocks as quads; rays one at a time, and 16 at a time.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "embree_version.h"
#include "systems.h"

namespace fractalray::bench {
namespace {

void fail(void*, RTCError, const char* what) {
  std::fprintf(stderr, "fractalray_bench: Embree: %s\n", what);
  std::abort();
}

// The scene as Embree has built it, and the block of each face.
class Faces {
 public:
  explicit Faces(const Grid& grid)
      : device_(rtcNewDevice("threads=1")), scene_(rtcNewScene(device_)) {
    rtcSetDeviceErrorFunction(device_, fail, nullptr);
    rtcSetDeviceMemoryMonitorFunction(device_, countBytes, this);
    collect(grid);
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_QUAD);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                               corners_.data(), 0, sizeof(Corner), corners_.size());
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT4, quads_.data(),
                               0, sizeof(Quad), quads_.size());
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  ~Faces() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  Faces(const Faces&) = delete;
  Faces& operator=(const Faces&) = delete;

  RTCScene scene() const { return scene_; }
  Answer block(unsigned face) const { return blocks_[face]; }
  std::size_t bytes() const {
    return embree_bytes_ + corners_.size() * sizeof(Corner) + quads_.size() * sizeof(Quad) +
           blocks_.size() * sizeof(Answer);
  }

 private:
  using Corner = std::array<float, 3>;
  using Quad = std::array<std::uint32_t, 4>;

  static bool countBytes(void* self, ssize_t bytes, bool) {
    static_cast<Faces*>(self)->embree_bytes_ += static_cast<std::size_t>(bytes);
    return true;
  }

  void collect(const Grid& grid) {
    grid.forEachChunk([&](const ChunkCoord& at) {
      for (int index = 0; index < 4096; ++index) {
        const BlockCoord block = blockOf(at, index);
        if (!grid.occupied(block)) continue;
        for (int axis = 0; axis < 3; ++axis) {
          for (const int side : {0, 1}) {
            BlockCoord neighbour = block;
            neighbour[axis] += 2 * side - 1;
            if (!grid.occupied(neighbour)) addFace(block, axis, side);
          }
        }
      }
    });
    corners_.shrink_to_fit();
    // Embree reads 16 bytes for each corner of 12.
    corners_.reserve(corners_.size() + 1);
  }

  void addFace(const BlockCoord& block, int axis, int side) {
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    const auto first = static_cast<std::uint32_t>(corners_.size());
    quads_.push_back({first, first + 1, first + 2, first + 3});
    blocks_.push_back(hitAt(block[0], block[1], block[2]));
    constexpr std::array<std::array<int, 2>, 4> kAround{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    for (const auto& [du, dv] : kAround) {
      BlockCoord corner = block;
      corner[axis] += side;
      corner[u] += du;
      corner[v] += dv;
      corners_.push_back({static_cast<float>(corner[0]), static_cast<float>(corner[1]),
                          static_cast<float>(corner[2])});
    }
  }

  RTCDevice device_;
  RTCScene scene_;
  std::vector<Corner> corners_;
  std::vector<Quad> quads_;
  std::vector<Answer> blocks_;
  std::size_t embree_bytes_ = 0;
};

// The faces are the same for both systems of a scene, so the second reuses those of the first.
struct SharedFaces {
  std::shared_ptr<const Faces> faces;
  double build_ms = 0;
};

SharedFaces facesOf(const Scene& scene) {
  static std::weak_ptr<const Faces> last;
  static const Scene* last_scene = nullptr;
  static double last_build_ms = 0;
  std::shared_ptr<const Faces> faces = last.lock();
  if (faces == nullptr || last_scene != &scene) {
    const auto begin = std::chrono::steady_clock::now();
    faces = std::make_shared<const Faces>(scene.grid);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    last = faces;
    last_scene = &scene;
    last_build_ms = took.count();
  }
  return {faces, last_build_ms};
}

class EmbreeBase : public System {
 public:
  explicit EmbreeBase(const Scene& scene) : shared_(facesOf(scene)) {}

  std::size_t bytes() const override { return faces().bytes(); }
  double buildMs() const override { return shared_.build_ms; }

 protected:
  const Faces& faces() const { return *shared_.faces; }

 private:
  SharedFaces shared_;
};

class Embree : public EmbreeBase {
 public:
  using EmbreeBase::EmbreeBase;

  bool can(Work work) const override { return work == Work::kFirstHit || work == Work::kOccluded; }

  void run(Work work, const Rays& rays, std::span<Answer> answers) override {
    EmbreeContext context;
    EmbreeQueries queries(context, rays.coherent);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (work == Work::kOccluded) {
        RTCRay ray = rayOf(rays.blocks[i]);
        queries.occluded(faces().scene(), ray);
        answers[i] = {.hits = ray.tfar < 0 ? 1 : 0};
        continue;
      }
      RTCRayHit hit{rayOf(rays.blocks[i]), {}};
      hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      queries.intersect(faces().scene(), hit);
      const bool is_hit = hit.hit.geomID != RTC_INVALID_GEOMETRY_ID;
      answers[i] = is_hit ? faces().block(hit.hit.primID) : Answer{};
    }
  }

 private:
  static RTCRay rayOf(const Segment& segment) {
    const Vec3d delta = segment.to - segment.from;
    RTCRay ray{};
    ray.org_x = static_cast<float>(segment.from[0]);
    ray.org_y = static_cast<float>(segment.from[1]);
    ray.org_z = static_cast<float>(segment.from[2]);
    ray.dir_x = static_cast<float>(delta[0]);
    ray.dir_y = static_cast<float>(delta[1]);
    ray.dir_z = static_cast<float>(delta[2]);
    ray.tfar = 1;
    ray.mask = 0xffffffffU;
    return ray;
  }
};

class Embree16 : public EmbreeBase {
 public:
  using EmbreeBase::EmbreeBase;

  bool can(Work work) const override {
    return work == Work::kFirstHit || work == Work::kCameraBatch || work == Work::kSightGroups;
  }

  void run(Work work, const Rays& rays, std::span<Answer> answers) override {
    EmbreeContext context;
    EmbreeQueries queries(context, rays.coherent);
    for (std::size_t first = 0; first < answers.size(); first += 16) {
      const std::size_t count = std::min<std::size_t>(16, answers.size() - first);
      alignas(64) std::array<int, 16> valid{};
      RTCRayHit16 packet{};
      for (std::size_t lane = 0; lane < count; ++lane) {
        valid[lane] = -1;
        fill(packet, lane, rays.blocks[first + lane]);
      }
      if (work == Work::kSightGroups) {
        queries.occluded(faces().scene(), valid.data(), packet.ray);
        for (std::size_t lane = 0; lane < count; ++lane)
          answers[first + lane] = {.hits = packet.ray.tfar[lane] < 0 ? 1 : 0};
        continue;
      }
      queries.intersect(faces().scene(), valid.data(), packet);
      for (std::size_t lane = 0; lane < count; ++lane) {
        const bool is_hit = packet.hit.geomID[lane] != RTC_INVALID_GEOMETRY_ID;
        answers[first + lane] = is_hit ? faces().block(packet.hit.primID[lane]) : Answer{};
      }
    }
  }

 private:
  static void fill(RTCRayHit16& packet, std::size_t lane, const Segment& segment) {
    const Vec3d delta = segment.to - segment.from;
    packet.ray.org_x[lane] = static_cast<float>(segment.from[0]);
    packet.ray.org_y[lane] = static_cast<float>(segment.from[1]);
    packet.ray.org_z[lane] = static_cast<float>(segment.from[2]);
    packet.ray.dir_x[lane] = static_cast<float>(delta[0]);
    packet.ray.dir_y[lane] = static_cast<float>(delta[1]);
    packet.ray.dir_z[lane] = static_cast<float>(delta[2]);
    packet.ray.tfar[lane] = 1;
    packet.ray.mask[lane] = 0xffffffffU;
    packet.hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
  }
};

}  // namespace

std::unique_ptr<System> makeEmbree(const Scene& scene) {
  return std::make_unique<Embree>(scene);
}
std::unique_ptr<System> makeEmbree16(const Scene& scene) {
  return std::make_unique<Embree16>(scene);
}

}  // namespace fractalray::bench
