// SPDX-License-Identifier: Apache-2.0
#include "logged_answer.h"

#include <bit>
#include <variant>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../internal/little_endian.h"
#include "internal/log_format.h"

namespace fractalray {
namespace {

// The parts of an answer, in its first byte but one; and the bits of its flags and its hits'.
enum Form : std::uint8_t { kHits = 0, kOcclusion = 1 };
constexpr std::uint8_t kTerminated = 1;
constexpr std::uint8_t kTruncated = 2;
constexpr std::uint8_t kHasUnknown = 4;
constexpr std::uint8_t kHasBudgets = 8;
constexpr std::uint8_t kHasStop = 16;
constexpr std::uint8_t kTerminal = 1;
constexpr std::uint8_t kStartInside = 2;
constexpr std::uint8_t kEndedByCallback = 4;
enum HitKind : std::uint8_t { kBlock = 0, kEntity = 1 };

constexpr std::uint8_t bitIf(bool condition, std::uint8_t bit) {
  return condition ? bit : std::uint8_t{0};
}

// 0 for none, then -x, +x, -y, ... +z.
constexpr int kLastFace = 6;
std::uint8_t faceNumber(Face face) {
  const int number = face.exists() ? 1 + 2 * face.axis + (face.sign > 0 ? 1 : 0) : 0;
  return static_cast<std::uint8_t>(number <= kLastFace ? number : 0);
}
Face faceOf(std::uint8_t number) {
  if (number == 0) return Face::none();
  return {static_cast<std::int8_t>((number - 1) / 2),
          static_cast<std::int8_t>(number % 2 == 0 ? 1 : -1)};
}

void appendVector(std::string& bytes, const Vec3i& vector) {
  for (const std::int64_t component : vector.values)
    appendLittle(bytes, component);
}
Vec3i readVector(ByteReader& bytes) {
  Vec3i vector;
  for (std::int64_t& component : vector.values)
    component = bytes.little<std::int64_t>();
  return vector;
}

double readDouble(ByteReader& bytes) {
  return std::bit_cast<double>(bytes.little<std::uint64_t>());
}

// Reads a byte that must not be more than `max`.
std::uint8_t upTo(ByteReader& bytes, int max, std::string_view what, std::string& error) {
  const std::uint8_t value = bytes.u8();
  if (value <= max) return value;
  if (error.empty()) {
    error = absl::StrCat("has a ", std::string(what), " of ", int{value}, "; at most ", max,
                         " is possible");
  }
  return 0;
}

class HitWriter {
 public:
  HitWriter(std::string& bytes, const BlockTypeTable& types, ChannelId channel)
      : bytes_(bytes), types_(types), channel_(channel) {}

  void append(const Hit& hit) { hit.isEntity() ? appendEntity(hit) : appendBlock(hit); }

 private:
  void appendBlock(const Hit& hit) {
    appendCommon(kBlock, hit, hit.level, hit.terminal, hit.terminal && !isSolid(hit.type));
    appendVector(bytes_, {hit.block[0], hit.block[1], hit.block[2]});
    appendLittle(bytes_, hit.step);
    const std::string_view name =
        types_.contains(hit.type) ? std::string_view(types_.name(hit.type)) : std::string_view();
    appendLittle(bytes_, static_cast<std::uint32_t>(name.size()));
    bytes_ += name;
  }

  void appendEntity(const Hit& hit) {
    appendCommon(kEntity, hit, hit.level, hit.terminal, hit.terminal);
    appendLittle(bytes_, hit.id);
    appendLittle(bytes_, static_cast<std::uint32_t>(hit.entity_class));
    appendLittle(bytes_, static_cast<std::uint8_t>(hit.shape.kind));
    appendVector(bytes_, hit.shape.half_extents);
    appendVector(bytes_, hit.position);
  }

