//===- OpenclMemory.cpp - shared virtual memory ---------------------------===//
#include "runtime/drivers/opencl/OpenclMemory.h"

#include "runtime/drivers/opencl/OpenclQueue.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::opencl;

/// OpenCL reports only the total memory of a device, so memory of other
/// processes counts as free.
Result OpenclMemory::info(const Handle &, size_t &free, size_t &total) {
  std::lock_guard lock(mutex);
  total = device.total;
  free = total - std::min(used, device.total);
  return success;
}

/// Alignment of allocations in bytes: a cache line, which no OpenCL type
/// exceeds.
static constexpr uint32_t alignment = 128;

Result OpenclMemory::allocate(const Handle &, void *&out, size_t bytes) {
  if (bytes > device.largest)
    return resultOutOfMemory;
  out = device.call.SVMAlloc(device.context, memReadWrite, bytes, alignment);
  if (!out)
    return resultOutOfMemory;
  std::lock_guard lock(mutex);
  allocated[out] = bytes;
  used += bytes;
  return success;
}

void OpenclMemory::forget(const void *data) {
  std::lock_guard lock(mutex);
  auto found = allocated.find(data);
  if (found == allocated.end())
    return;
  used -= found->second;
  allocated.erase(found);
}

Result OpenclMemory::free(void *data, MemoryKind kind) {
  if (kind == MemoryKind::Host)
    return std::free(data), success;
  forget(data);
  device.call.SVMFree(device.context, data);
  return success;
}

/// There is no pool. Any non-null handle makes memory be freed in the order of
/// a stream.
Result OpenclMemory::openPool(const Handle &, Pool_t &out) {
  out = reinterpret_cast<Pool_t>(this);
  return success;
}

Result OpenclMemory::freeAsync(void *data, Stream_t on) {
  forget(data);
  return queueOf(on).enqueue([&](CommandQueue queue) {
    return device.call.EnqueueSVMFree(queue, 1, &data, nullptr, nullptr, 0,
                                      nullptr, nullptr);
  });
}

/// Pinned memory is not needed, so this allocates ordinary host memory.
Result OpenclMemory::hostAllocate(const Handle &, void *&out, size_t bytes) {
  constexpr size_t page = 4096;
  out = std::aligned_alloc(page, (bytes + page - 1) / page * page);
  return out ? success : resultOutOfMemory;
}

/// Empty buffers are left out: their address is null or the end of an
/// allocation, both of which OpenCL refuses.
std::vector<const void *> OpenclMemory::findBuffers(const Launch &launch) {
  std::lock_guard lock(mutex);
  std::vector<const void *> result;
  for (uint32_t i = 0; i < launch.buffers; ++i) {
    auto *data = reinterpret_cast<const char *>(launch.args[i]);
    auto after = allocated.upper_bound(data);
    if (after == allocated.begin())
      continue;
    const auto &[start, bytes] = *std::prev(after);
    if (data < static_cast<const char *>(start) + bytes)
      result.push_back(start);
  }
  return result;
}
