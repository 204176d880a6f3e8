//===- MpiChannel.cpp - ranks that are MPI processes ----------------------===//
//
// Each rank sends every other rank a header: a hash of the collective that it
// calls, and of the first of the calls that it combines, followed by the data
// for that rank if it is small. If the first hashes differ, but not the second
// ones, headers and data of the first call follow. If both differ, the texts of
// the calls follow, for the error message. Otherwise larger data follows. Reductions are computed here, in the order of the ranks,
// because MPI guarantees no order and has no f16. In a large all_reduce each
// rank combines one slice and sends it to the others.
//
// Only non-blocking calls are made, so that a rank that is missing is an error
// after the time limit. Memory that MPI may still write to is then not freed.
//
//===----------------------------------------------------------------------===//
#include "runtime/collectives/Communicator.h"
#include "runtime/collectives/mpi/Connection.h"
#include "runtime/core/streams/Event.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <mutex>
#include <sched.h>
#include <string_view>

using namespace tensorc::rt;
using namespace tensorc::rt::mpi;

/// Number of bytes of a header: hashes of the texts of the collective and of the
/// first call that it combines.
static constexpr size_t textHashBytes = sizeof(uint64_t);
static constexpr size_t headerBytes = 2 * textHashBytes;
/// Maximum number of bytes of memory per peer that is kept for the next call.
static constexpr size_t maxKeptBytes = size_t(1) << 20;
/// Maximum number of payload bytes that follow the header in one message. MPI
/// libraries send messages of about this size eagerly, without a handshake.
static constexpr size_t maxInlineBytes = 4096;
/// Maximum number of bytes of one message, because MPI counts in int.
static constexpr size_t maxMessageBytes = size_t(1) << 30;
/// Number of message tags of collectives, which are below the one of notes. A
/// collective uses two.
static constexpr int numbersOfTags = 16000;

namespace {
/// Messages in flight, and the memory that they use.
struct Transfer {
  explicit Transfer(int size) : peers(size) {}
  struct Peer {
    std::vector<char> out, in; // headers and small data
    std::vector<char> slice;   // bytes to combine
    std::vector<uint64_t> requests;
    bool isDone = false;
  };
  std::vector<Peer> peers; // one peer for each position in the group
};

class MpiChannel final : public Channel {
public:
  explicit MpiChannel(std::shared_ptr<Connection> made)
      : connection(std::move(made)), library(connection->library),
        shim(*library.shim), comm(connection->comm),
        endings(static_cast<size_t>(library.size), -1) {}
  ~MpiChannel() override;
  Status perform(uint64_t number, const Collective &collective,
                 bool &isFirstOnly) override;
  void abort(Status why) override;
  Status checkAborted() override;
  const char *backend() const override { return "mpi"; }
  bool isConcurrent() const override { return library.isConcurrent; }

private:
  struct Call;
  Status run(Call &call, bool &isFirstOnly);
  Status exchangeHeaders(Call &call, bool &isFirstOnly);
  Status agree(Call &call, bool &isFirstOnly);
  Status tellDifference(Call &call);
  std::unique_ptr<Transfer> takeTransfer();
  void keepTransfer(std::unique_ptr<Transfer> transfer);
  Status exchangeBytes(Call &call);
  Status shareSlices(Call &call);
  Status send(Call &call, int peer, const void *data, size_t bytes, int tag);
  Status receive(Call &call, int peer, void *data, size_t bytes, int tag);
  Status wait(Call &call);
  Status checkMessage(const Call &call, const Transfer::Peer &peer, int code);
  Status timeOut(const Call &call);
  Status checkEnded(const Call &call);
  Status fail(Status why, Note::Kind kind, const char *text);

  const std::shared_ptr<Connection> connection;
  const Library &library;
  const tensorc_mpi_shim &shim;
  const uint64_t comm;
  std::mutex mutex;
  Status failure; // permanent
  // Number of collectives that each rank called before it ended, or -1.
  std::vector<int64_t> endings;
  // Transfer of an earlier call, kept for reuse.
  std::unique_ptr<Transfer> spare;
  std::atomic<bool> hasFailed{false};
};

/// A collective in progress.
struct MpiChannel::Call {
  const Collective &collective;
  Transfer &transfer;
  uint64_t number;
  int tag; // tag of the headers; the other messages have tag + 1
  int64_t deadline, timeout;

