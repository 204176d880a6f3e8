//===- RegionCalls.cpp - Recording branches and loops ---------------------===//

#include "compiler/graph/module/RegionCalls.h"

#include "compiler/graph/Dependents.h"
#include "compiler/graph/kernels/Kernel.h"
#include "compiler/graph/module/ShapeSolver.h"
#include "compiler/graph/module/ToModule.h"
#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tensorc::graph {

using Nodes = SmallVector<NodeRef>;

//===----------------------------------------------------------------------===//
// Building the region
//===----------------------------------------------------------------------===//

namespace {
/// Builds a region from bodies whose nodes have been collected. The caller must
/// hold graphMutex().
class Builder {
public:
  Builder(MLIRContext &context, const RegionOp &op, ArrayRef<NodeRef> inputs,
          ArrayRef<Body> bodies, ArrayRef<Dependents> inside,
          ArrayRef<Node *> captured, bool isFixed);

  /// Returns null if the sizes cannot be expressed by names.
  OwningOpRef<ModuleOp> build();
  /// Returns the values of the region's named sizes.
  SmallVector<int64_t> sizes() const;

private:
  using Dims = ShapeSolver::Dims;
  const Node &argument(unsigned body, size_t i) {
    return *bodies[body].arguments[i].get();
  }
  const Node &result(unsigned body, size_t i) {
    return *bodies[body].results[i].get();
  }
  void equateBodies();
  Type typeOf(const Node &node, bool isStacked = false);
  SmallVector<Type> inputTypes();
  SmallVector<Type> resultTypes();
  Operation *create(OpBuilder &b, ValueRange operands);
  void fill(unsigned body, Region &region, AddKernel addKernel);

  MLIRContext &context;
  const RegionOp &op;
  ArrayRef<NodeRef> inputs;
  ArrayRef<Body> bodies;
  ArrayRef<Dependents> inside;
  ArrayRef<Node *> captured;
  llvm::SetVector<Node *> given, order;
  std::vector<int64_t> allSizes;
  std::optional<ShapeSolver> solver;
  std::optional<SizeNames> names;
  shape::Dim length;
};
} // namespace

Builder::Builder(MLIRContext &context, const RegionOp &op,
                 ArrayRef<NodeRef> inputs, ArrayRef<Body> bodies,
                 ArrayRef<Dependents> inside, ArrayRef<Node *> captured,
                 bool isFixed)
    : context(context), op(op), inputs(inputs), bodies(bodies), inside(inside),
      captured(captured) {
  for (const Body &body : bodies)
    for (const NodeRef &argument : body.arguments)
      given.insert(argument.get());
  given.insert_range(captured);
  if (op.kind == RegionOp::StopGradient)
    given.insert(inputs[0].get());
  for (const Dependents &nodes : inside)
    for (Node *node : nodes.order)
      order.insert(node);
  for (Node *node : given)
    allSizes.insert(allSizes.end(), node->shape().begin(), node->shape().end());
  for (Node *node : order)
    appendSizes(*node, allSizes);
  allSizes.push_back(op.length);
  solver.emplace(given.getArrayRef(), order.getArrayRef(), allSizes, isFixed,
                 context);
  length = solver->open(op.length);
  names.emplace(*solver, context);
  equateBodies();
}

/// Equates the types of values that are passed between blocks or carried by a
/// loop.
void Builder::equateBodies() {
  auto equateAll = [&](ArrayRef<NodeRef> a, ArrayRef<NodeRef> b) {
    for (auto [x, y] : llvm::zip_first(a, b))
      solver->equateDims(*x.get(), *y.get());
  };
  switch (op.kind) {
  case RegionOp::If:
  case RegionOp::Switch:
    for (const Body &body : bodies.drop_front()) {
      equateAll(bodies[0].arguments, body.arguments);
      equateAll(bodies[0].results, body.results);
    }
    return;
  case RegionOp::While:
    equateAll(bodies[0].arguments, bodies[1].arguments);
    equateAll(bodies[1].results, bodies[1].arguments);
    return;
  case RegionOp::Scan:
    for (int64_t i = 0; i < op.carried; ++i)
      solver->equateDims(argument(0, 1 + i), result(0, i));
    return;
  case RegionOp::CustomVjp: {
    ArrayRef<NodeRef> made = bodies[0].results, taken = bodies[1].arguments;
    size_t returned = op.returned, kept = made.size() - returned;
    equateAll(made.drop_front(returned), taken);
    equateAll(made.take_front(returned), taken.drop_front(kept));
    equateAll(bodies[1].results, bodies[0].arguments);
    // Inputs whose gradient is not computed are arguments of both blocks.
    equateAll(bodies[0].arguments.drop_front(op.arguments),
              taken.drop_front(made.size()));
    return;
  }
  case RegionOp::StopGradient:
    return;
  }
}

