// SPDX-License-Identifier: Apache-2.0
// Links the executor from outside.
#include <fractalray/core/thread_executor.h>

int threadsOfExecutor() {
  return fractalray::ThreadExecutor(2).threads();
}
