//===- OutOfMemory.h - std::bad_alloc as a status ---------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_OUTOFMEMORY_H
#define TENSORC_RUNTIME_CORE_OUTOFMEMORY_H

#include "runtime/core/Status.h"

#include <new>

namespace tensorc::rt {

/// Returns the status of the function, or the out-of-memory status if it throws
/// std::bad_alloc.
template <typename Function> Status catchBadAlloc(Function &&function) {
  try {
    return function();
  } catch (const std::bad_alloc &) {
    return outOfMemory();
  }
}

} // namespace tensorc::rt

#endif
