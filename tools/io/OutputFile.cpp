//===- OutputFile.cpp - Files that appear whole or not at all -------------===//

#include "tools/io/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

using namespace llvm;

namespace tensorc::tool {

static Error cannotWrite(StringRef path, std::error_code code) {
  return createStringError(code, "cannot write %s: %s", path.str().c_str(),
                           code.message().c_str());
}

Error flushOutput() {
  outs().flush();
  std::error_code code = outs().error();
  // An error that stays would abort when the stream is destroyed.
  outs().clear_error();
  return code ? cannotWrite("stdout", code) : Error::success();
}

/// Where symbolic links lead, also to what is not there yet: a rename would
/// replace the link.
static std::string followLinks(StringRef path) {
  namespace fs = std::filesystem;
  fs::path at = path.str();
  std::error_code code;
  for (int links = 0; links < 40 && fs::is_symlink(at, code); ++links) {
    fs::path target = fs::read_symlink(at, code);
    if (code)
      break;
    at = at.parent_path() / target; // an absolute target replaces all
  }
  return at.string();
}

Error writeFile(StringRef given, StringRef bytes) {
  std::string path = followLinks(given);
  if (path == "-") {
    outs() << bytes;
    return flushOutput();
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
