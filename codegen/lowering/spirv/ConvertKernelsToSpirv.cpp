//===- ConvertKernelsToSpirv.cpp - Kernels as a module of SPIR-V ----------===//
//
// gpu.module @kernels { gpu.func @k(%x: memref<?xf32>) kernel { ... } }
// ->
// spirv.module @kernels Physical64 OpenCL requires #spirv.vce<...> {
//   spirv.func @k(%x: i64) { ... }
//   spirv.EntryPoint "Kernel" @k, @__builtin__LocalInvocationId__
//   spirv.ExecutionMode @k "LocalSize", 256, 1, 1
//   spirv.ExecutionMode @k "ContractionOff"
// }
//
// The passes of this folder convert memory accesses, control flow and some math
// functions. Upstream's patterns convert the other ops of arith, math and
// vector.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/spirv/ToSpirv.h"

#include "mlir/Conversion/ArithToSPIRV/ArithToSPIRV.h"
#include "mlir/Conversion/MathToSPIRV/MathToSPIRV.h"
#include "mlir/Conversion/VectorToSPIRV/VectorToSPIRV.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_CONVERTKERNELSTOSPIRVPASS
#include "codegen/lowering/spirv/Passes.h.inc"

namespace {

using spirv::Capability;

/// Returns the environment that patterns may use. A module requires only the
/// capabilities that it actually uses.
spirv::TargetEnvAttr makeEnvironment(MLIRContext *context,
                                     SpirvFlavour flavour) {
  SmallVector<Capability> capabilities{Capability::Int8, Capability::Int16,
                                       Capability::Int64, Capability::Float64,
                                       Capability::Int64Atomics};
  if (flavour == SpirvFlavour::Kernel)
    llvm::append_values(capabilities, Capability::Kernel, Capability::Addresses,
                        Capability::Vector16);
  else
    llvm::append_values(capabilities, Capability::Shader,
                        Capability::PhysicalStorageBufferAddresses,
                        Capability::StorageBuffer8BitAccess,
                        Capability::StorageBuffer16BitAccess);
  auto triple = spirv::VerCapExtAttr::get(
      spirv::Version::V_1_5, capabilities,
      {spirv::Extension::SPV_KHR_physical_storage_buffer,
       spirv::Extension::SPV_KHR_8bit_storage,
       spirv::Extension::SPV_KHR_16bit_storage},
      context);
  return spirv::TargetEnvAttr::get(triple,
                                   spirv::getDefaultResourceLimits(context));
}

/// Returns the version, capabilities and extensions that the module's types
/// require. OpenCL 2.2 supports SPIR-V 1.2, and Vulkan 1.2 supports SPIR-V 1.5.
spirv::VerCapExtAttr collectRequirements(spirv::ModuleOp module,
                                         SpirvFlavour flavour) {
  llvm::SmallSetVector<Capability, 8> used;
  if (flavour == SpirvFlavour::Kernel) {
    used.insert(Capability::Kernel);
    used.insert(Capability::Addresses);
  } else {
    used.insert(Capability::Shader);
    used.insert(Capability::PhysicalStorageBufferAddresses);
    used.insert(Capability::SignedZeroInfNanPreserve);
  }
  used.insert(Capability::Int64);
  auto addScalar = [&](Type type) {
    type = getElementTypeOrSelf(type);
    if (auto pointer = dyn_cast<spirv::PointerType>(type))
      type = pointer.getPointeeType();
    if (auto array = dyn_cast<spirv::ArrayType>(type))
      type = array.getElementType();
    if (type.isInteger(8))
      used.insert(Capability::Int8);
    if (type.isInteger(16))
      used.insert(Capability::Int16);
    if (type.isF64())
      used.insert(Capability::Float64);
  };
  auto isAtomic = [](Operation *op) {
    return isa<spirv::AtomicIAddOp, spirv::AtomicAndOp, spirv::AtomicOrOp,
               spirv::AtomicXorOp, spirv::AtomicSMaxOp, spirv::AtomicUMaxOp,
               spirv::AtomicSMinOp, spirv::AtomicUMinOp,
               spirv::AtomicExchangeOp, spirv::AtomicCompareExchangeOp>(op);
  };
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      addScalar(type);
    if (isAtomic(op) && op->getResult(0).getType().isInteger(64))
      used.insert(Capability::Int64Atomics);
    if (auto global = dyn_cast<spirv::GlobalVariableOp>(op))
      addScalar(global.getType());
    if (auto load = dyn_cast<spirv::LoadOp>(op))
      addScalar(load.getType());
  });
  SmallVector<spirv::Extension> extensions;
  auto version = spirv::Version::V_1_2;
  if (flavour == SpirvFlavour::Shader) {
    version = spirv::Version::V_1_5;
    if (used.contains(Capability::Int8))
      used.insert(Capability::StorageBuffer8BitAccess);
    if (used.contains(Capability::Int16))
      used.insert(Capability::StorageBuffer16BitAccess);
  }
  return spirv::VerCapExtAttr::get(version, used.getArrayRef(), extensions,
                                   module.getContext());
}

