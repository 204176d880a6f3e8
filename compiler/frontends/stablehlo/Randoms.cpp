//===- Randoms.cpp - Random bits of StableHLO -----------------------------===//
//
// The specification leaves the bits to the implementation: they depend only on
// the state, and the new state continues after them. The state is a key of 64
// bits, and a counter.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"

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

void addRandomOps(Table &table) {
  table["stablehlo.rng_bit_generator"] = Row{bitGenerator, 1, 1};
}

} // namespace tensorc::stablehlo
