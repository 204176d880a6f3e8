//===- WasmModule.h - Workarounds for LLVM's Wasm backend -------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_WASMMODULE_H
#define TENSORC_CODEGEN_LOWERING_LLVM_WASMMODULE_H

namespace llvm {
class Module;
} // namespace llvm

namespace tensorc::codegen {

/// Splits masked accesses of more than 16 lanes. LLVM 22 cannot select the
/// comparison from which such a mask comes.
void splitMaskedAccesses(llvm::Module &module);

/// Shifts vectors of i8 and i16 to the right as i32. LLVM 22 shifts lane by lane
/// if the distances differ, and includes bits above the lane if the vector is a
/// truncation.
void widenShifts(llvm::Module &module);

/// Defines `__multi3`, the product of 128-bit integers, which LLVM calls for
/// products of 64-bit integers with overflow.
void defineWideProduct(llvm::Module &module);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_WASMMODULE_H
