//===- Indexing.cpp - Ops of StableHLO whose indices are tensors ----------===//
//
// tx.gather and tx.scatter are StableHLO's ops without batching dims. A
// batching dim becomes a component of the index vectors that counts along it.
// If tx.scatter lacks the region of a scatter, the old elements are gathered,
// combined by the region and set: all at once if the indices are unique, else
// one index vector after another.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"

#include "ir/tx/Control.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <numeric>

using namespace mlir;

namespace tensorc::stablehlo {

namespace {
struct IndexFields {
  NumberList window, dropped, batching, indexBatching, mapped;
  int64_t vectorDim = 0;
};
} // namespace

static std::optional<IndexFields> fieldsOf(Call &call, Attribute attribute,
                                           ArrayRef<StringRef> names) {
  IndexFields fields;
  NumberList vectorDim;
  NumberList *lists[] = {&fields.window,   &fields.dropped,
                         &fields.batching, &fields.indexBatching,
                         &fields.mapped,   &vectorDim};
  for (auto [list, name] : llvm::zip(lists, names)) {
    auto field = fieldIn(attribute, name);
    if (!field)
      return call.refuse() << "needs dimension numbers", std::nullopt;
    *list = *field;
  }
  if (!vectorDim.empty())
    fields.vectorDim = vectorDim.front();
  if (fields.vectorDim < 0 || fields.vectorDim > rankOf(call.x[1]) ||
      fields.batching.size() != fields.indexBatching.size())
    return call.refuse() << "has wrong dimension numbers", std::nullopt;
  return fields;
}

/// Converts indices to a dtype that represents these sizes.
static Value represent(TensorBuilder &b, Value indices, ArrayRef<Dim> sizes) {
  DType dtype = dtypeOf(indices);
  if (tx::bitWidth(dtype) < 32)
    dtype = DType::I32;
  int64_t highest =
      dtype == DType::UI32 ? llvm::maxUIntN(32) : llvm::maxIntN(32);
  auto isLarge = [&](Dim size) {
    return !size.isNumber() || *size.number() > highest;
  };
  if (tx::bitWidth(dtype) == 32 && llvm::any_of(sizes, isLarge))
    dtype = DType::I64;
  return b.convert(indices, dtype);
}

/// Prepends to each index vector one component per batching dim: its own
/// position along that dim of the indices. `fields` then treats batching dims
/// like indexed dims.
static Value withBatching(Call &call, Value indices, IndexFields &fields) {
  if (fields.batching.empty())
    return indices;
  TensorBuilder &b = call.b;
  if (fields.vectorDim == rankOf(indices)) {
    SmallVector<Dim> dims(dimsOf(indices));
    dims.push_back(1);
    indices = b.reshape(indices, dims);
  }
  SmallVector<Dim> dims(dimsOf(indices)), counts;
  dims[fields.vectorDim] = 1;
  for (int64_t dim : fields.indexBatching) {
    if (dim < 0 || dim >= static_cast<int64_t>(dims.size()) ||
        dim == fields.vectorDim)
      return call.refuse() << "has wrong batching dimensions", Value();
    counts.push_back(dims[dim]);
  }
  indices = represent(b, indices, counts);
  SmallVector<Value> parts;
  for (int64_t dim : fields.indexBatching)
    parts.push_back(b.iota(dtypeOf(indices), dims, dim));
  parts.push_back(indices);
  fields.mapped.insert(fields.mapped.begin(), fields.batching.begin(),
                       fields.batching.end());
  llvm::append_range(fields.dropped, fields.batching);
  llvm::sort(fields.dropped);
  return b.concatenate(parts, fields.vectorDim);
}

static Value integers(TensorBuilder &b, Value indices) {
  return dtypeOf(indices) == DType::I1 ? b.convert(indices, DType::I32)
                                       : indices;
}

Results gatherSlices(Call &call, NumberList sizes) {
  auto fields = fieldsOf(
      call, call.attribute("dimension_numbers"),
      {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
       "start_indices_batching_dims", "start_index_map", "index_vector_dim"});
  if (!fields)
    return failure();
  Value indices = withBatching(call, integers(call.b, call.x[1]), *fields);
  if (!indices)
    return failure();
  auto rule = shape::inferGather(
      dimsOf(call.x[0]), dimsOf(indices),
      {fields->window, fields->dropped, fields->mapped, fields->vectorDim},
      sizes);
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  Type type = tx::tensorType(rule.dims, typeOf(call.x[0]).getElementType());
  return Values{tx::GatherOp::create(call.b.b, call.b.loc, type, call.x[0],
                                     indices, fields->window, fields->dropped,
                                     fields->mapped, fields->vectorDim, sizes)};
}

static Results gather(Call &call) {
  auto sizes = call.numbers("slice_sizes", rankOf(call.x[0]));
  if (!sizes)
    return failure();
  return gatherSlices(call, *sizes);
}

FailureOr<tx::UpdateKind> updateOf(Call &call, Combiner combiner) {
  bool ordered = combiner == Combiner::Min || combiner == Combiner::Max;
  if (ordered && tx::isComplex(dtypeOf(call.x[0])))
    return call.refuse() << "takes the smaller or larger of complex numbers, "
                            "which have no order";
  switch (combiner) {
  case Combiner::Second:
    return tx::UpdateKind::Set;
  case Combiner::Add:
  case Combiner::Sub:
    return tx::UpdateKind::Add;
  case Combiner::Mul:
    return tx::UpdateKind::Mul;
  case Combiner::Min:
    return tx::UpdateKind::Min;
  case Combiner::Max:
    return tx::UpdateKind::Max;
  default:
    return call.refuse() << "combines by a region that is not one of add, "
                            "subtract, multiply, minimum, maximum, or the "
                            "update itself";
  }
}

/// Gathers the old elements of each tensor, combines them with the updates by
/// the region, and sets the new ones.
static Results updateBy(Call &call, ArrayRef<Value> tensors, Value indices,
                        ArrayRef<Value> updates, const IndexFields &fields,
                        const llvm::DenseMap<Value, Value> &captured =
                            llvm::DenseMap<Value, Value>()) {
  TensorBuilder &b = call.b;
  Dims updated = dimsOf(updates[0]);
  NumberList sizes(rankOf(tensors[0]), 1);
  auto window = fields.window.begin();
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (llvm::is_contained(fields.dropped, static_cast<int64_t>(dim)))
      continue;
    Dim wanted = updated[*window++];
    if (!wanted.isNumber())
      return call.refuse() << "has a window of a named size";
    size = *wanted.number();
  }
  auto rule = shape::inferGather(
      dimsOf(tensors[0]), dimsOf(indices),
      {fields.window, fields.dropped, fields.mapped, fields.vectorDim}, sizes);
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  Values elements;
  for (Value x : tensors)
    elements.push_back(tx::GatherOp::create(
        b.b, b.loc, tx::tensorType(rule.dims, typeOf(x).getElementType()), x,
        indices, fields.window, fields.dropped, fields.mapped, fields.vectorDim,
        sizes));
  elements.append(updates.begin(), updates.end());
  Results results =
      call.converter.lift(call.op->getRegion(0), elements, captured);
  if (failed(results) || results->size() != tensors.size())
    return failure();
  for (auto [x, result] : llvm::zip(tensors, *results))
    result = tx::ScatterOp::create(
        b.b, b.loc, x.getType(), x, indices, result, tx::UpdateKind::Set,
        fields.window, fields.dropped, fields.mapped, fields.vectorDim);
  return results;
}

