// SPDX-License-Identifier: Apache-2.0
// Describes each verb's own part of the records of queries of sight, and the answers without hits.
// log_records.h has the parts that all verbs share.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "../../../core/frame.h"
#include "../../../query/observed_sight.h"
#include "../logged_sight.h"
#include "log_archive.h"

namespace fractalray::internal {

template <class Archive, class Box>
void describeBox(Archive& archive, Box& box) {
  archive.value(box.min);
  archive.value(box.max);
}

// Return the type of a block, for Archive::name().
template <class Block>
BlockTypeId typeIn(const LogWriter& /*writer*/, const Block& block) {
  return block.type;
}
template <class Block>
std::string& typeIn(const LogReader& /*reader*/, Block& block) {
  return block.type_name;
}

// The members of LoggedFilter, by reference.
struct FilterView {
  const QueryFilter& plain;
  ChannelId channel;
  IgnoreList ignore;
};
inline FilterView viewOf(const QueryFilter& filter) {
  return {filter, filter.channel, filter.ignore};
}
inline bool hasFunction(const QueryFilter& filter) {
  return filter.block_filter || filter.entity_filter;
}

template <class Archive, class Filter>
void describeFilter(Archive& archive, Filter& filter) {
  archive.fields("member of a filter", filter.plain);
  archive.name("channel", filter.channel);
  list(archive, filter.ignore, [&](auto& id) { archive.value(id); });
}

// All that logs know of a verb of sight, given the type of its call:
//   Question           as a log has it; its Call is the verb's
//   viewOf()           returns the members of a Question, by reference, of a call
//   describe()         describes a question, of either form
//   secondFilter()     returns the filter besides that of the occluders; null if there is none
template <class Call>
struct SightRecord;

template <class OfBox>
struct BoxRecord {
  using Question = OfBox;

  template <class Call>
  static Question viewOf(const Call& call) {
    return {call.query};
  }
  template <class Archive, class AnyQuestion>
  static void describe(Archive& archive, AnyQuestion& question) {
    archive.value(question.query.eye);
    describeBox(archive, question.query.box);
  }
  template <class Call>
  static const QueryFilter* secondFilter(const Call& /*call*/) {
    return nullptr;
  }
};
template <>
struct SightRecord<VisibleCall> : BoxRecord<LoggedVisible> {};
template <>
struct SightRecord<ExposureCall> : BoxRecord<LoggedExposure> {};

template <>
struct SightRecord<VisibleBoxesCall> {
  using Question = LoggedVisibleBoxes;
  struct View {
    std::span<const SightViewer> viewers;
    std::span<const FixedBox> boxes;
    std::int64_t max_distance;
    Sight if_undecided;
    bool leaves_out;
    bool has_history;
  };

  static View viewOf(const VisibleBoxesCall& call) {
    const SightTableOptions& options = call.options;
    return {call.viewers,
            call.boxes,
            options.max_distance,
            options.if_undecided,
            options.leaves_out != nullptr,
            options.history != nullptr};
  }
  template <class Archive, class AnyQuestion>
  static void describe(Archive& archive, AnyQuestion& question) {
    list(archive, question.viewers,
         [&](auto& viewer) { list(archive, viewer.eyes, [&](auto& eye) { archive.value(eye); }); });
    list(archive, question.boxes, [&](auto& box) { describeBox(archive, box); });
    archive.value(question.max_distance);
    archive.value(question.if_undecided);  // any number: others than three are an error to repeat
    flags(archive, question.leaves_out, question.has_history);
  }
  static const QueryFilter* secondFilter(const VisibleBoxesCall& /*call*/) { return nullptr; }
};

template <>
struct SightRecord<VisibleBlocksCall> {
  using Question = LoggedVisibleBlocks;
  struct View {
    const Vec3d& eye;
    double radius;
    std::span<const BlockTypeId> types;
    FilterView targets;
  };

