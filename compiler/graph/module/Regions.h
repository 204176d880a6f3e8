//===- Regions.h - Ops with blocks, stored in nodes -----------------------===//
//
// A branch or a loop is recorded as a custom call that holds a region. Sizes in
// the region other than 0 and 1 are names, r0, r1, ..., and the node lists
// their values. So a loop has one region for all sizes.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_MODULE_REGIONS_H
#define TENSORC_COMPILER_GRAPH_MODULE_REGIONS_H

#include "compiler/graph/CustomCalls.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

namespace tensorc::graph {

/// True if ops with this name are recorded as regions: ops with blocks, and
/// tx.stop_gradient.
bool hasRegions(llvm::StringRef name);
inline bool isRegionCall(const Node &node) {
  return node.op() == OpKind::CustomCall &&
         node.attributes<CustomCall>().region;
}

/// Returns the template for a module whose function begins with the op.
const RegionTemplate &keepRegion(mlir::OwningOpRef<mlir::ModuleOp> module);

/// Returns the name r<number> of a size in a region.
std::string nameInRegion(unsigned number);
/// Returns the function type from the operands' to the results' types.
mlir::FunctionType regionType(mlir::MLIRContext &context,
                              const RegionTemplate &region);

/// Adds a user's kernel to a module unless it is there already, and returns its
/// symbol.
using AddKernel = llvm::function_ref<mlir::StringAttr(const kernels::Kernel &)>;
/// Updates calls of kernels within the op from their symbols in the module
/// `from` to their symbols in another module.
void moveKernels(mlir::ModuleOp from, mlir::Operation *op, AddKernel addKernel);
/// Returns a copy of the op with these operands and sizes. All copied ops get
/// the location `loc`.
mlir::Operation *cloneRegion(mlir::OpBuilder &b, mlir::Location loc,
                             const RegionTemplate &region,
                             mlir::ValueRange inputs,
                             llvm::ArrayRef<shape::Dim> sizes,
                             AddKernel addKernel);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_MODULE_REGIONS_H
