//===- NativeTarget.h - Targets whose kernels run on the host ---*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_NATIVETARGET_H
#define TENSORC_CODEGEN_TARGETS_NATIVETARGET_H

#include "codegen/targets/Target.h"

namespace tensorc::codegen {

/// Base class of the cpu target and the simulator. Their kernels are in a
/// builtin module, and their images are shared objects.
class NativeTarget : public Target {
public:
  void registerDialects(mlir::DialectRegistry &registry) const override {
    registerNativeTranslations(registry);
  }

  llvm::Expected<ImageBytes>
  emit(const Artefact &artefact, mlir::Operation *kernels,
       const CodegenOptions &options) const override {
    auto module = mlir::cast<mlir::ModuleOp>(kernels);
    if (artefact == objectFile)
      return emitObject(module, toNative(options));
    llvm::Expected<std::string> text = artefact == llvmText
                                           ? emitLLVM(module, toNative(options))
                                           : emitAsm(module, toNative(options));
    if (!text)
      return text.takeError();
    return ImageBytes(text->begin(), text->end());
  }

  llvm::Expected<ImageBytes>
  compileToImage(mlir::Operation *kernels,
                 const CodegenOptions &options) const override {
    return codegen::compileToImage(mlir::cast<mlir::ModuleOp>(kernels),
                                   toNative(options));
  }

protected:
  virtual NativeOptions toNative(const CodegenOptions &options) const = 0;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_NATIVETARGET_H
