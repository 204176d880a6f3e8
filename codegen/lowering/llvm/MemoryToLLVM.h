//===- MemoryToLLVM.h - Lower memref and vector accesses to bare pointers -===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_MEMORYTOLLVM_H
#define TENSORC_CODEGEN_LOWERING_LLVM_MEMORYTOLLVM_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"

namespace tensorc::codegen {

/// The LLVM address spaces of memrefs: the default space (buffers),
/// #gpu.address_space<workgroup>, and #gpu.address_space<private> (the stack).
/// On CPUs all are 0.
struct MemorySpaces {
  unsigned global = 0;
  unsigned workgroup = 0;
  unsigned stack = 0;
  /// The address space of tables of constants.
  unsigned constant = 0;
};

/// Converts memrefs to bare pointers. They must have rank 1 with unit stride,
/// or a static shape with identity layout. Descriptors would be redundant,
/// because sizes are arguments of kernels.
void addBarePointerConversion(mlir::LLVMTypeConverter &converter,
                              MemorySpaces spaces);

/// Returns the type that represents an element in memory: a byte for i1, i64
/// for index, and i16 for f16 and bf16.
mlir::Type getStorageType(mlir::Type element, mlir::OpBuilder &b);

/// Convert a scalar or vector to the type that represents it in memory, and
/// back.
mlir::Value toStorage(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value value);
mlir::Value fromStorage(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                        mlir::Value value);

/// Add patterns for the memref dialect, and for the vector dialect's memory
/// accesses.
void populateMemRefToLLVM(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateVectorMemoryToLLVM(const mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);
/// Adds patterns for atomics of memref. `scope` is LLVM's synchronization scope
/// for all threads of a device.
void populateAtomicsToLLVM(const mlir::LLVMTypeConverter &converter,
                           mlir::RewritePatternSet &patterns,
                           llvm::StringRef scope);

/// Returns &base[indices]. Indices count elements of the memref's storage type.
/// The address of a masked access must not be `inbounds`, because it may be
/// outside of the buffer.
mlir::Value getElementPointer(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::MemRefType type, mlir::Value base,
                              mlir::ValueRange indices, bool inbounds = true);

/// Returns the alignment in bytes of an access without an alignment attribute.
unsigned getElementAlignment(mlir::MemRefType type);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_MEMORYTOLLVM_H
