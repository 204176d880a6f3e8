//===- NodeImport.cpp - Helpers for importing an ONNX op ------------------===//

#include "compiler/frontends/onnx/NodeImport.h"
#include "compiler/frontends/onnx/GraphImport.h"
#include "ir/builder/NamedSlices.h"
#include "ir/tx/ops/ShapeRules.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::onnx {

NodeImport::NodeImport(GraphImport &graph, const Node &node, int64_t opset,
                       OpBuilder &builder, Location loc)
    : node(node), opset(opset), graph(graph), b(builder), loc(loc),
      e(builder, loc), results(node.outputs.size()) {}

Value NodeImport::refuse(const Twine &text) {
  if (refusal.empty())
    refusal = text.str();
  return Value();
}

//===----------------------------------------------------------------------===//
// Inputs and attributes
//===----------------------------------------------------------------------===//

Value NodeImport::in(size_t input) {
  if (isRefused())
    return Value();
  if (!has(input))
    return refuse("input " + Twine(input) + " is missing");
  std::string why;
  Value value = graph.lookup(node.inputs[input], why);
  return value ? value : refuse(why);
}

SmallVector<Value> NodeImport::all() {
  SmallVector<Value> values;
  for (size_t i = 0; i < numInputs(); ++i)
    values.push_back(in(i));
  return values;
}

SmallVector<Value> NodeImport::sequenceIn(size_t input) {
  if (isRefused())
    return {};
  std::string why;
  std::optional<SmallVector<Value>> found =
      has(input) ? graph.lookupSequence(node.inputs[input], why) : std::nullopt;
  if (!found)
    refuse(has(input) ? why : "input " + std::to_string(input) + " is missing");
  return found.value_or(SmallVector<Value>());
}

const Attribute *NodeImport::attribute(StringRef name) const {
  const Attribute *found = nullptr;
  for (const Attribute &attribute : node.attributes)
    if (attribute.name == name)
      found = &attribute;
  return found ? graph.resolve(*found) : nullptr;
}

int64_t NodeImport::integer(StringRef name, int64_t otherwise) {
  const Attribute *found = attribute(name);
  return found ? found->i : otherwise;
}

double NodeImport::real(StringRef name, double otherwise) {
  const Attribute *found = attribute(name);
  return found ? found->f : otherwise;
}

StringRef NodeImport::text(StringRef name, StringRef otherwise) {
  const Attribute *found = attribute(name);
  return found ? found->s : otherwise;
}

std::optional<std::vector<int64_t>> NodeImport::integers(StringRef name) {
  const Attribute *found = attribute(name);
  return found ? std::optional(found->ints) : std::nullopt;
}

std::optional<std::vector<float>> NodeImport::reals(StringRef name) {
  const Attribute *found = attribute(name);
  return found ? std::optional(found->floats) : std::nullopt;
}

Known &NodeImport::known() { return graph.known; }

std::string NodeImport::whyUnknown(Value value) {
  return graph.whyUnknown(value);
}

std::vector<int64_t> NodeImport::numbers(Value value, StringRef what) {
  if (isRefused())
    return {};
  if (auto known = graph.known.numbers(value))
    return *known;
  if (const Known::Sizes *sizes = graph.known.sizes(value)) {
    SmallVector<int64_t> numbers = numbersOf(*sizes, what);
    return {numbers.begin(), numbers.end()};
  }
  refuse(what + Twine(" must be known before the model runs, and ") +
         graph.whyUnknown(value));
  return {};
}

SmallVector<Dim> NodeImport::sizes(Value value, StringRef what) {
  if (isRefused())
    return {};
  const Known::Sizes *sizes = graph.known.sizes(value);
  if (sizes && llvm::none_of(*sizes, [](Dim dim) { return dim.isNone(); }))
    return *sizes;
  refuse(what + Twine(" must follow from the sizes of the inputs, and ") +
         graph.whyUnknown(value));
  return {};
}

std::vector<double> NodeImport::realNumbers(Value value, StringRef what) {
  if (isRefused())
    return {};
  if (auto known = graph.known.reals(value))
    return *known;
  refuse(what + Twine(" must be known before the model runs, and ") +
         graph.whyUnknown(value));
  return {};
}

