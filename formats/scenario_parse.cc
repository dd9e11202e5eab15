// SPDX-License-Identifier: Apache-2.0
// Reads a scenario: the world is set up while reading, so whatever the library refuses is refused
// with the place in the file.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <tuple>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "fractalray/formats/block_kinds.h"
#include "fractalray/formats/printable.h"
#include "fractalray/formats/scenario.h"

namespace fractalray {
namespace {

template <class T, std::size_t N>
using Words = std::array<std::pair<std::string_view, T>, N>;

// Whether a callback stops the shot.
bool readResponse(const JsonReader& value) {
  static constexpr Words<bool, 2> kResponses = {{{"continue", false}, {"stop", true}}};
  return value.choice(kResponses);
}

class ScenarioParser {
 public:
  ScenarioParser(const JsonReader& root, Scenario& scenario) : root_(root), scenario_(scenario) {}

  // What is wrong goes to the reader's status.
  void parse() {
    if (const auto types = root_.find("block_types")) readBlockTypes(*types);
    if (const auto responses = root_.find("responses")) readResponses(*responses);
    if (const auto rules = root_.find("rules")) readRules(*rules);
    if (const auto chunks = root_.find("chunks")) {
      chunks->forEachElement([&](const JsonReader& chunk) { readChunk(chunk); });
    }
    if (const auto entities = root_.find("entities")) {
      entities->forEachElement([&](const JsonReader& entity) { readEntity(entity); });
    }
    root_.member("queries").forEachElement([&](const JsonReader& query) { readQuery(query); });
    if (const auto about = root_.find("about")) about->text();
    // The path of the frame's first chunk. No query here asks for paths, so it changes no answer.
    if (const auto anchor = root_.find("anchor")) anchor->text();
    root_.refuseOthers();
  }

 private:
  static constexpr std::int64_t kLastInChunk = kChunkSize - 1;

  // The table has an "air" of its own, empty in every channel. It is the file's too where the file
  // means the same; else the file's gets a name in the table that the file does not use.
  static std::string tableName(const BlockTypeSpec& spec, const JsonReader& types) {
    std::string name = spec.name;
    while (name == "air" || (name != spec.name && types.find(name).has_value()))
      name += '\'';
    return name;
  }

  static bool isPlainAir(const BlockTypeSpec& spec) {
    if (spec.name != "air" || spec.kind != BlockKind::kEmpty) return false;
    return std::ranges::all_of(spec.channel_kinds, [](const auto& channel_kind) {
      return channel_kind.second == BlockKind::kEmpty;
    });
  }

  void readBlockTypes(const JsonReader& types) {
    BlockTypeTable& table = scenario_.world.blockTypes();
    types.forEachMember([&](const std::string& name, const JsonReader& kinds) {
      BlockTypeSpec spec = readBlockKinds(kinds, name, table);
      if (isPlainAir(spec)) {
        types_.emplace(name, kAir);
        return;
      }
      spec.name = tableName(spec, types);
      const absl::StatusOr<BlockTypeId> type = table.add(spec);
      kinds.failIfError(type.status());
      if (!type.ok()) return;
      types_.emplace(name, *type);
      scenario_.type_names.resize(table.size(), "air");
      scenario_.type_names[BlockTypeTable::index(*type)] = name;
    });
    scenario_.type_names.resize(table.size(), "air");
  }

  void readResponses(const JsonReader& responses) {
    responses.forEachMember([&](const std::string& name, const JsonReader& response) {
      const auto type = types_.find(name);
      if (type == types_.end()) return response.fail("no such block type in block_types");
      if (readResponse(response)) scenario_.stopping_types.push_back(type->second);
    });
  }

  void readRules(const JsonReader& rules) {
    const auto find = [&](std::string_view name) -> std::optional<BlockTypeId> {
      const auto type = types_.find(absl::string_view(name.data(), name.size()));
      if (type == types_.end()) return std::nullopt;
      return type->second;
    };
    rules.forEachMember([&](const std::string& name, const JsonReader& value) {
      rules_.emplace(name, std::make_shared<const NamedRules>(readNamedRules(value, name, find)));
    });
  }

