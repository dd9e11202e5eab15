// SPDX-License-Identifier: Apache-2.0
// Observers of a window, before and after its moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "../../query/window.h"

namespace fractalray {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Writes down its calls, with the anchor and the version of the world at that time.
class NotingObserver final : public WindowObserver {
 public:
  explicit NotingObserver(const Window& window) : window_(window) {}

  void beforeMove(const FrameMove& move) override {
    note("before", move);
    if (throws) throw std::runtime_error("no");
  }
  void afterMove(const FrameMove& move) override { note("after", move); }

  std::vector<std::string> calls;
  bool throws = false;

 private:
  void note(const std::string& when, const FrameMove& move) {
    calls.push_back(when + " " + std::to_string(move.levels()) + " by " +
                    std::to_string(move.chunk()[0]) + " at " + window_.anchor().text() + " v" +
                    std::to_string(window_.world().version()));
  }

  const Window& window_;
};

class WindowObserverTest : public testing::Test {
 protected:
  WindowObserverTest() { window_.addObserver(observer_); }

  World world_{{.levels = 2}};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_, ChunkPath::parse("7a3").value()};
  NotingObserver observer_{window_};
};

TEST_F(WindowObserverTest, IsCalledBeforeAndAfterEachMove) {
  ASSERT_TRUE(window_.descend({2, 0, 0}).ok());
  ASSERT_TRUE(window_.climb().ok());
  ASSERT_TRUE(window_.recenter({-1, 0, 0}).ok());
  EXPECT_THAT(observer_.calls,
              ElementsAre("before -1 by 2 at 7a3 v0", "after -1 by 2 at 7a3_200 v1",
                          "before 1 by 2 at 7a3_200 v1", "after 1 by 2 at 7a3 v2",
                          "before 0 by -1 at 7a3 v2", "after 0 by -1 at 6a3 v3"));
}

TEST_F(WindowObserverTest, IsNotCalledForMovesThatAreRefused) {
  EXPECT_FALSE(window_.descend({-2000, 0, 0}).ok());
  ASSERT_TRUE(window_.climb().ok());
  observer_.calls.clear();
  EXPECT_FALSE(window_.climb().ok());
  window_.removeObserver(observer_);
  ASSERT_TRUE(window_.recenter({0, 0, 0}).ok());
  EXPECT_THAT(observer_.calls, IsEmpty());
}

TEST_F(WindowObserverTest, AnExceptionBeforeAMoveLeavesEverythingAsItIs) {
  observer_.throws = true;
  EXPECT_THROW(static_cast<void>(window_.climb()), std::runtime_error);
  EXPECT_THAT(observer_.calls, ElementsAre("before 1 by 7 at 7a3 v0"));
  EXPECT_EQ(window_.anchor().text(), "7a3");
  EXPECT_EQ(window_.moves(), 0U);
  EXPECT_EQ(world_.version(), 0U);
}

}  // namespace
}  // namespace fractalray
