// SPDX-License-Identifier: Apache-2.0
#include "store_source.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "../../bindings/c/internal/batch_lines.h"
#include "../../bindings/c/internal/frame.h"
#include "../../bindings/c/internal/objects.h"
#include "../../bindings/c/internal/query_input.h"
#include "../../bindings/c/internal/world_view.h"
#include "../../core/printable.h"
#include "../../levels/fingerprint.h"

namespace fractalray::serve {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// The most that a call waits for a store that has not answered the call before: those that lack
// nothing wait for it.
constexpr milliseconds kWaitIfDown{20};
// The wait between two questions for a version that the store does not have yet.
constexpr milliseconds kAskAgain{5};

// However little time a call has, it loads that long: so that the next one has more.
constexpr milliseconds kLeastLoad{100};
// Others have the cache after so long a time of a load, for as long as it takes them to get it.
constexpr milliseconds kTurn{50};
constexpr milliseconds kPause{1};

// Returns how long a call may wait for the store: it is asked no more when it is time to say that
// it has not answered.
milliseconds patienceOf(const Freshness& fresh) {
  constexpr int kWaited = 7;
  constexpr int kOf = 8;
  return std::chrono::duration_cast<milliseconds>(kWaited * (fresh.until - Clock::now()) / kOf);
}

// The lines of a question as the library takes them. Refers to itself and to the question.
class QuestionLines {
 public:
  QuestionLines() = default;
  QuestionLines(const QuestionLines&) = delete;
  QuestionLines& operator=(const QuestionLines&) = delete;

  // Returns false for lines that no query accepts.
  bool read(const Question& question) {
    absl::StatusOr<capi::BatchLines> lines =
        capi::BatchLines::make(&question.lines, question.levels);
    if (!lines.ok()) return false;
    lines_.emplace(*std::move(lines));
    lines_->read(0, lines_->size(), queries_);
    return true;
  }
  const std::vector<BatchQuery>& queries() const { return queries_; }