std::optional<std::vector<int64_t>> NodeImport::listOf(size_t input,
                                                       StringRef name) {
  if (has(input))
    return numbers(in(input), name);
  return integers(name);
}

int64_t NodeImport::axis(int64_t axis, int64_t rank) {
  if (isRefused())
    return 0;
  if (axis < -rank || axis >= rank)
    return refuse("axis " + Twine(axis) + " is outside of rank " + Twine(rank)),
           0;
  return axis < 0 ? axis + rank : axis;
}

SmallVector<int64_t> NodeImport::axes(ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<int64_t> result;
  for (int64_t each : axes)
    result.push_back(axis(each, rank));
  llvm::sort(result);
  if (std::adjacent_find(result.begin(), result.end()) != result.end())
    refuse("an axis is given twice");
  return isRefused() ? SmallVector<int64_t>() : result;
}

int64_t NodeImport::numberOf(Dim dim, const Twine &what) {
  if (std::optional<int64_t> number = dim.number())
    return *number;
  refuse(what + " must be a number, not " + toString(dim) +
         "; fix it by --shape");
  return 0;
}

SmallVector<int64_t> NodeImport::numbersOf(Dims dims, const Twine &what) {
  SmallVector<int64_t> numbers;
  for (Dim dim : dims)
    numbers.push_back(numberOf(dim, what));
  return numbers;
}

void NodeImport::set(size_t output, Value value) {
  if (output < results.size())
    results[output] = value;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Returns the more specific one of two dims: a number, else a symbol.
static Dim simpler(Dim a, Dim b) {
  auto order = [](Dim dim) {
    return dim.isNumber() ? 0 : dim.isSymbol() ? 1 : 2;
  };
  return order(b) < order(a) ? b : a;
}

SmallVector<Dim> NodeImport::commonDims(ArrayRef<Dims> shapes) {
  SmallVector<Dim> common;
  for (Dims dims : shapes) {
    if (dims.size() > common.size())
      common.insert(common.begin(), dims.size() - common.size(), Dim(1));
    for (auto [all, dim] :
         llvm::zip(MutableArrayRef(common).take_back(dims.size()), dims)) {
      if (all == 1)
        all = dim;
      else if (dim != 1 && shape::isEqual(all, dim) == false) {
        refuse("the shapes " + shape::shapeText(shapes[0]) + " and " +
               shape::shapeText(dims) + " do not broadcast: " + toString(all) +
               " and " + toString(dim) + " differ");
        return {};
      } else if (dim != 1) {
        all = simpler(all, dim);
      }
    }
  }
  return common;
}

Value NodeImport::agree(Value x, Dims dims) {
  if (isRefused())
    return Value();
  // Reshapes one dim at a time, so that a run compares the numbers of elements
  // for each of them.
  SmallVector<Dim> own(dimsOf(x));
  for (auto [size, other] : llvm::zip(own, dims.take_back(own.size())))
    if (size != 1 && size != other) {
      size = other;
      x = e.reshape(x, own);
    }
  return x;
}

bool NodeImport::checkDTypes(ArrayRef<Operand> operands) {
  if (isRefused())
    return false;
  std::optional<DType> common;
  for (In operand : operands) {
    if (!operand.value)
      continue;
    DType dtype = dtypeOf(operand.value);
    if (common && *common != dtype)
      return refuse(Twine("the dtypes of the operands differ: ") +
                    tx::dtypeName(*common) + " and " + tx::dtypeName(dtype)),
             false;
    common = dtype;
  }
  // A real constant requires a float operand.
  if (common && !tx::isFloat(*common))
    for (In operand : operands)
      if (!operand.value && operand.isReal)
        return refuse(Twine("is not for the dtype ") + tx::dtypeName(*common)),
               false;
  return true;
}

std::optional<SmallVector<Operand>>
NodeImport::fit(ArrayRef<Operand> operands) {
  if (!checkDTypes(operands))
    return std::nullopt;
  SmallVector<Dims> shapes;
  for (In operand : operands)
    if (operand.value)
      shapes.push_back(dimsOf(operand.value));
  SmallVector<Dim> common = commonDims(shapes);
  SmallVector<Operand> fitting(operands);
  for (Operand &operand : fitting)
    if (operand.value)
      operand.value = agree(operand.value, common);
  return isRefused() ? std::nullopt : std::optional(fitting);
}

Type NodeImport::placeholder(DType dtype) {
  return RankedTensorType::get({}, tx::elementType(b.getContext(), dtype));
}

/// If equality of two sizes could only be checked at run time, reshapes the
/// operands that have one of the sizes to the other one. Returns false if no
/// operand has it.
bool NodeImport::takeAsEqual(Operation *op, const shape::Condition &condition) {
  Dim kept = simpler(condition.a, condition.b),
      other = kept == condition.a ? condition.b : condition.a;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  bool isTaken = false;
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<Dim> dims(dimsOf(operand.get()));
    if (!llvm::is_contained(dims, other))
      continue;
    llvm::replace(dims, other, kept);
    operand.set(e.reshape(operand.get(), dims));
    isTaken = true;
  }
  return isTaken;
}