  /// Returns the bytes that `rank` sends to `peer`. Both are positions in a
  /// group of `size` ranks. `expected` returns the number of bytes that `rank`
  /// receives from `peer`.
  std::pair<const char *, size_t> given(int rank, int peer, int size) const;
  size_t expected(int rank, int peer, int size) const;
  bool isLargeReduction(int size) const {
    return collective.kind == TENSORC_RT_ALL_REDUCE &&
           collective.piece > maxInlineBytes && size > 1;
  }
  /// Offset in bytes of a rank's slice of an all_reduce.
  size_t sliceAt(int rank, int size) const {
    if (!collective.count)
      return 0;
    return static_cast<size_t>(collective.count * rank / size) *
           (collective.piece / static_cast<size_t>(collective.count));
  }
};
} // namespace

std::pair<const char *, size_t> MpiChannel::Call::given(int rank, int peer,
                                                        int size) const {
  size_t piece = collective.piece;
  switch (collective.kind) {
  case TENSORC_RT_ALL_REDUCE:
    if (!isLargeReduction(size))
      return {collective.input, piece};
    return {collective.input + sliceAt(peer, size),
            sliceAt(peer + 1, size) - sliceAt(peer, size)};
  case TENSORC_RT_ALL_GATHER:
    return {collective.input, piece};
  case TENSORC_RT_REDUCE_SCATTER:
  case TENSORC_RT_ALL_TO_ALL:
    return {collective.input + static_cast<size_t>(peer) * piece, piece};
  case TENSORC_RT_BROADCAST:
    return {collective.input, rank == collective.root ? piece : 0};
  case TENSORC_RT_PERMUTE:
    return {collective.input, collective.sourceOf(peer) == rank ? piece : 0};
  case TENSORC_RT_BARRIER:
    break;
  }
  return {nullptr, 0};
}

size_t MpiChannel::Call::expected(int rank, int peer, int size) const {
  return given(peer, rank, size).second;
}

Status MpiChannel::send(Call &call, int peer, const void *data, size_t bytes,
                        int tag) {
  const char *from = static_cast<const char *>(data);
  do {
    size_t part = std::min(bytes, maxMessageBytes);
    uint64_t &request = call.transfer.peers[peer].requests.emplace_back();
    TENSORC_RT_TRY(library.check(shim.send(comm, from, static_cast<int>(part),
                                           call.collective.group.members[peer],
                                           tag, &request),
                                 "sending"));
    from += part;
    bytes -= part;
  } while (bytes);
  return Status();
}

Status MpiChannel::receive(Call &call, int peer, void *data, size_t bytes,
                           int tag) {
  char *to = static_cast<char *>(data);
  do {
    size_t part = std::min(bytes, maxMessageBytes);
    uint64_t &request = call.transfer.peers[peer].requests.emplace_back();
    TENSORC_RT_TRY(library.check(
        shim.receive(comm, to, static_cast<int>(part),
                     call.collective.group.members[peer], tag, &request),
        "receiving"));
    to += part;
    bytes -= part;
  } while (bytes);
  return Status();
}

/// Reads the notes of other ranks. Returns the error of a rank that has aborted,
/// if there is one.
Status MpiChannel::checkAborted() {
  std::lock_guard lock(mutex);
  if (!failure.ok())
    return failure.clone();
  for (;;) {
    Note note;
    int peer = -1;
    TENSORC_RT_TRY(connection->receive(note, peer));
    if (peer < 0)
      return Status();
    if (note.kind == Note::Ended)
      endings[peer] = note.calls;
    if (note.kind == Note::Failed)
      return error(TENSORC_RT_CANCELLED, "rank %d: %.*s", peer,
                   static_cast<int>(textBytes), note.text);
  }
}