 private:
  std::optional<capi::BatchLines> lines_;
  std::vector<BatchQuery> queries_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<StoreSource>> StoreSource::open(CachedWorldOptions options,
                                                               int waiting_calls) {
  options.listed_types = true;
  absl::StatusOr<std::unique_ptr<CachedWorld>> cache = CachedWorld::open(options);
  if (!cache.ok()) return cache.status();
  std::unique_ptr<StoreSource> source(new StoreSource(*std::move(cache), options, waiting_calls));
  const absl::StatusOr<SourceView> first = source->publish(source->cache_->version());
  if (!first.ok()) return first.status();
  return source;
}

StoreSource::StoreSource(std::unique_ptr<CachedWorld> cache, const CachedWorldOptions& options,
                         int waiting_calls)
    : feed_(std::make_shared<const EntityIndex>(cache->world().frame())),
      timeout_(options.timeout),
      memory_bytes_(options.memory_bytes),
      most_waiting_(waiting_calls),
      block_types_(blockTypesFingerprint(cache->world().blockTypes())),
      type_names_(namesOf(cache->world().blockTypes())),
      cache_(std::move(cache)) {}

std::string StoreSource::version() const {
  const std::lock_guard lock(version_mutex_);
  return version_;
}

std::vector<SourceMetric> StoreSource::metrics() const {
  const std::lock_guard lock(version_mutex_);
  const auto age = stats_.age + std::chrono::duration_cast<milliseconds>(Clock::now() - counted_);
  return {{"store_age_ms", "gauge", "Milliseconds since the version was the store's newest.",
           static_cast<std::uint64_t>(age.count())},
          {"cache_bytes", "gauge", "Memory of the chunks in the cache.", stats_.memory_bytes},
          {"cache_loaded_total", "counter", "Mapblocks that were loaded.", stats_.loaded},
          {"cache_changed_total", "counter", "Chunks that were forgotten since they had changed.",
           stats_.changed},
          {"cache_dropped_total", "counter", "Chunks that were dropped for lack of memory.",
           stats_.dropped},
          {"cache_damaged_total", "counter", "Damaged mapblocks that were read.", stats_.damaged},
          {"store_connections_total", "counter", "Connections to the store that were made.",
           stats_.connections}};
}

absl::StatusOr<StoreSource::Lock> StoreSource::lock(const Freshness& fresh) {
  Lock lock(mutex_, std::defer_lock);
  if (lock.try_lock() || lock.try_lock_until(fresh.until)) return lock;
  return absl::UnavailableError("the cache of the store was loading for other calls; try again");
}

absl::StatusOr<CachedQuery> StoreSource::queryFor(const Freshness& fresh) const {
  CachedQuery query;
  const milliseconds most = failed_at_.has_value() ? kWaitIfDown : timeout_;
  query.timeout = std::clamp(patienceOf(fresh), milliseconds(1), most);
  query.awaits_version = false;  // view() does
  query.until = Clock::now() + std::max(patienceOf(fresh), kLeastLoad);
  query.is_cancelled = fresh.is_cancelled;
  if (fresh.at_least.empty()) return query;
  absl::StatusOr<StoreVersion> at_least = StoreVersion::parse(fresh.at_least);
  const std::string& world = cache_->version().world;
  if (!at_least.ok() && worldOf(fresh.at_least) != world) {
    return absl::FailedPreconditionError(absl::StrCat("at_least is ", quotedText(fresh.at_least),
                                                      ", which is not of the world of the store, ",
                                                      quotedText(world)));
  }
  if (!at_least.ok()) return at_least.status();
  query.at_least = *std::move(at_least);
  return query;
}

absl::StatusOr<SourceView> StoreSource::publish(const absl::StatusOr<StoreVersion>& version) {
  if (!version.ok()) {
    if (absl::IsUnavailable(version.status())) failed_at_ = Clock::now();
    return version.status();
  }
  const CachedWorldStats stats = cache_->stats();
  // The store has answered what it was asked since then: calls that lack nothing hear of that.
  if (failed_at_.has_value() && Clock::now() - stats.age > *failed_at_) failed_at_.reset();
  std::string text = version->text();
  if (text.size() > kMaxVersionBytes) {
    return absl::UnavailableError(absl::StrCat("the version has ", text.size(),
                                               " bytes, since many transactions run; it has "
                                               "at most ",
                                               kMaxVersionBytes, ": try again"));
  }
  const std::uint64_t content = cache_->world().version();
  EntityFeed::State entities = feed_.state();
  if (content_ != content || entities_.entities != entities.entities) {
    world_ = std::shared_ptr<frWorld>(capi::viewOf(cache_->snapshot(), entities.entities),
                                      frDestroyWorld);
    content_ = content;
    entities_ = std::move(entities);
  }
  const std::lock_guard lock(version_mutex_);
  version_ = text;
  stats_ = stats;
  counted_ = Clock::now();
  return SourceView{.world = world_.get(),
                    .version = std::move(text),
                    .tick = entities_.tick,
                    .feeds = entities_.feeds,
                    .hold = world_};
}

absl::StatusOr<SourceView> StoreSource::view(const Question& /*question*/, const Freshness& fresh) {
  const Clock::time_point last = Clock::now() + std::min(patienceOf(fresh), timeout_);
  absl::StatusOr<SourceView> view = viewNow(fresh);
  if (!absl::IsAborted(view.status())) return view;
  const absl::Cleanup end = [this] { --waiting_; };
  if (++waiting_ > most_waiting_) return view;
  // Without the lock: the others lack nothing, or load.
  while (absl::IsAborted(view.status()) && !fresh.isCancelled() &&
         Clock::now() + kAskAgain <= last) {
    std::this_thread::sleep_for(kAskAgain);
    view = viewNow(fresh);
  }
  return view;
}

absl::StatusOr<SourceView> StoreSource::viewNow(const Freshness& fresh) {
  const absl::StatusOr<Lock> lock = this->lock(fresh);
  if (!lock.ok()) return lock.status();
  const absl::StatusOr<CachedQuery> query = queryFor(fresh);
  if (!query.ok()) return query.status();
  return publish(cache_->follow(*query));
}

bool StoreSource::isFinal(const Question& question, const SourceView& view,
                          std::span<const double> until, const Freshness& fresh) {
  QuestionLines lines;
  if (!lines.read(question)) return true;  // the answer is an error
  const absl::StatusOr<Lock> lock = this->lock(fresh);
  // The knowledge of the cache is true of the view if nothing has changed since: also a call that
  // has failed may have loaded and forgotten chunks.
  return lock.ok() && view.hold == world_ && content_ == cache_->world().version() &&
         view.version == cache_->version().text() && cache_->hasAllTo(lines.queries(), until);
}

absl::StatusOr<SourceView> StoreSource::load(const Question& question, const Freshness& fresh) {
  QuestionLines lines;
  if (!lines.read(question)) return view(question, fresh);
  const Clock::time_point last = Clock::now() + std::max(patienceOf(fresh), kLeastLoad);
  bool fits = true;
  while (true) {
    absl::StatusOr<Lock> lock = this->lock(fresh);
    if (!lock.ok()) return lock.status();
    const Clock::time_point until = fits ? std::min(last, Clock::now() + kTurn) : last;
    const absl::StatusOr<StoreVersion> version = loadUntil(until, question, lines.queries(), fresh);
    if (version.ok()) failed_at_.reset();
    if (!absl::IsDeadlineExceeded(version.status())) return publish(version);
    if (Clock::now() >= last) return absl::UnavailableError(version.status().message());
    // Others drop what is beyond the memory, and with it what this call needs.
    fits = cache_->stats().memory_bytes <= memory_bytes_;
    if (!fits) continue;
    lock->unlock();
    std::this_thread::sleep_for(kPause);
  }
}

absl::StatusOr<StoreVersion> StoreSource::loadUntil(Clock::time_point until,
                                                    const Question& question,
                                                    const std::vector<BatchQuery>& lines,
                                                    const Freshness& fresh) {
  absl::StatusOr<CachedQuery> query = queryFor(fresh);
  if (!query.ok()) return query.status();
  query->until = until;
  capi::QueryInput input;
  std::vector<Hit> after;
  // Options that cannot be read are an error of the answer.
  if (!input.read(question.options, *capi::find(world_.get())->state, after).ok()) {
    return cache_->follow(*query);
  }
  query->query = input.options();
  if (question.verb == wire::kOccludedMany) {
    query->query.filter.solid_only = true;
    query->query.stop_at_unknown = false;
  }
  return cache_->loadToHits(lines, *query);
}

}  // namespace fractalray::serve
