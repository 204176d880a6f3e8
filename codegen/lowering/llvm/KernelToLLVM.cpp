//===- KernelToLLVM.cpp - Lower kernels to the llvm dialect ---------------===//

#include "codegen/lowering/llvm/KernelToLLVM.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

/// Lowers vector.fma to llvm.intr.fma. Upstream's pattern creates
/// llvm.intr.fmuladd, which is not fused if contraction is off.
struct FmaLowering : ConvertOpToLLVMPattern<vector::FMAOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(vector::FMAOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getVectorType().getRank() > 1)
      return rewriter.notifyMatchFailure(op, "flat vectors only");
    rewriter.replaceOpWithNewOp<LLVM::FMAOp>(
        op, adaptor.getLhs(), adaptor.getRhs(), adaptor.getAcc());
    return success();
  }
};

} // namespace

LogicalResult verifyNoBufferArguments(ModuleOp module) {
  WalkResult result = module.walk([](func::FuncOp function) {
    FunctionType type = function.getFunctionType();
    for (TypeRange types : {type.getInputs(), type.getResults()})
      if (llvm::any_of(types, llvm::IsaPred<BaseMemRefType>)) {
        function.emitError("takes or returns a buffer and is not a kernel");
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void populateKernelToLLVM(LLVMTypeConverter &converter,
                          RewritePatternSet &patterns) {
  patterns.add<FmaLowering>(converter, /*benefit=*/10);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateSCFToControlFlowConversionPatterns(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  populateMemRefToLLVM(converter, patterns);
  populateVectorMemoryToLLVM(converter, patterns);
}

LogicalResult convertToLLVM(Operation *module, RewritePatternSet patterns,
                            ArrayRef<StringRef> dialects) {
  LLVMConversionTarget target(*module->getContext());
  target.addLegalOp<ModuleOp, gpu::GPUModuleOp, UnrealizedConversionCastOp>();
  for (StringRef dialect : dialects)
    target.addLegalDialect(dialect);
  if (failed(applyFullConversion(module, target, std::move(patterns))))
    return failure();
  SmallVector<UnrealizedConversionCastOp> casts;
  module->walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  reconcileUnrealizedCasts(casts);
  return success();
}

} // namespace tensorc::codegen
