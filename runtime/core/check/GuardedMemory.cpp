//===- GuardedMemory.cpp - blocks that detect stray accesses --------------===//
#include "runtime/core/check/GuardedMemory.h"

#include "runtime/core/threads/Fork.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

using namespace tensorc::rt;

/// Value of poisoned bytes: NaN in every float type and -1 in integers, so that
/// reads of uninitialized memory become visible.
static constexpr int poison = 0xff;
/// Maximum size of blocks that are poisoned. Larger ones keep the system's zero
/// pages, which use no memory until they are touched.
static constexpr size_t poisonLimit = size_t(64) << 20;
/// Bytes of red zones, selected by the address modulo 4. They form NaNs in f16,
/// bf16, f32 and f64 that kernels hardly ever compute, so that values read from
/// a red zone are also recognizable.
static constexpr unsigned char zoneBytes[] = {0xf5, 0xff, 0xf7, 0xff};

namespace {
struct Block {
  char *base = nullptr; // start of the mapping or of the heap's memory
  size_t mapped = 0;    // size of the mapping; 0 if the block is from the heap
  char *begin = nullptr, *end = nullptr; // accessible range with its red zones
  char *data = nullptr;
  size_t bytes = 0;

  char *dataEnd() const { return data + bytes; }
};
} // namespace

/// Maps the address of the data to the block. Under the process lock; never
/// destroyed.
static std::map<uintptr_t, Block> &blocks() {
  static constinit std::map<uintptr_t, Block> *blocks = nullptr;
  if (!blocks)
    blocks = new std::map<uintptr_t, Block>;
  return *blocks;
}

static unsigned char zoneByte(const char *at) {
  return zoneBytes[reinterpret_cast<uintptr_t>(at) % sizeof(zoneBytes)];
}

static void fillZone(char *begin, char *end) {
  for (char *at = begin; at != end; ++at)
    *at = static_cast<char>(zoneByte(at));
}

static size_t alignTo(size_t bytes, size_t alignment) {
  return (bytes + alignment - 1) & ~(alignment - 1);
}

/// Maps the data at the end of whole pages, between two inaccessible pages.
static bool mapBlock(size_t bytes, Block &block) {
  auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t padded = alignTo(bytes, bufferAlignment);
  size_t open = std::max(alignTo(padded, page), page);
  block.mapped = open + 2 * page;
  void *base = mmap(nullptr, block.mapped, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return false;
  block.base = static_cast<char *>(base);
  block.begin = block.base + page;
  block.end = block.begin + open;
  block.data = block.end - padded;
  if (mprotect(block.begin, open, PROT_READ | PROT_WRITE) == 0)
    return true;
  munmap(base, block.mapped);
  return false;
}

static bool allocateOnHeap(size_t bytes, Block &block) {
  size_t padded = alignTo(bytes, bufferAlignment);
  size_t whole = padded + 2 * bufferAlignment;
  block.mapped = 0;
  block.base = static_cast<char *>(std::aligned_alloc(bufferAlignment, whole));
  if (!block.base)
    return false;
  block.begin = block.base;
  block.end = block.base + whole;
  block.data = block.base + bufferAlignment;
  return true;
}

static void freeBlock(const Block &block) {
  if (block.mapped)
    munmap(block.base, block.mapped);
  else
    std::free(block.base);
}

bool tensorc::rt::isPoisoned(size_t bytes) { return bytes <= poisonLimit; }

void *tensorc::rt::allocateGuarded(size_t bytes) {
  constexpr size_t maxBytes = size_t(1) << 47;
  Block block;
  block.bytes = bytes;
  if (bytes > maxBytes ||
      (!mapBlock(bytes, block) && !allocateOnHeap(bytes, block)))
    return nullptr;
  fillZone(block.begin, block.data);
  fillZone(block.dataEnd(), block.end);
  if (isPoisoned(bytes))
    std::memset(block.data, poison, bytes);
  try {
    ProcessLockGuard lock(ProcessLock::GuardedMemory);
    blocks().emplace(reinterpret_cast<uintptr_t>(block.data), block);
  } catch (const std::bad_alloc &) {
    freeBlock(block);
    return nullptr;
  }
  return block.data;
}

/// Checks the red zones of a block. The offset of a stray write is relative to
/// `from`, an address in the block.
static bool inspect(const Block &block, const char *from, StrayWrite &out) {
  out = {};
  auto look = [&](char *begin, char *end) {
    for (char *at = begin; at != end; ++at)
      if (static_cast<unsigned char>(*at) != zoneByte(at)) {
        if (!out.count++)
          out.offset = at - from;
        *at = static_cast<char>(zoneByte(at));
      }
  };
  look(block.dataEnd(), block.end);
  look(block.begin, block.data);
  return out.count;
}

void tensorc::rt::freeGuarded(void *data) {
  if (!data)
    return;
  Block block;
  {
    ProcessLockGuard lock(ProcessLock::GuardedMemory);
    auto found = blocks().find(reinterpret_cast<uintptr_t>(data));
    if (found == blocks().end())
      std::abort(); // The runtime frees memory that it did not allocate.
    block = found->second;
    blocks().erase(found);
  }
  StrayWrite stray;
  if (inspect(block, block.data, stray)) {
    std::fprintf(stderr,
                 "tensorc: TENSORC_CHECK=memory: a buffer of %zu bytes that is "
                 "freed was left: %u bytes from byte %lld on were written, by "
                 "no kernel and no custom call\n",
                 block.bytes, stray.count, (long long)stray.offset);
    std::abort();
  }
  freeBlock(block);
}

bool tensorc::rt::findStrayWrite(const void *address, StrayWrite &out) {
  ProcessLockGuard lock(ProcessLock::GuardedMemory);
  auto next = blocks().upper_bound(reinterpret_cast<uintptr_t>(address));
  if (next == blocks().begin())
    return false;
  const Block &block = std::prev(next)->second;
  auto *from = static_cast<const char *>(address);
  return from <= block.dataEnd() && inspect(block, from, out);
}

Status tensorc::rt::verifyRedZones(const Launch &launch,
                                   std::span<const char *const> host) {
  for (size_t i = 0; i < host.size(); ++i) {
    StrayWrite stray;
    if (!host[i] || !launch.sizes || !launch.sizes[i] ||
        !findStrayWrite(host[i], stray))
      continue;
    return error(TENSORC_RT_DEVICE_ERROR,
                 "kernel %s wrote %u bytes outside its buffers, the first "
                 "at byte %lld of argument %zu, which has %llu "
                 "(TENSORC_CHECK=memory)",
                 launch.site().text().c_str(), stray.count,
                 (long long)stray.offset, i,
                 (unsigned long long)launch.sizes[i]);
  }
  return Status();
}

Status tensorc::rt::verifyPoison(const Launch &launch, const char *begin,
                                 const char *end) {
  for (const char *at = begin; at != end; ++at)
    if (static_cast<unsigned char>(*at) != poison)
      return error(TENSORC_RT_DEVICE_ERROR,
                   "kernel %s wrote byte %lld of its scratch, which has "
                   "%lld (TENSORC_CHECK=memory)",
                   launch.site().text().c_str(),
                   (long long)(launch.scratch + (at - begin)),
                   (long long)launch.scratch);
  return Status();
}