  bool isSolid(BlockTypeId type) const {
    return types_.contains(type) && static_cast<std::size_t>(channel_) < types_.channels() &&
           types_.kind(type, channel_) == BlockKind::kSolid;
  }

  void appendCommon(HitKind kind, const HitGeometry& hit, int level, bool terminal,
                    bool by_callback) {
    appendLittle(bytes_, static_cast<std::uint8_t>(kind));
    appendLittle(bytes_, static_cast<std::uint8_t>(level));
    appendLittle(bytes_, static_cast<std::uint8_t>(bitIf(terminal, kTerminal) |
                                                   bitIf(hit.start_inside, kStartInside) |
                                                   bitIf(by_callback, kEndedByCallback)));
    appendLittle(bytes_, faceNumber(hit.face));
    appendLittle(bytes_, hit.t);
    appendLittle(bytes_, hit.t_exit);
  }

  std::string& bytes_;
  const BlockTypeTable& types_;
  ChannelId channel_;
};

// Appends the amounts up to the last that is not 0.
void appendBudgets(std::string& bytes, const Budgets& budgets) {
  std::size_t count = budgets.size();
  while (count > 0 && budgets[count - 1] == 0)
    --count;
  appendLittle(bytes, static_cast<std::uint8_t>(count));
  for (std::size_t i = 0; i < count; ++i)
    appendLittle(bytes, budgets[i]);
}

// Reads an answer; the first thing found wrong stays in error().
class AnswerReader {
 public:
  explicit AnswerReader(std::string_view bytes)
      : reader_({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}) {}

  LoggedAnswer read() {
    LoggedAnswer answer;
    answer.status = static_cast<absl::StatusCode>(upTo(16, "status"));
    if (answer.status != absl::StatusCode::kOk) return answer;
    if (upTo(kOcclusion, "form") == kOcclusion) {
      answer.occlusion = static_cast<Occlusion>(upTo(2, "occlusion"));
      return answer;
    }
    const std::uint8_t flags =
        upTo(kTerminated | kTruncated | kHasUnknown | kHasBudgets | kHasStop, "flags");
    answer.terminated = (flags & kTerminated) != 0;
    answer.truncated = (flags & kTruncated) != 0;
    if ((flags & kHasUnknown) != 0) answer.unknown_from = readDouble(reader_);
    for (int parts = upTo(kMaxLevels, "number of level spans"); parts > 0 && ok(); --parts) {
      const int level = upTo(kMaxLevels - 1, "level");
      const double t0 = readDouble(reader_);
      answer.level_spans.push_back({.level = level, .t0 = t0, .t1 = readDouble(reader_)});
    }
    for (auto hits = reader_.little<std::uint32_t>(); hits > 0 && ok(); --hits)
      answer.hits.push_back(internal::readHit(reader_, error_));
    if ((flags & kHasBudgets) != 0) {
      answer.budgets.emplace();
      const int budgets = upTo(static_cast<int>(kMaxBudgets), "number of budgets");
      for (int i = 0; i < budgets; ++i)
        (*answer.budgets)[static_cast<std::size_t>(i)] = readDouble(reader_);
    }
    if ((flags & kHasStop) != 0) answer.stopped_at = readDouble(reader_);
    return answer;
  }

  absl::Status error() const {
    if (!error_.empty()) return absl::DataLossError(absl::StrCat("the answer ", error_));
    if (!reader_.ok()) return absl::DataLossError("the answer is cut off");
    if (reader_.rest().empty()) return absl::OkStatus();
    return absl::DataLossError(
        absl::StrCat("the answer is followed by ", reader_.rest().size(), " bytes too many"));
  }

 private:
  bool ok() const { return reader_.ok() && error_.empty(); }

  std::uint8_t upTo(int max, std::string_view what) {
    return fractalray::upTo(reader_, max, what, error_);
  }

