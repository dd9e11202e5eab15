// SPDX-License-Identifier: Apache-2.0
// The calls of worlds of another process. There is no server: tests/serve has those that succeed.
#include <gtest/gtest.h>

#include <array>

#include "fuzzer.h"

namespace fractalray::testing {

void Fuzzer::connect() {
  frConnectOptions options = v_.sized<frConnectOptions>();
  options.token = v_.flag() ? "token" : nullptr;
  options.timeout_us = 1000;
  options.world = v_.flag() ? "world" : nullptr;
  options.block_types = v_.count(3);
  frRemote* remote = nullptr;
  check(frConnect(v_.rng.pick({"unix:/no such folder/fr.sock", "unix:", "tcp:127.0.0.1", "",
                               "tcp:127.0.0.1:1", "udp:1"}),
                  v_.flag() ? nullptr : &options, v_.to(remote)));
  EXPECT_EQ(remote, nullptr);
}

void Fuzzer::useRemote() {
  const frLines batch_lines = lines();
  auto* const remote = static_cast<frRemote*>(wrongHandle());
  frBatchResult summary = v_.sized<frBatchResult>();
  frRemoteInfo info = v_.sized<frRemoteInfo>();
  std::array<frHit, 5> hits{};
  std::array<frCompactHit, 5> compact{};
  std::array<std::uint8_t, 5> answers{};
  std::array<char, 8> version{};
  std::size_t length = 0;
  switch (v_.rng.below(12)) {
    case 0:
      return check(frRemote_ClosestHits(remote, &batch_lines, v_.levels(), options(), hits.data(),
                                        nullptr, nullptr, v_.to(summary)));
    case 1:
      return check(frRemote_CompactHits(remote, &batch_lines, v_.levels(), options(),
                                        compact.data(), nullptr, nullptr, v_.to(summary)));
    case 2:
      return check(frRemote_OccludedMany(remote, &batch_lines, v_.levels(), options(),
                                         answers.data(), nullptr, nullptr, v_.to(summary)));
    case 3:
      return check(frRemote_SetDeadline(remote, v_.count(3)));
    case 4:
      return check(frRemote_GetInfo(remote, v_.to(info)));
    case 5:
      return check(frRemote_GetVersion(remote, version.data(), v_.count(8), v_.to(length)));
    case 6:
      return check(frDestroyRemote(remote));
    case 7:
      return check(frRemote_CountBlockTypes(remote, v_.to(length)));
    case 8:
      return check(frRemote_GetBlockTypeName(remote, static_cast<frBlockType>(v_.count(3)),
                                             version.data(), v_.count(8), v_.to(length)));
    case 9: {
      frEntityTick tick = v_.sized<frEntityTick>();
      const frFedMove move{};
      tick.tick = v_.count(3);
      tick.is_whole = v_.flag() ? 1 : 0;
      tick.moved = v_.flag() ? &move : nullptr;
      tick.moved_count = tick.moved == nullptr ? 0 : 1;
      return check(frRemote_FeedTick(remote, v_.flag() ? nullptr : &tick));
    }
    case 10:
      return check(frRemote_SetAtLeast(remote, v_.flag() ? nullptr : "world@1:1:"));
    default:
      return connect();
  }
}

}  // namespace fractalray::testing
