//===- GraphImport.h - Import an ONNX model as a module -------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_ONNX_GRAPHIMPORT_H
#define TENSORC_COMPILER_FRONTENDS_ONNX_GRAPHIMPORT_H

#include "compiler/frontends/files/Source.h"
#include "compiler/frontends/onnx/NodeImport.h"
#include "compiler/frontends/onnx/model/TensorData.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace tensorc::onnx {

/// The names that are visible in a graph: its own names, and through `parent`
/// those of the enclosing graphs.
struct Scope {
  Scope *parent = nullptr;
  /// The block that receives the tx ops of this graph.
  mlir::Block *block = nullptr;
  llvm::StringMap<Value> values;
  llvm::StringMap<SmallVector<Value>> sequences;
  llvm::StringMap<const Tensor *> initializers;
  /// Results of refused nodes and of nodes that use them.
  llvm::StringMap<bool> lost;
  /// Maps unsupported outputs to the op that they belong to.
  llvm::StringMap<std::string> absent;
  /// The attributes of the call. Set only in the body of a function.
  const llvm::StringMap<const Attribute *> *attributes = nullptr;
  /// Prefix of the names of nodes in a function's body.
  std::string prefix;
  /// The versions of operator sets that the model or the function uses, by
  /// domain.
  llvm::StringMap<int64_t> operatorSets;
  const Function *function = nullptr;
  /// The scope that calls the function.
  Scope *caller = nullptr;
};

class GraphImport {
public:
  GraphImport(const Model &model, TensorData &data,
              llvm::ArrayRef<frontends::NamedShape> shapes, StringRef path,
              mlir::MLIRContext *context);

  /// Returns the module, or null after reporting errors.
  mlir::OwningOpRef<mlir::ModuleOp> run();

  Known known;
  TensorData &data;

  // ===--- For imports of nodes -----------------------------------------===//

  /// Returns the value with this name. If there is none, returns null and sets
  /// `why`.
  Value lookup(StringRef name, std::string &why);
  std::optional<SmallVector<Value>> lookupSequence(StringRef name,
                                                   std::string &why);
  /// Resolves a reference to an attribute in a function's body. Returns null if
  /// the call lacks the attribute.
  const Attribute *resolve(const Attribute &attribute) const;
  Value constant(const Tensor &tensor, std::string &why);
  /// Returns the reason why a value is not known, such as `depends on the input
  /// x, by NonZero`.
  std::string whyUnknown(Value value);

  //===--- Graphs in attributes -----------------------------------------===//

  Scope &scope() { return *current; }
  mlir::MLIRContext *getContext() { return context; }
  mlir::OpBuilder &builder() { return b; }
  /// Returns the outside values that the graph captures, by name and without
  /// duplicates. Constants are omitted, because each block clones them.
  llvm::SmallVector<std::pair<StringRef, Value>> captures(const Graph &graph);
  /// Imports the nodes into a block in which `names` map to block arguments or
  /// other values. Returns the values of the outputs, or failure after
  /// reporting errors.
  mlir::FailureOr<SmallVector<Value>>
  importBody(const Graph &graph, mlir::Block *block,
             llvm::ArrayRef<std::pair<StringRef, Value>> names);

private:
  const Model &model;
  llvm::ArrayRef<frontends::NamedShape> shapes;
  std::string path;
  mlir::MLIRContext *context;
  mlir::OpBuilder b;
  Scope *current = nullptr;
  bool failed = false;
  unsigned depth = 0;
  int64_t importedNodes = 0;
  llvm::StringMap<const Function *> functions;

  mlir::LogicalResult checkModel();
  void checkNodes(llvm::ArrayRef<Node> nodes, const Scope &scope,
                  llvm::StringMap<std::string> &missing, unsigned level);
  mlir::FailureOr<mlir::Type> argumentType(const ValueInfo &input);
  mlir::LogicalResult importSignature(mlir::func::FuncOp function);
  mlir::LogicalResult importResults(mlir::func::FuncOp function);
  void addInitializers(const Graph &graph);
  void importNodes(llvm::ArrayRef<Node> nodes);
  void importNode(const Node &node);
  void importCall(const Node &node, const Function &function);
  const Function *functionOf(const Node &node) const;
  std::string nameOf(const Node &node) const;
  void lose(const Node &node);
  void error(const llvm::Twine &text);
  void error(const Node &node, int64_t opset, const llvm::Twine &text);
};

/// Returns the newest import of an op that is valid for this opset, or null.
/// Sets `known` if the op exists in any opset.
Import findImport(StringRef domain, StringRef op, int64_t opset, bool &known);
/// Returns the reason why an op can never be supported, such as `works on
/// strings`, or an empty string.
StringRef whyNever(StringRef domain, StringRef op);

constexpr int64_t newestOpset = 28;

} // namespace tensorc::onnx

#endif // TENSORC_COMPILER_FRONTENDS_ONNX_GRAPHIMPORT_H
