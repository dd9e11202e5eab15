// SPDX-License-Identifier: Apache-2.0
// A world with chunks of every kind next to its model, and edits that are made to both: for tests
// in which memory runs out.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../../levels/world.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "world_model.h"

namespace fractalray {

// Each returns the blocks of a chunk: of many types, of two, which need no ids, and of one.
BlockIds mixedIds(oracle::Rng& rng);
BlockIds caveIds(oracle::Rng& rng);
BlockIds uniformIds(BlockTypeId type);

// A world and its model.
struct ModelledWorld {
  static constexpr int kLevels = 3;

  explicit ModelledWorld(std::string_view name);

  void load(const ChunkKey& key, const BlockIds& ids);
  // Loads a chunk that is borrowed for writing.
  void borrow(const ChunkKey& key);
  void setInModel(int level, const BlockCoord& min, const BlockCoord& max, BlockTypeId type);

  oracle::Rng rng;
  World world{{.levels = kLevels, .block_types = oracle::sceneTypes()}};
  WorldModel model;
  std::map<ChunkKey, std::unique_ptr<BlockIds>> engine;  // what borrowed chunks borrow
};

// Compares shots through the world, by both passes, with those through a world made of the model.
// Its expectations are fatal.
void expectSameShots(const World& world, const WorldModel& model, oracle::Rng& rng);

// An edit, and the same edit of the model.
struct ModelledEdit {
  std::string name;
  std::function<absl::Status(ModelledWorld&)> edit;
  std::function<void(ModelledWorld&)> apply;
  std::size_t notes = 1;  // its entries in the edit log
};

// Each returns the edit for which it is named; `name` describes what is edited.
ModelledEdit setBlock(const std::string& name, int level, const BlockCoord& at, BlockTypeId type);
ModelledEdit moveBlock(const std::string& name, int level, const BlockCoord& from,
                       const BlockCoord& to);
ModelledEdit fillBox(const std::string& name, int level, const BlockCoord& min,
                     const BlockCoord& max, BlockTypeId type);
ModelledEdit loadChunk(const std::string& name, int level, const ChunkCoord& at,
                       const BlockIds& ids);
ModelledEdit loadBorrowed(const std::string& name, int level, const ChunkCoord& at,
                          const BlockIds& ids);
ModelledEdit unloadChunk(const std::string& name, int level, const ChunkCoord& at);
ModelledEdit placeProtoChunk(const std::string& name, int level, const ChunkCoord& at);
ModelledEdit expandBlock(const std::string& name, int level, const BlockCoord& at);

// Returns edits of each kind, in chunks of each kind that a ModelledWorld has, and in new ones.
std::vector<ModelledEdit> allEdits();

}  // namespace fractalray
