//===- Local.cpp - ranks that are devices of one process ------------------===//
//
// Ranks meet in memory. A small collective is done by the rank that arrives
// last, for all. In a large one each rank does its part, a slice of the result,
// and then copies the others' slices.
//
//===----------------------------------------------------------------------===//
#include "runtime/collectives/Communicator.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>

using namespace tensorc::rt;

namespace {
/// One collective, for which ranks wait.
struct Meeting {
  explicit Meeting(int32_t ranks) : parts(ranks), inputs(ranks) {}
  std::vector<const Collective *> parts; // null until the rank arrives
  std::vector<const char *> inputs;
  int32_t arrived = 0;
  bool isOpen = false;          // all are there and agree
  bool isDone = false;          // by the last rank
  int32_t finished[2] = {0, 0}; // ranks that have finished a phase
  int32_t left = 0;
};

class Group {
public:
  explicit Group(int32_t ranks) : ranks(ranks), hasEnded(ranks) {}
  Status perform(int32_t rank, uint64_t number, const Collective &collective,
                 std::chrono::milliseconds timeout);
  void fail(Status why);
  void end(int32_t rank);

private:
  using Lock = std::unique_lock<std::mutex>;
  Status arrive(Lock &lock, Meeting &meeting, int32_t rank,
                std::chrono::milliseconds timeout);
  Status agree(const Meeting &meeting) const;
  Status timeOut(const Meeting &meeting, int32_t rank,
                 std::chrono::milliseconds timeout) const;
  void failWithoutEnded(const Meeting &meeting);
  void failWith(Status why);
  void work(const Meeting &meeting, int32_t rank, int phase) const;
  void finishPhase(Lock &lock, Meeting &meeting, int phase);

  const int32_t ranks;
  std::mutex mutex;
  std::condition_variable changed;
  std::map<uint64_t, Meeting> meetings; // nodes never move
  Status failure;                       // of the group, for good
  bool hasFailed = false;
  std::vector<bool> hasEnded; // ranks that call no more
};

class LocalChannel final : public Channel {
public:
  LocalChannel(std::shared_ptr<Group> group, int32_t rank)
      : group(std::move(group)), rank(rank) {}
  ~LocalChannel() override { group->end(rank); }
  Status perform(uint64_t number, const Collective &collective) override {
    return group->perform(rank, number, collective,
                          std::chrono::milliseconds(timeout));
  }
  void abort(Status why) override {
    group->fail(error(why.get()->code, "rank %d: %s", rank,
                      why.get()->message.c_str()));
  }
  const char *backend() const override { return "local"; }

private:
  std::shared_ptr<Group> group;
  int32_t rank;
};
} // namespace

/// The largest collective, in bytes of all ranks, that one rank does for all.
/// Waking the other ranks twice more takes about as long as copying this.
static constexpr size_t maxBytesByLast = 1 << 16;

/// The parts of a collective that each rank does. The phases of an all_reduce
/// are the reduction of one slice, and the copies of the other slices.
void Group::work(const Meeting &meeting, int32_t rank, int phase) const {
  const Collective &own = *meeting.parts[rank];
  auto copy = [&](size_t to, const char *from, size_t size) {
    if (size && own.output + to != from)
      std::memcpy(own.output + to, from, size);
  };
  auto sliceOf = [&](int32_t of) { return own.count * of / ranks; };
  size_t piece = own.piece;
  switch (own.kind) {
  case TENSORC_RT_ALL_REDUCE:
    if (phase == 0) {
      combine(own.combiner, own.dtype, meeting.inputs, 0, own.output,
              sliceOf(rank), sliceOf(rank + 1));
      return;
    }
    for (int32_t of = 0; of < ranks; ++of) {
      size_t width = own.count ? piece / own.count : 0;
      size_t from = sliceOf(of) * width, to = sliceOf(of + 1) * width;
      copy(from, meeting.parts[of]->output + from, to - from);
    }
    return;
  case TENSORC_RT_REDUCE_SCATTER:
    if (phase == 0)
      combine(own.combiner, own.dtype, meeting.inputs, rank * piece, own.output,
              0, own.count);
    return;
  case TENSORC_RT_ALL_GATHER:
    for (int32_t of = 0; phase == 0 && of < ranks; ++of)
      copy(of * piece, meeting.inputs[of], piece);
    return;
  case TENSORC_RT_ALL_TO_ALL:
    for (int32_t of = 0; phase == 0 && of < ranks; ++of)
      copy(of * piece, meeting.inputs[of] + rank * piece, piece);
    return;
  case TENSORC_RT_BROADCAST:
    if (phase == 0)
      copy(0, meeting.inputs[own.root], piece);
    return;
  case TENSORC_RT_PERMUTE:
    if (int32_t source = own.sourceOf(rank); phase == 0 && source >= 0)
      copy(0, meeting.inputs[source], piece);
    else if (phase == 0 && piece)
      std::memset(own.output, 0, piece);
    return;
  case TENSORC_RT_BARRIER:
    return;
  }
}

