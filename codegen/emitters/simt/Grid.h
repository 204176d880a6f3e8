//===- Grid.h - Blocks, threads and loops over them -----------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_GRID_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_GRID_H

#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen::simt {

/// Default number of threads per block. Every target runs several blocks of
/// this size per multiprocessor at once.
inline constexpr int64_t blockThreads = 256;

/// Padding between rows in shared memory in elements, 16 bytes: `tilePadding`
/// for 16-bit elements, `accumulatorPadding` for accumulators. With it,
/// consecutive rows begin in different banks and remain aligned.
inline constexpr int64_t tilePadding = 8, accumulatorPadding = 4;

using Values = llvm::SmallVector<mlir::Value>;

mlir::Value threadId(KernelBuilder &kernel, int64_t threads);
void barrier(KernelBuilder &kernel);

/// Emits `body` for each of `items` items, one per block. If there are more
/// items than blocks can be launched, each block loops over several.
using ItemBody = llvm::function_ref<mlir::LogicalResult(mlir::Value item)>;
mlir::LogicalResult forBlocks(KernelBuilder &kernel, mlir::AffineExpr items,
                              int64_t threads, ItemBody body);
/// True if a block may process several items, and thus reuse its shared memory.
bool mayRepeat(mlir::AffineExpr items, int64_t threads);
/// Finishes a kernel whose loop was emitted by `forBlocks`. If that got more
/// items than there are, `maxItems` is their number there. The body then ignores
/// the items from `items` on, which a block may still get.
mlir::FailureOr<KernelSpec> finish(KernelBuilder &kernel,
                                   mlir::AffineExpr items, int64_t threads,
                                   mlir::AffineExpr maxItems = {});

/// Emits for (i = lower; i < upper; i += step), with loop-carried values.
mlir::FailureOr<Values> forStrided(KernelBuilder &kernel, mlir::Value lower,
                                   mlir::Value upper, mlir::Value step,
                                   mlir::ValueRange carried, ForBody body);
/// Emits `body` under the condition, or unconditionally if that is null.
mlir::LogicalResult when(KernelBuilder &kernel, mlir::Value condition,
                         llvm::function_ref<mlir::LogicalResult()> body);
/// Emits an if/else and returns its results.
using Branch = llvm::function_ref<mlir::FailureOr<Values>()>;
mlir::FailureOr<Values> choose(KernelBuilder &kernel, mlir::Value condition,
                               mlir::TypeRange types, Branch then,
                               Branch otherwise);

/// Returns the maximum number of elements that a thread accesses at once, for
/// the widest type.
int64_t accessLanes(KernelBuilder &kernel);
/// True if every read along the dim is of a whole vector or of a single
/// element: it has no stride, and no guard that holds only for a part of a
/// vector.
bool readsVectors(KernelBuilder &kernel, const analysis::IterationSpace &space,
                  llvm::ArrayRef<std::pair<mlir::Value, analysis::Index>> roots,
                  llvm::function_ref<bool(mlir::Value)> stop, unsigned dim);
/// Returns the largest power of two up to `limit` that divides `size`.
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
