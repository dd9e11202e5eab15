// SPDX-License-Identifier: Apache-2.0
// Reads a scenario: the world is set up while reading, so errors of the library name a position in
// the file too.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"

#include "../core/printable.h"
#include "internal/out_of_memory.h"
#include "internal/scenario_blocks.h"
#include "internal/scenario_rules.h"
#include "json_document.h"
#include "scenario.h"

namespace fractalray {
namespace {

template <class T, std::size_t N>
using Words = std::array<std::pair<std::string_view, T>, N>;

// Reads what a callback returns.
HitResponse readHitResponse(const JsonReader& value) {
  static constexpr Words<HitResponse, 3> kResponses = {{{"continue", HitResponse::kContinue},
                                                        {"stop", HitResponse::kStop},
                                                        {"again", HitResponse::kAgain}}};
  return value.choice(kResponses);
}

absl::Status named(std::string_view name, const absl::Status& error) {
  return {error.code(), absl::StrCat(printablePath(name), ": ", error.message())};
}

// Takes the elements of the lists one by one while the text is parsed if all that they need is
// known by then, and the rest at the end.
class ScenarioParser {
 public:
  ScenarioParser(std::string_view name, const InputLimits& limits) : name_(name), limits_(limits) {}

  // A TakeJsonElement.
  absl::StatusOr<bool> take(const Json& document, const std::string& member, std::size_t index,
                            const Json& element) {
    const auto* const section =
        std::find_if(kSections.begin(), kSections.end(),
                     [&](const Section& each) { return each.name == member; });
    // An unknown list is not kept.
    if (section == kSections.end()) {
      return std::find(kOthers.begin(), kOthers.end(), member) == kOthers.end();
    }
    if (!document.contains("format") || !document.contains("levels") ||
        (section->needs_types && !document.contains("block_types"))) {
      return false;
    }
    // A query that names types needs them too: it is read at the end, and then all after it.
    if (section->name == "queries" && !document.contains("block_types")) {
      holds_queries_ |= namesTypes(element);
      if (holds_queries_) return false;
    }
    const JsonReader root(document, error_);
    if (!scenario_.has_value()) begin(root);
    if (error_.ok() && !has_types_ && document.contains("block_types")) readBlockTypes(root);
    if (error_.ok()) {
      (this->*section->read)(JsonReader(element, error_, absl::StrCat(member, "[", index, "]")));
    }
    if (!error_.ok()) return named(name_, error_);
    return true;
  }

  // Reads the elements that have not been taken.
  absl::StatusOr<Scenario> finish(const Json& document) {
    const JsonReader root(document, error_);
    begin(root);
    if (error_.ok()) readBlockTypes(root);
    if (error_.ok()) readRest(root);
    if (!error_.ok()) return named(name_, error_);
    return *std::move(scenario_);
  }

 private:
  // Reads a list of the document.
  struct Section {
    std::string_view name;
    bool needs_types;
    void (ScenarioParser::*read)(const JsonReader& element);
  };
  static const std::array<Section, 3> kSections;
  // Reads the members that are no lists.
  static constexpr std::array<std::string_view, 7> kOthers = {
      "format", "levels", "block_types", "responses", "rules", "about", "anchor"};

  // Returns true for a query that loads a chunk, and for a blast; wrong ones too.
  static bool namesTypes(const Json& query) {
    const auto op = query.find("op");
    return op != query.end() && (isText(*op, "load") || isText(*op, "blast"));
  }

  // Reads the members that all else depends on, and makes the scenario unless it is there.
  void begin(const JsonReader& root) {
    static constexpr Words<bool, 1> kFormats = {{{"fractalray-scenario/1", true}}};
    root.member("format").choice(kFormats);
    const auto levels = static_cast<int>(root.member("levels").integer(1, kMaxLevels));
    if (error_.ok() && !scenario_.has_value()) scenario_.emplace(levels);
  }

