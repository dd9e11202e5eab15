// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace fractalray {
namespace {

constexpr int kBarWidth = 30;

}  // namespace

Progress::Progress(std::string label, std::uint64_t total, std::FILE* stream,
                   std::chrono::milliseconds delay)
    : label_(std::move(label)),
      total_(std::max<std::uint64_t>(total, 1)),
      stream_(stream),
      is_terminal_(::isatty(::fileno(stream)) != 0),
      begin_(Clock::now()),
      next_draw_(begin_ + delay) {}

Progress::~Progress() {
  if (!drawn_) return;
  // Back to the start of the line, and clear it.
  std::fputs("\r\x1b[K", stream_);
  std::fflush(stream_);
}

void Progress::update(std::uint64_t done) {
  if (!is_terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_draw_) return;
  next_draw_ = now + std::chrono::milliseconds(100);
  draw(std::min(done, total_), now);
}

void Progress::draw(std::uint64_t done, Clock::time_point now) {
  const double share = static_cast<double>(done) / static_cast<double>(total_);
  const int filled = static_cast<int>(share * kBarWidth);
  const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                          std::string(static_cast<std::size_t>(kBarWidth - filled), '.');
  std::fprintf(stream_, "\r%s [%s] %3d%%", label_.c_str(), bar.c_str(),
               static_cast<int>(share * 100));
  if (done > 0) {
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    std::fprintf(stream_, ", %.0f s left", elapsed * (1 - share) / share);
  }
  // Erases the rest of a longer line.
  std::fputs("\x1b[K", stream_);
  std::fflush(stream_);
  drawn_ = true;
}

}  // namespace fractalray