  // The rules that a shot names, and what it starts with.
  void readShotRules(const JsonReader& query, ShotQuery& shot) const {
    const auto budgets = query.find("budgets");
    const auto name = query.find("rules");
    if (!name.has_value()) {
      if (budgets.has_value()) budgets->fail("budgets without rules; name the rules too");
      return;
    }
    const auto found = rules_.find(name->text());
    if (found == rules_.end()) {
      return name->fail(
          absl::StrCat("no such rules, ", name->value().dump(), "; declare them in rules"));
    }
    shot.rules = found->second;
    if (budgets.has_value()) shot.budgets = readStart(*budgets, *shot.rules);
  }

  BlockTypeId readType(const JsonReader& value) const {
    const std::string name = value.text();
    const auto type = types_.find(name);
    if (type != types_.end()) return type->second;
    value.fail(
        absl::StrCat("unknown block type ", quotedText(name), "; declare it in block_types"));
    return kAir;
  }

  // What a chunk is filled with where the file does not say: its own "air", or just nothing.
  BlockTypeId defaultFill() const {
    const auto air = types_.find("air");
    return air == types_.end() ? kAir : air->second;
  }

  void readChunk(const JsonReader& chunk) {
    static constexpr Words<bool, 2> kStates = {{{"loaded", true}, {"proto", false}}};
    const Frame& frame = scenario_.world.frame();
    const auto level = static_cast<int>(chunk.member("level").integer(0, frame.levels() - 1));
    const JsonReader place = chunk.member("at");
    const auto at = place.integers<ChunkCoord>();
    const auto state = chunk.find("state");
    const bool loaded = !state.has_value() || state->choice(kStates);
    const std::vector<BlockTypeId> blocks = readBlocks(chunk);
    chunk.refuseOthers();
    if (!chunk.ok()) return;
    if (!chunks_.emplace(level, at).second) {
      return place.fail("this chunk of this level is there twice");
    }
    if (!loaded) return place.failIfError(scenario_.world.placeProtoChunk(level, at));
    absl::StatusOr<Chunk> content = Chunk::copied(Chunk::Ids(blocks), scenario_.world.blockTypes());
    chunk.failIfError(content.status());
    if (content.ok()) {
      place.failIfError(scenario_.world.loadChunk(level, at, *std::move(content)));
    }
  }

  // A chunk's content: its fill, then boxes, then single blocks.
  std::vector<BlockTypeId> readBlocks(const JsonReader& chunk) const {
    const auto fill = chunk.find("fill");
    std::vector<BlockTypeId> blocks(kBlocksPerChunk,
                                    fill.has_value() ? readType(*fill) : defaultFill());
    if (const auto boxes = chunk.find("boxes")) {
      boxes->forEachElement([&](const JsonReader& box) { readBox(box, blocks); });
    }
    if (const auto singles = chunk.find("blocks")) {
      singles->forEachElement([&](const JsonReader& single) {
        if (!single.isArrayOf(2, "parts, the block's index and its type")) return;
        const auto block = single.element(0).integers<BlockCoord>(0, kLastInChunk);
        blocks[static_cast<std::size_t>(indexInChunk(block))] = readType(single.element(1));
      });
    }
    return blocks;
  }

  void readBox(const JsonReader& box, std::vector<BlockTypeId>& blocks) const {
    if (!box.isArrayOf(3, "parts, two corners and a type")) return;
    const auto min = box.element(0).integers<BlockCoord>(0, kLastInChunk);
    const auto max = box.element(1).integers<BlockCoord>(0, kLastInChunk);
    const BlockTypeId type = readType(box.element(2));
    for (int axis = 0; axis < 3; ++axis) {
      if (min[axis] > max[axis]) {
        return box.fail(absl::StrCat("the corners are not ordered: ", min[axis], " > ", max[axis],
                                     " on axis ", std::string(1, "xyz"[axis])));
      }
    }
    for (std::int64_t z = min[2]; z <= max[2]; ++z) {
      for (std::int64_t y = min[1]; y <= max[1]; ++y) {
        for (std::int64_t x = min[0]; x <= max[0]; ++x) {
          blocks[static_cast<std::size_t>(indexInChunk({x, y, z}))] = type;
        }
      }
    }
  }

