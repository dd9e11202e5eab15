// SPDX-License-Identifier: Apache-2.0
// Reads blasts as JSON files write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include "../core/level_mask.h"
#include "../core/vec.h"
#include "../entities/entity.h"
#include "../levels/block_type.h"
#include "../query/blast.h"
#include "input_limits.h"
#include "json.h"

namespace fractalray {

// The rays of cubeFan().
struct BlastFan {
  int points = 0;
  double step = 0;
  std::int64_t power = 0;
};

// A blast as JSON has it. `options` has its plain members, except for what is a name or a list.
struct BlastCase {
  Vec3d center{};
  double radius = 0;
  std::variant<std::vector<BlastRay>, BlastFan> rays{};
  // By type, each once; all other types are unbreakable.
  std::vector<std::pair<BlockTypeId, std::int64_t>> resistances{};
  std::int64_t falloff = 0;
  LevelMask levels{};
  BlastOptions options{};
  std::string channel = "default";
  std::vector<EntityId> ignore{};
};

// A blast as the library takes it, which borrows from it and from its BlastCase.
struct PreparedBlast {
  BlastQuery query{};
  std::vector<BlastRay> rays{};
  std::vector<std::int64_t> resistances{};
  BlastOptions options{};

  PreparedBlast() = default;
  PreparedBlast(PreparedBlast&&) = default;
  PreparedBlast& operator=(PreparedBlast&&) = default;
};

// Makes the rays, and finds the channel as prepareView() does. Takes at most limits.cells samples.
// Errors: those of cubeFan().
absl::StatusOr<PreparedBlast> prepareBlast(const BlastCase& blast, const BlockTypeTable& types,
                                           const InputLimits& limits = {});

// Reads the members of a blast {"center", "radius", "rays", "resistances", "levels", ...}; see
// readViewQuery(). `read_type` reads the name of a type that the file declares.
using TypeReader = absl::FunctionRef<BlockTypeId(const JsonReader& named, std::string_view name)>;
BlastCase readBlast(const JsonReader& query, TypeReader read_type);
// Returns the members of a blast, `"op": "blast", ...`, without those that have their usual values.
// `name` returns the name of a type, in quotes.
std::string blastJson(const BlastCase& blast,
                      absl::FunctionRef<std::string(BlockTypeId type)> name);

}  // namespace fractalray
