//===- NcclChannel.cpp - ranks that are GPUs of one vendor ----------------===//
//
// Collectives are calls of NCCL, on the caller's stream and in memory of the
// GPU. NCCL neither notices ranks that make different calls, nor limits how long
// a rank waits. So the ranks gather the texts of their calls before each
// collective, and a thread of the channel watches over unfinished work. If it
// fails, it aborts NCCL's communicators, which ends the waiting on the GPU.
//
// Reductions that NCCL lacks, or defines in another way, are gathered by NCCL
// and computed on the host, in the order of the ranks.
//
//===----------------------------------------------------------------------===//
#include "runtime/collectives/Communicator.h"
#include "runtime/collectives/HostBlock.h"
#include "runtime/collectives/nccl/Comms.h"
#include "runtime/collectives/nccl/FileChannel.h"
#include "runtime/core/Buffer.h"
#include "runtime/core/OutOfMemory.h"
#include "runtime/core/streams/Event.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

using namespace tensorc::rt;
using namespace tensorc::rt::nccl;

/// Number of bytes of a call as the ranks exchange it: hashes of the texts of
/// the collective and of the first call that it combines, then the beginning of
/// that call, with a null byte.
static constexpr size_t callBytes = 256, callHashBytes = sizeof(uint64_t);
static constexpr size_t callTextAt = 2 * callHashBytes;
/// Time between two looks at unfinished work, and at the other ranks.
static constexpr std::chrono::milliseconds watchPause{5}, idlePause{50};

namespace {
/// A collective on a stream.
struct Pending {
  Collective call;
  std::shared_ptr<Mark> begin, end;
  int64_t started = 0; // time at which the stream was seen to have reached it
};

/// A type and an operation of NCCL that compute a reduction.
struct NativeReduction {
  Type type;
  Operation operation;
  size_t factor = 1; // elements of `type` in one element
};

/// Unfinished collectives, and the thread that watches them.
struct Watch {
  std::mutex mutex; // guards the members
  std::condition_variable changed;
  std::deque<Pending> pending;
  bool isClosing = false;
  std::thread thread;
};

class NcclChannel final : public Channel {
public:
  NcclChannel(const Library &library, Device &device,
              std::shared_ptr<Channel> side, int32_t rank, int32_t size)
      : library(library), device(device), side(std::move(side)), rank(rank),
        size(size), comms(library, device, outcome, rank, size) {}
  ~NcclChannel() override;
  /// Joins the communicator with this id.
  Status connect(const UniqueId &id);

  Status perform(uint64_t number, const Collective &collective,
                 bool &isFirstOnly) override;
  bool takesDeviceMemory() const override { return true; }
  Status queue(Collective &collective, Stream &stream) override;
  void abort(Status why) override;
  const char *backend() const override { return "nccl"; }

private:
  Status start(const Collective &own, Stream &stream, bool &isFirstOnly);
  Status startCalls(Collective &own, Stream &stream);
  Status gatherTexts(const Collective &own, Stream &stream,
                     std::shared_ptr<HostBlock> &host);
  Status finish(const Pending &added, Stream &stream);
  Status communicate(const Collective &own, Stream &stream);
  Status reduceOnHost(const Collective &own, Stream &stream);
  Status exchange(const Collective &own, char *output, Stream &stream);

  void watch();
  void watchPending();
  void reportLate(const Pending &late);

