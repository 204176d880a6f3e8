//===- OptimizeModule.h - LLVM passes between translation and codegen -----===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_OPTIMIZEMODULE_H
#define TENSORC_CODEGEN_LOWERING_LLVM_OPTIMIZEMODULE_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tensorc::codegen {

/// Level 0 does nothing. Levels 1 and 2 run a short list of passes for code that
/// emitters already vectorized and unrolled. Level 3 also removes redundant
/// loads.
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

/// Stops LLVM from combining long chains of shuffles, by ending each chain
/// after two. LLVM tries to combine each shuffle with all those before it. In a
/// transpose, whose values have two users each, this finds nothing and takes
/// most of the kernel's compile time.
void fenceShuffles(llvm::Module &module);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_OPTIMIZEMODULE_H
