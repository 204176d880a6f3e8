//===- ProgramEmitter.h - Emits the host program of a function of fusions -===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_PROGRAMEMITTER_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_PROGRAMEMITTER_H

#include "codegen/emitters/Emitters.h"
#include "codegen/targets/Target.h"
#include "compiler/transforms/passes/UserKernels.h"
#include "compiler/transforms/passes/program/ProgramSizes.h"
#include "compiler/transforms/passes/program/QueueEvents.h"
#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"

#include <unordered_map>

namespace tensorc::compiler {

/// Emits the host program of one function.
class ProgramEmitter {
public:
  ProgramEmitter(mlir::func::FuncOp function, mlir::Operation *kernels,
                 UserKernels &userKernels, const codegen::TargetInfo &target)
      : function(function), kernels(kernels), userKernels(userKernels),
        target(target), b(function.getLoc(), mlir::OpBuilder(function)),
        sizes(b), queues(b), names(sizes.names) {}

  mlir::LogicalResult emit();

private:
  mlir::func::FuncOp function;
  mlir::Operation *kernels;
  UserKernels &userKernels;
  const codegen::TargetInfo &target;
  mlir::ImplicitLocOpBuilder b;
  ProgramSizes sizes;
  QueueEvents queues;
  tx::DimSpace &names;
  txp::FuncOp program;
  /// The emitted form of each value: a buffer, or an i64 value.
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  /// Fusions with the same body share their kernels.
  struct Emitted {
    tx::FusionOp fusion;
    llvm::SmallVector<bool> byValue;
    codegen::EmittedKernels kernels;
  };
  std::unordered_multimap<size_t, Emitted> emitted;

  void createProgram();
  /// A buffer of a launch with the properties that the kernel relies on.
  struct Argument {
    mlir::Value buffer;
    mlir::Type element;
    shape::Dim bytes;
  };

  mlir::LogicalResult bindNames();
  mlir::LogicalResult checkBounds();
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation *op);
  mlir::LogicalResult emitBranch(mlir::Operation *branch);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitChoice(llvm::MutableArrayRef<mlir::Region> bodies,
             mlir::ValueRange inputs,
             llvm::function_ref<mlir::Value(unsigned)> isBelow);
  mlir::Value readWord(mlir::Value element);
  mlir::Value readPredicate(mlir::Value predicate);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitBody(mlir::Block &from, mlir::Block &to, mlir::ValueRange arguments);
  mlir::LogicalResult emitWhile(tx::WhileOp loop);
  mlir::LogicalResult emitScan(tx::ScanOp loop);
  mlir::Value viewPart(mlir::Value whole, mlir::Value index, mlir::Value bytes);
  mlir::Value readPart(mlir::Value whole, mlir::Value index, mlir::Type part,
                       mlir::Value bytes);
  void storePart(mlir::Value part, mlir::Value whole, mlir::Value index,
                 mlir::Type type, mlir::Value bytes, bool isShared);
  mlir::LogicalResult emitFusion(tx::FusionOp fusion);
  void emitCustomCall(tx::CustomCallOp call);
  mlir::LogicalResult emitKernelCall(tx::KernelCallOp call);
  mlir::Value checkGrid(tx::KernelCallOp call,
                        llvm::ArrayRef<mlir::Value> grid);
  mlir::FailureOr<llvm::ArrayRef<shape::Dim>>
  expressionsOf(tx::KernelCallOp call, tx::DimsAttr exprs);
  llvm::SmallVector<mlir::Value> evaluate(llvm::ArrayRef<shape::Dim> dims);
  mlir::FailureOr<const codegen::EmittedKernels *>
  kernelsOf(tx::FusionOp fusion, llvm::ArrayRef<bool> byValue);
  void setInPlace(tx::FusionOp fusion, llvm::ArrayRef<bool> byValue,
                  mlir::Operation *launch);
  mlir::ArrayAttr describeMaps(const codegen::KernelSpec &spec,
                               llvm::SmallVectorImpl<mlir::Value> &windows);
  mlir::Operation *launch(const codegen::KernelSpec &spec, tx::FusionOp fusion,
                          llvm::ArrayRef<Argument> ins,
                          llvm::ArrayRef<Argument> outs);
  void declare(mlir::Operation *launch, llvm::ArrayRef<shape::Dim> sizes,
               llvm::ArrayRef<mlir::Type> elements);
  void declareUserKernel(tx::KernelCallOp call, mlir::Operation *launch,
                         shape::Dim extent, llvm::ArrayRef<shape::Dim> scalars);
  /// Makes `to` an alias of `from`. `values[to] = values[from]` would be wrong,
  /// because the map may grow between the two accesses.
  void rename(mlir::Value from, mlir::Value to) {
    mlir::Value buffer = values.lookup(from);
    values[to] = buffer;
  }

  shape::Dim symbolOf(mlir::StringAttr name) {
    return tx::dimContext(b.getContext()).symbol(name);
  }
  mlir::Type bufferType() { return txp::BufferType::get(b.getContext()); }
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_PROGRAMEMITTER_H