/// Returns an error if a rank has ended without calling the collective.
Status MpiChannel::checkEnded(const Call &call) {
  const Group &group = call.collective.group;
  std::lock_guard lock(mutex);
  for (int32_t of = 0; of < group.size(); ++of) {
    int64_t calls = endings[group.members[of]];
    if (calls >= 0 && call.number >= static_cast<uint64_t>(calls))
      return error(TENSORC_RT_FAILED_PRECONDITION,
                   "%s: rank %d has ended without calling it",
                   call.collective.title().c_str(), group.members[of]);
  }
  return Status();
}

Status MpiChannel::timeOut(const Call &call) {
  const Collective &own = call.collective;
  std::vector<int> missing;
  std::string text;
  for (int peer = 0; peer < own.group.size(); ++peer) {
    if (peer == own.group.own || call.transfer.peers[peer].isDone)
      continue;
    missing.push_back(own.group.members[peer]);
    text += (text.empty() ? "" : ", ") + std::to_string(missing.back());
  }
  connection->miss(std::move(missing), call.timeout);
  return lateRanks(own, text, call.timeout, library.rank);
}

/// Returns the error of MPI about a message to or from a peer, which may have
/// been killed.
Status MpiChannel::checkMessage(const Call &call, const Transfer::Peer &peer,
                                int code) {
  Status status = library.check(code, "waiting for a message");
  if (status.ok())
    return status;
  const Collective &own = call.collective;
  int rank = own.group.members[&peer - call.transfer.peers.data()];
  connection->miss({rank}, call.timeout);
  return error(status.get()->code, "%s: rank %d: %s", own.title().c_str(), rank,
               status.get()->message.c_str());
}

/// Waits for all messages. MPI makes progress only in these calls.
Status MpiChannel::wait(Call &call) {
  for (Transfer::Peer &peer : call.transfer.peers)
    peer.isDone = false;
  for (uint64_t rounds = 0;; ++rounds) {
    bool isDone = true;
    for (Transfer::Peer &peer : call.transfer.peers) {
      while (!peer.requests.empty()) {
        int done = 0;
        TENSORC_RT_TRY(
            checkMessage(call, peer, shim.test(&peer.requests.back(), &done)));
        if (!done)
          break;
        peer.requests.pop_back();
      }
      peer.isDone = peer.requests.empty();
      isDone &= peer.isDone;
    }
    if (isDone)
      return Status();
    if (rounds % 64 == 63) {
      TENSORC_RT_TRY(checkAborted());
      TENSORC_RT_TRY(checkEnded(call));
    }
    if (now() >= call.deadline)
      return timeOut(call);
    // Ranks may share a processor, so after a while each of them sleeps between
    // polls.
    timespec pause = {0, 50000};
    if (rounds < 4096)
      sched_yield();
    else
      nanosleep(&pause, nullptr);
  }
}

/// Sends each rank of the group a hash of the collective that this rank calls,
/// followed by the data for that rank if it is small. Receives the same from
/// each of them.
Status MpiChannel::exchangeHeaders(Call &call, bool &isFirstOnly) {
  const Collective &collective = call.collective;
  uint64_t own[] = {hashText(collective.text()), 0};
  own[1] =
      collective.calls.first ? hashText(collective.first().text()) : own[0];
  int rank = call.collective.group.own, size = call.collective.group.size();
  for (int peer = 0; peer < size; ++peer) {
    Transfer::Peer &with = call.transfer.peers[peer];
    auto [data, bytes] = call.given(rank, peer, size);
    size_t more = bytes <= maxInlineBytes ? bytes : 0;
    with.out.resize(headerBytes + more);
    std::memcpy(with.out.data(), own, headerBytes);
    if (more)
      std::memcpy(with.out.data() + headerBytes, data, more);
    with.in.resize(headerBytes + maxInlineBytes);
    if (peer == rank) {
      std::copy(with.out.begin(), with.out.end(), with.in.begin());
      continue;
    }
    TENSORC_RT_TRY(
        receive(call, peer, with.in.data(), with.in.size(), call.tag));
    TENSORC_RT_TRY(
        send(call, peer, with.out.data(), with.out.size(), call.tag));
  }
  TENSORC_RT_TRY(wait(call));
  return agree(call, isFirstOnly);
}