  const Library &library;
  Device &device;
  /// A second channel on the host, by which the ranks report errors.
  const std::shared_ptr<Channel> side;
  const int32_t rank, size;
  const std::shared_ptr<Outcome> outcome = std::make_shared<Outcome>();
  Comms comms;
  // Gives all ranks the same order of a collective's calls of the library.
  std::mutex order;
  Watch watched;
};
} // namespace

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Returns NCCL's dtype and operation for the reduction, or nullopt if the result
/// would have other bits than the runtime defines. Sums and products of floats
/// are accepted, although NCCL may add and round in another order. Minima and
/// maxima of floats are not, because NCCL's do not propagate NaN.
static std::optional<NativeReduction> findNative(const Collective &own) {
  struct Row {
    tensorc_rt_dtype dtype;
    Type type;
    bool isFloat;
  };
  static constexpr Row rows[] = {
      {TENSORC_RT_I1, uint8, false},    {TENSORC_RT_I8, int8, false},
      {TENSORC_RT_UI8, uint8, false},   {TENSORC_RT_I32, int32, false},
      {TENSORC_RT_UI32, uint32, false}, {TENSORC_RT_I64, int64, false},
      {TENSORC_RT_UI64, uint64, false}, {TENSORC_RT_F16, f16, true},
      {TENSORC_RT_BF16, bf16, true},    {TENSORC_RT_F32, f32, true},
      {TENSORC_RT_F64, f64, true}};
  bool isSum = own.combiner == TENSORC_RT_SUM;
  if (own.dtype == TENSORC_RT_C64 && isSum)
    return NativeReduction{f32, sum, 2};
  if (own.dtype == TENSORC_RT_C128 && isSum)
    return NativeReduction{f64, sum, 2};
  auto row =
      std::find_if(std::begin(rows), std::end(rows),
                   [&](const Row &row) { return row.dtype == own.dtype; });
  if (row == std::end(rows))
    return std::nullopt;
  bool isBool = own.dtype == TENSORC_RT_I1;
  switch (own.combiner) {
  case TENSORC_RT_SUM:
    return NativeReduction{row->type, sum};
  case TENSORC_RT_PRODUCT:
    return NativeReduction{row->type, product};
  case TENSORC_RT_MIN:
    return row->isFloat ? std::nullopt
                        : std::optional(NativeReduction{row->type, min});
  case TENSORC_RT_MAX:
    return row->isFloat ? std::nullopt
                        : std::optional(NativeReduction{row->type, max});
  case TENSORC_RT_AND:
    return isBool ? std::optional(NativeReduction{uint8, min}) : std::nullopt;
  case TENSORC_RT_OR:
    return isBool ? std::optional(NativeReduction{uint8, max}) : std::nullopt;
  }
  return std::nullopt;
}

/// Sends each rank of the group its piece of the input, or the input to the
/// target of a permutation.
Status NcclChannel::exchange(const Collective &own, char *output,
                             Stream &stream) {
  bool isPermutation = own.kind == TENSORC_RT_PERMUTE;
  auto index = [&](int32_t peer) {
    return isPermutation ? 0 : static_cast<size_t>(peer) * own.piece;
  };
  void *on = stream.native();
  auto transfer = [&](Comm comm) {
    Result result = success;
    auto note = [&](Result next) {
      if (result == success)
        result = next;
    };
    for (int32_t peer = 0; peer < own.group.size(); ++peer) {
      if (!isPermutation || own.sourceOf(peer) == own.group.own)
        note(library.send(own.input + index(peer), own.piece, int8, peer, comm,
                          on));
      if (!isPermutation || own.sourceOf(own.group.own) == peer)
        note(library.receive(output + index(peer), own.piece, int8, peer, comm,
                             on));
    }
    return result;
  };
  return comms.call(own.group, "exchanging pieces", timeout, [&](Comm comm) {
    if (Result result = library.groupStart(); result != success)
      return result;
    Result result = transfer(comm), ended = library.groupEnd();
    return result == success || result == inProgress ? ended : result;
  });
}

/// Gathers the operands of a reduction, and combines them on the host.
Status NcclChannel::reduceOnHost(const Collective &own, Stream &stream) {
  size_t ranks = static_cast<size_t>(own.group.size());
  size_t bytes = own.piece * ranks;
  auto host = std::make_shared<HostBlock>(bytes + own.piece);
  if (!host->data)
    return outOfMemory();
  std::vector<Buffer *> gathered(1);
  TENSORC_RT_TRY(device.allocator.allocate(bytes, gathered[0], stream.id));
  Status status = catchBadAlloc([&]() -> Status {
    auto *data = static_cast<char *>(gathered[0]->data);
    if (own.kind == TENSORC_RT_ALL_REDUCE)
      TENSORC_RT_TRY(
          comms.call(own.group, "all_gather", timeout, [&](Comm comm) {
            return library.allGather(own.input, data, own.piece, int8, comm,
                                     stream.native());
          }));
    else
      TENSORC_RT_TRY(exchange(own, data, stream));
    TENSORC_RT_TRY(
        stream.copy(host->data, data, bytes, CopyKind::DeviceToHost));
    TENSORC_RT_TRY(stream.call([host, bytes, ranks, combiner = own.combiner,
                                dtype = own.dtype, count = own.count] {
      std::vector<const char *> inputs;
      for (size_t of = 0; of < ranks; ++of)
        inputs.push_back(host->data + of * (bytes / ranks));
      combine(combiner, dtype, inputs, 0, host->data + bytes, 0, count);
      return Status();
    }));
    return stream.copy(own.output, host->data + bytes, own.piece,
                       CopyKind::HostToDevice);
  });
  stream.retire(std::move(gathered), host); // Work may have begun.
  return status;
}

