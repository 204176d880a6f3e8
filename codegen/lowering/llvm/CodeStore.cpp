//===- CodeStore.cpp - Machine code that test suites share ----------------===//

#include "codegen/lowering/llvm/CodeStore.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstdlib>

using namespace llvm;

namespace tensorc::codegen {

const CodeStore *CodeStore::get() {
  static const CodeStore store = [] {
    CodeStore result;
    // Null for a process with raised privileges, which must not load such code.
    if (const char *variable = secure_getenv("TENSORC_TEST_CODE")) {
      StringRef folder = variable;
      result.reads = !folder.consume_front("fill:");
      result.folder = folder.str();
    }
    return result;
  }();
  return store.folder.empty() ? nullptr : &store;
}

std::string CodeStore::getName(StringRef text) const {
  XXH128_hash_t hash = xxh3_128bits(arrayRefFromStringRef(text));
  SmallString<128> path(folder);
  sys::path::append(path, utohexstr(hash.high64, false, 16) +
                              utohexstr(hash.low64, false, 16));
  return path.str().str();
}

bool CodeStore::read(StringRef name, SmallVectorImpl<char> &out) const {
  if (!reads)
    return false;
  auto file = MemoryBuffer::getFile(name, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!file)
    return false;
  out.assign((*file)->getBufferStart(), (*file)->getBufferEnd());
  return true;
}

void CodeStore::write(StringRef name, ArrayRef<char> bytes) const {
  SmallString<128> temporary;
  int file;
  if (sys::fs::createUniqueFile(name + ".%%%%%%%%", file, temporary))
    return;
  {
    raw_fd_ostream os(file, /*shouldClose=*/true);
    os.write(bytes.data(), bytes.size());
    os.close();
    if (os.has_error()) {
      os.clear_error();
      sys::fs::remove(temporary);
      return;
    }
  }
  if (sys::fs::rename(temporary, name))
    sys::fs::remove(temporary);
}

} // namespace tensorc::codegen
