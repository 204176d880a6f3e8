//===- Devices.cpp - Properties of devices and memories -------------------===//

#include "pjrt/Table.h"

namespace tensorc::pjrt {

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

void addDevices(Table table) {
  using D = DeviceDescription;
  using Id = DeviceDescriptionId;
  using Kind = DeviceDescriptionKind;
  using Debug = DeviceDescriptionDebugString;
  using Text = DeviceDescriptionToString;
  using Memories = DeviceAddressableMemories;
  using Debugged = MemoryDebugString;
  using Devices = MemoryAddressableByDevices;
  table.set<get<&Id::id, &Id::deviceDescription, &D::id>,
            getList<&Kind::deviceKind, &Kind::deviceKindSize,
                    &Kind::deviceDescription, &D::kind>,
            getList<&Debug::debugString, &Debug::debugStringSize,
                    &Debug::deviceDescription, &D::text>,
            getList<&Text::toString, &Text::toStringSize,
                    &Text::deviceDescription, &D::text>,
            getList<&Memories::memories, &Memories::numMemories,
                    &Memories::device, &Device::memories>,
            get<&MemoryId::id, &MemoryId::memory, &Memory::id>,
            get<&MemoryKindId::kindId, &MemoryKindId::memory, &Memory::kindId>,
            getList<&MemoryKind::kind, &MemoryKind::kindSize,
                    &MemoryKind::memory, &Memory::kind>,
            getList<&Debugged::debugString, &Debugged::debugStringSize,
                    &Debugged::memory, &Memory::text>,
            getList<&MemoryToString::toString, &MemoryToString::toStringSize,
                    &MemoryToString::memory, &Memory::text>,
            getList<&Devices::devices, &Devices::numDevices, &Devices::memory,
                    &Memory::devices>,
            onlyProcess<DeviceDescriptionProcessIndex>,
            noAttributes<DeviceDescriptionAttributes>, deviceDescription,
            deviceIsAddressable, deviceLocalHardwareId, deviceDefaultMemory,
            deviceMemoryStats, deviceAttributes, deviceClearMemoryStats>();
}

} // namespace tensorc::pjrt