Status NcclChannel::communicate(const Collective &own, Stream &stream) {
  if (!own.piece)
    return Status();
  void *on = stream.native();
  auto call = [&](const char *doing, auto function) {
    return comms.call(own.group, doing, timeout, function);
  };
  switch (own.kind) {
  case TENSORC_RT_ALL_REDUCE:
  case TENSORC_RT_REDUCE_SCATTER: {
    std::optional<NativeReduction> native = findNative(own);
    if (!native)
      return reduceOnHost(own, stream);
    bool isAll = own.kind == TENSORC_RT_ALL_REDUCE;
    auto *reduce = isAll ? library.allReduce : library.reduceScatter;
    size_t count = static_cast<size_t>(own.count) * native->factor;
    return call(isAll ? "all_reduce" : "reduce_scatter", [&](Comm comm) {
      return reduce(own.input, own.output, count, native->type,
                    native->operation, comm, on);
    });
  }
  case TENSORC_RT_ALL_GATHER:
    return call("all_gather", [&](Comm comm) {
      return library.allGather(own.input, own.output, own.piece, int8, comm,
                               on);
    });
  case TENSORC_RT_BROADCAST:
    return call("broadcast", [&](Comm comm) {
      return library.broadcast(own.input ? own.input : own.output, own.output,
                               own.piece, int8, own.root, comm, on);
    });
  case TENSORC_RT_PERMUTE:
    if (own.sourceOf(own.group.own) < 0)
      TENSORC_RT_TRY(stream.fill(own.output, 0, 1, own.piece));
    return exchange(own, own.output, stream);
  case TENSORC_RT_ALL_TO_ALL:
    return exchange(own, own.output, stream);
  case TENSORC_RT_BARRIER:
    return Status();
  }
  return Status();
}

/// Compares the calls of all ranks. Then sets the byte that follows them, if the
/// ranks combine different calls, the first of which is the same. Runs on a
/// thread of the vendor's library.
static Status compareCalls(char *calls, int32_t ranks) {
  auto dataOf = [&](int32_t of) {
    return calls + static_cast<size_t>(of) * callBytes;
  };
  auto callOf = [&](int32_t of) {
    const char *call = dataOf(of) + callTextAt;
    return std::string_view(call, strnlen(call, callBytes - callTextAt));
  };
  for (int32_t of = 1; of < ranks; ++of) {
    if (std::memcmp(dataOf(of) + callHashBytes, dataOf(0) + callHashBytes,
                    callHashBytes))
      return differentCalls(of, callOf(of), 0, callOf(0));
    if (std::memcmp(dataOf(of), dataOf(0), callHashBytes))
      calls[callBytes * static_cast<size_t>(ranks)] = 1;
  }
  return Status();
}

