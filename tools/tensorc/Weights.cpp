//===- Weights.cpp - Replaces arguments by constants from files -----------===//

#include "compiler/frontends/files/Npy.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Names.h"
#include "ir/tx/Tx.h"
#include "tools/tensorc/Module.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;

namespace tensorc::tool {

using files::NamedArray;
using reference::Array;

/// Converts the array to the argument's dtype. Floats may be stored in another
/// dtype.
static std::optional<Array> converted(const Array &array,
                                      reference::DType dtype) {
  if (array.dtype == dtype)
    return array;
  if (!tx::isFloat(array.dtype) || !tx::isFloat(dtype))
    return std::nullopt;
  auto result = Array::create(dtype, array.shape);
  if (result)
    reference::write<double>(*result, reference::read<double>(array));
  return result;
}

/// Makes a resource that owns the array without copying it.
static AsmResourceBlob blobOf(Array &&array) {
  auto owner = std::make_shared<Array>(std::move(array));
  ArrayRef<char> bytes(reinterpret_cast<const char *>(owner->bytes.data()),
                       owner->bytes.size());
  return AsmResourceBlob(
      bytes, /*dataAlignment=*/alignof(std::max_align_t),
      [owner](void *, size_t, size_t) mutable { owner.reset(); },
      /*dataIsMutable=*/false);
}

/// Replaces the argument by a constant.
static LogicalResult bind(func::FuncOp function, unsigned index,
                          const NamedArray &weight) {
  BlockArgument argument = function.getArgument(index);
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  std::optional<reference::DType> dtype =
      type ? reference::dtypeOf(type.getElementType()) : std::nullopt;
  std::optional<Array> array =
      dtype ? converted(weight.array, *dtype) : std::nullopt;
  if (!array || !type.hasStaticShape() ||
      type.getShape() != ArrayRef<int64_t>(weight.array.shape) ||
      *dtype == reference::DType::I1 || tx::isPacked(*dtype))
    return function.emitError()
           << "the argument " << tx::argumentName(function, index) << " is "
           << argument.getType() << ", and the weight is "
           << reference::typeString(weight.array.dtype, weight.array.shape);
  OpBuilder b = OpBuilder::atBlockBegin(&function.front());
  auto bytes = ArrayRef(reinterpret_cast<const char *>(array->bytes.data()),
                        array->bytes.size());
  ElementsAttr value =
      bytes.size() <= 64
          ? cast<ElementsAttr>(DenseElementsAttr::getFromRawBuffer(type, bytes))
          : cast<ElementsAttr>(DenseResourceElementsAttr::get(
                type, "weight", blobOf(std::move(*array))));
  Location loc = NameLoc::get(
      b.getStringAttr(tx::argumentName(function, index)), argument.getLoc());
  argument.replaceAllUsesWith(tx::ConstantOp::create(b, loc, type, value));
  return function.eraseArgument(index);
}

/// Splits `name=FILE`. The prefix is a name only if an argument has this name,
/// because a path may contain '='.
static std::pair<StringRef, StringRef>
splitName(ArrayRef<func::FuncOp> functions, StringRef text) {
  auto [name, path] = text.split('=');
  for (func::FuncOp function : functions)
    if (!path.empty() && findArgument(function, name))
      return {name, path};
  return {"", text};
}

/// `a, b, c, ...`
static std::string listOf(ArrayRef<std::string> names) {
  constexpr size_t most = 8;
  std::string list = llvm::join(names.take_front(most), ", ");
  return names.empty() ? "none" : names.size() > most ? list + ", ..." : list;
}

static std::string argumentsOf(ArrayRef<func::FuncOp> functions) {
  std::vector<std::string> names;
  for (func::FuncOp function : functions)
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      names.push_back(tx::argumentName(function, i));
  return "; the arguments are " + listOf(names);
}

/// Returns the reason why no tensor of a file was used.
static std::string whyUnused(ArrayRef<func::FuncOp> functions, StringRef path,
                             ArrayRef<std::string> tensors) {
  if (tensors.empty())
    return (path +
            ": holds one tensor, without a name: say "
            "--weights=ARGUMENT=" +
            path)
               .str() +
           argumentsOf(functions);
  return (path + ": no argument is called as a tensor of the file").str() +
         argumentsOf(functions) + "; the tensors are " + listOf(tensors);
}

LogicalResult bindWeights(ArrayRef<func::FuncOp> functions,
                          ArrayRef<std::string> files) {
  for (StringRef text : files) {
    auto [only, path] = splitName(functions, text);
    if (auto [name, file] = text.split('='); only.empty() &&
                                             llvm::sys::fs::exists(file) &&
                                             !llvm::sys::fs::exists(text))
      return refuse("--weights=" + text + ": no argument is called '" + name +
                    "'" + argumentsOf(functions)),
             failure();
    std::vector<std::string> tensors;
    auto isWanted = [&, only = only](StringRef tensor) {
      tensors.push_back(tensor.str());
      return (only.empty() || tensor == only) &&
             llvm::any_of(functions, [&](func::FuncOp function) {
               return findArgument(function, tensor).has_value();
             });
    };
    llvm::Expected<std::vector<NamedArray>> weights =
        files::readArrays(path, isWanted);
    if (!weights)
      return refuse(llvm::toString(weights.takeError())), failure();
    // The filter is not called for a tensor without a name, which is the only
    // one in its file.
    if (tensors.empty())
      for (const NamedArray &weight : *weights)
        if (!weight.name.empty())
          tensors.push_back(weight.name);
    bool any = false;
    for (const NamedArray &weight : *weights) {
      StringRef name = weight.name.empty() ? only : StringRef(weight.name);
      for (func::FuncOp function : functions) {
        std::optional<unsigned> index = findArgument(function, name);
        if (!index || (!only.empty() && name != only))
          continue;
        any = true;
        if (failed(bind(function, *index, weight)))
          return failure();
      }
    }
    if (!any)
      return refuse(whyUnused(functions, path, tensors)), failure();
  }
  return success();
}

} // namespace tensorc::tool
