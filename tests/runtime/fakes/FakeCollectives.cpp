//===- FakeCollectives.cpp - NCCL and RCCL --------------------------------===//
//
// Ranks are the threads of one process, each with its own fake GPU. A collective
// is a task of the stream, which waits for those of the other ranks. Ranks that
// make different calls, or no call, wait until their communicator is aborted.
// Calls return before they have joined the ranks, as those of a communicator
// that does not block.
//
//===----------------------------------------------------------------------===//
#include "EntryPoints.h"

#include "runtime/collectives/nccl/Library.h"

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

using namespace tensorc::fakes;

namespace nccl = tensorc::rt::nccl;

namespace {
constexpr int invalidArgument = 4, invalidUsage = 5;

/// A rank's part of a collective.
struct Part {
  int kind = 0, type = 0, operation = 0;
  size_t count = 0;
  const char *input = nullptr;
  char *output = nullptr;
  bool matches(const Part &other) const {
    return kind == other.kind && type == other.type &&
           operation == other.operation && count == other.count;
  }
};
enum Kind { AllReduce, ReduceScatter, AllGather, Broadcast };

/// A collective that some ranks have reached.
struct Meeting {
  std::vector<Part> parts;
  std::vector<bool> isThere;
  size_t arrived = 0, left = 0;
  bool isDone = false;
};

/// Bytes that one rank sends to another.
struct Message {
  const char *data = nullptr;
  size_t bytes = 0;
  bool isTaken = false;
};

struct World;

/// A division of a communicator's ranks.
struct Split {
  size_t joined = 0;
  std::map<int, std::shared_ptr<World>> worlds; // by color
};

/// The ranks of a communicator.
struct World {
  explicit World(int size) : size(static_cast<size_t>(size)) {}
  size_t size;
  std::mutex mutex;
  std::condition_variable changed;
  size_t joined = 0;
  std::map<uint64_t, Meeting> meetings;
  std::map<std::pair<int, int>, std::vector<std::shared_ptr<Message>>> boxes;
  std::vector<std::shared_ptr<Split>> splits;
};

/// A member of a group of messages.
struct Transfer {
  bool isSend;
  char *data;
  size_t bytes;
  int peer;
};
} // namespace

struct tensorc::rt::nccl::CommObject {
  std::shared_ptr<World> world;
  int rank = 0;
  std::shared_ptr<std::atomic<bool>> isAborted =
      std::make_shared<std::atomic<bool>>(false);
  uint64_t calls = 0;
  size_t splits = 0;
  // The division that made this communicator, and of which world.
  std::shared_ptr<Split> split;
  std::shared_ptr<World> parent;
  std::vector<Transfer> group;
  FakeStream *groupStream = nullptr;
};

static std::mutex worldsMutex;
static std::map<std::string, std::shared_ptr<World>> &worlds() {
  static auto *all = new std::map<std::string, std::shared_ptr<World>>;
  return *all;
}

static thread_local int groupDepth = 0;
static thread_local std::vector<nccl::Comm> groupComms;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

template <typename T> static T apply(int operation, T a, T b) {
  switch (operation) {
  case nccl::sum:
    return static_cast<T>(a + b);
  case nccl::product:
    return static_cast<T>(a * b);
  case nccl::max:
    return a > b ? a : b;
  default:
    return a < b ? a : b;
  }
}

/// Elements [first, first + count) of all inputs, in the order of the ranks.
template <typename Stored, typename Wide>
static void reduceAs(const std::vector<Part> &parts, size_t first, size_t count,
                     char *output, Wide (*load)(Stored),
                     Stored (*store)(Wide)) {
  std::vector<Stored> result(count);
  for (size_t i = 0; i < count; ++i) {
    Wide value{};
    for (size_t r = 0; r < parts.size(); ++r) {
      Stored bits;
      std::memcpy(&bits, parts[r].input + (first + i) * sizeof bits,
                  sizeof bits);
      value = r ? apply(parts[0].operation, value, load(bits)) : load(bits);
    }
    result[i] = store(value);
  }
  if (count)
    std::memcpy(output, result.data(), count * sizeof(Stored));
}

