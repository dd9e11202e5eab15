// SPDX-License-Identifier: Apache-2.0
// Threads for callers without a job system.
#include "absl/cleanup/cleanup.h"

#include "internal/objects.h"

using namespace fractalray::capi;

namespace {

constexpr std::int32_t kMaxThreads = 1024;

}  // namespace

extern "C" {

frResult frCreateExecutor(int32_t threads, frExecutor** executor) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkArguments({{executor, "executor"}});
    if (!status.ok()) return status;
    if (threads < 0 || threads > kMaxThreads) {
      return absl::InvalidArgumentError(
          absl::StrCat("threads is ", threads, "; it is 0 to ", kMaxThreads));
    }
    const int used = threads == 0 ? fractalray::ThreadExecutor::threadsOfMachine() : threads;
    NewObject<frExecutor>(used).giveTo(executor);
    return status;
  });
}

frResult frDestroyExecutor(frExecutor* executor) {
  if (executor == nullptr) return FR_OK;
  const frResult checked = with(__func__, executor, "executor", {}, [](Object<frExecutor>& used) {
    return used.running > 0 ? isBusy("executor") : absl::OkStatus();
  });
  return checked == FR_OK ? destroy(__func__, executor, "executor") : checked;
}

frResult frExecutor_GetThreads(const frExecutor* executor, int32_t* threads) {
  return with(__func__, executor, "executor", {{threads, "threads"}},
              [&](const Object<frExecutor>& used) {
                *threads = used.executor.threads();
                return absl::OkStatus();
              });
}

void frExecutor_Run(void* executor, size_t tasks, frTaskFcn* task, void* task_context) {
  static_cast<void>(with(__func__, static_cast<frExecutor*>(executor), "executor", {},
                         [&](Object<frExecutor>& used) -> absl::Status {
                           if (task == nullptr) return badArgument({nullptr, "task"});
                           ++used.running;
                           const absl::Cleanup end = [&] { --used.running; };
                           used.executor(tasks, [&](std::size_t i) { task(task_context, i); });
                           return absl::OkStatus();
                         }));
}

}  // extern "C"
