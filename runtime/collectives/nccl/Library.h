//===- Library.h - a GPU vendor's library of collectives --------*- C++ -*-===//
//
// NCCL, or RCCL, which has the same functions. The library is loaded when a
// program first connects ranks by it; its header is not needed.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_COLLECTIVES_NCCL_LIBRARY_H
#define TENSORC_RUNTIME_COLLECTIVES_NCCL_LIBRARY_H

#include "runtime/core/Driver.h"

#include <climits>

namespace tensorc::rt::nccl {

// Numbers of nccl.h.
using Result = int;
constexpr Result success = 0, inProgress = 7;
enum Type { int8, uint8, int32, uint32, int64, uint64, f16, f32, f64, bf16 };
enum Operation { sum, product, max, min };

using Comm = struct CommObject *;
using Stream_t = void *;
struct UniqueId {
  char bytes[128];
};

/// The members of ncclConfig_t that version 2.18 has. Later versions read only
/// the members that `size` covers.
struct Config {
  static constexpr int undefined = INT_MIN;
  size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21800;
  int blocking = 0; // calls return before the other ranks have joined
  int clusterSize = undefined, minBlocks = undefined, maxBlocks = undefined;
  const char *network = nullptr;
  int splitShare = undefined;
};

/// X(member, name, parameters)
#define TENSORC_NCCL_ENTRY_POINTS(X)                                           \
  X(version, ncclGetVersion, (int *))                                          \
  X(uniqueId, ncclGetUniqueId, (UniqueId *))                                   \
  X(join, ncclCommInitRankConfig, (Comm *, int, UniqueId, int, Config *))      \
  X(split, ncclCommSplit, (Comm, int color, int key, Comm *, Config *))        \
  X(destroy, ncclCommDestroy, (Comm))                                          \
  X(abort, ncclCommAbort, (Comm))                                              \
  X(asyncError, ncclCommGetAsyncError, (Comm, Result *))                       \
  X(allReduce, ncclAllReduce,                                                  \
    (const void *, void *, size_t, int type, int op, Comm, Stream_t))          \
  X(reduceScatter, ncclReduceScatter,                                          \
    (const void *, void *, size_t, int type, int op, Comm, Stream_t))          \
  X(allGather, ncclAllGather,                                                  \
    (const void *, void *, size_t, int type, Comm, Stream_t))                  \
  X(broadcast, ncclBroadcast,                                                  \
    (const void *, void *, size_t, int type, int root, Comm, Stream_t))        \
  X(send, ncclSend,                                                            \
    (const void *, size_t, int type, int peer, Comm, Stream_t))                \
  X(receive, ncclRecv, (void *, size_t, int type, int peer, Comm, Stream_t))   \
  X(groupStart, ncclGroupStart, ())                                            \
  X(groupEnd, ncclGroupEnd, ())

/// The functions of a loaded library, which is never unloaded.
struct Library {
#define X(member, name, parameters) Result(*member) parameters = nullptr;
  TENSORC_NCCL_ENTRY_POINTS(X)
#undef X
  const char *(*errorText)(Result) = nullptr;

  Status check(Result result, const char *doing) const;
};

/// Finds the library of the device's vendor: the one at the absolute path
/// TENSORC_NCCL, or the one that the loader finds.
Status findLibrary(Device &device, const Library *&out);

} // namespace tensorc::rt::nccl

#endif
