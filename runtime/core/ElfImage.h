//===- ElfImage.h - checks a kernel image before it is mapped ---*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_ELFIMAGE_H
#define TENSORC_RUNTIME_CORE_ELFIMAGE_H

#include "runtime/core/Status.h"

#include <cstdint>
#include <span>

namespace tensorc::rt {

/// Refuses every image that the compiler's linker would not have written. The
/// system's loader trusts what it maps: a wrong offset, tag or relocation makes
/// it crash, run code or change the process. `machine` is an e_machine. The
/// machine code itself is not looked at.
Status checkElfImage(std::span<const char> bytes, uint16_t machine);

/// The e_machine of this process.
uint16_t hostMachine();

} // namespace tensorc::rt

#endif
