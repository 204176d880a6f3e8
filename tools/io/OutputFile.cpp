//===- OutputFile.cpp - Files that appear whole or not at all -------------===//

#include "tools/io/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tensorc::tool {

static Error cannotWrite(StringRef path, std::error_code code) {
  return createStringError(code, "cannot write %s: %s", path.str().c_str(),
                           code.message().c_str());
}

Error writeFile(StringRef path, StringRef bytes) {
  if (path == "-") {
    outs() << bytes;
    outs().flush();
    return Error::success();
  }
  // A device such as /dev/null cannot be replaced by a rename.
  sys::fs::file_status status;
  bool special = !sys::fs::status(path, status) &&
                 status.type() != sys::fs::file_type::regular_file;
  if (special) {
    std::error_code code;
    raw_fd_ostream stream(path, code);
    if (code)
      return cannotWrite(path, code);
    stream << bytes;
    stream.flush();
    code = stream.error();
    stream.clear_error();
    return code ? cannotWrite(path, code) : Error::success();
  }
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(path + ".tmp-%%%%%%%%");
  if (!file)
    return cannotWrite(path, errorToErrorCode(file.takeError()));
  raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  stream << bytes;
  stream.flush();
  if (std::error_code code = stream.error()) {
    stream.clear_error();
    consumeError(file->discard());
    return cannotWrite(path, code);
  }
  if (Error error = file->keep(path))
    return cannotWrite(path, errorToErrorCode(std::move(error)));
  return Error::success();
}

} // namespace tensorc::tool