/// Gathers the texts of the ranks' calls, which is also what a barrier does.
Status NcclChannel::gatherTexts(const Collective &own, Stream &stream,
                                std::shared_ptr<HostBlock> &host) {
  char call[callBytes] = "";
  uint64_t hashes[] = {hashText(own.text()), hashText(own.first().text())};
  std::memcpy(call, hashes, callTextAt);
  own.first().call().copy(call + callTextAt, callBytes - callTextAt - 1);
  size_t bytes = callBytes * static_cast<size_t>(size);
  host = std::make_shared<HostBlock>(bytes + 1);
  if (!host->data)
    return outOfMemory();
  host->data[bytes] = 0;
  std::vector<Buffer *> texts(1);
  TENSORC_RT_TRY(
      device.allocator.allocate(bytes + callBytes, texts[0], stream.id));
  Status status = catchBadAlloc([&]() -> Status {
    auto *data = static_cast<char *>(texts[0]->data);
    TENSORC_RT_TRY(stream.write(data + bytes, call, callBytes));
    TENSORC_RT_TRY(
        comms.callAll("comparing the calls", timeout, [&](Comm comm) {
          return library.allGather(data + bytes, data, callBytes, int8, comm,
                                   stream.native());
        }));
    TENSORC_RT_TRY(
        stream.copy(host->data, data, bytes, CopyKind::DeviceToHost));
    return stream.call([outcome = outcome, host, ranks = size] {
      if (!outcome->failed())
        if (Status status = compareCalls(host->data, ranks); !status.ok())
          outcome->fail(std::move(status));
      return outcome->get();
    });
  });
  stream.retire(std::move(texts), host); // Work may have begun.
  return status;
}

/// Marks the end of a collective's work, and has it watched.
Status NcclChannel::finish(const Pending &added, Stream &stream) {
  TENSORC_RT_TRY(
      stream.call([outcome = this->outcome] { return outcome->get(); }));
  Pending ended = added;
  TENSORC_RT_TRY(stream.record(ended.end));
  std::lock_guard lock(watched.mutex);
  watched.pending.push_back(std::move(ended));
  watched.changed.notify_all();
  return Status();
}

/// Queues a collective. If it combines calls, waits for the other ranks, and
/// sets `isFirstOnly` if they combine other ones.
Status NcclChannel::start(const Collective &own, Stream &stream,
                          bool &isFirstOnly) {
  if (!stream.native())
    return error(TENSORC_RT_UNSUPPORTED,
                 "%s: the stream is not one of the vendor's library",
                 own.title().c_str());
  Pending added;
  added.call = own.first();
  TENSORC_RT_TRY(stream.record(added.begin));
  std::shared_ptr<HostBlock> texts;
  TENSORC_RT_TRY(gatherTexts(own, stream, texts));
  if (!own.calls.first) {
    TENSORC_RT_TRY(communicate(own, stream));
    return finish(added, stream);
  }
  std::shared_ptr<Mark> compared;
  TENSORC_RT_TRY(stream.record(compared));
  TENSORC_RT_TRY(finish(added, stream));
  TENSORC_RT_TRY(compared->wait());
  TENSORC_RT_TRY(outcome->get());
  isFirstOnly = texts->data[callBytes * static_cast<size_t>(size)];
  TENSORC_RT_TRY(communicate(isFirstOnly ? own.first() : own, stream));
  return finish(added, stream);
}

Status NcclChannel::startCalls(Collective &own, Stream &stream) {
  return performCalls(own,
                      [&](size_t, const Collective &call, bool &isFirstOnly) {
                        return start(call, stream, isFirstOnly);
                      });
}

Status NcclChannel::queue(Collective &own, Stream &stream) {
  TENSORC_RT_TRY(outcome->get());
  Status status = catchBadAlloc([&] {
    return device.withCollectives([&](auto) {
      std::lock_guard lock(order);
      return startCalls(own, stream);
    });
  });
  if (status.ok())
    return status;
  abort(std::move(status));
  return outcome->get();
}

Status NcclChannel::perform(uint64_t, const Collective &collective, bool &) {
  return error(TENSORC_RT_UNSUPPORTED,
               "%s: NCCL works on memory of GPUs; connect the ranks by MPI",
               collective.title().c_str());
}

//===----------------------------------------------------------------------===//
// Watching
//===----------------------------------------------------------------------===//

void NcclChannel::abort(Status why) {
  if (outcome->failed())
    return;
  outcome->fail(
      error(why.get()->code, "rank %d: %s", rank, why.get()->message.c_str()));
  if (!side->isConcurrent())
    return;
  try {
    side->abort(std::move(why));
  } catch (const std::bad_alloc &) {
    side->abort(outOfMemory());
  }
}

