//===- Commands.cpp - launches and fills on a library's stream ------------===//
#include "runtime/drivers/gpu/Commands.h"

#include <string>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

/// Raises the kernel's limit of dynamic shared memory. Called before the launch
/// is captured, because this call itself cannot be captured.
static Status allowShared(Connection &device, const GpuKernel &kernel,
                          const Launch &launch) {
  uint32_t bytes = launch.shape.sharedBytes;
  uint64_t sum = uint64_t(bytes) + kernel.staticShared;
  const uint32_t maxShared = device.identity.facts.grid.maxShared;
  if (sum > maxShared)
    return error(TENSORC_RT_UNSUPPORTED,
                 "%s: kernel %s asks for %u bytes of dynamic shared memory%s; "
                 "a block has %u",
                 device.name, launch.site().text().c_str(), bytes,
                 kernel.staticShared
                     ? (" and has " + std::to_string(kernel.staticShared) +
                        " of static shared memory")
                           .c_str()
                     : "",
                 maxShared);
  if (sum <= defaultShared || bytes <= kernel.allowedShared)
    return Status();
  Result result = device.library.kernels.allowShared(kernel.function, bytes);
  if (result != success)
    return device.check(result, "asking for dynamic shared memory");
  kernel.allowedShared = bytes;
  return Status();
}

/// Reports grids and blocks that the device does not support. Only kernels of
/// users can have such grids.
static Status checkGrid(const Connection &device, const Launch &launch) {
  const GridLimits &limits = device.identity.facts.grid;
  const LaunchShape &shape = launch.shape;
  auto fits = [&](int64_t blocks, int64_t threads, int64_t maxBlocks) {
    return blocks <= maxBlocks && blocks <= limits.maxThreads / threads;
  };
  if (fits(launch.extent, launch.block, limits.maxBlocks) &&
      fits(shape.gridY, shape.blockY, limits.maxOuterBlocks) &&
      fits(shape.gridZ, shape.blockZ, limits.maxOuterBlocks))
    return Status();
  std::string threads;
  if (limits.maxThreads != INT64_MAX)
    threads =
        " and " + std::to_string(limits.maxThreads) + " threads along a dim";
  return error(TENSORC_RT_UNSUPPORTED,
               "%s: kernel %s has a grid of %lld x %u x %u blocks of %u x "
               "%u x %u threads; the device takes at most %lld x %lld x %lld "
               "blocks%s",
               device.name, launch.site().text().c_str(),
               (long long)launch.extent, shape.gridY, shape.gridZ, launch.block,
               shape.blockY, shape.blockZ, (long long)limits.maxBlocks,
               (long long)limits.maxOuterBlocks,
               (long long)limits.maxOuterBlocks, threads.c_str());
}

Status gpu::launchOn(Connection &device, Stream_t on, const Launch &launch) {
  const auto &kernel = *static_cast<const GpuKernel *>(launch.kernel);
  if (!launch.block)
    return error(TENSORC_RT_UNSUPPORTED,
                 "%s: kernel '%s' takes a range; a GPU runs blocks of threads",
                 device.name, launch.name);
  TENSORC_RT_TRY(checkGrid(device, launch));
  if (launch.shape.sharedBytes)
    TENSORC_RT_TRY(allowShared(device, kernel, launch));
  const char *part = nullptr;
  Result result =
      device.library.kernels.launch(kernel.function, launch, on, part);
  if (result == success)
    return Status();
  std::string doing = "launching " + launch.site().text();
  return device.check(result, part ? part : doing.c_str());
}

/// Sets `word` to four bytes of the repeated pattern; returns false if the
/// pattern has more than four bytes.
static bool narrow(uint64_t pattern, uint32_t width, uint32_t &word,
                   uint32_t &unit) {
  word = static_cast<uint32_t>(pattern);
  if (width == 1)
    word = (word & 0xff) * 0x01010101u;
  if (width == 2)
    word = (word & 0xffff) * 0x00010001u;
  if (width == 8 && pattern >> 32 != word)
    return false;
  uint32_t half = (word & 0xffff) * 0x00010001u;
  uint32_t byte = (word & 0xff) * 0x01010101u;
  unit = word == byte ? 1 : word == half ? 2 : 4;
  return true;
}

Status gpu::fillOn(Connection &device, Stream_t on, void *target,
                   uint64_t pattern, uint32_t width, size_t size) {
  uint32_t word = 0, unit = 0;
  auto cannotFill = [&] {
    return error(TENSORC_RT_UNSUPPORTED, "%s: no call fills so", device.name);
  };
  if (!narrow(pattern, width, word, unit) || size % unit ||
      reinterpret_cast<uintptr_t>(target) % unit)
    return cannotFill();
  Result result =
      device.library.copies.fill(target, word, unit, size / unit, on);
  return result == resultNotSupported ? cannotFill()
                                      : device.check(result, "filling");
}
