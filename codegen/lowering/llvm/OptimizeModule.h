//===- OptimizeModule.h - LLVM passes between translation and codegen -----===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_OPTIMIZEMODULE_H
#define TENSORC_CODEGEN_LOWERING_LLVM_OPTIMIZEMODULE_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tensorc::codegen {

/// Level 0 does nothing, 3 is LLVM's own -O3; between them a short list for
/// code that emitters already vectorized and unrolled.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    unsigned optLevel);

/// Replaces masked stores of a single constant lane by plain ones. LLVM 22
/// stores too many bytes if the stored value is a truncation (its issue
/// 179489).
void unmaskSingleLanes(llvm::Module &module);

/// With SVE, widens vectors of narrow unsigned integers to i32 before they are
/// converted to floats. LLVM 22 cannot select the conversion of a truncated
/// vector.
void widenBeforeFloats(llvm::Module &module);

/// Ends chains of shuffles after two. LLVM tries to combine each shuffle with
/// all those before it. In a transpose's network, whose values have two users
/// each, this finds nothing and takes most of the kernel's compilation.
void fenceShuffles(llvm::Module &module);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_OPTIMIZEMODULE_H