static std::optional<shape::InferredShape> ruleOf(Operation *op) {
  if (!isa<tx::CompositeOpInterface>(op))
    return tx::inferShape(op);
  SmallVector<Dims> operands;
  for (Value operand : op->getOperands())
    operands.push_back(dimsOf(operand));
  return tx::inferComposite(op, operands);
}

Value NodeImport::settle(Operation *op) {
  Value result = op->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  std::optional<shape::InferredShape> rule = ruleOf(op);
  auto unknown = [](const shape::Condition &condition) {
    return condition.relation == shape::Condition::Equal;
  };
  // Each iteration replaces one size.
  while (rule && !rule->isRefused()) {
    auto *condition = llvm::find_if(rule->conditions, unknown);
    if (condition == rule->conditions.end())
      break;
    if (!takeAsEqual(op, *condition))
      return refuse(condition->text + "; make them equal by --shape");
    rule = ruleOf(op);
  }
  if (rule && rule->isRefused())
    return refuse(rule->refusal);
  if (rule)
    result.setType(tx::tensorType(rule->dims, type.getElementType()));
  return check(result);
}

/// Verifies the created op. Its verifier's errors become the refusal's text.
Value NodeImport::check(Value result) {
  std::string why;
  ScopedDiagnosticHandler handler(b.getContext(), [&](Diagnostic &diagnostic) {
    if (why.empty())
      why = diagnostic.str();
    return success();
  });
  if (succeeded(mlir::verify(result.getDefiningOp(), /*verifyRecursively=*/
                             false)))
    return result;
  return refuse(why);
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

Value NodeImport::select(Value predicate, In x, In y) {
  if (!checkDTypes({x, y}))
    return Value();
  if (dtypeOf(predicate) != DType::I1)
    return refuse("the condition is not of booleans");
  SmallVector<Dims> shapes{dimsOf(predicate)};
  for (In operand : {x, y})
    if (operand.value)
      shapes.push_back(dimsOf(operand.value));
  SmallVector<Dim> common = commonDims(shapes);
  auto fitting = [&](In operand) {
    return operand.value ? Operand(agree(operand.value, common)) : operand;
  };
  Value chosen = agree(predicate, common);
  Operand first = fitting(x), second = fitting(y);
  return isRefused() ? Value() : e.select(chosen, first, second);
}

Value NodeImport::convert(Value x, DType dtype) {
  return isRefused() ? Value() : e.convert(x, dtype);
}
Value NodeImport::convertLike(Value x, Value other) {
  return isRefused() ? Value() : e.convert(x, dtypeOf(other));
}

Value NodeImport::full(In number, DType dtype, Dims dims) {
  if (isRefused())
    return Value();
  // A constant of a storage dtype is converted from another dtype.
  if (tx::isStorage(dtype))
    return e.broadcast(
        e.convert(full(number, tx::isFloat(dtype) ? DType::F32 : DType::I32),
                  dtype),
        dims);
  if (!tx::isFloat(dtype) && number.isReal)
    return e.full(static_cast<int64_t>(number.real), dtype, dims);
  return e.full(number, dtype, dims);
}

Value NodeImport::iota(DType dtype, Dims dims, int64_t dim) {
  return isRefused() ? Value() : e.iota(dtype, dims, dim);
}

Value NodeImport::scalar(Dim value, DType dtype) {
  if (isRefused())
    return Value();
  if (std::optional<int64_t> number = value.number())
    return full(*number, dtype);
  return e.size(value, dtype);
}

Value NodeImport::vector(Dims values) {
  if (isRefused())
    return Value();
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    b.getI64Type());
  SmallVector<int64_t> numbers;
  SmallVector<Value> parts;
  for (Dim value : values) {
    if (std::optional<int64_t> number = value.number())
      numbers.push_back(*number);
    parts.push_back(Value());
  }
  if (numbers.size() == values.size())
    return tx::ConstantOp::create(
        b, loc, type, DenseElementsAttr::get(type, ArrayRef(numbers)));
  for (auto [part, value] : llvm::zip(parts, values))
    part = e.reshape(scalar(value, DType::I64), {Dim(1)});
  return concatenate(parts, 0);
}

