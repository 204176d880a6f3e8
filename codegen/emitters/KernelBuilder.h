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

/// A kernel and the parameters of its launch. Expressions are over the names of
/// the DimSpace.
struct KernelSpec {
  mlir::FunctionOpInterface function;
  /// Number of work items, or of blocks if this is a SIMT kernel.
  mlir::AffineExpr extent;
  mlir::AffineExpr grain;
  /// Bytes of scratch memory per thread, or null if it needs none.
  mlir::AffineExpr scratch;
  /// A scalar argument: the fusion's input `input`, passed by value, or the
  /// size that the dim name `name` stands for if `input` is empty. Listed in
  /// the order of the kernel's arguments.
  struct Scalar {
    std::optional<unsigned> input;
    unsigned name = 0;
  };
  llvm::SmallVector<Scalar> scalars;
  /// Threads per block; 0 if this is not a SIMT kernel.
  unsigned block = 0;
  /// Bytes of dynamic shared memory.
  unsigned dynamicShared = 0;
  /// A tensor map (CUDA) for bulk copies, which the runtime encodes at launch.
  /// Tensor maps are the kernel's last arguments. Dims are innermost first.
  struct TensorMap {
    unsigned buffer; // index among the kernel's arguments
    int32_t elementBytes, swizzle;
    llvm::SmallVector<int32_t, 3> box;
    llvm::SmallVector<mlir::AffineExpr, 3> sizes;
  };
  llvm::SmallVector<TensorMap, 2> maps;
  /// A buffer that lives from one kernel of the fusion to a later one.
  struct Temporary {
    mlir::Type element;
    mlir::AffineExpr count;
  };
};

/// A fusion's kernels in launch order. If there are several, they communicate
/// through temporaries. Every kernel's buffer arguments are the fusion's
/// inputs, its outputs, and all temporaries.
struct EmittedKernels {
  llvm::SmallVector<KernelSpec, 2> launches;
  llvm::SmallVector<KernelSpec::Temporary> temporaries;
  /// True if an output may share the buffer of an input. This is safe if the
  /// first kernel loads everything that the outputs at an index depend on
  /// before it stores them, and later kernels read no input that the first one
  /// reads.
  bool mayOverwrite = false;
};

/// Builds a kernel's function and maps the fusion's buffers, sizes and scalars
/// to its arguments.
class KernelBuilder {
public:
  /// Creates the function at the insertion point. `byValue` is set for inputs
  /// that are passed by value.
  KernelBuilder(mlir::OpBuilder &b, tx::FusionOp fusion, tx::DimSpace &names,
                llvm::ArrayRef<bool> byValue, const TargetInfo &target);
  /// Creates no function. Such a builder only serves to query the fusion while
  /// its schedule is chosen.
  KernelBuilder(tx::FusionOp fusion, tx::DimSpace &names,
                llvm::ArrayRef<bool> byValue, const TargetInfo &target);
  /// Creates another kernel for the same fusion.
  KernelBuilder(KernelBuilder &other, llvm::StringRef suffix);

  /// Adds workgroup (shared) memory, as memref<NxT>. SIMT only.
  mlir::Value addWorkgroupMemory(int64_t count, mlir::Type element);

  /// Adds an argument after all others. SIMT only.
  mlir::Value addTensorMap(KernelSpec::TensorMap map);

  /// Adds the temporaries as arguments after the outputs. Must be called before
  /// any code is emitted. `areExchanged` is true if other threads write them,
  /// so that their contents may change at a barrier (they are then not
  /// `noalias`).
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
  /// Returns the parameter `name` of the fusion's schedule, which must have it.
  int64_t scheduled(llvm::StringRef name);

  /// The range [begin, end) of work items that this call computes. Null in SIMT
  /// kernels; scratch() is null there as well.
  mlir::Value begin() { return beginValue; }
  mlir::Value end() { return endValue; }
  /// The thread's scratch memory, as a memref of bytes.
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
  /// Returns the size that a dim name stands for, as an index.
  mlir::Value symbol(unsigned name);
  /// Returns the affine symbol that stands for an index input, such as the
  /// offset of a slice.
  mlir::AffineExpr symbolOf(mlir::Value index);
  /// Emits the value of an expression over dim names, in the function's entry
  /// block.
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
  /// The kernel arguments that hold scalars.
  llvm::DenseMap<mlir::Value, KernelSpec::Scalar> scalarArguments;
  mlir::Value beginValue, endValue, scratchValue;

  void addArguments(llvm::StringRef suffix);
  void createFunction(llvm::StringRef name, llvm::ArrayRef<mlir::Type> types);
  void dropUnusedArguments(KernelSpec &spec);
};

/// Emits an affine expression. `dims` and `symbols` return the index value of a
/// dim or symbol.
mlir::Value emitIndex(mlir::ImplicitLocOpBuilder &b, mlir::AffineExpr expr,
                      llvm::function_ref<mlir::Value(unsigned)> dims,
                      llvm::function_ref<mlir::Value(unsigned)> symbols);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_KERNELBUILDER_H
