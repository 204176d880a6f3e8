//===- InputFile.cpp - Checks of input files ------------------------------===//

#include "compiler/frontends/files/InputFile.h"
#include "ir/text/Characters.h"
#include "runtime/abi/Format.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <filesystem>

using namespace llvm;

namespace tensorc::files {

Error fail(const Twine &message) {
  return createStringError(inconvertibleErrorCode(),
                           printable(message.str(), /*isText=*/false));
}

/// True for `/dev/stdin`, and for files such as `/dev/fd/63` that `<(command)`
/// makes. These are already open and have a writer, so reading them ends.
static bool isOpenAlready(StringRef path) {
  return path == "-" || path == "/dev/stdin" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/self/fd/");
}

Error checkInputFile(StringRef path) {
  sys::fs::file_status status;
  // The caller reports errors of opening the file.
  if (isOpenAlready(path) || sys::fs::status(path, status) ||
      status.type() == sys::fs::file_type::regular_file ||
      status.type() == sys::fs::file_type::directory_file)
    return Error::success();
  return createStringError("'%s' is not a regular file", path.str().c_str());
}

StringRef foreignKind(StringRef path, StringRef bytes) {
  static constexpr std::pair<StringLiteral, StringLiteral> beginnings[] = {
      {"\177ELF", "an ELF object or library"},
      {"ML\xefR", "MLIR bytecode"},
      {"BC\xc0\xde", "LLVM bitcode"},
      {"!<arch>\n", "an archive of objects"},
      {"\x93NUMPY", "an array (.npy)"},
      {"PK\x03\x04", "a zip archive, such as .npz"},
      {"\x1f\x8b", "compressed by gzip"},
      {"#!", "a script"}};
  // For formats that contain programs, the message suggests a format that can
  // be read.
  static constexpr StringLiteral pytorch =
      "a file of PyTorch: torch.onnx.export makes an ONNX model of its module";
  static constexpr StringLiteral keras =
      "a model of TensorFlow or Keras: tf2onnx makes an ONNX model of it";
  static constexpr StringLiteral weights =
      "a file of weights, which --weights=FILE gives to a program";
  static constexpr std::pair<StringLiteral, StringLiteral> named[] = {
      {".pt", pytorch},  {".pth", pytorch},
      {".pt2", pytorch}, {".ckpt", pytorch},
      {".bin", pytorch}, {".keras", keras},
      {".h5", keras},    {".tflite", keras},
      {".pb", keras},    {".safetensors", weights},
      {".gguf", weights}};
  static constexpr std::pair<StringLiteral, StringLiteral> suffixes[] = {
      {".ptx", "PTX"},
      {".s", "assembly"},
      {".ll", "LLVM IR"},
      {".h", "a C header"}};
  if (bytes.starts_with(StringRef(rt::packageMagic, sizeof rt::packageMagic)))
    return "a package, whose name must end in .tcpkg to be taken for one";
  if (bytes.starts_with(
          StringRef(rt::constantsMagic, sizeof rt::constantsMagic)))
    return "the constants of a package";
  for (auto [suffix, kind] : named)
    if (path.ends_with(suffix))
      return kind;
  for (auto [beginning, kind] : beginnings)
    if (bytes.starts_with(beginning))
      return kind;
  for (auto [suffix, kind] : suffixes)
    if (path.ends_with(suffix))
      return kind;
  return "";
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

} // namespace tensorc::files
