// SPDX-License-Identifier: Apache-2.0
// Queries that call user code before they have read all of the world that they answer for.
#pragma once

namespace fractalray::internal {

// A query that reads the world only as far as it has to, and calls effects in between. Its answer
// is that of the world as it was when the query began: every edit first calls readAllOfThread(),
// upon which the query reads the rest that it may need.
//
// Readers are known to the thread that runs them, without any lock: the effects of a query edit on
// its thread, as the contract of const use asks.
class LazyReader {
 public:
  // Registers a reader with the edits of this thread while it lives. Scopes of a thread end in the
  // reverse order of their construction.
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

  // Makes every registered reader of this thread read the rest. Cost: one load if there is none.
  static void readAllOfThread() noexcept;
  // Does the same before an owner's content is moved away; returns the owner.
  template <class Owner>
  static Owner& readAllBeforeMove(Owner& owner) noexcept {
    readAllOfThread();
    return owner;
  }

 protected:
  ~LazyReader() = default;

  // Reads the rest that the query may need. Keeps errors, and exceptions of user code, until the
  // query continues.
  virtual void readAll() noexcept = 0;
};

}  // namespace fractalray::internal
