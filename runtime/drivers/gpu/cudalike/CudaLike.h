//===- CudaLike.h - a library with the functions of CUDA --------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_CUDALIKE_CUDALIKE_H
#define TENSORC_RUNTIME_DRIVERS_GPU_CUDALIKE_CUDALIKE_H

#include "runtime/drivers/gpu/Vendor.h"
#include "runtime/drivers/gpu/cudalike/EntryPoints.h"

namespace tensorc::rt::gpu {

/// The numbers of device attributes in the library's header.
struct Attributes {
  int maxBlock, subgroup, multiprocessors, threadsPerMultiprocessor, major,
      minor, memoryPools, sharedPerBlock;
};

/// The common parts of CUDA and HIP: modules loaded from images, launches with
/// an array of pointers to parameters, graphs captured from streams. Functions
/// that differ remain abstract.
class CudaLike : public Vendor {
public:
  explicit CudaLike(const Attributes &attributes) : attributes(attributes) {}

  std::vector<Ordinal> listDevices() const override;
  DeviceFacts describeDevice(Ordinal device) const override;
  bool endsAllWork(Result result) const override;

  Result memoryInfo(const Handle &, size_t &free, size_t &total) override {
    return call.memoryInfo(&free, &total);
  }
  Result allocate(const Handle &, void *&out, size_t bytes) override {
    return call.allocate(&out, bytes);
  }
  Result free(void *data, MemoryKind kind) override {
    return kind == MemoryKind::Host ? call.hostFree(data) : call.free(data);
  }
  Result hostAllocate(const Handle &, void *&out, size_t bytes) override {
    return call.hostAllocate(&out, bytes, hostAllocPortable);
  }
  Result openPool(const Handle &device, Pool_t &out) override;
  Result trimPool(Pool_t pool) override { return call.poolTrim(pool, 0); }
  Result allocateAsync(void *&out, size_t bytes, Stream_t on) override {
    return call.allocateAsync(&out, bytes, on);
  }
  Result freeAsync(void *data, Stream_t on) override {
    return call.freeAsync(data, on);
  }

  Result copyToDevice(void *target, const void *source, size_t size,
                      Stream_t on) override {
    return call.copyToDevice(target, source, size, on);
  }
  Result copyToHost(void *target, const void *source, size_t size,
                    Stream_t on) override {
    return call.copyToHost(target, source, size, on);
  }
  Result copyOnDevice(void *target, const void *source, size_t size,
                      Stream_t on) override {
    return call.copyOnDevice(target, source, size, on);
  }
  Result fill(void *target, uint32_t word, uint32_t unit, size_t count,
              Stream_t on) override;
  void openPeer(const Handle &device, const Handle &peer,
                Pool_t peerPool) override;

  Result streamCreate(const Handle &, Stream_t &out) override {
    return call.streamCreate(&out, streamNonBlocking);
  }
  Result streamDestroy(Stream_t stream) override {
    return call.streamDestroy(stream);
  }
  Result streamSynchronize(Stream_t stream) override {
    return call.streamSynchronize(stream);
  }
  Result streamQuery(Stream_t stream) override {
    return call.streamQuery(stream);
  }
  Result streamWaitEvent(Stream_t stream, Event_t event) override {
    return call.streamWaitEvent(stream, event, 0);
  }
  Result hostFunction(Stream_t stream, HostFunction function,
                      void *argument) override {
    return call.hostFunction(stream, function, argument);
  }

  Result eventCreate(const Handle &, Event_t &out) override {
    return call.eventCreate(&out, 0);
  }
  Result eventRecord(Event_t event, Stream_t stream) override {
    return call.eventRecord(event, stream);
  }
  Result eventQuery(Event_t event) override { return call.eventQuery(event); }
  Result eventSynchronize(Event_t event) override {
    return call.eventSynchronize(event);
  }
  Result eventElapsed(float &milliseconds, Event_t start,
                      Event_t stop) override {
    return call.eventElapsed(&milliseconds, start, stop);
  }

  Result unload(Module_t module) override { return call.moduleUnload(module); }
  Result findKernel(Module_t module, const char *name, Function_t &out,
                    uint32_t &) override {
    return call.moduleFunction(&out, module, name);
  }
  Result launch(Function_t kernel, const Launch &launch, Stream_t on,
                const char *&part) override;

  bool hasGraphs() const override { return true; }
  Result beginCapture(Stream_t stream) override {
    return call.beginCapture(stream, captureRelaxed);
  }
  Result endCapture(Stream_t stream, Graph_t &out) override {
    return call.endCapture(stream, &out);
  }
  Result graphInstantiate(GraphExec_t &out, Graph_t graph) override {
    return call.graphInstantiate(&out, graph, 0);
  }
  Result graphLaunch(GraphExec_t graph, Stream_t on) override {
    return call.graphLaunch(graph, on);
  }
  Result graphDestroy(Graph_t graph) override {
    return call.graphDestroy(graph);
  }
  Result graphExecDestroy(GraphExec_t graph) override {
    return call.graphExecDestroy(graph);
  }

protected:
  /// Lets the current device access the peer's memory.
  virtual Result enablePeer(const Handle &peer) = 0;
  /// Encodes a tensor map as a kernel argument.
  virtual Result encodeMap(const TensorMap &map, void *buffer, void *out) = 0;

  int ask(int attribute, Ordinal device) const;

  EntryPoints call;

private:
  const Attributes attributes;
};

} // namespace tensorc::rt::gpu

#endif
