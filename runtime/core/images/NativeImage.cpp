//===- NativeImage.cpp - places an ELF image of kernels -------------------===//
//
// Replaces the system's loader, which maps a file per image and needs ten
// system calls and 27 us for a kernel.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/images/NativeImage.h"

#include "runtime/core/images/CodeRegion.h"
#include "runtime/core/images/DebuggerEntry.h"
#include "runtime/core/images/ElfImage.h"
#include "runtime/core/threads/Fork.h"

#include <cstring>

using namespace tensorc::rt;

namespace {
class NativeImage final : public Image {
public:
  ~NativeImage() override {
    ProcessLockGuard lock(ProcessLock::Images);
    debugger.reset();
    if (place.region)
      releaseCode(place);
  }
  Status load(std::span<const char> bytes);
  const void *find(const char *name) const;

private:
  /// True for the segment that contains only the tables for the system's
  /// loader, which nothing reads here.
  bool isUnused(const Elf64_Phdr &load) const {
    return load.p_vaddr == tables.dynamic && load.p_memsz == tables.dynamicSize;
  }
  Status write(const Elf64_Phdr &load, std::span<const char> bytes);
  template <typename T> T read(uint64_t address) const {
    T value;
    std::memcpy(&value, place.address + address, sizeof(T));
    return value;
  }

  ElfTables tables;
  CodePlace place;
  DebuggerEntryOwner debugger;
};
} // namespace

/// Relocates a segment of the image and writes it to its final address. Kernels
/// never modify the image's data, so its memory may be read-only afterwards.
Status NativeImage::write(const Elf64_Phdr &load, std::span<const char> bytes) {
  std::span<const char> part = bytes.subspan(load.p_offset, load.p_filesz);
  if (!(load.p_flags & PF_W))
    return writeCode(place, load.p_vaddr, part);
  std::vector<char> data(part.begin(), part.end());
  for (uint64_t i = 0; i < tables.numRelocations; ++i) {
    Elf64_Rela entry;
    std::memcpy(&entry, &bytes[tables.relocations + i * sizeof(entry)],
                sizeof(entry));
    uint64_t offset = entry.r_offset - load.p_vaddr;
    uint64_t value = reinterpret_cast<uint64_t>(place.address) +
                     static_cast<uint64_t>(entry.r_addend);
    if (entry.r_offset >= load.p_vaddr && offset < data.size())
      std::memcpy(&data[offset], &value, sizeof(value));
  }
  return writeCode(place, load.p_vaddr, data);
}

Status NativeImage::load(std::span<const char> bytes) {
  TENSORC_RT_TRY(checkElfImage(bytes, hostMachine(), tables));
  uint64_t size = 0;
  for (const Elf64_Phdr &load : tables.loads)
    if (!isUnused(load))
      size = load.p_vaddr + load.p_memsz;
  ProcessLockGuard lock(ProcessLock::Images);
  TENSORC_RT_TRY(reserveCode(size, place));
  for (const Elf64_Phdr &load : tables.loads)
    if (!isUnused(load))
      TENSORC_RT_TRY(write(load, bytes));
  debugger = tellDebugger(place.address, size, tables);
  return Status();
}

/// Looks up a name in the linker's hash table (DT_GNU_HASH). The first symbol
/// in it has number 1.
const void *NativeImage::find(const char *name) const {
  uint32_t hash = 5381;
  for (const char *c = name; *c; ++c)
    hash = hash * 33 + static_cast<unsigned char>(*c);
  struct Header {
    uint32_t buckets, first, words, shift;
  };
  auto header = read<Header>(tables.hash);
  uint64_t buckets = tables.hash + sizeof(header) + uint64_t(8) * header.words;
  uint64_t chains = buckets + uint64_t(4) * header.buckets;
  auto symbol = read<uint32_t>(buckets + uint64_t(4) * (hash % header.buckets));
  for (uint32_t chain = 0; symbol && !(chain & 1); ++symbol) {
    chain = read<uint32_t>(chains + uint64_t(4) * (symbol - 1));
    if ((chain | 1) != (hash | 1))
      continue;
    auto found = read<Elf64_Sym>(tables.symbols + symbol * sizeof(Elf64_Sym));
    if (!std::strcmp(place.address + tables.names + found.st_name, name))
      return place.address + found.st_value;
  }
  return nullptr;
}

Status tensorc::rt::loadNativeImage(std::span<const char> bytes,
                                    std::span<const std::string> kernels,
                                    std::unique_ptr<Image> &out) {
  auto image = std::make_unique<NativeImage>();
  TENSORC_RT_TRY(image->load(bytes));
  for (const std::string &name : kernels) {
    const void *kernel = image->find(name.c_str());
    if (!kernel)
      return error(TENSORC_RT_INVALID_PACKAGE, "the image has no kernel '%s'",
                   name.c_str());
    image->kernels.push_back(kernel);
  }
  out = std::move(image);
  return Status();
}

const void *tensorc::rt::findNativeKernel(const Image &image,
                                          const char *name) {
  return static_cast<const NativeImage &>(image).find(name);
}
