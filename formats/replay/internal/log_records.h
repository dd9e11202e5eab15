// SPDX-License-Identifier: Apache-2.0
// The records of a query log, each described once, for a LogWriter and for a LogReader.
// docs/query-log.md has the bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

#include "../../../query/hit.h"
#include "../../../query/internal/verb.h"
#include "../logged_answer.h"
#include "../logged_rules.h"
#include "../query_log.h"
#include "log_archive.h"
#include "sight_records.h"

namespace fractalray::internal {

inline constexpr std::string_view kQueryLogMagic(
    "\x89"
    "FRQLOG\n",
    8);
inline constexpr std::size_t kRecordHeadBytes = 8;  // length and checksum
enum class RecordKind : std::uint8_t {
  kWorld = 0,
  kQuery = 1,
  kEnd = 2,
  kRules = 3,
  kMove = 4,
  kSight = 5
};

// Returns the checksum of a record: the CRC-32 of its length, as the four bytes that it is in the
// log, and of the bytes after the checksum.
std::uint32_t recordChecksum(std::string_view body);

// Appends the rules' bytes; leaves out rules of types that are not in the table.
void appendRules(std::string& bytes, const TerminalRules& rules, const BlockTypeTable& types);
// Reads the rules that appendRules wrote. DATA_LOSS, with the reason, for other bytes.
absl::StatusOr<LoggedRules> parseRules(std::string_view bytes);

// The values that a byte numbers.
inline constexpr std::array kFaces = {Face::none(), Face{0, -1}, Face{0, 1}, Face{1, -1},
                                      Face{1, 1},   Face{2, -1}, Face{2, 1}};
inline constexpr std::array kHitKinds = {Hit::Kind::kBlock, Hit::Kind::kEntity};
inline constexpr std::array kMoves = {-1, 0, 1};  // FrameMove::levels()

template <class Archive, class Versions>
void describeVersions(Archive& archive, Versions& versions) {
  archive.value(versions.world);
  archive.value(versions.entities);
}

template <class Archive, class Header>
void describeWorld(Archive& archive, Header& header) {
  upTo(archive, "a number of levels of ", header.levels, kMaxLevels);
  archive.require(header.levels > 0, "no level");
  bool has_fingerprints = header.fingerprints.has_value();
  flags(archive, has_fingerprints);
  if (has_fingerprints) {
    auto& fingerprints = archive.present(header.fingerprints);
    archive.value(fingerprints.world);
    archive.value(fingerprints.entities);
  }
  describeVersions(archive, header.versions);
}

template <class Archive, class Move>
void describeMove(Archive& archive, Move& move) {
  oneOf(archive, "a move of kind ", move.levels, kMoves);
  archive.value(move.chunk);
  for (const std::int64_t step : move.chunk.values) {
    archive.require(move.levels <= 0 || (step >= 0 && step < kChunkSize), "a climb out of block ",
                    step, ", which no chunk has");
  }
  describeVersions(archive, move.after);
}

template <class Archive, class Mask>
void describeLevels(Archive& archive, Mask& levels) {
  std::uint32_t bits = levels.bits();
  archive.value(bits);
  archive.require(bits <= LevelMask::all().bits(), "levels that there are not");
  LevelMask mask;
  for (int level = 0; level < kMaxLevels; ++level) {
    if ((bits >> level & 1) != 0) mask.add(level);
  }
  archive.set(levels, mask);
}

// `type` is the block type or its name; `by_callback` is true if a callback, a predicate or a rule
// ended the shot there.
template <class Archive, class AnyHit, class Type, class Flag>
void describeHit(Archive& archive, AnyHit& hit, Type& type, Flag& by_callback) {
  oneOf(archive, "a hit's kind of ", hit.kind, kHitKinds);
  upTo(archive, "a hit's level of ", hit.level, 255);  // hits to resume after may have any
  flags(archive, hit.terminal, hit.start_inside, by_callback);
  oneOf(archive, "a hit's face of ", hit.face, kFaces);
  archive.value(hit.t);
  archive.value(hit.t_exit);
  if (hit.isEntity()) {
    archive.value(hit.id);
    archive.value(hit.entity_class);
    upTo(archive, "a hit's shape of ", hit.shape.kind, kShapeInfos.size() - 1);
    archive.value(hit.shape.half_extents);
    archive.value(hit.position);
  } else {
    archive.value(hit.block);
    archive.value(hit.step);
    archive.value(hit.plane);
    archive.name("block type", type);
  }
}
inline void describe(LogWriter& writer, const Hit& hit) {
  const bool by_callback = hit.terminal && (hit.isEntity() || !writer.isSolid(hit.type));
  describeHit(writer, hit, hit.type, by_callback);
}
inline void describe(LogReader& reader, LoggedHit& hit) {
  describeHit(reader, hit, hit.type_name, hit.ended_by_callback);
}
template <class Archive, class Hits>
void describeHits(Archive& archive, Hits& hits) {
  list(archive, hits, [&](auto& hit) { describe(archive, hit); });
}

// The amounts up to the last that is not 0.
template <class Archive, class Amounts>
void describeBudgets(Archive& archive, Amounts& budgets) {
  std::size_t count = budgets.size();
  while (count > 0 && budgets[count - 1] == 0)
    --count;
  upTo(archive, "a number of budgets of ", count, kMaxBudgets);
  for (std::size_t i = 0; i < std::min(count, kMaxBudgets); ++i)
    archive.value(budgets[i]);
}

// `end` is the part of the answer that is the same for all hits.
template <class Archive, class AnyAnswer, class End>
void describeAnswer(Archive& archive, AnyAnswer& answer, End& end) {
  upTo(archive, "a status of ", answer.status, 16);
  if (answer.status != absl::StatusCode::kOk) return;
  if (describeForm(archive, answer)) return;
  bool has_unknown = end.unknown_from.has_value();
  bool has_budgets = end.budgets.has_value();
  bool has_stop = end.stopped_at.has_value();
  flags(archive, end.terminated, end.truncated, has_unknown, has_budgets, has_stop);
  if (has_unknown) archive.value(archive.present(end.unknown_from));
  shortList(archive, "a number of level spans of ", kMaxLevels, answer.level_spans,
            [&](auto& span) {
              upTo(archive, "a level of ", span.level, kMaxLevels - 1);
              archive.value(span.t0);
              archive.value(span.t1);
            });
  describeHits(archive, answer.hits);
  if (has_budgets) describeBudgets(archive, archive.present(end.budgets));
  if (has_stop) archive.value(archive.present(end.stopped_at));
}

// The versions, the channel and the ignored entities of a query of either kind.
template <class Archive, class AnyQuery>
void describeSurroundings(Archive& archive, AnyQuery& query) {
  describeVersions(archive, query.versions);
  archive.name("channel", query.channel);
  list(archive, query.ignore, [&](auto& id) { archive.value(id); });
}

// A reader's query begins with the rules of the last record of rules.
template <class Archive, class AnyQuery>
void describeQuery(Archive& archive, AnyQuery& query) {
  bool has_answer = query.answer.has_value();
  bool has_rules = query.rules != nullptr;
  bool has_carried = query.carried.has_value();
  bool has_end_time = query.segment.end_time != kWholeLine;
  bool has_begin = query.segment.begin.axes != 0;
  archive.value(query.verb);
  const bool is_verb = withVerb(query.verb, [](auto /*verb*/) { return true; });
  archive.require(is_verb, "a verb of ", static_cast<int>(query.verb));
  flags(archive, query.has_filter, query.world_changed_meanwhile, has_answer, has_rules,
        has_carried, has_end_time, has_begin);
  describeLevels(archive, query.levels);
  archive.value(query.segment.from);
  archive.value(query.segment.to);
  if (has_end_time) archive.value(query.segment.end_time);
  if (has_begin) {
    archive.value(query.segment.begin.axes);
    archive.value(query.segment.begin.plane);
  }
  archive.fields("option", query.options);
  describeSurroundings(archive, query);
  describeHits(archive, query.after);
  archive.require(!has_rules || query.rules != nullptr, "rules, and no rules are before it");
  if (!has_rules) query.rules = nullptr;
  if (has_rules) describeBudgets(archive, query.budgets);
  if (has_carried) {
    auto& carried = archive.present(query.carried);
    for (auto* const amounts : {&carried.at_start, &carried.left, &carried.overdrawn})
      describeBudgets(archive, *amounts);
  }
  archive.value(query.answer_hash);
  if (has_answer) archive.rest(archive.present(query.answer));
}

// `sight` has what is the query's own, in the members of LoggedSight.
template <class Archive, class AnyQuery, class AnySight>
void describeSight(Archive& archive, AnyQuery& query, AnySight& sight) {
  bool has_answer = query.answer.has_value();
  std::size_t verb = sight.question.index();
  upTo(archive, "a verb of sight of ", verb, kSightVerbs - 1);
  beginQuestion(sight.question, verb);
  flags(archive, query.has_filter, has_answer);
  describeLevels(archive, query.levels);
  archive.fields("option of sight", sight.options);
  describeSurroundings(archive, query);
  list(archive, sight.occluders, [&](auto& box) { describeBox(archive, box); });
  describeQuestion(archive, sight.question);
  archive.value(query.answer_hash);
  if (has_answer) archive.rest(archive.present(query.answer));
}

// Rules that addBudget(), setBlock() and setEntities() accept.
template <class Archive, class Rules>
void describeRules(Archive& archive, Rules& rules) {
  const auto is_amount = [](double amount) { return std::isfinite(amount) && amount >= 0; };
  const auto describe_rule = [&](auto& levels, auto& rule) {
    describeLevels(archive, levels);
    archive.require(!levels.empty(), "a rule for no level");
    archive.fields("member of a rule", rule);
    for (const double cost : {rule.per_hit, rule.per_block})
      archive.require(is_amount(cost), "a rule with a cost of ", cost);
    if (rule.kind != TerminalRule::Kind::kCost) return;
    const std::size_t budget{static_cast<std::uint8_t>(rule.budget)};
    const std::size_t budgets = rules.amounts.size();
    archive.require(budget < budgets, "a rule with budget ", budget, " of ", budgets);
  };
  shortList(archive, "a number of budgets of ", kMaxBudgets, rules.amounts, [&](auto& amount) {
    archive.value(amount);
    archive.require(is_amount(amount), "rules with an amount of ", amount);
  });
  list(archive, rules.blocks, [&](auto& block) {
    archive.name("block type", block.type);
    describe_rule(block.levels, block.rule);
  });
  list(archive, rules.entities, [&](auto& entity) {
    archive.value(entity.categories);
    archive.require(entity.categories != 0, "a rule for entities of no category");
    describe_rule(entity.levels, entity.rule);
  });
}

}  // namespace fractalray::internal
