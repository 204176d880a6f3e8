//===- VulkanDevice.h - a device of Vulkan ----------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANDEVICE_H
#define TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANDEVICE_H

#include "runtime/drivers/gpu/Vendor.h"
#include "runtime/drivers/vulkan/FloatProbe.h"
#include "runtime/drivers/vulkan/VulkanStream.h"

#include <array>
#include <cstring>

namespace tensorc::rt::vulkan {

using namespace gpu; // the driver implements gpu::Vendor

struct RecordedEvent {
  QueryPool time = 0;
  Point point;
};

/// Words that kernels set if one of their loops ended too early, see
/// loopWasCut. Each line that launches a kernel has a word of its own, up to
/// maxSites of them; the others share one.
class LoopStatus {
public:
  Result open(VulkanMemory &host);
  /// Returns `result`, or loopWasCut if a word is set.
  Result check(Result result) const {
    return result == success && findSet() ? loopWasCut : result;
  }
  /// Returns the word for a launch.
  uint32_t *wordOf(const LaunchSite &site);
  /// Returns the launch whose word is set. The kernel is null if none is set,
  /// or if the set word is the shared one.
  LaunchSite culprit() const;

private:
  static constexpr uint32_t maxSites = 256;
  const volatile uint32_t *findSet() const;
  volatile uint32_t *words = nullptr; // the first word is the shared one
  std::array<LaunchSite, maxSites> sites;
  std::atomic<uint32_t> numSites{0};
  std::mutex mutex; // held while sites are added
};

/// The checks of whether the driver computes correct numbers.
struct DriverChecks {
  LoopStatus loops;
  FloatProbe floats;
};

/// The chain of structs with the features that a device has, or with those that
/// are enabled.
struct FeatureChain {
  FeatureChain() {
    basic.next = &of11;
    of11.next = &of12;
  }
  FeatureChain(const FeatureChain &) = delete;
  Features basic{Type::Features2}, of11{Type::Features11},
      of12{Type::Features12};
};

/// One device, with its own logical device.
class VulkanDevice final : public Vendor {
public:
  VulkanDevice(const Functions &call, PhysicalDevice id);
  /// Returns the reason why the device cannot be used; empty if it can.
  std::string findObstacle() const;
  std::string title() const { return properties.bytes + deviceNameOffset; }

  std::vector<Ordinal> listDevices() const override { return {0}; }
  DeviceFacts describeDevice(Ordinal) const override;
  std::string target(Ordinal) const override;
  int32_t accepts(const std::string &own, const char *target) const override;
  Result open(Handle &device) override;
  Result enter(const Handle &, void *&) override { return success; }
  void leave(void *) override {}

  std::string describe(Result result) const override;
  bool endsAllWork(Result result) const override {
    return result == vkDeviceLost || result == loopWasCut;
  }
  LaunchSite culprit() override { return checks.loops.culprit(); }

  Result memoryInfo(const Handle &, size_t &free, size_t &total) override;
  Result allocate(const Handle &, void *&out, size_t bytes) override;
  Result free(void *data, MemoryKind kind) override {
    (kind == MemoryKind::Host ? host : memory).free(data);
    return success;
  }
  Result hostAllocate(const Handle &, void *&out, size_t bytes) override {
    return host.allocate(bytes, out);
  }
  Result openPool(const Handle &, Pool_t &out) override;
  Result trimPool(Pool_t) override;
  Result allocateAsync(void *&out, size_t bytes, Stream_t) override {
    return allocate({}, out, bytes);
  }
  Result freeAsync(void *data, Stream_t on) override;

  Result copyToDevice(void *target, const void *source, size_t size,
                      Stream_t on) override {
    return copy(memory.find(target), host.find(source), size, on);
  }
  Result copyToHost(void *target, const void *source, size_t size,
                    Stream_t on) override {
    return copy(host.find(target), memory.find(source), size, on);
  }
  Result copyOnDevice(void *target, const void *source, size_t size,
                      Stream_t on) override {
    return copy(memory.find(target), memory.find(source), size, on);
  }
  Result fill(void *target, uint32_t word, uint32_t unit, size_t count,
              Stream_t on) override;
  /// Not called: each device has a Vendor object of its own, so there are no
  /// peers.
  Result copyPeer(const Handle &, void *, const Handle &, const void *, size_t,
                  Stream_t) override {
    return resultNotSupported;
  }
  void openPeer(const Handle &, const Handle &, Pool_t) override {}

