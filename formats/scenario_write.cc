// SPDX-License-Identifier: Apache-2.0
#include "scenario_write.h"

#include <map>
#include <set>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "internal/block_boxes.h"
#include "internal/json_fields.h"

namespace fractalray {
namespace {

template <class Values>
std::string listOf(const Values& values) {
  std::string out;
  for (const auto& value : values) {
    out += out.empty() ? "[" : ", ";
    if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>) {
      absl::StrAppend(&out, value);
    } else {
      appendJsonNumber(out, value);
    }
  }
  return (out.empty() ? "[" : out) + "]";
}

class Writer {
 public:
  explicit Writer(const ScenarioPart& part) : part_(part), types_(part.world.blockTypes()) {}

  std::string write() {
    // The chunks come first, since they determine which types occur.
    std::vector<std::string> chunks;
    for (const ChunkOfLevel& chunk_at : part_.chunks) {
      std::string chunk = chunkText(chunk_at);
      if (!chunk.empty()) chunks.push_back(std::move(chunk));
    }
    std::vector<std::string> entities;
    for (const EntityHandle entity : part_.entities_kept)
      entities.push_back(entityText(*part_.entities.find(entity)));
    const std::string rules = rulesText();
    std::vector<std::string> queries;
    for (const ScenarioQuery& query : part_.queries)
      queries.push_back(queryText(query));

    std::string out = "{\n  \"format\": \"fractalray-scenario/1\",\n";
    if (!part_.about.empty()) {
      out += "  \"about\": ";
      appendJsonString(out, part_.about);
      out += ",\n";
    }
    absl::StrAppend(&out, "  \"levels\": ", part_.world.frame().levels(), ",\n");
    if (!part_.anchor.steps().empty()) {
      absl::StrAppend(&out, R"(  "anchor": ")", part_.anchor.text(), "\",\n");
    }
    appendTypes(out);
    if (!rules.empty()) absl::StrAppend(&out, "  \"rules\": {\n    ", rules, "\n  },\n");
    appendList(out, "chunks", chunks);
    appendList(out, "entities", entities);
    appendList(out, "queries", queries);
    out.erase(out.size() - 2);  // the last comma
    return out + "\n}\n";
  }

 private:
  static void appendList(std::string& out, const char* name, const std::vector<std::string>& list) {
    absl::StrAppend(&out, "  \"", name, "\": [");
    const char* separator = "\n    ";
    for (const std::string& entry : list) {
      absl::StrAppend(&out, separator, entry);
      separator = ",\n    ";
    }
    out += list.empty() ? "],\n" : "\n  ],\n";
  }

  // Returns the name of a type in the file, in quotes. Notes that the type occurs.
  std::string typeText(BlockTypeId type) {
    const auto known = names_.find(type);
    if (known != names_.end()) return known->second;
    std::string name(part_.name(type));
    std::string text;
    do {
      text.clear();
      appendJsonString(text, name);
      name += '\'';
    } while (!taken_.insert(text).second);
    return names_.emplace(type, text).first->second;
  }

