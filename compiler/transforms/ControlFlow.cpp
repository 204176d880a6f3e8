//===- ControlFlow.cpp - Branches and loops of recorded functions ---------===//

#include "compiler/transforms/ControlFlow.h"

#include "compiler/graph/RegionCalls.h"
#include "compiler/graph/ToModule.h"
#include "compiler/jit/Session.h"
#include "compiler/transforms/Dependents.h"
#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::transforms {

using graph::DType;
using graph::Node;
using graph::NodeRef;
using graph::Recorder;

using Types = llvm::SmallVector<std::pair<DType, graph::Shape>>;
using Nodes = llvm::SmallVector<NodeRef>;

namespace {
/// An op with blocks that is being recorded.
class RegionCall {
public:
  RegionCall(Recorder &r, llvm::ArrayRef<const Body *> bodies)
      : r(r), bodies(bodies), inside(bodies.size()) {}

  /// `make` gives the op without its blocks, for operands of these types: the
  /// inputs, and what the bodies capture.
  template <typename Make>
  Nodes run(llvm::ArrayRef<NodeRef> inputs, const Types &results, Make make);

private:
  bool collect();
  void fill(mlir::MLIRContext &context, unsigned body, mlir::Region &region);

  Recorder &r;
  llvm::ArrayRef<const Body *> bodies;
  std::vector<Dependents> inside;
  llvm::SetVector<Node *> captured;
};
} // namespace

/// False after an error.
bool RegionCall::collect() {
  auto isInside = [](const Node &, unsigned) { return true; };
  for (auto [body, nodes] : llvm::zip(bodies, inside)) {
    if (!collectDependents(r, body->arguments, body->results, isInside, nodes))
      return false;
    captured.insert_range(
        nodes.inputs.getArrayRef().drop_front(body->arguments.size()));
  }
  return true;
}

/// The body's block, which takes all that any body captures.
void RegionCall::fill(mlir::MLIRContext &context, unsigned number,
                      mlir::Region &region) {
  const Body &body = *bodies[number];
  llvm::SmallVector<Node *> arguments = pointers(body.arguments);
  llvm::append_range(arguments, captured);
  auto module = graph::toModule(context, inside[number].order, arguments,
                                pointers(body.results));
  auto function = *module->getOps<mlir::func::FuncOp>().begin();
  region.takeBody(function.getBody());
  mlir::Operation *exit = region.front().getTerminator();
  mlir::OpBuilder b(exit);
  tx::ReturnOp::create(b, exit->getLoc(), exit->getOperands());
  exit->erase();
}

template <typename Make>
Nodes RegionCall::run(llvm::ArrayRef<NodeRef> inputs, const Types &results,
                      Make make) {
  std::string name, text;
  Nodes operands(inputs);
  jit::Session::get().withContext([&](mlir::MLIRContext &context) {
    std::scoped_lock lock(graph::graphMutex());
    if (!collect())
      return;
    for (Node *node : captured)
      operands.push_back(node);
    mlir::OpBuilder b(&context);
    mlir::Location loc = b.getUnknownLoc();
    auto typeIn = [&](DType dtype,
                      llvm::ArrayRef<int64_t> shape) -> mlir::Type {
      return mlir::RankedTensorType::get(shape, graph::toType(context, dtype));
    };
    mlir::Block block;
    for (const NodeRef &operand : operands)
      block.addArgument(typeIn(operand->dtype(), operand->shape()), loc);
    llvm::SmallVector<mlir::Type> types;
    for (auto &[dtype, shape] : results)
      types.push_back(typeIn(dtype, shape));
    b.setInsertionPointToEnd(&block);
    mlir::Operation *op =
        make(b, loc, mlir::TypeRange(types), block.getArguments());
    for (unsigned i = 0; i < bodies.size(); ++i)
      fill(context, i, op->getRegion(i));
    name = op->getName().getStringRef();
    text = graph::regionText(op);
  });
  if (!r.error.empty())
    return {};
  graph::CustomCall call;
  call.name = name.c_str();
  call.config = text.c_str();
  call.derivative = "";
  call.isOp = true;
  for (auto &[dtype, shape] : results)
    call.outputs.push_back({dtype, shape});
  return graph::customCall(r, call, operands);
}

