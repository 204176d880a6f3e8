//===- Assembler.cpp - Assembles PTX to cubins with ptxas -----------------===//

#include "codegen/targets/nvptx/Assembler.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tensorc::codegen {
namespace {

Expected<std::string> findAssembler() {
  // secure_getenv returns null for a process with raised privileges, whose PATH
  // must not be trusted.
  if (secure_getenv("PATH"))
    if (ErrorOr<std::string> found = sys::findProgramByName("ptxas"))
      return *found;
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *folder = secure_getenv(variable)) {
      SmallString<128> path(folder);
      sys::path::append(path, "bin", "ptxas");
      if (sys::fs::can_execute(path))
        return std::string(path);
    }
  return createStringError(
      "ptxas, which makes a cubin, is neither in PATH nor in CUDA_PATH; "
      "drivers take PTX as well: --emit=ptx");
}

/// A file that is removed at the end of its scope, or if a signal or a resource
/// limit ends the process. Only `--emit=cubin` of the tool uses it, never a
/// process that embeds the library.
struct TemporaryFile {
  explicit TemporaryFile(StringRef suffix)
      : error(sys::fs::createTemporaryFile("tensorc", suffix, path)) {
    if (!error)
      sys::RemoveFileOnSignal(path);
  }
  ~TemporaryFile() {
    sys::fs::remove(path);
    sys::DontRemoveFileOnSignal(path);
  }
  SmallString<64> path;
  std::error_code error;
};

} // namespace

Expected<SmallVector<char, 0>> assemblePtx(StringRef ptx, StringRef chip,
                                           unsigned optLevel) {
  Expected<std::string> program = findAssembler();
  if (!program)
    return program.takeError();
  TemporaryFile input("ptx"), output("cubin"), messages("txt");
  for (const TemporaryFile *file : {&input, &output, &messages})
    if (file->error)
      return createStringError(file->error, "cannot create a temporary file");
  std::error_code error;
  raw_fd_ostream stream(input.path, error);
  stream << ptx;
  stream.close();
  if (error || stream.has_error())
    return createStringError("cannot write " + input.path);
  std::string arch = ("-arch=" + chip).str();
  std::string level = "-O" + std::to_string(optLevel);
  std::optional<StringRef> redirects[] = {std::nullopt, messages.path.str(),
                                          messages.path.str()};
  int status = sys::ExecuteAndWait(
      *program, {*program, arch, level, input.path, "-o", output.path},
      /*Env=*/std::nullopt, redirects);
  auto said = MemoryBuffer::getFile(messages.path);
  if (status != 0)
    return createStringError(
        "ptxas failed: " +
        (said ? (*said)->getBuffer().trim() : StringRef("no message")));
  auto cubin = MemoryBuffer::getFile(output.path, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!cubin)
    return createStringError(cubin.getError(), "cannot read the cubin");
  return SmallVector<char, 0>((*cubin)->getBufferStart(),
                              (*cubin)->getBufferEnd());
}

} // namespace tensorc::codegen
