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
// their types. `tx.symbols` states that 2 divides n, which a run checks. If a
// mesh splits n + 1, n is written as 2 * (n floordiv 2) + 1, and `txp.size_checks`
// states that 2 divides n + 1.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/sharding/NamedSizes.h"

#include "compiler/transforms/passes/TensorProgram.h"
#include "compiler/transforms/passes/program/SizeChecks.h"

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
/// What annotations require of a named size: that it is `remainder` more than a
/// multiple of `modulus`.
struct Split {
  int64_t modulus = 1, remainder = 0;
  Operation *annotation = nullptr;
};
using Splits = llvm::MapVector<Dim, Split>;

/// A size that has equal parts only if `divisor` divides it.
struct SizeCheck {
  Dim size;
  int64_t divisor;
  Operation *annotation;
};
} // namespace

/// Maximum number of parts of an expression. The remainder is found by trying
/// them; no program runs on more ranks.
static constexpr int64_t maxPartsOfExpression = 1 << 20;

/// Returns the number below `modulus` that is congruent to x.
static int64_t reduced(int64_t x, int64_t modulus) {
  return (x % modulus + modulus) % modulus;
}

/// Returns for which values of its only name, if it is linear in one, the parts
/// of a size are equal. Returns nullopt if there are none, or if it has another
/// form.
static std::optional<std::pair<Dim, Split>> solve(Dim size, int64_t parts,
                                                  Operation *annotation) {
  if (size.terms().size() != 1 || size.terms()[0].factors.size() != 1 ||
      !size.terms()[0].factors[0].isSymbol() ||
      (!size.isSymbol() && parts > maxPartsOfExpression))
    return std::nullopt;
  int64_t coefficient = reduced(size.terms()[0].coefficient, parts);
  int64_t constant = reduced(size.constant(), parts);
  int64_t common = std::gcd(coefficient, parts);
  Split split{parts / common, 0, annotation};
  for (; split.remainder < split.modulus; ++split.remainder)
    if ((coefficient * split.remainder + constant) % parts == 0)
      return std::pair(size.terms()[0].factors[0], split);
  return std::nullopt;
}

/// Requires both splits. Returns false if no size meets both.
static bool intersect(Split &split, const Split &other) {
  int64_t modulus = std::lcm(split.modulus, other.modulus);
  for (; split.remainder < modulus; split.remainder += split.modulus)
    if (split.remainder % other.modulus == other.remainder) {
      split.modulus = modulus;
      return true;
    }
  return false;
}

/// Finds the sizes that annotations split and that are not known to have equal
/// parts.
static LogicalResult findSplits(func::FuncOp function, const Mesh &mesh,
                                Splits &splits,
                                SmallVectorImpl<SizeCheck> &checks) {
  WalkResult walk = function.walk([&](Operation *op) {
    Sharding sharding;
    if (auto shard = dyn_cast<tx::ShardOp>(op))
      sharding = tx::shardingOf(shard);
    else if (auto local = dyn_cast<tx::LocalPartOp>(op))
      sharding = tx::shardingOf(local);
    else
      return WalkResult::advance();
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    for (auto [dim, size] : llvm::enumerate(tx::dimsOf(type))) {
      int64_t parts =
          mesh.size(mesh.axesOf(sharding, static_cast<int64_t>(dim)));
      if (knownDivisor(size) % parts == 0)
        continue;
      auto solved = solve(size, parts, op);
      bool isGood = solved.has_value();
      if (isGood) {
        auto [known, isNew] = splits.insert(*solved);
        isGood = isNew || intersect(known->second, solved->second);
      }
      if (!isGood) {
        op->emitOpError("dimension ")
            << dim << " of " << tx::shapeString(type)
            << " is not known to have " << parts
            << " equal parts: give it a name of its own, or leave it whole";
        return WalkResult::interrupt();
      }
      if (!size.isSymbol())
        checks.push_back({size, parts, op});
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Returns the reason for a check: the annotation and its line.
static std::string reasonFor(Operation *annotation) {
  std::string reason =
      (annotation->getName().getStringRef() + " splits it").str();
  if (auto at = annotation->getLoc()->findInstanceOf<FileLineColLoc>())
    reason += (" at " + llvm::sys::path::filename(at.getFilename()) + ":" +
               Twine(at.getLine()))
                  .str();
  return reason;
}

static void addChecks(func::FuncOp function, ArrayRef<SizeCheck> checks) {
  if (checks.empty())
    return;
  Builder b(function.getContext());
  SmallVector<Attribute> list;
  for (const SizeCheck &check : checks)
    list.push_back(
        b.getArrayAttr({tx::DimsAttr::get(b.getContext(), check.size),
                        b.getI64IntegerAttr(check.divisor),
                        b.getStringAttr(reasonFor(check.annotation))}));
  function->setAttr(sizeChecksAttr, b.getArrayAttr(list));
}

/// Adds the number of parts to the facts about a named size.
static void addDivisor(func::FuncOp function, Dim size, const Split &split) {
  if (split.remainder)
    return;
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
                                      std::lcm(divisor, split.modulus)));
  function->setAttr(tx::symbolsAttr, b.getArrayAttr(facts));
  NamedAttrList reasons(
      function->getAttrOfType<DictionaryAttr>(divisorReasonsAttr));
  reasons.set(name, b.getStringAttr(reasonFor(split.annotation)));
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
  Splits splits;
  SmallVector<SizeCheck> checks;
  if (failed(findSplits(function, mesh, splits, checks)))
    return failure();
  if (splits.empty())
    return success();
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](tx::DimsAttr attr) -> Attribute {
    return tx::DimsAttr::get(
        attr.getContext(), llvm::map_to_vector(attr.getDims(), [&](Dim dim) {
          return shape::substitute(dim, [&](Dim symbol) {
            auto split = splits.find(symbol);
            if (split == splits.end())
              return symbol;
            auto [modulus, more, by] = split->second;
            return shape::floorDiv(symbol, modulus) * modulus + more;
          });
        }));
  });
  Block &block = function.getBody().front();
  for (Operation &op : block)
    replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  auto b = OpBuilder::atBlockBegin(&block);
  Location loc = splits.begin()->second.annotation->getLoc();
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
  for (auto &[size, split] : splits)
    addDivisor(function, size, split);
  addChecks(function, checks);
  return success();
}

} // namespace tensorc::compiler::sharding
