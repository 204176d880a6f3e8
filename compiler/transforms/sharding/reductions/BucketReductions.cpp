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
// that kernels rely on, after zeros. The config lists the parts: if another rank
// makes the calls one by one, because its program returns a sum, for example,
// the runtime does so, too.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/TensorProgram.h"
#include "compiler/transforms/passes/memory/ArenaPacking.h"
#include "compiler/transforms/sharding/Passes.h"
#include "compiler/transforms/sharding/reductions/Reductions.h"
#include "ir/tx/Dims.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_BUCKETREDUCTIONSPASS
#include "compiler/transforms/sharding/Passes.h.inc"

using namespace sharding;

namespace {
/// Calls of all_reduce with no other collective between them.
struct Bucket {
  SmallVector<tx::CustomCallOp> calls;
  int64_t bytes = 0;

  /// True if the call has the same config and type, and there is room for it.
  bool takes(tx::CustomCallOp call, int64_t more, int64_t maxBytes) const {
    tx::CustomCallOp last = calls.back();
    return bytes + more <= maxBytes &&
           last.getConfigAttr() == call.getConfigAttr() &&
           getElementTypeOrSelf(last->getOperand(0)) ==
               getElementTypeOrSelf(call->getOperand(0));
  }
};
} // namespace

/// The word of a config before the parts that are operands of calls of their own
/// (runtime/program/calls/CollectiveCalls.cpp).
static constexpr StringLiteral partsWord = " parts=";

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
    // The runtime reads the parts as 32-bit numbers.
    bytes = std::min<int64_t>(bytes, INT32_MAX);
    Block &block = function.getBody().front();
    collect(block);
    for (const Bucket &bucket : buckets)
      if (bucket.calls.size() > 1)
        combine(bucket);
  }

private:
  std::vector<Bucket> buckets;

  /// Finds the buckets. Another collective ends a bucket: the order of the calls
  /// stays as it is, because other ranks may make them one by one.
  void collect(Block &block) {
    buckets.clear();
    bool isOpen = false;
    DenseSet<Value> ofBucket; // values that depend on sums of the last bucket
    DenseSet<Value> stored;
    for (Operation &op : block.without_terminator()) {
      bool isDependent = false;
      forEachOperand(&op, [&](Value operand) {
        isDependent = isDependent || ofBucket.contains(operand);
      });
      std::optional<int64_t> size = bytesInBucket(&op);
      if (size && *size <= bytes &&
          stored.insert(viewed(op.getOperand(0))).second) {
        auto call = cast<tx::CustomCallOp>(op);
        if (!isOpen || isDependent ||
            !buckets.back().takes(call, *size, bytes)) {
          buckets.emplace_back();
          ofBucket.clear();
        }
        buckets.back().calls.push_back(call);
        buckets.back().bytes += *size;
        isOpen = isDependent = true;
      } else if (communicates(&op)) {
        isOpen = false;
      }
      if (isDependent)
        ofBucket.insert_range(op.getResults());
    }
  }

  /// Moves the ops from `begin` on that depend on the sums of a bucket behind
  /// the last of the ops that define the sums.
  static void deferUsers(Operation *begin, ArrayRef<Operation *> sums) {
    DenseSet<Operation *> dependent(sums.begin(), sums.end());
    Operation *last = sums.back();
    for (Operation *op = begin; op != sums.back();) {
      Operation *next = op->getNextNode();
      bool needsSum = false;
      forEachOperand(op, [&](Value operand) {
        Operation *by = operand.getDefiningOp();
        needsSum = needsSum || (by && dependent.contains(by));
      });
      if (needsSum) {
        op->moveAfter(last);
        dependent.insert(last = op);
      }
      op = next;
    }
  }

  /// Replaces the calls of a bucket by one call at the place of the last one.
  static void combine(const Bucket &bucket) {
    tx::CustomCallOp last = bucket.calls.back();
    OpBuilder b(last);
    Type element = getElementTypeOrSelf(last->getOperand(0));
    SmallVector<Value> parts;
    SmallVector<int64_t> offsets;
    SmallVector<std::string> words;
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
      words.push_back(
          (Twine(count) + "," + Twine(type.getNumElements())).str());
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
    sum.setConfig(
        (*last.getConfig() + partsWord + llvm::join(words, ",")).str());
    sum->setDiscardableAttrs(last->getDiscardableAttrDictionary());
    sum->setAttr(bucketAttr, b.getI64IntegerAttr(
                                 static_cast<int64_t>(bucket.calls.size())));
    SmallVector<Operation *> sums;
    for (size_t i = 0; i < offsets.size(); ++i) {
      tx::CustomCallOp call = bucket.calls[i];
      auto type = cast<RankedTensorType>(call->getResult(0).getType());
      auto slice = tx::SliceOp::create(
          b, call.getLoc(), flat(type.getNumElements()), sum->getResult(0),
          ValueRange(), b.getDenseI64ArrayAttr(offsets[i]),
          b.getDenseI64ArrayAttr(1));
      slice->setAttr(splitAttr, b.getUnitAttr());
      auto part = tx::ReshapeOp::create(b, call.getLoc(), type, slice);
      call->getResult(0).replaceAllUsesWith(part);
      sums.push_back(part);
    }
    tx::CustomCallOp first = bucket.calls.front();
    deferUsers(first, sums);
    for (tx::CustomCallOp call : bucket.calls)
      call.erase();
  }
};
} // namespace

} // namespace tensorc::compiler