Value NodeImport::broadcast(Value x, Dims dims) {
  if (isRefused())
    return Value();
  SmallVector<Dim> own(dimsOf(x));
  if (own.size() > dims.size())
    return refuse("the shape " + shape::shapeText(own) +
                  " does not broadcast to " + shape::shapeText(dims));
  for (auto [from, to] : llvm::zip(own, dims.take_back(own.size())))
    if (from != 1 && shape::isEqual(from, to) == false)
      return refuse("the shape " + shape::shapeText(own) +
                    " does not broadcast to " + shape::shapeText(dims));
  return e.broadcast(agree(x, dims), dims);
}

Value NodeImport::reshape(Value x, Dims dims) {
  if (isRefused())
    return Value();
  auto rule = shape::inferReshape(dimsOf(x), dims);
  if (rule.isRefused())
    return refuse(rule.refusal);
  return e.reshape(x, dims);
}

Value NodeImport::transpose(Value x, Numbers permutation) {
  if (isRefused() || llvm::is_sorted(permutation))
    return x;
  return make<tx::TransposeOp>(dtypeOf(x), x, permutation);
}

Value NodeImport::pad(Value x, Numbers low, Numbers high, Value value) {
  if (isRefused())
    return Value();
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return x;
  SmallVector<int64_t> interior(low.size(), 0);
  return make<tx::PadOp>(dtypeOf(x), x, value, low, high,
                         ArrayRef<int64_t>(interior));
}

Value NodeImport::slice(Value x, Numbers offsets, Numbers strides, Dims sizes) {
  if (isRefused())
    return Value();
  auto rule = shape::inferSlice(dimsOf(x), offsets, strides, sizes);
  if (rule.isRefused())
    return refuse(rule.refusal);
  return check(e.slice(x, offsets, strides, sizes));
}

Value NodeImport::part(Value x, int64_t dim, Dim begin, Dim count,
                       int64_t step) {
  if (isRefused())
    return Value();
  if (dim < 0 || dim >= rankOf(x))
    return refuse("a tensor of rank " + Twine(rankOf(x)) + " has no dim " +
                  Twine(dim));
  if (std::optional<int64_t> offset = begin.number()) {
    SmallVector<int64_t> offsets(rankOf(x), 0), strides(rankOf(x), 1);
    SmallVector<Dim> sizes(dimsOf(x));
    offsets[dim] = *offset;
    strides[dim] = step;
    sizes[dim] = count;
    return slice(x, offsets, strides, sizes);
  }
  return builder::sliceFrom(e, x, dim, begin, count, step);
}

Value NodeImport::concatenate(ArrayRef<Value> parts, int64_t dim) {
  if (isRefused())
    return Value();
  if (parts.size() == 1)
    return parts[0];
  return make<tx::ConcatenateOp>(dtypeOf(parts[0]), parts, dim);
}

Value NodeImport::take(Value x, Value indices, int64_t dim) {
  if (isRefused())
    return Value();
  if (tx::isFloat(dtypeOf(indices)) || dtypeOf(indices) == DType::I1)
    return refuse("the indices are not integers");
  // Converts negative indices, which count from the end, because a gather would
  // clamp them to 0.
  if (!tx::isUnsigned(dtypeOf(indices)) && !isKnownNotNegative(indices)) {
    Value count = scalar(dimsOf(x)[dim], dtypeOf(indices));
    indices = select(less(indices, 0), add(indices, count), indices);
  }
  if (isRefused())
    return Value();
  int64_t rank = rankOf(x), added = rankOf(indices);
  SmallVector<int64_t> sizes(rank, -1), offsets;
  sizes[dim] = 1;
  for (int64_t d = 0; d < rank; ++d)
    if (d != dim)
      offsets.push_back(d < dim ? d : d + added - 1);
  return make<tx::GatherOp>(dtypeOf(x), x, indices, ArrayRef<int64_t>(offsets),
                            ArrayRef<int64_t>(dim), ArrayRef<int64_t>(dim),
                            added, ArrayRef<int64_t>(sizes));
}

