//===- MakeExample.cpp - Ops as their examples show them ------------------===//
//
// Each composite, reduction, scan and op that moves elements is drawn by its
// definition's example, on other dtypes and sizes: a new one needs no maker.
//
//===----------------------------------------------------------------------===//

#include "ir/tx/Size.h"
#include "tests/fuzz/Generator.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace tensorc::fuzz {

static constexpr const char *examples[] = {
#include "tests/fuzz/Examples.inc"
};

/// The op of an example. Its module goes with the scope.
static Operation *opOf(ModuleOp module) {
  auto function = *module.getOps<func::FuncOp>().begin();
  return &function.getBody().front().front();
}

/// A shape of an example with other sizes: those that are equal stay equal.
static Dims renamed(Type type, const llvm::DenseMap<int64_t, Dim> &sizes) {
  Dims dims;
  for (int64_t size : cast<RankedTensorType>(type).getShape()) {
    auto it = sizes.find(size);
    dims.push_back(it == sizes.end() ? Dim(size) : it->second);
  }
  return dims;
}

/// Numbers that no op makes much of: none is negative, near 0 or large.
Generator::Maybe Generator::tame(const Entry &x) {
  Type element = elementOf(x);
  if (!isa<FloatType>(element) || !isExact(x))
    return isExact(x) ? Maybe(x) : std::nullopt;
  auto scalarLike = x.value.getType();
  Value low = splat(0.5, scalarLike).value, high = splat(2, scalarLike).value;
  Value number = splat(1, scalarLike).value;
  Value isNumber = tx::EqOp::create(builder, loc, x.value, x.value);
  Value kept =
      tx::SelectOp::create(builder, loc, scalarLike, isNumber, x.value, number);
  return Entry{tx::ClampOp::create(builder, loc, scalarLike, low, kept, high),
               2, 0};
}

/// With these sizes, and f32 as this dtype.
Generator::Maybe Generator::exampleOf(Operation *op,
                                      const llvm::DenseMap<int64_t, Dim> &sizes,
                                      Type f32) {
  auto elementOf = [&](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isF32() ? f32 : element;
  };
  IRMapping operands;
  for (Value operand : op->getOperands()) {
    Type wanted = operand.getType();
    Maybe typed = fitDType(any(), elementOf(wanted));
    Maybe fitting = typed ? fitDims(*typed, renamed(wanted, sizes)) : typed;
    Maybe given = fitting ? tame(*fitting) : fitting;
    if (!given)
      return std::nullopt;
    operands.map(operand, given->value);
  }
  Type type = op->getResult(0).getType();
  Dims dims = renamed(type, sizes);
  if (elementsOf(dims) > 4096)
    return std::nullopt;
  Operation *made = op->clone(operands);
  made->setLoc(loc);
  made->getResult(0).setType(tx::tensorType(dims, elementOf(type)));
  builder.insert(made);
  ScopedDiagnosticHandler refusals(builder.getContext(),
                                   [](Diagnostic &) { return success(); });
  if (failed(verify(made))) { // Sizes that an attribute fixes.
    made->erase();
    return std::nullopt;
  }
  // A norm, a loss, a product of all: near what the dtype allows.
  double error = f32.isF64() ? 1e-10 : f32.isF32() ? 5e-4 : 0.15;
  return finish(made->getResult(0), infinity, error, false);
}

Generator::Maybe Generator::makeExample() {
  // By the seed: as many programs as there are examples have drawn each.
  const char *text = examples[seed++ % std::size(examples)];
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(builder.getContext()));
  assert(module && "the documents run the same examples");
  Operation *op = opOf(*module);
  Type types[] = {builder.getF32Type(), builder.getF32Type(),
                  builder.getF16Type(), builder.getBF16Type()};
  Type f32 = floatOr64(types[pick(std::size(types))]);
  // What is divided into groups keeps its sizes, which they divide.
  auto groups = op->getAttrOfType<IntegerAttr>("groups");
  bool isDivided = groups && groups.getInt() > 1;
  for (int percent : {isDivided ? 0 : 60, isDivided ? 0 : 30, 0}) {
    llvm::DenseMap<int64_t, Dim> sizes;
    for (Type type : op->getOperandTypes())
      for (int64_t size : cast<RankedTensorType>(type).getShape())
        if (Dim other = programDims[pick(programDims.size())];
            size > 1 && chance(percent) && leastOf(other) > 0)
          sizes.try_emplace(size, other);
    if (Maybe made = exampleOf(op, sizes, f32))
      return made;
  }
  return std::nullopt;
}

/// A size of the program as a number.
Generator::Maybe Generator::makeSize() {
  Dim dim = programDims[pick(programDims.size())];
  Type element = randomDType();
  if (element.isInteger(1) || !(sizeOf(dim) < 100))
    return std::nullopt;
  auto size = tx::DimsAttr::get(builder.getContext(), ArrayRef<Dim>(dim));
  return Entry{tx::SizeOp::create(builder, loc,
                                  RankedTensorType::get({}, element), size),
               double(sizeOf(dim)), 0};
}

} // namespace tensorc::fuzz
