//===- OpAttributesTest.cpp - Attributes as structs, words and ops --------===//

#include "ir/tx/Tx.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "gtest/gtest.h"

#include <vector>

using namespace mlir;
using namespace tensorc;

namespace {

template <typename Attributes>
std::vector<int64_t> wordsOf(const Attributes &attributes) {
  std::vector<int64_t> words(attributes.numWords(), -7);
  attributes.write(words.data());
  return words;
}

/// Through the words and through an op of this name.
template <typename Op, typename Attributes>
void expectKept(const Attributes &attributes) {
  std::vector<int64_t> words = wordsOf(attributes);
  EXPECT_EQ(Attributes::read(words), attributes);
  MLIRContext context;
  context.loadDialect<tx::TxDialect>();
  OperationState state(UnknownLoc::get(&context), Op::getOperationName());
  attributes.addTo(state);
  OwningOpRef<Operation *> op = Operation::create(state);
  EXPECT_EQ(Attributes::of(cast<Op>(*op)), attributes);
}

TEST(OpAttributes, KeepListsFlagsAndEnumerations) {
  std::vector<int64_t> one{3}, two{0, 2}, none;
  expectKept<tx::SumOp>(tx::ReductionAttributes{two});
  expectKept<tx::ProdOp>(tx::ReductionAttributes{none});
  expectKept<tx::CummaxOp>(
      tx::ScanAttributes{.dim = 2, .reverse = false, .exclusive = true});
  expectKept<tx::ArgsortOp>(tx::SortAttributes{.dim = 1, .descending = true});
  expectKept<tx::ScatterOp>(
      tx::ScatterAttributes{.kind = tx::UpdateKind::Max,
                            .updateWindowDims = one,
                            .insertedWindowDims = none,
                            .scatterDimsToOperandDims = two,
                            .indexVectorDim = 4});
  expectKept<tx::RandomBitsOp>(
      tx::RandomBitsAttributes{tx::RandomAlgorithm::Threefry2x32});
}

TEST(OpAttributes, KeepListsApartThatAreEqualInSum) {
  std::vector<int64_t> a{0}, b{1}, none;
  tx::DotGeneralAttributes batch{
      .xBatch = a, .yBatch = a, .xContracting = b, .yContracting = b};
  tx::DotGeneralAttributes inner{
      .xBatch = none, .yBatch = none, .xContracting = a, .yContracting = b};
  expectKept<tx::DotGeneralOp>(batch);
  expectKept<tx::DotGeneralOp>(inner);
  // One window dim and no dropped one, or the other way round.
  tx::GatherAttributes x{.offsetDims = a,
                         .collapsedSliceDims = none,
                         .startIndexMap = b,
                         .indexVectorDim = 1,
                         .sliceSizes = b};
  tx::GatherAttributes y{.offsetDims = none,
                         .collapsedSliceDims = a,
                         .startIndexMap = b,
                         .indexVectorDim = 1,
                         .sliceSizes = b};
  expectKept<tx::GatherOp>(x);
  EXPECT_NE(wordsOf(x), wordsOf(y));
}

} // namespace