/// Checks that all ranks have called the same.
Status Group::agree(const Meeting &meeting) const {
  std::string first = meeting.parts[0]->text();
  for (int32_t rank = 1; rank < ranks; ++rank)
    if (std::string text = meeting.parts[rank]->text(); text != first)
      return error(TENSORC_RT_FAILED_PRECONDITION,
                   "%s: rank %d calls %s, rank 0 calls %s",
                   meeting.parts[rank]->title().c_str(), rank, text.c_str(),
                   first.c_str());
  return Status();
}

Status Group::timeOut(const Meeting &meeting, int32_t rank,
                      std::chrono::milliseconds timeout) const {
  std::string missing;
  for (int32_t of = 0; of < ranks; ++of)
    if (!meeting.parts[of])
      missing += (missing.empty() ? "" : ", ") + std::to_string(of);
  return error(TENSORC_RT_DEADLINE_EXCEEDED,
               "%s: rank %s did not call it within %lld ms, for which rank %d "
               "waited",
               meeting.parts[rank]->title().c_str(), missing.c_str(),
               static_cast<long long>(timeout.count()), rank);
}

/// Waits until all ranks are there and agree. The lock is held.
Status Group::arrive(Lock &lock, Meeting &meeting, int32_t rank,
                     std::chrono::milliseconds timeout) {
  failWithoutEnded(meeting);
  if (++meeting.arrived == ranks) {
    if (Status status = agree(meeting); !status.ok())
      failWith(std::move(status));
    meeting.isOpen = !hasFailed;
    changed.notify_all();
  }
  bool isInTime = changed.wait_for(lock, timeout,
                                   [&] { return meeting.isOpen || hasFailed; });
  if (!isInTime)
    failWith(timeOut(meeting, rank, timeout));
  return meeting.isOpen ? Status() : failure.clone();
}

/// Waits until all ranks have finished a phase: they compute, so it ends.
void Group::finishPhase(Lock &lock, Meeting &meeting, int phase) {
  if (++meeting.finished[phase] == ranks)
    changed.notify_all();
  changed.wait(lock, [&] { return meeting.finished[phase] == ranks; });
}

Status Group::perform(int32_t rank, uint64_t number,
                      const Collective &collective,
                      std::chrono::milliseconds timeout) {
  Lock lock(mutex);
  if (hasFailed)
    return failure.clone();
  Meeting &meeting = meetings.try_emplace(number, ranks).first->second;
  meeting.parts[rank] = &collective;
  meeting.inputs[rank] = collective.input;
  bool isLast = meeting.arrived + 1 == ranks;
  TENSORC_RT_TRY(arrive(lock, meeting, rank, timeout));
  size_t bytes =
      collective.piece * ranks *
      std::max(collective.inputPieces(ranks), collective.outputPieces(ranks));
  int32_t phases = collective.kind == TENSORC_RT_ALL_REDUCE ? 2 : 1;
  if (bytes <= maxBytesByLast) {
    if (isLast) {
      lock.unlock();
      for (int phase = 0; phase < phases; ++phase)
        for (int32_t of = 0; of < ranks; ++of)
          work(meeting, of, phase);
      lock.lock();
      meeting.isDone = true;
      changed.notify_all();
    }
    changed.wait(lock, [&] { return meeting.isDone; });
  } else {
    for (int phase = 0; phase < phases; ++phase) {
      lock.unlock();
      work(meeting, rank, phase);
      lock.lock();
      finishPhase(lock, meeting, phase);
    }
  }
  if (++meeting.left == ranks)
    meetings.erase(number);
  return Status();
}

/// Ends all waiting. The lock is held.
void Group::failWith(Status why) {
  if (hasFailed)
    return;
  hasFailed = true;
  failure = std::move(why);
  changed.notify_all();
}

void Group::fail(Status why) {
  Lock lock(mutex);
  failWith(std::move(why));
}

/// Fails a meeting that waits for a rank that has ended. The lock is held.
void Group::failWithoutEnded(const Meeting &meeting) {
  if (hasFailed || meeting.isOpen)
    return;
  auto present = std::find_if(meeting.parts.begin(), meeting.parts.end(),
                              [](const Collective *part) { return part; });
  for (int32_t rank = 0; rank < ranks; ++rank)
    if (hasEnded[rank] && !meeting.parts[rank])
      failWith(error(TENSORC_RT_FAILED_PRECONDITION,
                     "%s: rank %d has ended without calling it",
                     (*present)->title().c_str(), rank));
}

void Group::end(int32_t rank) {
  Lock lock(mutex);
  hasEnded[rank] = true;
  for (auto &[number, meeting] : meetings)
    failWithoutEnded(meeting);
}

std::vector<std::shared_ptr<Channel>>
tensorc::rt::connectLocally(int32_t count) {
  auto group = std::make_shared<Group>(count);
  std::vector<std::shared_ptr<Channel>> channels;
  for (int32_t rank = 0; rank < count; ++rank)
    channels.push_back(std::make_shared<LocalChannel>(group, rank));
  return channels;
}
