//===- BucketReductions.cpp - Combines calls of all_reduce ----------------===//
//
//   %a = tx.fusion ...
//   %c = tx.custom_call "collective" (%a) config "all_reduce sum ranks=2"
//   %b = tx.fusion ...
//   %d = tx.custom_call "collective" (%b) config "all_reduce sum ranks=2"
// becomes
//   %a = tx.fusion ...
//   %b = tx.fusion ...
//   %x = tx.concatenate %a, %b dim = 0 {txp.split}
//   %y = tx.custom_call "collective" (%x) config "all_reduce sum ranks=2"
//   %c = tx.slice %y ... {txp.split}
//   %d = tx.slice %y ... {txp.split}
//
// A call costs latency however small its operand is, and the gradients of a
// network are many. The ops with `txp.split` are views: the fusions store to
// parts of the buffer of %x. Each part begins at a multiple of the alignment
// that kernels rely on, after zeros.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/TensorProgram.h"
#include "compiler/transforms/passes/memory/ArenaPacking.h"
#include "compiler/transforms/sharding/Passes.h"
#include "compiler/transforms/sharding/reductions/Reductions.h"
#include "ir/tx/Dims.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_BUCKETREDUCTIONSPASS
#include "compiler/transforms/sharding/Passes.h.inc"

using namespace sharding;

namespace {
/// Calls with the same config and element type.
struct Bucket {
  SmallVector<tx::CustomCallOp> calls;
  int64_t bytes = 0;
  /// Buckets are numbered in the order in which they begin.
  int64_t number = 0;
};
} // namespace

/// The word of a config before the numbers of the program's calls that the call
/// performs (runtime/program/calls/CollectiveCalls.cpp).
static constexpr StringLiteral callsWord = " calls=";

/// Returns the value of which x is a view.
static Value viewed(Value x) {
  while (Operation *op = x.getDefiningOp()) {
    if (!isa<tx::ReshapeOp, tx::ReinterpretOp>(op))
      break;
    x = op->getOperand(0);
  }
  return x;
}

/// True if the function returns the value or a view of it. The caller then gets
/// a buffer of its own, not a part of a bucket.
static bool isReturned(Value x) {
  return llvm::any_of(x.getUsers(), [](Operation *user) {
    return isa<func::ReturnOp>(user) ||
           (isa<tx::ReshapeOp, tx::ReinterpretOp>(user) &&
            isReturned(user->getResult(0)));
  });
}

/// Returns the bytes that a call needs in a bucket, or nullopt if the call must
/// stay as it is.
static std::optional<int64_t> bytesInBucket(Operation *op) {
  if (!isAllReduce(op) || op->getNumOperands() != 1)
    return std::nullopt;
  Value x = op->getOperand(0), stored = viewed(x);
  auto type = cast<RankedTensorType>(x.getType());
  std::optional<int64_t> bytes = tx::staticBytes(type);
  Type element = type.getElementType();
  // Concatenations are of real tensors at this stage.
  bool isWholeBytes =
      element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
  if (!bytes || !*bytes || !isWholeBytes ||
      !stored.getDefiningOp<tx::FusionOp>() || isReturned(stored) ||
      isReturned(op->getResult(0)) || getElementTypeOrSelf(stored) != element)
    return std::nullopt;
  return llvm::alignTo(*bytes, arenaAlignment);
}

namespace {
struct BucketReductions : impl::BucketReductionsPassBase<BucketReductions> {
  using BucketReductionsPassBase::BucketReductionsPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function.getBody().hasOneBlock() || hasPlans(function))
      return;
    Block &block = function.getBody().front();
    collect(block);
    if (llvm::none_of(buckets, [](const Bucket &bucket) {
          return bucket.calls.size() > 1;
        }))
      return;
    numberCalls(block);
    bool isChanged = false;
    for (const Bucket &bucket : buckets) {
      if (bucket.calls.size() < 2)
        continue;
      combine(bucket);
      isChanged = true;
    }
    // Users of the first sums now come before the combined call.
    if (isChanged)
      sortTopologically(&block);
  }