  void readRest(const JsonReader& root) {
    if (const auto responses = root.find("responses")) readResponses(*responses);
    if (const auto rules = root.find("rules")) {
      rules_.read(*rules, [&](std::string_view type) { return types_.find(type); });
    }
    for (const Section& section : kSections) {
      const auto list = root.find(section.name);
      if (!list.has_value()) continue;
      readElements(*list, section);
    }
    root.member("queries");
    findRules();
    if (const auto about = root.find("about")) about->text();
    if (const auto anchor = root.find("anchor")) readAnchor(*anchor);
    root.refuseOthers();
  }

  // Reads the elements of a list that have been held. They are all, but for queries: others may
  // have been taken before them.
  void readElements(const JsonReader& list, const Section& section) {
    const std::size_t taken = section.name == "queries" ? scenario_->queries.size() : 0;
    const std::size_t count = list.size();
    for (std::size_t i = 0; i < count && list.ok(); ++i) {
      (this->*section.read)(
          JsonReader(list.value()[i], error_, absl::StrCat(list.path(), "[", taken + i, "]")));
    }
  }

  void readAnchor(const JsonReader& anchor) {
    const std::string text = anchor.text();
    absl::StatusOr<ChunkPath> path = ChunkPath::parse(text);
    anchor.failIfError(path.status());
    if (!path.ok()) return;
    // ChunkPath::parse takes A to F too, the format does not.
    if (path->text() != text) {
      anchor.fail(absl::StrCat("the path ", quotedText(text), " has upper-case digits; write ",
                               quotedText(path->text())));
      return;
    }
    scenario_->anchor = *std::move(path);
  }

  // Counts one more of `what`, and fails for one too many.
  static void count(std::uint64_t& counted, std::string_view what, std::uint64_t limit,
                    const JsonReader& element) {
    if (++counted > limit) element.failIfError(limitError(what, what, limit));
  }

  // Adds the block types, unless they are there.
  void readBlockTypes(const JsonReader& root) {
    const auto types = root.find("block_types");
    if (std::exchange(has_types_, true)) return;
    scenario_->type_names.assign(scenario_->world.blockTypes().size(), "air");
    if (types.has_value()) {
      types_.add(*types, scenario_->world.blockTypes(), scenario_->type_names);
    }
  }

  void readResponses(const JsonReader& responses) {
    responses.forEachMember([&](const std::string& name, const JsonReader& response) {
      const std::optional<BlockTypeId> type = types_.find(name);
      if (!type.has_value()) return response.fail("no such block type in block_types");
      const HitResponse returned = readHitResponse(response);
      if (returned == HitResponse::kStop) scenario_->stopping_types.push_back(*type);
      if (returned == HitResponse::kAgain) scenario_->again_types.push_back(*type);
    });
  }

  void findRules() {
    rules_.resolve(error_, [&](std::size_t query, std::shared_ptr<const NamedRules> rules,
                               const std::optional<Budgets>& budgets) {
      auto& shot = std::get<ShotQuery>(scenario_->queries[query].ask);
      shot.rules = std::move(rules);
      shot.budgets = budgets;
    });
  }

  void readChunk(const JsonReader& chunk) {
    const LoadQuery read = readLoadQuery(chunk, 0, scenario_->world.frame().levels() - 1);
    if (!chunk.ok()) return;
    const JsonReader position = chunk.member("at");
    if (!chunks_.emplace(read.level, read.at).second) {
      return position.fail("this chunk of this level is there twice");
    }
    World& world = scenario_->world;
    position.failIfError(read.state == ChunkState::kProto
                             ? world.placeProtoChunk(read.level, read.at)
                             : world.loadChunk(read.level, read.at, read.content));
  }

