//===- NamedSizes.cpp - Named sizes that a mesh splits --------------------===//
//
//   func.func @main(%x: tensor<?xf32, #tx.dims<[n]>>) {
//     %0 = tx.shard %x mesh = [2] dims = [0] : [n]
// becomes
//   func.func @main(%x: tensor<?xf32, #tx.dims<[n]>>) {
//     %1 = tx.reshape %x : [n] -> [2 * (n floordiv 2)]
//     %0 = tx.shard %1 mesh = [2] dims = [0] : [2 * (n floordiv 2)]
//
// A rank's part then has n floordiv 2 elements, and the parts of all ranks have
// the size of the whole, without facts about n. Arguments and results keep
// their types. `tx.symbols` states that 2 divides n, which a run checks.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/sharding/NamedSizes.h"

#include "compiler/transforms/passes/TensorProgram.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Path.h"

#include <numeric>

using namespace mlir;

namespace tensorc::compiler::sharding {

using shape::Dim;

int64_t knownDivisor(Dim size) {
  if (size.isNumber())
    return *size.number();
  int64_t divisor = size.constant();
  for (const shape::Term &term : size.terms())
    divisor = std::gcd(divisor, term.coefficient);
  return divisor;
}

namespace {
/// The number of parts of a named size, and an annotation that splits it.
struct Split {
  int64_t parts = 1;
  Location at;
};
using Splits = llvm::MapVector<Dim, Split>;
} // namespace

static FailureOr<Splits> splitsOf(func::FuncOp function, const Mesh &mesh) {
  Splits splits;
  WalkResult walk = function.walk([&](tx::ShardOp op) {
    for (auto [dim, size] : llvm::enumerate(tx::dimsOf(op.getType()))) {
      int64_t parts =
          mesh.size(mesh.axesOf(tx::shardingOf(op), static_cast<int64_t>(dim)));
      if (knownDivisor(size) % parts == 0)
        continue;
      if (!size.isSymbol()) {
        op.emitOpError("dimension ")
            << dim << " of " << tx::shapeString(op.getType())
            << " is not known to have " << parts
            << " equal parts: give it a name of its own, or leave it whole";
        return WalkResult::interrupt();
      }
      Split &split =
          splits.try_emplace(size, Split{1, op.getLoc()}).first->second;
      split.parts = std::lcm(split.parts, parts);
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return splits;
}

/// Adds the number of parts to the facts about a named size.
static void addDivisor(func::FuncOp function, Dim size, const Split &split) {
  Builder b(function.getContext());
  SmallVector<Attribute> facts;
  if (auto known = function->getAttrOfType<ArrayAttr>(tx::symbolsAttr))
    llvm::append_range(facts, known);
  auto name = b.getStringAttr(size.name());
  auto *found = llvm::find_if(facts, [&](Attribute fact) {
    return cast<tx::SymbolAttr>(fact).getName() == name;
  });
  int64_t min = 0, max = INT64_MAX, divisor = 1;
  if (found != facts.end()) {
    auto fact = cast<tx::SymbolAttr>(*found);
    min = fact.getMin();
    max = fact.getMax();
    divisor = fact.getDivisor();
    facts.erase(found);
  }
  facts.push_back(tx::SymbolAttr::get(b.getContext(), name, min, max,
                                      std::lcm(divisor, split.parts)));
  function->setAttr(tx::symbolsAttr, b.getArrayAttr(facts));
  auto at = split.at->findInstanceOf<FileLineColLoc>();
  NamedAttrList reasons(
      function->getAttrOfType<DictionaryAttr>(divisorReasonsAttr));
  reasons.set(name, b.getStringAttr(
                        at ? "tx.shard splits it at " +
                                 llvm::sys::path::filename(at.getFilename()) +
                                 ":" + Twine(at.getLine())
                           : "tx.shard splits it"));
  function->setAttr(divisorReasonsAttr, reasons.getDictionary(b.getContext()));
}

/// Converts a value to a type with equal sizes.
static Value convert(OpBuilder &b, Location loc, Value x, Type type) {
  return x.getType() == type
             ? x
             : tx::ReshapeOp::create(b, loc, cast<RankedTensorType>(type), x)
                   .getResult();
}

LogicalResult divideNamedSizes(func::FuncOp function, const Mesh &mesh) {
  FailureOr<Splits> splits = splitsOf(function, mesh);
  if (failed(splits))
    return failure();
  if (splits->empty())
    return success();
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](tx::DimsAttr attr) -> Attribute {
    return tx::DimsAttr::get(attr.getContext(),
                             llvm::map_to_vector(attr.getDims(), [&](Dim dim) {
                               return shape::substitute(dim, [&](Dim symbol) {
                                 auto split = splits->find(symbol);
                                 if (split == splits->end())
                                   return symbol;
                                 int64_t parts = split->second.parts;
                                 return shape::floorDiv(symbol, parts) * parts;
                               });
                             }));
  });
  Block &block = function.getBody().front();
  for (Operation &op : block)
    replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  auto b = OpBuilder::atBlockBegin(&block);
  Location loc = splits->begin()->second.at;
  for (Value argument : block.getArguments()) {
    Value divided =
        convert(b, loc, argument, replacer.replace(argument.getType()));
    if (divided != argument)
      argument.replaceAllUsesExcept(divided, divided.getDefiningOp());
  }
  Operation *end = block.getTerminator();
  b.setInsertionPoint(end);
  for (auto [result, type] :
       llvm::zip_equal(end->getOpOperands(), function.getResultTypes()))
    result.set(convert(b, loc, result.get(), type));
  for (auto &[size, split] : *splits)
    addDivisor(function, size, split);
  return success();
}

} // namespace tensorc::compiler::sharding