static Types typesOf(llvm::ArrayRef<NodeRef> nodes) {
  Types types;
  for (const NodeRef &node : nodes)
    types.push_back({node->dtype(), graph::Shape(node->shape())});
  return types;
}

static bool checkCount(Recorder &r, const char *op, const llvm::Twine &what,
                       size_t expected, size_t given) {
  if (expected == given)
    return true;
  r.fail(op, what + " has " + llvm::Twine(given) + " tensors, not " +
                 llvm::Twine(expected));
  return false;
}

static bool checkSame(Recorder &r, const char *op, const llvm::Twine &before,
                      const Node &a, const llvm::Twine &after, const Node &b) {
  if (a.dtype() == b.dtype() && a.shape() == b.shape())
    return true;
  r.fail(op, before + " is " + typeOf(a) + ", " + after + " " + typeOf(b));
  return false;
}

static bool checkOneBool(Recorder &r, const char *op, const char *what,
                         const Node &x) {
  if (x.dtype() == DType::I1 && x.numElements() == 1)
    return true;
  r.fail(op,
         llvm::Twine(what) + " is " + typeOf(x) + ", not one element of i1");
  return false;
}

/// What goes around must come back as it went.
static bool checkCarried(Recorder &r, const char *op,
                         llvm::ArrayRef<NodeRef> carried,
                         llvm::ArrayRef<NodeRef> next) {
  for (auto [i, before] : llvm::enumerate(carried))
    if (!checkSame(r, op, "carried tensor " + llvm::Twine(i), *before.get(),
                   "after an iteration", *next[i].get()))
      return false;
  return true;
}

Nodes branch(Recorder &r, const NodeRef &predicate,
             llvm::ArrayRef<NodeRef> inputs, const Body &then,
             const Body &otherwise) {
  const char *op = "cond";
  if (!checkOneBool(r, op, "the predicate", *predicate.get()) ||
      !checkCount(r, op, "a branch's arguments", inputs.size(),
                  then.arguments.size()) ||
      !checkCount(r, op, "a branch's arguments", inputs.size(),
                  otherwise.arguments.size()) ||
      !checkCount(r, op, "the second branch's result", then.results.size(),
                  otherwise.results.size()))
    return {};
  for (auto [i, result] : llvm::enumerate(then.results))
    if (!checkSame(r, op, "result " + llvm::Twine(i), *result.get(),
                   "of the second branch", *otherwise.results[i].get()))
      return {};
  Nodes all{predicate};
  llvm::append_range(all, inputs);
  const Body *bodies[] = {&then, &otherwise};
  return RegionCall(r, bodies).run(
      all, typesOf(then.results),
      [&](mlir::OpBuilder &b, mlir::Location loc, mlir::TypeRange types,
          mlir::ValueRange operands) -> mlir::Operation * {
        return tx::IfOp::create(b, loc, types, operands[0],
                                operands.drop_front());
      });
}

Nodes repeatWhile(Recorder &r, llvm::ArrayRef<NodeRef> carried,
                  const Body &condition, const Body &body) {
  const char *op = "while_loop";
  if (!checkCount(r, op, "the body's result", carried.size(),
                  body.results.size()) ||
      !checkCount(r, op, "the condition", 1, condition.results.size()) ||
      !checkCount(r, op, "the body's arguments", carried.size(),
                  body.arguments.size()) ||
      !checkCount(r, op, "the condition's arguments", carried.size(),
                  condition.arguments.size()) ||
      !checkOneBool(r, op, "the condition", *condition.results[0].get()) ||
      !checkCarried(r, op, carried, body.results))
    return {};
  const Body *bodies[] = {&condition, &body};
  return RegionCall(r, bodies).run(
      carried, typesOf(carried),
      [&](mlir::OpBuilder &b, mlir::Location loc, mlir::TypeRange types,
          mlir::ValueRange operands) -> mlir::Operation * {
        return tx::WhileOp::create(b, loc, types, operands);
      });
}

