//===- ConvertKernelsToNVVM.cpp - Lower GPU kernels to llvm and nvvm ------===//
//
// gpu.func @k(%x: memref<?xf32>) kernel { %t = gpu.thread_id x ... }
// ->
// llvm.func @k(%x: !llvm.ptr<1>) attributes {nvvm.kernel,
//                                  nvvm.reqntid = array<i32: 256, 1, 1>} {
//   %t = nvvm.read.ptx.sreg.tid.x : i32
//   ...
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/llvm/KernelToLLVM.h"
#include "codegen/lowering/llvm/LowerBy.h"
#include "codegen/targets/nvptx/Passes.h"
#include "codegen/targets/nvptx/TilesToNVVM.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_CONVERTKERNELSTONVVMPASS
#include "codegen/targets/nvptx/Passes.h.inc"

namespace {

NVVM::ShflKind getKind(gpu::ShuffleMode mode) {
  switch (mode) {
  case gpu::ShuffleMode::XOR:
    return NVVM::ShflKind::bfly;
  case gpu::ShuffleMode::UP:
    return NVVM::ShflKind::up;
  case gpu::ShuffleMode::DOWN:
    return NVVM::ShflKind::down;
  case gpu::ShuffleMode::IDX:
    return NVVM::ShflKind::idx;
  }
  llvm_unreachable("all modes are listed");
}

/// Lowers shuffles of all threads of a warp. The low bits of the clamp operand
/// are the last lane that may be read, and the bits from 8 on are the segment
/// mask.
struct ShuffleLowering : ConvertOpToLLVMPattern<gpu::ShuffleOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(gpu::ShuffleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getValue().getType().isInteger(32))
      return rewriter.notifyMatchFailure(op, "run txk-expand-shuffles first");
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    auto constant = [&](int32_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, i32, value);
    };
    Value all = constant(-1), warp = constant(32);
    Value segments =
        LLVM::SubOp::create(rewriter, loc, warp, adaptor.getWidth());
    Value clamp = LLVM::ShlOp::create(rewriter, loc, segments, constant(8));
    if (op.getMode() != gpu::ShuffleMode::UP)
      clamp = LLVM::OrOp::create(rewriter, loc, clamp, constant(31));
    Type both = LLVM::LLVMStructType::getLiteral(rewriter.getContext(),
                                                 {i32, rewriter.getI1Type()});
    Value result = NVVM::ShflOp::create(
        rewriter, loc, both, all, adaptor.getValue(), adaptor.getOffset(),
        clamp, getKind(op.getMode()), rewriter.getUnitAttr());
    rewriter.replaceOp(
        op,
        {LLVM::ExtractValueOp::create(rewriter, loc, result, 0).getResult(),
         LLVM::ExtractValueOp::create(rewriter, loc, result, 1).getResult()});
    return success();
  }
};

/// True if a loop carries so many accumulators that ptxas might spill some of
/// them to fit another block. For large blocks the threshold is higher, because
/// two of them leave few registers per thread.
bool carriesAccumulators(LLVM::LLVMFuncOp kernel) {
  auto threads = kernel->getAttrOfType<DenseI32ArrayAttr>(
      NVVM::NVVMDialect::getReqntidAttrName());
  const int64_t enough = threads && threads[0] <= 256 ? 4 : 8;
  bool has = false;
  kernel.walk([&](Block *block) {
    int64_t carried = 0;
    for (Type type : block->getArgumentTypes())
      if (auto vector = dyn_cast<VectorType>(type))
        carried += vector.getNumElements();
      else
        carried += isa<FloatType, IntegerType>(type);
    has |= carried >= enough && !block->isEntryBlock();
  });
  return has;
}

/// True if the kernel uses mma, or wgmma (as inline assembly).
bool multipliesTiles(LLVM::LLVMFuncOp kernel) {
  return kernel
      .walk([](Operation *op) {
        auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
        bool isGroups =
            assembly && assembly.getAsmString().contains("wgmma.mma_async");
        return isGroups || isa<NVVM::MmaOp, NVVM::LdMatrixOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns the minimum number of blocks per multiprocessor, or nullopt for no
/// limit. Without it, ptxas spills accumulators to fit another block, although
/// tiles fill the registers by design.
std::optional<int32_t> minBlocks(LLVM::LLVMFuncOp kernel) {
  if (multipliesTiles(kernel))
    return 1;
  return carriesAccumulators(kernel) ? std::optional(2) : std::nullopt;
}

struct ConvertKernelsToNVVM
    : impl::ConvertKernelsToNVVMPassBase<ConvertKernelsToNVVM> {
  void runOnOperation() override {
    SimtLowering lowering;
    lowering.spaces = {llvm::NVPTXAS::ADDRESS_SPACE_GLOBAL,
                       llvm::NVPTXAS::ADDRESS_SPACE_SHARED,
                       llvm::NVPTXAS::ADDRESS_SPACE_GENERIC,
                       llvm::NVPTXAS::ADDRESS_SPACE_CONST};
    lowering.dialects = {"nvvm"};
    lowering.deviceScope = "device";
    lowering.markKernel = [](LLVM::LLVMFuncOp kernel, int32_t threads) {
      Builder b(kernel.getContext());
      kernel->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                      b.getUnitAttr());
      kernel->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                      b.getDenseI32ArrayAttr({threads, 1, 1}));
    };
    // Tensor maps are kernel parameters in constant memory, where copies can
    // read them.
    lowering.markTensorMap = [](NamedAttrList &attributes, OpBuilder &b) {
      constexpr int64_t bytes = 128, alignment = 64;
      attributes.set("llvm.byval", TypeAttr::get(LLVM::LLVMArrayType::get(
                                       b.getI8Type(), bytes)));
      attributes.set("llvm.align", b.getI64IntegerAttr(alignment));
      attributes.set(NVVM::NVVMDialect::getGridConstantAttrName(),
                     b.getUnitAttr());
    };
    lowering.populate = [](LLVMTypeConverter &converter,
                           RewritePatternSet &patterns) {
      patterns.add<LowerBy<lowerToRegister<gpu::ThreadIdOp, NVVM::ThreadIdXOp>>,
                   LowerBy<lowerToRegister<gpu::BlockIdOp, NVVM::BlockIdXOp>>,
                   LowerBy<lowerToOther<gpu::BarrierOp, NVVM::Barrier0Op>>,
                   ShuffleLowering>(converter);
      populateTilesToNVVM(converter, patterns);
      populateHopperToNVVM(converter, patterns);
    };
    if (failed(convertSimtKernels(getOperation(), lowering)))
      return signalPassFailure();
    Builder b(&getContext());
    for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (std::optional<int32_t> blocks = minBlocks(kernel))
        kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        b.getI32IntegerAttr(*blocks));
  }
};

} // namespace
} // namespace tensorc::codegen