/// Compares the headers. Sets `isFirstOnly` if the ranks combine different
/// calls, the first of which is the same.
Status MpiChannel::agree(Call &call, bool &isFirstOnly) {
  const std::vector<Transfer::Peer> &peers = call.transfer.peers;
  auto isEqual = [&](size_t at) {
    for (int peer = 1; peer < call.collective.group.size(); ++peer)
      if (std::memcmp(peers[peer].in.data() + at, peers[0].in.data() + at,
                      textHashBytes))
        return false;
    return true;
  };
  if (isEqual(0))
    return Status();
  isFirstOnly = isEqual(textHashBytes);
  return isFirstOnly ? Status() : tellDifference(call);
}

/// Returns the error of ranks that call different collectives. All ranks notice
/// the difference, and exchange the texts of their collectives for the message.
Status MpiChannel::tellDifference(Call &call) {
  std::string text = call.collective.first().call();
  text.resize(textBytes - 1);
  int rank = call.collective.group.own, size = call.collective.group.size();
  std::vector<Transfer::Peer> &peers = call.transfer.peers;
  for (int peer = 0; peer < size; ++peer) {
    peers[peer].out.assign(text.c_str(), text.c_str() + textBytes);
    peers[peer].in.assign(text.c_str(), text.c_str() + textBytes);
    if (peer == rank)
      continue;
    TENSORC_RT_TRY(
        receive(call, peer, peers[peer].in.data(), textBytes, call.tag));
    TENSORC_RT_TRY(
        send(call, peer, peers[peer].out.data(), textBytes, call.tag));
  }
  TENSORC_RT_TRY(wait(call));
  const char *first = peers[0].in.data();
  int other = 1;
  while (other + 1 < size && isSameCall(peers[other].in.data(), first))
    ++other;
  return differentCalls(call.collective.group.members[other],
                        peers[other].in.data(),
                        call.collective.group.members[0], first);
}

/// Sends the bytes that did not fit into the header's message, and receives
/// those of the other ranks into the output, or into memory from which they are
/// combined.
Status MpiChannel::exchangeBytes(Call &call) {
  const Collective &own = call.collective;
  int rank = call.collective.group.own, size = call.collective.group.size();
  std::vector<const char *> inputs(static_cast<size_t>(size));
  for (int peer = 0; peer < size; ++peer) {
    Transfer::Peer &with = call.transfer.peers[peer];
    size_t bytes = call.expected(rank, peer, size);
    char *to = nullptr;
    if (own.isReduction()) {
      with.slice.resize(peer == rank ? 0 : bytes);
      to = with.slice.data();
    } else if (bytes) {
      bool isJoined = own.outputPieces() > 1;
      to = own.output + (isJoined ? static_cast<size_t>(peer) * own.piece : 0);
    }
    auto [data, given] = call.given(rank, peer, size);
    if (peer == rank) {
      inputs[peer] = data;
      if (!own.isReduction() && bytes && to != data)
        std::memcpy(to, data, bytes);
      continue;
    }
    inputs[peer] = to;
    if (bytes > maxInlineBytes)
      TENSORC_RT_TRY(receive(call, peer, to, bytes, call.tag + 1));
    else if (bytes)
      std::memcpy(to, with.in.data() + headerBytes, bytes);
    if (given > maxInlineBytes)
      TENSORC_RT_TRY(send(call, peer, data, given, call.tag + 1));
  }
  TENSORC_RT_TRY(wait(call));
  if (own.kind == TENSORC_RT_PERMUTE && own.sourceOf(rank) < 0 && own.piece)
    std::memset(own.output, 0, own.piece);
  if (!own.isReduction() || !own.count)
    return Status();
  if (!call.isLargeReduction(size)) {
    combine(own.combiner, own.dtype, inputs, 0, own.output, 0, own.count);
    return Status();
  }
  size_t from = call.sliceAt(rank, size), to = call.sliceAt(rank + 1, size);
  size_t width = own.piece / static_cast<size_t>(own.count);
  combine(own.combiner, own.dtype, inputs, 0, own.output + from, 0,
          static_cast<int64_t>((to - from) / width));
  return shareSlices(call);
}

