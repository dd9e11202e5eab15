// SPDX-License-Identifier: Apache-2.0
#include "../../tools/program/progress.h"

#include <pty.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fractalray {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

// Returns what a progress bar that is updated once, at 42 of 100, writes to `writer`. A terminal
// passes it to `reader` a while later, so this reads until the other end is closed.
std::string written(int writer, int reader, std::chrono::milliseconds delay) {
  std::FILE* const stream = ::fdopen(writer, "w");
  {
    Progress progress("working", 100, stream, delay);
    std::this_thread::sleep_for(2ms);
    progress.update(42);
  }
  std::fclose(stream);
  std::string text;
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t count = ::read(reader, buffer.data(), buffer.size());
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(reader);
  return text;
}

TEST(ProgressTest, DrawsOnATerminalAndClearsTheLine) {
  int terminal = -1;
  int program = -1;
  ASSERT_EQ(::openpty(&terminal, &program, nullptr, nullptr, nullptr), 0);
  const std::string text = written(program, terminal, 0ms);
  EXPECT_THAT(text, HasSubstr("working [############..................]  42%"));
  EXPECT_THAT(text, HasSubstr(" s left"));
  EXPECT_THAT(text, ::testing::EndsWith("\r\x1b[K"));
}

TEST(ProgressTest, ShortWorkShowsNothing) {
  int terminal = -1;
  int program = -1;
  ASSERT_EQ(::openpty(&terminal, &program, nullptr, nullptr, nullptr), 0);
  EXPECT_EQ(written(program, terminal, 10min), "");
}

TEST(ProgressTest, IsSilentWhereThereIsNoTerminal) {
  std::array<int, 2> ends;
  ASSERT_EQ(::pipe(ends.data()), 0);
  EXPECT_EQ(written(ends[1], ends[0], 0ms), "");
}

}  // namespace
}  // namespace fractalray