bool NodeImport::isKnownNotNegative(Value indices) {
  auto numbers = known().numbers(indices);
  return numbers &&
         llvm::all_of(*numbers, [](int64_t index) { return index >= 0; });
}

Value NodeImport::squeeze(Value x, ArrayRef<int64_t> dims) {
  if (isRefused())
    return Value();
  SmallVector<Dim> kept;
  for (auto [d, size] : llvm::enumerate(dimsOf(x))) {
    if (!llvm::is_contained(dims, static_cast<int64_t>(d)))
      kept.push_back(size);
    else if (size != 1)
      return refuse("axis " + Twine(d) + " has the size " + toString(size) +
                    ", not 1" + (size.isNumber() ? "" : "; fix it by --shape"));
  }
  return e.reshape(x, kept);
}

Value NodeImport::unsqueeze(Value x, ArrayRef<int64_t> dims) {
  if (isRefused())
    return Value();
  SmallVector<Dim> all(dimsOf(x));
  for (int64_t dim : dims) // in order
    all.insert(all.begin() + dim, Dim(1));
  return e.reshape(x, all);
}

Value NodeImport::alongDim(Value x, int64_t dim, int64_t rank) {
  if (isRefused())
    return Value();
  if (rankOf(x) != 1)
    return refuse("an input of rank " + Twine(rankOf(x)) +
                  " should be a vector");
  if (dim < 0 || dim >= rank)
    return refuse("a tensor of rank " + Twine(rank) + " has no dim " +
                  Twine(dim));
  return e.alongDim(x, dim, rank);
}

Value NodeImport::dot(Value x, Value y, const shape::DotNumbers &numbers) {
  if (isRefused())
    return Value();
  if (dtypeOf(x) != dtypeOf(y))
    return refuse(Twine("the dtypes of the operands differ: ") +
                  tx::dtypeName(dtypeOf(x)) + " and " +
                  tx::dtypeName(dtypeOf(y)));
  return make<tx::DotGeneralOp>(dtypeOf(x), x, y, numbers.xBatch,
                                numbers.yBatch, numbers.xContracting,
                                numbers.yContracting);
}

Value NodeImport::matmul(Value x, Value y) {
  if (isRefused())
    return Value();
  int64_t xRank = rankOf(x), yRank = rankOf(y);
  if (!xRank || !yRank)
    return refuse("a scalar has no matrix product");
  if (yRank <= 2) // a single contraction, whatever the rank of x is
    return dot(x, y, {{}, {}, xRank - 1, yRank == 1 ? 0 : yRank - 2});
  bool isRow = xRank == 1;
  if (isRow)
    x = unsqueeze(x, {0}), xRank = 2;
  SmallVector<Dim> xDims(dimsOf(x)), yDims(dimsOf(y));
  SmallVector<Dim> batch =
      commonDims({Dims(xDims).drop_back(2), Dims(yDims).drop_back(2)});
  if (isRefused())
    return Value();
  auto withBatch = [&](Value value, ArrayRef<Dim> own) {
    SmallVector<Dim> dims(batch);
    llvm::append_range(dims, own.take_back(2));
    return broadcast(value, dims);
  };
  x = withBatch(x, xDims), y = withBatch(y, yDims);
  auto places = llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(batch.size())));
  auto rank = static_cast<int64_t>(batch.size());
  Value result = dot(x, y, {places, places, rank + 1, rank});
  return isRow ? squeeze(result, {rank}) : result;
}

Value NodeImport::mean(Value x, Numbers dims, bool keepDims) {
  if (isRefused() || dims.empty())
    return x;
  return make<tx::MeanOp>(dtypeOf(x), x, dims, keepDims);
}

} // namespace tensorc::onnx
