//===- VulkanDevice.cpp - a device of Vulkan ------------------------------===//
#include "runtime/drivers/vulkan/VulkanDevice.h"

#include "runtime/abi/Bytecode.h"
#include "runtime/drivers/vulkan/SpirvModule.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::vulkan;

/// Maximum number of words in push constants, which every device supports: the
/// arguments and the address of the loop status. If there are more, they are
/// stored in memory, and the first word is their address.
static constexpr uint32_t maxPushed = 16;

namespace {
struct LoadedKernel {
  Pipeline pipeline = 0;
  std::array<uint32_t, 3> block = {};
};

struct LoadedModule {
  SpirvModule text;
  ShaderModule module = 0;
  std::deque<LoadedKernel> kernels;
};
} // namespace

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static Properties askProperties(const Functions &call, PhysicalDevice id,
                                void *next = nullptr) {
  Properties properties;
  properties.next = next;
  call.GetPhysicalDeviceProperties2(id, &properties);
  return properties;
}

static uint64_t askLargest(const Functions &call, PhysicalDevice id) {
  Maintenance3Properties more;
  (void)askProperties(call, id, &more);
  return more.maxAllocation;
}

VulkanDevice::VulkanDevice(const Functions &call, PhysicalDevice id)
    : call(call), id(id), properties(askProperties(call, id)),
      largest(askLargest(call, id)),
      memory(opened, VulkanMemory::Kind::Device, largest),
      host(opened, VulkanMemory::Kind::Host, largest) {
  call.GetPhysicalDeviceFeatures2(id, &features.basic);
  (void)askProperties(call, id, &controls);
  MemoryProperties has = {};
  call.GetPhysicalDeviceMemoryProperties(id, &has);
  for (uint32_t i = 0; i < has.heapCount; ++i)
    if (has.heaps[i].flags & deviceLocal)
      total += has.heaps[i].size;
  memory.properties = host.properties = has;
}

/// Chooses a queue family that can compute, preferably one with timestamps.
bool VulkanDevice::chooseQueue(uint32_t &family) const {
  uint32_t count = 0;
  call.GetPhysicalDeviceQueueFamilyProperties(id, &count, nullptr);
  std::vector<QueueFamily> families(count);
  call.GetPhysicalDeviceQueueFamilyProperties(id, &count, families.data());
  for (bool isTimed : {true, false})
    for (uint32_t i = 0; i < count; ++i)
      if (families[i].flags & computeQueue &&
          (families[i].timestampBits || !isTimed)) {
        family = i;
        return true;
      }
  return false;
}

std::string VulkanDevice::findObstacle() const {
  uint32_t family = 0;
  if (get<uint32_t>(apiVersionOffset) < version12)
    return "is older than Vulkan 1.2";
  if (!features.of12.has[bufferDeviceAddress])
    return "has no addresses of buffers (bufferDeviceAddress)";
  if (!features.of12.has[timelineSemaphore])
    return "has no timeline semaphores";
  if (!features.basic.has[shaderInt64] || !features.basic.has[shaderInt16] ||
      !features.of12.has[shaderInt8])
    return "lacks integers of 8, 16 or 64 bits in shaders";
  if (!features.of11.has[storage16] || !features.of12.has[storage8])
    return "lacks storage of 8 or 16 bits";
  if (!controls.keepsNan32 ||
      (features.basic.has[shaderFloat64] && !controls.keepsNan64))
    return "may lose NaN and infinities (shaderSignedZeroInfNanPreserve)";
  return chooseQueue(family) ? "" : "has no queue that computes";
}

DeviceFacts VulkanDevice::describeDevice(Ordinal) const {
  DeviceFacts facts;
  uint32_t version = get<uint32_t>(apiVersionOffset);
  facts.name = title();
  facts.memory = total;
  facts.maxBlock = static_cast<int32_t>(
      std::min<uint32_t>(get<uint32_t>(maxInvocationsOffset), INT32_MAX));
  facts.multiprocessors = 1; // Vulkan does not report it.
  bool isCpu = get<uint32_t>(deviceTypeOffset) == cpuDevice;
  facts.threadsPerMultiprocessor = isCpu ? 1 : facts.maxBlock;
  // The parts of the version number have a driver-specific meaning. The text is
  // for people, and may be empty.
  facts.driver = std::string(controls.name) + " " + controls.info + " " +
                 std::to_string(get<uint32_t>(driverVersionOffset));
  facts.gpuVendor = isCpu ? 0 : get<uint32_t>(vendorOffset);
  facts.major = static_cast<int32_t>(version >> 22 & 127);
  facts.minor = static_cast<int32_t>(version >> 12 & 1023);
  facts.maxShared = get<uint32_t>(maxSharedOffset);
  facts.grid.maxOuterBlocks =
      std::min(get<uint32_t>(maxGroupsOffset + sizeof(uint32_t)),
               get<uint32_t>(maxGroupsOffset + 2 * sizeof(uint32_t)));
  return facts;
}

