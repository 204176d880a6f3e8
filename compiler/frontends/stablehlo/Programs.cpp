//===- Programs.cpp - The functions of a program --------------------------===//

#include "compiler/frontends/stablehlo/StableHlo.h"
#include "compiler/frontends/stablehlo/Words.h"

#include "ir/tx/Names.h"
#include "ir/tx/structure/MemoryKinds.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tensorc::stablehlo {

std::string plainName(StringRef path) {
  std::string name;
  bool hasWord = false;
  while (!path.empty()) {
    StringRef word =
        path.take_until([](char c) { return c == '[' || c == '.'; });
    path = path.drop_front(word.size());
    if (word.empty() && path.consume_front("[")) {
      word = path.take_until([](char c) { return c == ']'; });
      path = path.drop_front(std::min(word.size() + 1, path.size()));
      word = word.trim("'\"");
    } else if (word.empty()) {
      path = path.drop_front();
      continue;
    }
    hasWord |= !llvm::all_of(word, llvm::isDigit) && !word.empty();
    name += (name.empty() ? "" : ".") + word.str();
  }
  return hasWord ? name : "";
}

/// Sets the name of an argument or result, unless another one already has this
/// name.
template <typename Set>
static void addName(StringRef path, llvm::StringSet<> &taken, Set set) {
  std::string name = plainName(path);
  if (name.empty() || !tx::whyNoName("a value", name).empty() ||
      !taken.insert(name).second)
    return;
  set(name);
}

/// Copies the donation attributes of arguments.
static void addDonations(func::FuncOp from, func::FuncOp to) {
  for (unsigned i = 0; i < from.getNumArguments(); ++i)
    if (from.getArgAttr(i, "jax.buffer_donor") ||
        from.getArgAttr(i, "tf.aliasing_output"))
      to.setArgAttr(i, tx::donatedAttr, UnitAttr::get(to.getContext()));
}

/// Copies the memory kinds of arguments and results.
static void addMemories(func::FuncOp from, func::FuncOp to) {
  for (unsigned i = 0; i < from.getNumArguments(); ++i)
    if (Attribute kind = from.getArgAttr(i, "mhlo.memory_kind"))
      to.setArgAttr(i, tx::memoryAttr, kind);
  for (unsigned i = 0; i < from.getNumResults(); ++i)
    if (Attribute kind = from.getResultAttr(i, "mhlo.memory_kind"))
      to.setResultAttr(i, tx::memoryAttr, kind);
}

/// Records the tilings of arguments and results, if there are several ranks.
/// The text is empty for results whose sharding passes choose.
static void addShardings(ArrayRef<Tiling> parts, const llvm::BitVector &isOpen,
                         int64_t ranks, func::FuncOp to) {
  if (ranks == 1)
    return;
  OpBuilder b(to);
  auto text = [&](const Tiling &tiling) {
    return b.getStringAttr(shardingText(tiling, ranks));
  };
  for (unsigned i = 0; i < to.getNumArguments(); ++i)
    to.setArgAttr(i, tx::shardingAttr, text(parts[i]));
  for (unsigned i = 0; i < to.getNumResults(); ++i)
    to.setResultAttr(i, tx::shardingAttr,
                     isOpen.test(i) ? b.getStringAttr("")
                                    : text(parts[to.getNumArguments() + i]));
}

static void addNames(func::FuncOp from, func::FuncOp to) {
  OpBuilder b(to);
  llvm::StringSet<> taken;
  for (BlockArgument argument : from.getArguments())
    if (auto loc = dyn_cast<NameLoc>(argument.getLoc()))
      addName(loc.getName(), taken, [&](StringRef name) {
        to.setArgAttr(argument.getArgNumber(), tx::nameAttr,
                      b.getStringAttr(name));
      });
  taken.clear();
  for (unsigned i = 0; i < from.getNumResults(); ++i)
    if (auto info =
            from.getResultAttrOfType<StringAttr>(i, "jax.result_info")) {
      StringRef path = info.getValue();
      path.consume_front("result");
      addName(path, taken, [&](StringRef name) {
        to.setResultAttr(i, tx::nameAttr, b.getStringAttr(name));
      });
    }
}

/// Returns the types of the arguments, or none after a diagnostic for an
/// unsupported dtype.
SmallVector<Type> Converter::inputTypes(func::FuncOp function,
                                        ArrayRef<Tiling> parts) {
  SmallVector<Type> inputs;
  shape::DimContext &context = tx::dimContext(function.getContext());
  DimNames names(source, function);
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (isToken(type)) {
      inputs.push_back(passedToken(type.getContext()));
      continue;
    }
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::optional<DType> dtype =
        tensor ? dtypeIn(tensor.getElementType()) : std::nullopt;
    if (!dtype || tensor.getEncoding()) {
      function.emitError() << "argument " << i << " is " << type
                           << ", which tensorc has no values of";
      return {};
    }
    SmallVector<Dim> dims;
    tensor = tileType(tensor, parts[i]);
    for (auto [axis, size] : llvm::enumerate(tensor.getShape()))
      dims.push_back(ShapedType::isDynamic(size)
                         ? context.symbol(names(i, axis))
                         : Dim(size));
    inputs.push_back(
        tx::tensorType(dims, tx::elementType(type.getContext(), *dtype)));
  }
  return inputs;
}

