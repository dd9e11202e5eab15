// SPDX-License-Identifier: Apache-2.0
#include "server.h"

#include <poll.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"

#include "call_gate.h"
#include "call_queue.h"
#include "connection.h"
#include "frames.h"
#include "listener.h"
#include "metrics.h"
#include "metrics_page.h"
#include "wake_pipe.h"
#include "workers.h"

namespace fractalray::serve {
namespace {

using std::chrono::milliseconds;
using Event = Connection::Event;
using State = Connection::State;

constexpr std::size_t kMaxPages = 16;       // requests for metrics at once
constexpr milliseconds kListenerRest{100};  // after the system was out of descriptors
constexpr milliseconds kDrainCheck{10};     // doors do not say when they are drained
constexpr int kMaxReceives = 16;            // of one connection before others are served
constexpr milliseconds kMemoryRest{10};     // after the server was out of memory
constexpr milliseconds kShortStall{250};
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr milliseconds kShortage{1000};  // after a call was refused for lack of memory

#ifdef POLLRDHUP
constexpr short kHangUp = POLLRDHUP;  // the client has closed its end, also only for sending
#else
constexpr short kHangUp = 0;
#endif

short eventsOf(State state) {
  if (state == State::kAnswering) return kHangUp;
  return state == State::kWriting ? POLLOUT : POLLIN;
}

class LoopServer : public Server {
 public:
  LoopServer(const ServeOptions& options, AnswerSource& source)
      : options_(options),
        source_(source),
        budget_(options.limits.memory_bytes),
        queue_(options.limits.queue_calls, options.limits.queue_lines, options.threads),
        gate_(options_.tokens, options_.feed_tokens, options_.limits, source_, budget_, queue_,
              ticks_, metrics_),
        frames_(gate_) {
    workers_.emplace(queue_, source_, options_.limits, metrics_, wake_);
    feeder_.emplace(ticks_, source_, options_.limits, metrics_, wake_);
  }
  ~LoopServer() override { end(); }

  absl::Status open() {
    absl::Status status = wake_.open();
    for (const std::string& address : options_.listen) {
      if (status.ok()) status = listenAt(address);
    }
    for (const std::shared_ptr<Door>& door : options_.doors) {
      if (status.ok()) status = door->open(gate_);
    }
    if (!status.ok() || options_.metrics.empty()) return status;
    status = listenAt(options_.metrics);
    has_metrics_ = status.ok();
    return status;
  }

  absl::Status run() override {
    absl::Status status = startWorkers();
    while (status.ok() && !isDone())
      status = runRound();
    end();
    return status;
  }

  void stop() noexcept override {
    is_to_stop_ = true;
    wake_.wake();
  }

  std::vector<std::string> addresses() const override {
    std::vector<std::string> addresses;
    const std::size_t own = listeners_.size() - (has_metrics_ && !listeners_.empty() ? 1 : 0);
    for (std::size_t i = 0; i < own; ++i)
      addresses.push_back(listeners_[i].address());
    for (const std::shared_ptr<Door>& door : options_.doors) {
      for (const std::string& address : door->addresses())
        addresses.push_back(address);
    }
    if (own < listeners_.size()) addresses.push_back(listeners_.back().address());
    return addresses;
  }

 private:
  // Ends all calls: first those that wait and run, and then the doors, which wait for theirs.
  void end() {
    listeners_.clear();
    for (auto& [number, connection] : connections_)
      connection->cancel();
    for (const std::shared_ptr<Door>& door : options_.doors)
      door->cancel();
    workers_.reset();
    feeder_.reset();
    connections_.clear();
    for (const std::shared_ptr<Door>& door : options_.doors)
      door->close();
  }

  absl::Status listenAt(const std::string& address) {
    absl::StatusOr<Listener> listener = Listener::open(address);
    if (!listener.ok()) return listener.status();
    listeners_.push_back(*std::move(listener));
    return absl::OkStatus();
  }

  absl::Status startWorkers() {
    try {
      absl::Status status = workers_->start(options_.threads);
      return status.ok() ? feeder_->start(1) : status;
    } catch (const std::bad_alloc&) {
      return absl::ResourceExhaustedError("not enough memory to start the server's threads");
    }
  }

  // Waits, and serves what is ready. Without memory it rests, and what was not served is ready
  // again in the next round.
  absl::Status runRound() {
    try {
      absl::Status status = wait();
      now_ = Clock::now();
      if (status.ok()) serveAll();
      return status;
    } catch (const std::bad_alloc&) {
      metrics_.countReason(Metrics::kMemoryFull);
      std::this_thread::sleep_for(kMemoryRest);
      now_ = Clock::now();
      return absl::OkStatus();
    }
  }

