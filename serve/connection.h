// SPDX-License-Identifier: Apache-2.0
// The server's end of a connection: one frame at a time in, one out. While a call is answered
// nothing more is read, so a client cannot have more in flight than one request and one answer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../bindings/c/internal/frame.h"
#include "call.h"
#include "serve_limits.h"

namespace fractalray::serve {

// Belongs to the thread that runs the server's loop. Nothing here waits.
class Connection {
 public:
  enum class State {
    kHead,       // receives the head of a frame
    kBody,       // receives its body
    kDiscard,    // receives the body of a call that is refused, and forgets it
    kAnswering,  // waits for a worker
    kWriting,    // sends an answer
  };
  enum class Event {
    kNone,     // there is nothing more to receive, or to send, at present
    kSome,     // there may be
    kHead,     // the head is complete: call receiveBody(), refuse() or reply()
    kBody,     // the body is complete: call answering() or reply()
    kWritten,  // the answer was sent; the state is kHead again
    kGone,     // the client has closed the connection, or is to be closed
  };

  Connection(wire::Descriptor socket, std::uint64_t number, Clock::time_point now)
      : socket_(std::move(socket)), number_(number), since_(now), moved_(now) {}

  int socket() const { return socket_.number(); }
  std::uint64_t number() const { return number_; }
  State state() const { return state_; }
  const wire::FrameHead& head() const { return head_; }
  // Returns true if nothing of a frame has been received.
  bool isIdle() const { return state_ == State::kHead && done_ == 0; }
  bool isKnown() const { return is_known_; }
  void setKnown() { is_known_ = true; }
  // Returns true if the client has the right to feed entities.
  bool mayFeed() const { return may_feed_; }
  void setMayFeed() { may_feed_ = true; }

  // Receives what there is, up to the end of a head or a body. Requires: a state that receives.
  Event receive(Clock::time_point now);
  // Sends what the system takes. Requires: kWriting.
  Event send(Clock::time_point now);

  // Receives the body of the frame, for which that memory is reserved. Throws std::bad_alloc.
  void receiveBody(Reservation memory);
  // Receives the body without keeping it, and then sends a frame.
  void refuse(std::vector<std::byte> frame);
  std::span<const std::byte> body() const { return body_; }
  // Moves the body and its memory to a call.
  void takeBody(Call& call);
  // Waits for a call.
  void answering(std::shared_ptr<Call> call);
  // Sends a frame; closes the connection afterwards if `is_last`. Keeps the memory of the frame, if
  // it is reserved, until it has been sent.
  void reply(std::vector<std::byte> frame, Clock::time_point now, bool is_last = false,
             Reservation memory = {});
  // Marks the call as one for which nobody waits.
  void cancel();
  // Makes the server close the connection in its next round.
  void close() { is_closed_ = true; }
  bool isClosed() const { return is_closed_; }

  // Returns the time at which a connection that has made no progress is closed.
  Clock::time_point limit(const ServeLimits& limits) const;
  // Returns the time of the first byte of the frame. Requires: kBody.
  Clock::time_point since() const { return since_; }
  // Returns true if memory waits for the client: for the rest of a call, or to take an answer.
  bool holdsMemory() const { return state_ == State::kBody || state_ == State::kWriting; }
  // Returns when 64 KiB of a body or an answer had last been received or sent, or when it began.
  Clock::time_point paced() const { return std::max(since_, paced_); }
  // Return the bytes received and sent since the last time.
  std::uint64_t takeReceived() { return std::exchange(received_, 0); }
  std::uint64_t takeSent() { return std::exchange(sent_, 0); }

 private:
  // Counts bytes that were received or sent.
  void countMoved(std::size_t bytes, Clock::time_point now);
  Event receiveInto(std::byte* to, std::size_t size, Event complete, Clock::time_point now);
  Event discard(Clock::time_point now);

  wire::Descriptor socket_;
  std::uint64_t number_;
  State state_ = State::kHead;
  bool is_known_ = false;  // has said hello
  bool may_feed_ = false;
  bool is_last_ = false;
  bool is_closed_ = false;
  wire::FrameHead head_;
  std::size_t done_ = 0;  // bytes of what is received or sent
  std::vector<std::byte> body_;
  Reservation memory_;
  std::vector<std::byte> frame_;
  std::shared_ptr<Call> call_;
  Clock::time_point since_;  // when this began to wait for what it waits for
  Clock::time_point moved_;  // when a byte was last received or sent, or an answer was ready
  Clock::time_point paced_{};
  std::size_t unpaced_bytes_ = 0;  // moved since then
  std::uint64_t received_ = 0;
  std::uint64_t sent_ = 0;
};

}  // namespace fractalray::serve