private:
  std::vector<Bucket> buckets;

  /// Adds the number of each call of all_reduce to its config. Ranks compare
  /// it, so that ranks with different buckets find the error.
  static void numberCalls(Block &block) {
    int64_t number = 0;
    for (Operation &op : block)
      if (isAllReduce(&op))
        setNumbers(cast<tx::CustomCallOp>(op), std::to_string(number++));
  }

  static void setNumbers(tx::CustomCallOp call, const Twine &numbers) {
    call.setConfig((*call.getConfig() + callsWord + numbers).str());
  }

  /// Returns the numbers of a call.
  static StringRef numbersOf(tx::CustomCallOp call) {
    return call.getConfig()->rsplit(callsWord).second;
  }

  void collect(Block &block) {
    buckets.clear();
    // The highest number of the buckets on which a value depends, or -1.
    DenseMap<Value, int64_t> newest;
    // The last bucket of each config and element type.
    DenseMap<std::pair<Attribute, Type>, size_t> open;
    DenseSet<Value> stored;
    for (Operation &op : block.without_terminator()) {
      int64_t before = -1;
      forEachOperand(&op, [&](Value operand) {
        auto known = newest.find(operand);
        if (known != newest.end())
          before = std::max(before, known->second);
      });
      std::optional<int64_t> size = bytesInBucket(&op);
      if (size && *size <= bytes &&
          stored.insert(viewed(op.getOperand(0))).second) {
        auto call = cast<tx::CustomCallOp>(op);
        auto [it, isNew] = open.try_emplace(
            {call.getConfigAttr(), getElementTypeOrSelf(op.getOperand(0))});
        if (isNew || buckets[it->second].bytes + *size > bytes ||
            before >= buckets[it->second].number) {
          it->second = buckets.size();
          buckets.push_back({{}, 0, static_cast<int64_t>(buckets.size())});
        }
        Bucket &bucket = buckets[it->second];
        bucket.calls.push_back(call);
        bucket.bytes += *size;
        before = std::max(before, bucket.number);
      }
      for (Value result : op.getResults())
        newest[result] = before;
    }
  }

  /// Replaces the calls of a bucket by one call at the place of the last one.
  static void combine(const Bucket &bucket) {
    tx::CustomCallOp last = bucket.calls.back();
    OpBuilder b(last);
    Type element = getElementTypeOrSelf(last->getOperand(0));
    SmallVector<Value> parts;
    SmallVector<int64_t> offsets;
    SmallVector<Location> locations;
    int64_t count = 0;
    auto flat = [&](int64_t size) { return tx::tensorType({size}, element); };
    auto append = [&](Value part) {
      parts.push_back(part);
      count += cast<RankedTensorType>(part.getType()).getNumElements();
    };
    for (tx::CustomCallOp call : bucket.calls) {
      Value x = call->getOperand(0);
      auto type = cast<RankedTensorType>(x.getType());
      locations.push_back(call.getLoc());
      offsets.push_back(count);
      append(tx::ReshapeOp::create(b, call.getLoc(),
                                   flat(type.getNumElements()), x));
      int64_t width = *tx::staticBytes(type) / type.getNumElements();
      int64_t rest = *tx::staticBytes(type) % arenaAlignment;
      if (!rest || call == last)
        continue;
      RankedTensorType zeros = flat((arenaAlignment - rest) / width);
      append(tx::ConstantOp::create(b, call.getLoc(), zeros,
                                    cast<ElementsAttr>(b.getZeroAttr(zeros))));
    }
    Location loc = FusedLoc::get(b.getContext(), locations);
    auto whole =
        tx::ConcatenateOp::create(b, loc, flat(count), parts, /*dim=*/0);
    whole->setAttr(splitAttr, b.getUnitAttr());
    auto sum = tx::CustomCallOp::create(b, loc, flat(count), last.getNameAttr(),
                                        ValueRange{whole}, last.getConfigAttr(),
                                        StringAttr());
    auto numbers = llvm::map_to_vector(bucket.calls, numbersOf);
    sum.setConfig(last.getConfig()->rsplit(callsWord).first);
    setNumbers(sum, llvm::join(numbers, ","));
    sum->setDiscardableAttrs(last->getDiscardableAttrDictionary());
    sum->setAttr(bucketAttr, b.getI64IntegerAttr(
                                 static_cast<int64_t>(bucket.calls.size())));
    for (size_t i = 0; i < offsets.size(); ++i) {
      tx::CustomCallOp call = bucket.calls[i];
      auto type = cast<RankedTensorType>(call->getResult(0).getType());
      auto slice = tx::SliceOp::create(
          b, call.getLoc(), flat(type.getNumElements()), sum->getResult(0),
          ValueRange(), b.getDenseI64ArrayAttr(offsets[i]),
          b.getDenseI64ArrayAttr(1));
      slice->setAttr(splitAttr, b.getUnitAttr());
      Value part = tx::ReshapeOp::create(b, call.getLoc(), type, slice);
      call->getResult(0).replaceAllUsesWith(part);
    }
    for (tx::CustomCallOp call : bucket.calls)
      call.erase();
  }
};
} // namespace

} // namespace tensorc::compiler
