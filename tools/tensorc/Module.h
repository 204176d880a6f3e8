//===- Module.h - Reads programs from files -------------------------------===//
#ifndef TENSORC_TOOLS_TENSORC_MODULE_H
#define TENSORC_TOOLS_TENSORC_MODULE_H

#include "compiler/frontends/readers/Readers.h"
#include "tools/io/Terminal.h"
#include "tools/tensorc/Arguments.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LogicalResult.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir {
class SourceMgrDiagnosticHandler;
}

namespace tensorc::tool {

/// A parsed program, with the source text that its diagnostics need.
class LoadedModule {
public:
  LoadedModule();
  ~LoadedModule();

  /// Reads IN, within the limits; errors go to stderr.
  mlir::LogicalResult load(const Arguments &arguments);
  /// Reads text as the contents of the file `name`.
  mlir::LogicalResult parse(llvm::StringRef text, llvm::StringRef name);

  mlir::ModuleOp get() { return *module; }
  mlir::MLIRContext &getContext() { return context; }
  /// Returns the function that `--entry` names, `main`, or the only one.
  mlir::FailureOr<mlir::func::FuncOp> entry(llvm::StringRef name);
  /// Returns all functions with a body, for an artefact of the whole module.
  llvm::SmallVector<mlir::func::FuncOp> entries();

private:
  mlir::MLIRContext context;
  llvm::SourceMgr sources;
  Terminal terminal;
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The path as given by the user, for messages about the whole module.
  std::string path;

  mlir::LogicalResult read(std::unique_ptr<llvm::MemoryBuffer> buffer,
                           llvm::ArrayRef<frontends::NamedShape> shapes);
};

/// Erases the other functions of the module, so that they need not be compiled.
void keepOnly(mlir::func::FuncOp function);

/// One `--shape=x:1,3,n,n`: sizes or names for the dims of an argument.
using ShapeSpec = frontends::NamedShape;

/// Returns nullopt after reporting an error.
std::optional<std::vector<ShapeSpec>> parseShapes(const Arguments &arguments);

/// Finds an argument by its tx.name, its tx.symbol or argN.
std::optional<unsigned> findArgument(mlir::func::FuncOp function,
                                     llvm::StringRef name);

/// Replaces arguments by constants from files (`[name=]FILE`). An argument is
/// replaced if a tensor in the file has its name.
mlir::LogicalResult bindWeights(llvm::ArrayRef<mlir::func::FuncOp> functions,
                                llvm::ArrayRef<std::string> files);

/// Quantizes the weights to narrow integers (`i8` or `i4[:group]`) and prints
/// the loss of accuracy to stderr.
mlir::LogicalResult
quantizeWeights(llvm::ArrayRef<mlir::func::FuncOp> functions,
                llvm::StringRef format);

/// Rewrites the types of the function so that the named arguments have the
/// given dims. A size replaces the name everywhere, and a name renames it.
mlir::LogicalResult specialize(mlir::func::FuncOp function,
                               llvm::ArrayRef<ShapeSpec> shapes);
/// Specializes each function by the shapes of its arguments. A shape that
/// matches no function is an error.
mlir::LogicalResult specializeAll(llvm::ArrayRef<mlir::func::FuncOp> functions,
                                  llvm::ArrayRef<ShapeSpec> shapes);

/// The value of `--mesh=data=2,model=4`. Without the flag there are no axes.
struct MeshSpec {
  std::vector<std::string> names;
  std::vector<int64_t> sizes;
};
/// Returns nullopt after reporting an error.
std::optional<MeshSpec> parseMesh(const Arguments &arguments);
/// Sets the sizes of this mesh in all tx.shard ops of the module.
mlir::LogicalResult applyMesh(mlir::ModuleOp module, const MeshSpec &mesh);

/// One `--layout=x:NHWC`: the order in which callers pass an image's dims.
struct LayoutSpec {
  std::string name, order;
};
/// Returns nullopt after reporting an error.
std::optional<std::vector<LayoutSpec>> parseLayouts(const Arguments &arguments);
/// Transposes the arguments and results with these names, in each function that
/// has them. A name that no function has is an error.
mlir::LogicalResult applyLayouts(llvm::ArrayRef<mlir::func::FuncOp> functions,
                                 llvm::ArrayRef<LayoutSpec> layouts);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_MODULE_H
