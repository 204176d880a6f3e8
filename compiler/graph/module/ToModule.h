//===- ToModule.h - Conversion of a trace to a tx module ------------------===//
#ifndef TENSORC_COMPILER_GRAPH_MODULE_TOMODULE_H
#define TENSORC_COMPILER_GRAPH_MODULE_TOMODULE_H

#include "compiler/graph/Trace.h"
#include "ir/shape/Dim.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"

namespace tensorc::graph {

/// @main takes the trace's arguments, its words (scalars as `tx.scalar`, slice
/// starts as `tx.symbol`), and then the sizes that `boundSizes` lists.
struct Program {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Indices into Trace::sizes.
  std::vector<uint32_t> boundSizes;
};

/// Converts a trace to a module. If `symbolic`, all sizes except 0 and 1 are
/// names; otherwise they are the numbers in the trace. The module is null if
/// the sizes cannot be expressed by names. The caller must hold graphMutex().
Program toModule(mlir::MLIRContext &context, const Trace &trace, bool symbolic);

/// Converts nodes to a function @main, for transformations of a recorded
/// function. Sizes, starts of slices and the numbers of `order` become
/// constants. `order` lists the nodes from arguments to results, operands
/// first; locations name ops by their index in it. The caller must hold
/// graphMutex().
mlir::OwningOpRef<mlir::ModuleOp> toModule(mlir::MLIRContext &context,
                                           llvm::ArrayRef<Node *> order,
                                           llvm::ArrayRef<Node *> arguments,
                                           llvm::ArrayRef<Node *> results);

class ShapeSolver;

/// Names for the sizes in regions (module/Regions.h), in the order of their first use.
class SizeNames {
public:
  SizeNames(const ShapeSolver &shapes, mlir::MLIRContext &context)
      : shapes(shapes), context(context) {}
  llvm::SmallVector<shape::Dim> named(llvm::ArrayRef<shape::Dim> dims);
  /// Returns the solver's symbols, one per name.
  llvm::ArrayRef<shape::Dim> symbols() const { return met.getArrayRef(); }

  const ShapeSolver &shapes;

private:
  mlir::MLIRContext &context;
  llvm::SetVector<shape::Dim> met;
};

/// Converts a graph to a module whose sizes are names from `names`, not
/// constants.
mlir::OwningOpRef<mlir::ModuleOp> toModule(mlir::MLIRContext &context,
                                           llvm::ArrayRef<Node *> order,
                                           llvm::ArrayRef<Node *> arguments,
                                           llvm::ArrayRef<Node *> results,
                                           SizeNames &names);

/// Returns the index into Trace::sizes of a name in a symbolic module.
std::optional<unsigned> sizeOfName(llvm::StringRef name);

mlir::Type toType(mlir::MLIRContext &context, DType dtype);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_MODULE_TOMODULE_H
