// SPDX-License-Identifier: Apache-2.0
#include "lazy_reader.h"

#include "../check.h"

namespace fractalray::internal {
namespace {

constinit thread_local LazyReader::Scope* innermost = nullptr;

}  // namespace

LazyReader::Scope::Scope(LazyReader& reader) : reader_(reader), outer_(innermost) {
  innermost = this;
}

LazyReader::Scope::~Scope() {
  FRACTALRAY_DCHECK(innermost == this);
  innermost = outer_;
}

void LazyReader::readAllOfThread() noexcept {
  for (Scope* scope = innermost; scope != nullptr; scope = scope->outer_)
    scope->reader_.readAll();
}

}  // namespace fractalray::internal