  ByteReader reader_;
  std::string error_;
};

}  // namespace

namespace internal {

void appendHit(std::string& bytes, const Hit& hit, const BlockTypeTable& types, ChannelId channel) {
  HitWriter(bytes, types, channel).append(hit);
}

std::string readName(ByteReader& bytes, std::string_view what, std::string& error) {
  const std::string_view name = bytes.text(bytes.little<std::uint32_t>());
  const absl::Status status = checkName(what, name);
  if (!status.ok() && error.empty()) error = std::string(status.message());
  return std::string(name);
}

LoggedHit readHit(ByteReader& bytes, std::string& error) {
  LoggedHit hit;
  hit.is_block = upTo(bytes, kEntity, "hit's kind", error) == kBlock;
  hit.level = bytes.u8();
  const std::uint8_t flags =
      upTo(bytes, kTerminal | kStartInside | kEndedByCallback, "hit's flags", error);
  hit.terminal = (flags & kTerminal) != 0;
  hit.start_inside = (flags & kStartInside) != 0;
  hit.ended_by_callback = (flags & kEndedByCallback) != 0;
  hit.face = faceOf(upTo(bytes, kLastFace, "hit's face", error));
  hit.t = readDouble(bytes);
  hit.t_exit = readDouble(bytes);
  if (hit.is_block) {
    const Vec3i block = readVector(bytes);
    hit.block = {block[0], block[1], block[2]};
    hit.step = bytes.u8();
    hit.type = readName(bytes, "block type", error);
  } else {
    hit.entity = bytes.little<std::uint64_t>();
    hit.entity_class = EntityClassId(bytes.little<std::uint32_t>());
    hit.shape.kind = static_cast<FixedShape::Kind>(upTo(bytes, 1, "hit's shape", error));
    hit.shape.half_extents = readVector(bytes);
    hit.position = readVector(bytes);
  }
  return hit;
}

}  // namespace internal

void appendAnswer(std::string& bytes, const ObservedAnswer& observed, const BlockTypeTable& types,
                  ChannelId channel) {
  appendLittle(bytes, static_cast<std::uint8_t>(observed.status));
  if (observed.status != absl::StatusCode::kOk) return;
  const Answer& answer = observed.answer;
  appendLittle(bytes,
               static_cast<std::uint8_t>(observed.occlusion.has_value() ? kOcclusion : kHits));
  if (observed.occlusion.has_value()) {
    appendLittle(bytes, static_cast<std::uint8_t>(*observed.occlusion));
    return;
  }
  appendLittle(bytes,
               static_cast<std::uint8_t>(bitIf(answer.terminated, kTerminated) |
                                         bitIf(answer.truncated, kTruncated) |
                                         bitIf(answer.unknown_from.has_value(), kHasUnknown) |
                                         bitIf(answer.budgets.has_value(), kHasBudgets) |
                                         bitIf(answer.stopped_at.has_value(), kHasStop)));
  if (answer.unknown_from.has_value()) appendLittle(bytes, *answer.unknown_from);
  appendLittle(bytes, static_cast<std::uint8_t>(observed.level_spans.size()));
  for (const LevelSpan& span : observed.level_spans) {
    appendLittle(bytes, static_cast<std::uint8_t>(span.level));
    appendLittle(bytes, span.t0);
    appendLittle(bytes, span.t1);
  }
  appendLittle(bytes, static_cast<std::uint32_t>(observed.hits.size()));
  for (const Hit& hit : observed.hits)
    internal::appendHit(bytes, hit, types, channel);
  if (answer.budgets.has_value()) appendBudgets(bytes, *answer.budgets);
  if (answer.stopped_at.has_value()) appendLittle(bytes, *answer.stopped_at);
}

std::uint64_t answerHash(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3U;
  }
  return hash;
}

absl::StatusOr<LoggedAnswer> parseAnswer(std::string_view bytes) {
  AnswerReader reader(bytes);
  LoggedAnswer answer = reader.read();
  absl::Status status = reader.error();
  if (!status.ok()) return status;
  return answer;
}

}  // namespace fractalray
