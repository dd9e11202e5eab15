// SPDX-License-Identifier: Apache-2.0
// The calls of query logs and their replay.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "fuzzer.h"

namespace fractalray::testing {

// Takes over a world of its own; or tries to take over a snapshot, which is refused. Only that in a
// callback, where a world of its own could not be destroyed.
void Fuzzer::createReplay() {
  frReplayOptions replay_options = v_.sized<frReplayOptions>();
  replay_options.all = v_.flag();
  replay_options.on_other_world = v_.rng.oneIn(4) ? 0 : 1;
  const char* const path = v_.wrong() ? "/" : log_file_.c_str();
  if (depth_ > 0 || v_.wrong()) {
    const frResult refused = frCreateReplay(worlds_.back(), path, &replay_options, &replay_);
    EXPECT_NE(refused, FR_OK);
    return check(refused);
  }
  frWorld* own = nullptr;
  createWorld(own);
  const frResult result = frCreateReplay(own, path, v_.to(replay_options), v_.to(replay_));
  check(result);
  if (result != FR_OK) return check(frDestroyWorld(own));
  stale_.push_back(own);
}

void Fuzzer::useReplay() {
  if (replay_ == nullptr) return createReplay();
  std::array<frHit, 4> hits{};
  std::array<frLevelPart, 2> parts{};
  std::array<char, 8> reason{};
  std::int32_t occlusion = 0;
  double from = 0;
  double to = 0;
  std::size_t count = 0;
  frReplayed replayed = v_.sized<frReplayed>();
  frQueryResult result = v_.sized<frQueryResult>();
  std::array<std::uint8_t, 4> sights{};
  std::array<frFoundBlock, 4> found{};
  std::array<frBrokenBlock, 4> broken{};
  std::array<frExposedEntity, 4> reached{};
  frBlastResult blast = v_.sized<frBlastResult>();
  switch (v_.rng.below(11)) {
    case 0:
      return check(frReplay_GetReason(given(replay_), reason.data(), v_.count(8), v_.to(count)));
    case 1:
    case 2:
      return check(frReplay_GetAnswer(given(replay_), v_.choice(2), v_.to(occlusion), hits.data(),
                                      v_.count(4), v_.to(result)));
    case 3:
      return check(frReplay_GetSight(given(replay_), v_.choice(2), v_.to(occlusion), v_.to(from),
                                     v_.to(to)));
    case 4:
      return check(frReplay_GetLevelParts(given(replay_), v_.choice(2), parts.data(), v_.count(2),
                                          v_.to(count)));
    case 5:
      return check(frReplay_GetSights(given(replay_), v_.choice(2), sights.data(), v_.count(4),
                                      v_.to(count)));
    case 6:
      return check(frReplay_GetVisibleBlocks(given(replay_), v_.choice(2), found.data(),
                                             v_.count(4), v_.to(count)));
    case 7:
      return check(frReplay_GetBlast(given(replay_), v_.choice(2), broken.data(), v_.count(4),
                                     reached.data(), v_.count(4), v_.to(blast)));
    default:
      return check(frReplay_Next(given(replay_), v_.to(replayed)));
  }
}

void Fuzzer::useLogs() {
  std::uint64_t queries = 0;
  switch (v_.rng.below(8)) {
    case 0:
      return check(
          frWorld_BeginLog(world(), v_.wrong() ? "/" : log_file_.c_str(), v_.rng.oneIn(4) ? 0 : 1));
    case 1:
      return check(frWorld_FlushLog(world()));
    case 2:
      return check(frWorld_EndLog(world(), v_.flag() ? nullptr : &queries));
    default:
      return useReplay();
  }
}

}  // namespace fractalray::testing
