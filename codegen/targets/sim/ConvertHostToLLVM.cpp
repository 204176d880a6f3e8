//===- ConvertHostToLLVM.cpp - Lower simulated kernels to LLVM ------------===//

#include "codegen/kernel/ops/Txk.h"
#include "codegen/lowering/llvm/KernelToLLVM.h"
#include "codegen/targets/sim/Passes.h"
#include "codegen/targets/sim/TilesToHost.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_CONVERTHOSTTOLLVMPASS
#include "codegen/targets/sim/Passes.h.inc"

namespace {
struct ConvertHostToLLVM : impl::ConvertHostToLLVMPassBase<ConvertHostToLLVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyNoBufferArguments(module)))
      return signalPassFailure();
    LowerToLLVMOptions options(&getContext());
    LLVMTypeConverter converter(&getContext(), options);
    addBarePointerConversion(converter, MemorySpaces());
    converter.addConversion([](txk::TensorMapType type) -> Type {
      return LLVM::LLVMPointerType::get(type.getContext());
    });
    RewritePatternSet patterns(&getContext());
    populateKernelToLLVM(converter, patterns);
    populateTilesToHost(converter, patterns);
    populateHopperToHost(converter, patterns);
    if (failed(convertToLLVM(module, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
} // namespace tensorc::codegen
