//===- LoopOverImages.cpp - Splits convolutions of a batch into a loop ----===//
//
// If the values of a batch are larger than the caches, each kernel reads from
// memory what the previous one has written. So
//   %1 = tx.conv %x, %w : (8x3x128x128, ...) -> 8x32x128x128
//   %2 = tx.relu %1
//   %3 = tx.conv %2, %v
// becomes
//   %p = tx.reshape %x : 8x3x128x128 -> 8x1x3x128x128
//   %r = tx.scan <[8]> (%p, %w, %v) {
//          %1 = tx.conv : (1x3x128x128, ...) -> 1x32x128x128 ... }
//   %3 = tx.reshape %r : 8x1x... -> 8x...
// for the ops whose values are that large. For the ops after them more images
// fill lanes better, and weights are read once for all images.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/TargetOf.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"
#include "ir/tx/Control.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_LOOPOVERIMAGESPASS
#include "compiler/transforms/passes/Passes.h.inc"

namespace {

using builder::dimsOf;
using builder::TensorBuilder;
using shape::Dim;

/// Minimum size in bytes of a value for looping over images. Two smaller values
/// and the weights between them fit into a core's share of the last-level
/// cache.
constexpr int64_t minBytes = 4 << 20;
/// Minimum number of convolutions in the loop. A single convolution does not
/// pass a value to another one through the cache.
constexpr unsigned minConvolutions = 2;
/// Maximum number of results of the loop. If there are more, most values are
/// stored for later ops anyway.
constexpr size_t maxResults = 4;

bool isNumber(Value v) {
  auto constant = v.getDefiningOp<tx::ConstantOp>();
  return constant && constant.getResult().getType().getNumElements() == 1;
}

bool isConvolution(Operation *op) {
  return isa<tx::ConvOp, tx::ConvTransposeOp>(op);
}

class Images {
public:
  explicit Images(Block &block) : block(block) {}

  /// Finds the ops that compute on images. Returns false if a loop over them
  /// does not pay off.
  bool find();
  void makeLoop();

private:
  Block &block;
  int64_t batch = 0, perStep = 0;
  SmallVector<Operation *> ops;
  /// `images`: the results of `ops`. `later`: other values that depend on
  /// results of `ops`.
  DenseSet<Value> images, later;
  DenseSet<Operation *> inside;
  /// Inputs of the loop: batches that are sliced per step, and values that all
  /// steps share.
  SetVector<Value> parts, common;
  IRMapping mapOfParts, mapping;

