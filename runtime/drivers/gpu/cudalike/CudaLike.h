//===- CudaLike.h - a library with the functions of CUDA --------*- C++ -*-===//
//
// The common parts of CUDA and HIP: modules loaded from images, launches with
// an array of pointers to parameters, graphs captured from streams. Functions
// that differ remain abstract.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_CUDALIKE_CUDALIKE_H
#define TENSORC_RUNTIME_DRIVERS_GPU_CUDALIKE_CUDALIKE_H

#include "runtime/drivers/gpu/VendorApi.h"
#include "runtime/drivers/gpu/cudalike/EntryPoints.h"

namespace tensorc::rt::gpu {

/// The numbers of device attributes in the library's header.
struct Attributes {
  int maxBlock, subgroup, multiprocessors, threadsPerMultiprocessor, major,
      minor, memoryPools, sharedPerBlock;
};

class CudaLikeDevices : public DeviceApi {
public:
  CudaLikeDevices(const EntryPoints &call, const Attributes &attributes)
      : call(call), attributes(attributes) {}

  std::vector<Ordinal> list() const override;
  DeviceFacts describe(Ordinal device) const override;
  bool endsAllWork(Result result) const override;

protected:
  int ask(int attribute, Ordinal device) const;

private:
  const EntryPoints &call;
  const Attributes &attributes;
};

class CudaLikeMemory final : public MemoryApi {
public:
  CudaLikeMemory(const EntryPoints &call, const Attributes &attributes)
      : call(call), attributes(attributes) {}

  Result info(const Handle &, size_t &free, size_t &total) override {
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

private:
  const EntryPoints &call;
  const Attributes &attributes;
};

class CudaLikeCopies final : public CopyApi {
public:
  explicit CudaLikeCopies(const EntryPoints &call) : call(call) {}

  Result toDevice(void *target, const void *source, size_t size,
                  Stream_t on) override {
    return call.copyToDevice(target, source, size, on);
  }
  Result toHost(void *target, const void *source, size_t size,
                Stream_t on) override {
    return call.copyToHost(target, source, size, on);
  }
  Result onDevice(void *target, const void *source, size_t size,
                  Stream_t on) override {
    return call.copyOnDevice(target, source, size, on);
  }
  Result fill(void *target, uint32_t word, uint32_t unit, size_t count,
              Stream_t on) override;

private:
  const EntryPoints &call;
};

class CudaLikePeers : public PeerApi {
public:
  explicit CudaLikePeers(const EntryPoints &call) : call(call) {}
  void open(const Handle &device, const Handle &peer, Pool_t peerPool) override;

protected:
  /// Lets the current device access the peer's memory.
  virtual Result enable(const Handle &peer) = 0;

private:
  const EntryPoints &call;
};

class CudaLikeStreams final : public StreamApi {
public:
  explicit CudaLikeStreams(const EntryPoints &call) : call(call) {}

  Result create(const Handle &, Stream_t &out) override {
    return call.streamCreate(&out, streamNonBlocking);
  }
  Result destroy(Stream_t stream) override {
    return call.streamDestroy(stream);
  }
  Result synchronize(Stream_t stream) override {
    return call.streamSynchronize(stream);
  }
  Result query(Stream_t stream) override { return call.streamQuery(stream); }
  Result wait(Stream_t stream, Event_t event) override {
    return call.streamWaitEvent(stream, event, 0);
  }
  Result callHost(Stream_t stream, HostFunction function,
                  void *argument) override {
    return call.hostFunction(stream, function, argument);
  }

private:
  const EntryPoints &call;
};

class CudaLikeEvents final : public EventApi {
public:
  explicit CudaLikeEvents(const EntryPoints &call) : call(call) {}

  Result create(const Handle &, Event_t &out) override {
    return call.eventCreate(&out, 0);
  }
  Result record(Event_t event, Stream_t stream) override {
    return call.eventRecord(event, stream);
  }
  Result query(Event_t event) override { return call.eventQuery(event); }
  Result synchronize(Event_t event) override {
    return call.eventSynchronize(event);
  }
  Result elapsed(float &milliseconds, Event_t start, Event_t stop) override {
    return call.eventElapsed(&milliseconds, start, stop);
  }

private:
  const EntryPoints &call;
};

class CudaLikeKernels : public KernelApi {
public:
  explicit CudaLikeKernels(const EntryPoints &call) : call(call) {}

  Result unload(Module_t module) override { return call.moduleUnload(module); }
  Result find(Module_t module, const char *name, Function_t &out,
              uint32_t &) override {
    return call.moduleFunction(&out, module, name);
  }
  Result launch(Function_t kernel, const Launch &launch, Stream_t on,
                const char *&part) override;

protected:
  /// Encodes a tensor map as a kernel argument.
  virtual Result encodeMap(const TensorMap &map, void *buffer, void *out) = 0;

private:
  const EntryPoints &call;
};

class CudaLikeGraphs final : public GraphApi {
public:
  explicit CudaLikeGraphs(const EntryPoints &call) : call(call) {}

  Result beginCapture(Stream_t stream) override {
    return call.beginCapture(stream, captureRelaxed);
  }
  Result endCapture(Stream_t stream, Graph_t &out) override {
    return call.endCapture(stream, &out);
  }
  Result instantiate(GraphExec_t &out, Graph_t graph) override {
    return call.graphInstantiate(&out, graph, 0);
  }
  Result launch(GraphExec_t graph, Stream_t on) override {
    return call.graphLaunch(graph, on);
  }
  Result destroy(Graph_t graph) override { return call.graphDestroy(graph); }
  Result destroyExec(GraphExec_t graph) override {
    return call.graphExecDestroy(graph);
  }

private:
  const EntryPoints &call;
};

/// The objects that are the same for CUDA and HIP.
struct CudaLikeParts {
  CudaLikeParts(const EntryPoints &call, const Attributes &attributes)
      : memory(call, attributes), copies(call), streams(call), events(call),
        graphs(call) {}

  CudaLikeMemory memory;
  CudaLikeCopies copies;
  CudaLikeStreams streams;
  CudaLikeEvents events;
  CudaLikeGraphs graphs;
};

} // namespace tensorc::rt::gpu

#endif
