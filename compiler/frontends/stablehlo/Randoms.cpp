//===- Randoms.cpp - Random bits of StableHLO -----------------------------===//
//
// The specification leaves the choice of the bits to the implementation: they
// depend only on the state, and the op also returns the next state. The state
// is a key of 64 bits, and a counter.
//
// stablehlo.rng has no state. Its key is its number among such ops in the
// module, so it returns the same numbers in every run, and two such ops return
// different ones.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"

#include <cmath>

using namespace mlir;

namespace tensorc::stablehlo {

/// Splits 64-bit words into 32-bit words, the low one first.
static Value wordsOf(TensorBuilder &b, Value doubleWords) {
  SmallVector<Dim> dims(dimsOf(doubleWords));
  Value wide = b.reshape(doubleWords, {dims[0], Dim(1)});
  Value shift = b.mul(b.iota(DType::UI64, {dims[0], Dim(2)}, 1), 32);
  Value parts = b.convert(b.map<tx::ShrLogicalOp>({wide, shift}), DType::UI32);
  return b.reshape(parts, dims[0] * 2);
}

static Results bitGenerator(Call &call) {
  TensorBuilder &b = call.b;
  Value state = call.x[0];
  auto dtype = call.declaredDType(1);
  RankedTensorType type = call.declared(1);
  if (!dtype || !call.isStatic() || call.op->getNumResults() != 2)
    return failure();
  int64_t doubleWords = rankOf(state) == 1 ? typeOf(state).getDimSize(0) : 0;
  bool isThreefry = wordIn(call.attribute("rng_algorithm")) == "THREE_FRY";
  if (dtypeOf(state) != DType::UI64 || doubleWords < 2 ||
      doubleWords > (isThreefry ? 2 : 3))
    return call.refuse() << "needs a state of two ui64, or three for PHILOX";
  if (tx::isFloat(*dtype) || *dtype == DType::I1 || tx::isPacked(*dtype))
    return call.refuse() << "gives integers, not " << tx::dtypeName(*dtype);
  Value key = wordsOf(b, b.sliceAlong(state, 0, 0, 1));
  Value counter = wordsOf(b, b.sliceAlong(state, 0, 1, doubleWords - 1));
  int64_t blockWords = isThreefry ? 2 : 4;
  if (rankOf(counter) == 1 && dimsOf(counter)[0] != Dim(blockWords))
    counter =
        b.pad(counter, 0, blockWords - typeOf(counter).getDimSize(0), 0, 0);
  bool isDouble = tx::byteWidth(*dtype) == 8;
  DType bitsDType = isDouble ? DType::UI64 : DType::UI32;
  SmallVector<Dim> dims(shape::dimsOf(type.getShape()));
  Value bits = tx::RandomBitsOp::create(
      b.b, b.loc,
      tx::tensorType(dims, tx::elementType(b.b.getContext(), bitsDType)), key,
      counter,
      isThreefry ? tx::RandomAlgorithm::Threefry2x32
                 : tx::RandomAlgorithm::Philox4x32_10);
  // Advances the counter by the number of blocks that were used. A third word
  // of the state is not changed.
  int64_t words = type.getNumElements() * (isDouble ? 2 : 1);
  int64_t blocks = (words + blockWords - 1) / blockWords;
  SmallVector<Value> parts{b.sliceAlong(state, 0, 0, 1),
                           b.add(b.sliceAlong(state, 0, 1, 1), blocks)};
  if (doubleWords == 3)
    parts.push_back(b.sliceAlong(state, 0, 2, 1));
  return Values{b.concatenate(parts, 0), b.convert(bits, *dtype)};
}

/// Returns the number of an op among the ops of the same name in the module.
static int64_t numberInModule(Operation *op) {
  int64_t number = 0;
  op->getParentOfType<ModuleOp>().walk([&](Operation *each) {
    if (each == op)
      return WalkResult::interrupt();
    number += each->getName() == op->getName();
    return WalkResult::advance();
  });
  return number;
}

/// Returns random bits for an op that has no state.
static Value bitsFor(Call &call, Dims dims, DType word) {
  TensorBuilder &b = call.b;
  auto type = RankedTensorType::get({2}, b.b.getIntegerType(32, false));
  uint32_t words[] = {static_cast<uint32_t>(numberInModule(call.op)), 0};
  Value key = tx::ConstantOp::create(
      b.b, b.loc, DenseElementsAttr::get(type, ArrayRef<uint32_t>(words)));
  return tx::RandomBitsOp::create(
      b.b, b.loc, tx::tensorType(dims, tx::elementType(b.b.getContext(), word)),
      key, b.full(0, DType::UI32, {Dim(4)}),
      tx::RandomAlgorithm::Philox4x32_10);
}

/// Returns numbers in [0, 1) with as many random bits as the significand has.
static Value unitNumbers(TensorBuilder &b, Value bits, DType dtype) {
  int64_t width = tx::bitWidth(dtypeOf(bits)), digits = width == 64 ? 53 : 24;
  Value high = b.map<tx::ShrLogicalOp>({bits, width - digits});
  return b.mul(b.convert(high, dtype),
               1.0 / static_cast<double>(int64_t(1) << digits));
}

/// Random numbers between two bounds, or with a mean and a standard deviation.
static Results randomNumbers(Call &call) {
  TensorBuilder &b = call.b;
  auto dtype = call.declaredDType();
  StringRef distribution = wordIn(call.attribute("rng_distribution"));
  bool isNormal = distribution == "NORMAL";
  if (!dtype)
    return failure();
  if (!isNormal && distribution != "UNIFORM")
    return call.refuse() << "has no rng_distribution: '" << distribution << "'";
  bool isFloat = tx::isFloat(*dtype);
  if (*dtype == DType::I1 || tx::isPacked(*dtype) || tx::isComplex(*dtype) ||
      (isNormal && !isFloat))
    return call.refuse() << "is not available for " << tx::dtypeName(*dtype);
  if (!call.declared().hasStaticShape())
    return call.refuse() << "needs a result of constant sizes";
  for (Value bound : call.x.take_front(2))
    if (rankOf(bound) != 0 || dtypeOf(bound) != *dtype)
      return call.refuse() << "needs two numbers of the dtype of its result";
  DType compute = builder::wideOf(*dtype);
  DType word = tx::byteWidth(*dtype) == 8 ? DType::UI64 : DType::UI32;
  SmallVector<Dim> dims(shape::dimsOf(call.declared().getShape()));
  Value bits = bitsFor(call, dims, word);
  Value low = b.convert(call.x[0], compute),
        high = b.convert(call.x[1], compute);
  if (!isFloat) {
    Value range = b.sub(b.convert(high, word), b.convert(low, word));
    Value offset = b.map<tx::RemOp>({bits, range});
    return Values{b.add(b.convert(offset, *dtype), low)};
  }
  Value unit = unitNumbers(b, bits, compute);
  if (isNormal) {
    // The midpoint between two such numbers lies in (-1, 1). Each step is
    // exact.
    double spacing = compute == DType::F64 ? 0x1p-53 : 0x1p-24;
    Value position = b.add(b.sub(b.mul(unit, 2.0), 1.0), spacing);
    Value normal = b.mul(b.map<tx::ErfinvOp>({position}), std::sqrt(2.0));
    return Values{b.convert(b.add(low, b.mul(normal, high)), *dtype)};
  }
  Value scaled = b.convert(b.add(low, b.mul(unit, b.sub(high, low))), *dtype);
  // Rounding may give the upper bound.
  return Values{b.select(b.less(scaled, call.x[1]), scaled, call.x[0])};
}

void addRandomOps(Table &table) {
  table["stablehlo.rng"] = Row{randomNumbers, 3, 3};
  table["stablehlo.rng_bit_generator"] = Row{bitGenerator, 1, 1};
}

} // namespace tensorc::stablehlo
