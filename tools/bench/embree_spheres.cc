// SPDX-License-Identifier: Apache-2.0
// Embree: spheres as a user geometry, whose tree is rebuilt quickly after each tick, refitted, or
// rebuilt well.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "embree_version.h"
#include "entity_system.h"
#include "sphere_test.h"

namespace fractalray::bench {
namespace {

// Floats cannot represent all positions.
constexpr double kSlack = 1e-3;

void fail(void*, RTCError, const char* what) {
  std::fprintf(stderr, "fractalray_bench: Embree: %s\n", what);
  std::abort();
}

// The data of one query that Embree passes to the callback.
struct Context : EmbreeContext {
  const SphereTest* segment;
  EntityAnswer* answer;
};

class EmbreeSpheres : public EntitySystem {
 public:
  EmbreeSpheres(const EntityScene& scene, RTCSceneFlags flags, RTCBuildQuality scene_quality,
                RTCBuildQuality quality)
      : device_(rtcNewDevice("threads=1")),
        tree_(rtcNewScene(device_)),
        geometry_(rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER)) {
    rtcSetDeviceErrorFunction(device_, fail, nullptr);
    rtcSetDeviceMemoryMonitorFunction(device_, countBytes, this);
    rtcSetSceneFlags(tree_, flags);
    rtcSetSceneBuildQuality(tree_, scene_quality);
    rtcSetGeometryBuildQuality(geometry_, quality);
    rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(scene.size()));
    rtcSetGeometryUserData(geometry_, const_cast<EntityScene*>(&scene));
    rtcSetGeometryBoundsFunction(geometry_, bound, nullptr);
    rtcSetGeometryOccludedFunction(geometry_, test);
    rtcCommitGeometry(geometry_);
    rtcAttachGeometry(tree_, geometry_);
    rtcCommitScene(tree_);
  }
  ~EmbreeSpheres() override {
    rtcReleaseGeometry(geometry_);
    rtcReleaseScene(tree_);
    rtcReleaseDevice(device_);
  }

  std::size_t bytes() const override { return bytes_; }

  void move() override {
    rtcCommitGeometry(geometry_);
    rtcCommitScene(tree_);
  }

  void query(const Rays& rays, std::span<EntityAnswer> answers) override {
    Context context{};
    EmbreeQueries queries(context, false);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const SphereTest segment(rays.blocks[i]);
      answers[i] = {};
      context.segment = &segment;
      context.answer = &answers[i];
      RTCRay ray = rayOf(segment);
      queries.occluded(tree_, ray);
    }
  }

 private:
  static bool countBytes(void* self, ssize_t bytes, bool) {
    static_cast<EmbreeSpheres*>(self)->bytes_ += static_cast<std::size_t>(bytes);
    return true;
  }

  static void bound(const RTCBoundsFunctionArguments* arguments) {
    const auto& scene = *static_cast<const EntityScene*>(arguments->geometryUserPtr);
    const Vec3d& center = scene.centers()[arguments->primID];
    const double reach = scene.radii()[arguments->primID] + kSlack;
    RTCBounds& bounds = *arguments->bounds_o;
    bounds.lower_x = static_cast<float>(center[0] - reach);
    bounds.lower_y = static_cast<float>(center[1] - reach);
    bounds.lower_z = static_cast<float>(center[2] - reach);
    bounds.upper_x = static_cast<float>(center[0] + reach);
    bounds.upper_y = static_cast<float>(center[1] + reach);
    bounds.upper_z = static_cast<float>(center[2] + reach);
  }

  // Counts, and lets the ray continue: nothing occludes.
  static void test(const RTCOccludedFunctionNArguments* arguments) {
    if (arguments->valid[0] == 0) return;
    const auto& scene = *static_cast<const EntityScene*>(arguments->geometryUserPtr);
    const auto& context = *static_cast<const Context*>(arguments->context);
    const unsigned entity = arguments->primID;
    if (context.segment->intersects(scene.centers()[entity], scene.radii()[entity])) {
      context.answer->add(entity);
    }
  }

  static RTCRay rayOf(const SphereTest& segment) {
    RTCRay ray{};
    ray.org_x = static_cast<float>(segment.from()[0]);
    ray.org_y = static_cast<float>(segment.from()[1]);
    ray.org_z = static_cast<float>(segment.from()[2]);
    ray.dir_x = static_cast<float>(segment.delta()[0]);
    ray.dir_y = static_cast<float>(segment.delta()[1]);
    ray.dir_z = static_cast<float>(segment.delta()[2]);
    ray.tfar = 1;
    ray.mask = 0xffffffffU;
    return ray;
  }

  RTCDevice device_;
  RTCScene tree_;
  RTCGeometry geometry_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<EntitySystem> makeEmbreeSpheres(const EntityScene& scene) {
  return std::make_unique<EmbreeSpheres>(scene, RTC_SCENE_FLAG_DYNAMIC, RTC_BUILD_QUALITY_LOW,
                                         RTC_BUILD_QUALITY_LOW);
}
std::unique_ptr<EntitySystem> makeEmbreeRefit(const EntityScene& scene) {
  return std::make_unique<EmbreeSpheres>(scene, RTC_SCENE_FLAG_DYNAMIC, RTC_BUILD_QUALITY_LOW,
                                         RTC_BUILD_QUALITY_REFIT);
}
// Makes a system that rebuilds: Embree refits only in dynamic scenes of low quality.
std::unique_ptr<EntitySystem> makeEmbreeRebuilt(const EntityScene& scene) {
  return std::make_unique<EmbreeSpheres>(scene, RTC_SCENE_FLAG_NONE, RTC_BUILD_QUALITY_MEDIUM,
                                         RTC_BUILD_QUALITY_MEDIUM);
}

}  // namespace fractalray::bench
