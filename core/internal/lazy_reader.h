// SPDX-License-Identifier: Apache-2.0
// Queries that call user code before they have read all of the world that they answer for.
#pragma once

namespace fractalray::internal {

// A query that reads the world only as far as it has to, and calls effects in between. Its answer
// is that of the world as it was when the query began, so whoever changes something announces it by
// readAllOfThread() first, and the query then reads the rest of what it may need.
//
// Readers are known to the thread that runs them, without any lock: the effects of a query edit on
// its thread, as the contract of const use asks.
class LazyReader {
 public:
  // Makes a reader known to the edits of this thread while it lives. Scopes of a thread end in the
  // reverse order of their begins.
  class Scope {
   public:
    explicit Scope(LazyReader& reader);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    friend class LazyReader;

    LazyReader& reader_;
    Scope* outer_;
  };

  // Has every known reader of this thread read the rest. Cost: one load where there is none.
  static void readAllOfThread() noexcept;

 protected:
  ~LazyReader() = default;

  // Reads the rest of what the query may need. Keeps errors, and exceptions of user code, until the
  // query continues.
  virtual void readAll() noexcept = 0;
};

}  // namespace fractalray::internal
