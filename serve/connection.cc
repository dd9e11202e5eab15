// SPDX-License-Identifier: Apache-2.0
#include "connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "../bindings/c/internal/sockets.h"

namespace fractalray::serve {

void Connection::countMoved(std::size_t bytes, Clock::time_point now) {
  constexpr std::size_t kPaceBytes = 65'536;
  done_ += bytes;
  moved_ = now;
  unpaced_bytes_ += bytes;
  if (unpaced_bytes_ < kPaceBytes) return;
  unpaced_bytes_ = 0;
  paced_ = now;
}

Connection::Event Connection::receiveInto(std::byte* to, std::size_t size, Event complete,
                                          Clock::time_point now) {
  if (done_ == size) return complete;
  const ssize_t received = ::recv(socket(), to + done_, size - done_, 0);
  if (received == 0) return Event::kGone;
  if (received < 0) return wire::isToTryAgain(errno) ? Event::kNone : Event::kGone;
  received_ += static_cast<std::uint64_t>(received);
  countMoved(static_cast<std::size_t>(received), now);
  return done_ == size ? complete : Event::kSome;
}

Connection::Event Connection::discard(Clock::time_point now) {
  std::array<std::byte, 65'536> forgotten;
  while (done_ < head_.bytes) {
    const std::size_t size = std::min<std::uint64_t>(forgotten.size(), head_.bytes - done_);
    const ssize_t received = ::recv(socket(), forgotten.data(), size, 0);
    if (received == 0) return Event::kGone;
    if (received < 0) return wire::isToTryAgain(errno) ? Event::kNone : Event::kGone;
    received_ += static_cast<std::uint64_t>(received);
    countMoved(static_cast<std::size_t>(received), now);
  }
  return Event::kBody;
}

Connection::Event Connection::receive(Clock::time_point now) {
  if (state_ == State::kBody) return receiveInto(body_.data(), body_.size(), Event::kBody, now);
  if (state_ == State::kDiscard) {
    const Event event = discard(now);
    if (event != Event::kBody) return event;
    reply(std::move(frame_), now);
    return Event::kSome;
  }
  const bool was_idle = isIdle();
  const Event event =
      receiveInto(reinterpret_cast<std::byte*>(&head_), sizeof head_, Event::kHead, now);
  // The time of a frame begins with its first byte; that of the hello with the connection.
  if (was_idle && is_known_ && done_ > 0) since_ = now;
  return event;
}

Connection::Event Connection::send(Clock::time_point now) {
  while (done_ < frame_.size()) {
    const ssize_t sent =
        ::send(socket(), frame_.data() + done_, frame_.size() - done_, wire::kSendFlags);
    if (sent < 0) return wire::isToTryAgain(errno) ? Event::kNone : Event::kGone;
    sent_ += static_cast<std::uint64_t>(sent);
    countMoved(static_cast<std::size_t>(sent), now);
  }
  if (is_last_) return Event::kGone;
  call_ = nullptr;  // with the memory of the answer
  // Not {}, which would keep the memory for which no reservation is left.
  frame_ = std::vector<std::byte>();
  memory_.clear();
  done_ = 0;
  since_ = now;
  state_ = State::kHead;
  return Event::kWritten;
}

void Connection::receiveBody(Reservation memory) {
  body_.resize(head_.bytes);
  memory_ = std::move(memory);
  done_ = 0;
  state_ = State::kBody;
}

void Connection::refuse(std::vector<std::byte> frame) {
  frame_ = std::move(frame);
  done_ = 0;
  state_ = State::kDiscard;
}

void Connection::takeBody(Call& call) {
  call.body = std::move(body_);
  call.memory = std::move(memory_);
  body_ = std::vector<std::byte>();
}

void Connection::answering(std::shared_ptr<Call> call) {
  call_ = std::move(call);
  state_ = State::kAnswering;
}

void Connection::reply(std::vector<std::byte> frame, Clock::time_point now, bool is_last,
                       Reservation memory) {
  body_ = std::vector<std::byte>();
  memory_ = std::move(memory);
  frame_ = std::move(frame);
  is_last_ = is_last;
  done_ = 0;
  since_ = now;
  moved_ = now;
  state_ = State::kWriting;
}

void Connection::cancel() {
  if (call_ != nullptr) call_->is_cancelled = true;
}

Clock::time_point Connection::limit(const ServeLimits& limits) const {
  switch (state_) {
    case State::kAnswering:
      return Clock::time_point::max();
    case State::kWriting:
      return std::min(moved_ + limits.stall_time, since_ + limits.answer_time);
    default:
      return since_ + (is_known_ && isIdle() ? limits.idle_time : limits.frame_time);
  }
}

}  // namespace fractalray::serve