/// Moves these dims to the front and joins them.
static Value joined(TensorBuilder &b, Value x, const NumberList &dims) {
  NumberList order = dims, others = builder::allDimsBut(rankOf(x), dims);
  order.append(others.begin(), others.end());
  SmallVector<Dim> sizes{Dim(1)};
  for (int64_t dim : dims)
    sizes[0] = sizes[0] * dimsOf(x)[dim];
  for (int64_t dim : others)
    sizes.push_back(dimsOf(x)[dim]);
  return b.reshape(b.transpose(x, order), sizes);
}

/// Applies the region for one index vector after another.
static Results updateInOrder(Call &call, ArrayRef<Value> tensors, Value indices,
                             ArrayRef<Value> updates, IndexFields fields) {
  TensorBuilder &b = call.b;
  if (fields.vectorDim == rankOf(indices)) {
    SmallVector<Dim> dims(dimsOf(indices));
    dims.push_back(1);
    indices = b.reshape(indices, dims);
  }
  Values inputs(tensors),
      scanned{joined(b, indices,
                     builder::allDimsBut(rankOf(indices), {fields.vectorDim}))};
  for (Value update : updates)
    scanned.push_back(
        joined(b, update, builder::allDimsBut(rankOf(update), fields.window)));
  inputs.append(scanned);
  llvm::SetVector<Value> sources; // values that the region captures
  getUsedValuesDefinedAbove(call.op->getRegion(0), sources);
  for (Value source : sources) {
    inputs.push_back(call.converter.valueOf(source));
    if (!inputs.back())
      return failure(); // the region contains an op that was refused
  }
  Dim count = dimsOf(scanned[0])[0];
  auto scan = tx::ScanOp::create(b.b, b.loc, ValueRange(tensors).getTypes(),
                                 tx::DimsAttr::get(b.b.getContext(), count),
                                 tensors.size(), scanned.size(), inputs);
  OpBuilder::InsertionGuard guard(b.b);
  Block *block = b.b.createBlock(&scan.getBody());
  block->addArgument(RankedTensorType::get({}, b.b.getI64Type()), b.loc);
  Values carried, slices;
  for (Value x : tensors)
    carried.push_back(block->addArgument(x.getType(), b.loc));
  for (Value each : scanned)
    slices.push_back(
        block->addArgument(tx::tensorType(dimsOf(each).drop_front(),
                                          typeOf(each).getElementType()),
                           b.loc));
  llvm::DenseMap<Value, Value> captured;
  for (Value source : sources)
    captured[source] =
        block->addArgument(call.converter.valueOf(source).getType(), b.loc);
  fields.vectorDim = 0;
  std::iota(fields.window.begin(), fields.window.end(), 0);
  Results results = updateBy(call, carried, slices[0],
                             ArrayRef(slices).drop_front(), fields, captured);
  if (failed(results))
    return failure();
  tx::ReturnOp::create(b.b, b.loc, *results);
  return Values(scan.getResults().begin(), scan.getResults().end());
}

