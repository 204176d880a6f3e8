//===- ConvertKernelsToLLVM.cpp - Lower CPU kernels to LLVM functions -----===//
//
// func.func @k(%x: memref<?xf32>, %a: f32, %begin: index, %end: index,
//              %scratch: memref<?xi8>) attributes {txk.kernel} { ... }
// ->
// llvm.func @k(%args: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) {
//   %x = llvm.load %args : !llvm.ptr                  // word 0
//   %a = llvm.load %args[1] : f32                     // low bytes of word 1
//   ...
//
// Functions without txk.kernel are internal helpers.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/llvm/KernelToLLVM.h"
#include "codegen/native/AliasScopes.h"
#include "codegen/targets/cpu/Passes.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_CONVERTKERNELSTOLLVMPASS
#include "codegen/targets/cpu/Passes.h.inc"

namespace {

constexpr unsigned kTrailingArgs = 3; // begin, end, scratch

/// Replaces the arguments of a kernel by the four that the runtime passes:
/// `args`, `begin`, `end`, `scratch`.
class KernelSignature {
public:
  KernelSignature(func::FuncOp kernel)
      : kernel(kernel), b(OpBuilder::atBlockBegin(&kernel.front())),
        loc(kernel.getLoc()),
        pointer(LLVM::LLVMPointerType::get(b.getContext())) {}

  LogicalResult rewrite() {
    markNoAliasArguments();
    Block &entry = kernel.front();
    unsigned count = kernel.getNumArguments() - kTrailingArgs;
    SmallVector<Type> types{pointer, b.getI64Type(), b.getI64Type(), pointer};
    for (Type type : types)
      entry.addArgument(type, loc);
    Value words = entry.getArgument(count + kTrailingArgs);
    for (unsigned i = 0; i < count; ++i) {
      FailureOr<Value> value = unpack(words, i, entry.getArgument(i).getType());
      if (failed(value))
        return kernel.emitOpError("argument ")
               << i << " of type " << entry.getArgument(i).getType()
               << " does not fit a 64-bit word";
      entry.getArgument(i).replaceAllUsesWith(*value);
    }
    for (unsigned i = 0; i < kTrailingArgs; ++i) {
      BlockArgument old = entry.getArgument(count + i);
      Value now = entry.getArgument(count + kTrailingArgs + 1 + i);
      old.replaceAllUsesWith(cast(old.getType(), now));
    }
    entry.eraseArguments(0, count + kTrailingArgs);
    kernel.setFunctionType(b.getFunctionType(types, {}));
    kernel.removeArgAttrsAttr();
    // The runtime owns the argument words and the scratch memory, so no buffer
    // aliases them.
    kernel.setArgAttr(0, "llvm.noalias", b.getUnitAttr());
    kernel.setArgAttr(0, "llvm.readonly", b.getUnitAttr());
    kernel.setArgAttr(kTrailingArgs, "llvm.noalias", b.getUnitAttr());
    return success();
  }

private:
  Value cast(Type type, Value value) {
    if (type == value.getType())
      return value;
    return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
  }

  /// Lists the arguments with `llvm.noalias` in an attribute of the function
  /// (AliasScopes.h), because their pointers will be loaded from `args` instead.
  /// Other buffers may alias.
  void markNoAliasArguments() {
    std::string words;
    for (unsigned i = 0, n = kernel.getNumArguments(); i < n; ++i)
      if (kernel.getArgAttr(i, "llvm.noalias"))
        words += (words.empty() ? "" : ",") + std::to_string(i);
    if (words.empty())
      return;
    ArrayAttr pair = b.getStrArrayAttr({kNoAliasAttribute, words});
    kernel->setAttr("passthrough", b.getArrayAttr({pair}));
  }

  FailureOr<Value> unpack(Value words, unsigned index, Type type) {
    Value slot = LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), words,
                                     ArrayRef<LLVM::GEPArg>{int32_t(index)},
                                     LLVM::GEPNoWrapFlags::inbounds);
    auto load = [&](Type loaded) -> Value {
      auto op = LLVM::LoadOp::create(b, loc, loaded, slot, /*alignment=*/8);
      op.setInvariant(true);
      return op;
    };
    if (isa<MemRefType>(type))
      return cast(type, load(pointer));
    if (type.isInteger(1)) {
      Value byte = load(b.getI8Type());
      return Value(LLVM::TruncOp::create(b, loc, type, byte));
    }
    if (type.isIndex())
      return cast(type, load(b.getI64Type()));
    if (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64)
      return load(type);
    return failure();
  }

  func::FuncOp kernel;
  OpBuilder b;
  Location loc;
  Type pointer;
};

LogicalResult verifyKernel(func::FuncOp kernel) {
  if (kernel.isExternal())
    return kernel.emitOpError("is a kernel and has no body");
  ArrayRef<Type> types = kernel.getArgumentTypes();
  bool fits = types.size() >= kTrailingArgs && kernel.getNumResults() == 0;
  if (fits) {
    types = types.take_back(kTrailingArgs);
    fits =
        types[0].isIndex() && types[1].isIndex() && isa<MemRefType>(types[2]);
  }
  if (fits)
    return success();
  return kernel.emitOpError("is a kernel and needs (arguments..., begin: "
                            "index, end: index, scratch: memref<?xi8>)");
}

struct ConvertKernelsToLLVM
    : impl::ConvertKernelsToLLVMPassBase<ConvertKernelsToLLVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto function : module.getOps<func::FuncOp>())
      if (function->hasAttr("txk.kernel"))
        if (failed(verifyKernel(function)) ||
            failed(KernelSignature(function).rewrite()))
          return signalPassFailure();
    if (failed(verifyNoBufferArguments(module)))
      return signalPassFailure();

    for (auto function : module.getOps<func::FuncOp>())
      if (!function->hasAttr("txk.kernel") && !function.isExternal())
        function->setAttr(
            "llvm.linkage",
            LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal));

    LowerToLLVMOptions options(&getContext());
    LLVMTypeConverter converter(&getContext(), options);
    addBarePointerConversion(converter, MemorySpaces());
    RewritePatternSet patterns(&getContext());
    populateKernelToLLVM(converter, patterns);
    populateAmxToLLVM(converter, patterns);
    populateAtomicsToLLVM(converter, patterns, /*scope=*/"");
    if (failed(convertToLLVM(module, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace tensorc::codegen
