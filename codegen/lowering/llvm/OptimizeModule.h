//===- OptimizeModule.h - LLVM passes between translation and codegen -----===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_OPTIMIZEMODULE_H
#define TENSORC_CODEGEN_LOWERING_LLVM_OPTIMIZEMODULE_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tensorc::codegen {

/// Runs the passes of an optimization level: none for level 0, a short list for
/// levels 1 and 2 (emitters have already vectorized and unrolled the code), and
/// at level 3 also the removal of redundant loads.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    unsigned optLevel);

/// Replaces masked stores of a single constant lane by scalar stores. LLVM 22
/// stores too many bytes if the stored value is a truncation (LLVM issue
/// 179489).
void unmaskSingleLanes(llvm::Module &module);

/// For SVE. Widens vectors of narrow unsigned integers to i32 before they are
/// converted to floats, because LLVM 22 cannot select the conversion of a
/// truncated vector.
void widenBeforeFloats(llvm::Module &module);

/// Ends chains of shuffles after two, to stop LLVM from combining long chains.
/// LLVM tries to combine each shuffle with all shuffles before it. In a
/// transpose, where each value has two users, it finds nothing, and spends most
/// of the kernel's compile time.
void fenceShuffles(llvm::Module &module);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_OPTIMIZEMODULE_H
