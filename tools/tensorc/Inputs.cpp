//===- Inputs.cpp - Arguments of a program, from files or drawn -----------===//

#include "tools/tensorc/Inputs.h"

#include "ir/tx/Dims.h"
#include "tools/io/Npy.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;

namespace tensorc::tool {

using Slots = std::vector<std::optional<Array>>;

static std::optional<unsigned> findArgument(func::FuncOp function,
                                            StringRef name) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (reference::argumentName(function, i) == name)
      return i;
  return std::nullopt;
}

static std::optional<DType> argumentDType(func::FuncOp function,
                                          unsigned index) {
  Type type = function.getArgumentTypes()[index];
  return type.isIndex() ? DType::I64
                        : reference::dtypeOf(getElementTypeOrSelf(type));
}

static LogicalResult place(func::FuncOp function, unsigned index, Array array,
                           Slots &slots) {
  if (slots[index])
    return refuse("argument '" + reference::argumentName(function, index) +
                  "' is given twice"),
           failure();
  // NumPy has no bf16: its bits come as uint16.
  if (array.dtype == DType::UI16 &&
      argumentDType(function, index) == DType::BF16)
    array.dtype = DType::BF16;
  slots[index] = std::move(array);
  return success();
}

/// `--input=[name=]file`: a name only if an argument is called so, because a
/// path may contain '='.
static LogicalResult readInput(func::FuncOp function, StringRef text,
                               Slots &slots) {
  auto [name, path] = text.split('=');
  std::optional<unsigned> named;
  if (!path.empty())
    named = findArgument(function, name);
  if (!path.empty() && !named && !llvm::sys::fs::exists(text))
    return refuse("--input: the program has no argument '" + name + "'"),
           failure();
  if (!named)
    path = text;
  llvm::Expected<std::vector<NamedArray>> arrays = readArrays(path);
  if (!arrays)
    return refuse(llvm::toString(arrays.takeError())), failure();
  for (NamedArray &entry : *arrays) {
    std::optional<unsigned> index = named;
    if (named && !entry.name.empty() && arrays->size() > 1 &&
        entry.name != name)
      continue;
    if (!named && !entry.name.empty() &&
        !(index = findArgument(function, entry.name)))
      return refuse(path + ": the program has no argument '" + entry.name +
                    "'"),
             failure();
    if (!index) {
      auto free = llvm::find(slots, std::nullopt);
      if (free == slots.end())
        return refuse(path + ": the program takes " + Twine(slots.size()) +
                      " inputs only"),
               failure();
      index = free - slots.begin();
    }
    if (failed(place(function, *index, std::move(entry.array), slots)))
      return failure();
  }
  return success();
}

/// Sizes that `--shape` gives to names: `x:5,3` for a tensor, `k:5` for an
/// index argument.
static LogicalResult applyShapes(func::FuncOp function,
                                 ArrayRef<ShapeSpec> shapes,
                                 reference::Symbols &symbols) {
  for (const ShapeSpec &spec : shapes) {
    std::optional<unsigned> index = findArgument(function, spec.argument);
    if (!index)
      return refuse("--shape: the program has no argument '" + spec.argument +
                    "'"),
             failure();
    auto tensor =
        dyn_cast<RankedTensorType>(function.getArgumentTypes()[*index]);
    size_t rank = tensor ? tensor.getRank() : 1;
    if (rank != spec.dims.size())
      return refuse("--shape: '" + spec.argument + "' has rank " + Twine(rank) +
                    ", not " + Twine(spec.dims.size())),
             failure();
    tx::DimSpace space(function.getContext());
    SmallVector<AffineExpr> dims;
    if (tensor)
      dims = space.dims(tensor);
    else
      dims.push_back(space.symbol(spec.argument));
    for (auto [expr, dim] : llvm::zip(dims, spec.dims)) {
      auto symbol = dyn_cast<AffineSymbolExpr>(expr);
      auto fixed = dyn_cast<AffineConstantExpr>(expr);
      int64_t size;
      if (StringRef(dim).getAsInteger(10, size))
        continue;
      if (symbol)
        symbols.define(space.names()[symbol.getPosition()], size);
      else if (fixed && fixed.getValue() != size)
        return refuse("--shape: '" + spec.argument + "' has a dimension of " +
                      Twine(fixed.getValue()) + ", not " + dim),
               failure();
    }
  }
  return success();
}

/// An index argument needs no input if its name has a size already.
static void fillIndices(func::FuncOp function,
                        const reference::Symbols &symbols, Slots &slots) {
  for (auto [i, slot] : llvm::enumerate(slots)) {
    auto name = function.getArgAttrOfType<StringAttr>(i, tx::symbolAttr);
    if (slot || !name || !symbols.has(name))
      continue;
    slot = Array::create(DType::I64, {});
    reference::write<int64_t>(*slot, symbols.get(name));
  }
}

static LogicalResult reportMissing(func::FuncOp function, const Slots &slots) {
  for (auto [i, slot] : llvm::enumerate(slots)) {
    if (slot)
      continue;
    std::string name = reference::argumentName(function, i);
    return emitError(function.getArgument(i).getLoc())
           << "no input for argument " << name << ": give --input=" << name
           << "=FILE.npy or --random-inputs";
  }
  return success();
}

FailureOr<std::vector<Array>> gatherInputs(func::FuncOp function,
                                           const Arguments &arguments,
                                           ArrayRef<ShapeSpec> shapes,
                                           bool drawMissing) {
  Slots slots(function.getNumArguments());
  for (StringRef text : arguments.all("input"))
    if (failed(readInput(function, text, slots)))
      return failure();
  uint64_t seed = 0;
  StringRef seedText = arguments.get("random-inputs");
  if (!seedText.empty() && seedText.getAsInteger(10, seed))
    return refuse("--random-inputs: '" + seedText + "' is not a seed"),
           failure();
  reference::Symbols symbols;
  for (auto [i, slot] : llvm::enumerate(slots))
    if (slot && failed(symbols.bindArgument(function, i, *slot)))
      return failure();
  if (failed(applyShapes(function, shapes, symbols)))
    return failure();
  fillIndices(function, symbols, slots);
  bool draw = drawMissing || arguments.has("random-inputs");
  if (failed(draw ? drawInputs(function, seed, symbols, slots)
                  : reportMissing(function, slots)))
    return failure();
  std::vector<Array> arrays;
  for (std::optional<Array> &slot : slots)
    arrays.push_back(std::move(*slot));
  // Whatever the device, sizes that differ are found here, with a location.
  if (failed(reference::Symbols().bind(function, arrays)))
    return failure();
  return arrays;
}

} // namespace tensorc::tool