  bool isDone() const { return drain_until_.has_value() && (isDrained() || now_ >= *drain_until_); }
  bool isDrained() const {
    return connections_.empty() &&
           std::ranges::all_of(options_.doors, [](const auto& door) { return door->isDrained(); });
  }

  // ---- Waiting ----

  // The descriptors of a round: the pipe, that to stop, the listeners, the connections, the pages.
  absl::Status wait() {
    polled_.clear();
    polled_.push_back({wake_.socket(), POLLIN, 0});
    polled_.push_back({drain_until_.has_value() ? -1 : options_.stop, POLLIN, 0});
    for (const Listener& listener : listeners_)
      polled_.push_back({isResting() ? -1 : listener.socket(), POLLIN, 0});
    for (const auto& [number, connection] : connections_)
      polled_.push_back({connection->socket(), eventsOf(connection->state()), 0});
    for (const MetricsPage& page : pages_) {
      const short events = page.isSending() ? POLLOUT : POLLIN;
      polled_.push_back({page.socket(), events, 0});
    }
    const int ready = ::poll(polled_.data(), static_cast<nfds_t>(polled_.size()), timeToWait());
    if (ready >= 0 || errno == EINTR) return absl::OkStatus();
    return wire::systemError("poll", errno);
  }

  bool isResting() const { return now_ < rest_until_; }

