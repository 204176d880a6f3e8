//===- DebuggerEntry.h - tells debuggers of kernels -------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_IMAGES_DEBUGGERENTRY_H
#define TENSORC_RUNTIME_CORE_IMAGES_DEBUGGERENTRY_H

#include "runtime/core/images/ElfImage.h"

#include <memory>

namespace tensorc::rt {

struct DebuggerEntry;

/// Both change a list of the process under ProcessLock::Images.
struct DebuggerEntryDeleter {
  void operator()(DebuggerEntry *entry) const;
};
using DebuggerEntryOwner = std::unique_ptr<DebuggerEntry, DebuggerEntryDeleter>;

/// Names an image's kernels to gdb and lldb by their interface for JIT
/// compilers. `image` is where the image was placed, `size` bytes.
DebuggerEntryOwner tellDebugger(const char *image, size_t size,
                                const ElfTables &tables);

} // namespace tensorc::rt

#endif
