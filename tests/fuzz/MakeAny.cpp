//===- MakeAny.cpp - Any element-wise op, and bits ------------------------===//

#include "tests/fuzz/Generator.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <limits>

using namespace mlir;

namespace tensorc::fuzz {

/// The ops whose result's type follows from the operands', by name.
static SmallVector<RegisteredOperationName>
elementwiseOps(MLIRContext *context) {
  SmallVector<RegisteredOperationName> ops;
  for (RegisteredOperationName op :
       context->getRegisteredOperationsByDialect("tx"))
    if (op.hasTrait<tx::Elementwise>() &&
        op.hasInterface<InferTypeOpInterface>())
      ops.push_back(op);
  return ops;
}

static unsigned arityOf(RegisteredOperationName op) {
  if (op.hasTrait<OpTrait::OneOperand>())
    return 1;
  return op.hasTrait<OpTrait::NOperands<2>::Impl>() ? 2 : 3;
}

/// An exact value like x: one of the program's, or an operand of its own.
Entry Generator::exactLike(const Entry &x) {
  if (Maybe y = fit(partner(x), x); y && isExact(*y))
    return *y;
  Maybe own = newArgument(dimsOf(x), elementOf(x));
  return own ? *own : splat(pick(3), x.value.getType());
}

/// The op of x and of exact values like it, unless it does not take the dtype.
Generator::Maybe Generator::elementwiseOf(RegisteredOperationName op,
                                          const Entry &x) {
  OperationState state(loc, op);
  state.addOperands(x.value);
  for (unsigned i = 1; i < arityOf(op); ++i) {
    Entry y = exactLike(x);
    // The sign of a NaN is nobody's promise.
    if (op.getStringRef() == "tx.copysign" && y.limit == infinity)
      return std::nullopt;
    state.addOperands(y.value);
  }
  ScopedDiagnosticHandler refusals(builder.getContext(),
                                   [](Diagnostic &) { return success(); });
  auto *infer = op.getInterface<InferTypeOpInterface>();
  if (failed(infer->inferReturnTypes(builder.getContext(), loc, state.operands,
                                     {}, OpaqueProperties(nullptr), {},
                                     state.types)))
    return std::nullopt;
  Operation *made = builder.create(state);
  if (failed(verify(made))) {
    made->erase();
    return std::nullopt;
  }
  Value result = made->getResult(0);
  bool isInexact = isa<FloatType>(getElementTypeOrSelf(result));
  return finish(result, infinity,
                isInexact ? std::numeric_limits<double>::min() : 0, false);
}

/// Also those that no other maker knows, and anywhere: logarithms of what is
/// negative, powers that overflow. Beyond all limits the results of floats
/// serve only ops that add nothing to their error.
Generator::Maybe Generator::makeAnyElementwise() {
  SmallVector<RegisteredOperationName> ops =
      elementwiseOps(builder.getContext());
  // By the seed: as many programs as there are ops have drawn each. Several
  // tries, as many ops take only some dtypes.
  RegisteredOperationName op = ops[seed++ % ops.size()];
  for (int tries = 0; tries < 4; ++tries)
    if (Entry x = any(); isExact(x))
      if (Maybe made = elementwiseOf(op, x))
        return made;
  return std::nullopt;
}

/// Key and counter are constants or, made to fit, whatever there is.
Generator::Maybe Generator::makeRandomBits() {
  Type word = builder.getIntegerType(32, /*isSigned=*/false);
  auto words = [&](int64_t count) -> Maybe {
    if (chance(50)) {
      SmallVector<APInt> values;
      for (int64_t i = 0; i < count; ++i)
        values.push_back(APInt(32, random() & UINT32_MAX));
      auto type = RankedTensorType::get({count}, word);
      Value value = tx::ConstantOp::create(
          builder, loc, type, DenseElementsAttr::get(type, values));
      return Entry{value, infinity, 0};
    }
    Maybe typed = fitDType(any(), word);
    return typed ? fitDims(*typed, {Dim(count)}) : std::nullopt;
  };
  bool isPhilox = chance(50);
  auto algorithm = isPhilox ? tx::RandomAlgorithm::Philox4x32_10
                            : tx::RandomAlgorithm::Threefry2x32;
  Maybe key = words(2), counter = words(isPhilox ? 4 : 2);
  if (!key || !counter)
    return std::nullopt;
  unsigned width = chance(60) ? 32 : 64;
  Type type =
      tx::tensorType(randomDims(3), builder.getIntegerType(width, false));
  return finish(tx::RandomBitsOp::create(builder, loc, type, key->value,
                                         chance(50) ? counter->value : Value(),
                                         algorithm),
                infinity, 0, false);
}

/// Between numbers of one width. The bits of a NaN are nobody's promise, so
/// floats among which are some stay as they are.
Generator::Maybe Generator::makeBitcast() {
  Entry x = any();
  unsigned width = elementOf(x).getIntOrFloatBitWidth();
  if (kind == Kind::Smooth || !isExact(x) || width == 1 ||
      (isFloat(x) && x.limit == infinity))
    return std::nullopt;
  SmallVector<Type> choices = {builder.getIntegerType(width),
                               builder.getIntegerType(width, false)};
  if (width == 16)
    choices.append({builder.getF16Type(), builder.getBF16Type()});
  if (width == 32)
    choices.push_back(builder.getF32Type());
  if (width == 64)
    choices.push_back(builder.getF64Type());
  Type element = choices[pick(choices.size())];
  if (element == elementOf(x))
    return std::nullopt;
  return finish(tx::BitcastOp::create(
                    builder, loc,
                    tx::withElementType(x.value.getType(), element), x.value),
                infinity, 0, false);
}

} // namespace tensorc::fuzz
