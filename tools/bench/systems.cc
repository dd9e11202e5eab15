// SPDX-License-Identifier: Apache-2.0
#include "systems.h"

#include <array>

namespace fractalray::bench {
namespace {

constexpr auto kSystems = std::to_array<SystemMaker>({
    {"fractalray", makeFractalrayFast, true},
    {"fractalray-segment", makeFractalraySegment, true},
    {"fractalray-ray", makeFractalrayRay, true},
    {"fractalray-plain", makeFractalrayPlain, true},
    {"fractalray-single", makeFractalraySingle, true},
    {"fractalray-cubes", makeFractalrayCubes, true, true, true},
    {"fractalray-expanded", makeFractalrayExpanded, true, true},
    {"textbook-float", makeTextbookFloat},
    {"textbook-double", makeTextbookDouble},
    {"textbook-boxes", makeTextbookBoxes, false, true},
    {"fractalray-raycast", makeRaycastHeader},
#ifdef FRACTALRAY_BENCH_OPENVDB
    {"openvdb", makeOpenvdb},
#else
    {"openvdb", nullptr},
#endif
#ifdef FRACTALRAY_BENCH_NANOVDB
    {"nanovdb", makeNanovdb},
#else
    {"nanovdb", nullptr},
#endif
#ifdef FRACTALRAY_BENCH_EMBREE
    {"embree", makeEmbree},
    {"embree16", makeEmbree16},
#else
    {"embree", nullptr},
    {"embree16", nullptr},
#endif
#ifdef FRACTALRAY_BENCH_TINYBVH
    {"tinybvh", makeTinybvh},
#else
    {"tinybvh", nullptr},
#endif
});

}  // namespace

std::span<const SystemMaker> allSystems() {
  return kSystems;
}

std::string describePeers() {
#ifdef FRACTALRAY_BENCH_EMBREE_VERSION
  return ", Embree " FRACTALRAY_BENCH_EMBREE_VERSION;
#else
  return "";
#endif
}

}  // namespace fractalray::bench
