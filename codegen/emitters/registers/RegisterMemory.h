//===- RegisterMemory.h - Values of a loop that stay in memory --*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERMEMORY_H
#define TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERMEMORY_H

#include "ir/tx/Control.h"

namespace tensorc::codegen {

/// Contiguous slices of x whose starts are known only at run time. The result of
/// the op consists of them one after another.
struct Window {
  mlir::Value x;
  llvm::SmallVector<int64_t, 4> sizes; // of a slice, along the dims of x
  int64_t count = 1;                   // number of slices
  /// The start of slice n along dim `dim` of x is element `at + n * step` of
  /// `value`.
  struct Start {
    int64_t dim;
    mlir::Value value;
    int64_t at, step;
  };
  llvm::SmallVector<Start, 4> starts;
};

/// Returns the slices that the op reads. Returns nullopt if the op reads no
/// slices at run-time starts, or if they are not contiguous in x or in the
/// result.
std::optional<Window> windowOf(mlir::Operation *op);

/// Returns the number of the block argument that receives operand i of a
/// tx.scan or tx.while.
unsigned argumentNumber(mlir::Operation *loop, unsigned operand);

/// True if the value is in memory instead of registers. It is an argument of a
/// loop's block that is not carried, or a stacked result of a nested loop, and
/// it is only read in contiguous slices: at starts that are known at run time,
/// or one per iteration of a nested loop. An argument of a fusion to which such
/// a value is passed is in memory, too.
bool isInMemory(mlir::Value value);

/// Returns the number of the result of the surrounding scan to whose slice this
/// stacked result of a nested scan is written directly. Returns nullopt if it
/// has other uses.
std::optional<unsigned> outerResult(mlir::OpResult stacked);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERMEMORY_H