/// Sends the slice that this rank has combined to the other ranks, and receives
/// theirs.
Status MpiChannel::shareSlices(Call &call) {
  int rank = call.collective.group.own, size = call.collective.group.size();
  char *output = call.collective.output;
  auto sliceOf = [&](int of) {
    return std::pair(call.sliceAt(of, size),
                     call.sliceAt(of + 1, size) - call.sliceAt(of, size));
  };
  auto [own, ownBytes] = sliceOf(rank);
  for (int peer = 0; peer < size; ++peer) {
    if (peer == rank)
      continue;
    auto [at, bytes] = sliceOf(peer);
    TENSORC_RT_TRY(receive(call, peer, output + at, bytes, call.tag));
    TENSORC_RT_TRY(send(call, peer, output + own, ownBytes, call.tag));
  }
  return wait(call);
}

std::unique_ptr<Transfer> MpiChannel::takeTransfer() {
  std::lock_guard lock(mutex);
  return spare ? std::move(spare) : std::make_unique<Transfer>(library.size);
}

void MpiChannel::keepTransfer(std::unique_ptr<Transfer> transfer) {
  for (Transfer::Peer &peer : transfer->peers)
    if (peer.slice.capacity() > maxKeptBytes)
      peer.slice = {};
  std::lock_guard lock(mutex);
  spare = std::move(transfer);
}

Status MpiChannel::run(Call &call, bool &isFirstOnly) {
  TENSORC_RT_TRY(checkAborted());
  TENSORC_RT_TRY(exchangeHeaders(call, isFirstOnly));
  if (!isFirstOnly)
    return exchangeBytes(call);
  Call first{call.collective.first(), call.transfer, call.number, call.tag,
             call.deadline,           call.timeout};
  bool isSplit = false; // A single call is not split again.
  TENSORC_RT_TRY(exchangeHeaders(first, isSplit));
  return exchangeBytes(first);
}

Status MpiChannel::perform(uint64_t number, const Collective &collective,
                           bool &isFirstOnly) {
  std::unique_ptr<Transfer> transfer = takeTransfer();
  int tag = 2 * static_cast<int>(number % (numbersOfTags / 2));
  connection->calls.fetch_add(1, std::memory_order_relaxed);
  Call call{collective, *transfer, number, tag, now() + timeout * 1000000,
            timeout};
  Status status = run(call, isFirstOnly);
  if (status.ok()) {
    if (!isFirstOnly)
      connection->calls.fetch_add(static_cast<int64_t>(collective.numCalls()) -
                                      1,
                                  std::memory_order_relaxed);
    keepTransfer(std::move(transfer));
    return status;
  }
  (void)transfer.release(); // MPI may still write to its memory.
  // A rank that is late calls nothing that would tell it of the error.
  bool isOwn = status.get()->code == TENSORC_RT_DEADLINE_EXCEEDED ||
               status.get()->code == TENSORC_RT_DEVICE_ERROR;
  std::string text = status.get()->message;
  return fail(std::move(status), isOwn ? Note::Failed : Note::Received,
              text.c_str());
}

Status MpiChannel::fail(Status why, Note::Kind kind, const char *text) {
  std::lock_guard lock(mutex);
  if (!failure.ok())
    return failure.clone();
  failure = std::move(why);
  hasFailed = true;
  connection->send(kind, text);
  return failure.clone();
}

/// Sends the error to all other ranks, which find it in their current or next
/// collective.
void MpiChannel::abort(Status why) {
  if (hasFailed)
    return;
  std::string message = why.get()->message;
  (void)fail(
      error(why.get()->code, "rank %d: %s", library.rank, message.c_str()),
      Note::Failed, message.c_str());
}

MpiChannel::~MpiChannel() {
  if (hasFailed)
    return;
  connection->send(Note::Ended);
  connection->close();
}

Status tensorc::rt::connectByMpi(std::shared_ptr<Channel> &out, int32_t &rank,
                                 int32_t &size) {
  std::shared_ptr<Connection> connection;
  TENSORC_RT_TRY(Connection::create(connection));
  rank = connection->library.rank;
  size = connection->library.size;
  out = std::make_shared<MpiChannel>(std::move(connection));
  return Status();
}
