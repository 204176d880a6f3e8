//===- GraphCache.h - batches that are replayed as one launch ---*- C++ -*-===//
//
// A program that runs again with the same buffers submits the same batch. The
// second time the batch is captured as a graph; later a single call launches
// the graph.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_GRAPHCACHE_H
#define TENSORC_RUNTIME_DRIVERS_GPU_GRAPHCACHE_H

#include "runtime/core/streams/Batch.h"
#include "runtime/drivers/gpu/Connection.h"

#include <mutex>

namespace tensorc::rt::gpu {

class GraphCache {
public:
  explicit GraphCache(Connection &device);

  /// True if the library supports graphs, unless TENSORC_GPU_GRAPHS=0.
  const bool isEnabled;

  /// Launches the graph of the batch on a stream if one exists or can be
  /// captured now; else leaves `isLaunched` false. The device must be current
  /// on the thread.
  Status launch(const Batch &batch, Stream_t on, bool &isLaunched);
  /// Drops the graphs that contain one of these kernels.
  void forget(std::span<const void *const> kernels);

  /// Minimum number of calls for a graph. A graph of fewer calls is no faster
  /// than single calls.
  static constexpr uint32_t minCalls = 4;

private:
  static constexpr size_t maxEntries = 32;
  struct Entry {
    uint64_t hash = 0;
    std::vector<Word> words;
    GraphExec_t graph = nullptr;
    bool refused = false; // has a call that cannot be captured
    uint64_t lastUse = 0;
  };
  Entry *find(const Batch &batch, uint64_t hash);
  void insert(const Batch &batch, uint64_t hash);
  Status capture(const Batch &batch, Entry &entry);
  void drop(Entry &entry);

  Connection &device;
  std::mutex mutex;
  std::vector<Entry> entries;
  uint64_t uses = 0;
  Stream_t captureStream = nullptr;
};

} // namespace tensorc::rt::gpu

#endif
