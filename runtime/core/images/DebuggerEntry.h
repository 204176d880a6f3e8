//===- DebuggerEntry.h - registers kernels with debuggers -------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_IMAGES_DEBUGGERENTRY_H
#define TENSORC_RUNTIME_CORE_IMAGES_DEBUGGERENTRY_H

#include "runtime/core/images/ElfImage.h"

#include <memory>

namespace tensorc::rt {

struct DebuggerEntry;

/// Both functions change a list of the process under ProcessLock::Images.
struct DebuggerEntryDeleter {
  void operator()(DebuggerEntry *entry) const;
};
using DebuggerEntryOwner = std::unique_ptr<DebuggerEntry, DebuggerEntryDeleter>;

/// Registers an image's kernels with gdb and lldb through their JIT interface.
/// `image` is the address at which the image of `size` bytes was placed.
DebuggerEntryOwner tellDebugger(const char *image, size_t size,
                                const ElfTables &tables);

} // namespace tensorc::rt

#endif
