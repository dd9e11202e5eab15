// SPDX-License-Identifier: Apache-2.0
// Links the store from outside, and with it the client of PostgreSQL.
#include <fractalray/store/cached_world.h>

absl::Status openStore(const std::string& url) {
  return fractalray::CachedWorld::open({.url = url}).status();
}
