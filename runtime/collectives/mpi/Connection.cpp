//===- Connection.cpp - the processes of one communicator -----------------===//
#include "runtime/collectives/mpi/Connection.h"

#include "runtime/collectives/Communicator.h"
#include "runtime/core/streams/Event.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <sched.h>
#include <string>
#include <thread>

using namespace tensorc::rt;
using namespace tensorc::rt::mpi;

/// Message tag of notes. It must be below the guaranteed minimum of MPI_TAG_UB,
/// 32767, and not a tag of collectives.
static constexpr int noteTag = 32766;
/// Minimum number of milliseconds in which a missing rank may be heard of, for
/// ranks that are late only because the machine is busy.
static constexpr int64_t minHearingMilliseconds = 5000;

namespace {
/// A communicator that not all ranks have made yet.
struct Unconnected {
  const Library *library;
  uint64_t request;
  int64_t deadline;
};

/// The connections of the process that are not closed.
struct Connections {
  std::mutex mutex; // guards the members, and `missing` of connections
  std::vector<std::shared_ptr<Connection>> open;
  std::vector<Unconnected> incomplete;
};
} // namespace

/// Returns the connections, which MPI_Finalize may need during the process' exit.
static Connections &connections() {
  static auto *all = new Connections;
  return *all;
}

static int64_t hearingDeadline(int64_t timeoutMilliseconds) {
  return now() +
         std::max(timeoutMilliseconds, minHearingMilliseconds) * 1000000;
}

Status Connection::create(std::shared_ptr<Connection> &out) {
  const Library *library = nullptr;
  TENSORC_RT_TRY(findLibrary(library, &Connection::endProcess));
  const char *doing = "copying the communicator";
  auto *comm = new uint64_t(0); // MPI writes it once all ranks are there.
  uint64_t request = 0;
  TENSORC_RT_TRY(
      library->check(library->shim->duplicate(comm, &request), doing));
  int64_t timeout = defaultTimeout().count();
  int64_t deadline = now() + timeout * 1000000;
  Connections &all = connections();
  for (int done = 0; !done;) {
    TENSORC_RT_TRY(library->check(library->shim->test(&request, &done), doing));
    if (!done && now() >= deadline) {
      std::lock_guard lock(all.mutex);
      all.incomplete.push_back({library, request, hearingDeadline(timeout)});
      return error(TENSORC_RT_DEADLINE_EXCEEDED,
                   "not all ranks made a communicator within %lld ms",
                   static_cast<long long>(timeout));
    }
    sched_yield();
  }
  TENSORC_RT_TRY(library->check(library->shim->return_errors(*comm), doing));
  std::lock_guard lock(all.mutex);
  // All ranks make their communicators in the same order.
  static uint64_t last = 0;
  out.reset(new Connection(*library, *comm, ++last));
  delete comm;
  // All ranks have made this communicator, so none of them hangs.
  for (const std::shared_ptr<Connection> &other : all.open)
    other->missing.clear();
  all.open.push_back(out);
  return Status();
}

void Connection::send(Note::Kind kind, const char *text) {
  if (hasSentNote.exchange(true) || library.shim->has_ended())
    return;
  auto *note = new Note; // MPI may read it later.
  note->communicator = serial;
  note->calls = calls;
  note->kind = kind;
  std::string(text).copy(note->text, textBytes - 1);
  for (int peer = 0; peer < library.size; ++peer) {
    uint64_t request = 0;
    if (peer != library.rank)
      (void)library.shim->send(comm, note, sizeof *note, peer, noteTag,
                               &request);
  }
}

Status Connection::receive(Note &note, int &peer) {
  do
    TENSORC_RT_TRY(library.check(
        library.shim->poll(comm, &note, sizeof note, noteTag, &peer),
        "polling"));
  while (peer >= 0 && note.communicator != serial);
  return Status();
}

void Connection::miss(std::vector<int> ranks, int64_t timeoutMilliseconds) {
  std::lock_guard lock(connections().mutex);
  missing = std::move(ranks);
  deadline = hearingDeadline(timeoutMilliseconds);
}

/// Receives the notes of missing ranks.
Status Connection::hear() {
  Note note;
  int peer = -1;
  do {
    TENSORC_RT_TRY(receive(note, peer));
    std::erase(missing, peer);
  } while (peer >= 0 && !missing.empty());
  return Status();
}

void Connection::close() {
  Connections &all = connections();
  std::lock_guard lock(all.mutex);
  std::erase_if(all.open,
                [&](const auto &other) { return other.get() == this; });
  uint64_t copy = comm;
  (void)library.shim->free_comm(&copy);
}

/// Called when MPI_Finalize begins. Tells the other ranks, and waits until all
/// missing ranks have been heard of. Returns 0 if one of them was not in time.
int Connection::endProcess() {
  Connections &all = connections();
  std::lock_guard lock(all.mutex);
  for (const std::shared_ptr<Connection> &each : all.open)
    each->send(Note::Ended);
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
    bool isComplete = true, isLate = false;
    for (const std::shared_ptr<Connection> &each : all.open) {
      if (!each->missing.empty())
        (void)each->hear();
      isComplete &= each->missing.empty();
      isLate |= !each->missing.empty() && now() >= each->deadline;
    }
    for (Unconnected &each : all.incomplete) {
      int done = 0;
      (void)each.library->shim->test(&each.request, &done);
      isComplete &= done != 0;
      isLate |= !done && now() >= each.deadline;
    }
    if (isComplete)
      return 1;
    if (!isLate)
      continue;
    std::fputs(
        "tensorc: a rank that was reported as missing has not been heard "
        "of since, so this process ends all of them by MPI_Abort\n",
        stderr);
    return 0;
  }
}
