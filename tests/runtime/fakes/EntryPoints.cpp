//===- EntryPoints.cpp - the functions that both libraries have -----------===//
//
// Compiled once for each library. The table of the drivers gives them the
// library's names: FAKE_CUDA or FAKE_HIP.
//
//===----------------------------------------------------------------------===//
#include "EntryPoints.h"

#include <cstdio>
#include <cstring>

using namespace tensorc::fakes;
using namespace tensorc::rt::gpu;

namespace gpu = tensorc::rt::gpu;

#define CURRENT                                                                \
  FakeDevice *device = currentDevice();                                        \
  if (!device)                                                                 \
    return invalidContext;                                                     \
  if (device->sticky != success)                                               \
  return device->sticky

/// Objects are the fakes' own behind the library's types.
static FakeStream &at(Stream_t stream) {
  return *reinterpret_cast<FakeStream *>(stream);
}
static FakeEvent &at(Event_t event) {
  return *reinterpret_cast<FakeEvent *>(event);
}
static FakeGraph &at(Graph_t graph) {
  return *reinterpret_cast<FakeGraph *>(graph);
}
static FakeGraph &at(GraphExec_t graph) {
  return *reinterpret_cast<FakeGraph *>(graph);
}
static Pool_t poolOf(FakeDevice &device) {
  return reinterpret_cast<Pool_t>(&device);
}

