// SPDX-License-Identifier: Apache-2.0
// All systems: ours and the peers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "scene.h"
#include "system.h"

namespace fractalray::bench {

struct SystemMaker {
  std::string_view name;
  // Builds the system for a scene, which must outlive it; null if the peer was not installed
  // when this program was configured.
  std::unique_ptr<System> (*make)(const Scene& scene);
  // Ours answer exactly as the contract says; peers may differ at exact ties.
  bool is_ours = false;
  // True if it is for scenes with shapes: it has only sets that list it.
  bool needs_shapes = false;
  // True if it answers as if all blocks filled their cubes.
  bool sees_cubes = false;
};

// Returns the systems in the order of the tables.
std::span<const SystemMaker> allSystems();

// Returns ", Embree 4.3.3": the versions of peers that differ from machine to machine.
std::string describePeers();

// Makes the systems, one file each.
std::unique_ptr<System> makeFractalrayFast(const Scene& scene);
std::unique_ptr<System> makeFractalrayPlain(const Scene& scene);
std::unique_ptr<System> makeFractalraySingle(const Scene& scene);
std::unique_ptr<System> makeFractalraySegment(const Scene& scene);
std::unique_ptr<System> makeFractalrayRay(const Scene& scene);
std::unique_ptr<System> makeFractalrayCubes(const Scene& scene);
std::unique_ptr<System> makeFractalrayExpanded(const Scene& scene);
std::unique_ptr<System> makeTextbookFloat(const Scene& scene);
std::unique_ptr<System> makeTextbookDouble(const Scene& scene);
std::unique_ptr<System> makeTextbookBoxes(const Scene& scene);
std::unique_ptr<System> makeRaycastHeader(const Scene& scene);
std::unique_ptr<System> makeOpenvdb(const Scene& scene);
std::unique_ptr<System> makeNanovdb(const Scene& scene);
std::unique_ptr<System> makeEmbree(const Scene& scene);
std::unique_ptr<System> makeEmbree16(const Scene& scene);
std::unique_ptr<System> makeTinybvh(const Scene& scene);

}  // namespace fractalray::bench