/// Returns the variables in an entry point's interface: only inputs up to
/// SPIR-V 1.3, and all variables in later versions.
SmallVector<Attribute> collectInterface(spirv::FuncOp function,
                                        SpirvFlavour flavour) {
  llvm::SmallSetVector<Attribute, 8> variables;
  function.walk([&](spirv::AddressOfOp op) {
    auto type = cast<spirv::PointerType>(op.getType());
    if (flavour == SpirvFlavour::Shader ||
        type.getStorageClass() == spirv::StorageClass::Input)
      variables.insert(op.getVariableAttr());
  });
  return variables.takeVector();
}

void addEntryPoint(OpBuilder &b, spirv::FuncOp function, int32_t threads,
                   SpirvFlavour flavour, bool hasDoubles) {
  Location loc = function.getLoc();
  bool isKernel = flavour == SpirvFlavour::Kernel;
  spirv::EntryPointOp::create(b, loc,
                              isKernel ? spirv::ExecutionModel::Kernel
                                       : spirv::ExecutionModel::GLCompute,
                              function, collectInterface(function, flavour));
  spirv::ExecutionModeOp::create(
      b, loc, function, spirv::ExecutionMode::LocalSize, {threads, 1, 1});
  auto addMode = [&](spirv::ExecutionMode mode, ArrayRef<int32_t> params = {}) {
    spirv::ExecutionModeOp::create(b, loc, function, mode, params);
  };
  if (isKernel)
    return addMode(spirv::ExecutionMode::ContractionOff);
  addMode(spirv::ExecutionMode::SignedZeroInfNanPreserve, {32});
  if (hasDoubles)
    addMode(spirv::ExecutionMode::SignedZeroInfNanPreserve, {64});
}

LogicalResult convertOps(spirv::ModuleOp module, spirv::TargetEnvAttr env,
                         SpirvFlavour flavour) {
  MLIRContext *context = module.getContext();
  SPIRVConversionOptions options;
  options.use64bitIndex = true;
  SPIRVTypeConverter converter(env, options);
  addMemoryConversion(converter);
  std::unique_ptr<ConversionTarget> target = SPIRVConversionTarget::get(env);
  target->addIllegalDialect<arith::ArithDialect, math::MathDialect,
                            vector::VectorDialect, memref::MemRefDialect,
                            gpu::GPUDialect>();
  target->addIllegalOp<UnrealizedConversionCastOp>();
  RewritePatternSet patterns(context);
  populateMemoryToSpirv(converter, flavour, patterns);
  populateMathToSpirv(converter, patterns);
  arith::populateArithToSPIRVPatterns(converter, patterns);
  populateMathToSPIRVPatterns(converter, patterns);
  populateVectorToSPIRVPatterns(converter, patterns);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       *target);
  ConversionConfig config;
  config.allowPatternRollback = true;
  return applyFullConversion(module, *target, std::move(patterns), config);
}

