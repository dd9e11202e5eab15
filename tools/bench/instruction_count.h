// SPDX-License-Identifier: Apache-2.0
// Counts instructions: by callgrind if the program runs under it, else by the processor's counter.
#pragma once

#include <cstdint>
#include <string>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#if __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace fractalray::bench {

#ifdef CALLGRIND_START_INSTRUMENTATION
inline void startCounting() {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}
// Writes the counts to a file of callgrind's, with `label` in it.
inline void stopCounting(const std::string& label) {
  CALLGRIND_DUMP_STATS_AT(label.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
}
#else
inline void startCounting() {}
inline void stopCounting(const std::string&) {}
#endif

// Counts the instructions that a thread executes in user mode, by the processor's counter. Many
// virtual machines have none, and a kernel may forbid it (kernel.perf_event_paranoid above 2).
class InstructionCounter {
 public:
  InstructionCounter(const InstructionCounter&) = delete;
  InstructionCounter& operator=(const InstructionCounter&) = delete;

  // Returns the counter of the calling thread, opened on the first call.
  static const InstructionCounter& ofThread() {
    static thread_local const InstructionCounter counter;
    return counter;
  }

#ifdef PERF_ATTR_SIZE_VER0
  // Returns the instructions since it was opened; 0 if they cannot be counted.
  std::uint64_t count() const {
    std::uint64_t value = 0;
    const bool is_read =
        ::read(file_, &value, sizeof(value)) == static_cast<ssize_t>(sizeof(value));
    return is_read ? value : 0;
  }

 private:
  InstructionCounter() {
    perf_event_attr event{};
    event.type = PERF_TYPE_HARDWARE;
    event.size = sizeof(event);
    event.config = PERF_COUNT_HW_INSTRUCTIONS;
    event.pinned = 1;  // counts always, or fails
    event.exclude_kernel = 1;
    event.exclude_hv = 1;
    file_ = static_cast<int>(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0UL));
  }
  ~InstructionCounter() {
    if (file_ >= 0) ::close(file_);
  }

  int file_ = -1;
#else
  std::uint64_t count() const {
    return 0;
  }

 private:
  InstructionCounter() = default;
#endif
};

}  // namespace fractalray::bench
