//===- ReportGraph.cpp - The graph of kernels in a report -----------------===//

#include "compiler/session/report/ReportGraph.h"

#include "compiler/session/report/Kernels.h"
#include "compiler/session/report/Memory.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Structure.h"

using namespace mlir;

namespace tensorc::report {

namespace {
class GraphMaker {
public:
  explicit GraphMaker(func::FuncOp function) : function(function) {}

  llvm::json::Object make() {
    for (BlockArgument argument : function.getArguments())
      producers[argument] =
          addNode("argument", argumentName(argument), argument.getType(), -1);
    addBlock(function.getBody().front(), -1);
    return llvm::json::Object{{"nodes", std::move(nodes)},
                              {"edges", std::move(edges)}};
  }

private:
  func::FuncOp function;
  llvm::json::Array nodes, edges;
  DenseMap<Value, int64_t> producers; // the node that produces each value
  int64_t numKernels = 0;

  std::string argumentName(BlockArgument argument) {
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      tx::nameAttr);
    return name ? name.str() : "arg" + std::to_string(argument.getArgNumber());
  }

  int64_t addNode(StringRef kind, StringRef name, Type type, int64_t parent) {
    llvm::json::Object node{{"kind", kind},
                            {"name", llvm::json::fixUTF8(name)}};
    if (type)
      node["type"] = typeText(type);
    if (parent >= 0)
      node["parent"] = parent;
    nodes.push_back(std::move(node));
    return nodes.size() - 1;
  }

  void addEdge(Value value, int64_t to) {
    auto from = producers.find(value);
    if (from == producers.end() || from->second == to)
      return;
    llvm::json::Object edge{{"from", from->second}, {"to", to}};
    edge["type"] = typeText(value.getType());
    if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
      edge["bytes"] = quantity(toString(tx::bytesOf(tensor)));
    edges.push_back(std::move(edge));
  }

  void addBlock(Block &block, int64_t parent) {
    for (Operation &op : block.without_terminator())
      addOp(&op, parent);
    Operation *last = block.getTerminator();
    bool isEnd = isa<func::ReturnOp>(last);
    for (OpOperand &operand : last->getOpOperands())
      addEdge(operand.get(), isEnd ? addResult(operand) : parent);
  }

  int64_t addResult(OpOperand &operand) {
    unsigned i = operand.getOperandNumber();
    auto name = function.getResultAttrOfType<StringAttr>(i, tx::nameAttr);
    return addNode("result", name ? name.str() : "out" + std::to_string(i),
                   operand.get().getType(), -1);
  }

  void addOp(Operation *op, int64_t parent) {
    auto fusion = dyn_cast<tx::FusionOp>(op);
    bool isConstant = op->hasTrait<OpTrait::ConstantLike>();
    StringRef name = fusion ? fusion.getName() : op->getName().stripDialect();
    Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
    int64_t node = addNode(fusion       ? "kernel"
                           : isConstant ? "constant"
                                        : "op",
                           name, type, parent);
    for (Value result : op->getResults())
      producers[result] = node;
    for (Value operand : op->getOperands())
      addEdge(operand, node);
    if (fusion) {
      nodes[node].getAsObject()->insert({"kernel", numKernels++});
      return;
    }
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        for (BlockArgument argument : block.getArguments())
          producers[argument] = node;
        addBlock(block, node);
      }
  }
};
} // namespace

llvm::json::Object makeGraph(func::FuncOp function) {
  return GraphMaker(function).make();
}

} // namespace tensorc::report
