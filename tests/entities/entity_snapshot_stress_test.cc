// SPDX-License-Identifier: Apache-2.0
// Threads that query snapshots while another changes the index, for the thread sanitizer to watch.
// Runs a minute if the environment variable FRACTALRAY_LONG_TESTS is set, else two seconds.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../entities/entity_index.h"
#include "../oracle/long_run.h"
#include "../oracle/rng.h"
#include "index_questions.h"

namespace fractalray {
namespace {

using oracle::Rng;
using Clock = std::chrono::steady_clock;

// A snapshot, with the index's answers when it was taken.
struct Published {
  std::shared_ptr<const EntityIndex> snapshot;
  IndexQuestions::Answers answers;
  std::vector<EntityHandle> all;
  std::uint64_t version = 0;
};

class EntitySnapshotStressTest : public testing::Test {
 protected:
  static constexpr int kEntities = 1500;

  static Vec3d randomPosition(Rng& rng) {
    const auto coordinate = [&] { return static_cast<double>(rng.in(-500, 500)) / 10; };
    return {coordinate(), coordinate(), coordinate()};
  }
  void add(Rng& rng) {
    EntitySpec spec{.id = next_id_++, .position = randomPosition(rng)};
    spec.shape = Sphere{static_cast<double>(rng.in(1, 40)) / 16};
    handles_.push_back(index_.add(spec).value());
  }
  void change(Rng& rng) {
    std::vector<EntityMove> moves(50);
    for (EntityMove& move : moves)
      move = {randomHandle(rng), randomPosition(rng)};
    ASSERT_TRUE(index_.moveAll(moves).ok());
    for (int i = 0; i < 5; ++i) {
      std::swap(randomHandle(rng), handles_.back());
      ASSERT_TRUE(index_.remove(handles_.back()).ok());
      handles_.pop_back();
      add(rng);
    }
  }
  EntityHandle& randomHandle(Rng& rng) {
    return handles_[static_cast<std::size_t>(rng.below(static_cast<int>(handles_.size())))];
  }

  void publish() {
    auto fresh = std::make_shared<Published>();
    fresh->snapshot = index_.snapshot();
    fresh->answers = questions_.ask(index_, SearchPass::kFast);
    fresh->all = index_.all();
    fresh->version = index_.version();
    const std::lock_guard lock(mutex_);
    newest_ = std::move(fresh);
  }
  std::shared_ptr<const Published> newest() {
    const std::lock_guard lock(mutex_);
    return newest_;
  }

  // Holds the newest for some rounds, and some older ones, dropping each on this thread.
  void read(std::uint64_t number) {
    Rng rng(number);
    std::vector<std::shared_ptr<const Published>> held(3);
    while (!is_over_) {
      auto& one = held[static_cast<std::size_t>(rng.below(3))];
      if (one == nullptr || rng.oneIn(2)) one = newest();
      check(*one, rng.oneIn(4) ? SearchPass::kPlain : SearchPass::kFast);
    }
  }
  void check(const Published& published, SearchPass pass) {
    const EntityIndex& snapshot = *published.snapshot;
    const std::string difference =
        IndexQuestions::difference(questions_.ask(snapshot, pass), published.answers);
    const bool is_same = snapshot.version() == published.version &&
                         snapshot.size() == published.all.size() && snapshot.all() == published.all;
    if (!difference.empty() || !is_same) ++wrong_;
    ++checks_;
  }

  EntityIndex index_{Frame(2)};
  std::vector<EntityHandle> handles_;
  EntityId next_id_ = 1;
  Rng rng_{"EntitySnapshotStressTest"};
  IndexQuestions questions_{rng_, 2, 6, {0, 0, 0}, 50};

  std::mutex mutex_;
  std::shared_ptr<const Published> newest_;
  std::atomic<bool> is_over_ = false;
  std::atomic<int> checks_ = 0;
  std::atomic<int> wrong_ = 0;
};

TEST_F(EntitySnapshotStressTest, ReadersAreUnaffectedByAWriter) {
  for (int i = 0; i < kEntities; ++i)
    add(rng_);
  publish();
  const bool is_long = oracle::isLongRun();
  const Clock::time_point end = Clock::now() + std::chrono::seconds(is_long ? 60 : 2);
  int published = 0;
  {
    std::vector<std::jthread> readers;
    for (std::uint64_t number = 0; number < 3; ++number)
      readers.emplace_back([this, number] { read(number); });
    // Longer on a machine that is too busy for the readers.
    while ((Clock::now() < end || published < 21 || checks_ < 21) && !HasFatalFailure()) {
      for (int i = 0; i < 4; ++i)
        change(rng_);
      publish();
      ++published;
    }
    is_over_ = true;
  }
  EXPECT_EQ(wrong_, 0);
  EXPECT_GT(checks_, 20);
  EXPECT_GT(published, 20);
}

}  // namespace
}  // namespace fractalray
