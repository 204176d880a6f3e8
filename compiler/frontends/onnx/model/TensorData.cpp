//===- TensorData.cpp - The elements of an ONNX model's tensors -----------===//

#include "compiler/frontends/onnx/model/TensorData.h"
#include "compiler/frontends/files/InputFile.h"
#include "compiler/frontends/onnx/NodeImport.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tensorc::onnx {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// Maximum number of elements of an inline constant. A larger constant refers
/// to its bytes, as in recorded programs.
static constexpr int64_t maxInline = 64;

Error checkExternalPath(StringRef path) {
  auto refuse = [&](const char *why) {
    return createStringError("external data in '%s': %s", path.str().c_str(),
                             why);
  };
  if (path.empty() || path.contains('\0'))
    return refuse("is not a path of a file");
  if (llvm::sys::path::is_absolute(path) || path.contains('\\'))
    return refuse("the path must be relative to the model");
  for (StringRef part : llvm::split(path, '/'))
    if (part == "..")
      return refuse("the path must not leave the model's folder");
  return Error::success();
}

Expected<TensorData::Bytes> TensorData::external(const Tensor &tensor,
                                                 uint64_t size) {
  StringRef location;
  uint64_t offset = 0, length = size;
  for (auto [key, value] : tensor.external) {
    if (key == "location")
      location = value;
    else if (key == "offset" && value.getAsInteger(10, offset))
      return createStringError("external data: the offset is not a number");
    else if (key == "length" && value.getAsInteger(10, length))
      return createStringError("external data: the length is not a number");
  }
  if (Error error = checkExternalPath(location))
    return std::move(error);
  if (length != size)
    return createStringError("external data: has %llu bytes, and the shape "
                             "needs %llu",
                             (unsigned long long)length,
                             (unsigned long long)size);
  std::shared_ptr<llvm::MemoryBuffer> &file = files[location];
  if (!file) {
    SmallString<128> full(folder), realFile, realFolder;
    llvm::sys::path::append(full, location);
    // Symbolic links must not lead out of the folder either.
    if (llvm::sys::fs::real_path(full, realFile))
      return createStringError("external data: there is no file '%s'",
                               full.c_str());
    if (llvm::sys::fs::real_path(folder.empty() ? "." : folder, realFolder))
      return createStringError("external data: there is no folder '%s'",
                               folder.c_str());
    if (realFolder != "/")
      realFolder += '/';
    if (!StringRef(realFile).starts_with(realFolder))
      return createStringError("external data in '%s': the file lies outside "
                               "of the model's folder",
                               location.str().c_str());
    if (Error error = files::checkInputFile(full))
      return std::move(error);
    auto opened = llvm::MemoryBuffer::getFile(full, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!opened)
      return createStringError("external data: '%s': %s", full.c_str(),
                               opened.getError().message().c_str());
    file = std::move(*opened);
  }
  StringRef all = file->getBuffer();
  if (offset > all.size() || size > all.size() - offset)
    return createStringError("external data: '%s' is too short",
                             location.str().c_str());
  return Bytes{all.substr(offset, size), file};
}

/// Returns the elements of a typed list as bytes. The numbers in the list are
/// wider than the dtype, or are the bits of its elements.
static Expected<std::string> listed(const Tensor &tensor, DType dtype,
                                    int64_t count) {
  std::string bytes;
  auto add = [&](const auto &list, int64_t width) {
    for (auto value : list)
      bytes.append(reinterpret_cast<const char *>(&value), width);
  };
  int64_t width = tx::byteWidth(dtype);
  if (!tensor.strings.empty())
    return createStringError("holds strings");
  switch (dtype) {
  case DType::F32:
    add(tensor.floats, 4);
    break;
  case DType::F64:
    add(tensor.doubles, 8);
    break;
  case DType::I64:
    add(tensor.int64s, 8);
    break;
  case DType::UI64:
  case DType::UI32:
    add(tensor.uint64s, width);
    break;
  default: // narrow integers, and the bits of narrow floats
    add(tensor.int32s, width);
  }
  auto expected = static_cast<size_t>(tx::bytesOf(dtype, count));
  if (bytes.size() != expected)
    return createStringError("has %llu elements, and its shape %llu",
                             (unsigned long long)(bytes.size() / width),
                             (unsigned long long)(expected / width));
  return bytes;
}

static std::string shapeText(ArrayRef<int64_t> dims) {
  return "[" +
         llvm::join(
             llvm::map_range(dims, [](int64_t d) { return std::to_string(d); }),
             ",") +
         "]";
}

Expected<ElementsAttr> TensorData::attribute(const Tensor &tensor,
                                             MLIRContext *context) {
  std::optional<DType> dtype = dtypeFrom(tensor.type);
  if (!dtype)
    return createStringError("has the dtype %s, which tensorc does not have",
                             dtypeText(tensor.type).c_str());
  int64_t count = 1;
  for (int64_t dim : tensor.dims)
    if (dim < 0 || __builtin_mul_overflow(count, dim, &count) ||
        count > (int64_t(1) << 48))
      return createStringError("has the impossible shape %s",
                               shapeText(tensor.dims).c_str());
  if (tensor.isSegment)
    return createStringError("is a segment of a tensor");
  auto size = static_cast<uint64_t>(tx::bytesOf(*dtype, count));
  Bytes data{tensor.raw, model};
  std::string own;
  if (tensor.isExternal) {
    auto found = external(tensor, size);
    if (!found)
      return found.takeError();
    data = *found;
  } else if (!tensor.hasRaw) {
    auto found = listed(tensor, *dtype, count);
    if (!found)
      return found.takeError();
    own = std::move(*found);
    data = {own, nullptr};
  }
  if (data.bytes.size() != size)
    return createStringError("has %llu bytes, and its shape %s needs %llu",
                             (unsigned long long)data.bytes.size(),
                             shapeText(tensor.dims).c_str(),
                             (unsigned long long)size);
  auto type =
      RankedTensorType::get(tensor.dims, tx::elementType(context, *dtype));
  ArrayRef<char> bytes(data.bytes.data(), data.bytes.size());
  if (*dtype == DType::I1 &&
      llvm::any_of(bytes, [](char c) { return c != 0 && c != 1; })) {
    own = std::string(bytes.begin(), bytes.end());
    for (char &c : own)
      c = c != 0;
    data.owner = nullptr;
    bytes = {own.data(), own.size()};
  }
  if (count <= maxInline && *dtype == DType::I1) {
    SmallVector<bool> values(bytes.begin(), bytes.end());
    return cast<ElementsAttr>(
        DenseElementsAttr::get(type, ArrayRef<bool>(values)));
  }
  if (count <= maxInline && !tx::isPacked(*dtype))
    return cast<ElementsAttr>(DenseElementsAttr::getFromRawBuffer(type, bytes));
  AsmResourceBlob blob =
      data.owner ? UnmanagedAsmResourceBlob::allocateWithAlign(
                       bytes, /*align=*/1,
                       [owner = data.owner](void *, size_t, size_t) {})
                 : HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 64);
  return cast<ElementsAttr>(DenseResourceElementsAttr::get(
      type, tensor.name.empty() ? "constant" : tensor.name, std::move(blob)));
}

} // namespace tensorc::onnx
