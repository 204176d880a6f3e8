//===- KernelBuilder.h - One fusion's kernel function under construction --===//
#ifndef TENSORC_CODEGEN_EMITTERS_KERNELBUILDER_H
#define TENSORC_CODEGEN_EMITTERS_KERNELBUILDER_H

#include "codegen/kernel/TargetInfo.h"
#include "ir/analysis/Indexing.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::codegen {

class KernelBuilder;

/// What a launch needs to know; expressions are over the DimSpace's names.
struct KernelSpec {
  mlir::FunctionOpInterface function;
  /// Work items; of a SIMT kernel the number of blocks.
  mlir::AffineExpr extent;
  mlir::AffineExpr grain;
  /// Bytes for each thread; null: none.
  mlir::AffineExpr scratch;
  /// The kernel's scalar arguments in order: a fusion input (by value), or a
  /// name (when input is empty).
  struct Scalar {
    std::optional<unsigned> input;
    unsigned name = 0;
  };
  llvm::SmallVector<Scalar> scalars;
  /// Threads of a block; 0: not a SIMT kernel.
  unsigned block = 0;
  /// Bytes of dynamic shared memory.
  unsigned dynamicShared = 0;
  /// A window on a buffer for bulk copies, which the launch describes to the
  /// device: the kernel's last arguments. Dims are innermost first.
  struct TensorMap {
    unsigned buffer; // of the kernel's arguments
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

/// A fusion's kernels in the order of their launches: one, or several that
/// hand each other temporaries. Their buffers are the fusion's inputs, its
/// outputs, and then all temporaries.
struct EmittedKernels {
  llvm::SmallVector<KernelSpec, 2> launches;
  llvm::SmallVector<KernelSpec::Temporary> temporaries;
  /// The first kernel computes all outputs at an index before it stores any of
  /// them there, and the others read no input that it reads at that index: such
  /// an input may be overwritten by an output.
  bool mayOverwrite = false;
};

/// The function with its arguments, and where each value of the fusion lives.
class KernelBuilder {
public:
  /// Creates the function at the builder's place. `byValue` tells which inputs
  /// are scalars of the launch.
  KernelBuilder(mlir::OpBuilder &b, tx::FusionOp fusion, tx::DimSpace &names,
                llvm::ArrayRef<bool> byValue, const TargetInfo &target);
  /// Without a function: it answers questions about the fusion, by which its
  /// schedule is chosen.
  KernelBuilder(tx::FusionOp fusion, tx::DimSpace &names,
                llvm::ArrayRef<bool> byValue, const TargetInfo &target);
  /// One more kernel for the same fusion.
  KernelBuilder(KernelBuilder &other, llvm::StringRef suffix);

  /// SIMT only: memory that the threads of a block share, as memref<NxT>.
  mlir::Value addWorkgroupMemory(int64_t count, mlir::Type element);

  /// SIMT only: one more argument, behind all others.
  mlir::Value addTensorMap(KernelSpec::TensorMap map);

  /// Before any code: arguments behind the outputs.
  /// Where threads exchange what lies there, a barrier may change it.
  void addTemporaries(llvm::ArrayRef<KernelSpec::Temporary> list,
                      bool areExchanged = false);

  tx::FusionOp fusion;
  tx::DimSpace &names;
  const TargetInfo &target;
  mlir::ImplicitLocOpBuilder b;

  mlir::Block &body() { return fusion.getBody().front(); }
  tx::YieldOp yield() {
    return mlir::cast<tx::YieldOp>(body().getTerminator());
  }
  /// A number of the fusion's schedule, which must have it.
  int64_t scheduled(llvm::StringRef name);

  /// Null in SIMT kernels, as are the two that follow.
  mlir::Value begin() { return beginValue; }
  mlir::Value end() { return endValue; }
  /// The thread's scratch, as bytes.
  mlir::Value scratch() { return scratchValue; }

  /// Whether an input comes by value.
  bool isScalar(mlir::BlockArgument input) {
    return byValue[input.getArgNumber()];
  }
  /// The buffer of an input, or null if it comes by value.
  mlir::Value buffer(mlir::BlockArgument input) {
    return buffers[input.getArgNumber()];
  }
  mlir::Value scalar(mlir::BlockArgument input) {
    return scalars[input.getArgNumber()];
  }
  mlir::Value output(unsigned i) { return outputs[i]; }
  mlir::Value temporary(unsigned i) { return temporaryBuffers[i]; }
  /// The value of a name, of type index.
  mlir::Value symbol(unsigned name);
  /// The symbol that stands for an index input (a slice's offset).
  mlir::AffineExpr symbolOf(mlir::Value index);
  /// An expression over names only, at function level.
  mlir::Value size(mlir::AffineExpr expr);
  llvm::SmallVector<mlir::AffineExpr> dims(mlir::Value v) {
    return names.dims(mlir::cast<mlir::RankedTensorType>(v.getType()));
  }

  /// Ends the function and drops arguments that nothing reads.
  KernelSpec finish(mlir::AffineExpr extent, mlir::AffineExpr grain,
                    mlir::AffineExpr scratch = {});
  /// The same for a SIMT kernel: a grid of `blocks` blocks of `threads`.
  mlir::FailureOr<KernelSpec> finishSimt(mlir::AffineExpr blocks,
                                         unsigned threads);

private:
  mlir::FunctionOpInterface function;
  llvm::SmallVector<mlir::Value> buffers, scalars, outputs, temporaryBuffers;
  llvm::SmallVector<bool> byValue;
  llvm::SmallVector<KernelSpec::TensorMap, 2> maps;
  llvm::DenseMap<unsigned, mlir::Value> symbols;
  /// Kernel argument -> what it is, for the scalars.
  llvm::DenseMap<mlir::Value, KernelSpec::Scalar> scalarArguments;
  mlir::Value beginValue, endValue, scratchValue;

  void addArguments(llvm::StringRef suffix);
  void createFunction(llvm::StringRef name, llvm::ArrayRef<mlir::Type> types);
  void dropUnusedArguments(KernelSpec &spec);
};

/// Materializes an affine expression. `dims` and `symbols` give index values.
mlir::Value emitIndex(mlir::ImplicitLocOpBuilder &b, mlir::AffineExpr expr,
                      llvm::function_ref<mlir::Value(unsigned)> dims,
                      llvm::function_ref<mlir::Value(unsigned)> symbols);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_KERNELBUILDER_H
