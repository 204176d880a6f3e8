//===- Local.cpp - ranks that are devices of one process ------------------===//
//
// The ranks exchange data in memory. For a small collective the rank that
// arrives last does the work of all ranks. For a large one each rank does its
// own part; in an all_reduce it writes one slice of the result to all ranks. In
// a meeting, ranks are numbered by their position in the group.
//
//===----------------------------------------------------------------------===//
#include "runtime/collectives/Communicator.h"
#include "runtime/collectives/StreamingCopy.h"
#include "runtime/core/threads/Threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <unistd.h>

using namespace tensorc::rt;

namespace {
/// One collective of a group. Each rank waits until the others have arrived.
struct Meeting {
  explicit Meeting(int32_t ranks) : parts(ranks), inputs(ranks) {}
  int32_t size() const { return static_cast<int32_t>(parts.size()); }
  /// The arguments of a rank that has arrived; all ranks have the same.
  const Collective &present() const {
    return **std::find_if(parts.begin(), parts.end(),
                          [](const Collective *part) { return part; });
  }
  std::vector<const Collective *> parts; // null until the rank arrives
  std::vector<const char *> inputs;
  int32_t arrived = 0;
  bool isSplit = false; // the ranks combine different calls
  bool isOpen = false;  // set when all ranks have arrived and agree
  bool isDone = false;  // the work of all ranks is done
  int32_t finished = 0, left = 0;
};

/// All ranks of a communicator, and the meetings of its groups.
class Ranks {
public:
  explicit Ranks(int32_t ranks)
      : mayPoll(ranks <= numThreads()), hasEnded(ranks) {}
  Status perform(uint64_t number, const Collective &collective,
                 bool &isFirstOnly, std::chrono::milliseconds timeout);
  void fail(Status why);
  void end(int32_t rank);

private:
  using Lock = std::unique_lock<std::mutex>;
  Status arrive(Lock &lock, Meeting &meeting, const Collective &own,
                std::chrono::milliseconds timeout);
  static Status agree(Meeting &meeting);
  Status timeOut(const Meeting &meeting, const Collective &own,
                 std::chrono::milliseconds timeout) const;
  void failWithoutEnded(const Meeting &meeting);
  void failWith(Status why);
  void work(const Meeting &meeting, int32_t rank) const;
  template <typename Condition> void poll(Lock &lock, Condition isMet);
  void notify();

  const bool mayPoll; // each rank may have a processor
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<uint32_t> changes{0}; // counts notifications
  // Waits that will not poll, and how many there will be after the next poll in
  // vain.
  int32_t unpolledWaits = 0, nextUnpolledWaits = 1;
  /// Meetings by the number of the collective and the first rank of the group.
  /// Nodes never move.
  std::map<std::pair<uint64_t, int32_t>, Meeting> meetings;
  Status failure; // permanent
  bool hasFailed = false;
  std::vector<bool> hasEnded; // ranks that will make no more calls
};

class LocalChannel final : public Channel {
public:
  LocalChannel(std::shared_ptr<Ranks> ranks, int32_t rank)
      : ranks(std::move(ranks)), rank(rank) {}
  ~LocalChannel() override { ranks->end(rank); }
  Status perform(uint64_t number, const Collective &collective,
                 bool &isFirstOnly) override {
    return ranks->perform(number, collective, isFirstOnly,
                          std::chrono::milliseconds(timeout));
  }
  void abort(Status why) override {
    ranks->fail(error(why.get()->code, "rank %d: %s", rank,
                      why.get()->message.c_str()));
  }
  const char *backend() const override { return "local"; }

private:
  std::shared_ptr<Ranks> ranks;
  int32_t rank;
};
} // namespace

/// Maximum number of bytes of a collective, over all ranks, for which the last
/// rank to arrive does the work of all. Copying that many bytes takes about as
/// long as waking the other ranks two more times.
static constexpr size_t maxBytesByLast = 1 << 16;

/// True if each rank does its own part.
static bool isShared(const Collective &collective) {
  int32_t pieces =
      std::max(collective.inputPieces(), collective.outputPieces());
  return collective.piece * pieces * collective.group.size() > maxBytesByLast;
}

/// Maximum time for which a rank polls before it sleeps. Waking a thread takes
/// up to 40 us (docs/lab/collectives.md), so a shorter wait does not pay for
/// sleeping.
static constexpr std::chrono::microseconds maxPolling{50};

/// Maximum number of waits that follow a poll in vain and do not poll. Ranks
/// that share a processor poll in vain, because they keep each other from
/// running.
static constexpr int32_t maxUnpolledWaits = 256;

/// Number of bytes of a sum that are computed before they are copied to all
/// ranks. They stay in L1.
static constexpr size_t sliceBytes = 1 << 14;