/// Programs for "vulkan" use f64 and atomics on 64-bit integers; programs for
/// "vulkan:f32" use neither.
std::string VulkanDevice::target(Ordinal) const {
  bool isWide = features.basic.has[shaderFloat64] &&
                features.of12.has[int64Atomics] &&
                features.of12.has[sharedInt64Atomics];
  return getSpirvTarget("vulkan", isWide);
}

int32_t VulkanDevice::accepts(const std::string &own,
                              const char *target) const {
  if (own == target)
    return 2;
  return !std::strcmp(target, "vulkan:f32");
}

Result VulkanDevice::open(Handle &) {
  if (!chooseQueue(queue.family))
    return vkInitializationFailed;
  float priority = 1;
  DeviceQueueCreateInfo queues;
  queues.family = queue.family;
  queues.priorities = &priority;
  // Enables all features that the device has, except bounds checks, which cost
  // time.
  features.basic.has[robustBufferAccess] = 0;
  DeviceCreateInfo info;
  info.next = &features.basic;
  info.queues = &queues;
  if (int32_t code = call.CreateDevice(id, &info, nullptr, &opened.device))
    return translate(code);
  call.GetDeviceQueue(opened.device, queue.family, 0, &queue.queue);
  PushConstantRange range = {computeStage, 0, maxPushed * sizeof(Word)};
  PipelineLayoutCreateInfo pushed;
  pushed.rangeCount = 1;
  pushed.ranges = &range;
  if (int32_t code =
          call.CreatePipelineLayout(opened.device, &pushed, nullptr, &layout))
    return translate(code);
  return checks.loops.open(host);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

Result LoopStatus::open(VulkanMemory &host) {
  constexpr size_t bytes = (1 + maxSites) * sizeof(uint32_t);
  void *memory = nullptr;
  Result result = host.allocate(bytes, memory);
  if (result != success)
    return result;
  std::memset(memory, 0, bytes);
  words = static_cast<uint32_t *>(memory);
  return success;
}

uint32_t *LoopStatus::wordOf(const LaunchSite &site) {
  std::lock_guard lock(mutex);
  uint32_t count = numSites;
  auto *end = sites.data() + count;
  auto *found = std::find(sites.data(), end, site);
  auto *own = const_cast<uint32_t *>(words);
  if (found == end && count == maxSites)
    return own;
  if (found == end) {
    *found = site;
    numSites.store(count + 1, std::memory_order_release);
  }
  return own + 1 + (found - sites.data());
}

const volatile uint32_t *LoopStatus::findSet() const {
  if (!words)
    return nullptr;
  const volatile uint32_t *end =
      words + 1 + numSites.load(std::memory_order_acquire);
  for (const volatile uint32_t *word = words; word != end; ++word)
    if (*word)
      return word;
  return nullptr;
}

LaunchSite LoopStatus::culprit() const {
  const volatile uint32_t *word = findSet();
  return word && word != words ? sites[word - words - 1] : LaunchSite();
}

std::string VulkanDevice::describe(Result result) const {
  if (result == resultNotSupported)
    return "Vulkan cannot do this";
  if (result == loopWasCut)
    return "results are wrong: the driver (" + std::string(controls.name) +
           ") ended a loop early (Mesa's lavapipe allows a thread 65535 "
           "iterations)";
  const char *name = errorName(result);
  return name ? name : "Vulkan's error " + std::to_string(result);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Vulkan reports only the total memory of a device, so memory of other
/// processes counts as free.
Result VulkanDevice::memoryInfo(const Handle &, size_t &free, size_t &all) {
  all = total;
  free = total - std::min(memory.used(), total);
  return success;
}

/// Frees the memory that streams no longer use.
void VulkanDevice::collect() {
  std::lock_guard lock(mutex);
  std::erase_if(retiring, [&](const Retiring &each) {
    if (each.point.query() == resultNotReady)
      return false;
    memory.free(each.data);
    return true;
  });
}

Result VulkanDevice::allocate(const Handle &, void *&out, size_t bytes) {
  collect();
  return memory.allocate(bytes, out);
}

/// There is no pool. Any non-null handle makes memory be freed in the order of
/// a stream.
Result VulkanDevice::openPool(const Handle &, Pool_t &out) {
  out = reinterpret_cast<Pool_t>(this);
  return success;
}

Result VulkanDevice::trimPool(Pool_t) {
  collect();
  memory.trim();
  return success;
}

Result VulkanDevice::freeAsync(void *data, Stream_t on) {
  std::lock_guard lock(mutex);
  retiring.push_back({data, streamOf(on).last()});
  return success;
}

Result VulkanDevice::copy(Place target, Place source, size_t size,
                          Stream_t on) {
  if (!target.buffer || !source.buffer)
    // There is no host memory for the host's part of the object.
    return resultOutOfMemory;
  return streamOf(on).enqueue([this, target, source, size](Slot &slot) {
    BufferCopy part = {source.offset, target.offset, size};
    call.CmdCopyBuffer(slot.commands, source.buffer, target.buffer, 1, &part);
    return success;
  });
}

/// Fills whole aligned words only. For other fills GpuStream copies.
Result VulkanDevice::fill(void *target, uint32_t word, uint32_t unit,
                          size_t count, Stream_t on) {
  size_t bytes = unit * count;
  if (bytes % sizeof(word) ||
      reinterpret_cast<uintptr_t>(target) % sizeof(word))
    return resultNotSupported;
  Place at = memory.find(target);
  return streamOf(on).enqueue([this, at, bytes, word](Slot &slot) {
    call.CmdFillBuffer(slot.commands, at.buffer, at.offset, bytes, word);
    return success;
  });
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Result VulkanDevice::streamCreate(const Handle &, Stream_t &out) {
  auto stream = std::make_unique<VulkanStream>(opened, queue, host);
  Result result = stream->open();
  if (result == success)
    out = reinterpret_cast<Stream_t>(stream.release());
  return result;
}

Result VulkanDevice::eventCreate(const Handle &, Event_t &out) {
  QueryPoolCreateInfo info;
  auto event = std::make_unique<RecordedEvent>();
  int32_t code =
      call.CreateQueryPool(opened.device, &info, nullptr, &event->time);
  if (code == vkSuccess)
    out = reinterpret_cast<Event_t>(event.release());
  return translate(code);
}

Result VulkanDevice::eventRecord(Event_t event, Stream_t stream) {
  RecordedEvent &to = eventOf(event);
  uint64_t value = 0;
  Result result = streamOf(stream).enqueue(
      [this, time = to.time](Slot &slot) {
        call.CmdResetQueryPool(slot.commands, time, 0, 1);
        call.CmdWriteTimestamp(slot.commands, bottomOfPipe, time, 0);
        return success;
      },
      &value);
  if (result == success)
    to.point = {streamOf(stream).last().timeline, value};
  return result;
}

Result VulkanDevice::eventElapsed(float &milliseconds, Event_t start,
                                  Event_t stop) {
  uint64_t times[2] = {};
  for (int i : {0, 1})
    if (int32_t code = call.GetQueryPoolResults(
            opened.device, eventOf(i ? stop : start).time, 0, 1,
            sizeof(uint64_t), &times[i], sizeof(uint64_t), query64Bits))
      return translate(code);
  auto ticks = static_cast<double>(static_cast<int64_t>(times[1] - times[0]));
  auto period = static_cast<double>(get<float>(timestampPeriodOffset));
  milliseconds = static_cast<float>(ticks * period * 1e-6);
  return success;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Result VulkanDevice::load(const Handle &, const std::string &image,
                          Module_t &out, std::string &log) {
  std::optional<SpirvModule> text = readModule(image);
  if (!text) {
    log = "the image is not a module of SPIR-V";
    return vkInitializationFailed;
  }
  auto module = std::make_unique<LoadedModule>();
  module->text = std::move(*text);
  ShaderModuleCreateInfo info;
  info.size = module->text.words.size() * sizeof(uint32_t);
  info.code = module->text.words.data();
  int32_t code =
      call.CreateShaderModule(opened.device, &info, nullptr, &module->module);
  if (code == vkSuccess)
    out = reinterpret_cast<Module_t>(module.release());
  return translate(code);
}

Result VulkanDevice::unload(Module_t module) {
  std::unique_ptr<LoadedModule> loaded(
      reinterpret_cast<LoadedModule *>(module));
  for (LoadedKernel &kernel : loaded->kernels)
    call.DestroyPipeline(opened.device, kernel.pipeline, nullptr);
  call.DestroyShaderModule(opened.device, loaded->module, nullptr);
  return success;
}

Result VulkanDevice::findKernel(Module_t module, const char *name,
                                Function_t &out, uint32_t &) {
  auto &loaded = *reinterpret_cast<LoadedModule *>(module);
  auto found = loaded.text.kernels.find(name);
  if (found == loaded.text.kernels.end())
    return vkInitializationFailed;
  ComputePipelineCreateInfo info;
  info.stage.module = loaded.module;
  info.stage.name = name;
  FloatTraits floats;
  if (loaded.text.hasSpecConstants)
    if (Result result = checks.floats.find(
            *this, host, features.basic.has[shaderFloat64], floats);
        result != success)
      return result;
  // Specialization constants of our modules, see KeepFloats.cpp. They make
  // kernels hide operations that the driver would fold wrongly, check their
  // loops, and compute fma from sums and products.
  const uint32_t distrust[] = {floats.foldsZeros ||
                                   controls.driver == mesaLlvmpipe,
                               floats.roundsFmaTwice};
  constexpr SpecializationEntry entries[] = {
      {0, 0, sizeof(uint32_t)}, {1, sizeof(uint32_t), sizeof(uint32_t)}};
  SpecializationInfo constants = {std::size(entries), entries, sizeof(distrust),
                                  distrust};
  info.stage.specialization = &constants;
  info.layout = layout;
  LoadedKernel kernel;
  kernel.block = found->second;
  if (int32_t code = call.CreateComputePipelines(opened.device, 0, 1, &info,
                                                 nullptr, &kernel.pipeline))
    return translate(code);
  loaded.kernels.push_back(kernel);
  out = reinterpret_cast<Function_t>(&loaded.kernels.back());
  return success;
}

Result VulkanDevice::launch(Function_t function, const Launch &launch,
                            Stream_t on, const char *&part) {
  auto &kernel = *reinterpret_cast<LoadedKernel *>(function);
  const LaunchShape &shape = launch.shape;
  std::array<uint32_t, 3> block = {launch.block, shape.blockY, shape.blockZ};
  if (shape.sharedBytes)
    part = "asking for dynamic shared memory";
  else if (!launch.maps.empty())
    part = "encoding a tensor map";
  else if (block != kernel.block)
    part = "launching another number of threads than the kernel declares";
  if (part)
    return resultNotSupported;
  std::vector<Word> words(launch.args, launch.args + launch.arity);
  words.push_back(host.deviceAddress(checks.loops.wordOf(launch.site())));
  auto dispatch = [this, &kernel, words = std::move(words),
                   blocks = launch.extent, y = shape.gridY,
                   z = shape.gridZ](Slot &slot) -> Result {
    const Word *pushed = words.data();
    auto count = static_cast<uint32_t>(words.size());
    Word address = 0;
    if (count > maxPushed) {
      if (!slot.arguments) {
        Result result =
            host.allocate((maxKernelArity + 1) * sizeof(Word), slot.arguments);
        if (result != success)
          return result;
      }
      std::memcpy(slot.arguments, words.data(), count * sizeof(Word));
      address = host.deviceAddress(slot.arguments);
      pushed = &address;
      count = 1;
    }
    call.CmdBindPipeline(slot.commands, computePoint, kernel.pipeline);
    call.CmdPushConstants(slot.commands, layout, computeStage, 0,
                          count * sizeof(Word), pushed);
    // A device may limit the number of blocks along x, to 65,535 or more, so
    // this dispatches several times.
    int64_t most = get<uint32_t>(maxGroupsOffset);
    for (int64_t first = 0; first < blocks; first += most)
      call.CmdDispatchBase(
          slot.commands, static_cast<uint32_t>(first), 0, 0,
          static_cast<uint32_t>(std::min(most, blocks - first)), y, z);
    return success;
  };
  return streamOf(on).enqueue(std::move(dispatch));
}

Result VulkanDevice::endCapture(Stream_t stream, Graph_t &out) {
  SharedGraph graph = streamOf(stream).endCapture();
  Result result = graph->end();
  if (result == success)
    out = reinterpret_cast<Graph_t>(new SharedGraph(std::move(graph)));
  return result;
}