/// Returns the type of a value, or of its stacked values in all iterations.
Type Builder::typeOf(const Node &node, bool isStacked) {
  Dims dims = solver->dims(node);
  if (isStacked)
    dims.insert(dims.begin(), solver->resolve(length));
  return tx::tensorType(names->named(dims), toType(context, node.dtype()));
}

SmallVector<Type> Builder::inputTypes() {
  SmallVector<Type> types;
  for (size_t i = 0; i < inputs.size(); ++i)
    switch (op.kind) {
    case RegionOp::If:
    case RegionOp::Switch:
      types.push_back(
          i == 0 ? RankedTensorType::get(inputs[0]->shape(),
                                         toType(context, inputs[0]->dtype()))
                 : typeOf(argument(0, i - 1)));
      break;
    case RegionOp::Scan: {
      auto number = static_cast<int64_t>(i);
      types.push_back(
          typeOf(argument(0, 1 + i),
                 number >= op.carried && number < op.carried + op.scanned));
      break;
    }
    case RegionOp::StopGradient:
      types.push_back(typeOf(*inputs[i].get()));
      break;
    default:
      types.push_back(typeOf(argument(0, i)));
    }
  for (Node *node : captured)
    types.push_back(typeOf(*node));
  return types;
}

SmallVector<Type> Builder::resultTypes() {
  if (op.kind == RegionOp::StopGradient)
    return {typeOf(*inputs[0].get())};
  unsigned body = op.kind == RegionOp::While ? 1 : 0;
  SmallVector<Type> types;
  for (size_t i = 0; i < bodies[body].results.size(); ++i)
    types.push_back(
        typeOf(result(body, i), op.kind == RegionOp::Scan &&
                                    static_cast<int64_t>(i) >= op.carried));
  return types;
}

Operation *Builder::create(OpBuilder &b, ValueRange operands) {
  Location loc = b.getUnknownLoc();
  SmallVector<Type> types = resultTypes();
  switch (op.kind) {
  case RegionOp::If:
    return tx::IfOp::create(b, loc, types, operands[0], operands.drop_front());
  case RegionOp::Switch:
    return tx::SwitchOp::create(b, loc, types, operands[0],
                                operands.drop_front(), bodies.size());
  case RegionOp::While:
    return tx::WhileOp::create(b, loc, types, operands,
                               op.most ? b.getI64IntegerAttr(op.most)
                                       : IntegerAttr());
  case RegionOp::Scan: {
    auto size = tx::DimsAttr::get(&context,
                                  names->named(Dims{solver->resolve(length)}));
    return tx::ScanOp::create(b, loc, types, size,
                              b.getI64IntegerAttr(op.carried),
                              b.getI64IntegerAttr(op.scanned), operands,
                              op.reverse ? b.getUnitAttr() : UnitAttr());
  }
  case RegionOp::CustomVjp:
    return tx::CustomVjpOp::create(b, loc, types, op.arguments, op.returned,
                                   operands);
  case RegionOp::StopGradient:
    return tx::StopGradientOp::create(b, loc, operands[0]);
  }
  llvm_unreachable("all kinds are listed");
}

/// Fills the block of body `number`. Its arguments are the body's own, followed
/// by the values that any of the bodies captures.
void Builder::fill(unsigned number, Region &region, AddKernel addKernel) {
  SmallVector<Node *> arguments = pointers(bodies[number].arguments);
  llvm::append_range(arguments, captured);
  auto module = toModule(context, inside[number].order, arguments,
                         pointers(bodies[number].results), *names);
  auto function = *module->getOps<func::FuncOp>().begin();
  moveKernels(*module, function, addKernel);
  region.takeBody(function.getBody());
  Operation *exit = region.front().getTerminator();
  OpBuilder b(exit);
  tx::ReturnOp::create(b, exit->getLoc(), exit->getOperands());
  exit->erase();
}

