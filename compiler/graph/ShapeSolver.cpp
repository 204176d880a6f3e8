//===- ShapeSolver.cpp - The dims of a trace as expressions ---------------===//

#include "compiler/graph/ShapeSolver.h"

#include "compiler/graph/Builders.h"
#include "compiler/graph/CustomCalls.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace tensorc::graph {

LinearExpr LinearExpr::symbol(unsigned id) {
  LinearExpr expr;
  expr.terms.push_back({id, 1});
  return expr;
}

LinearExpr LinearExpr::plus(const LinearExpr &other, int64_t factor) const {
  LinearExpr sum(constant + factor * other.constant);
  const auto *a = terms.begin(), *b = other.terms.begin();
  while (a != terms.end() || b != other.terms.end()) {
    bool fromA =
        b == other.terms.end() || (a != terms.end() && a->first <= b->first);
    unsigned id = fromA ? a->first : b->first;
    int64_t coefficient = 0;
    if (a != terms.end() && a->first == id)
      coefficient += a++->second;
    if (b != other.terms.end() && b->first == id)
      coefficient += factor * b++->second;
    if (coefficient != 0)
      sum.terms.push_back({id, coefficient});
  }
  return sum;
}

ShapeSolver::ShapeSolver(const Trace &trace)
    : trace(trace), numSymbols(trace.sizes.size()),
      ofArgument(trace.sizes.size(), false) {
  for (Node *node : trace.order)
    assign(*node);
}

LinearExpr ShapeSolver::resolve(LinearExpr expr) const {
  // An eliminated symbol's expression may name symbols eliminated after it.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [id, coefficient] : expr.terms) {
      auto it = solved.find(id);
      if (it == solved.end())
        continue;
      expr = expr.plus(LinearExpr::symbol(id), -coefficient)
                 .plus(it->second, coefficient);
      changed = true;
      break;
    }
  }
  return expr;
}

static bool isZero(const LinearExpr &expr) {
  return expr.terms.empty() && expr.constant == 0;
}

void ShapeSolver::equate(const LinearExpr &a, const LinearExpr &b) {
  LinearExpr difference = resolve(a.plus(b, -1));
  if (difference.terms.empty()) {
    solvable &= difference.constant == 0;
    return;
  }
  int64_t divisor = std::abs(difference.constant);
  for (auto [id, coefficient] : difference.terms)
    divisor = std::gcd(divisor, coefficient);
  // Dims of arguments stay: a name is best bound by one of them. A quotient is
  // no unknown.
  const std::pair<unsigned, int64_t> *best = nullptr;
  auto rank = [&](unsigned id) {
    bool argument = id < ofArgument.size() && ofArgument[id];
    return std::pair(!argument, id);
  };
  for (const auto &term : difference.terms)
    if (std::abs(term.second) == divisor && !quotients.contains(term.first) &&
        (!best || rank(term.first) > rank(best->first)))
      best = &term;
  if (!best) {
    solvable = false;
    return;
  }
  // best.id = -(difference - best) / best.coefficient
  LinearExpr rest =
      difference.plus(LinearExpr::symbol(best->first), -best->second);
  LinearExpr value(-rest.constant / best->second);
  for (auto [id, coefficient] : rest.terms)
    value.terms.push_back({id, -coefficient / best->second});
  solved[best->first] = value;
}

void ShapeSolver::equate(const Dims &a, const Dims &b) {
  for (auto [x, y] : llvm::zip(a, b))
    equate(x, y);
}

/// A dim of its own: a symbol, unless the key fixes the size.
LinearExpr ShapeSolver::open(int64_t size) {
  unsigned id = inBody ? numSymbols++ : nextSize++;
  return size > 1 ? LinearExpr::symbol(id) : LinearExpr(size);
}