/// Moves windows that are only partly inside x past its end, so that none of
/// their elements is updated. XLA, and so JAX, drops such windows as a whole.
static Value dropPartialWindows(TensorBuilder &b, Value x, Value indices,
                                Value update, const IndexFields &fields) {
  Dims dims = dimsOf(x);
  SmallVector<Dim> sizes(dims.size(), Dim(1));
  auto window = fields.window.begin();
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!llvm::is_contained(fields.dropped, static_cast<int64_t>(dim)))
      size = dimsOf(update)[*window++];
  auto isLong = [&](int64_t dim) { return sizes[dim] != Dim(1); };
  if (llvm::none_of(fields.mapped, isLong))
    return indices;
  indices = represent(b, indices,
                      llvm::map_to_vector(fields.mapped, [&](int64_t dim) {
                        return dims[dim];
                      }));
  DType dtype = dtypeOf(indices);
  bool isScalar = fields.vectorDim == rankOf(indices);
  auto perComponent = [&](llvm::function_ref<Dim(int64_t)> numberOf) {
    Values numbers;
    for (int64_t dim : fields.mapped)
      numbers.push_back(b.reshape(b.size(numberOf(dim), dtype), {Dim(1)}));
    Value all = b.concatenate(numbers, 0);
    all = isScalar ? b.reshape(all, {})
                   : b.alongDim(all, fields.vectorDim, rankOf(indices));
    return b.broadcast(all, dimsOf(indices));
  };
  Value ends = perComponent([&](int64_t dim) { return dims[dim]; });
  Value last =
      perComponent([&](int64_t dim) { return dims[dim] - sizes[dim]; });
  Value isOutside = b.logicalOr(b.less(indices, 0), b.greater(indices, last));
  return b.select(isOutside, ends, indices);
}

