//===- DevicesCommand.cpp - tensorc devices -------------------------------===//

#include "tools/tensorc/Commands.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

namespace tensorc::tool {

static int runDevices(const Arguments &) {
  // With this setting, the runtime prints to stderr why it does not use a
  // driver or a device.
  setenv("TENSORC_LOG", "devices", /*overwrite=*/1);
  auto line = [](const char *name, const char *target) -> llvm::raw_ostream & {
    return llvm::outs() << llvm::format("%-10s %-14s ", name, target);
  };
  for (int32_t i = 0; i < tensorc_rt_device_count(); ++i) {
    tensorc_rt_device_properties p;
    tensorc_rt_device_get_properties(tensorc_rt_device_get(i), &p);
    line(p.name, p.target) << p.description << ", " << p.threads
                           << (p.threads == 1 ? " thread" : " threads") << ", "
                           << (p.memory >> 20) << " MiB\n";
  }
  line("reference", "") << "the interpreter: exact and slow\n";
  return Success;
}

const Command devicesCommand = {"devices",
                                "list the devices of this machine",
                                "",
                                {},
                                "  tensorc devices\n",
                                /*takesInput=*/false,
                                runDevices};

} // namespace tensorc::tool