/// Reports an error on the first atomic that the target does not have.
LogicalResult refuseAtomics(gpu::GPUModuleOp kernels, bool hasInt64Atomics) {
  auto check = [&](Operation *op, Value memory) {
    auto type = cast<MemRefType>(memory.getType());
    Type element = type.getElementType();
    unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    if (bits < 32)
      return WalkResult(op->emitOpError("on elements of ")
                        << element
                        << " is not supported, only on 32 and 64 bits");
    if (bits == 64 && !hasInt64Atomics)
      return WalkResult(op->emitOpError("on elements of ")
                        << element
                        << " needs 64-bit atomics, which the target does not "
                           "have");
    if (type.getMemorySpace() && !element.isInteger())
      return WalkResult(op->emitOpError("on ")
                        << element
                        << " in workgroup memory is not supported, only on "
                           "integers");
    return WalkResult::advance();
  };
  WalkResult result = kernels.walk([&](Operation *op) {
    if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
      return check(op, atomic.getMemref());
    if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op))
      return check(op, atomic.getMemref());
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Moves the functions that kernels call. They have scalars only, which have
/// the same types in SPIR-V.
void moveHelpers(OpBuilder &b, gpu::GPUModuleOp kernels) {
  for (auto helper :
       llvm::make_early_inc_range(kernels.getOps<func::FuncOp>())) {
    auto function = spirv::FuncOp::create(b, helper.getLoc(), helper.getName(),
                                          helper.getFunctionType());
    function.getBody().takeBody(helper.getBody());
    auto end = cast<func::ReturnOp>(function.getBody().front().getTerminator());
    OpBuilder inside(end);
    spirv::ReturnValueOp::create(inside, end.getLoc(), end.getOperand(0));
    end.erase();
  }
  kernels.walk([](func::CallOp call) {
    OpBuilder inside(call);
    auto called = spirv::FunctionCallOp::create(
        inside, call.getLoc(), call.getResult(0).getType(),
        call.getCalleeAttr(), call.getOperands());
    call.replaceAllUsesWith(called);
    call.erase();
  });
}

LogicalResult convertKernels(gpu::GPUModuleOp kernels, SpirvFlavour flavour,
                             bool hasDoubles) {
  bool isKernel = flavour == SpirvFlavour::Kernel;
  spirv::TargetEnvAttr env = makeEnvironment(kernels.getContext(), flavour);
  OpBuilder b(kernels);
  auto module = spirv::ModuleOp::create(
      b, kernels.getLoc(),
      isKernel ? spirv::AddressingModel::Physical64
               : spirv::AddressingModel::PhysicalStorageBuffer64,
      isKernel ? spirv::MemoryModel::OpenCL : spirv::MemoryModel::GLSL450,
      std::nullopt, kernels.getName());
  module->setAttr(spirv::getTargetEnvAttrName(), env);
  b.setInsertionPointToEnd(module.getBody());
  moveHelpers(b, kernels);
  SmallVector<std::pair<MovedKernel, int32_t>> moved;
  for (auto kernel :
       llvm::make_early_inc_range(kernels.getOps<gpu::GPUFuncOp>())) {
    if (failed(prepareKernel(kernel)))
      return failure();
    int32_t threads = (*kernel.getKnownBlockSize())[0];
    moved.push_back({moveToFunction(b, kernel, flavour), threads});
  }
  kernels.erase();
  if (failed(convertOps(module, env, flavour)))
    return failure();
  b.setInsertionPointToEnd(module.getBody());
  for (auto [kernel, threads] : moved) {
    spirv::FuncOp function = kernel.function;
    structureControl(kernel);
    if (!isKernel)
      keepFloats(function, hasDoubles);
    addEntryPoint(b, function, threads, flavour, hasDoubles);
  }
  module->removeAttr(spirv::getTargetEnvAttrName());
  module.setVceTripleAttr(collectRequirements(module, flavour));
  return success();
}

struct ConvertKernelsToSpirv
    : impl::ConvertKernelsToSpirvPassBase<ConvertKernelsToSpirv> {
  using ConvertKernelsToSpirvPassBase::ConvertKernelsToSpirvPassBase;

  void runOnOperation() override {
    for (auto kernels :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (failed(refuseAtomics(kernels, hasInt64Atomics)) ||
          failed(convertKernels(kernels, flavour, hasDoubles)))
        return signalPassFailure();
  }
};

} // namespace
} // namespace tensorc::codegen
