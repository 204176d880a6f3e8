//===- VulkanApi.h - the functions of Vulkan that we call -------*- C++ -*-===//
//
// Declares the parts of Vulkan 1.2 that compute needs, so that no Vulkan header
// is required. Flags and enumerations are plain numbers. Structs have the members
// of vulkan_core.h in the same order.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANAPI_H
#define TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANAPI_H

#include <cstddef>
#include <cstdint>

namespace tensorc::rt::vulkan {

using Instance = struct VkInstance_T *;
using PhysicalDevice = struct VkPhysicalDevice_T *;
using LogicalDevice = struct VkDevice_T *;
using DeviceQueue = struct VkQueue_T *;
using CommandBuffer = struct VkCommandBuffer_T *;
// Handles, which are 64-bit numbers (pointers on some platforms).
using BufferHandle = uint64_t;
using MemoryHandle = uint64_t;
using ShaderModule = uint64_t;
using PipelineLayout = uint64_t;
using Pipeline = uint64_t;
using CommandPool = uint64_t;
using QueryPool = uint64_t;
using Semaphore = uint64_t;

// Results
constexpr int32_t vkSuccess = 0, vkTimeout = 2, vkOutOfHostMemory = -1,
                  vkOutOfDeviceMemory = -2, vkInitializationFailed = -3,
                  vkDeviceLost = -4;
/// An error code of this runtime, not of Vulkan: a kernel's loop ended too
/// early.
constexpr int32_t loopWasCut = -9999;

constexpr uint32_t version12 = 1 << 22 | 2 << 12, version13 = 1 << 22 | 3 << 12;

/// Values of VkStructureType
enum class Type : uint32_t {
  ApplicationInfo = 0,
  InstanceCreateInfo = 1,
  DeviceQueueCreateInfo = 2,
  DeviceCreateInfo = 3,
  SubmitInfo = 4,
  MemoryAllocateInfo = 5,
  SemaphoreCreateInfo = 9,
  QueryPoolCreateInfo = 11,
  BufferCreateInfo = 12,
  ShaderModuleCreateInfo = 16,
  PipelineShaderStageCreateInfo = 18,
  ComputePipelineCreateInfo = 29,
  PipelineLayoutCreateInfo = 30,
  CommandPoolCreateInfo = 39,
  CommandBufferAllocateInfo = 40,
  CommandBufferBeginInfo = 42,
  MemoryBarrier = 46,
  Features11 = 49,
  Features12 = 51,
  Properties12 = 52,
  Features13 = 53,
  Features2 = 1000059000,
  Properties2 = 1000059001,
  MemoryAllocateFlagsInfo = 1000060000,
  Maintenance3Properties = 1000168000,
  SemaphoreTypeCreateInfo = 1000207002,
  TimelineSemaphoreSubmitInfo = 1000207003,
  SemaphoreWaitInfo = 1000207004,
  SemaphoreSignalInfo = 1000207005,
  BufferDeviceAddressInfo = 1000244001,
};

struct ApplicationInfo {
  Type type = Type::ApplicationInfo;
  const void *next = nullptr;
  const char *name = nullptr;
  uint32_t version = 0;
  const char *engine = nullptr;
  uint32_t engineVersion = 0, apiVersion = 0;
};
struct InstanceCreateInfo {
  Type type = Type::InstanceCreateInfo;
  const void *next = nullptr;
  uint32_t flags = 0;
  const ApplicationInfo *application = nullptr;
  uint32_t layerCount = 0;
  const char *const *layers = nullptr;
  uint32_t extensionCount = 0;
  const char *const *extensions = nullptr;
};
struct DeviceQueueCreateInfo {
  Type type = Type::DeviceQueueCreateInfo;
  const void *next = nullptr;
  uint32_t flags = 0, family = 0, count = 1;
  const float *priorities = nullptr;
};
struct DeviceCreateInfo {
  Type type = Type::DeviceCreateInfo;
  const void *next = nullptr;
  uint32_t flags = 0, queueCount = 1;
  const DeviceQueueCreateInfo *queues = nullptr;
  uint32_t layerCount = 0;
  const char *const *layers = nullptr;
  uint32_t extensionCount = 0;
  const char *const *extensions = nullptr;
  const void *features = nullptr; // null: Features2 is chained instead
};
/// VkPhysicalDeviceFeatures2 and the structs for later versions, with room for
/// members that future versions add. `has` is indexed by the position of the
/// feature in the struct.
struct Features {
  Type type;
  void *next = nullptr;
  uint32_t has[64] = {};
};
// Positions of features in these structs.
constexpr uint32_t robustBufferAccess = 0, shaderFloat64 = 39, shaderInt64 = 40,
                   shaderInt16 = 41; // in Features2
constexpr uint32_t storage16 = 0;    // in Features11
constexpr uint32_t storage8 = 2, int64Atomics = 5, sharedInt64Atomics = 6,
                   shaderInt8 = 8, timelineSemaphore = 37,
                   bufferDeviceAddress = 38; // 12

/// VkPhysicalDeviceProperties2, with room for members that future versions add.
/// The constants are offsets of the members that the driver reads.
struct Properties {
  Type type = Type::Properties2;
  void *next = nullptr;
  alignas(8) char bytes[2048] = {};
};
constexpr size_t apiVersionOffset = 0, driverVersionOffset = 4,
                 vendorOffset = 8, deviceTypeOffset = 16, deviceNameOffset = 20,
                 limitsOffset = 296, maxSharedOffset = limitsOffset + 216,
                 maxGroupsOffset = limitsOffset + 220,
                 maxInvocationsOffset = limitsOffset + 232,
                 timestampPeriodOffset = limitsOffset + 424;
constexpr size_t maxDeviceName = 256;
constexpr uint32_t cpuDevice = 4;
struct Maintenance3Properties {
  Type type = Type::Maintenance3Properties;
  void *next = nullptr;
  uint32_t maxDescriptors = 0;
  uint64_t maxAllocation = 0;
};
constexpr uint32_t mesaLlvmpipe = 13; // a VkDriverId
/// VkPhysicalDeviceVulkan12Properties, with room for members that future
/// versions add.
struct Properties12 {
  Type type = Type::Properties12;
  void *next = nullptr;
  uint32_t driver = 0;
  char name[256] = {}, info[256] = {};
  uint8_t conformance[4] = {};
  uint32_t independence[2] = {};
  /// Support of SignedZeroInfNanPreserve for floats of 16, 32 and 64 bits.
  uint32_t keepsNan16 = 0, keepsNan32 = 0, keepsNan64 = 0;
  uint32_t more[128] = {};
};
struct QueueFamily {
  uint32_t flags, count, timestampBits, granularity[3];
};
constexpr uint32_t computeQueue = 2;
struct MemoryProperties {
  uint32_t typeCount;
  struct {
    uint32_t flags, heap;
  } types[32];
  uint32_t heapCount;
  struct {
    uint64_t size;
    uint32_t flags;
  } heaps[16];
};
constexpr uint32_t deviceLocal = 1, hostVisible = 2, hostCoherent = 4,
                   hostCached = 8;

struct BufferCreateInfo {
  Type type = Type::BufferCreateInfo;
  const void *next = nullptr;
  uint32_t flags = 0;
  uint64_t size = 0;
  uint32_t usage = 0, sharing = 0, familyCount = 0;
  const uint32_t *families = nullptr;
};
/// Usage flags of buffers: source and target of copies, storage buffer, device
/// address.
constexpr uint32_t bufferUsage = 1 | 2 | 1 << 5 | 1 << 17;
struct MemoryRequirements {
  uint64_t size, alignment;
  uint32_t types;
};
struct MemoryAllocateFlagsInfo {
  Type type = Type::MemoryAllocateFlagsInfo;
  const void *next = nullptr;
  uint32_t flags = 2; // VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT
  uint32_t mask = 0;
};
struct MemoryAllocateInfo {
  Type type = Type::MemoryAllocateInfo;
  const void *next = nullptr;
  uint64_t size = 0;
  uint32_t memoryType = 0;
};
struct BufferDeviceAddressInfo {
  Type type = Type::BufferDeviceAddressInfo;
  const void *next = nullptr;
  BufferHandle buffer = 0;
};
struct ShaderModuleCreateInfo {
  Type type = Type::ShaderModuleCreateInfo;
  const void *next = nullptr;
  uint32_t flags = 0;
  size_t size = 0; // in bytes
  const uint32_t *code = nullptr;
};
struct PushConstantRange {
  uint32_t stages, offset, size;
};
struct PipelineLayoutCreateInfo {
  Type type = Type::PipelineLayoutCreateInfo;
  const void *next = nullptr;
  uint32_t flags = 0, setCount = 0;
  const void *sets = nullptr;
  uint32_t rangeCount = 0;
  const PushConstantRange *ranges = nullptr;
};
constexpr uint32_t computeStage = 1 << 5, computePoint = 1;
struct SpecializationEntry {
  uint32_t constant, offset;
  size_t size;
};
struct SpecializationInfo {
  uint32_t count = 0;
  const SpecializationEntry *entries = nullptr;
  size_t size = 0;
  const void *data = nullptr;
};
struct PipelineShaderStageCreateInfo {
  Type type = Type::PipelineShaderStageCreateInfo;
  const void *next = nullptr;
  uint32_t flags = 0, stage = computeStage;
  ShaderModule module = 0;
  const char *name = nullptr;
  const SpecializationInfo *specialization = nullptr;
};
struct ComputePipelineCreateInfo {
  Type type = Type::ComputePipelineCreateInfo;
  const void *next = nullptr;
  uint32_t flags = 1 << 4; // permits vkCmdDispatchBase
  PipelineShaderStageCreateInfo stage;
  PipelineLayout layout = 0;
  Pipeline base = 0;
  int32_t baseIndex = 0;
};
struct CommandPoolCreateInfo {
  Type type = Type::CommandPoolCreateInfo;
  const void *next = nullptr;
  uint32_t flags = 2; // each command buffer can be reset
  uint32_t family = 0;
};
struct CommandBufferAllocateInfo {
  Type type = Type::CommandBufferAllocateInfo;
  const void *next = nullptr;
  CommandPool pool = 0;
  uint32_t level = 0, count = 1;
};
struct CommandBufferBeginInfo {
  Type type = Type::CommandBufferBeginInfo;
  const void *next = nullptr;
  uint32_t flags = submittedOnce;
  const void *inheritance = nullptr;
  static constexpr uint32_t submittedOnce = 1, submittedOften = 4;
};
/// Makes all earlier writes visible to all later commands.
struct MemoryBarrier {
  Type type = Type::MemoryBarrier;
  const void *next = nullptr;
  uint32_t before = 1 << 16, after = 1 << 15 | 1 << 16; // writes; reads, writes
};
struct QueryPoolCreateInfo {
  Type type = Type::QueryPoolCreateInfo;
  const void *next = nullptr;
  uint32_t flags = 0, queryType = 2; // timestamps
  uint32_t count = 1, statistics = 0;
};
constexpr uint32_t query64Bits = 1;
constexpr uint32_t allCommands = 1 << 16, bottomOfPipe = 1 << 13; // stages
struct SubmitInfo {
  Type type = Type::SubmitInfo;
  const void *next = nullptr;
  uint32_t waitCount = 0;
  const Semaphore *waits = nullptr;
  const uint32_t *waitStages = nullptr;
  uint32_t commandCount = 0;
  const CommandBuffer *commands = nullptr;
  uint32_t signalCount = 0;
  const Semaphore *signals = nullptr;
};
struct TimelineSemaphoreSubmitInfo {
  Type type = Type::TimelineSemaphoreSubmitInfo;
  const void *next = nullptr;
  uint32_t waitCount = 0;
  const uint64_t *waits = nullptr;
  uint32_t signalCount = 0;
  const uint64_t *signals = nullptr;
};
struct SemaphoreTypeCreateInfo {
  Type type = Type::SemaphoreTypeCreateInfo;
  const void *next = nullptr;
  uint32_t kind = 1; // a timeline semaphore
  uint64_t initial = 0;
};
struct SemaphoreCreateInfo {
  Type type = Type::SemaphoreCreateInfo;
  const void *next = nullptr;
  uint32_t flags = 0;
};
struct SemaphoreWaitInfo {
  Type type = Type::SemaphoreWaitInfo;
  const void *next = nullptr;
  uint32_t flags = 0, count = 1;
  const Semaphore *semaphores = nullptr;
  const uint64_t *values = nullptr;
};
struct SemaphoreSignalInfo {
  Type type = Type::SemaphoreSignalInfo;
  const void *next = nullptr;
  Semaphore semaphore = 0;
  uint64_t value = 0;
};
struct BufferCopy {
  uint64_t source, target, size;
};

/// X(name, result, parameters); the member is the name without "vk".
#define TENSORC_VULKAN_FUNCTIONS(X)                                            \
  X(CreateInstance, int32_t,                                                   \
    (const InstanceCreateInfo *, const void *, Instance *))                    \
  X(EnumerateInstanceVersion, int32_t, (uint32_t *))                           \
  X(EnumeratePhysicalDevices, int32_t,                                         \
    (Instance, uint32_t *, PhysicalDevice *))                                  \
  X(GetPhysicalDeviceProperties2, void, (PhysicalDevice, Properties *))        \
  X(GetPhysicalDeviceFeatures2, void, (PhysicalDevice, Features *))            \
  X(GetPhysicalDeviceMemoryProperties, void,                                   \
    (PhysicalDevice, MemoryProperties *))                                      \
  X(GetPhysicalDeviceQueueFamilyProperties, void,                              \
    (PhysicalDevice, uint32_t *, QueueFamily *))                               \
  X(CreateDevice, int32_t,                                                     \
    (PhysicalDevice, const DeviceCreateInfo *, const void *, LogicalDevice *)) \
  X(GetDeviceQueue, void, (LogicalDevice, uint32_t, uint32_t, DeviceQueue *))  \
  X(AllocateMemory, int32_t,                                                   \
    (LogicalDevice, const MemoryAllocateInfo *, const void *, MemoryHandle *)) \
  X(FreeMemory, void, (LogicalDevice, MemoryHandle, const void *))             \
  X(MapMemory, int32_t,                                                        \
    (LogicalDevice, MemoryHandle, uint64_t, uint64_t, uint32_t, void **))      \
  X(CreateBuffer, int32_t,                                                     \
    (LogicalDevice, const BufferCreateInfo *, const void *, BufferHandle *))   \
  X(DestroyBuffer, void, (LogicalDevice, BufferHandle, const void *))          \
  X(GetBufferMemoryRequirements, void,                                         \
    (LogicalDevice, BufferHandle, MemoryRequirements *))                       \
  X(BindBufferMemory, int32_t,                                                 \
    (LogicalDevice, BufferHandle, MemoryHandle, uint64_t))                     \
  X(GetBufferDeviceAddress, uint64_t,                                          \
    (LogicalDevice, const BufferDeviceAddressInfo *))                          \
  X(CreateShaderModule, int32_t,                                               \
    (LogicalDevice, const ShaderModuleCreateInfo *, const void *,              \
     ShaderModule *))                                                          \
  X(DestroyShaderModule, void, (LogicalDevice, ShaderModule, const void *))    \
  X(CreatePipelineLayout, int32_t,                                             \
    (LogicalDevice, const PipelineLayoutCreateInfo *, const void *,            \
     PipelineLayout *))                                                        \
  X(CreateComputePipelines, int32_t,                                           \
    (LogicalDevice, uint64_t, uint32_t, const ComputePipelineCreateInfo *,     \
     const void *, Pipeline *))                                                \
  X(DestroyPipeline, void, (LogicalDevice, Pipeline, const void *))            \
  X(CreateCommandPool, int32_t,                                                \
    (LogicalDevice, const CommandPoolCreateInfo *, const void *,               \
     CommandPool *))                                                           \
  X(DestroyCommandPool, void, (LogicalDevice, CommandPool, const void *))      \
  X(AllocateCommandBuffers, int32_t,                                           \
    (LogicalDevice, const CommandBufferAllocateInfo *, CommandBuffer *))       \
  X(BeginCommandBuffer, int32_t,                                               \
    (CommandBuffer, const CommandBufferBeginInfo *))                           \
  X(EndCommandBuffer, int32_t, (CommandBuffer))                                \
  X(CmdBindPipeline, void, (CommandBuffer, uint32_t, Pipeline))                \
  X(CmdPushConstants, void,                                                    \
    (CommandBuffer, PipelineLayout, uint32_t, uint32_t, uint32_t,              \
     const void *))                                                            \
  X(CmdDispatchBase, void,                                                     \
    (CommandBuffer, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,          \
     uint32_t))                                                                \
  X(CmdCopyBuffer, void,                                                       \
    (CommandBuffer, BufferHandle, BufferHandle, uint32_t, const BufferCopy *)) \
  X(CmdPipelineBarrier, void,                                                  \
    (CommandBuffer, uint32_t, uint32_t, uint32_t, uint32_t,                    \
     const MemoryBarrier *, uint32_t, const void *, uint32_t, const void *))   \
  X(CmdFillBuffer, void,                                                       \
    (CommandBuffer, BufferHandle, uint64_t, uint64_t, uint32_t))               \
  X(CmdResetQueryPool, void, (CommandBuffer, QueryPool, uint32_t, uint32_t))   \
  X(CmdWriteTimestamp, void, (CommandBuffer, uint32_t, QueryPool, uint32_t))   \
  X(CreateQueryPool, int32_t,                                                  \
    (LogicalDevice, const QueryPoolCreateInfo *, const void *, QueryPool *))   \
  X(GetQueryPoolResults, int32_t,                                              \
    (LogicalDevice, QueryPool, uint32_t, uint32_t, size_t, void *, uint64_t,   \
     uint32_t))                                                                \
  X(QueueSubmit, int32_t,                                                      \
    (DeviceQueue, uint32_t, const SubmitInfo *, uint64_t))                     \
  X(CreateSemaphore, int32_t,                                                  \
    (LogicalDevice, const SemaphoreCreateInfo *, const void *, Semaphore *))   \
  X(WaitSemaphores, int32_t,                                                   \
    (LogicalDevice, const SemaphoreWaitInfo *, uint64_t))                      \
  X(SignalSemaphore, int32_t, (LogicalDevice, const SemaphoreSignalInfo *))    \
  X(GetSemaphoreCounterValue, int32_t, (LogicalDevice, Semaphore, uint64_t *))

struct Functions {
#define X(name, result, parameters) result(*name) parameters = nullptr;
  TENSORC_VULKAN_FUNCTIONS(X)
#undef X
};

/// Returns the name of an error, such as "VK_ERROR_DEVICE_LOST" for -4, or
/// null.
const char *errorName(int32_t code);

} // namespace tensorc::rt::vulkan

#endif