template <typename T>
static void reducePlain(const std::vector<Part> &parts, size_t first,
                        size_t count, char *output) {
  reduceAs<T, T>(
      parts, first, count, output, +[](T value) { return value; },
      +[](T value) { return value; });
}

static float loadHalf(uint16_t bits) { return std::bit_cast<_Float16>(bits); }
static uint16_t storeHalf(float value) {
  return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
}
static float loadBFloat(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}
static uint16_t storeBFloat(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static void reduce(const std::vector<Part> &parts, size_t first, size_t count,
                   char *output) {
  switch (parts[0].type) {
  case nccl::int8:
    return reducePlain<int8_t>(parts, first, count, output);
  case nccl::uint8:
    return reducePlain<uint8_t>(parts, first, count, output);
  case nccl::int32:
    return reducePlain<int32_t>(parts, first, count, output);
  case nccl::uint32:
    return reducePlain<uint32_t>(parts, first, count, output);
  case nccl::int64:
    return reducePlain<int64_t>(parts, first, count, output);
  case nccl::uint64:
    return reducePlain<uint64_t>(parts, first, count, output);
  case nccl::f16:
    return reduceAs<uint16_t, float>(parts, first, count, output, loadHalf,
                                     storeHalf);
  case nccl::f32:
    return reducePlain<float>(parts, first, count, output);
  case nccl::f64:
    return reducePlain<double>(parts, first, count, output);
  case nccl::bf16:
    return reduceAs<uint16_t, float>(parts, first, count, output, loadBFloat,
                                     storeBFloat);
  default:
    return;
  }
}

static size_t widthOf(int type) {
  constexpr size_t widths[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return type >= 0 && type < 10 ? widths[type] : 0;
}

/// Does the work of all ranks.
static void compute(const std::vector<Part> &parts) {
  size_t count = parts[0].count, bytes = count * widthOf(parts[0].type);
  std::vector<std::vector<char>> inputs; // outputs may be inputs
  std::vector<Part> copied = parts;
  for (size_t r = 0; r < parts.size(); ++r) {
    size_t all = parts[r].kind == ReduceScatter ? bytes * parts.size() : bytes;
    inputs.emplace_back(parts[r].input, parts[r].input + all);
    copied[r].input = inputs[r].data();
  }
  for (size_t r = 0; r < parts.size(); ++r)
    switch (parts[r].kind) {
    case AllReduce:
      reduce(copied, 0, count, parts[r].output);
      break;
    case ReduceScatter:
      reduce(copied, r * count, count, parts[r].output);
      break;
    case AllGather:
      for (size_t of = 0; of < parts.size(); ++of)
        std::memcpy(parts[r].output + of * bytes, inputs[of].data(), bytes);
      break;
    case Broadcast:
      std::memcpy(parts[r].output,
                  inputs[static_cast<size_t>(parts[r].operation)].data(),
                  bytes);
      break;
    }
}

//===----------------------------------------------------------------------===//
// Tasks of streams
//===----------------------------------------------------------------------===//

/// Waits for the other ranks' parts of the collective with this number.
static void meet(World &world, int rank, uint64_t number, const Part &part,
                 const std::atomic<bool> &isAborted) {
  std::unique_lock lock(world.mutex);
  Meeting &meeting = world.meetings[number];
  meeting.parts.resize(world.size);
  meeting.isThere.resize(world.size);
  meeting.parts[static_cast<size_t>(rank)] = part;
  meeting.isThere[static_cast<size_t>(rank)] = true;
  if (++meeting.arrived == world.size) {
    bool agree = true;
    for (const Part &other : meeting.parts)
      agree &= part.matches(other);
    if (agree)
      compute(meeting.parts);
    meeting.isDone = agree;
    world.changed.notify_all();
  }
  world.changed.wait(lock, [&] { return meeting.isDone || isAborted; });
  if (++meeting.left == world.size)
    world.meetings.erase(number);
}

static void transferAll(World &world, int rank,
                        const std::vector<Transfer> &group,
                        const std::atomic<bool> &isAborted) {
  std::unique_lock lock(world.mutex);
  std::vector<std::shared_ptr<Message>> sent;
  for (const Transfer &transfer : group)
    if (transfer.isSend) {
      auto message = std::make_shared<Message>(transfer.data, transfer.bytes);
      world.boxes[{rank, transfer.peer}].push_back(message);
      sent.push_back(message);
    }
  world.changed.notify_all();
  for (const Transfer &transfer : group) {
    if (transfer.isSend)
      continue;
    auto &box = world.boxes[{transfer.peer, rank}];
    world.changed.wait(lock, [&] { return !box.empty() || isAborted; });
    if (isAborted || box.front()->bytes != transfer.bytes)
      break;
    std::memcpy(transfer.data, box.front()->data, transfer.bytes);
    box.front()->isTaken = true;
    box.erase(box.begin());
    world.changed.notify_all();
  }
  for (auto &message : sent)
    world.changed.wait(lock, [&] { return message->isTaken || isAborted; });
  if (isAborted) // The memory of unsent messages may be freed.
    for (auto &[between, box] : world.boxes)
      std::erase_if(box, [&](auto &message) {
        return std::find(sent.begin(), sent.end(), message) != sent.end();
      });
}

static char *hostOf(FakeDevice &device, const void *data, size_t bytes) {
  return bytes ? device.memory.host(data, bytes) : nullptr;
}

/// Queues a collective. The addresses are those of the stream's device.
static int collect(nccl::Comm comm, Part part, const void *input,
                   size_t inputPieces, void *output, size_t outputPieces,
                   nccl::Stream_t on) {
  if (!comm || !on || !widthOf(part.type) || groupDepth)
    return invalidArgument;
  auto &stream = *static_cast<FakeStream *>(on);
  size_t bytes = part.count * widthOf(part.type);
  stream.enqueue([world = comm->world, rank = comm->rank,
                  number = comm->calls++, part, input, output,
                  isAborted = comm->isAborted, &device = stream.device,
                  inputBytes = bytes * inputPieces,
                  outputBytes = bytes * outputPieces]() mutable {
    part.input = hostOf(device, input, inputBytes);
    part.output = hostOf(device, output, outputBytes);
    if ((inputBytes && !part.input) || (outputBytes && !part.output))
      return device.fail(illegalAddress);
    meet(*world, rank, number, part, *isAborted);
  });
  return nccl::success;
}

static int transfer(nccl::Comm comm, bool isSend, const void *data,
                    size_t count, int type, int peer, nccl::Stream_t on) {
  if (!comm || !on || !widthOf(type) || peer < 0 ||
      static_cast<size_t>(peer) >= comm->world->size)
    return invalidArgument;
  if (!groupDepth)
    return invalidUsage;
  if (comm->group.empty())
    groupComms.push_back(comm);
  comm->group.push_back({isSend, static_cast<char *>(const_cast<void *>(data)),
                         count * widthOf(type), peer});
  comm->groupStream = static_cast<FakeStream *>(on);
  return nccl::success;
}

extern "C" {

FAKE_EXPORT int ncclGetVersion(int *out) {
  const char *version = std::getenv("TENSORC_FAKE_NCCL_VERSION");
  *out = version ? std::atoi(version) : 22304;
  return nccl::success;
}

FAKE_EXPORT const char *ncclGetErrorString(int result) {
  return result == invalidUsage ? "invalid usage" : "a fake error";
}

FAKE_EXPORT int ncclGetUniqueId(nccl::UniqueId *out) {
  static std::atomic<int> last{0};
  std::snprintf(out->bytes, sizeof out->bytes, "fake id %d", ++last);
  return nccl::success;
}

FAKE_EXPORT int ncclCommInitRankConfig(nccl::Comm *out, int size,
                                       nccl::UniqueId id, int rank,
                                       nccl::Config *config) {
  if (!currentDevice() || rank < 0 || rank >= size || config->blocking ||
      config->magic != nccl::Config().magic)
    return invalidArgument;
  auto comm = std::make_unique<nccl::CommObject>();
  comm->rank = rank;
  std::lock_guard lock(worldsMutex);
  std::shared_ptr<World> &world = worlds()[id.bytes];
  if (!world)
    world = std::make_shared<World>(size);
  comm->world = world;
  std::lock_guard worldLock(world->mutex);
  if (++world->joined == world->size)
    worlds().erase(id.bytes);
  *out = comm.release();
  return nccl::inProgress;
}

FAKE_EXPORT int ncclCommGetAsyncError(nccl::Comm comm, int *out) {
  World &world = comm->parent ? *comm->parent : *comm->world;
  std::lock_guard lock(world.mutex);
  size_t joined = comm->split ? comm->split->joined : world.joined;
  *out = joined < world.size ? nccl::inProgress : nccl::success;
  return nccl::success;
}

FAKE_EXPORT int ncclCommSplit(nccl::Comm parent, int color, int key,
                              nccl::Comm *out, nccl::Config *config) {
  if (!currentDevice() || config || color < 0)
    return invalidArgument;
  auto comm = std::make_unique<nccl::CommObject>();
  comm->rank = key;
  comm->parent = parent->world;
  std::lock_guard lock(parent->world->mutex);
  auto &splits = parent->world->splits;
  if (splits.size() == parent->splits)
    splits.push_back(std::make_shared<Split>());
  comm->split = splits[parent->splits++];
  ++comm->split->joined;
  std::shared_ptr<World> &world = comm->split->worlds[color];
  if (!world)
    world = std::make_shared<World>(0);
  ++world->size;
  comm->world = world;
  *out = comm.release();
  return nccl::success;
}

/// Waits for no other rank.
FAKE_EXPORT int ncclCommDestroy(nccl::Comm comm) {
  delete comm;
  return nccl::success;
}

FAKE_EXPORT int ncclCommAbort(nccl::Comm comm) {
  {
    std::lock_guard lock(comm->world->mutex);
    *comm->isAborted = true;
    comm->world->changed.notify_all();
  }
  delete comm;
  return nccl::success;
}

FAKE_EXPORT int ncclAllReduce(const void *input, void *output, size_t count,
                              int type, int operation, nccl::Comm comm,
                              nccl::Stream_t on) {
  return collect(comm, {AllReduce, type, operation, count}, input, 1, output, 1,
                 on);
}

FAKE_EXPORT int ncclReduceScatter(const void *input, void *output, size_t count,
                                  int type, int operation, nccl::Comm comm,
                                  nccl::Stream_t on) {
  return collect(comm, {ReduceScatter, type, operation, count}, input,
                 comm->world->size, output, 1, on);
}

FAKE_EXPORT int ncclAllGather(const void *input, void *output, size_t count,
                              int type, nccl::Comm comm, nccl::Stream_t on) {
  return collect(comm, {AllGather, type, 0, count}, input, 1, output,
                 comm->world->size, on);
}

FAKE_EXPORT int ncclBroadcast(const void *input, void *output, size_t count,
                              int type, int root, nccl::Comm comm,
                              nccl::Stream_t on) {
  return collect(comm, {Broadcast, type, root, count}, input, 1, output, 1, on);
}

FAKE_EXPORT int ncclSend(const void *data, size_t count, int type, int peer,
                         nccl::Comm comm, nccl::Stream_t on) {
  return transfer(comm, /*isSend=*/true, data, count, type, peer, on);
}

FAKE_EXPORT int ncclRecv(void *data, size_t count, int type, int peer,
                         nccl::Comm comm, nccl::Stream_t on) {
  return transfer(comm, /*isSend=*/false, data, count, type, peer, on);
}

FAKE_EXPORT int ncclGroupStart() {
  ++groupDepth;
  return nccl::success;
}

FAKE_EXPORT int ncclGroupEnd() {
  if (!groupDepth)
    return invalidUsage;
  if (--groupDepth)
    return nccl::success;
  for (nccl::Comm comm : std::exchange(groupComms, {}))
    comm->groupStream->enqueue([world = comm->world, rank = comm->rank,
                                isAborted = comm->isAborted,
                                group = std::exchange(comm->group, {}),
                                &device = comm->groupStream->device]() mutable {
      for (Transfer &transfer : group) {
        transfer.data = hostOf(device, transfer.data, transfer.bytes);
        if (transfer.bytes && !transfer.data)
          return device.fail(illegalAddress);
      }
      transferAll(*world, rank, group, *isAborted);
    });
  return nccl::success;
}
}