  Result streamCreate(const Handle &, Stream_t &out) override;
  /// Does not delete a stream that is destroyed by its own work.
  Result streamDestroy(Stream_t stream) override {
    if (!streamOf(stream).isCalling())
      delete &streamOf(stream);
    return success;
  }
  Result streamSynchronize(Stream_t stream) override {
    return checks.loops.check(streamOf(stream).synchronize());
  }
  Result streamDrain(Stream_t stream) override {
    return streamOf(stream).drain();
  }
  Result streamQuery(Stream_t stream) override {
    return checks.loops.check(streamOf(stream).query());
  }
  Result streamWaitEvent(Stream_t stream, Event_t event) override {
    return streamOf(stream).waitFor(eventOf(event).point);
  }
  Result hostFunction(Stream_t stream, HostFunction function,
                      void *argument) override {
    return streamOf(stream).callHost(function, argument);
  }

  Result eventCreate(const Handle &, Event_t &out) override;
  Result eventRecord(Event_t event, Stream_t stream) override;
  Result eventQuery(Event_t event) override {
    return checks.loops.check(eventOf(event).point.query());
  }
  Result eventSynchronize(Event_t event) override {
    return checks.loops.check(eventOf(event).point.wait());
  }
  Result eventElapsed(float &milliseconds, Event_t start,
                      Event_t stop) override;

  Result load(const Handle &, const std::string &image, Module_t &out,
              std::string &log) override;
  Result unload(Module_t module) override;
  Result findKernel(Module_t module, const char *name, Function_t &out,
                    uint32_t &) override;
  Result allowShared(Function_t, uint32_t) override {
    return resultNotSupported;
  }
  Result launch(Function_t kernel, const Launch &launch, Stream_t on,
                const char *&part) override;

  bool hasGraphs() const override { return true; }
  Result beginCapture(Stream_t stream) override {
    return streamOf(stream).beginCapture();
  }
  Result endCapture(Stream_t stream, Graph_t &out) override;
  Result graphInstantiate(GraphExec_t &out, Graph_t graph) override {
    out = reinterpret_cast<GraphExec_t>(new SharedGraph(graphOf(graph)));
    return success;
  }
  Result graphLaunch(GraphExec_t graph, Stream_t on) override {
    return streamOf(on).launch(*reinterpret_cast<SharedGraph *>(graph));
  }
  Result graphDestroy(Graph_t graph) override {
    delete &graphOf(graph);
    return success;
  }
  Result graphExecDestroy(GraphExec_t graph) override {
    delete reinterpret_cast<SharedGraph *>(graph);
    return success;
  }

private:
  using SharedGraph = std::shared_ptr<RecordedGraph>;
  static SharedGraph &graphOf(Graph_t graph) {
    return *reinterpret_cast<SharedGraph *>(graph);
  }
  static VulkanStream &streamOf(Stream_t stream) {
    return *reinterpret_cast<VulkanStream *>(stream);
  }
  static RecordedEvent &eventOf(Event_t event) {
    return *reinterpret_cast<RecordedEvent *>(event);
  }
  template <typename T> T get(size_t offset) const {
    T value;
    std::memcpy(&value, properties.bytes + offset, sizeof(value));
    return value;
  }
  bool chooseQueue(uint32_t &family) const;
  Result copy(Place target, Place source, size_t size, Stream_t on);
  void collect();

  const Functions &call;
  const PhysicalDevice id;
  Properties properties;
  FeatureChain features;
  Properties12 controls;
  // Bytes of the largest allocation, and of the memory.
  uint64_t largest = 0, total = 0;

  Opened opened{call};
  SharedQueue queue;
  PipelineLayout layout = 0;
  VulkanMemory memory, host;
  DriverChecks checks;

  /// Memory that can be freed once the work of a stream has reached the point.
  struct Retiring {
    void *data;
    Point point;
  };
  std::mutex mutex;
  std::vector<Retiring> retiring;
};

} // namespace tensorc::rt::vulkan

#endif
