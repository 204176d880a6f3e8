//===- OpenclKernels.cpp - programs and kernels of OpenCL -----------------===//
#include "runtime/drivers/opencl/OpenclKernels.h"

#include "runtime/drivers/opencl/OpenclQueue.h"

#include <cctype>
#include <cstring>
#include <deque>
#include <mutex>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::opencl;

namespace {
/// A kernel object stores its arguments, so a lock is held while they are set
/// and the kernel is launched.
struct LoadedKernel {
  ClKernel kernel = nullptr;
  std::mutex mutex;
};

/// A program, and the kernels that were looked up in it so far.
struct LoadedProgram {
  Program program = nullptr;
  std::deque<LoadedKernel> kernels;
};
} // namespace

/// The optimizer of Intel's runtime for CPUs (2026.2) is turned off: kernels
/// that count leading zeros, or select among offsets, get wrong numbers.
static const char *getBuildOptions(const OpenclDevice &device) {
  bool isIntel = device.platform.starts_with("Intel");
  return isIntel && device.isCpu() ? "-cl-opt-disable" : nullptr;
}

Result OpenclKernels::load(const Handle &, const std::string &image,
                           Module_t &out, std::string &log) {
  int32_t code = 0;
  Program program = device.call.CreateProgramWithIL(
      device.context, image.data(), image.size(), &code);
  if (code)
    return translate(code);
  code = device.call.BuildProgram(program, 1, &device.id,
                                  getBuildOptions(device), nullptr, nullptr);
  if (!code) {
    auto loaded = std::make_unique<LoadedProgram>();
    loaded->program = program;
    out = reinterpret_cast<Module_t>(loaded.release());
    return success;
  }
  size_t size = 0;
  (void)device.call.GetProgramBuildInfo(program, device.id, programBuildLog, 0,
                                        nullptr, &size);
  log.assign(size, '\0');
  (void)device.call.GetProgramBuildInfo(program, device.id, programBuildLog,
                                        size, log.data(), nullptr);
  log.resize(std::strlen(log.c_str()));
  while (!log.empty() && std::isspace(static_cast<unsigned char>(log.back())))
    log.pop_back();
  (void)device.call.ReleaseProgram(program);
  return translate(code);
}

Result OpenclKernels::unload(Module_t module) {
  std::unique_ptr<LoadedProgram> program(
      reinterpret_cast<LoadedProgram *>(module));
  for (LoadedKernel &kernel : program->kernels)
    (void)device.call.ReleaseKernel(kernel.kernel);
  (void)device.call.ReleaseProgram(program->program);
  return success;
}

Result OpenclKernels::find(Module_t module, const char *name, Function_t &out,
                           uint32_t &) {
  auto &program = *reinterpret_cast<LoadedProgram *>(module);
  int32_t code = 0;
  ClKernel kernel = device.call.CreateKernel(program.program, name, &code);
  if (code)
    return translate(code);
  LoadedKernel &made = program.kernels.emplace_back();
  made.kernel = kernel;
  out = reinterpret_cast<Function_t>(&made);
  return success;
}

/// Sets each argument as a 64-bit word. Buffers are passed as addresses in such
/// words, so the driver must be told which allocations the kernel accesses.
Result OpenclKernels::launch(Function_t function, const Launch &launch,
                             Stream_t on, const char *&part) {
  const LaunchShape &shape = launch.shape;
  if (shape.sharedBytes) {
    part = "asking for dynamic shared memory";
    return resultNotSupported;
  }
  if (!launch.maps.empty()) {
    part = "encoding a tensor map";
    return resultNotSupported;
  }
  auto &kernel = *reinterpret_cast<LoadedKernel *>(function);
  std::lock_guard lock(kernel.mutex);
  for (uint32_t i = 0; i < launch.arity; ++i)
    if (int32_t code = device.call.SetKernelArg(kernel.kernel, i, sizeof(Word),
                                                &launch.args[i])) {
      part = "setting an argument of a kernel";
      return translate(code);
    }
  std::vector<const void *> buffers = memory.findBuffers(launch);
  if (!buffers.empty())
    if (int32_t code = device.call.SetKernelExecInfo(
            kernel.kernel, kernelSvmPointers, buffers.size() * sizeof(void *),
            buffers.data())) {
      part = "naming the buffers of a kernel";
      return translate(code);
    }
  const size_t local[] = {launch.block, shape.blockY, shape.blockZ};
  const size_t global[] = {local[0] * static_cast<size_t>(launch.extent),
                           local[1] * shape.gridY, local[2] * shape.gridZ};
  return queueOf(on).enqueueLaunch(launch.site(), [&](CommandQueue queue,
                                                      Event *event) {
    return device.call.EnqueueNDRangeKernel(queue, kernel.kernel, 3, nullptr,
                                            global, local, 0, nullptr, event);
  });
}
