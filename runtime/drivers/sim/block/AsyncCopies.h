//===- AsyncCopies.h - a thread's copies in flight --------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_ASYNCCOPIES_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_ASYNCCOPIES_H

#include <cstdint>
#include <vector>

namespace tensorc::rt::sim {

struct AsyncCopy {
  char *to;
  const char *from; // null means zeros
  uint32_t bytes, site;
  /// Position in workgroup memory; set if accesses are checked.
  uint32_t segment;
  uint64_t offset;
  uint64_t group;
};

/// A thread's asynchronous copies, in the order in which they began. Groups are
/// numbered from 0.
struct AsyncCopies {
  std::vector<AsyncCopy> list;
  uint64_t committed = 0;

  void clear() {
    list.clear();
    committed = 0;
  }
};

} // namespace tensorc::rt::sim

#endif
