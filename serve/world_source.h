// SPDX-License-Identifier: Apache-2.0
// Answers from a world in memory whose blocks nobody changes.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "../entities/entity_index.h"
#include "../levels/world.h"
#include "source.h"

namespace fractalray::serve {

// The version is a fingerprint of blocks and of the entities before the first tick, so that servers
// with equal worlds agree.
class WorldSource : public AnswerSource {
 public:
  // Requires: the index has the frame of the world; nobody changes the two. Cost: reads every
  // block, about 5 us for a chunk that is not uniform.
  WorldSource(std::shared_ptr<const World> world,
              const std::shared_ptr<const EntityIndex>& entities);
  absl::StatusOr<SourceView> view(const Question& question, const Freshness& fresh) override;
  std::string version() const override { return version_; }
  std::uint64_t blockTypes() const override { return block_types_; }
  absl::Status feed(const EntityTick& tick) override { return feed_.apply(tick); }
  std::string_view blockTypeNames() const override { return type_names_; }

 private:
  const std::shared_ptr<const World> blocks_;
  EntityFeed feed_;
  std::mutex mutex_;  // of the next two
  std::shared_ptr<frWorld> world_;
  std::shared_ptr<const EntityIndex> shown_;  // the entities that it shows
  std::string version_;
  std::uint64_t block_types_;
  std::string type_names_;
};

}  // namespace fractalray::serve
