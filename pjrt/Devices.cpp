//===- Devices.cpp - Properties of devices and memories -------------------===//

#include "pjrt/Table.h"

namespace tensorc::pjrt {

static Error *descriptionId(DeviceDescriptionId &args) {
  args.id = args.deviceDescription->id;
  return nullptr;
}

static Error *descriptionProcessIndex(DeviceDescriptionProcessIndex &args) {
  args.processIndex = 0;
  return nullptr;
}

static Error *descriptionAttributes(DeviceDescriptionAttributes &args) {
  args.attributes = nullptr;
  args.numAttributes = 0;
  return nullptr;
}

static Error *descriptionKind(DeviceDescriptionKind &args) {
  args.deviceKind = args.deviceDescription->kind.data();
  args.deviceKindSize = args.deviceDescription->kind.size();
  return nullptr;
}

static Error *descriptionDebugString(DeviceDescriptionDebugString &args) {
  args.debugString = args.deviceDescription->text.data();
  args.debugStringSize = args.deviceDescription->text.size();
  return nullptr;
}

static Error *descriptionToString(DeviceDescriptionToString &args) {
  args.toString = args.deviceDescription->text.data();
  args.toStringSize = args.deviceDescription->text.size();
  return nullptr;
}

static Error *deviceDescription(DeviceGetDescription &args) {
  args.deviceDescription = &args.device->description;
  return nullptr;
}

static Error *deviceIsAddressable(DeviceIsAddressable &args) {
  args.isAddressable = true;
  return nullptr;
}

static Error *deviceLocalHardwareId(DeviceLocalHardwareId &args) {
  args.localHardwareId = args.device->description.id;
  return nullptr;
}

static Error *deviceMemories(DeviceAddressableMemories &args) {
  args.memories = args.device->memories.data();
  args.numMemories = args.device->memories.size();
  return nullptr;
}

static Error *deviceDefaultMemory(DeviceDefaultMemory &args) {
  args.memory = args.device->memories.front();
  return nullptr;
}

static Error *deviceMemoryStats(DeviceMemoryStats &args) {
  tensorc_rt_memory_stats stats;
  tensorc_rt_device_memory(args.device->device, &stats);
  args.bytesInUse = static_cast<int64_t>(stats.allocated);
  args.peakBytesInUse = static_cast<int64_t>(stats.peak);
  args.peakBytesInUseIsSet = true;
  args.numAllocs = static_cast<int64_t>(stats.allocations);
  args.numAllocsIsSet = true;
  args.largestAllocSizeIsSet = false;
  args.bytesLimit = static_cast<int64_t>(stats.limit);
  args.bytesLimitIsSet = stats.limit != 0;
  return nullptr;
}

static Error *deviceAttributes(DeviceGetAttributes &args) {
  args.attributes = nullptr;
  args.numAttributes = 0;
  args.deviceAttributes = nullptr;
  args.attributesDeleter = deleteBytes;
  return nullptr;
}

static Error *deviceClearMemoryStats(DeviceClearMemoryStats &args) {
  tensorc_rt_device_reset_peak(args.device->device);
  return nullptr;
}

static Error *memoryId(MemoryId &args) {
  args.id = args.memory->id;
  return nullptr;
}

static Error *memoryKind(MemoryKind &args) {
  args.kind = args.memory->kind.data();
  args.kindSize = args.memory->kind.size();
  return nullptr;
}

static Error *memoryKindId(MemoryKindId &args) {
  args.kindId = args.memory->kindId;
  return nullptr;
}

static Error *memoryDebugString(MemoryDebugString &args) {
  args.debugString = args.memory->text.data();
  args.debugStringSize = args.memory->text.size();
  return nullptr;
}

static Error *memoryToString(MemoryToString &args) {
  args.toString = args.memory->text.data();
  args.toStringSize = args.memory->text.size();
  return nullptr;
}

static Error *memoryDevices(MemoryAddressableByDevices &args) {
  args.devices = args.memory->devices.data();
  args.numDevices = args.memory->devices.size();
  return nullptr;
}

void addDevices(Table table) {
  table.set<descriptionId, descriptionProcessIndex, descriptionAttributes,
            descriptionKind, descriptionDebugString, descriptionToString,
            deviceDescription, deviceIsAddressable, deviceLocalHardwareId,
            deviceMemories, deviceDefaultMemory, deviceMemoryStats,
            deviceAttributes, deviceClearMemoryStats, memoryId, memoryKind,
            memoryKindId, memoryDebugString, memoryToString, memoryDevices>();
}

} // namespace tensorc::pjrt
