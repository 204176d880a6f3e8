//===- TileTest.cpp - tests the matrix instructions of packages -----------===//
#include "runtime/program/tiles/TileTest.h"

#include "runtime/abi/Format.h"
#include "runtime/abi/TileTest.h"
#include "runtime/core/threads/Fork.h"

#include <cstdio>
#include <map>
#include <set>

using namespace tensorc::rt;

namespace {
/// What this process knows. Guarded by the process lock for tiles.
struct Outcomes {
  /// Why matrix instructions of a device and a test program do not work; empty
  /// if the test passed.
  std::map<std::pair<Device *, uint64_t>, std::string> reasons;
  std::set<std::pair<Device *, std::string>> reported;
};
} // namespace

static Outcomes &outcomes() {
  // Never destroyed, because other threads may run until the process exits.
  static auto *all = new Outcomes;
  return *all;
}

/// Runs the program. Returns an error with the code UNSUPPORTED if its result is
/// wrong.
static Status runTest(Device &device, std::span<const char> package) {
  std::shared_ptr<Module> module;
  // A test has no test of its own.
  TENSORC_RT_TRY(Module::load(
      device, {package, nullptr, nullptr},
      [](std::span<const char>, std::string &) { return Status(); }, module));
  // A load must not call functions of the embedder.
  for (const CustomCall *call : module->customCalls)
    if (call)
      return error(TENSORC_RT_INVALID_PACKAGE,
                   "package: its test has custom calls");
  const std::vector<Entry> &entries = module->program.entries;
  if (entries.size() != 1 || entries[0].inputs.size() != 2 ||
      entries[0].outputs.size() != 1)
    return error(TENSORC_RT_INVALID_PACKAGE,
                 "package: its test has other inputs and outputs");
  int64_t wrong = 0;
  TENSORC_RT_TRY(Status(tiletest::countWrong(&device, &entries[0], wrong)));
  if (wrong)
    return error(TENSORC_RT_UNSUPPORTED,
                 "%lld elements of a test's product are wrong",
                 static_cast<long long>(wrong));
  return Status();
}

Status tensorc::rt::testTiles(Device &device, std::span<const char> package,
                              std::string &why) {
  tensorc_rt_device_properties properties = {};
  device.properties(properties);
  if (!properties.computes || device.hostVisible())
    return Status();
  std::pair key{&device, hashBytes(package.data(), package.size())};
  {
    ProcessLockGuard lock(ProcessLock::Tiles);
    auto found = outcomes().reasons.find(key);
    if (found != outcomes().reasons.end()) {
      why = found->second;
      return Status();
    }
  }
  // Without the lock, because a run takes others. Two threads may test at once.
  Status status = runTest(device, package);
  if (!status.ok()) {
    TENSORC_RT_TRY(device.health());
    tensorc_rt_code code = tensorc_rt_status_code(status.get());
    bool isRefused = code == TENSORC_RT_DEVICE_ERROR;
    if (!isRefused && code != TENSORC_RT_INVALID_PACKAGE &&
        code != TENSORC_RT_UNSUPPORTED)
      return status;
    why = tensorc_rt_status_message(status.get());
    // The driver may accept the program another time.
    if (isRefused)
      return Status();
  }
  ProcessLockGuard lock(ProcessLock::Tiles);
  why = outcomes().reasons.try_emplace(key, why).first->second;
  return Status();
}

void tensorc::rt::reportTiles(const Module &module) {
  const Program &program = module.program;
  if (program.brokenTiles.empty())
    return;
  {
    ProcessLockGuard lock(ProcessLock::Tiles);
    if (!outcomes().reported.emplace(&module.device, program.target).second)
      return;
  }
  tensorc_rt_device_properties properties = {};
  module.device.properties(properties);
  std::fprintf(stderr,
               "tensorc: %s (%s): matrix instructions do not work (%s). The "
               "package's code for %s is used, which is slower\n",
               module.device.name(), properties.description,
               program.brokenTiles.c_str(), program.target.c_str());
}