static Results scatter(Call &call) {
  size_t count = (call.x.size() - 1) / 2;
  if (call.x.size() != 2 * count + 1)
    return call.refuse() << "needs as many updates as tensors";
  ArrayRef<Value> tensors = call.x.take_front(count),
                  updates = call.x.take_back(count);
  for (auto [x, update] : llvm::zip(tensors, updates))
    if (dimsOf(x) != dimsOf(tensors[0]) || dimsOf(update) != dimsOf(updates[0]))
      return call.refuse() << "needs tensors of one shape";
  auto fields =
      fieldsOf(call, call.attribute("scatter_dimension_numbers"),
               {"update_window_dims", "inserted_window_dims",
                "input_batching_dims", "scatter_indices_batching_dims",
                "scatter_dims_to_operand_dims", "index_vector_dim"});
  if (!fields)
    return failure();
  Region &region = call.op->getRegion(0);
  Combiner combiner = count == 1 ? combinerOf(region) : Combiner::Other;
  bool isGeneral = llvm::is_contained(
      {Combiner::And, Combiner::Or, Combiner::Other}, combiner);
  FailureOr<tx::UpdateKind> kind = tx::UpdateKind::Set;
  if (!isGeneral && failed(kind = updateOf(call, combiner)))
    return failure();
  Value indices = withBatching(call, integers(call.b, call.x[count]), *fields);
  if (!indices)
    return failure();
  auto rule = shape::inferScatter(
      dimsOf(tensors[0]), dimsOf(indices), dimsOf(updates[0]),
      {fields->window, fields->dropped, fields->mapped, fields->vectorDim});
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  indices =
      dropPartialWindows(call.b, tensors[0], indices, updates[0], *fields);
  if (isGeneral) {
    bool isUnique = numberIn(call.attribute("unique_indices")).value_or(0) != 0;
    return isUnique ? updateBy(call, tensors, indices, updates, *fields)
                    : updateInOrder(call, tensors, indices, updates, *fields);
  }
  Value update =
      combiner == Combiner::Sub ? call.b.neg(updates[0]) : updates[0];
  return Values{tx::ScatterOp::create(call.b.b, call.b.loc, call.x[0].getType(),
                                      call.x[0], indices, update, *kind,
                                      fields->window, fields->dropped,
                                      fields->mapped, fields->vectorDim)};
}

static LogicalResult checkStarts(Call &call, ArrayRef<Value> starts) {
  int64_t rank = rankOf(call.x[0]), count = starts.size();
  if (count == rank)
    return success();
  return call.refuse() << "has " << count << " starts for an operand of rank "
                       << rank;
}

static Results dynamicSlice(Call &call) {
  auto sizes = call.numbers("slice_sizes", rankOf(call.x[0]));
  if (!sizes || failed(checkStarts(call, call.x.drop_front())))
    return failure();
  auto rule = shape::inferDynamicSlice(dimsOf(call.x[0]), *sizes);
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  Type type = tx::tensorType(rule.dims, typeOf(call.x[0]).getElementType());
  return Values{tx::DynamicSliceOp::create(
      call.b.b, call.b.loc, type, call.x[0], call.x.drop_front(), *sizes)};
}

static Results dynamicUpdateSlice(Call &call) {
  auto rule =
      shape::inferDynamicUpdateSlice(dimsOf(call.x[0]), dimsOf(call.x[1]));
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  if (failed(checkStarts(call, call.x.drop_front(2))))
    return failure();
  return Values{tx::DynamicUpdateSliceOp::create(
      call.b.b, call.b.loc, call.x[0].getType(), call.x[0], call.x[1],
      call.x.drop_front(2))};
}

void addIndexingOps(Table &table) {
  table["stablehlo.gather"] = Row{gather, 2, 2};
  table["stablehlo.scatter"] = Row{scatter, 3, anyCount, 1};
  table["stablehlo.dynamic_slice"] = Row{dynamicSlice, 1, anyCount};
  table["stablehlo.dynamic_update_slice"] =
      Row{dynamicUpdateSlice, 2, anyCount};
}

} // namespace tensorc::stablehlo