/// Size of L2 if the system does not report it.
static constexpr size_t usualL2Bytes = 1 << 20;

/// True if a result of this size is written by streaming stores. A smaller one
/// is usually still in a cache when it is read.
static bool isStreamed(size_t bytes) {
  static const long l2Bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 2 * static_cast<size_t>(l2Bytes > 0 ? l2Bytes : usualL2Bytes);
}

/// Reduces a rank's slice of an all_reduce, and writes it to all ranks.
static void reduceSlice(const Meeting &meeting, int32_t rank) {
  const Collective &own = *meeting.parts[rank];
  int64_t begin = own.count * rank / meeting.size();
  int64_t end = own.count * (rank + 1) / meeting.size();
  if (begin == end)
    return;
  alignas(64) char block[sliceBytes];
  bool streams = isStreamed(own.piece);
  size_t width = own.piece / static_cast<size_t>(own.count);
  auto step = static_cast<int64_t>(sliceBytes / width);
  for (int64_t from = begin; from < end; from += step) {
    int64_t count = std::min(step, end - from);
    size_t at = static_cast<size_t>(from) * width;
    size_t size = static_cast<size_t>(count) * width;
    combine(own.combiner, own.dtype, meeting.inputs, at, block, 0, count);
    for (const Collective *other : meeting.parts)
      if (streams)
        copyStreaming(other->output + at, block, size);
      else
        std::memcpy(other->output + at, block, size);
  }
  if (streams)
    finishStreaming();
}

/// Does a rank's part of a collective.
void Ranks::work(const Meeting &meeting, int32_t rank) const {
  const Collective &own = *meeting.parts[rank];
  int32_t ranks = meeting.size();
  auto copy = [&](size_t to, const char *from, size_t size) {
    if (size && own.output + to != from)
      std::memcpy(own.output + to, from, size);
  };
  size_t piece = own.piece;
  switch (own.kind) {
  case TENSORC_RT_ALL_REDUCE:
    return reduceSlice(meeting, rank);
  case TENSORC_RT_REDUCE_SCATTER:
    return combine(own.combiner, own.dtype, meeting.inputs, rank * piece,
                   own.output, 0, own.count);
  case TENSORC_RT_ALL_GATHER:
    for (int32_t of = 0; of < ranks; ++of)
      copy(of * piece, meeting.inputs[of], piece);
    return;
  case TENSORC_RT_ALL_TO_ALL:
    for (int32_t of = 0; of < ranks; ++of)
      copy(of * piece, meeting.inputs[of] + rank * piece, piece);
    return;
  case TENSORC_RT_BROADCAST:
    return copy(0, meeting.inputs[own.root], piece);
  case TENSORC_RT_PERMUTE:
    if (int32_t source = own.sourceOf(rank); source >= 0)
      copy(0, meeting.inputs[source], piece);
    else if (piece)
      std::memset(own.output, 0, piece);
    return;
  case TENSORC_RT_BARRIER:
    return;
  }
}

static Status differ(const Collective &a, const Collective &b) {
  return differentCalls(a.group.members[a.group.own], a.call(),
                        b.group.members[b.group.own], b.call());
}

/// Checks that all ranks of the group call the same collective. If they combine
/// different calls, replaces the collectives by the first of these calls.
Status Ranks::agree(Meeting &meeting) {
  for (bool isLast : {false, true}) {
    std::string first = meeting.parts[0]->text();
    auto other = std::find_if(
        meeting.parts.begin(), meeting.parts.end(),
        [&](const Collective *part) { return part->text() != first; });
    if (other == meeting.parts.end())
      break;
    if (isLast)
      return differ(**other, *meeting.parts[0]);
    meeting.isSplit = true;
    for (const Collective *&part : meeting.parts)
      part = &part->first();
  }
  return Status();
}

Status Ranks::timeOut(const Meeting &meeting, const Collective &own,
                      std::chrono::milliseconds timeout) const {
  std::string missing;
  for (int32_t of = 0; of < meeting.size(); ++of)
    if (!meeting.parts[of])
      missing +=
          (missing.empty() ? "" : ", ") + std::to_string(own.group.members[of]);
  return lateRanks(own, missing, timeout.count(),
                   own.group.members[own.group.own]);
}

/// Wakes the ranks that wait. The lock is held.
void Ranks::notify() {
  changes.fetch_add(1, std::memory_order_release);
  changed.notify_all();
}

