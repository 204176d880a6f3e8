//===- MemoryPlan.cpp - computes the memory that a run will allocate ------===//
#include "runtime/abi/BlockSizes.h"
#include "runtime/core/Types.h"
#include "runtime/core/check/Checks.h"
#include "runtime/core/streams/InlineStream.h"
#include "runtime/core/threads/Threads.h"
#include "runtime/program/Interpreter.h"

#include <algorithm>
#include <vector>

using namespace tensorc::rt;

namespace {
/// Memory whose bytes are only counted and never touched.
class CountedMemory final : public MemorySource {
public:
  explicit CountedMemory(Device &device) : device(device) {}
  const char *name() const override { return device.name(); }
  Status memoryInfo(uint64_t &free, uint64_t &total) override {
    return device.memoryInfo(free, total);
  }
  void *allocateMemory(size_t) override {
    return reinterpret_cast<void *>(bufferAlignment);
  }
  void freeMemory(void *, size_t) override {}

private:
  Device &device;
};

/// A stream that does no work. Operations that need computed values fail.
class NoWork final : public InlineStream {
public:
  NoWork(Device &device, Allocator &memory)
      : InlineStream(device), memory(memory) {
    tensorc_rt_device_properties properties = {};
    device.properties(properties);
    threads = properties.threads;
  }
  /// Counts the scratch memory.
  Status launch(const Launch &launch) override {
    if (launch.block)
      return Status();
    BufferOwner scratch;
    int64_t stride = 0;
    return prepareRange(launch,
                        threadsFor(launch.extent, launch.grain, threads),
                        memory, scratch, stride);
  }
  Status copy(void *, const void *, size_t, CopyKind kind) override {
    if (kind == CopyKind::DeviceToHost)
      return error(TENSORC_RT_UNSUPPORTED,
                   "the memory depends on values that are computed");
    return Status();
  }
  Status fill(void *, uint64_t, uint32_t, size_t) override { return Status(); }
  Status call(std::function<Status()>) override { return Status(); }

private:
  Allocator &memory;
  int32_t threads;
};

/// Arguments of a measured run, with placeholders instead of buffers.
struct Arguments {
  std::vector<tensorc_rt_arg> list;
  uint64_t bytes = 0;

  ~Arguments() {
    for (tensorc_rt_arg &arg : list)
      tensorc_rt_buffer_release(arg.buffer);
  }
  Status add(Device &device, const Value &input, tensorc_rt_arg arg) {
    arg.buffer = nullptr;
    int64_t size = 0;
    bool isShape = arg.rank == 0 || arg.dims;
    if (!input.scalar && isShape &&
        byteSize(arg.dtype, arg.rank, arg.dims, size)) {
      arg.buffer = wrapMemory(device, reinterpret_cast<void *>(bufferAlignment),
                              static_cast<size_t>(size), nullptr, nullptr);
      bytes += static_cast<uint64_t>(size);
    }
    list.push_back(arg);
    return Status();
  }
};
} // namespace

Status tensorc::rt::measureEntry(const Entry &entry,
                                 std::span<const tensorc_rt_arg> args,
                                 const RunControl &control,
                                 tensorc_rt_memory_plan &out) {
  Device &device = entry.module->device;
  CountedMemory memory(device);
  Allocator allocator(device, memory), hostAllocator(device, memory);
  NoWork stream(device, allocator);
  Arguments arguments;
  arguments.list.reserve(args.size());
  for (size_t i = 0; i < args.size() && i < entry.inputs.size(); ++i)
    TENSORC_RT_TRY(arguments.add(device, entry.inputs[i], args[i]));
  std::vector<tensorc_rt_output> outputs(entry.outputs.size());
  RunMemory runMemory;
  runMemory.countedHost = &hostAllocator;
  Status status = runEntry(entry, arguments.list, outputs, stream, allocator,
                           control, runMemory);
  out.inputs = arguments.bytes;
  out.outputs = allocator.stats().allocated;
  out.peak = allocator.stats().peak;
  for (tensorc_rt_output &output : outputs)
    tensorc_rt_buffer_release(output.buffer);
  allocator.trim();
  hostAllocator.trim();
  return status;
}

Status tensorc::rt::checkLimit(const Entry &entry, const Entry &whole,
                               std::span<const tensorc_rt_arg> args,
                               Allocator &allocator, const RunControl &control,
                               const RunMemory &memory, uint64_t &bytes) {
  // Guarded memory is allocated in other parts.
  if (!allocator.isLimited.load(std::memory_order_relaxed) || checks().memory)
    return Status();
  tensorc_rt_memory_plan plan = {};
  if (Status status = measureEntry(entry, args, control, plan); !status.ok()) {
    tensorc_rt_code code = tensorc_rt_status_code(status.get());
    bool hasEnded =
        code == TENSORC_RT_CANCELLED || code == TENSORC_RT_DEADLINE_EXCEEDED;
    // The run itself reports what is wrong with its arguments.
    return hasEnded ? std::move(status) : Status();
  }
  // Memory of the caller that may serve instead.
  uint64_t given = 0;
  auto add = [&](const tensorc_rt_buffer *buffer) {
    given += buffer ? blockBytes(unwrap(buffer)->size) : 0;
  };
  for (size_t i = 0; memory.donated && i < args.size(); ++i)
    if (memory.donated[i])
      add(args[i].buffer);
  for (size_t i = 0; memory.outputs && i < entry.outputs.size(); ++i)
    add(memory.outputs[i]);
  bytes = plan.peak - std::min(plan.peak, given);
  std::string who = entry.isPlan ? "the smallest plan of " : "";
  return allocator.checkLimit(bytes, (who + whole.name).c_str());
}
