//===- ControlOps.cpp - ONNX's branches, loops and other ops with graphs --===//
//
// Blocks of tx ops cannot read outside values. Values that a graph captures
// become inputs of the op; constants are cloned into the block.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/onnx/GraphImport.h"
#include "ir/tx/Control.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <cmath>

using namespace mlir;

namespace tensorc::onnx {

using Names = SmallVector<std::pair<StringRef, Value>>;

static const Graph *graphOf(NodeImport &n, StringRef name) {
  const auto *attribute = n.attribute(name);
  if (attribute && attribute->graph)
    return attribute->graph.get();
  n.refuse("the graph " + name + " is missing");
  return nullptr;
}

static SmallVector<Value> valuesOf(const Names &names) {
  SmallVector<Value> values;
  for (auto [name, value] : names)
    values.push_back(value);
  return values;
}

/// Adds block arguments for the values, under their names.
static Names addArguments(Block *block, const Names &outer) {
  Names inner;
  for (auto [name, value] : outer)
    inner.push_back(
        {name, block->addArgument(value.getType(), value.getLoc())});
  return inner;
}

static void finish(NodeImport &n, Block *block, ArrayRef<Value> results) {
  n.b.setInsertionPointToEnd(block);
  // A refused node has no value, and its block is erased.
  if (!n.isRefused())
    tx::ReturnOp::create(n.b, n.loc, results);
  n.b.setInsertionPointToEnd(n.graph.scope().block);
}

/// Checks the type of the condition of a branch or loop.
static bool isCondition(NodeImport &n, Value value) {
  if (dtypeOf(value) == DType::I1)
    return true;
  return n.refuse("the condition is not of BOOL"), false;
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

static void branch(NodeImport &n) {
  Value predicate = n.in(0);
  const Graph *thenGraph = graphOf(n, "then_branch"),
              *elseGraph = graphOf(n, "else_branch");
  if (n.isRefused())
    return;
  auto set = [&](ValueRange values) {
    for (auto [i, value] : llvm::enumerate(values))
      n.set(i, value);
  };
  // In exported models the condition often follows from the shapes, so that
  // only one branch is imported.
  if (const Known::Sizes *known = n.known().sizes(predicate);
      known && known->size() == 1 && (*known)[0].isNumber()) {
    const Graph &taken = (*known)[0] != 0 ? *thenGraph : *elseGraph;
    auto results = n.graph.importBody(taken, n.graph.scope().block, {});
    if (succeeded(results))
      set(*results);
    return;
  }
  if (!isCondition(n, predicate))
    return;
  predicate = n.reshape(predicate, {});
  if (n.isRefused())
    return;
  Names captured = n.graph.captures(*thenGraph);
  for (auto each : n.graph.captures(*elseGraph))
    if (llvm::none_of(captured,
                      [&](auto &old) { return old.first == each.first; }))
      captured.push_back(each);
  Region bodies[2];
  SmallVector<Type> types;
  const Graph *graphs[] = {thenGraph, elseGraph};
  for (auto [i, graph] : llvm::enumerate(graphs)) {
    Block *block = &bodies[i].emplaceBlock();
    Names names = addArguments(block, captured);
    auto results = n.graph.importBody(*graph, block, names);
    if (failed(results))
      return;
    auto own = llvm::to_vector(ValueRange(*results).getTypes());
    if (i && own != types) {
      n.refuse("the branches have results of different shapes or dtypes");
      return;
    }
    types = own;
    finish(n, block, *results);
  }
  auto op = tx::IfOp::create(n.b, n.loc, types, predicate, valuesOf(captured));
  op.getThenBody().takeBody(bodies[0]);
  op.getElseBody().takeBody(bodies[1]);
  set(op.getResults());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Refuses a loop whose carried values change their types.
static bool sameTypes(NodeImport &n, ValueRange before, ValueRange after,
                      ArrayRef<StringRef> names) {
  for (auto [a, b, name] : llvm::zip(before, after, names))
    if (a.getType() != b.getType())
      return n.refuse("'" + name + "' changes from " +
                      tx::shapeString(a.getType()) + " to " +
                      tx::shapeString(b.getType()) +
                      ", or its dtype, from iteration to iteration"),
             false;
  return true;
}

static bool isKnownTrue(NodeImport &n, Value value) {
  const Known::Sizes *known = n.known().sizes(value);
  return known && known->size() == 1 && (*known)[0] == 1;
}

namespace {
/// A Loop's body, imported under the assumption that its condition is true.
struct LoopBody {
  Region region;
  Value iteration, goesOn;
  SmallVector<Value> arguments, carried, stacked;
};
} // namespace

static LogicalResult importLoop(NodeImport &n, const Graph &body,
                                ValueRange initial, const Names &captured,
                                LoopBody &loop) {
  if (body.inputs.size() != initial.size() + 2 ||
      body.outputs.size() < initial.size() + 1)
    return n.refuse("the body has other numbers of inputs or outputs"),
           failure();
  Block *block = &loop.region.emplaceBlock();
  auto number = RankedTensorType::get({}, n.b.getI64Type());
  loop.iteration = block->addArgument(number, n.loc);
  Names names{{body.inputs[0].name, loop.iteration}};
  n.b.setInsertionPointToEnd(block);
  names.push_back({body.inputs[1].name, n.full(1, DType::I1)});
  for (auto [input, value] :
       llvm::zip(ArrayRef(body.inputs).drop_front(2), initial)) {
    loop.arguments.push_back(block->addArgument(value.getType(), n.loc));
    names.push_back({input.name, loop.arguments.back()});
  }
  llvm::append_range(names, addArguments(block, captured));
  auto results = n.graph.importBody(body, block, names);
  if (failed(results))
    return failure();
  loop.goesOn = results->front();
  if (!isCondition(n, loop.goesOn))
    return failure();
  auto values = ArrayRef(*results).drop_front();
  loop.carried.assign(values.begin(), values.begin() + initial.size());
  loop.stacked.assign(values.begin() + initial.size(), values.end());
  SmallVector<StringRef> carriedNames;
  for (const ValueInfo &input : ArrayRef(body.inputs).drop_front(2))
    carriedNames.push_back(input.name);
  return success(sameTypes(n, initial, loop.carried, carriedNames));
}

static void countedLoop(NodeImport &n, LoopBody &loop, Dim count,
                        ArrayRef<Value> initial, const Names &captured) {
  SmallVector<Value> inputs(initial), results(loop.carried);
  llvm::append_range(inputs, valuesOf(captured));
  SmallVector<Type> types = llvm::to_vector(ValueRange(initial).getTypes());
  for (Value part : loop.stacked) {
    SmallVector<Dim> dims(dimsOf(part));
    dims.insert(dims.begin(), count);
    types.push_back(
        tx::tensorType(dims, tx::elementType(n.b.getContext(), dtypeOf(part))));
    results.push_back(part);
  }
  finish(n, &loop.region.front(), results);
  auto op = tx::ScanOp::create(n.b, n.loc, types,
                               tx::DimsAttr::get(n.b.getContext(), count),
                               initial.size(), 0, inputs);
  op.getBody().takeBody(loop.region);
  for (auto [i, value] : llvm::enumerate(op.getResults()))
    n.set(i, value);
}

/// Builds a loop that runs while the condition holds and the trip count is not
/// reached. Both are carried, before the values that the model carries.
static void openLoop(NodeImport &n, LoopBody &loop, Value maxTrips,
                     Value condition, ArrayRef<Value> initial,
                     const Names &captured) {
  if (!loop.stacked.empty()) {
    n.refuse("how many iterations it stacks must be known before the model "
             "runs, and " +
             n.whyUnknown(maxTrips && !n.known().sizes(maxTrips)
                              ? maxTrips
                              : loop.goesOn));
    return;
  }
  SmallVector<Value> inputs{n.full(0, DType::I64),
                            condition ? n.reshape(condition, {})
                                      : n.full(1, DType::I1)};
  llvm::append_range(inputs, initial);
  llvm::append_range(inputs, valuesOf(captured));
  if (maxTrips)
    inputs.push_back(n.reshape(maxTrips, {}));
  if (n.isRefused())
    return;
  Region test;
  Block *block = &test.emplaceBlock();
  for (Value input : inputs)
    block->addArgument(input.getType(), n.loc);
  n.b.setInsertionPointToEnd(block);
  Value goesOn = block->getArgument(1);
  if (maxTrips)
    goesOn = n.logicalAnd(
        goesOn, n.less(block->getArgument(0), block->getArguments().back()));
  finish(n, block, goesOn);
  // Inserts the argument for the body's condition after the iteration number.
  Block &body = loop.region.front();
  body.insertArgument(1u, n.e.full(1, DType::I1).getType(), n.loc);
  if (maxTrips)
    body.addArgument(maxTrips.getType(), n.loc)
        .setType(inputs.back().getType());
  n.b.setInsertionPointToEnd(&body);
  SmallVector<Value> next{n.add(loop.iteration, 1), n.reshape(loop.goesOn, {})};
  llvm::append_range(next, loop.carried);
  finish(n, &body, next);
  if (n.isRefused())
    return;
  SmallVector<Type> types;
  for (Value input : ArrayRef(inputs).take_front(2 + initial.size()))
    types.push_back(input.getType());
  auto op = tx::WhileOp::create(n.b, n.loc, types, inputs, IntegerAttr());
  op.getCondition().takeBody(test);
  op.getBody().takeBody(loop.region);
  for (auto [i, value] : llvm::enumerate(op.getResults().drop_front(2)))
    n.set(i, value);
}

static void loop(NodeImport &n) {
  const Graph *body = graphOf(n, "body");
  Value maxTrips = n.optional(0), condition = n.optional(1);
  SmallVector<Value> initial;
  for (size_t i = 2; i < n.numInputs(); ++i)
    initial.push_back(n.in(i));
  if (n.isRefused() || (condition && !isCondition(n, condition)))
    return;
  if (maxTrips && dtypeOf(maxTrips) != DType::I64) {
    n.refuse("the count of iterations is not of INT64");
    return;
  }
  Names captured = n.graph.captures(*body);
  LoopBody imported;
  if (failed(importLoop(n, *body, initial, captured, imported)))
    return;
  n.b.setInsertionPointToEnd(n.graph.scope().block);
  const Known::Sizes *count = maxTrips ? n.known().sizes(maxTrips) : nullptr;
  bool counts = count && count->size() == 1 && !(*count)[0].isNone() &&
                (!condition || isKnownTrue(n, condition)) &&
                isKnownTrue(n, imported.goesOn);
  if (counts)
    return countedLoop(n, imported, shape::max((*count)[0], 0), initial,
                       captured);
  // A loop without a trip count and a condition is endless, as ONNX specifies.
  openLoop(n, imported, maxTrips, condition, initial, captured);
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

static Value reversed(NodeImport &n, Value x) {
  if (n.isRefused())
    return Value();
  SmallVector<int64_t> offsets(rankOf(x), 0), strides(rankOf(x), 1);
  offsets[0] = n.numberOf(dimsOf(x)[0], "a dim scanned in reverse") - 1;
  strides[0] = -1;
  return n.slice(x, offsets, strides, SmallVector<Dim>(dimsOf(x)));
}

/// Moves a dim to another position.
static Value moved(NodeImport &n, Value x, int64_t from, int64_t to) {
  if (n.isRefused())
    return Value();
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  order.erase(order.begin() + from);
  order.insert(order.begin() + to, from);
  return n.transpose(x, order);
}

static void scan(NodeImport &n) {
  const Graph *body = graphOf(n, "body");
  SmallVector<Value> inputs = n.all();
  auto scanned = static_cast<size_t>(n.integer("num_scan_inputs", 0));
  if (n.isRefused())
    return;
  if (scanned < 1 || scanned > inputs.size() ||
      body->inputs.size() != inputs.size() ||
      body->outputs.size() < inputs.size() - scanned) {
    n.refuse("the body has other numbers of inputs or outputs");
    return;
  }
  size_t carried = inputs.size() - scanned;
  auto listOf = [&](StringRef name, size_t i) {
    auto list = n.integers(name);
    return list && i < list->size() ? (*list)[i] : 0;
  };
  for (size_t i = 0; i < scanned; ++i) {
    Value &x = inputs[carried + i];
    int64_t axis = n.axis(listOf("scan_input_axes", i), rankOf(x));
    x = moved(n, x, axis, 0);
    if (listOf("scan_input_directions", i))
      x = reversed(n, x);
    if (n.isRefused())
      return;
  }
  Dim length = dimsOf(inputs[carried])[0];
  Names captured = n.graph.captures(*body);
  Region region;
  Block *block = &region.emplaceBlock();
  block->addArgument(RankedTensorType::get({}, n.b.getI64Type()), n.loc);
  Names names;
  for (auto [i, x] : llvm::enumerate(inputs)) {
    Type type = x.getType();
    if (i >= carried)
      type = tx::tensorType(SmallVector<Dim>(dimsOf(x).drop_front()),
                            cast<RankedTensorType>(type).getElementType());
    names.push_back({body->inputs[i].name, block->addArgument(type, n.loc)});
  }
  llvm::append_range(names, addArguments(block, captured));
  auto results = n.graph.importBody(*body, block, names);
  if (failed(results))
    return;
  SmallVector<StringRef> carriedNames;
  for (size_t i = 0; i < carried; ++i)
    carriedNames.push_back(body->inputs[i].name);
  if (!sameTypes(n, ArrayRef(inputs).take_front(carried),
                 ArrayRef(*results).take_front(carried), carriedNames))
    return;
  SmallVector<Type> types;
  for (auto [i, value] : llvm::enumerate(*results)) {
    SmallVector<Dim> dims(dimsOf(value));
    if (i >= carried)
      dims.insert(dims.begin(), length);
    types.push_back(tx::tensorType(
        dims, tx::elementType(n.b.getContext(), dtypeOf(value))));
  }
  finish(n, block, *results);
  llvm::append_range(inputs, valuesOf(captured));
  auto op = tx::ScanOp::create(n.b, n.loc, types,
                               tx::DimsAttr::get(n.b.getContext(), length),
                               carried, scanned, inputs);
  op.getBody().takeBody(region);
  for (auto [i, value] : llvm::enumerate(op.getResults())) {
    Value y = value;
    if (i >= carried) {
      if (listOf("scan_output_directions", i - carried))
        y = reversed(n, y);
      int64_t axis =
          n.isRefused()
              ? 0
              : n.axis(listOf("scan_output_axes", i - carried), rankOf(y));
      y = moved(n, y, 0, axis);
    }
    n.set(i, y);
  }
}

//===----------------------------------------------------------------------===//
// FlexAttention
//===----------------------------------------------------------------------===//

/// Applies the graph in an attribute to x, if the node has this attribute.
static Value changedBy(NodeImport &n, StringRef name, Value x) {
  if (n.isRefused() || !n.attribute(name))
    return x;
  const Graph *graph = graphOf(n, name);
  if (n.isRefused())
    return Value();
  if (graph->inputs.size() != 1 || graph->outputs.size() != 1)
    return n.refuse("the graph " + name + " has not one input and one output");
  auto results = n.graph.importBody(*graph, n.graph.scope().block,
                                    {{graph->inputs[0].name, x}});
  if (failed(results)) // already reported
    return n.refuse("the graph " + name + " is refused");
  if ((*results)[0].getType() != x.getType())
    return n.refuse("the graph " + name + " changes the shape or the dtype");
  return (*results)[0];
}

/// Attention with graphs that modify the scores and the probabilities.
static void flexAttention(NodeImport &n) {
  Value q = n.in(0), k = n.in(1), v = n.in(2);
  if (n.isRefused())
    return;
  if (rankOf(q) != 4 || rankOf(k) != 4 || rankOf(v) != 4)
    return void(n.refuse("the queries, keys or values have not 4 dims"));
  DType dtype = dtypeOf(q),
        wide = dtype == DType::F64 ? DType::F64 : DType::F32;
  wide = dtypeFrom(n.integer("softmax_precision", 0)).value_or(wide);
  int64_t heads = n.numberOf(dimsOf(q)[1], "the number of heads"),
          keyHeads = n.numberOf(dimsOf(k)[1], "the number of heads"),
          size = n.numberOf(dimsOf(q)[3], "the size of a head");
  if (n.isRefused())
    return;
  if (keyHeads < 1 || heads % keyHeads || !tx::isFloat(wide))
    return void(n.refuse("the heads of the queries are not a multiple of those "
                         "of the keys, or the precision is of no float"));
  double scale = n.attribute("scale")
                     ? n.real("scale", 0)
                     : 1 / std::sqrt(static_cast<double>(size));
  int64_t group = heads / keyHeads;
  if (!n.attribute("score_mod") && !n.attribute("prob_mod"))
    return n.set(n.make<tx::AttentionOp>(
        dtype, q, k, v, n.full(scale, DType::F32), Value(), group, false));
  Dim batch = dimsOf(q)[0], queries = dimsOf(q)[2], keys = dimsOf(k)[2];
  SmallVector<Dim> grouped{batch, Dim(keyHeads), Dim(group), queries,
                           dimsOf(q)[3]},
      plane{batch, Dim(heads), queries, keys},
      groupedPlane{batch, Dim(keyHeads), Dim(group), queries, keys},
      result{batch, Dim(heads), queries, dimsOf(v)[3]};
  const SmallVector<int64_t> both{0, 1};
  Value scores =
      n.dot(n.reshape(q, grouped), k, {both, both, int64_t(4), int64_t(3)});
  scores = n.mul(n.convert(n.reshape(scores, plane), wide), scale);
  scores = changedBy(n, "score_mod", scores);
  Value shares =
      n.isRefused() ? Value() : n.make<tx::SoftmaxOp>(wide, scores, 3);
  shares = n.convert(changedBy(n, "prob_mod", shares), dtype);
  n.set(n.reshape(n.dot(n.reshape(shares, groupedPlane), v,
                        {both, both, int64_t(4), int64_t(2)}),
                  result));
}

ArrayRef<OpVersion> controlOps() {
  static constexpr OpVersion ops[] = {
      {"If", 1, branch},
      {"Loop", 1, loop},
      {"Scan", 9, scan},
      {"ai.onnx.preview.FlexAttention", 1, flexAttention},
  };
  return ops;
}

} // namespace tensorc::onnx