/// Releases the lock until the condition is met, for a short time at most.
template <typename Condition> void Ranks::poll(Lock &lock, Condition isMet) {
  if (!mayPoll || isMet())
    return;
  if (unpolledWaits > 0) {
    --unpolledWaits;
    return;
  }
  auto end = std::chrono::steady_clock::now() + maxPolling;
  for (bool isInTime = true; isInTime && !isMet();) {
    uint32_t seen = changes.load(std::memory_order_relaxed);
    lock.unlock();
    // A rank that blocks on the mutex would sleep, too.
    do
      isInTime = std::chrono::steady_clock::now() < end;
    while (isInTime && (changes.load(std::memory_order_acquire) == seen ||
                        !lock.try_lock()));
    if (!isInTime)
      lock.lock();
  }
  nextUnpolledWaits =
      isMet() ? 1 : std::min(2 * nextUnpolledWaits, maxUnpolledWaits);
  unpolledWaits = nextUnpolledWaits - 1;
}

/// Waits until all ranks have arrived, and checks that they agree. The lock is
/// held.
Status Ranks::arrive(Lock &lock, Meeting &meeting, const Collective &own,
                     std::chrono::milliseconds timeout) {
  failWithoutEnded(meeting);
  if (++meeting.arrived == meeting.size()) {
    if (Status status = agree(meeting); !status.ok())
      failWith(std::move(status));
    meeting.isOpen = !hasFailed;
    // In a small collective the others only wait for the end of the work.
    if (isShared(meeting.isSplit ? own.first() : own) || hasFailed)
      notify();
  }
  auto isSettled = [&] { return meeting.isOpen || hasFailed; };
  poll(lock, isSettled);
  bool isInTime = changed.wait_for(lock, timeout, isSettled);
  if (!isInTime)
    failWith(timeOut(meeting, own, timeout));
  return meeting.isOpen ? Status() : failure.clone();
}

Status Ranks::perform(uint64_t number, const Collective &collective,
                      bool &isFirstOnly, std::chrono::milliseconds timeout) {
  Lock lock(mutex);
  if (hasFailed)
    return failure.clone();
  int32_t rank = collective.group.own, ranks = collective.group.size();
  auto at =
      meetings.try_emplace({number, collective.group.members.front()}, ranks)
          .first;
  Meeting &meeting = at->second;
  if (meeting.arrived &&
      meeting.present().group.members != collective.group.members) {
    failWith(differ(collective, meeting.present()));
    return failure.clone();
  }
  meeting.parts[rank] = &collective;
  meeting.inputs[rank] = collective.input;
  bool isLast = meeting.arrived + 1 == ranks;
  TENSORC_RT_TRY(arrive(lock, meeting, collective, timeout));
  isFirstOnly = meeting.isSplit && collective.calls.first;
  bool hasPart = isShared(isFirstOnly ? collective.first() : collective);
  if (hasPart || isLast) {
    lock.unlock();
    if (hasPart)
      work(meeting, rank);
    else
      for (int32_t of = 0; of < ranks; ++of)
        work(meeting, of);
    lock.lock();
    meeting.finished += hasPart ? 1 : ranks;
    meeting.isDone = meeting.finished == ranks;
    if (meeting.isDone)
      notify();
  }
  auto isDone = [&] { return meeting.isDone; };
  poll(lock, isDone);
  // The wait is bounded, because the other ranks only compute.
  changed.wait(lock, isDone);
  if (++meeting.left == ranks)
    meetings.erase(at);
  return Status();
}

/// Makes the current and all later collectives fail. The lock is held.
void Ranks::failWith(Status why) {
  if (hasFailed)
    return;
  hasFailed = true;
  failure = std::move(why);
  notify();
}

void Ranks::fail(Status why) {
  Lock lock(mutex);
  failWith(std::move(why));
}

/// Fails a meeting in which a rank that has ended would have to take part. The
/// lock is held.
void Ranks::failWithoutEnded(const Meeting &meeting) {
  if (hasFailed || meeting.isOpen)
    return;
  const Collective &present = meeting.present();
  for (int32_t of = 0; of < meeting.size(); ++of)
    if (hasEnded[present.group.members[of]] && !meeting.parts[of])
      failWith(error(TENSORC_RT_FAILED_PRECONDITION,
                     "%s: rank %d has ended without calling it",
                     present.title().c_str(), present.group.members[of]));
}

void Ranks::end(int32_t rank) {
  Lock lock(mutex);
  hasEnded[rank] = true;
  for (auto &[number, meeting] : meetings)
    failWithoutEnded(meeting);
}

std::vector<std::shared_ptr<Channel>>
tensorc::rt::connectLocally(int32_t count) {
  auto ranks = std::make_shared<Ranks>(count);
  std::vector<std::shared_ptr<Channel>> channels;
  for (int32_t rank = 0; rank < count; ++rank)
    channels.push_back(std::make_shared<LocalChannel>(ranks, rank));
  return channels;
}