  // Reads a chunk of a level from `first` to `last`, without content if it is invalid.
  LoadQuery readLoadQuery(const JsonReader& chunk, int first, int last) {
    count(chunk_count_, "chunks", limits_.chunks, chunk);
    static constexpr Words<ChunkState, 2> kStates = {
        {{"loaded", ChunkState::kLoaded}, {"proto", ChunkState::kProto}}};
    LoadQuery read;
    read.level = static_cast<int>(chunk.member("level").integer(first, last));
    read.at = chunk.member("at").integers<ChunkCoord>();
    if (const auto state = chunk.find("state")) read.state = state->choice(kStates);
    const std::vector<BlockTypeId> blocks = readBlocks(chunk, types_);
    chunk.refuseOthers();
    if (!chunk.ok() || read.state == ChunkState::kProto) return read;
    absl::StatusOr<Chunk> content =
        Chunk::copied(Chunk::Ids(blocks), scenario_->world.blockTypes());
    chunk.failIfError(content.status());
    if (content.ok()) read.content = *std::move(content);
    return read;
  }

  void readEntity(const JsonReader& entity) {
    const EntitySpec spec = readEntitySpec(entity, 0, scenario_->world.frame().levels() - 1);
    if (entity.ok()) entity.failIfError(scenario_->entities.add(spec).status());
  }

  // Reads an entity of a level from `first` to `last`.
  EntitySpec readEntitySpec(const JsonReader& entity, int first, int last) {
    count(entity_count_, "entities", limits_.entities, entity);
    EntitySpec spec;
    spec.id = entity.member("id").unsignedInteger();
    spec.level = static_cast<int>(entity.member("level").integer(first, last));
    spec.shape = readShape(entity);
    spec.position = entity.member("center").numbers<3>();
    if (const auto bits = entity.find("categories")) spec.categories = bits->unsignedInteger();
    const auto response = entity.find("response");
    if (response.has_value()) spec.entity_class = classOf(readHitResponse(*response));
    entity.refuseOthers();
    return spec;
  }

  static Shape readShape(const JsonReader& entity) {
    static constexpr Words<bool, 2> kShapes = {{{"sphere", true}, {"box", false}}};
    if (entity.member("shape").choice(kShapes)) return Sphere{entity.member("radius").number()};
    return Box{entity.member("half_extents").numbers<3>()};
  }

  // Returns the same text for ids that are the same: 1, 1.0 and 1e0 are one number.
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
    count(query_count_, "queries", limits_.queries, query);
    const JsonReader id = query.member("id");
    QueryId name = readQueryId(id);
    if (!id.ok()) return;
    if (!query_ids_.insert(idKey(id.value())).second) {
      return id.fail("another query has this id already");
    }
    ScenarioQuery& asked = scenario_->queries.emplace_back();
    asked.id = std::move(name);
    readAsk(query, asked);
    query.refuseOthers();
  }

  // The kinds of queries: their ops, and the functions that read their other members.
  using Ask = decltype(ScenarioQuery::ask);
  using ReadAsk = Ask (*)(ScenarioParser& parser, const JsonReader& query);
  static const Words<ReadAsk, 12> kOps;

  void readAsk(const JsonReader& query, ScenarioQuery& asked) {
    asked.ask = query.member("op").choice(kOps)(*this, query);
  }

  static Ask readShoot(ScenarioParser& parser, const JsonReader& query) {
    parser.rules_.note(query, parser.scenario_->queries.size() - 1);
    static const ShotQuery kUsual;
    return readShotQuery(query, kUsual);
  }
  static Ask readWalk(ScenarioParser& /*parser*/, const JsonReader& query) {
    return readWalkQuery(query);
  }
  template <ViewQuery::Kind kKind>
  static Ask readView(ScenarioParser& /*parser*/, const JsonReader& query) {
    return readViewQuery(query, kKind);
  }
  static Ask readBlastCase(ScenarioParser& parser, const JsonReader& query) {
    return readBlast(query, [&](const JsonReader& named, std::string_view name) {
      const std::optional<BlockTypeId> type = parser.types_.find(name);
      if (!type.has_value()) named.fail("no such block type in block_types");
      return type.value_or(kAir);
    });
  }
  static Ask readEntityChunks(ScenarioParser& /*parser*/, const JsonReader& query) {
    return EntityChunksQuery{query.member("entity").unsignedInteger()};
  }
  static Ask readDescend(ScenarioParser& /*parser*/, const JsonReader& query) {
    return MoveQuery{MoveQuery::Kind::kDescend, readIndex(query)};
  }
  static Ask readClimb(ScenarioParser& /*parser*/, const JsonReader& /*query*/) {
    return MoveQuery{MoveQuery::Kind::kClimb};
  }
  static Ask readRecenter(ScenarioParser& /*parser*/, const JsonReader& query) {
    return MoveQuery{MoveQuery::Kind::kRecenter, readIndex(query)};
  }
  static Ask readLoad(ScenarioParser& parser, const JsonReader& query) {
    return parser.readLoadQuery(query.member("chunk"), kFirstLevel, kLastLevel);
  }
  static Ask readAdd(ScenarioParser& parser, const JsonReader& query) {
    return AddQuery{parser.readEntitySpec(query.member("entity"), kFirstLevel, kLastLevel)};
  }
  static Ask readPath(ScenarioParser& /*parser*/, const JsonReader& query) {
    return PathQuery{static_cast<int>(query.member("level").integer(kFirstLevel, kLastLevel)),
                     readIndex(query)};
  }

