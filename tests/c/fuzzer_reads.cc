// SPDX-License-Identifier: Apache-2.0
// The calls that only read, and those of executors.
#include <gtest/gtest.h>

#include <array>

#include "fuzzer.h"

namespace fractalray::testing {

namespace {

void doNothing(void* /*context*/, std::size_t /*i*/) {}

}  // namespace

void Fuzzer::useExecutor() {
  std::int32_t threads = 0;
  switch (v_.rng.below(3)) {
    case 0:
      if (executor_ != nullptr) break;
      return check(frCreateExecutor(v_.rng.pick({1, 2, -1, 2000}), &executor_));
    case 1:
      return check(frExecutor_GetThreads(given(executor_), v_.to(threads)));
    default:
      break;
  }
  // Runs nothing without an executor; the tasks do nothing, as they run on many threads.
  frExecutor_Run(given(executor_), v_.count(3), v_.wrong() ? nullptr : doNothing, nullptr);
}

void Fuzzer::readWorld() {
  const frLine line = v_.line();
  std::array<frLevelPart, 3> parts{};
  std::array<frEntity, 3> entities{};
  std::array<double, 3> point{};
  std::array<std::uint64_t, 2> versions{};
  double length = 0;
  std::int32_t levels = 0;
  std::size_t count = 0;
  switch (v_.rng.below(7)) {
    case 0:
      EXPECT_EQ(frGetVersion(), FR_VERSION);
      return check(frWorld_GetLevels(world(), v_.to(levels)));
    case 1:
      return check(frWorld_GetVersions(world(), v_.to(versions[0]), v_.to(versions[1])));
    case 2:
      return check(frWorld_FindEntity(world(), v_.count(25), v_.to(entities[0])));
    case 3:
      return check(frWorld_GetEntities(world(), entities.data(), v_.count(3), v_.to(count)));
    case 4:
      return check(frWorld_GetLevelParts(world(), v_.to(line), v_.levels(), parts.data(),
                                         v_.count(3), v_.to(count)));
    case 5:
      return check(frLine_GetPoint(v_.to(line), v_.number(), point.data()));
    default:
      return check(frLine_GetLength(v_.to(line), v_.to(length)));
  }
}

void Fuzzer::readNames() {
  std::array<char, 8> name{};
  std::array<std::size_t, 2> counts{};
  frChannel channel = 0;
  std::int32_t kind = 0;
  switch (v_.rng.below(7)) {
    case 6: {
      std::uint64_t fingerprint = 0;
      return check(frWorld_FingerprintBlockTypes(world(), v_.to(fingerprint)));
    }
    case 4: {
      std::array<double, 12> boxes{};
      for (double& coordinate : boxes)
        coordinate = v_.rng.oneIn(4) ? v_.number() : static_cast<double>(v_.rng.below(5)) / 4;
      frShape shape = 0;
      return check(frWorld_AddShape(world(), boxes.data(), v_.count(2), v_.to(shape)));
    }
    case 5: {
      std::array<double, 12> boxes{};
      return check(frWorld_GetShape(world(), v_.type(), static_cast<frChannel>(v_.choice(2)),
                                    boxes.data(), v_.count(2), v_.to(counts[0])));
    }
    case 0:
      return check(
          frWorld_FindChannel(world(), v_.rng.pick({"", "sight", "default"}), v_.to(channel)));
    case 1:
      return check(frWorld_CountBlockTypes(world(), v_.to(counts[0]), v_.to(counts[1])));
    case 2:
      return check(frWorld_GetChannelName(world(), static_cast<frChannel>(v_.choice(2)),
                                          name.data(), v_.count(8), v_.to(counts[0])));
    default:
      return check(frWorld_GetBlockKind(world(), v_.type(), static_cast<frChannel>(v_.choice(2)),
                                        v_.to(kind)));
  }
}

// There is no report, as no world is opened: the handle is a wrong one.
void Fuzzer::readReport() {
  auto* const report = static_cast<frLoadReport*>(wrongHandle());
  std::array<char, 8> text{};
  std::size_t length = 0;
  auto summary = v_.sized<frLoadSummary>();
  check(frLoadReport_GetSummary(report, v_.to(summary)));
  check(frLoadReport_GetFormat(report, text.data(), v_.count(8), v_.to(length)));
  check(frLoadReport_GetDamage(report, v_.count(2), text.data(), v_.count(8), v_.to(length)));
  check(frLoadReport_GetDefaultedName(report, v_.count(2), nullptr, 0, v_.to(length)));
  check(frDestroyLoadReport(report));
}

}  // namespace fractalray::testing
