//===- KernelBuilder.h - Builds the kernel function of a fusion -----------===//
#ifndef TENSORC_CODEGEN_EMITTERS_KERNELBUILDER_H
#define TENSORC_CODEGEN_EMITTERS_KERNELBUILDER_H

#include "codegen/kernel/TargetInfo.h"
#include "ir/analysis/Indexing.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::codegen {

class KernelBuilder;
struct CpuCosts;

/// A kernel and what its launch needs. Expressions are over the DimSpace's
/// names.
struct KernelSpec {
  mlir::FunctionOpInterface function;
  /// Number of work items; of a SIMT kernel, number of blocks.
  mlir::AffineExpr extent;
  mlir::AffineExpr grain;
  /// Bytes of scratch per thread; null: none.
  mlir::AffineExpr scratch;
  /// The kernel's scalar arguments in order: a fusion input that is passed by
  /// value, or the size with a name (if `input` is empty).
  struct Scalar {
    std::optional<unsigned> input;
    unsigned name = 0;
  };
  llvm::SmallVector<Scalar> scalars;
  /// Threads per block; 0 if this is not a SIMT kernel.
  unsigned block = 0;
  /// Bytes of dynamic shared memory.
  unsigned dynamicShared = 0;
  /// A tensor map for bulk copies, which the launch encodes for the device.
  /// Tensor maps are the kernel's last arguments. Dims are innermost first.
  struct TensorMap {
    unsigned buffer; // index among the kernel's arguments
    int32_t elementBytes, swizzle;
    llvm::SmallVector<int32_t, 3> box;
    llvm::SmallVector<mlir::AffineExpr, 3> sizes;
  };
  llvm::SmallVector<TensorMap, 2> maps;
  /// A buffer between the kernels of one fusion.
  struct Temporary {
    mlir::Type element;
    mlir::AffineExpr count;
  };
};

/// A fusion's kernels in launch order: one, or several that communicate by
/// temporaries. Their buffers are the fusion's inputs, its outputs, and all
/// temporaries.
struct EmittedKernels {
  llvm::SmallVector<KernelSpec, 2> launches;
  llvm::SmallVector<KernelSpec::Temporary> temporaries;
  /// True if an output may be placed in the buffer of an input. This is safe if
  /// the first kernel computes all outputs at an index before it stores any of
  /// them there, and the later kernels do not read the inputs that it reads.
  bool mayOverwrite = false;
};

/// Builds a kernel's function: its arguments, and the values that stand for a
/// fusion's buffers, sizes and scalars.
class KernelBuilder {
public:
  /// Creates the function at the insertion point. `byValue` is set for inputs
  /// that are passed by value.
  KernelBuilder(mlir::OpBuilder &b, tx::FusionOp fusion, tx::DimSpace &names,
                llvm::ArrayRef<bool> byValue, const TargetInfo &target);
  /// Creates no function: only answers questions about the fusion while its
  /// schedule is chosen.
  KernelBuilder(tx::FusionOp fusion, tx::DimSpace &names,
                llvm::ArrayRef<bool> byValue, const TargetInfo &target);
  /// Creates another kernel for the same fusion.
  KernelBuilder(KernelBuilder &other, llvm::StringRef suffix);

  /// Adds workgroup (shared) memory, as memref<NxT>. SIMT only.
  mlir::Value addWorkgroupMemory(int64_t count, mlir::Type element);

  /// Adds an argument after all others. SIMT only.
  mlir::Value addTensorMap(KernelSpec::TensorMap map);

  /// Adds arguments after the outputs. Must be called before any code is
  /// emitted. `areExchanged` is true if other threads may write the buffers, so
  /// that their contents may change at a barrier.
  void addTemporaries(llvm::ArrayRef<KernelSpec::Temporary> list,
                      bool areExchanged = false);

  tx::FusionOp fusion;
  tx::DimSpace &names;
  const TargetInfo &target;
  mlir::ImplicitLocOpBuilder b;

  /// Costs of the target's microarchitecture (codegen/kernel/CpuCosts.h).
  const CpuCosts &costs() const;
  mlir::Block &body() { return fusion.getBody().front(); }
  tx::YieldOp yield() {
    return mlir::cast<tx::YieldOp>(body().getTerminator());
  }
  /// Returns a parameter of the fusion's schedule, which must have it.
  int64_t scheduled(llvm::StringRef name);

  /// First and one past the last work item of this call. These and scratch()
  /// are null in SIMT kernels.
  mlir::Value begin() { return beginValue; }
  mlir::Value end() { return endValue; }
  /// The thread's scratch, as bytes.
  mlir::Value scratch() { return scratchValue; }

  /// True if the input is passed by value.
  bool isScalar(mlir::BlockArgument input) {
    return byValue[input.getArgNumber()];
  }
  /// Returns the buffer of an input; null if it is passed by value.
  mlir::Value buffer(mlir::BlockArgument input) {
    return buffers[input.getArgNumber()];
  }
  mlir::Value scalar(mlir::BlockArgument input) {
    return scalars[input.getArgNumber()];
  }
  mlir::Value output(unsigned i) { return outputs[i]; }
  mlir::Value temporary(unsigned i) { return temporaryBuffers[i]; }
  /// Returns the value of a dim name, of type index.
  mlir::Value symbol(unsigned name);
  /// Returns the symbol of an index input, such as a slice's offset.
  mlir::AffineExpr symbolOf(mlir::Value index);
  /// Emits an expression over dim names only, in the function's entry block.
  mlir::Value size(mlir::AffineExpr expr);
  llvm::SmallVector<mlir::AffineExpr> dims(mlir::Value v) {
    return names.dims(mlir::cast<mlir::RankedTensorType>(v.getType()));
  }

  /// Finishes the function and drops unused arguments.
  KernelSpec finish(mlir::AffineExpr extent, mlir::AffineExpr grain,
                    mlir::AffineExpr scratch = {});
  /// Finishes a SIMT kernel with a grid of `blocks` blocks of `threads`
  /// threads.
  mlir::FailureOr<KernelSpec> finishSimt(mlir::AffineExpr blocks,
                                         unsigned threads);

private:
  mlir::FunctionOpInterface function;
  llvm::SmallVector<mlir::Value> buffers, scalars, outputs, temporaryBuffers;
  llvm::SmallVector<bool> byValue;
  llvm::SmallVector<KernelSpec::TensorMap, 2> maps;
  llvm::DenseMap<unsigned, mlir::Value> symbols;
  /// Maps kernel arguments to the scalars they hold.
  llvm::DenseMap<mlir::Value, KernelSpec::Scalar> scalarArguments;
  mlir::Value beginValue, endValue, scratchValue;

  void addArguments(llvm::StringRef suffix);
  void createFunction(llvm::StringRef name, llvm::ArrayRef<mlir::Type> types);
  void dropUnusedArguments(KernelSpec &spec);
};

/// Materializes an affine expression. `dims` and `symbols` return index values.
mlir::Value emitIndex(mlir::ImplicitLocOpBuilder &b, mlir::AffineExpr expr,
                      llvm::function_ref<mlir::Value(unsigned)> dims,
                      llvm::function_ref<mlir::Value(unsigned)> symbols);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_KERNELBUILDER_H
