// SPDX-License-Identifier: Apache-2.0
#include "workers.h"

#include <csignal>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../bindings/c/internal/frame.h"
#include "answer.h"

namespace fractalray::serve {

absl::Status Workers::start(int threads) {
  absl::Status status;
  // Signals are for the thread that runs the loop.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    for (int i = 0; i < threads; ++i)
      threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    status = absl::UnavailableError(absl::StrCat("the system has started ", threads_.size(), " of ",
                                                 threads, " threads; ask for fewer"));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return status;
}

Workers::~Workers() {
  queue_.close();
  for (std::thread& thread : threads_)
    thread.join();
  while (std::shared_ptr<Call> call = queue_.pop()) {
    call->is_cancelled = true;
    answer(std::move(call));
  }
}

std::shared_ptr<Call> Workers::takeDone() noexcept {
  std::shared_ptr<Call> last;
  {
    const std::lock_guard lock(mutex_);
    last = std::exchange(done_, nullptr);
  }
  std::shared_ptr<Call> first;
  while (last != nullptr) {
    std::shared_ptr<Call> before = std::exchange(last->next_done, std::move(first));
    first = std::exchange(last, std::move(before));
  }
  return first;
}

void Workers::work() {
  while (std::shared_ptr<Call> call = queue_.pop())
    answer(std::move(call));
}

void Workers::answer(std::shared_ptr<Call> call) {
  if (call->request.verb == wire::kFeedTick) {
    answerTick(*call, source_);
  } else {
    answerCall(*call, source_, limits_);
    metrics_.countCall(*call);
  }
  queue_.finished(*call);
  if (call->answered) return call->answered();
  {
    const std::lock_guard lock(mutex_);
    call->next_done = std::exchange(done_, nullptr);
    done_ = std::move(call);
  }
  wake_.wake();
}

}  // namespace fractalray::serve