  // The levels that a query may name: an inactive one is an error of that query alone.
  static constexpr int kFirstLevel = std::numeric_limits<int>::min();
  static constexpr int kLastLevel = std::numeric_limits<int>::max();

  static ChunkCoord readIndex(const JsonReader& query) {
    return query.member("chunk").integers<ChunkCoord>();
  }

  std::string_view name_;
  const InputLimits& limits_;
  absl::Status error_;
  std::optional<Scenario> scenario_;
  bool has_types_ = false;
  bool holds_queries_ = false;  // the next ones are read at the end
  std::uint64_t chunk_count_ = 0;
  std::uint64_t entity_count_ = 0;
  std::uint64_t query_count_ = 0;
  ScenarioTypes types_;
  std::unordered_set<std::pair<int, ChunkCoord>, absl::Hash<std::pair<int, ChunkCoord>>> chunks_;
  std::unordered_set<std::string> query_ids_;
  ScenarioRules rules_;
};

constexpr std::array<ScenarioParser::Section, 3> ScenarioParser::kSections = {
    {{"chunks", true, &ScenarioParser::readChunk},
     {"entities", false, &ScenarioParser::readEntity},
     {"queries", false, &ScenarioParser::readQuery}}};

constexpr Words<ScenarioParser::ReadAsk, 12> ScenarioParser::kOps = {
    {{"shoot", &ScenarioParser::readShoot},
     {"walk", &ScenarioParser::readWalk},
     {"entity_chunks", &ScenarioParser::readEntityChunks},
     {"descend", &ScenarioParser::readDescend},
     {"climb", &ScenarioParser::readClimb},
     {"recenter", &ScenarioParser::readRecenter},
     {"load", &ScenarioParser::readLoad},
     {"add", &ScenarioParser::readAdd},
     {"path", &ScenarioParser::readPath},
     {"visible", &ScenarioParser::readView<ViewQuery::Kind::kVisible>},
     {"exposure", &ScenarioParser::readView<ViewQuery::Kind::kExposure>},
     {"blast", &ScenarioParser::readBlastCase}}};

}  // namespace

absl::StatusOr<Scenario> parseScenario(std::string_view text, std::string_view name,
                                       const InputLimits& limits) {
  return internal::catchBadAlloc(name, [&]() -> absl::StatusOr<Scenario> {
    ScenarioParser parser(name, limits);
    const auto take = [&](const Json& document, const std::string& member, std::size_t index,
                          const Json& element) {
      return parser.take(document, member, index, element);
    };
    const absl::StatusOr<JsonDocument> rest = parseJson(text, name, limits, take);
    if (!rest.ok()) return rest.status();
    return parser.finish(rest->root());
  });
}

absl::StatusOr<Scenario> readScenario(const std::string& path, const InputLimits& limits) {
  const absl::StatusOr<std::string> text = readFile(path, limits);
  if (!text.ok()) return text.status();
  return parseScenario(*text, path, limits);
}

}  // namespace fractalray
