// SPDX-License-Identifier: Apache-2.0
// Random and mutated bodies of calls: the decoder refuses them, or returns arrays inside the body,
// which the library can be asked about.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "../../serve/request.h"
#include "../c/sized.h"
#include "../oracle/long_run.h"
#include "door.h"
#include "raw_client.h"

namespace fractalray::testing {
namespace {

using oracle::Rng;
using serve::CallRequest;
using serve::decodeCall;

constexpr std::uint64_t kMostLines = 64;

template <class T>
void append(std::string& body, const std::vector<T>& array) {
  if (!array.empty()) {
    body.append(reinterpret_cast<const char*>(array.data()), array.size() * sizeof(T));
  }
  body.resize(wire::padded(body.size()));
}

// Returns a body as a client makes it, with any of the parts.
std::string soundBody(Rng& rng) {
  const auto count = static_cast<std::size_t>(rng.below(6));
  wire::CallHead head;
  head.count = count;
  head.levels = FR_ALL_LEVELS;
  head.wants = static_cast<std::uint32_t>(rng.below(4));
  head.has = static_cast<std::uint32_t>(rng.below(256));
  std::string parts;
  if ((head.has & wire::kHasOptions) != 0) {
    frQueryOptions options = sized<frQueryOptions>();
    options.ignore_count = static_cast<std::size_t>(rng.below(3));
    options.after_count = static_cast<std::size_t>(rng.below(2));
    append(parts, std::vector<frQueryOptions>{options});
    append(parts, std::vector<std::uint64_t>(options.ignore_count, 3));
    append(parts, std::vector<frHit>(options.after_count));
  }
  if ((head.has & wire::kHasLines) != 0) {
    append(parts, std::vector<frLine>(count));
  } else if (count > 0) {
    head.from_format = rng.below(3);
    head.to_format = rng.below(3);
    const std::uint32_t from_width = wire::numberBytes(head.from_format);
    const std::uint32_t to_width = wire::numberBytes(head.to_format);
    head.from_stride = 3 * from_width;
    head.to_stride = rng.oneIn(3) ? 0 : 3 * to_width;
    head.to_offset = wire::padded(3 * from_width * count);
    head.vector_bytes = head.to_offset + (count - 1) * head.to_stride + 3 * to_width;
    append(parts, std::vector<std::uint8_t>(head.vector_bytes, 1));
  }
  if ((head.has & wire::kHasDistances) != 0) append(parts, std::vector<double>(count, 5));
  if ((head.has & wire::kHasBounds) != 0) append(parts, std::vector<double>(6, 5));
  if ((head.has & wire::kHasLevels) != 0) append(parts, std::vector<frLevelMask>(count, 1));
  std::vector<std::uint64_t> ends(count);
  std::iota(ends.begin(), ends.end(), std::uint64_t{0});
  const std::uint64_t total = count == 0 ? 0 : count - 1;
  if ((head.has & wire::kHasIgnoreEnds) != 0) {
    head.ignored = total;
    append(parts, ends);
    append(parts, std::vector<std::uint64_t>(total, 2));
  }
  if ((head.has & wire::kHasAfterEnds) != 0) {
    head.afters = total;
    append(parts, ends);
    append(parts, std::vector<frHit>(total));
  }
  head.at_least_bytes = static_cast<std::uint32_t>(rng.oneIn(2) ? 0 : rng.below(20));
  append(parts, std::vector<char>(head.at_least_bytes, '1'));
  return bytesOf(head) + parts;
}

// Changes some bytes, mostly of the head, or the length.
void mutate(Rng& rng, std::string& body) {
  for (int i = rng.below(4); i >= 0 && !body.empty(); --i) {
    const auto size = static_cast<int>(body.size());
    const int most = rng.oneIn(3) ? size : std::min(size, 96);
    const auto at = static_cast<std::size_t>(rng.below(most));
    body[at] = static_cast<char>(rng.pick({0, 1, 2, 3, 127, 255, rng.below(256)}));
  }
  if (rng.oneIn(8)) body.resize(static_cast<std::size_t>(rng.below(400)) * 8);
}

std::string randomBody(Rng& rng) {
  std::string body(static_cast<std::size_t>(rng.below(64)) * 8, '\0');
  for (char& byte : body)
    byte = rng.oneIn(2) ? '\0' : static_cast<char>(rng.below(256));
  return body;
}

// Reads every byte of an array, for the sanitizer of addresses.
template <class T>
std::uint64_t sumOf(const T* array, std::uint64_t count) {
  std::uint64_t sum = 0;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(array);
  for (std::uint64_t i = 0; array != nullptr && i < count * sizeof(T); ++i)
    sum += bytes[i];
  return sum;
}

// Returns the last number of an array; 0 for none.
std::uint64_t lastOf(const std::uint64_t* array, std::uint64_t count) {
  return array == nullptr || count == 0 ? 0 : array[count - 1];
}

std::uint64_t sumOfArrays(const CallRequest& call) {
  const frLines& lines = call.lines;
  return sumOf(call.options.ignore, call.options.ignore_count) +
         sumOf(call.options.after, call.options.after_count) + sumOf(lines.lines, lines.count) +
         sumOf(lines.max_distances, lines.count) + sumOf(lines.bounds, 6) +
         sumOf(lines.levels, lines.count) + sumOf(lines.ignore_ends, lines.count) +
         sumOf(lines.after_ends, lines.count) +
         sumOf(lines.after, lastOf(lines.after_ends, lines.count)) +
         sumOf(call.at_least.data(), call.at_least.size());
}

// Asks the library what the decoded call asks; it may refuse.
void askLibrary(const frWorld* world, CallRequest call) {
  call.options.struct_size = sizeof call.options;
  call.options.max_steps = 1000;
  std::vector<frHit> hits(call.lines.count);
  const frResult result = frWorld_ClosestHits(world, &call.lines, call.levels, &call.options,
                                              hits.data(), nullptr, nullptr, nullptr);
  ASSERT_NE(result, FR_INTERNAL) << frGetLastError();
}

TEST(RequestFuzzTest, BodiesAreRefusedOrDecodedInside) {
  const SmallWorld world;
  Rng rng = oracle::rngOf("bodies of calls");
  const int rounds = oracle::isLongRun() ? 1'000'000 : 100'000;
  serve::ServeLimits limits;
  limits.batch_lines = kMostLines;
  std::uint64_t decoded = 0;
  std::uint64_t refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t seed = rng.seed();
    std::string bytes = rng.oneIn(4) ? randomBody(rng) : soundBody(rng);
    if (!rng.oneIn(8)) mutate(rng, bytes);
    std::vector<std::byte> body(bytes.size());
    if (!bytes.empty()) std::memcpy(body.data(), bytes.data(), bytes.size());
    const absl::StatusOr<CallRequest> call = decodeCall(wire::kClosestHits, body, limits);
    if (!call.ok()) {
      ++refused;
      ASSERT_TRUE(absl::IsInvalidArgument(call.status()) ||
                  absl::IsResourceExhausted(call.status()))
          << call.status() << " " << oracle::repeatBy(seed);
      continue;
    }
    ++decoded;
    ASSERT_LE(call->lines.count, kMostLines) << oracle::repeatBy(seed);
    volatile const std::uint64_t sum = sumOfArrays(*call);
    static_cast<void>(sum);
    askLibrary(world.get(), *call);
  }
  EXPECT_GT(decoded, static_cast<std::uint64_t>(rounds) / 20);
  EXPECT_GT(refused, static_cast<std::uint64_t>(rounds) / 20);
}

TEST(RequestFuzzTest, SoundBodiesAreDecoded) {
  Rng rng("sound bodies");
  for (int round = 0; round < 1000; ++round) {
    const std::string bytes = soundBody(rng);
    std::vector<std::byte> body(bytes.size());
    std::memcpy(body.data(), bytes.data(), bytes.size());
    const absl::StatusOr<CallRequest> call = decodeCall(wire::kOccludedMany, body, {});
    ASSERT_TRUE(call.ok()) << call.status();
    body.resize(body.size() + 8);
    EXPECT_TRUE(absl::IsInvalidArgument(decodeCall(wire::kOccludedMany, body, {}).status()));
  }
}

TEST(RequestFuzzTest, TicksAreRefusedOrDecodedInside) {
  Rng rng = oracle::rngOf("bodies of ticks");
  int decoded = 0;
  int refused = 0;
  for (int round = 0; round < (oracle::isLongRun() ? 500'000 : 20'000); ++round) {
    wire::TickHead head;
    head.added = static_cast<std::uint64_t>(rng.below(3));
    head.moved = static_cast<std::uint64_t>(rng.below(3));
    head.removed = static_cast<std::uint64_t>(rng.below(3));
    std::string bytes = bytesOf(head);
    append(bytes, std::vector<frFedEntity>(head.added));
    append(bytes, std::vector<frFedMove>(head.moved));
    append(bytes, std::vector<std::uint64_t>(head.removed));
    if (!rng.oneIn(4)) mutate(rng, bytes);
    std::vector<std::byte> body(bytes.size());
    if (!bytes.empty()) std::memcpy(body.data(), bytes.data(), bytes.size());
    const absl::StatusOr<serve::EntityTick> tick = serve::decodeTick(body);
    if (!tick.ok()) {
      ++refused;
      ASSERT_TRUE(absl::IsInvalidArgument(tick.status())) << tick.status();
      continue;
    }
    ++decoded;
    volatile const std::uint64_t sum = sumOf(tick->added.data(), tick->added.size()) +
                                       sumOf(tick->moved.data(), tick->moved.size()) +
                                       sumOf(tick->removed.data(), tick->removed.size());
    static_cast<void>(sum);
  }
  EXPECT_GT(decoded, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(RequestFuzzTest, AnAddressInOptionsIsRefused) {
  wire::CallHead head;
  head.has = wire::kHasOptions;
  frQueryOptions options = sized<frQueryOptions>();
  options.hit_context = &options;
  const std::string bytes = bytesOf(head) + bytesOf(options);
  std::vector<std::byte> body(bytes.size());
  std::memcpy(body.data(), bytes.data(), bytes.size());
  EXPECT_TRUE(absl::IsInvalidArgument(decodeCall(wire::kClosestHits, body, {}).status()));
}

TEST(FrameFuzzTest, AServerOutlivesHostileFrames) {
  const SmallWorld world;
  TestSource source(world.get());
  serve::ServeOptions options;
  options.limits.frame_bytes = 1 << 16;
  options.limits.memory_bytes = 1 << 24;
  options.limits.batch_lines = 1000;
  options.limits.max_steps = 10'000;  // whatever lines the bytes are
  const Door door(source, options);
  Rng rng = oracle::rngOf("hostile frames");
  const int rounds = oracle::isLongRun() ? 20'000 : 1000;
  for (int round = 0; round < rounds; ++round) {
    RawClient client(rng.oneIn(2) ? door.address() : door.tcpAddress());
    if (!rng.oneIn(4)) {
      ASSERT_TRUE(client.sayHello());
    }
    std::string frame = frameOf(static_cast<wire::Verb>(rng.below(8)), randomBody(rng));
    if (rng.oneIn(2)) frame = frameOf(wire::kClosestHits, soundBody(rng));
    mutate(rng, frame);
    static_cast<void>(client.send(frame));
  }
  RawClient sound(door.address());
  ASSERT_TRUE(sound.sayHello());
  ASSERT_TRUE(sound.send(frameOf(wire::kCompactHits, bodyOfLines(3))));
  wire::FrameHead head;
  std::string body;
  ASSERT_TRUE(sound.receiveFrame(head, body));
  EXPECT_EQ(head.result, FR_OK);
  EXPECT_GT(door.metric("refused_total{reason=\"wrong_frame\"}"), 0);
}

}  // namespace
}  // namespace fractalray::testing