  static void appendBoxes(std::string& out, std::span<const ShapeBox> boxes) {
    const auto append_corner = [&](const std::array<std::uint32_t, 3>& corner) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        out += axis == 0 ? "[" : ", ";
        appendJsonNumber(out, static_cast<double>(corner[axis]) / kShapeUnits);
      }
      out += "]";
    };
    const char* separator = "[";
    for (const ShapeBox& box : boxes) {
      absl::StrAppend(&out, separator, "[");
      append_corner(box.min);
      out += ", ";
      append_corner(box.max);
      out += "]";
      separator = ", ";
    }
    out += "]";
  }
  // Returns what a type is in a channel, given the shape that it has if it names none.
  std::string lookText(BlockTypeId type, ChannelId channel, ShapeId usual) const {
    const BlockKind kind = types_.kind(type, channel);
    std::string word = absl::StrCat("\"", std::string(blockKindName(kind)), "\"");
    const ShapeId shape = types_.shape(type, channel);
    if (shape == usual || kind == BlockKind::kEmpty) return word;
    std::string out = absl::StrCat("{\"kind\": ", word);
    if (shape != kWholeCube) {
      out += ", \"boxes\": ";
      appendBoxes(out, types_.boxes(shape));
    }
    return out + "}";
  }

  std::string kindsText(BlockTypeId type) const {
    const std::string out = lookText(type, kDefaultChannel, kWholeCube);
    const ShapeId usual = types_.shape(type, kDefaultChannel);
    std::string others;
    for (std::size_t i = 1; i < types_.channels(); ++i) {
      const auto channel = static_cast<ChannelId>(i);
      if (types_.kind(type, channel) == types_.kind(type, kDefaultChannel) &&
          types_.shape(type, channel) == usual) {
        continue;
      }
      others += ", ";
      appendJsonString(others, types_.channelName(channel));
      absl::StrAppend(&others, ": ", lookText(type, channel, usual));
    }
    return others.empty() ? out : absl::StrCat("{\"default\": ", out, others, "}");
  }

  void appendTypes(std::string& out) {
    out += "  \"block_types\": {";
    const char* separator = "";
    for (const auto& [type, name] : names_) {
      absl::StrAppend(&out, separator, name, ": ", kindsText(type));
      separator = ", ";
    }
    out += "},\n";
    std::string responses;
    for (const BlockTypeId type : part_.stopping_types) {
      if (!names_.contains(type)) continue;
      absl::StrAppend(&responses, responses.empty() ? "" : ", ", names_[type], ": \"stop\"");
    }
    if (!responses.empty()) absl::StrAppend(&out, "  \"responses\": {", responses, "},\n");
  }

  std::string chunkText(const ChunkOfLevel& chunk_at) {
    const Chunk* const chunk = part_.world.chunk(chunk_at.level, chunk_at.chunk);
    if (chunk != nullptr) return chunkText(chunk_at, *chunk);
    const bool is_proto =
        part_.world.chunkState(chunk_at.level, chunk_at.chunk) == ChunkState::kProto;
    return is_proto ? protoText(chunk_at) : "";
  }

  static std::string positionText(const ChunkOfLevel& chunk_at) {
    return absl::StrCat("{\"level\": ", chunk_at.level,
                        ", \"at\": ", listOf(chunk_at.chunk.values));
  }
  static std::string protoText(const ChunkOfLevel& chunk_at) {
    return positionText(chunk_at) + R"(, "state": "proto"})";
  }

  std::string chunkText(const ChunkOfLevel& chunk_at, const Chunk& chunk) {
    std::string out = positionText(chunk_at);
    ChunkBlocks blocks{};
    for (int index = 0; index < kBlocksPerChunk; ++index)
      blocks[static_cast<std::size_t>(index)] = types_.orAir(chunk.block(index));
    const BlockTypeId fill = mostFrequent(blocks);
    absl::StrAppend(&out, ", \"fill\": ", typeText(fill));
    std::vector<std::string> boxes;
    std::vector<std::string> singles;
    for (const BlockBox& box : coverWithBoxes(blocks, fill)) {
      const std::string min = listOf(box.min.values);
      if (box.min == box.max) {
        singles.push_back(absl::StrCat("[", min, ", ", typeText(box.type), "]"));
      } else {
        boxes.push_back(
            absl::StrCat("[", min, ", ", listOf(box.max.values), ", ", typeText(box.type), "]"));
      }
    }
    appendParts(out, "boxes", boxes);
    appendParts(out, "blocks", singles);
    return out + "}";
  }

  // Appends a list within a chunk, a few elements to a line.
  static void appendParts(std::string& out, const char* name,
                          const std::vector<std::string>& parts) {
    constexpr std::size_t kPartsPerLine = 4;
    if (parts.empty()) return;
    absl::StrAppend(&out, ",\n     \"", name, "\": [");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      out += i == 0 ? "" : i % kPartsPerLine == 0 ? ",\n       " : ", ";
      out += parts[i];
    }
    out += ']';
  }

  std::string entityText(const Entity& entity) const {
    return entityText({.id = entity.id,
                       .level = entity.level,
                       .entity_class = entity.entity_class,
                       .shape = toBlocks(entity.shape),
                       .position = toBlocks(entity.position),
                       .categories = entity.categories});
  }

  std::string entityText(const EntitySpec& entity) const {
    std::string out = absl::StrCat("{\"id\": ", entity.id, ", \"level\": ", entity.level);
    if (const auto* sphere = std::get_if<Sphere>(&entity.shape)) {
      out += R"(, "shape": "sphere", "radius": )";
      appendJsonNumber(out, sphere->radius);
    } else {
      absl::StrAppend(&out, R"(, "shape": "box", "half_extents": )",
                      listOf(std::get<Box>(entity.shape).half_extents.values));
    }
    absl::StrAppend(&out, ", \"center\": ", listOf(entity.position.values));
    if (entity.categories != 1) absl::StrAppend(&out, ", \"categories\": ", entity.categories);
    const auto& stopping = part_.stopping_classes;
    if (std::find(stopping.begin(), stopping.end(), entity.entity_class) != stopping.end()) {
      out += R"(, "response": "stop")";
    }
    return out + "}";
  }

  // Appends the rules of all shots, each once. Notes the types that they name.
  std::string rulesText() {
    std::string out;
    for (const ScenarioQuery& query : part_.queries) {
      const auto* const shot = std::get_if<ShotQuery>(&query.ask);
      if (shot == nullptr || shot->rules == nullptr) continue;
      if (rule_names_.contains(shot->rules.get())) continue;
      std::string name = shot->rules->name.empty() ? "rules" : shot->rules->name;
      while (!rule_names_taken_.insert(name).second)
        name += '\'';
      rule_names_.emplace(shot->rules.get(), name);
      absl::StrAppend(&out, out.empty() ? "" : ",\n    ", stringText(name), ": ",
                      rulesText(*shot->rules));
    }
    return out;
  }

  std::string rulesText(const NamedRules& rules) {
    std::vector<std::string> blocks;
    rules.rules.forEachBlock([&](BlockTypeId type, LevelMask levels, const TerminalRule& rule) {
      blocks.push_back(
          absl::StrCat("{\"type\": ", typeText(type), effectText(rules, levels, rule)));
    });
    std::vector<std::string> entities;
    for (const TerminalRules::EntityRule& each : rules.rules.entityRules()) {
      entities.push_back(absl::StrCat("{\"categories\": ", each.categories,
                                      effectText(rules, each.levels, each.rule)));
    }
    const auto listed = [](const std::vector<std::string>& list) {
      return list.empty() ? "[]" : absl::StrCat("[\n      ", absl::StrJoin(list, ",\n      "), "]");
    };
    return absl::StrCat("{\"budgets\": ", budgetsJson(rules, rules.rules.amounts()),
                        ",\n     \"blocks\": ", listed(blocks),
                        ",\n     \"entities\": ", listed(entities), "}");
  }

  // Appends the members of a rule after its subject, and the closing brace.
  static std::string effectText(const NamedRules& rules, LevelMask levels,
                                const TerminalRule& rule) {
    std::string out;
    if (levels != LevelMask::all()) absl::StrAppend(&out, ", \"levels\": ", levelsJson(levels));
    appendRule(out, rule, rules);
    return out + "}";
  }

  static std::string stringText(std::string_view text) {
    std::string out;
    appendJsonString(out, text);
    return out;
  }

  std::string queryText(const ScenarioQuery& query) {
    const std::string members =
        std::visit([&](const auto& ask) { return this->membersOf(ask); }, query.ask);
    return absl::StrCat("{\"id\": ", query.id.json(), ", ", members, "}");
  }

  // Appends the options of shots that are not the usual ones.
  struct OptionWriter {
    const Writer& writer;
    const ShotQuery& query;
    std::string& out;

    void operator()(std::string_view name, ChannelId /*channel*/, ChannelId /*usual*/) const {
      internal::appendMember(out, name, query.channel, ShotQuery().channel);
    }
    void operator()(std::string_view name, const IgnoreList& /*ignore*/,
                    const IgnoreList& /*usual*/) const {
      internal::appendMember(out, name, query.ignore, {});
    }
    void operator()(std::string_view name, const TerminalRules* /*rules*/,
                    const TerminalRules* /*usual*/) const {
      if (query.rules == nullptr) return;
      absl::StrAppend(&out, ", \"", std::string(name),
                      "\": ", stringText(writer.rule_names_.at(query.rules.get())));
    }
    void operator()(std::string_view name, const Budgets* /*budgets*/,
                    const Budgets* /*usual*/) const {
      if (query.rules == nullptr || !query.budgets.has_value()) return;
      absl::StrAppend(&out, ", \"", std::string(name),
                      "\": ", budgetsJson(*query.rules, *query.budgets));
    }
    template <class Member>
    void operator()(std::string_view name, const Member& member, const Member& usual) const {
      if constexpr (isPlain<Member>()) internal::appendMember(out, name, member, usual);
    }
  };

  std::string membersOf(const ShotQuery& query) const {
    static const QueryOptions kUsual;
    std::string out = R"("op": "shoot", )";
    out += std::visit([](const auto& of) { return Writer::membersOf(of); }, query.line);
    absl::StrAppend(&out, ", \"levels\": ", levelsJson(query.levels));
    forEachShotOption(OptionWriter{*this, query, out}, query.options, kUsual);
    internal::appendMember(out, "spans", query.spans, false);
    return out;
  }

  static std::string membersOf(const Segment& segment) {
    return absl::StrCat("\"from\": ", listOf(segment.from.values),
                        ", \"to\": ", listOf(segment.to.values));
  }

  static std::string membersOf(const Ray& ray) {
    std::string out =
        absl::StrCat("\"origin\": ", listOf(ray.origin.values),
                     ", \"direction\": ", listOf(ray.direction.values), ", \"max_distance\": ");
    appendJsonNumber(out, ray.max_distance);  // null for infinite
    if (ray.bounds.has_value()) {
      absl::StrAppend(&out, ", \"bounds\": [", listOf(ray.bounds->min.values), ", ",
                      listOf(ray.bounds->max.values), "]");
    }
    return out;
  }

  static std::string membersOf(const WalkQuery& query) {
    const auto first = [&](const auto& values) {
      using Value = std::decay_t<decltype(values[0])>;
      std::vector<Value> some;
      some.reserve(static_cast<std::size_t>(query.dimensions));
      for (int axis = 0; axis < query.dimensions; ++axis)
        some.push_back(values[axis]);
      return listOf(some);
    };
    std::string out = absl::StrCat(R"("op": "walk", "dimensions": )", query.dimensions,
                                   ", \"from\": ", first(query.from), ", \"to\": ", first(query.to),
                                   ", \"cell\": ", first(toBlocks(query.cell)));
    internal::appendMember(out, "corner", query.corner, CornerPolicy::kBoth);
    return out;
  }

  static std::string membersOf(const ViewQuery& query) { return viewJson(query); }

  std::string membersOf(const BlastCase& query) {
    return blastJson(query, [&](BlockTypeId type) { return typeText(type); });
  }

  static std::string membersOf(const EntityChunksQuery& query) {
    return absl::StrCat(R"("op": "entity_chunks", "entity": )", query.entity);
  }

  static std::string membersOf(const MoveQuery& query) {
    if (query.kind == MoveQuery::Kind::kClimb) return R"("op": "climb")";
    const bool descends = query.kind == MoveQuery::Kind::kDescend;
    return absl::StrCat(R"("op": ")", descends ? "descend" : "recenter", R"(", "chunk": )",
                        listOf(query.chunk.values));
  }

  std::string membersOf(const LoadQuery& query) {
    const ChunkOfLevel chunk_at{query.level, query.at};
    return absl::StrCat(R"("op": "load", "chunk": )", query.state == ChunkState::kProto
                                                          ? protoText(chunk_at)
                                                          : chunkText(chunk_at, query.content));
  }

  std::string membersOf(const AddQuery& query) const {
    return absl::StrCat(R"("op": "add", "entity": )", entityText(query.entity));
  }

  static std::string membersOf(const PathQuery& query) {
    return absl::StrCat(R"("op": "path", "level": )", query.level, R"(, "chunk": )",
                        listOf(query.chunk.values));
  }

  const ScenarioPart& part_;
  const BlockTypeTable& types_;
  std::map<BlockTypeId, std::string> names_;  // in quotes, of those that occur
  std::set<std::string> taken_;
  std::map<const NamedRules*, std::string> rule_names_;
  std::set<std::string> rule_names_taken_;
};

}  // namespace

std::string formatScenario(const ScenarioPart& part) {
  return Writer(part).write();
}

}  // namespace fractalray