Nodes scan(Recorder &r, llvm::ArrayRef<NodeRef> carried,
           llvm::ArrayRef<NodeRef> scanned, int64_t length, bool reverse,
           const Body &body) {
  const char *op = "scan";
  if (length < 0) {
    r.fail(op, "the length is " + llvm::Twine(length));
    return {};
  }
  for (auto [i, x] : llvm::enumerate(scanned))
    if (x->rank() == 0 || x->shape()[0] != length) {
      r.fail(op, "scanned tensor " + llvm::Twine(i) + " is " +
                     typeOf(*x.get()) + ", the length is " +
                     llvm::Twine(length));
      return {};
    }
  if (!checkCount(r, op, "the body's arguments",
                  1 + carried.size() + scanned.size(), body.arguments.size()))
    return {};
  if (body.results.size() < carried.size()) {
    checkCount(r, op, "the body's result", carried.size(), body.results.size());
    return {};
  }
  if (!checkCarried(r, op, carried, body.results))
    return {};
  Types types = typesOf(carried);
  for (auto &[dtype, shape] :
       typesOf(body.results.drop_front(carried.size()))) {
    shape.insert(shape.begin(), length);
    if (!graph::checkShape(r, op, dtype, shape))
      return {};
    types.push_back({dtype, shape});
  }
  Nodes all(carried);
  llvm::append_range(all, scanned);
  const Body *bodies[] = {&body};
  return RegionCall(r, bodies).run(
      all, types,
      [&](mlir::OpBuilder &b, mlir::Location loc, mlir::TypeRange results,
          mlir::ValueRange operands) -> mlir::Operation * {
        auto size = tx::DimsAttr::get(b.getContext(), shape::Dim(length));
        return tx::ScanOp::create(b, loc, results, size,
                                  b.getI64IntegerAttr(carried.size()),
                                  b.getI64IntegerAttr(scanned.size()), operands,
                                  reverse ? b.getUnitAttr() : mlir::UnitAttr());
      });
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

Nodes customVjp(Recorder &r, llvm::ArrayRef<NodeRef> arguments, size_t returned,
                const Body &forward, const Body &backward) {
  const char *op = "custom_vjp";
  if (!checkCount(r, op, "the function's arguments", arguments.size(),
                  forward.arguments.size()) ||
      !checkCount(r, op, "the gradient's arguments", forward.results.size(),
                  backward.arguments.size()) ||
      !checkCount(r, op, "the gradient", arguments.size(),
                  backward.results.size()))
    return {};
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (!checkSame(r, op, "argument " + llvm::Twine(i), *argument.get(),
                   "its gradient", *backward.results[i].get()))
      return {};
  const Body *bodies[] = {&forward, &backward};
  Nodes made = RegionCall(r, bodies).run(
      arguments, typesOf(forward.results),
      [&](mlir::OpBuilder &b, mlir::Location loc, mlir::TypeRange types,
          mlir::ValueRange operands) -> mlir::Operation * {
        return tx::CustomVjpOp::create(b, loc, types, arguments.size(),
                                       returned, operands);
      });
  if (!made.empty())
    made.truncate(returned);
  return made;
}

NodeRef stopGradient(Recorder &r, const NodeRef &x) {
  Nodes made = RegionCall(r, {}).run(
      x, typesOf(x),
      [&](mlir::OpBuilder &b, mlir::Location loc, mlir::TypeRange,
          mlir::ValueRange operands) -> mlir::Operation * {
        return tx::StopGradientOp::create(b, loc, operands[0]);
      });
  return made.empty() ? NodeRef() : made.front();
}

} // namespace tensorc::transforms
