//===- GraphCache.cpp - batches that are replayed as one launch -----------===//
#include "runtime/drivers/gpu/GraphCache.h"

#include "runtime/drivers/gpu/Commands.h"

#include <algorithm>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

namespace {
/// Replays a batch on a stream while a graph is being captured.
class Recorder final : public Batch::Sink {
public:
  Recorder(Connection &device, Stream_t stream)
      : device(device), stream(stream) {}
  Status launch(const Launch &launch) override {
    return launchOn(device, stream, launch);
  }
  Status copy(void *target, const void *source, size_t size) override {
    return device.check(
        device.library.copies.onDevice(target, source, size, stream),
        "copying");
  }
  Status fill(void *target, uint64_t pattern, uint32_t width,
              size_t size) override {
    return fillOn(device, stream, target, pattern, width, size);
  }

private:
  Connection &device;
  Stream_t stream;
};

/// Determines whether a batch uses kernels of an image that is being unloaded.
class KernelSearch final : public Batch::Sink {
public:
  explicit KernelSearch(std::span<const void *const> kernels)
      : kernels(kernels) {}
  Status launch(const Launch &launch) override {
    found |= std::find(kernels.begin(), kernels.end(), launch.kernel) !=
             kernels.end();
    return Status();
  }
  Status copy(void *, const void *, size_t) override { return Status(); }
  Status fill(void *, uint64_t, uint32_t, size_t) override { return Status(); }
  bool found = false;

private:
  std::span<const void *const> kernels;
};
} // namespace

static bool wantsGraphs() {
  static const bool wants = readSwitch("TENSORC_GPU_GRAPHS", true);
  return wants;
}

GraphCache::GraphCache(Connection &device)
    : isEnabled(device.library.graphs && wantsGraphs()), device(device) {}

void GraphCache::drop(Entry &entry) {
  if (entry.graph)
    (void)device.library.graphs->destroyExec(entry.graph);
  std::swap(entry, entries.back());
  entries.pop_back();
}

GraphCache::Entry *GraphCache::find(const Batch &batch, uint64_t hash) {
  for (Entry &entry : entries)
    if (entry.hash == hash && entry.words == batch.words())
      return &entry;
  return nullptr;
}

void GraphCache::insert(const Batch &batch, uint64_t hash) {
  if (entries.size() == maxEntries)
    drop(*std::min_element(
        entries.begin(), entries.end(),
        [](const Entry &a, const Entry &b) { return a.lastUse < b.lastUse; }));
  Entry entry;
  entry.hash = hash;
  entry.words = batch.words();
  entry.lastUse = uses;
  entries.push_back(std::move(entry));
}

Status GraphCache::capture(const Batch &batch, Entry &entry) {
  GraphApi &api = *device.library.graphs;
  if (!captureStream)
    TENSORC_RT_TRY(device.check(
        device.library.streams.create(device.handle, captureStream),
        "a new stream"));
  TENSORC_RT_TRY(
      device.check(api.beginCapture(captureStream), "beginning a capture"));
  Recorder recorder(device, captureStream);
  // Records the launches without lines, because callers from other lines use
  // the graph, too.
  Status status = Batch::replay(batch.words(), recorder);
  Graph_t graph = nullptr;
  Result ended = api.endCapture(captureStream, graph);
  if (status.ok())
    status = device.check(ended, "ending a capture");
  if (status.ok())
    status =
        device.check(api.instantiate(entry.graph, graph), "making a graph");
  if (graph)
    (void)api.destroy(graph);
  return status;
}

Status GraphCache::launch(const Batch &batch, Stream_t on, bool &isLaunched) {
  uint64_t hash =
      hashBytes(batch.words().data(), batch.words().size() * sizeof(Word));
  std::lock_guard lock(mutex);
  ++uses;
  Entry *entry = find(batch, hash);
  if (!entry) {
    insert(batch, hash);
    return Status();
  }
  entry->lastUse = uses;
  if (entry->refused)
    return Status();
  if (!entry->graph && !capture(batch, *entry).ok()) {
    TENSORC_RT_TRY(device.errors.health());
    entry->refused = true; // single launches then work, or report the error
    return Status();
  }
  isLaunched = true;
  return device.check(device.library.graphs->launch(entry->graph, on),
                      "launching a graph");
}

void GraphCache::forget(std::span<const void *const> kernels) {
  std::lock_guard lock(mutex);
  for (size_t i = entries.size(); i-- > 0;) {
    KernelSearch search(kernels);
    (void)Batch::replay(entries[i].words, search);
    if (search.found)
      drop(entries[i]);
  }
}
