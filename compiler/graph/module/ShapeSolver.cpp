//===- ShapeSolver.cpp - The dims of a trace as expressions ---------------===//

#include "compiler/graph/module/ShapeSolver.h"

#include "compiler/graph/OpShapes.h"
#include "compiler/graph/module/Regions.h"
#include "ir/tx/Dims.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using llvm::ArrayRef;
using tensorc::shape::Dim;

namespace tensorc::graph {

ShapeSolver::ShapeSolver(const Trace &trace, mlir::MLIRContext &context)
    : ShapeSolver({}, trace.order, trace.sizes, /*isFixed=*/false, context) {
  // The size of a slice along a dim of which it omits elements is a separate
  // symbol. Slices that take the same part of equal shapes get equal symbols,
  // so that the steps of an unrolled loop share their kernels. The cache key
  // records which slices are equal in this way.
  for (auto [slice, first] : alikeSlices(trace.order)) {
    const Dims sizes = known[slice], others = known[first];
    for (unsigned i = 0; i < slice->rank(); ++i)
      if (!isWholeDim(*slice, i, slice->inputs()[0]->shape()[i]))
        equate(sizes[i], others[i]);
  }
}

ShapeSolver::ShapeSolver(ArrayRef<Node *> given, ArrayRef<Node *> order,
                         ArrayRef<int64_t> sizes, bool isFixed,
                         mlir::MLIRContext &context)
    : sizes(sizes), context(context), isFixed(isFixed),
      given(given.begin(), given.end()), owners(sizes.size(), Owner::Op) {
  for (unsigned id = 0; id < sizes.size(); ++id)
    addSymbol();
  for (Node *node : given)
    assign(*node);
  for (Node *node : order)
    assign(*node);
}

Dim ShapeSolver::addSymbol() {
  Dim symbol =
      tx::dimContext(&context).symbol("d" + std::to_string(symbols.size()));
  ids[symbol] = symbols.size();
  symbols.push_back(symbol);
  return symbol;
}

/// The expression of an eliminated symbol may contain symbols that were
/// eliminated later.
Dim ShapeSolver::resolve(Dim dim) const {
  return shape::substitute(dim, [&](Dim symbol) {
    auto it = solved.find(symbol);
    return it == solved.end() ? symbol : resolve(it->second);
  });
}

/// True if the symbol occurs within an atom (such as a floordiv) of the
/// expression.
static bool isInsideAtom(Dim symbol, Dim expr) {
  bool found = false;
  for (const shape::Term &term : expr.terms())
    if (term.factors != ArrayRef(symbol))
      for (Dim factor : term.factors)
        shape::forEachSymbol(factor,
                             [&](Dim other) { found |= other == symbol; });
  return found;
}

void ShapeSolver::equate(Dim a, Dim b) {
  Dim difference = resolve(a - b);
  if (difference.isNumber() || difference.isNone()) {
    solvable &= difference == 0;
    return;
  }
  int64_t divisor = std::abs(difference.constant());
  for (const shape::Term &term : difference.terms())
    divisor = std::gcd(divisor, term.coefficient);
  // Prefers to eliminate symbols that are not dims of arguments, because dims
  // of arguments bind the names.
  auto rank = [&](Dim symbol) {
    unsigned id = ids.lookup(symbol);
    bool argument = id < owners.size() && owners[id] != Owner::Op;
    return std::pair(!argument, id);
  };
  const shape::Term *best = nullptr;
  for (const shape::Term &term : difference.terms())
    if (std::abs(term.coefficient) == divisor && term.factors.size() == 1 &&
        term.factors[0].isSymbol() &&
        !isInsideAtom(term.factors[0], difference) &&
        (!best || rank(term.factors[0]) > rank(best->factors[0])))
      best = &term;
  if (!best) {
    solvable = false;
    return;
  }
  // best * symbol + rest = 0
  Dim symbol = best->factors[0];
  Dim rest = difference - symbol * best->coefficient;
  solved[symbol] =
      shape::floorDiv(rest, divisor) * (best->coefficient > 0 ? -1 : 1);
}

void ShapeSolver::equate(ArrayRef<Dim> a, ArrayRef<Dim> b) {
  for (auto [x, y] : llvm::zip(a, b))
    equate(x, y);
}

Dim ShapeSolver::open(int64_t size) {
  unsigned id = nextSize++;
  return size < 2 || isFixed ? Dim(size) : symbols[id];
}

void ShapeSolver::equateDims(const Node &a, const Node &b) {
  const Dims x = known[&a], y = known[&b];
  equate(x, y);
}

void ShapeSolver::assignOwned(const Node &node, Dims &result) {
  std::optional<unsigned> joined = joinedDim(node);
  for (auto [i, size] : llvm::enumerate(node.shape())) {
    unsigned id = nextSize;
    if (isGiven(node))
      owners[id] = joined == i ? Owner::Joined : Owner::Argument;
    result.push_back(open(size));
    if (joined == i && !isFixed)
      result.back() = symbols[id];
  }
}

void ShapeSolver::assignReshape(const Node &node, Dims &result) {
  const Node &x = *node.inputs()[0];
  const Dims from = known[&x];
  Alignment kept = alignmentOf(x.shape(), node.shape());
  for (unsigned i = 0; i < kept.prefix; ++i)
    equate(result[i], from[i]);
  for (unsigned i = 1; i <= kept.suffix; ++i)
    equate(result[result.size() - i], from[from.size() - i]);
  // If a single dim remains on each side, the two are equal, because the shapes
  // have the same number of elements and all other dims are equal.
  unsigned rest = kept.prefix + kept.suffix;
  if (result.size() == rest + 1 && from.size() == rest + 1)
    equate(result[kept.prefix], from[kept.prefix]);
}

/// The sizes of random keys and counters are fixed.
void ShapeSolver::fixWords(const Node &node) {
  for (Node *operand : node.inputs()) {
    const Dims words = known[operand];
    equate(words[0], operand->shape()[0]);
  }
}

void ShapeSolver::assignSlice(const Node &node, Dims &result) {
  const Node &x = *node.inputs()[0];
  const Dims from = known[&x];
  for (unsigned i = 0; i < node.rank(); ++i)
    if (isWholeDim(node, i, x.shape()[i]))
      equate(result[i], from[i]);
}

/// Adds the equations that a shape rule requires.
void ShapeSolver::equate(const shape::InferredShape &rule) {
  solvable &= !rule.isRefused();
  for (const shape::Condition &condition : rule.conditions)
    if (condition.relation == shape::Condition::Equal)
      equate(condition.a, condition.b);
}

/// Fixes the sizes of x along dims in which the result is 0 or 1, because the
/// key contains them.
void ShapeSolver::fixSmall(const Node &node, ArrayRef<int64_t> dims) {
  const Node &x = *node.inputs()[0];
  const Dims from = known[&x];
  for (int64_t dim : dims)
    if (node.shape()[dim] < 2)
      equate(from[dim], x.shape()[dim]);
}

/// Equates windows that are as large as x with x's dims.
void ShapeSolver::equateWhole(const Node &node, ArrayRef<Dim> windows) {
  const Dims x = known[node.inputs()[0]];
  uint64_t whole = wholeWindows(node);
  for (size_t d = 0; d < x.size(); ++d)
    if (whole >> d & 1)
      equate(windows[d], x[d]);
}

shape::InferredShape ShapeSolver::infer(const Node &node, shape::Dims result) {
  // Uses the dims as solved so far: a dim that a window fixed at 1 is broadcast
  // like any other dim of 1. As a symbol it would be equated with the size to
  // which it is broadcast.
  llvm::SmallVector<Dims> solvedDims;
  for (Node *input : node.inputs())
    solvedDims.push_back(dims(*input));
  llvm::SmallVector<shape::Dims> operands(solvedDims.begin(), solvedDims.end());
  if (auto rule = inferShape(node.op(), operands, node.words(), result))
    return *rule;
  // Element-wise ops.
  shape::InferredShape same;
  for (shape::Dims operand : operands)
    if (same.dims.empty())
      same.dims.assign(operand.begin(), operand.end());
    else
      same.requireAllEqual(operands[0], operand,
                           [] { return std::string("shapes differ"); });
  return same;
}

/// Assigns the dims of ops whose dims follow from those of the operands.
void ShapeSolver::assignDerived(const Node &node, Dims &result) {
  fixSmall(node, windowDimsOf(node));
  if (node.op() == OpKind::Pad)
    fixSmall(node, llvm::to_vector(llvm::seq<int64_t>(0, node.rank())));
  shape::InferredShape rule = infer(node, {});
  equate(rule);
  // If the rule refuses the operands, `rule.dims` is empty. The solver has then
  // failed, and the dims are not used.
  result.assign(rule.dims.begin(), rule.dims.end());
  if (node.op() == OpKind::DynamicUpdateSlice)
    equateWhole(node, known[node.inputs()[1]]);
  if (node.op() != OpKind::Scatter)
    return;
  auto numbers = node.attributes<tx::ScatterAttributes>();
  Dims windows;
  for (size_t d = 0, w = 0; d < node.rank(); ++d)
    windows.push_back(
        llvm::is_contained(numbers.insertedWindowDims, int64_t(d))
            ? Dim(1)
            : known[node.inputs()[2]][numbers.updateWindowDims[w++]]);
  equateWhole(node, windows);
}

/// Follows the kernel's declaration: dims that are just a name bind the name,
/// and all others give equations.
void ShapeSolver::assignKernel(const Node &node, const kernels::Kernel &kernel,
                               Dims &result) {
  llvm::StringMap<Dim> bound;
  auto eachDim = [&](auto action) {
    for (auto [input, value] : llvm::zip(node.inputs(), kernel.inputs))
      for (auto [declared, dim] : llvm::zip(value.dims.dims(), known[input]))
        action(declared, dim);
  };
  eachDim([&](Dim declared, Dim dim) {
    if (declared.isSymbol())
      bound.try_emplace(declared.name(), dim);
  });
  auto equateTo = [&](Dim declared, Dim dim) {
    equate(dim, shape::substitute(declared, [&](Dim symbol) {
             return bound.lookup(symbol.name());
           }));
  };
  eachDim(equateTo);
  size_t next = 0;
  for (const auto &output : kernel.outputs)
    for (Dim declared : output.dims.dims())
      equateTo(declared, result[next++]);
}

/// The names in the region become new symbols, which the region's operands
/// bind.
void ShapeSolver::assignRegions(const Node &node, const CustomCall &call,
                                Dims &result) {
  llvm::StringMap<Dim> bound;
  Dims &all = regionNames[&node];
  for (auto [i, size] : llvm::enumerate(call.sizes)) {
    all.push_back(open(size));
    bound[nameInRegion(i)] = all.back();
  }
  auto here = [&](Dim declared) {
    return shape::substitute(
        declared, [&](Dim symbol) { return bound.lookup(symbol.name()); });
  };
  auto dimsOf = [](mlir::Type type) {
    return tx::dimsOf(llvm::cast<mlir::RankedTensorType>(type));
  };
  mlir::FunctionType type = regionType(context, *call.region);
  for (auto [input, declared] : llvm::zip(node.inputs(), type.getInputs()))
    for (auto [dim, name] : llvm::zip(Dims(known[input]), dimsOf(declared)))
      equate(dim, here(name));
  for (mlir::Type declared : type.getResults())
    for (Dim dim : dimsOf(declared))
      result.push_back(here(dim));
}

void ShapeSolver::assign(const Node &node) {
  Dims result;
  if (given.contains(&node)) {
    assignOwned(node, result);
  } else if (isRegionCall(node)) {
    assignRegions(node, node.attributes<CustomCall>(), result);
  } else if (node.op() == OpKind::CustomCall) {
    // The dims of all results, concatenated.
    for (const CustomCall::Output &output :
         node.attributes<CustomCall>().outputs)
      for (int64_t size : output.shape)
        result.push_back(open(size));
    if (const kernels::Kernel *kernel = node.attributes<CustomCall>().kernel)
      assignKernel(node, *kernel, result);
  } else if (node.op() == OpKind::CustomResult && !isArgument(node)) {
    const Dims &all = known[node.inputs()[0]];
    size_t first = node.inputs()[0]->attributes<CustomCall>().firstDim(
        node.attributes<CustomResultAttributes>().index);
    result.append(all.begin() + first, all.begin() + first + node.rank());
  } else if (ownsShape(node)) {
    assignOwned(node, result);
    if (isArgument(node))
      ;
    else if (node.op() == OpKind::RandomBits)
      fixWords(node);
    else if (!node.inputs().empty())
      equate(infer(node, result));
    if (!isArgument(node) && node.op() == OpKind::Reshape)
      assignReshape(node, result);
    if (!isArgument(node) && node.op() == OpKind::Slice)
      assignSlice(node, result);
  } else {
    assignDerived(node, result);
  }
  known[&node] = std::move(result);
}

ShapeSolver::Dims ShapeSolver::names(const Node &regionCall) const {
  Dims result;
  for (Dim dim : regionNames.find(&regionCall)->second)
    result.push_back(resolve(dim));
  return result;
}

ShapeSolver::Dims ShapeSolver::dims(const Node &node) const {
  Dims result;
  for (Dim dim : known.find(&node)->second)
    result.push_back(resolve(dim));
  return result;
}

llvm::SmallVector<unsigned> ShapeSolver::unbound() const {
  llvm::SmallVector<unsigned> result;
  for (unsigned id = 0; id < sizes.size(); ++id)
    if (sizes[id] > 1 && owners[id] == Owner::Op &&
        !solved.contains(symbols[id]))
      result.push_back(id);
  return result;
}

} // namespace tensorc::graph