  bool isBatch(Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    return type && type.hasStaticShape() && !type.getEncoding() &&
           type.getElementType().isIntOrFloat() && type.getRank() > 0 &&
           type.getDimSize(0) == batch;
  }
  int64_t bytesOfImage(Value v) {
    auto type = cast<RankedTensorType>(v.getType());
    return type.getNumElements() / batch *
           llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  }
  bool isAlike(Value v);
  bool isOfImage(Operation *op);
  bool isInside(Operation *op) { return op && inside.contains(op); }
  bool isInside(Value v) { return isInside(v.getDefiningOp()); }
  bool isMadeAgain(Operation *op, Value v);
  bool isPart(Operation *op, Value v);
  void collectInputs();
  Value operandOf(Operation *op, Value v, OpBuilder &b);
  void fillBody(Block &body, ArrayRef<Value> kept);
  SmallVector<Operation *> opsToMove();
  Type typeOfStep(Value v) {
    auto type = cast<RankedTensorType>(v.getType());
    SmallVector<int64_t> sizes(type.getShape());
    sizes[0] = perStep;
    return type.clone(sizes);
  }
  SmallVector<Value> results();
};

/// True if the value is the same for every image and any number of images.
bool Images::isAlike(Value v) {
  if (auto broadcast = v.getDefiningOp<tx::BroadcastOp>())
    return broadcast.getDims().empty() || broadcast.getDims().front() != 0;
  auto constant = v.getDefiningOp<tx::ConstantOp>();
  return constant && isa<SplatElementsAttr>(constant.getValue());
}

/// True if image i of the op's result depends only on image i of its operands.
bool Images::isOfImage(Operation *op) {
  if (op->getNumResults() != 1 || !isBatch(op->getResult(0)))
    return false;
  SmallVector<Value> read;
  auto takes = [&](Value v) {
    read.push_back(v);
    return isBatch(v) && !later.contains(v);
  };
  auto isScalar = [](Value v) {
    return cast<RankedTensorType>(v.getType()).getRank() == 0;
  };
  auto isFirst = [&](ArrayRef<int64_t> dims) {
    return llvm::is_contained(dims, 0);
  };
  bool is =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case<tx::ConvOp, tx::ConvTransposeOp>(
              [&](auto conv) { return takes(conv.getX()); })
          .Case<tx::MaxPoolOp, tx::AvgPoolOp, tx::MeanOp>([&](auto reduction) {
            return !isFirst(reduction.getDims()) && takes(reduction.getX());
          })
          .Case<tx::PadOp>([&](tx::PadOp pad) {
            return pad.getLow()[0] == 0 && pad.getHigh()[0] == 0 &&
                   pad.getInterior()[0] == 0 && takes(pad.getX());
          })
          .Case<tx::BroadcastOp>([&](tx::BroadcastOp broadcast) {
            return isFirst(broadcast.getDims()) && takes(broadcast.getX());
          })
          .Case<tx::ReshapeOp>(
              [&](tx::ReshapeOp reshape) { return takes(reshape.getX()); })
          .Case<tx::ConcatenateOp>([&](tx::ConcatenateOp joined) {
            return joined.getDim() != 0 &&
                   llvm::all_of(joined.getInputs(), takes);
          })
          .Default([&](Operation *op) {
            bool isElementwise =
                op->hasTrait<tx::Elementwise>() ||
                isa<tx::ReluOp, tx::SiluOp, tx::GeluOp, tx::EluOp,
                    tx::LeakyReluOp, tx::SoftplusOp, tx::MishOp,
                    tx::HardswishOp, tx::SoftsignOp, tx::LogsigmoidOp,
                    tx::CeluOp>(op);
            return isElementwise &&
                   llvm::all_of(op->getOperands(), [&](Value v) {
                     return isScalar(v) || isAlike(v) || takes(v);
                   });
          });
  // The loop begins with a convolution of an external batch. Ops before the
  // first convolution are not part of the loop.
  bool follows =
      llvm::any_of(read, [&](Value v) { return images.contains(v); });
  if (!is || (!follows && !isConvolution(op)))
    return false;
  for (Value v : op->getOperands())
    if (!llvm::is_contained(read, v) &&
        (images.contains(v) || later.contains(v)))
      return false;
  return true;
}

/// Returns the values that are computed in the loop and used after it.
SmallVector<Value> Images::results() {
  DenseSet<Operation *> inside(ops.begin(), ops.end());
  SmallVector<Value> results;
  for (Operation *op : ops)
    if (llvm::any_of(op->getUsers(),
                     [&](Operation *user) { return !inside.contains(user); }))
      results.push_back(op->getResult(0));
  return results;
}

bool Images::find() {
  for (Operation &op : block) {
    if (batch == 0 && isConvolution(&op)) {
      auto type = cast<RankedTensorType>(op.getOperand(0).getType());
      batch = type.getDimSize(0);
      if (ShapedType::isDynamic(batch) || batch < 2)
        return false;
    }
    if (batch == 0)
      continue;
    if (isOfImage(&op)) {
      ops.push_back(&op);
      images.insert(op.getResult(0));
    } else if (llvm::any_of(op.getOperands(), [&](Value v) {
                 return images.contains(v) || later.contains(v);
               })) {
      later.insert(op.result_begin(), op.result_end());
    }
  }
  auto isLarge = [&](Operation *op) {
    return bytesOfImage(op->getResult(0)) * batch > minBytes;
  };
  while (!ops.empty() && !isLarge(ops.back()))
    ops.pop_back();
  if (llvm::count_if(ops, isConvolution) < minConvolutions ||
      results().size() > maxResults)
    return false;
  int64_t largest = 0;
  for (Operation *op : ops)
    largest = std::max(largest, bytesOfImage(op->getResult(0)));
  perStep = std::clamp<int64_t>(minBytes / largest, 1, batch);
  while (batch % perStep != 0)
    --perStep;
  return perStep < batch;
}

/// True for an operand that is recomputed in the loop.
bool Images::isMadeAgain(Operation *op, Value v) {
  return isBatch(v) && isAlike(v) && !isConvolution(op);
}

/// True for an external operand that is sliced per step.
bool Images::isPart(Operation *op, Value v) {
  return isBatch(v) && !isInside(v) &&
         (!isConvolution(op) || v == op->getOperand(0));
}

void Images::collectInputs() {
  auto read = [&](Value v) {
    if (!isInside(v) && !isNumber(v))
      common.insert(v);
  };
  for (Operation *op : ops)
    for (Value v : op->getOperands()) {
      if (!isMadeAgain(op, v)) {
        if (isPart(op, v))
          parts.insert(v);
        else
          read(v);
      } else if (auto broadcast = v.getDefiningOp<tx::BroadcastOp>()) {
        read(broadcast.getX());
      }
    }
}

/// Returns the value inside the loop that stands for an operand.
Value Images::operandOf(Operation *op, Value v, OpBuilder &b) {
  IRMapping &map = isPart(op, v) ? mapOfParts : mapping;
  if (Value known = map.lookupOrNull(v))
    return known;
  Operation *from = v.getDefiningOp();
  Value made;
  if (!isMadeAgain(op, v)) {
    made = b.clone(*from)->getResult(0);
  } else if (auto broadcast = dyn_cast<tx::BroadcastOp>(from)) {
    made = tx::BroadcastOp::create(b, v.getLoc(), typeOfStep(v),
                                   operandOf(from, broadcast.getX(), b),
                                   broadcast.getDimsAttr());
  } else {
    auto elements =
        cast<SplatElementsAttr>(cast<tx::ConstantOp>(from).getValue());
    made = tx::ConstantOp::create(
        b, v.getLoc(), typeOfStep(v),
        elements.resizeSplat(cast<ShapedType>(typeOfStep(v))));
  }
  map.map(v, made);
  return made;
}

void Images::fillBody(Block &body, ArrayRef<Value> kept) {
  OpBuilder b(ops.back()->getContext());
  b.setInsertionPointToEnd(&body);
  for (Operation *op : ops) {
    SmallVector<Value> operands;
    for (Value v : op->getOperands())
      operands.push_back(operandOf(op, v, b));
    Operation *step = b.clone(*op);
    step->setOperands(operands);
    step->getResult(0).setType(typeOfStep(op->getResult(0)));
    mapping.map(op->getResult(0), step->getResult(0));
  }
  SmallVector<Value> returned;
  for (Value v : kept)
    returned.push_back(mapping.lookup(v));
  tx::ReturnOp::create(b, ops.back()->getLoc(), returned);
}

/// Returns the ops that precede the last op of the loop and read results of the
/// loop. They are moved after the loop.
SmallVector<Operation *> Images::opsToMove() {
  SmallVector<Operation *> moved;
  DenseSet<Operation *> depends(ops.begin(), ops.end());
  for (Operation &op : block) {
    if (&op == ops.back())
      break;
    if (isInside(&op) || llvm::none_of(op.getOperands(), [&](Value v) {
          return v.getDefiningOp() && depends.contains(v.getDefiningOp());
        }))
      continue;
    depends.insert(&op);
    moved.push_back(&op);
  }
  return moved;
}

void Images::makeLoop() {
  inside.insert(ops.begin(), ops.end());
  collectInputs();
  SmallVector<Value> kept = results();
  SmallVector<Operation *> moved = opsToMove();
  Operation *last = ops.back();
  Location loc = last->getLoc();
  OpBuilder b(last->getContext());
  b.setInsertionPointAfter(last);
  TensorBuilder e(b, last);
  Dim steps(batch / perStep);
  auto stacked = [&](Value v) {
    SmallVector<Dim> dims{steps, Dim(perStep)};
    llvm::append_range(dims, ArrayRef(dimsOf(v)).drop_front());
    return dims;
  };
  auto body = std::make_unique<Block>();
  body->addArgument(RankedTensorType::get({}, b.getI64Type()), loc);
  SmallVector<Value> inputs;
  for (Value v : parts) {
    inputs.push_back(e.reshape(v, stacked(v)));
    mapOfParts.map(v, body->addArgument(typeOfStep(v), v.getLoc()));
  }
  for (Value v : common) {
    inputs.push_back(v);
    mapping.map(v, body->addArgument(v.getType(), v.getLoc()));
  }
  SmallVector<Type> types;
  for (Value v : kept)
    types.push_back(
        tx::tensorType(stacked(v), getElementTypeOrSelf(v.getType())));
  fillBody(*body, kept);
  auto scan = tx::ScanOp::create(
      b, loc, types, tx::DimsAttr::get(b.getContext(), ArrayRef<Dim>(steps)),
      b.getI64IntegerAttr(0), b.getI64IntegerAttr(parts.size()), inputs,
      UnitAttr());
  scan.getBody().push_back(body.release());
  Operation *position = scan;
  for (auto [v, result] : llvm::zip_equal(kept, scan.getResults())) {
    Value whole = e.reshape(result, dimsOf(v));
    v.replaceAllUsesWith(whole);
    position = whole.getDefiningOp();
  }
  for (Operation *op : moved) {
    op->moveAfter(position);
    position = op;
  }
  for (Operation *op : llvm::reverse(ops))
    op->erase();
}

struct LoopOverImages : impl::LoopOverImagesPassBase<LoopOverImages> {
  void runOnOperation() override {
    auto target = targetOf(getOperation());
    func::FuncOp function = getOperation();
    if (!target || target->isSimt() || function.isExternal())
      return;
    Images images(function.getBody().front());
    if (images.find())
      images.makeLoop();
  }
};
} // namespace

} // namespace tensorc::compiler
