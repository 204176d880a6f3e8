//===- BuildId.cpp - ID of this build of the compiler ---------------------===//

#include "compiler/session/cache/BuildId.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <elf.h>
#include <link.h>

namespace tensorc::cache {

static std::string noteOf(const char *note, const char *end) {
  while (note + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) header;
    std::memcpy(&header, note, sizeof header);
    const char *name = note + sizeof header;
    const char *text = name + llvm::alignTo(header.n_namesz, 4);
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 &&
        !std::memcmp(name, "GNU", 4))
      return std::string(text, header.n_descsz);
    note = text + llvm::alignTo(header.n_descsz, 4);
  }
  return {};
}

/// Callback for each loaded object. Finds the object that contains this
/// function.
static int visit(dl_phdr_info *info, size_t, void *result) {
  bool isOurs = false;
  auto self = reinterpret_cast<uintptr_t>(&visit);
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    isOurs |= segment.p_type == PT_LOAD && self >= begin &&
              self < begin + segment.p_memsz;
  }
  for (unsigned i = 0; isOurs && i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    auto *begin =
        reinterpret_cast<const char *>(info->dlpi_addr + segment.p_vaddr);
    std::string id = noteOf(begin, begin + segment.p_memsz);
    if (!id.empty())
      *static_cast<std::string *>(result) = id + LLVM_VERSION_STRING;
  }
  return isOurs;
}

const std::string &buildId() {
  static const std::string id = [] {
    std::string result;
    dl_iterate_phdr(visit, &result);
    return result;
  }();
  return id;
}

} // namespace tensorc::cache
