//===- AmxToLLVM.cpp - Lower ops on tile registers to intrinsics ----------===//
//
// txk.amx.load 4, %x[%i] stride %s : memref<?xi32>
// ->
// %p = llvm.getelementptr %x[%i]
// llvm.call_intrinsic "llvm.x86.tileloadd64"(4, %p, %s)
//
// These intrinsics name tile registers, so that LLVM neither allocates nor
// spills them, and inserts no configuration of its own.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernel/ops/Amx.h"
#include "codegen/lowering/llvm/LowerBy.h"
#include "codegen/lowering/llvm/MemoryToLLVM.h"
#include "codegen/targets/cpu/Passes.h"

using namespace mlir;

namespace tensorc::codegen {

using Rewriter = ConversionPatternRewriter;

static Value tileNumber(OpBuilder &b, Location loc, uint64_t tile) {
  return LLVM::ConstantOp::create(b, loc, b.getI8IntegerAttr(tile));
}

static void call(OpBuilder &b, Location loc, const Twine &name,
                 ValueRange arguments) {
  LLVM::CallIntrinsicOp::create(b, loc, b.getStringAttr("llvm.x86." + name),
                                arguments);
}

/// Stores the configuration: a byte for the format, then from byte 16 on the
/// bytes of each register's row in 16 bits, and from byte 48 on its rows.
static void lowerConfigure(txk::AmxConfigureOp op,
                           txk::AmxConfigureOp::Adaptor adaptor, Rewriter &b) {
  constexpr int64_t size = 64, rowBytes = 16, rows = 48;
  SmallVector<int8_t> bytes(size, 0);
  bytes[0] = 1;
  for (int64_t i = 0; i < txk::AmxTile::count; ++i) {
    bytes[rowBytes + 2 * i] = 4 * txk::AmxTile::side;
    bytes[rows + i] = txk::AmxTile::side;
  }
  auto type = VectorType::get({size}, b.getI8Type());
  Value content = LLVM::ConstantOp::create(
      b, op.getLoc(), DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
  LLVM::StoreOp::create(b, op.getLoc(), content, adaptor.getMemory(),
                        /*alignment=*/64);
  call(b, op.getLoc(), "ldtilecfg", adaptor.getMemory());
}

static void lowerRelease(txk::AmxReleaseOp op, txk::AmxReleaseOp::Adaptor,
                         Rewriter &b) {
  call(b, op.getLoc(), "tilerelease", {});
}

static void lowerZero(txk::AmxZeroOp op, txk::AmxZeroOp::Adaptor, Rewriter &b) {
  call(b, op.getLoc(), "tilezero", tileNumber(b, op.getLoc(), op.getTile()));
}

template <typename Op>
static void lowerMemory(Op op, typename Op::Adaptor adaptor, Rewriter &b,
                        StringRef name) {
  Value pointer = getElementPointer(b, op.getLoc(),
                                    cast<MemRefType>(op.getMemory().getType()),
                                    adaptor.getMemory(), adaptor.getIndex());
  call(
      b, op.getLoc(), name,
      {tileNumber(b, op.getLoc(), op.getTile()), pointer, adaptor.getStride()});
}

static void lowerLoad(txk::AmxLoadOp op, txk::AmxLoadOp::Adaptor adaptor,
                      Rewriter &b) {
  lowerMemory(op, adaptor, b, op.getOnce() ? "tileloaddt164" : "tileloadd64");
}

static void lowerStore(txk::AmxStoreOp op, txk::AmxStoreOp::Adaptor adaptor,
                       Rewriter &b) {
  lowerMemory(op, adaptor, b, "tilestored64");
}

static void lowerDot(txk::AmxDotOp op, txk::AmxDotOp::Adaptor, Rewriter &b) {
  std::string name = "tdpbf16ps";
  if (op.getElement().isInteger(8)) {
    name = "tdpb";
    name += op.getXUnsigned() ? 'u' : 's';
    name += op.getYUnsigned() ? 'u' : 's';
    name += 'd';
  }
  SmallVector<Value> tiles;
  for (uint64_t tile : {op.getSum(), op.getX(), op.getY()})
    tiles.push_back(tileNumber(b, op.getLoc(), tile));
  call(b, op.getLoc(), name, tiles);
}

void populateAmxToLLVM(const LLVMTypeConverter &converter,
                       RewritePatternSet &patterns) {
  patterns
      .add<LowerBy<lowerConfigure>, LowerBy<lowerRelease>, LowerBy<lowerZero>,
           LowerBy<lowerLoad>, LowerBy<lowerStore>, LowerBy<lowerDot>>(
          converter);
}

} // namespace tensorc::codegen
