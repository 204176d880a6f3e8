//===- MemoryToLLVM.h - Lower memref and vector accesses to bare pointers -===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_MEMORYTOLLVM_H
#define TENSORC_CODEGEN_LOWERING_LLVM_MEMORYTOLLVM_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"

namespace tensorc::codegen {

/// LLVM's address spaces of memrefs: the default space (buffers),
/// #gpu.address_space<workgroup>, and <private> (the stack). On a CPU all are
/// the same.
struct MemorySpaces {
  unsigned global = 0;
  unsigned workgroup = 0;
  unsigned stack = 0;
  /// The address space of constant tables.
  unsigned constant = 0;
};

/// Converts a kernel's memrefs to bare pointers. Memrefs must have rank 1 with
/// unit stride, or a static shape with identity layout. Sizes are kernel
/// arguments, so descriptors would be redundant.
void addBarePointerConversion(mlir::LLVMTypeConverter &converter,
                              MemorySpaces spaces);

/// Returns the type of an element in memory: a byte for i1, 64 bits for index,
/// and i16 for f16 and bf16.
mlir::Type getStorageType(mlir::Type element, mlir::OpBuilder &b);

/// Convert a scalar or vector to its form in memory, and back.
mlir::Value toStorage(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value value);
mlir::Value fromStorage(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                        mlir::Value value);

/// Patterns for the memref dialect and for vector's memory operations.
void populateMemRefToLLVM(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateVectorMemoryToLLVM(const mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);
/// Patterns for memref's atomics. `scope` is LLVM's synchronization scope of
/// all threads of the device.
void populateAtomicsToLLVM(const mlir::LLVMTypeConverter &converter,
                           mlir::RewritePatternSet &patterns,
                           llvm::StringRef scope);

/// Returns &base[indices], in elements of the memref's storage type. A masked
/// access may start outside of the buffer, so its address is not inbounds.
mlir::Value getElementPointer(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::MemRefType type, mlir::Value base,
                              mlir::ValueRange indices, bool inbounds = true);

/// Returns the default alignment in bytes of an access to `type`.
unsigned getElementAlignment(mlir::MemRefType type);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_MEMORYTOLLVM_H
