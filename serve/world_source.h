// SPDX-License-Identifier: Apache-2.0
// Answers from a world in memory that nobody changes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "../entities/entity_index.h"
#include "../levels/world.h"
#include "source.h"

namespace fractalray::serve {

// The version is a fingerprint of blocks and entities, so that servers with equal worlds agree.
class WorldSource : public AnswerSource {
 public:
  // Requires: the index has the frame of the world; nobody changes the two. Cost: reads every
  // block, about 5 us for a chunk that is not uniform.
  WorldSource(std::shared_ptr<const World> world, std::shared_ptr<const EntityIndex> entities);
  ~WorldSource() override;

  absl::StatusOr<SourceView> view(const Question& question, const Freshness& fresh) override;
  std::string version() const override { return version_; }
  std::uint64_t blockTypes() const override { return block_types_; }
  std::string_view blockTypeNames() const override { return type_names_; }

 private:
  frWorld* world_ = nullptr;
  std::string version_;
  std::uint64_t block_types_;
  std::string type_names_;
};

}  // namespace fractalray::serve