void ShapeSolver::assignOwned(const Node &node, Dims &result) {
  for (int64_t size : node.shape()) {
    if (!inBody && isArgument(node))
      ofArgument[nextSize] = true;
    result.push_back(open(size));
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
  // One dim against one: equal, because all the others are.
  unsigned rest = kept.prefix + kept.suffix;
  if (result.size() == rest + 1 && from.size() == rest + 1)
    equate(result[kept.prefix], from[kept.prefix]);
}

/// The sizes of a key and a counter are part of what they are.
void ShapeSolver::fixWords(const Node &node) {
  for (Node *operand : node.inputs()) {
    const Dims words = known[operand];
    equate(words[0], LinearExpr(operand->shape()[0]));
  }
}

void ShapeSolver::assignBroadcast(const Node &node, Dims &result) {
  const Node &x = *node.inputs()[0];
  const Dims from = known[&x];
  for (auto [i, dim] :
       llvm::enumerate(node.attributes<tx::BroadcastAttributes>().dims))
    if (x.shape()[i] != 1)
      equate(result[dim], from[i]);
}

/// Inside a composite the offset is part of the structure.
static bool isReversedDim(const Node &slice, unsigned i, int64_t size) {
  auto attributes = slice.attributes<tx::SliceAttributes>();
  return slice.shape()[i] == size && attributes.staticOffsets[i] == size - 1 &&
         attributes.strides[i] == -1;
}

void ShapeSolver::assignSlice(const Node &node, Dims &result) {
  const Node &x = *node.inputs()[0];
  const Dims from = known[&x];
  for (unsigned i = 0; i < node.rank(); ++i)
    if (isWholeDim(node, i, x.shape()[i]) ||
        (inBody && isReversedDim(node, i, x.shape()[i])))
      equate(result[i], from[i]);
}

LinearExpr ShapeSolver::divide(const LinearExpr &dividend, int64_t divisor) {
  LinearExpr known = resolve(dividend);
  bool exact = known.constant % divisor == 0;
  for (auto [id, coefficient] : known.terms)
    exact &= coefficient % divisor == 0;
  if (known.terms.empty() || exact) {
    // Of a constant below 0 no window would have fitted.
    known.constant /= divisor;
    for (auto &[id, coefficient] : known.terms)
      coefficient /= divisor;
    return known;
  }
  for (auto &[id, quotient] : quotients)
    if (quotient.divisor == divisor &&
        isZero(resolve(quotient.dividend.plus(known, -1))))
      return LinearExpr::symbol(id);
  unsigned id = numSymbols++;
  quotients[id] = {known, divisor};
  return LinearExpr::symbol(id);
}

void ShapeSolver::assignWindows(const Node &node, Dims &result) {
  auto all = node.attributes<tx::WindowsAttributes>();
  const Node &x = *node.inputs()[0];
  const Dims from = known[&x];
  result = from;
  for (auto [i, dim] : llvm::enumerate(all.dims)) {
    int64_t extent = (all.sizes[i] - 1) * all.dilations[i] + 1;
    if (node.shape()[dim] < 2)
      equate(from[dim], x.shape()[dim]);
    result[dim] = divide(from[dim].plus(-extent), all.strides[i]).plus(1);
    result.push_back(all.sizes[i]);
  }
}

void ShapeSolver::assignDot(const Node &node, Dims &result) {
  const Dims x = known[node.inputs()[0]], y = known[node.inputs()[1]];
  auto [xBatch, yBatch, xContracting, yContracting] =
      node.attributes<tx::DotGeneralAttributes>();
  for (auto [a, b] : llvm::zip(xBatch, yBatch)) {
    equate(x[a], y[b]);
    result.push_back(x[a]);
  }
  for (auto [a, b] : llvm::zip(xContracting, yContracting))
    equate(x[a], y[b]);
  auto appendFree = [&](const Dims &dims, Ints batch, Ints contracting) {
    for (auto [i, dim] : llvm::enumerate(dims))
      if (!llvm::is_contained(batch, static_cast<int64_t>(i)) &&
          !llvm::is_contained(contracting, static_cast<int64_t>(i)))
        result.push_back(dim);
  };
  appendFree(x, xBatch, xContracting);
  appendFree(y, yBatch, yContracting);
}

void ShapeSolver::assignComposite(const Node &node, Dims &result) {
  bool outer = std::exchange(inBody, true);
  for (Node *inner : compositeBodyOrder(node))
    assign(*inner);
  inBody = outer;
  result = known[node.compositeBody()];
}

void ShapeSolver::assignGather(const Node &node, Dims &result) {
  auto numbers = node.attributes<tx::GatherAttributes>();
  const Dims x = known[node.inputs()[0]];
  Dims batch = known[node.inputs()[1]];
  if (numbers.indexVectorDim < static_cast<int64_t>(batch.size())) {
    equate(batch[numbers.indexVectorDim],
           LinearExpr(numbers.startIndexMap.size()));
    batch.erase(batch.begin() + numbers.indexVectorDim);
  }
  Dims window;
  for (size_t d = 0; d < x.size(); ++d)
    if (!llvm::is_contained(numbers.collapsedSliceDims, int64_t(d)))
      window.push_back(numbers.sliceSizes[d] == -1
                           ? x[d]
                           : LinearExpr(numbers.sliceSizes[d]));
  for (size_t d = 0, b = 0, w = 0; d < node.rank(); ++d)
    result.push_back(llvm::is_contained(numbers.offsetDims, int64_t(d))
                         ? window[w++]
                         : batch[b++]);
}

void ShapeSolver::assignScatter(const Node &node, Dims &result) {
  auto numbers = node.attributes<tx::ScatterAttributes>();
  result = known[node.inputs()[0]];
  Dims batch = known[node.inputs()[1]];
  const Dims updates = known[node.inputs()[2]];
  if (numbers.indexVectorDim < static_cast<int64_t>(batch.size())) {
    equate(batch[numbers.indexVectorDim],
           LinearExpr(numbers.scatterDimsToOperandDims.size()));
    batch.erase(batch.begin() + numbers.indexVectorDim);
  }
  for (size_t d = 0, b = 0; d < updates.size(); ++d)
    if (!llvm::is_contained(numbers.updateWindowDims, int64_t(d)))
      equate(updates[d], batch[b++]);
  uint64_t whole = wholeWindows(node);
  for (size_t d = 0, w = 0; d < result.size(); ++d)
    if (!llvm::is_contained(numbers.insertedWindowDims, int64_t(d))) {
      const LinearExpr &window = updates[numbers.updateWindowDims[w++]];
      if (whole >> d & 1)
        equate(window, result[d]);
    }
}

void ShapeSolver::assignUpdate(const Node &node, Dims &result) {
  result = known[node.inputs()[0]];
  const Dims update = known[node.inputs()[1]];
  uint64_t whole = wholeWindows(node);
  for (size_t d = 0; d < result.size(); ++d)
    if (whole >> d & 1)
      equate(update[d], result[d]);
}

/// Ops whose dims follow from their operands'.
void ShapeSolver::assignDerived(const Node &node, Dims &result) {
  const Dims first = known[node.inputs()[0]];
  unsigned rank = node.rank();
  switch (node.op()) {
  case OpKind::Transpose:
    for (int64_t axis : node.attributes<tx::TransposeAttributes>().permutation)
      result.push_back(first[axis]);
    return;
  case OpKind::Pad: {
    auto pad = node.attributes<tx::PadAttributes>();
    for (unsigned i = 0; i < rank; ++i) {
      int64_t size = node.inputs()[0]->shape()[i];
      LinearExpr dim = first[i].plus(pad.low[i] + pad.high[i]);
      if (size > 0)
        dim = dim.plus(first[i].plus(-1), pad.interior[i]);
      if (node.shape()[i] < 2)
        equate(first[i], size);
      result.push_back(dim);
    }
    return;
  }
  case OpKind::DynamicSlice:
    for (auto [dim, size] : llvm::zip(
             first, node.attributes<tx::DynamicSliceAttributes>().sliceSizes))
      result.push_back(size == -1 ? dim : LinearExpr(size));
    return;
  case OpKind::Concatenate: {
    int64_t axis = node.attributes<tx::ConcatenateAttributes>().dim;
    result = first;
    for (Node *input : node.inputs().drop_front()) {
      const Dims other = known[input];
      for (unsigned i = 0; i < rank; ++i)
        if (i != axis)
          equate(result[i], other[i]);
      result[axis] = result[axis].plus(other[axis]);
    }
    return;
  }
  default:
    break;
  }
  bool reduction = traits(node.op()).category == Category::Reduction;
  Ints reduced;
  if (reduction)
    reduced = node.attributes<tx::ReductionAttributes>().dims;
  for (auto [i, dim] : llvm::enumerate(first))
    if (!llvm::is_contained(reduced, static_cast<int64_t>(i)))
      result.push_back(dim);
  if (!reduction)
    for (Node *input : node.inputs().drop_front())
      equate(result, known[input]);
}

/// The expression over the names' sizes; nothing if it is not linear.
static std::optional<LinearExpr> linear(mlir::AffineExpr expr,
                                        llvm::ArrayRef<LinearExpr> symbols) {
  if (auto constant = dyn_cast<mlir::AffineConstantExpr>(expr))
    return LinearExpr(constant.getValue());
  if (auto symbol = dyn_cast<mlir::AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<mlir::AffineBinaryOpExpr>(expr);
  auto x = linear(binary.getLHS(), symbols);
  auto y = linear(binary.getRHS(), symbols);
  if (!x || !y)
    return std::nullopt;
  if (expr.getKind() == mlir::AffineExprKind::Add)
    return x->plus(*y);
  if (expr.getKind() != mlir::AffineExprKind::Mul)
    return std::nullopt;
  if (y->terms.empty())
    return x->times(y->constant);
  return x->terms.empty() ? std::optional(y->times(x->constant)) : std::nullopt;
}

/// As the kernel declares: names that stand alone bind, all else is equated.
void ShapeSolver::assignKernel(const Node &node, const kernels::Kernel &kernel,
                               Dims &result) {
  std::map<std::string, LinearExpr, std::less<>> bound;
  auto eachDim = [&](auto action) {
    for (auto [input, value] : llvm::zip(node.inputs(), kernel.inputs))
      for (auto [d, dim] : llvm::enumerate(known[input]))
        action(value.dims.parsed, value.dims.parsed.getDims().getResult(d),
               dim);
  };
  eachDim([&](tx::DimsAttr dims, mlir::AffineExpr expr, const LinearExpr &dim) {
    if (auto symbol = dyn_cast<mlir::AffineSymbolExpr>(expr))
      bound.try_emplace(dims.getNames()[symbol.getPosition()].str(), dim);
  });
  auto equateTo = [&](tx::DimsAttr dims, mlir::AffineExpr expr,
                      const LinearExpr &dim) {
    llvm::SmallVector<LinearExpr> symbols;
    for (mlir::StringAttr name : dims.getNames())
      symbols.push_back(bound.find(name.str())->second);
    if (auto value = linear(expr, symbols))
      equate(dim, *value);
  };
  eachDim(equateTo);
  size_t next = 0;
  for (const auto &output : kernel.outputs)
    for (unsigned d = 0; d < output.dims.size(); ++d)
      equateTo(output.dims.parsed, output.dims.parsed.getDims().getResult(d),
               LinearExpr(result[next++]));
}

void ShapeSolver::assign(const Node &node) {
  Dims result;
  if (node.op() == OpKind::CustomCall) {
    // The dims of all results, one after the other.
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
  } else if (node.op() == OpKind::Composite && !isArgument(node)) {
    assignComposite(node, result);
  } else if (ownsShape(node)) {
    assignOwned(node, result);
    if (!isArgument(node)) {
      if (node.op() == OpKind::Reshape)
        assignReshape(node, result);
      else if (node.op() == OpKind::RandomBits)
        fixWords(node);
      else if (node.op() == OpKind::Broadcast)
        assignBroadcast(node, result);
      else if (node.op() == OpKind::Slice)
        assignSlice(node, result);
    }
  } else if (node.op() == OpKind::Windows) {
    assignWindows(node, result);
  } else if (node.op() == OpKind::DotGeneral) {
    assignDot(node, result);
  } else if (node.op() == OpKind::Gather) {
    assignGather(node, result);
  } else if (node.op() == OpKind::Scatter) {
    assignScatter(node, result);
  } else if (node.op() == OpKind::DynamicUpdateSlice) {
    assignUpdate(node, result);
  } else {
    assignDerived(node, result);
  }
  known[&node] = std::move(result);
}

ShapeSolver::Dims ShapeSolver::dims(const Node &node) const {
  Dims result;
  for (const LinearExpr &dim : known.find(&node)->second)
    result.push_back(resolve(dim));
  return result;
}

llvm::SmallVector<unsigned> ShapeSolver::unbound() const {
  llvm::SmallVector<unsigned> result;
  for (unsigned id = 0; id < trace.sizes.size(); ++id)
    if (trace.sizes[id] > 1 && !ofArgument[id] && !solved.contains(id))
      result.push_back(id);
  return result;
}

} // namespace tensorc::graph
