//===- Client.cpp - The client and its devices ----------------------------===//

#include "pjrt/Table.h"

#include <cstdlib>
#include <cstring>

namespace tensorc::pjrt {

//===----------------------------------------------------------------------===//
// Finding devices
//===----------------------------------------------------------------------===//

static tensorc_rt_device_properties propertiesOf(tensorc_rt_device *device) {
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  return properties;
}

/// Splits a comma-separated list of names.
static std::vector<std::string> split(const std::string &list) {
  std::vector<std::string> names;
  for (size_t at = 0; at <= list.size();) {
    size_t end = std::min(list.find(',', at), list.size());
    if (end > at)
      names.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

/// Returns "sim:gfx942" for the device "sim:gfx942:1".
static std::string kindOf(tensorc_rt_device *device) {
  std::string name = propertiesOf(device).name;
  return name.substr(0, name.rfind(':'));
}

/// Finds the devices named in a list, or the devices of the default device's
/// kind if the list is empty. A host distributes a program over the devices
/// that it gets.
static Error *findDevices(const std::string &list,
                          std::vector<tensorc_rt_device *> &devices) {
  for (const std::string &name : split(list)) {
    tensorc_rt_device *device = nullptr;
    if (auto *failed = tensorc_rt_device_find(name.c_str(), &device))
      return fail(failed);
    devices.push_back(device);
  }
  if (!devices.empty())
    return nullptr;
  tensorc_rt_device *first = nullptr;
  if (auto *failed = tensorc_rt_device_find(nullptr, &first))
    return fail(failed);
  devices.push_back(first);
  for (int32_t i = 0; i < tensorc_rt_device_count(); ++i) {
    tensorc_rt_device *device = tensorc_rt_device_get(i);
    if (device != first && kindOf(device) == kindOf(first))
      devices.push_back(device);
  }
  return nullptr;
}

/// Adds memories of all kinds. Those of the host are ordinary memory.
static void addMemories(Client &client, Device &device,
                        tensorc_rt_device *host) {
  for (int32_t kind = 0; kind < int32_t(std::size(memoryKinds)); ++kind) {
    auto memory = std::make_unique<Memory>();
    memory->id = static_cast<int32_t>(client.memories.size());
    memory->kindId = kind;
    memory->kind = memoryKinds[kind];
    memory->device = &device;
    memory->devices = {&device};
    memory->isHost = kind || device.isHost;
    memory->place = memory->isHost && !device.isHost ? host : device.device;
    memory->text = "TensorcMemory(" + device.description.name + ", " +
                   std::string(memory->kind) + ")";
    device.memories.push_back(memory.get());
    client.memories.push_back(memory.get());
    device.owned.push_back(std::move(memory));
  }
}

static void addDevice(Client &client, tensorc_rt_device *found,
                      tensorc_rt_device *host) {
  tensorc_rt_device_properties properties = propertiesOf(found);
  auto device = std::make_unique<Device>();
  device->device = found;
  device->isHost = !std::strncmp(properties.name, "cpu:", 4);
  DeviceDescription &description = device->description;
  description.id = static_cast<int32_t>(client.devices.size());
  description.name = properties.name;
  description.kind = device->isHost ? "cpu" : properties.description;
  description.text = "TensorcDevice(id=" + std::to_string(description.id) +
                     ", " + description.name + ")";
  addMemories(client, *device, host);
  client.devices.push_back(device.get());
  client.topology.descriptions.push_back(&description);
  client.owned.push_back(std::move(device));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The op `tensorc.after` returns its first operand once the other operands
/// have been computed. It orders host callbacks.
static tensorc_status *runAfter(const tensorc_rt_op_call *call) {
  const tensorc_rt_array &from = call->inputs[0], &to = call->outputs[0];
  size_t size = 0;
  if (auto *failed =
          tensorc_rt_byte_size(from.dtype, from.rank, from.dims, &size))
    return failed;
  if (size)
    std::memcpy(to.data, from.data, size);
  return nullptr;
}

static Error *clientCreate(ClientCreate &args) {
  // Registers the op only once, as a process may create several clients.
  static tensorc_status *registered =
      tensorc_rt_register_op("tensorc.after", runAfter, nullptr);
  if (registered)
    return fail(Code::Internal, tensorc_status_message(registered));
  args.client = nullptr;
  const char *environment = std::getenv("TENSORC_JAX_DEVICES");
  std::string list = environment ? environment : "";
  for (size_t i = 0; i < args.numOptions; ++i) {
    const NamedValue &option = args.createOptions[i];
    std::string name(option.name, option.nameSize);
    if (name == "devices" && option.type == ValueType::String)
      list.assign(option.text, option.valueSize);
    else
      return fail(Code::InvalidArgument,
                  "the option '" + name + "' of the client is unknown");
  }
  std::vector<tensorc_rt_device *> devices;
  if (Error *error = findDevices(list, devices))
    return error;
  tensorc_rt_device *host = nullptr;
  if (auto *failed = tensorc_rt_device_find("cpu:0", &host))
    return fail(failed);
  auto client = std::make_unique<Client>();
  for (tensorc_rt_device *device : devices)
    addDevice(*client, device, host);
  // The platform's version is part of the keys of JAX's disk cache. It contains
  // the target, because cached packages are for one target.
  client->topology.platformVersion = std::string("tensorc ") +
                                     tensorc_version() + " " +
                                     propertiesOf(devices.front()).target;
  args.client = client.release();
  return nullptr;
}

template <class Args> static Error *nameOfPlatform(Args &args) {
  args.platformName = platformName;
  args.platformNameSize = std::strlen(platformName);
  return nullptr;
}

static Error *clientPlatformVersion(ClientPlatformVersion &args) {
  const std::string &version = args.client->topology.platformVersion;
  args.platformVersion = version.data();
  args.platformVersionSize = version.size();
  return nullptr;
}

static Error *findDevice(Client &client, int32_t id, Device *&device) {
  if (id < 0 || static_cast<size_t>(id) >= client.devices.size())
    return fail(Code::InvalidArgument,
                "there is no device " + std::to_string(id) + ", only " +
                    std::to_string(client.devices.size()));
  device = client.devices[id];
  return nullptr;
}

static Error *clientLookupDevice(ClientLookupDevice &args) {
  return findDevice(*args.client, args.id, args.device);
}

static Error *
clientLookupAddressableDevice(ClientLookupAddressableDevice &args) {
  return findDevice(*args.client, args.localHardwareId, args.addressableDevice);
}

static Error *
clientDefaultDeviceAssignment(ClientDefaultDeviceAssignment &args) {
  size_t count = static_cast<size_t>(args.numReplicas) * args.numPartitions;
  if (args.numReplicas < 0 || args.numPartitions < 0 ||
      count > args.defaultAssignmentSize || count > args.client->devices.size())
    return fail(Code::InvalidArgument,
                std::to_string(count) + " devices are asked for, there are " +
                    std::to_string(args.client->devices.size()));
  for (size_t i = 0; i < count; ++i)
    args.defaultAssignment[i] = static_cast<int32_t>(i);
  return nullptr;
}

static Error *clientTopologyDescription(ClientTopologyDescription &args) {
  args.topology = &args.client->topology;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Topologies, which are owned by clients
//===----------------------------------------------------------------------===//

static Error *topologyDestroy(TopologyDescriptionDestroy &) { return nullptr; }

void addClient(Table table) {
  using Devices = ClientDevices;
  using Addressable = ClientAddressableDevices;
  using Memories = ClientAddressableMemories;
  using Version = TopologyDescriptionPlatformVersion;
  using Topologies = TopologyDescriptionGetDeviceDescriptions;
  table.set<
      getList<&Devices::devices, &Devices::numDevices, &Devices::client,
              &Client::devices>,
      getList<&Addressable::addressableDevices,
              &Addressable::numAddressableDevices, &Addressable::client,
              &Client::devices>,
      getList<&Memories::addressableMemories, &Memories::numAddressableMemories,
              &Memories::client, &Client::memories>,
      getList<&Topologies::descriptions, &Topologies::numDescriptions,
              &Topologies::topology, &Topology::descriptions>,
      clientCreate, destroy<&ClientDestroy::client>,
      nameOfPlatform<ClientPlatformName>, clientPlatformVersion,
      onlyProcess<ClientProcessIndex>, clientLookupDevice,
      clientLookupAddressableDevice, clientDefaultDeviceAssignment,
      clientTopologyDescription, topologyDestroy,
      nameOfPlatform<TopologyDescriptionPlatformName>,
      getList<&Version::platformVersion, &Version::platformVersionSize,
              &Version::topology, &Topology::platformVersion>,
      noAttributes<TopologyDescriptionAttributes>>();
}

} // namespace tensorc::pjrt