/// Finds out which ranks did not call a collective that is late: the ranks that
/// wait for it meet in a barrier on the host.
void NcclChannel::reportLate(const Pending &late) {
  Collective barrier{};
  barrier.kind = TENSORC_RT_BARRIER;
  barrier.name = late.call.name;
  barrier.subject = &late.call;
  for (int32_t of = 0; of < size; ++of)
    barrier.group.members.push_back(of);
  barrier.group.own = rank;
  side->timeout = timeout.load();
  Status why;
  bool isFirstOnly = false;
  if (side->isConcurrent())
    why = side->perform(UINT16_MAX, barrier, isFirstOnly);
  if (why.ok())
    why =
        error(TENSORC_RT_DEADLINE_EXCEEDED,
              "%s: it was not finished within %lld ms, for which rank %d "
              "waited",
              late.call.title().c_str(), static_cast<long long>(timeout), rank);
  if (side->isConcurrent())
    side->abort(why.clone());
  outcome->fail(std::move(why));
}

/// Drops finished collectives, and fails if one is late. Its time begins when
/// its stream reaches it.
void NcclChannel::watchPending() {
  std::unique_lock lock(watched.mutex);
  std::erase_if(watched.pending,
                [](const Pending &of) { return of.end->reached(); });
  for (Pending &of : watched.pending) {
    if (!of.started && of.begin->reached())
      of.started = now();
    if (!of.started || now() - of.started < timeout * 1000000)
      continue;
    Pending late = of;
    lock.unlock();
    return reportLate(late);
  }
}

void NcclChannel::watch() {
  std::unique_lock lock(watched.mutex);
  while (!watched.isClosing || !watched.pending.empty()) {
    watched.changed.wait_for(lock,
                             watched.pending.empty() ? idlePause : watchPause);
    lock.unlock();
    if (!outcome->failed() && side->isConcurrent())
      if (Status why = side->checkAborted(); !why.ok())
        outcome->fail(std::move(why));
    if (!outcome->failed())
      watchPending();
    if (outcome->failed())
      comms.abort();
    lock.lock();
    if (outcome->failed())
      watched.pending.clear();
  }
}

Status NcclChannel::connect(const UniqueId &id) {
  watched.thread = std::thread([this] { watch(); });
  Status status = comms.join(id, timeout);
  if (!status.ok())
    abort(status.clone());
  return status;
}

/// Waits for the collectives that were started.
NcclChannel::~NcclChannel() {
  if (!watched.thread.joinable())
    return;
  {
    std::lock_guard lock(watched.mutex);
    watched.isClosing = true;
    watched.changed.notify_all();
  }
  watched.thread.join();
}

/// Gives the id that rank 0 makes to the other processes of MPI.
static Status shareByMpi(Channel &mpi, int32_t rank, int32_t size,
                         UniqueId &id) {
  tensorc_rt_collective broadcast = {};
  broadcast.struct_size = sizeof broadcast;
  broadcast.kind = TENSORC_RT_BROADCAST;
  broadcast.dtype = TENSORC_RT_UI8;
  broadcast.count = sizeof id.bytes;
  broadcast.name = "NCCL";
  Collective made{};
  TENSORC_RT_TRY(makeCollective(broadcast, rank, size, made));
  made.input = made.output = id.bytes;
  bool isFirstOnly = false;
  return mpi.perform(0, made, isFirstOnly);
}

Status tensorc::rt::connectByNccl(Device &device, const char *file,
                                  int32_t &rank, int32_t &size,
                                  std::shared_ptr<Channel> &out) {
  const Library *library = nullptr;
  TENSORC_RT_TRY(findLibrary(device, library));
  std::shared_ptr<Channel> side;
  std::shared_ptr<FileChannel> files;
  if (file)
    side = files = std::make_shared<FileChannel>(file, rank, size);
  else
    TENSORC_RT_TRY(connectByMpi(side, rank, size));
  UniqueId id = {};
  if (rank == 0)
    TENSORC_RT_TRY(device.withCollectives([&](auto) {
      return library->check(library->uniqueId(&id), "a new id");
    }));
  TENSORC_RT_TRY(files ? files->share(id) : shareByMpi(*side, rank, size, id));
  auto channel =
      std::make_shared<NcclChannel>(*library, device, side, rank, size);
  TENSORC_RT_TRY(channel->connect(id));
  if (files)
    files->removeId();
  out = std::move(channel);
  return Status();
}
