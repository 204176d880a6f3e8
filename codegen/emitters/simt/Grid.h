//===- Grid.h - Blocks and threads, and what each of them takes -----------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_GRID_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_GRID_H

#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen::simt {

/// Threads of a block where nothing asks for another number: every target has
/// room for several such blocks at once.
constexpr int64_t blockThreads = 256;

using Values = llvm::SmallVector<mlir::Value>;

mlir::Value threadId(KernelBuilder &kernel, int64_t threads);
void barrier(KernelBuilder &kernel);

/// The kernel's body for each of `items` items, one per block; a grid larger
/// than targets launch has blocks that take several.
using ItemBody = llvm::function_ref<mlir::LogicalResult(mlir::Value item)>;
mlir::LogicalResult forBlocks(KernelBuilder &kernel, mlir::AffineExpr items,
                              int64_t threads, ItemBody body);
/// Whether a block may take several items: shared memory is used again then.
bool mayRepeat(mlir::AffineExpr items, int64_t threads);
/// Ends the kernel of such a grid.
mlir::FailureOr<KernelSpec> finish(KernelBuilder &kernel,
                                   mlir::AffineExpr items, int64_t threads);

/// for i = lower; i < upper; i += step, carrying values.
mlir::FailureOr<Values> forStrided(KernelBuilder &kernel, mlir::Value lower,
                                   mlir::Value upper, mlir::Value step,
                                   mlir::ValueRange carried, ForBody body);
/// body() where the condition (null: always) holds.
mlir::LogicalResult when(KernelBuilder &kernel, mlir::Value condition,
                         llvm::function_ref<mlir::LogicalResult()> body);
/// The values of one of two branches.
using Branch = llvm::function_ref<mlir::FailureOr<Values>()>;
mlir::FailureOr<Values> choose(KernelBuilder &kernel, mlir::Value condition,
                               mlir::TypeRange types, Branch then,
                               Branch otherwise);

/// Elements of the widest type in memory that a thread accesses at once.
int64_t accessLanes(KernelBuilder &kernel);
/// Whether the fusion reads whole vectors, or one element, along a dim: no
/// strides, and no guard that a part of a vector would pass.
bool readsVectors(KernelBuilder &kernel, const analysis::IterationSpace &space,
                  llvm::ArrayRef<std::pair<mlir::Value, analysis::Index>> roots,
                  llvm::function_ref<bool(mlir::Value)> stop, unsigned dim);
/// The largest power of two up to `limit` that divides the size.
int64_t dividingLanes(int64_t limit, int64_t size);

// Index arithmetic.
mlir::Value add(KernelBuilder &kernel, mlir::Value x, mlir::Value y);
mlir::Value sub(KernelBuilder &kernel, mlir::Value x, mlir::Value y);
mlir::Value mul(KernelBuilder &kernel, mlir::Value x, mlir::Value y);
mlir::Value div(KernelBuilder &kernel, mlir::Value x, mlir::Value y);
mlir::Value rem(KernelBuilder &kernel, mlir::Value x, mlir::Value y);
mlir::Value min(KernelBuilder &kernel, mlir::Value x, mlir::Value y);
mlir::Value less(KernelBuilder &kernel, mlir::Value x, mlir::Value y);
mlir::Value equal(KernelBuilder &kernel, mlir::Value x, mlir::Value y);

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_GRID_H
