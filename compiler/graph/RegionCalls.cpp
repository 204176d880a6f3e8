//===- RegionCalls.cpp - Branches and loops as nodes ----------------------===//

#include "compiler/graph/RegionCalls.h"

#include "compiler/graph/Dependents.h"
#include "compiler/graph/ShapeSolver.h"
#include "compiler/graph/kernels/Kernel.h"
#include "compiler/graph/module/ToModule.h"
#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tensorc::graph {

using Nodes = SmallVector<NodeRef>;

bool hasRegions(StringRef name) {
  return name == tx::IfOp::getOperationName() ||
         name == tx::SwitchOp::getOperationName() ||
         name == tx::WhileOp::getOperationName() ||
         name == tx::ScanOp::getOperationName() ||
         name == tx::CustomVjpOp::getOperationName() ||
         name == tx::StopGradientOp::getOperationName();
}

std::string nameInRegion(unsigned number) {
  return "r" + std::to_string(number);
}

//===----------------------------------------------------------------------===//
// Writing the text
//===----------------------------------------------------------------------===//

namespace {
/// Prints bodies whose nodes are known, under graphMutex().
class Writer {
public:
  Writer(MLIRContext &context, const RegionOp &op, ArrayRef<NodeRef> inputs,
         ArrayRef<Body> bodies, ArrayRef<Dependents> inside,
         ArrayRef<Node *> captured, bool isFixed);

  /// Empty: the sizes cannot be expressed by names.
  std::string write();
  /// What the names stand for.
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

Writer::Writer(MLIRContext &context, const RegionOp &op,
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

/// What goes from one block to another, or around, is of one type.
void Writer::equateBodies() {
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
    // Inputs that have no gradient are arguments of both.
    equateAll(bodies[0].arguments.drop_front(op.arguments),
              taken.drop_front(made.size()));
    return;
  }
  case RegionOp::StopGradient:
    return;
  }
}

/// Stacked: of all iterations.
Type Writer::typeOf(const Node &node, bool isStacked) {
  Dims dims = solver->dims(node);
  if (isStacked)
    dims.insert(dims.begin(), solver->resolve(length));
  return tx::tensorType(names->named(dims), toType(context, node.dtype()));
}

SmallVector<Type> Writer::inputTypes() {
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

SmallVector<Type> Writer::resultTypes() {
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

Operation *Writer::create(OpBuilder &b, ValueRange operands) {
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

/// What calls within the op name in `from` is from now on in another module.
static void moveKernels(ModuleOp from, Operation *op, AddKernel addKernel) {
  op->walk([&](tx::KernelCallOp call) {
    const kernels::Kernel &kernel = kernels::kernelOf(from, call.getKernel());
    call.setKernelAttr(FlatSymbolRefAttr::get(addKernel(kernel)));
  });
}

/// The body's block, which takes all that any body captures.
void Writer::fill(unsigned number, Region &region, AddKernel addKernel) {
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

std::string Writer::write() {
  if (!solver->succeeded())
    return "";
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
  // What names cannot say is said by numbers.
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  if (failed(verify(*module)))
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

SmallVector<int64_t> Writer::sizes() const {
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
  std::string text;
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
      Writer writer(context, op, inputs, bodies, inside, captured.getArrayRef(),
                    isFixed);
      text = writer.write();
      sizes = writer.sizes();
      if (!text.empty())
        break;
    }
  }
  assert(!text.empty() && "numbers can say all sizes");
  CustomCall call;
  call.name = opNames[op.kind].data();
  call.config = text.c_str();
  call.derivative = "";
  call.isOp = true;
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

//===----------------------------------------------------------------------===//
// Reading the text
//===----------------------------------------------------------------------===//

static OwningOpRef<ModuleOp> parsed(MLIRContext &context, StringRef text) {
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  assert(module && "a Writer made it");
  return module;
}

FunctionType regionType(MLIRContext &context, StringRef text) {
  auto module = parsed(context, text);
  return (*module->getOps<func::FuncOp>().begin()).getFunctionType();
}

Operation *regionFromText(OpBuilder &b, Location loc, StringRef text,
                          ValueRange inputs, ArrayRef<shape::Dim> sizes,
                          AddKernel addKernel) {
  auto module = parsed(*b.getContext(), text);
  auto function = *module->getOps<func::FuncOp>().begin();
  moveKernels(*module, function, addKernel);
  Operation *op = b.clone(function.getBody().front().front());
  op->setOperands(inputs);
  op->walk([&](Operation *each) { each->setLoc(loc); });
  llvm::StringMap<shape::Dim> named;
  for (auto [i, size] : llvm::enumerate(sizes))
    named[nameInRegion(i)] = size;
  auto sized = [&](ArrayRef<shape::Dim> dims) {
    return llvm::map_to_vector(dims, [&](shape::Dim dim) {
      return shape::substitute(
          dim, [&](shape::Dim symbol) { return named.lookup(symbol.name()); });
    });
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        return std::pair(Type(tx::tensorType(sized(tx::dimsOf(type)),
                                             type.getElementType())),
                         WalkResult::skip());
      });
  replacer.addReplacement(
      [&](tx::DimsAttr attr)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        return std::pair(Attribute(tx::DimsAttr::get(attr.getContext(),
                                                     sized(attr.getDims()))),
                         WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return op;
}

} // namespace tensorc::graph
