// SPDX-License-Identifier: Apache-2.0
// Kills a process that writes changes a hundred times, at random moments: the file has all that it
// had recorded, and of the call that was interrupted all or nothing.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <map>
#include <utility>

#include "../oracle/rng.h"
#include "change_store_fixture.h"

namespace fractalray::change_store_crash_test {
namespace {

using Content = std::map<std::pair<std::string, int>, ChangedBlock>;

// Returns the changes of the n-th call, and of no other: from them alone the test knows what the
// child has written.
std::vector<BlockChange> changesOfCall(std::uint64_t n) {
  oracle::Rng rng(n);
  std::vector<BlockChange> changes;
  for (std::int64_t count = rng.pick({1, 1, 3, 40, 400}); count > 0; --count) {
    BlockChange change;
    change.chunk = ChunkPath::to({rng.in(0, 30), 5, 5}, 2 + 20 * rng.below(2));
    change.block = rng.below(60);
    if (!rng.oneIn(4)) change.type = BlockTypeId{static_cast<std::uint16_t>(rng.below(4))};
    if (change.type.has_value() && rng.oneIn(3)) change.reverts_at = rng.in(-9, 9);
    changes.push_back(change);
  }
  return changes;
}

void recordIn(const std::vector<BlockChange>& changes, Content& content) {
  for (const BlockChange& change : changes) {
    const std::pair key(change.chunk.text(), change.block);
    if (change.type.has_value()) {
      content[key] = {change.block, *change.type, change.reverts_at};
    } else {
      content.erase(key);
    }
  }
}

class ChangeStoreCrashTest : public ChangeStoreTest {
 protected:
  // Records the calls from the n-th on until it is killed, and copies the log every now and then;
  // reports each call that has returned.
  [[noreturn]] void write(std::uint64_t n, int report) {
    const auto opened = tryOpen();
    if (!opened.ok()) _exit(1);
    for (;; ++n) {
      if (!(*opened)->record(changesOfCall(n)).ok()) _exit(2);
      if (n % 8 == 0 && !(*opened)->maintain().ok()) _exit(4);
      if (::write(report, &n, sizeof n) != sizeof n) _exit(3);
    }
  }
  // Runs a child that records calls from `next` on, and kills it after a while. Returns the first
  // call that the child has not reported.
  std::uint64_t writeAndKill(std::uint64_t next, oracle::Rng& rng) {
    std::array<int, 2> pipe{};
    EXPECT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = fork();
    if (child == 0) write(next, pipe[1]);
    close(pipe[1]);
    std::uint64_t reported = 0;
    const auto has_report = [&] {
      return read(pipe[0], &reported, sizeof reported) == static_cast<ssize_t>(sizeof reported);
    };
    // Waits for some reports, so that a slow machine tests the same, and then for a random time.
    for (int reports = rng.pick({0, 0, 1, 5, 20}); reports > 0 && has_report(); --reports)
      next = reported + 1;
    const timespec time{.tv_sec = 0, .tv_nsec = static_cast<long>(rng.in(0, 20'000'000))};
    nanosleep(&time, nullptr);
    EXPECT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << "it ended by itself: " << WEXITSTATUS(status);
    while (has_report())
      next = reported + 1;
    close(pipe[0]);
    return next;
  }
  // Returns what the store has of all chunks that are written here.
  Content content() {
    Content content;
    for (std::int64_t x = 0; x <= 30; ++x) {
      for (const int levels : {2, 22}) {
        const std::string chunk = ChunkPath::to({x, 5, 5}, levels).text();
        for (const ChangedBlock& change : changesOf(chunk))
          content[{chunk, change.block}] = change;
      }
    }
    return content;
  }
};

TEST_F(ChangeStoreCrashTest, AKilledWriterLosesAtMostTheCallThatWasRunning) {
  oracle::Rng rng("ChangeStoreCrashTest");
  Content expected;
  std::uint64_t next = 0;  // the first call of which it is not known that it is in the file
  int interrupted = 0;
  for (int crash = 0; crash < 100; ++crash) {
    const std::uint64_t end = writeAndKill(next, rng);
    for (; next < end; ++next)
      recordIn(changesOfCall(next), expected);
    open();
    const Content found = content();
    store_.reset();
    if (found != expected) {
      // It was killed between the end of the call and the report.
      recordIn(changesOfCall(next++), expected);
      ++interrupted;
    }
    ASSERT_EQ(found, expected) << "after crash " << crash << ", with " << next << " calls";
  }
  EXPECT_GT(next, 100U) << "most children have written something";
  RecordProperty("calls", static_cast<int>(next));
  RecordProperty("unreported", interrupted);
}

}  // namespace
}  // namespace fractalray::change_store_crash_test