  // Returns the milliseconds until something has a time limit, at least 1.
  int timeToWait() const {
    Clock::time_point first = now_ + std::chrono::minutes(1);
    if (isResting()) first = std::min(first, rest_until_);
    if (drain_until_.has_value()) first = std::min(first, *drain_until_);
    if (drain_until_.has_value() && !options_.doors.empty())
      first = std::min(first, now_ + kDrainCheck);
    for (const auto& [number, connection] : connections_)
      first = std::min(first, connection->limit(options_.limits));
    for (const MetricsPage& page : pages_)
      first = std::min(first, page.since() + options_.limits.frame_time);
    const auto left = std::chrono::ceil<milliseconds>(first - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 1, 60'000));
  }

  // ---- A round ----

  void serveAll() {
    if (polled_[0].revents != 0) wake_.clear();
    if (polled_[1].revents != 0) is_to_stop_ = true;
    sendDone(workers_->takeDone());
    sendDone(feeder_->takeDone());
    std::size_t at = 2 + listeners_.size();
    for (auto each = connections_.begin(); each != connections_.end();) {
      Connection& connection = *each->second;
      const bool is_kept = isKept(connection, polled_[at++].revents);
      each = is_kept ? std::next(each) : drop(each);
    }
    // Each page is followed by others in the list of descriptors.
    std::erase_if(pages_, [&](MetricsPage& page) {
      const short revents = polled_[at++].revents;
      if (now_ >= page.since() + options_.limits.frame_time) return true;
      return revents != 0 && !isKept(page);
    });
    acceptAll();
    if (is_to_stop_ && !drain_until_.has_value()) beginToDrain();
  }

  // Serves a connection; returns false if it is to be closed.
  bool isKept(Connection& connection, short revents) {
    bool is_kept = true;
    try {
      if (revents != 0 && !connection.isClosed()) is_kept = serve(connection, revents);
    } catch (const std::bad_alloc&) {
      metrics_.countReason(Metrics::kMemoryFull);
      is_kept = false;
    }
    metrics_.countBytes(connection.takeReceived(), connection.takeSent());
    if (!is_kept || connection.isClosed()) return false;
    if (isTooSlow(connection)) {
      if (!connection.isIdle() || !connection.isKnown()) metrics_.countReason(Metrics::kTooSlow);
      return false;
    }
    return !(drain_until_.has_value() && connection.isIdle());
  }

  // Serves a page; returns false if it is to be closed.
  bool isKept(MetricsPage& page) {
    try {
      return page.run([this] { return metricsText(); });
    } catch (const std::bad_alloc&) {
      metrics_.countReason(Metrics::kMemoryFull);
      return false;
    }
  }

  // Returns true if a connection has made no progress for too long. While memory is short, a client
  // for which it waits has little time, and makes no progress by single bytes.
  bool isTooSlow(const Connection& connection) const {
    if (now_ >= connection.limit(options_.limits)) return true;
    return connection.holdsMemory() && now_ - connection.paced() > kShortStall &&
           now_ - gate_.lastShortage() < kShortage;
  }

  bool serve(Connection& connection, short revents) {
    if (connection.state() == State::kAnswering) {
      return (revents & (POLLHUP | POLLERR | POLLNVAL | kHangUp)) == 0;
    }
    for (int i = 0; i < kMaxReceives && connection.state() != State::kAnswering; ++i) {
      const bool is_writing = connection.state() == State::kWriting;
      const Event event = is_writing ? connection.send(now_) : connection.receive(now_);
      if (event == Event::kGone) return false;
      if (event == Event::kNone || event == Event::kWritten) return true;
      if (event == Event::kHead && !frames_.acceptHead(connection, now_)) return false;
      if (event == Event::kBody) frames_.acceptBody(connection, now_);
    }
    return true;
  }

  using Connections = std::map<std::uint64_t, std::unique_ptr<Connection>>;

  Connections::iterator drop(Connections::iterator at) {
    at->second->cancel();
    return connections_.erase(at);
  }

  // Sends the answers that workers have made, a list of calls. Throws nothing: a call that was
  // forgotten in the middle would be waited for without end.
  void sendDone(std::shared_ptr<Call> call) noexcept {
    for (; call != nullptr; call = std::exchange(call->next_done, nullptr)) {
      const auto found = connections_.find(call->connection);
      if (found == connections_.end()) continue;
      Connection& connection = *found->second;
      // The answer is empty if there was no memory even for an error.
      const bool is_empty = call->reply.empty();
      connection.reply(std::move(call->reply), now_);
      // At once: most answers fit into the buffer of the socket.
      if (is_empty || connection.send(now_) == Event::kGone) connection.close();
    }
  }

  // ---- Connections ----

  void acceptAll() {
    for (std::size_t i = 0; i < listeners_.size(); ++i) {
      if (polled_[2 + i].revents == 0 || drain_until_.has_value()) continue;
      const bool is_metrics = has_metrics_ && i + 1 == listeners_.size();
      absl::StatusOr<std::optional<wire::Descriptor>> accepted = listeners_[i].accept();
      if (!accepted.ok()) rest_until_ = now_ + kListenerRest;
      if (!accepted.ok() || !accepted->has_value()) continue;
      if (is_metrics) {
        if (pages_.size() < kMaxPages) pages_.emplace_back(**std::move(accepted), now_);
      } else if (connections_.size() >= options_.limits.connections) {
        metrics_.countReason(Metrics::kTooMany);
      } else {
        metrics_.countConnection();
        const std::uint64_t number = ++last_connection_;
        connections_.emplace(number,
                             std::make_unique<Connection>(**std::move(accepted), number, now_));
      }
    }
  }

  void beginToDrain() {
    drain_until_ = now_ + options_.limits.drain_time;
    for (Listener& listener : listeners_)
      listener.close();
    for (const std::shared_ptr<Door>& door : options_.doors)
      door->drain();
    for (auto each = connections_.begin(); each != connections_.end();)
      each = each->second->isIdle() ? drop(each) : std::next(each);
  }

  std::string metricsText() const {
    const CallQueue::Depth depth = queue_.depth();
    return metrics_.text({.connections = connections_.size(),
                          .queue_calls = depth.calls,
                          .queue_lines = depth.lines,
                          .memory_bytes = budget_.used(),
                          .version = source_.version(),
                          .source = source_.metrics()});
  }

  const ServeOptions options_;
  AnswerSource& source_;
  Metrics metrics_;
  MemoryBudget budget_;
  CallQueue queue_;
  // Ticks do not wait for calls, nor they for the loop. Each feeder has one here at most.
  CallQueue ticks_{kNoLimit, kNoLimit, 1};
  CallGate gate_;
  FrameHandler frames_;
  WakePipe wake_;
  std::vector<Listener> listeners_;  // that of the metrics last
  bool has_metrics_ = false;
  Connections connections_;
  std::uint64_t last_connection_ = 0;
  std::vector<MetricsPage> pages_;
  std::vector<pollfd> polled_;
  std::atomic<bool> is_to_stop_ = false;
  std::optional<Clock::time_point> drain_until_;
  Clock::time_point rest_until_{};
  Clock::time_point now_ = Clock::now();
  std::optional<Workers> workers_;  // after all that they use
  std::optional<Workers> feeder_;   // applies ticks
};

absl::Status checkOptions(const ServeOptions& options) {
  if (options.listen.empty() && options.doors.empty()) {
    return absl::InvalidArgumentError("no address to listen at; give unix:PATH or tcp:HOST:PORT");
  }
  constexpr int kMostThreads = 1024;
  if (options.threads < 1 || options.threads > kMostThreads) {
    return absl::InvalidArgumentError(absl::StrCat("the server is to have ", options.threads,
                                                   " threads; it has 1 to ", kMostThreads));
  }
  return checkLimits(options.limits);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> Server::open(const ServeOptions& options,
                                                     AnswerSource& source) {
  absl::Status status = checkOptions(options);
  if (!status.ok()) return status;
  auto server = std::make_unique<LoopServer>(options, source);
  status = server->open();
  if (!status.ok()) return status;
  return server;
}

}  // namespace fractalray::serve