  static View viewOf(const VisibleBlocksCall& call) {
    return {call.eye, call.radius, call.options.types, internal::viewOf(call.options.targets)};
  }
  template <class Archive, class AnyQuestion>
  static void describe(Archive& archive, AnyQuestion& question) {
    archive.value(question.eye);
    archive.value(question.radius);
    list(archive, question.types, [&](auto& type) { archive.name("block type", type); });
    describeFilter(archive, question.targets);
  }
  static const QueryFilter* secondFilter(const VisibleBlocksCall& call) {
    return &call.options.targets;
  }
};

template <>
struct SightRecord<BlastCall> {
  using Question = LoggedBlast;
  // Passes on the resistances of a blast that are not kUnbreakable, for a LogWriter.
  struct Resistances {
    struct Item {
      BlockTypeId type;
      std::int64_t resistance;
    };

    template <class Visit>
    void forEach(const Visit& visit) const {
      constexpr auto kNone = static_cast<std::size_t>(kNoBlockType);
      for (std::size_t i = 0; i < by_type.size(); ++i) {
        // Past the last number there are no types; a negative one there is still refused.
        if (i > kNone && by_type[i] >= 0) continue;
        const BlockTypeId type{static_cast<std::uint16_t>(std::min(i, kNone))};
        if (by_type[i] != kUnbreakable) visit(Item{type, by_type[i]});
      }
    }

    std::span<const std::int64_t> by_type;
  };
  struct View {
    const Vec3d& center;
    double radius;
    std::int64_t falloff;
    std::uint64_t max_samples;
    std::span<const BlastRay> rays;
    Resistances resistances;
    FilterView filter;
  };

