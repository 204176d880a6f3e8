//===- InputFile.cpp - Files that can be read -----------------------------===//

#include "tools/io/InputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <filesystem>

using namespace llvm;

namespace tensorc::tool {

/// `/dev/stdin`, and `/dev/fd/63` for `<(command)`: open, with a writer.
static bool isOpenAlready(StringRef path) {
  return path == "-" || path == "/dev/stdin" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/self/fd/");
}

Error checkInputFile(StringRef path) {
  sys::fs::file_status status;
  // What cannot be opened gets its message from who opens it.
  if (isOpenAlready(path) || sys::fs::status(path, status) ||
      status.type() == sys::fs::file_type::regular_file ||
      status.type() == sys::fs::file_type::directory_file)
    return Error::success();
  return createStringError("'%s' is not a regular file", path.str().c_str());
}

bool isSameFile(StringRef a, StringRef b) {
  if (a == "-" || b == "-")
    return false;
  if (sys::fs::equivalent(a, b))
    return true;
  std::error_code codeA, codeB;
  auto pathA = std::filesystem::weakly_canonical(a.str(), codeA);
  auto pathB = std::filesystem::weakly_canonical(b.str(), codeB);
  return !codeA && !codeB && pathA == pathB;
}

} // namespace tensorc::tool
