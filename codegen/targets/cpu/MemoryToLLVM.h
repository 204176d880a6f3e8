//===- MemoryToLLVM.h - memref and vector memory ops on bare pointers -----===//
#ifndef TENSORC_CODEGEN_TARGETS_CPU_MEMORYTOLLVM_H
#define TENSORC_CODEGEN_TARGETS_CPU_MEMORYTOLLVM_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace tensorc::codegen {

/// A kernel's memrefs are bare pointers: rank 1 with unit stride, or static
/// shape with identity layout. Sizes travel as kernel arguments, so a
/// descriptor would only be carried around to be folded away again.
void addBarePointerConversion(mlir::LLVMTypeConverter &converter);

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

/// &base[indices], in elements of the memref's storage type. A masked access
/// may start outside of the buffer: its address is not inbounds.
mlir::Value getElementPointer(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::MemRefType type, mlir::Value base,
                              mlir::ValueRange indices, bool inbounds = true);

/// Bytes by which an access to `type` is aligned when the op does not say.
unsigned getElementAlignment(mlir::MemRefType type);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_CPU_MEMORYTOLLVM_H