  static View viewOf(const BlastCall& call) {
    const BlastQuery& query = call.query;
    return {query.center,
            query.radius,
            query.falloff,
            call.options.max_samples,
            query.rays,
            {query.resistances},
            internal::viewOf(call.options.filter)};
  }
  template <class Archive, class AnyQuestion>
  static void describe(Archive& archive, AnyQuestion& question) {
    archive.value(question.center);
    archive.value(question.radius);
    archive.value(question.falloff);
    archive.value(question.max_samples);
    list(archive, question.rays, [&](auto& ray) {
      archive.value(ray.step);
      archive.value(ray.power);
    });
    list(archive, question.resistances, [&](auto& each) {
      archive.name("block type", typeIn(archive, each));
      archive.value(each.resistance);
    });
    describeFilter(archive, question.filter);
  }
  static const QueryFilter* secondFilter(const BlastCall& call) { return &call.options.filter; }
};

inline constexpr std::size_t kSightVerbs = std::variant_size_v<SightCall>;
static_assert(kSightVerbs == std::variant_size_v<LoggedQuestion>);

// Returns true if a function of the engine takes part in the answer of a call.
inline bool hasFunction(const SightCall& call) {
  return std::visit(
      []<class Call>(const Call& each) {
        const QueryFilter* const second = SightRecord<Call>::secondFilter(each);
        return hasFunction(each.sight().filter) || (second != nullptr && hasFunction(*second));
      },
      call);
}
inline const SightOptions& sightOf(const SightCall& call) {
  return std::visit([](const auto& each) -> const SightOptions& { return each.sight(); }, call);
}

// Makes a question that is read one of a verb, by its number. A call that is written has its verb.
inline void beginQuestion(const SightCall& /*call*/, std::size_t /*verb*/) {}
template <std::size_t kVerb = 0>
void beginQuestion(LoggedQuestion& question, std::size_t verb) {
  if constexpr (kVerb < kSightVerbs) {
    using Call = std::variant_alternative_t<kVerb, SightCall>;
    static_assert(std::is_same_v<typename SightRecord<Call>::Question,
                                 std::variant_alternative_t<kVerb, LoggedQuestion>>);
    if (verb == kVerb) {
      question.emplace<kVerb>();
    } else {
      beginQuestion<kVerb + 1>(question, verb);
    }
  }
}

inline void describeQuestion(LogWriter& writer, const SightCall& call) {
  std::visit(
      [&]<class Call>(const Call& each) {
        const auto view = SightRecord<Call>::viewOf(each);
        SightRecord<Call>::describe(writer, view);
      },
      call);
}
inline void describeQuestion(LogReader& reader, LoggedQuestion& question) {
  std::visit([&]<class Question>(
                 Question& each) { SightRecord<typename Question::Call>::describe(reader, each); },
             question);
}

// Describe answers.
template <class Archive, class Share>
void describeShare(Archive& archive, Share& from, Share& to) {
  archive.value(from);
  archive.value(to);
  archive.require(from >= 0 && from <= to && to <= 1, "an exposure from ", from, " to ", to);
}

template <class Archive, class Blocks>
void describeFoundBlocks(Archive& archive, Blocks& blocks) {
  list(archive, blocks, [&](auto& block) {
    upTo(archive, "a block's level of ", block.level, kMaxLevels - 1);
    upTo(archive, "a block's kind of ", block.kind, 2);
    archive.value(block.block);
    archive.value(block.distance);
    archive.name("block type", typeIn(archive, block));
  });
}

template <class Archive, class AnyBlast>
void describeBlast(Archive& archive, AnyBlast& blast) {
  flags(archive, blast.reaches_unknown);
  list(archive, blast.blocks, [&](auto& block) {
    upTo(archive, "a block's level of ", block.level, kMaxLevels - 1);
    archive.value(block.block);
    archive.value(block.ray);
    archive.value(block.steps);
    archive.value(block.power);
    archive.name("block type", typeIn(archive, block));
  });
  list(archive, blast.entities, [&](auto& entity) {
    archive.value(entity.id);
    archive.value(entity.distance);
    describeShare(archive, entity.from, entity.to);
  });
}

// Calls visit(member, describe_member) for each of the members of an answer that stand for all of
// it, in the order of their numbers, from 1 on: that of a line of sight, then those of the verbs of
// sight in their order.
template <class AnyAnswer, class Visit>
void forEachForm(AnyAnswer& answer, const Visit& visit) {
  visit(answer.occlusion,
        [](auto& archive, auto& occlusion) { upTo(archive, "an occlusion of ", occlusion, 2); });
  visit(answer.sight, [](auto& archive, auto& sight) { upTo(archive, "a sight of ", sight, 2); });
  visit(answer.exposure,
        [](auto& archive, auto& share) { describeShare(archive, share[0], share[1]); });
  visit(answer.sights, [](auto& archive, auto& sights) {
    list(archive, sights, [&](auto& sight) { upTo(archive, "a sight of ", sight, 4); });
  });
  visit(answer.seen_blocks, [](auto& archive, auto& found) {
    for (auto* const blocks : {&found.visible, &found.unknown, &found.undecided})
      describeFoundBlocks(archive, *blocks);
  });
  visit(answer.blast, [](auto& archive, auto& blast) { describeBlast(archive, blast); });
}

// Returns the number of the member that stands for an answer; 0 if it has hits instead.
template <class AnyAnswer>
std::size_t formOf(const AnyAnswer& answer) {
  std::size_t number = 0;
  std::size_t form = 0;
  forEachForm(answer, [&](const auto& member, const auto& /*describe*/) {
    ++number;
    if (member.has_value()) form = number;
  });
  return form;
}
// The number of the last one.
inline constexpr std::size_t kForms = kSightVerbs + 1;

// Describes an answer that one member stands for; returns false if it has hits instead, which
// follow.
template <class Archive, class AnyAnswer>
bool describeForm(Archive& archive, AnyAnswer& answer) {
  std::size_t form = formOf(answer);
  upTo(archive, "a form of ", form, kForms);
  if (form == 0) return false;
  std::size_t number = 0;
  forEachForm(answer, [&](auto& member, const auto& describe_member) {
    if (++number == form) describe_member(archive, archive.present(member));
  });
  return true;
}

}  // namespace fractalray::internal