  void readEntity(const JsonReader& entity) {
    EntitySpec spec;
    spec.id = entity.member("id").unsignedInteger();
    spec.level =
        static_cast<int>(entity.member("level").integer(0, scenario_.world.frame().levels() - 1));
    spec.shape = readShape(entity);
    spec.position = entity.member("center").numbers<3>();
    if (const auto bits = entity.find("categories")) spec.categories = bits->unsignedInteger();
    const auto response = entity.find("response");
    const bool stops = response.has_value() && readResponse(*response);
    spec.entity_class = stops ? kStoppingEntity : kContinuingEntity;
    entity.refuseOthers();
    if (entity.ok()) entity.failIfError(scenario_.entities.add(spec).status());
  }

  static Shape readShape(const JsonReader& entity) {
    static constexpr Words<bool, 2> kShapes = {{{"sphere", true}, {"box", false}}};
    if (entity.member("shape").choice(kShapes)) return Sphere{entity.member("radius").number()};
    return Box{entity.member("half_extents").numbers<3>()};
  }

  // The same text for ids that are the same: 1, 1.0 and 1e0 are one number.
  static std::string idKey(const Json& id) {
    if (!id.is_number_float()) return id.dump();
    const auto number = id.get<double>();
    const bool is_integer = number == std::trunc(number);
    if (is_integer && number >= -0x1p63 && number < 0x1p63) {
      return absl::StrCat(static_cast<std::int64_t>(number));
    }
    if (is_integer && number > 0 && number < 0x1p64) {
      return absl::StrCat(static_cast<std::uint64_t>(number));
    }
    return id.dump();
  }

  void readQuery(const JsonReader& query) {
    enum class Op : std::uint8_t { kShoot, kWalk, kEntityChunks };
    static constexpr Words<Op, 3> kOps = {
        {{"shoot", Op::kShoot}, {"walk", Op::kWalk}, {"entity_chunks", Op::kEntityChunks}}};
    const JsonReader id = query.member("id");
    Json name = readQueryId(id);
    if (!query_ids_.insert(idKey(name)).second) {
      return id.fail("another query has this id already");
    }
    ScenarioQuery& asked = scenario_.queries.emplace_back();
    asked.id = std::move(name);
    switch (query.member("op").choice(kOps)) {
      case Op::kShoot:
        readShotRules(query, asked.ask.emplace<ShotQuery>(readShotQuery(query)));
        break;
      case Op::kWalk:
        asked.ask = readWalkQuery(query);
        break;
      case Op::kEntityChunks:
        asked.ask = EntityChunksQuery{query.member("entity").unsignedInteger()};
        break;
    }
    query.refuseOthers();
  }

  const JsonReader& root_;
  Scenario& scenario_;
  absl::flat_hash_map<std::string, BlockTypeId> types_;
  absl::flat_hash_set<std::pair<int, ChunkCoord>> chunks_;
  absl::flat_hash_set<std::string> query_ids_;
  absl::flat_hash_map<std::string, std::shared_ptr<const NamedRules>> rules_;
};

absl::Status named(std::string_view name, const absl::Status& error) {
  return {error.code(), absl::StrCat(std::string(name), ": ", error.message())};
}

}  // namespace

absl::StatusOr<Scenario> parseScenario(std::string_view text, std::string_view name) {
  const absl::StatusOr<Json> document = parseJson(text, name);
  if (!document.ok()) return document.status();
  static constexpr Words<bool, 1> kFormats = {{{"fractalray-scenario/1", true}}};
  absl::Status error;
  const JsonReader root(*document, error);
  root.member("format").choice(kFormats);
  const auto levels = static_cast<int>(root.member("levels").integer(1, kMaxLevels));
  if (!error.ok()) return named(name, error);
  Scenario scenario(levels);
  ScenarioParser(root, scenario).parse();
  if (!error.ok()) return named(name, error);
  return scenario;
}

absl::StatusOr<Scenario> readScenario(const std::string& path) {
  const absl::StatusOr<std::string> text = readFile(path);
  if (!text.ok()) return text.status();
  return parseScenario(*text, path);
}

}  // namespace fractalray
