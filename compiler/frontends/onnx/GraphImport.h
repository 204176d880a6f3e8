//===- GraphImport.h - An ONNX model becomes a module ---------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_ONNX_GRAPHIMPORT_H
#define TENSORC_COMPILER_FRONTENDS_ONNX_GRAPHIMPORT_H

#include "compiler/frontends/files/Source.h"
#include "compiler/frontends/onnx/NodeImport.h"
#include "compiler/frontends/onnx/model/TensorData.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace tensorc::onnx {

/// The names that are visible in a graph: its own, then those around it.
struct Scope {
  Scope *parent = nullptr;
  /// Where the tx ops of this graph go.
  mlir::Block *block = nullptr;
  llvm::StringMap<Value> values;
  llvm::StringMap<SmallVector<Value>> sequences;
  llvm::StringMap<const Tensor *> initializers;
  /// Results of nodes that were refused, and of what needs them.
  llvm::StringMap<bool> lost;
  /// Outputs that nodes have in ONNX and not here, and whose they are.
  llvm::StringMap<std::string> absent;
  /// The attributes of the call, in the body of a function.
  const llvm::StringMap<const Attribute *> *attributes = nullptr;
  /// What names of nodes begin with in a function's body.
  std::string prefix;
  /// The operator sets of the model or the function.
  llvm::StringMap<int64_t> operatorSets;
  const Function *function = nullptr;
  /// Where the function is called.
  Scope *caller = nullptr;
};

class GraphImport {
public:
  GraphImport(const Model &model, TensorData &data,
              llvm::ArrayRef<frontends::NamedShape> shapes, StringRef path,
              mlir::MLIRContext *context);

  /// Null after diagnostics.
  mlir::OwningOpRef<mlir::ModuleOp> run();

  Known known;
  TensorData &data;

  //===--- For the import of a node -------------------------------------===//

  /// Null, and why.
  Value lookup(StringRef name, std::string &why);
  std::optional<SmallVector<Value>> lookupSequence(StringRef name,
                                                   std::string &why);
  /// Follows the reference of an attribute in a function's body; null where
  /// the call does not have it.
  const Attribute *resolve(const Attribute &attribute) const;
  Value constant(const Tensor &tensor, std::string &why);
  /// `depends on the input x, by NonZero`: why the value is not known.
  std::string whyUnknown(Value value);

  //===--- Graphs in attributes -----------------------------------------===//

  Scope &scope() { return *current; }
  mlir::MLIRContext *getContext() { return context; }
  mlir::OpBuilder &builder() { return b; }
  /// Values from outside that the graph reads, by name, each once; constants
  /// are not among them, as each block makes its own.
  llvm::SmallVector<std::pair<StringRef, Value>> captures(const Graph &graph);
  /// Imports the nodes into a block whose arguments, or any values, stand for
  /// the names, and returns what stands for the outputs. Failure: said already.
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

/// The newest import of the op that is not newer than the opset; null: none.
/// `known` says whether any opset has it.
Import findImport(StringRef domain, StringRef op, int64_t opset, bool &known);
/// Why an op is none that tensorc could have, or empty: `works on strings`.
StringRef whyNever(StringRef domain, StringRef op);

constexpr int64_t newestOpset = 28;

} // namespace tensorc::onnx

#endif // TENSORC_COMPILER_FRONTENDS_ONNX_GRAPHIMPORT_H