OwningOpRef<ModuleOp> Builder::build() {
  if (!solver->succeeded())
    return {};
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  auto b = OpBuilder::atBlockEnd(module->getBody());
  auto function =
      func::FuncOp::create(b, loc, "main", b.getFunctionType({}, {}));
  Block *entry = function.addEntryBlock();
  for (Type type : inputTypes())
    entry->addArgument(type, loc);
  b.setInsertionPointToEnd(entry);
  Operation *made = create(b, entry->getArguments());
  llvm::DenseMap<const kernels::Kernel *, StringAttr> symbols;
  auto addKernel = [&](const kernels::Kernel &kernel) {
    StringAttr &symbol = symbols[&kernel];
    if (!symbol)
      symbol = kernels::addToModule(*module, kernel);
    return symbol;
  };
  for (unsigned i = 0; i < bodies.size(); ++i)
    fill(i, made->getRegion(i), addKernel);
  func::ReturnOp::create(b, loc, made->getResults());
  function.setType(
      b.getFunctionType(entry->getArgumentTypes(), made->getResultTypes()));
  // Returns null if the sizes cannot be expressed by names. The caller then
  // builds the region again, with numbers as sizes.
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  if (failed(verify(*module)))
    return {};
  return module;
}

SmallVector<int64_t> Builder::sizes() const {
  return llvm::map_to_vector(names->symbols(), [&](shape::Dim symbol) {
    return allSizes[solver->sizeOf(symbol)];
  });
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

/// Returns the shape of one result.
static SmallVector<int64_t> shapeOf(const RegionOp &op, const Node &result,
                                    size_t number) {
  SmallVector<int64_t> shape(result.shape());
  if (op.kind == RegionOp::Scan && static_cast<int64_t>(number) >= op.carried)
    shape.insert(shape.begin(), op.length);
  return shape;
}

Nodes regionCall(Recorder &r, MLIRContext &context, const RegionOp &op,
                 ArrayRef<NodeRef> inputs, ArrayRef<Body> bodies) {
  static constexpr StringLiteral opNames[] = {
      tx::IfOp::getOperationName(),
      tx::SwitchOp::getOperationName(),
      tx::WhileOp::getOperationName(),
      tx::ScanOp::getOperationName(),
      tx::CustomVjpOp::getOperationName(),
      tx::StopGradientOp::getOperationName()};
  Nodes operands(inputs);
  const RegionTemplate *region = nullptr;
  SmallVector<int64_t> sizes;
  {
    std::scoped_lock lock(graphMutex());
    std::vector<Dependents> inside(bodies.size());
    llvm::SetVector<Node *> captured;
    auto isInside = [](const Node &, unsigned) { return true; };
    for (auto [body, nodes] : llvm::zip(bodies, inside)) {
      if (!collectDependents(r, body.arguments, body.results, isInside, nodes))
        return {};
      captured.insert_range(
          nodes.inputs.getArrayRef().drop_front(body.arguments.size()));
    }
    for (Node *node : captured)
      operands.push_back(node);
    for (bool isFixed : {false, true}) {
      Builder builder(context, op, inputs, bodies, inside,
                      captured.getArrayRef(), isFixed);
      OwningOpRef<ModuleOp> module = builder.build();
      sizes = builder.sizes();
      if (!module)
        continue;
      region = &keepRegion(std::move(module));
      break;
    }
  }
  assert(region && "numbers can say all sizes");
  CustomCall call;
  call.name = opNames[op.kind].data();
  call.config = call.derivative = "";
  call.region = region;
  call.sizes = sizes;
  ArrayRef<NodeRef> results;
  if (!bodies.empty())
    results = bodies[op.kind == RegionOp::While ? 1 : 0].results;
  else
    results = inputs.take_front();
  SmallVector<SmallVector<int64_t>> shapes;
  for (auto [i, result] : llvm::enumerate(results))
    shapes.push_back(shapeOf(op, *result.get(), i));
  for (auto [result, shape] : llvm::zip(results, shapes))
    call.outputs.push_back({result->dtype(), shape});
  return customCall(r, call, operands);
}

} // namespace tensorc::graph