extern "C" {

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

Result fake_init(unsigned) { return success; }

Result fake_deviceCount(int *out) {
  *out = static_cast<int>(devices().size());
  return success;
}

Result fake_deviceGet(Ordinal *out, int index) {
  if (index < 0 || static_cast<size_t>(index) >= devices().size())
    return invalidDevice;
  *out = index;
  return success;
}

Result fake_deviceName(char *out, int size, Ordinal) {
  std::snprintf(out, static_cast<size_t>(size), "a fake %s", flavour.chip);
  return success;
}

Result fake_deviceMemory(size_t *out, Ordinal ordinal) {
  *out = devices()[static_cast<size_t>(ordinal)]->total;
  return success;
}

Result fake_deviceAttribute(int *out, int attribute, Ordinal) {
  *out = attributeOf(attribute);
  return success;
}

Result fake_canAccessPeer(int *out, Ordinal device, Ordinal peer) {
  const char *peers = std::getenv("TENSORC_FAKE_PEERS");
  *out = device != peer && !(peers && *peers == '0');
  return success;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Result fake_memoryInfo(size_t *free, size_t *total) {
  CURRENT;
  *total = device->total;
  *free = device->total - device->used;
  return success;
}

Result fake_allocate(void **out, size_t bytes) {
  CURRENT;
  return device->allocate(out, bytes);
}

/// Waits for all streams that may use it, as the real one does.
Result fake_free(void *data) {
  CURRENT;
  device->synchronize();
  return device->release(data);
}

Result fake_allocateAsync(void **out, size_t bytes, Stream_t) {
  CURRENT;
  count(Count::PoolAllocations);
  return device->allocate(out, bytes);
}

Result fake_freeAsync(void *data, Stream_t stream) {
  CURRENT;
  at(stream).enqueue([device, data] { (void)device->release(data); });
  return success;
}

Result fake_defaultPool(Pool_t *out, Ordinal ordinal) {
  *out = poolOf(*devices()[static_cast<size_t>(ordinal)]);
  return success;
}

Result fake_poolTrim(Pool_t, size_t) { return success; }

Result fake_poolSetAccess(Pool_t pool, const PoolAccess *access, size_t count) {
  bool valid = pool && count == 1 && access->locationType == 1;
  return valid ? success : invalidValue;
}

Result fake_hostAllocate(void **out, size_t bytes, unsigned) {
  CURRENT;
  return allocatePinned(out, bytes);
}

Result fake_hostFree(void *data) { return freePinned(data); }

Result fake_copyToDevice(void *to, const void *from, size_t size, Stream_t on) {
  CURRENT;
  return copyToDevice(to, from, size, at(on));
}

Result fake_copyToHost(void *to, const void *from, size_t size, Stream_t on) {
  CURRENT;
  return copyToHost(to, from, size, at(on));
}

Result fake_copyOnDevice(void *to, const void *from, size_t size, Stream_t on) {
  CURRENT;
  return copyBetween(*device, to, *device, from, size, at(on));
}

Result fake_fill8(void *to, unsigned char value, size_t count, Stream_t on) {
  CURRENT;
  return fill(to, value, 1, count, at(on));
}

Result fake_fill16(void *to, unsigned short value, size_t count, Stream_t on) {
  CURRENT;
  return fill(to, value, 2, count * 2, at(on));
}

Result fake_fill32(void *to, unsigned value, size_t count, Stream_t on) {
  CURRENT;
  return fill(to, value, 4, count * 4, at(on));
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Result fake_streamCreate(Stream_t *out, unsigned) {
  CURRENT;
  *out = reinterpret_cast<Stream_t>(device->newStream());
  return success;
}

Result fake_streamDestroy(Stream_t stream) {
  CURRENT;
  device->destroy(&at(stream));
  return success;
}

Result fake_streamSynchronize(Stream_t stream) {
  CURRENT;
  (void)at(stream).worker.synchronize();
  return device->sticky;
}

Result fake_streamQuery(Stream_t stream) {
  CURRENT;
  return at(stream).worker.idle() ? device->sticky.load() : notReady;
}

Result fake_streamWaitEvent(Stream_t stream, Event_t event, unsigned) {
  CURRENT;
  if (at(stream).capturing)
    return captureUnsupported;
  if (auto mark = at(event).get())
    (void)at(stream).worker.wait(std::move(mark));
  return success;
}

Result fake_hostFunction(Stream_t stream, HostFunction function, void *user) {
  CURRENT;
  count(Count::HostCalls);
  at(stream).enqueue([=] { function(user); });
  return success;
}

Result fake_eventCreate(Event_t *out, unsigned) {
  CURRENT;
  *out = reinterpret_cast<Event_t>(new FakeEvent);
  return success;
}

Result fake_eventDestroy(Event_t event) {
  delete &at(event);
  return success;
}

Result fake_eventRecord(Event_t event, Stream_t stream) {
  CURRENT;
  return record(at(event), at(stream));
}

Result fake_eventQuery(Event_t event) {
  CURRENT;
  auto mark = at(event).get();
  return !mark || mark->reached() ? success : notReady;
}

Result fake_eventSynchronize(Event_t event) {
  CURRENT;
  if (auto mark = at(event).get())
    (void)mark->wait();
  return device->sticky;
}

Result fake_eventElapsed(float *milliseconds, Event_t from, Event_t to) {
  CURRENT;
  return elapsed(milliseconds, at(from), at(to));
}

//===----------------------------------------------------------------------===//
// Kernels and graphs
//===----------------------------------------------------------------------===//

Result fake_moduleUnload(Module_t module) {
  CURRENT;
  device->synchronize();
  delete reinterpret_cast<FakeModule *>(module);
  return success;
}

Result fake_moduleFunction(Function_t *out, Module_t module, const char *name) {
  CURRENT;
  FakeFunction *function = nullptr;
  Result result =
      getFunction(function, *reinterpret_cast<FakeModule *>(module), name);
  *out = reinterpret_cast<Function_t>(function);
  return result;
}

Result fake_launch(Function_t function, unsigned x, unsigned y, unsigned z,
                   unsigned threads, unsigned threadsY, unsigned threadsZ,
                   unsigned shared, Stream_t stream, void **parameters,
                   void **extra) {
  CURRENT;
  if (y != 1 || z != 1 || threadsY != 1 || threadsZ != 1 || extra)
    return invalidValue;
  return launch(*reinterpret_cast<FakeFunction *>(function), x, threads, shared,
                at(stream), parameters);
}

Result fake_beginCapture(Stream_t stream, int) {
  CURRENT;
  at(stream).capturing = std::make_unique<FakeGraph>();
  return success;
}

Result fake_endCapture(Stream_t stream, Graph_t *out) {
  CURRENT;
  *out = reinterpret_cast<Graph_t>(at(stream).capturing.release());
  return success;
}

Result fake_graphInstantiate(GraphExec_t *out, Graph_t graph,
                             unsigned long long) {
  CURRENT;
  count(Count::GraphsMade);
  *out = reinterpret_cast<GraphExec_t>(new FakeGraph(at(graph)));
  return success;
}

Result fake_graphLaunch(GraphExec_t graph, Stream_t stream) {
  CURRENT;
  count(Count::GraphLaunches);
  for (const Task &task : at(graph))
    at(stream).enqueue(task);
  return success;
}

Result fake_graphDestroy(Graph_t graph) {
  delete &at(graph);
  return success;
}

Result fake_graphExecDestroy(GraphExec_t graph) {
  delete &at(graph);
  return success;
}

#ifdef FAKE_CUDA
#define NAME(cuda, hip) cuda
#else
#define NAME(cuda, hip) hip
#endif
#define X(member, cuda, hip, parameters)                                       \
  FAKE_EXPORT Result NAME(cuda, hip)                                           \
  parameters __attribute__((alias("fake_" #member)));
TENSORC_GPU_ENTRY_POINTS(X)
#undef X

/// For tests: how often something was called.
FAKE_EXPORT uint64_t NAME(cuFakeCount, hipFakeCount)(int what) {
  return counted(static_cast<Count>(what));
}
}
