//===- Connection.cpp - a device of a vendor's library --------------------===//
#include "runtime/drivers/gpu/Connection.h"

#include "runtime/abi/DeviceKinds.h"

#include <cstring>
#include <fstream>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

/// Reads the version of the driver from the kind's file if the library does not
/// report it.
static DeviceFacts readFacts(const DeviceApi &devices, const char *kind,
                             Ordinal ordinal) {
  DeviceFacts facts = devices.describe(ordinal);
  if (facts.driver.empty()) {
    std::ifstream file(findDeviceKind(kind)->versionFile);
    std::getline(file, facts.driver);
  }
  return facts;
}

DeviceIdentity::DeviceIdentity(const DeviceApi &devices, const char *kind,
                               Ordinal ordinal)
    : facts(readFacts(devices, kind, ordinal)), target(devices.target(ordinal)),
      targetWithTransforms(target + std::string(transformsSuffix)) {}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Returns " in the kernel 'a' (app.cpp:41)", or a list of the kernels that may
/// have caused an error.
std::string DeviceErrors::nameSuspects() {
  std::vector<LaunchSite> launches;
  const LaunchSite known = library.streams.culprit();
  // Launches of a graph have no lines; the stream that launched the graph has
  // them.
  if (!known.kernel || !known.file)
    streams.addRecent(launches);
  if (known.kernel) {
    std::erase_if(launches, [&](const LaunchSite &launch) {
      return std::strcmp(launch.kernel, known.kernel) != 0;
    });
    if (launches.empty())
      launches.push_back(known);
  }
  if (launches.empty())
    return "";
  if (launches.size() == 1)
    return " in the kernel " + launches[0].text();
  std::string text;
  for (const LaunchSite &launch : launches)
    text += (text.empty() ? " in one of the kernels " : ", ") + launch.text();
  return text + " (TENSORC_LAUNCH_BLOCKING=1 tells which)";
}

Status DeviceErrors::check(Result result, const char *doing, Call call) {
  if (result == success)
    return Status();
  bool isMemory = result == resultOutOfMemory;
  bool endsAll = !isMemory && library.devices.endsAllWork(result);
  std::string why =
      isMemory ? "out of memory" : library.devices.describeError(result);
  std::string suspects =
      (call == Call::Waits && result != resultNotSupported) ||
              (endsAll && !isLost)
          ? nameSuspects()
          : "";
  if (!endsAll)
    return error(isMemory ? TENSORC_RT_OUT_OF_MEMORY : TENSORC_RT_DEVICE_ERROR,
                 "%s: %s: %s%s", name, doing, why.c_str(), suspects.c_str());
  {
    std::lock_guard lock(mutex);
    if (!isLost)
      lost = why + suspects;
    isLost = true;
  }
  return health();
}

Status DeviceErrors::health() {
  if (generation != forkGeneration())
    return error(TENSORC_RT_DEVICE_ERROR,
                 "%s cannot be used in a child of fork(): start the process "
                 "anew",
                 name);
  if (!isLost)
    return Status();
  std::lock_guard lock(mutex);
  return error(TENSORC_RT_DEVICE_ERROR,
               "%s: %s; the device cannot be used any more by this process",
               name, lost.c_str());
}
