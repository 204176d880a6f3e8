//===- ElfImage.h - checks a kernel image before it is mapped ---*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_IMAGES_ELFIMAGE_H
#define TENSORC_RUNTIME_CORE_IMAGES_ELFIMAGE_H

#include "runtime/core/Status.h"

#include <cstdint>
#include <elf.h>
#include <span>
#include <vector>

namespace tensorc::rt {

/// Location of the tables of a checked image. Addresses count from the image's
/// beginning.
struct ElfTables {
  std::vector<Elf64_Phdr> loads;
  uint64_t dynamic = 0, dynamicSize = 0;
  uint64_t names = 0, symbols = 0, hash = 0;
  // Number of symbols, including symbol 0, which is undefined.
  uint32_t numSymbols = 0;
  uint64_t relocations = 0, numRelocations = 0;
};

/// Refuses every image that the compiler's linker would not have written,
/// because the loader trusts the tables of an image. `machine` is an e_machine.
/// The machine code itself is not checked.
Status checkElfImage(std::span<const char> bytes, uint16_t machine,
                     ElfTables &out);

/// The e_machine of this process.
uint16_t hostMachine();

} // namespace tensorc::rt

#endif
