//===- HostBlock.h - host memory of queued collectives ----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_COLLECTIVES_HOSTBLOCK_H
#define TENSORC_RUNTIME_COLLECTIVES_HOSTBLOCK_H

#include "runtime/core/HostMemory.h"

#include <algorithm>
#include <cstddef>

namespace tensorc::rt {

/// Host memory that a shared pointer keeps alive as long as the work that uses
/// it. `data` is null if there was no memory.
struct HostBlock {
  explicit HostBlock(size_t size)
      : size(std::max<size_t>(size, 1)),
        data(static_cast<char *>(allocateHostMemory(this->size))) {}
  HostBlock(const HostBlock &) = delete;
  ~HostBlock() {
    if (data)
      freeHostMemory(data, size);
  }
  size_t size;
  char *data;
};

} // namespace tensorc::rt

#endif