LogicalResult Converter::convertFunction(func::FuncOp function) {
  SmallVector<Tiling> parts;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tiling = distribution.tilings.tiling(
        function, function.getArgAttr(i, "sdy.sharding"), type);
    if (mlir::failed(tiling))
      return failure();
    parts.push_back(std::move(*tiling));
  }
  SmallVector<Type> inputs = inputTypes(function, parts);
  if (inputs.size() != function.getNumArguments())
    return failure();
  auto type = b.getFunctionType(inputs, {});
  auto result =
      func::FuncOp::create(b, function.getLoc(), function.getName(), type);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(result.addEntryBlock());
  values.clear();
  distribution.forget();
  if (!function.getBody().hasOneBlock())
    return function.emitError("a program has one block");
  TensorBuilder words(b, function);
  for (auto [from, to, tiling] :
       llvm::zip(function.getArguments(), result.getArguments(), parts))
    values[from] = distribution.whole(words, to, tiling);
  for (auto [argument, type] :
       llvm::zip(function.getArguments(), function.getArgumentTypes()))
    if (isToken(type))
      values[argument] = words.full(0, DType::I8);
  callees.assign(1, function.getName());
  effects.last = Value();
  Results results = convertBlock(function.getBody().front());
  if (mlir::failed(results))
    return failure();
  for (auto [result, type] : llvm::zip(*results, function.getResultTypes()))
    if (isToken(type))
      result = words.full(0, DType::I1, {Dim(0)});
  llvm::BitVector isOpen(results->size());
  for (auto [i, result] : llvm::enumerate(*results)) {
    auto tiling = distribution.tilings.tiling(
        function, function.getResultAttr(i, "sdy.sharding"),
        function.getResultTypes()[i]);
    if (mlir::failed(tiling))
      return failure();
    if (!function.getResultAttr(i, "sdy.sharding")) {
      *tiling = distribution.tilingOf(result);
      isOpen[i] = tiling->isWhole();
    }
    result = distribution.tile(words, result, *tiling);
    parts.push_back(std::move(*tiling));
  }
  bool returnsEffect = results->empty() && effects.last;
  if (returnsEffect) {
    results->push_back(words.full(0, DType::I8));
    parts.emplace_back();
    isOpen.resize(1);
  }
  effects.endBlock(b, *results);
  func::ReturnOp::create(b, function.getLoc(), *results);
  result.setType(b.getFunctionType(
      inputs, llvm::to_vector(ValueRange(*results).getTypes())));
  addNames(function, result);
  if (returnsEffect)
    result.setResultAttr(0, tx::nameAttr, b.getStringAttr(tx::effectName));
  addDonations(function, result);
  addMemories(function, result);
  addShardings(parts, isOpen, distribution.tilings.ranks(), result);
  return success();
}

/// Returns the functions that ops refer to as computations. They are not
/// entries of the program, although they are public.
static llvm::StringSet<> namedComputations(ModuleOp source) {
  llvm::StringSet<> names;
  source.walk([&](Operation *op) {
    if (auto list = dyn_cast_if_present<ArrayAttr>(
            attributeOf(op, "called_computations")))
      for (auto name : list.getAsRange<FlatSymbolRefAttr>())
        names.insert(name.getValue());
  });
  return names;
}

SmallVector<func::FuncOp> Converter::entries() {
  llvm::StringSet<> computations = namedComputations(source);
  return llvm::filter_to_vector(
      source.getOps<func::FuncOp>(), [&](func::FuncOp function) {
        return function.isPublic() && !function.isExternal() &&
               !computations.contains(function.getName());
      });
}

OwningOpRef<ModuleOp> Converter::convert() {
  if (const std::string &why = distribution.tilings.whyRefused(); !why.empty())
    return source.emitError("this is ") << why, OwningOpRef<ModuleOp>();
  replaceTokens(source);
  SmallVector<func::FuncOp> functions = entries();
  if (functions.empty())
    return source.emitError("the program has no public function"),
           OwningOpRef<ModuleOp>();
  ops.begin(functions);
  OwningOpRef<ModuleOp> result = ModuleOp::create(source.getLoc());
  for (func::FuncOp function : functions) {
    b.setInsertionPointToEnd(result->getBody());
    uint64_t before = ops.getNumDone();
    failed |= mlir::failed(convertFunction(function));
    ops.finish(function, before);
  }
  if (failed || mlir::failed(verify(*result)))
    return {};
  return result;
}

} // namespace tensorc::stablehlo
