//===- MemoryToLLVM.h - memref and vector memory ops on bare pointers -----===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_MEMORYTOLLVM_H
#define TENSORC_CODEGEN_LOWERING_LLVM_MEMORYTOLLVM_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"

namespace tensorc::codegen {

/// LLVM's numbers for where a memref may lie: its own default space (the
/// buffers), #gpu.address_space<workgroup>, and <private>, which is the stack.
/// A cpu has only one.
struct MemorySpaces {
  unsigned global = 0;
  unsigned workgroup = 0;
  unsigned stack = 0;
  /// Tables that the module holds.
  unsigned constant = 0;
};

/// A kernel's memrefs are bare pointers: rank 1 with unit stride, or static
/// shape with identity layout. Sizes travel as kernel arguments, so a
/// descriptor would only be carried around to be folded away again.
void addBarePointerConversion(mlir::LLVMTypeConverter &converter,
                              MemorySpaces spaces);

/// The type of an element in memory: i1 is a byte, index 64 bits, f16 and bf16
/// are their bits.
mlir::Type getStorageType(mlir::Type element, mlir::OpBuilder &b);

/// A scalar or vector as memory holds it, and back.
mlir::Value toStorage(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value value);
mlir::Value fromStorage(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                        mlir::Value value);

/// Patterns for the memref dialect and for vector's memory operations.
void populateMemRefToLLVM(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateVectorMemoryToLLVM(const mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);
/// Patterns for memref's atomics. `scope` is LLVM's name for the threads that
/// see them in one order: those of the device.
void populateAtomicsToLLVM(const mlir::LLVMTypeConverter &converter,
                           mlir::RewritePatternSet &patterns,
                           llvm::StringRef scope);

/// &base[indices], in elements of the memref's storage type. A masked access
/// may start outside of the buffer: its address is not inbounds.
mlir::Value getElementPointer(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::MemRefType type, mlir::Value base,
                              mlir::ValueRange indices, bool inbounds = true);

/// Bytes by which an access to `type` is aligned when the op does not say.
unsigned getElementAlignment(mlir::MemRefType type);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_MEMORYTOLLVM_H
