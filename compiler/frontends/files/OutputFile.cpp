//===- OutputFile.cpp - Atomically written files --------------------------===//

#include "compiler/frontends/files/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

using namespace llvm;

namespace tensorc::files {

static Error cannotWrite(StringRef path, std::error_code code) {
  return createStringError(code, "cannot write %s: %s", path.str().c_str(),
                           code.message().c_str());
}

Error flushOutput() {
  outs().flush();
  std::error_code code = outs().error();
  // Clears the error, because destroying a stream with a pending error aborts.
  outs().clear_error();
  return code ? cannotWrite("stdout", code) : Error::success();
}

/// Resolves symbolic links, also if the target does not exist yet, because a
/// rename would replace the link.
static std::string followLinks(StringRef path) {
  namespace fs = std::filesystem;
  fs::path at = path.str();
  std::error_code code;
  for (int links = 0; links < 40 && fs::is_symlink(at, code); ++links) {
    fs::path target = fs::read_symlink(at, code);
    if (code)
      break;
    at = at.parent_path() / target; // an absolute target replaces the path
  }
  return at.string();
}

struct OutputFiles::Pending {
  sys::fs::TempFile file;
  std::string path;
};

OutputFiles::OutputFiles() = default;
OutputFiles::~OutputFiles() {
  for (Pending &each : pending)
    consumeError(each.file.discard());
}

static Error writeTo(raw_fd_ostream &stream, StringRef path, StringRef bytes) {
  stream << bytes;
  stream.flush();
  std::error_code code = stream.error();
  stream.clear_error();
  return code ? cannotWrite(path, code) : Error::success();
}

Error OutputFiles::add(StringRef given, StringRef bytes) {
  std::string path = followLinks(given);
  if (path == "-") {
    outs() << bytes;
    return flushOutput();
  }
  // Writes to a device such as /dev/null directly, because a rename would
  // replace it.
  sys::fs::file_status status;
  bool special = !sys::fs::status(path, status) &&
                 status.type() != sys::fs::file_type::regular_file;
  if (special) {
    std::error_code code;
    raw_fd_ostream stream(path, code);
    return code ? cannotWrite(path, code) : writeTo(stream, path, bytes);
  }
  // The temporary name is short, because the file's own name may have the
  // maximum length.
  SmallString<128> model(sys::path::parent_path(path));
  sys::path::append(model, ".tensorc-%%%%%%%%%%%%.tmp");
  Expected<sys::fs::TempFile> file = sys::fs::TempFile::create(model);
  if (!file)
    return cannotWrite(path, errorToErrorCode(file.takeError()));
  pending.push_back({std::move(*file), path});
  raw_fd_ostream stream(pending.back().file.FD, /*shouldClose=*/false);
  return writeTo(stream, path, bytes);
}

Error OutputFiles::keep() {
  for (Pending &each : pending)
    if (Error error = each.file.keep(each.path))
      return cannotWrite(each.path, errorToErrorCode(std::move(error)));
  pending.clear();
  return Error::success();
}

Error writeFile(StringRef path, StringRef bytes) {
  OutputFiles files;
  if (Error error = files.add(path, bytes))
    return error;
  return files.keep();
}

std::string fileNameOf(StringRef name, StringRef suffix) {
  std::string text;
  for (char c : name)
    text += c == '/' || c == '%' || c == '\0'
                ? "%" + toHex(StringRef(&c, 1), /*LowerCase=*/true)
                : std::string(1, c);
  return text + suffix.str();
}

} // namespace tensorc::files
