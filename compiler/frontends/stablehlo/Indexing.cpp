//===- Indexing.cpp - Ops of StableHLO whose indices are tensors ----------===//
//
// tx.gather and tx.scatter are StableHLO's without batching dims. A batching
// dim becomes a component of the index vectors that counts along it.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

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

/// Prepends to each index vector one component per batching dim: its position
/// along that batching dim of the indices. Afterwards `fields` treats batching
/// dims as indexed ones.
static Value withBatching(Call &call, Value indices, IndexFields &fields) {
  if (fields.batching.empty())
    return indices;
  TensorBuilder &b = call.b;
  if (fields.vectorDim == rankOf(indices)) {
    SmallVector<Dim> dims(dimsOf(indices));
    dims.push_back(1);
    indices = b.reshape(indices, dims);
  }
  DType dtype = dtypeOf(indices);
  if (tx::bitWidth(dtype) < 32) // a count may not fit
    indices = b.convert(indices, dtype = DType::I32);
  SmallVector<Dim> dims(dimsOf(indices));
  dims[fields.vectorDim] = 1;
  SmallVector<Value> parts;
  for (int64_t dim : fields.indexBatching) {
    if (dim < 0 || dim >= static_cast<int64_t>(dims.size()) ||
        dim == fields.vectorDim)
      return call.refuse() << "has wrong batching dimensions", Value();
    parts.push_back(b.iota(dtype, dims, dim));
  }
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

static Results scatter(Call &call) {
  if (call.x.size() != 3)
    return call.refuse() << "of several tensors at once is not available";
  auto fields =
      fieldsOf(call, call.attribute("scatter_dimension_numbers"),
               {"update_window_dims", "inserted_window_dims",
                "input_batching_dims", "scatter_indices_batching_dims",
                "scatter_dims_to_operand_dims", "index_vector_dim"});
  if (!fields)
    return failure();
  Combiner combiner = combinerOf(call.op->getRegion(0));
  auto kind = updateOf(call, combiner);
  if (failed(kind))
    return failure();
  Value indices = withBatching(call, integers(call.b, call.x[1]), *fields);
  if (!indices)
    return failure();
  Value updates = combiner == Combiner::Sub ? call.b.neg(call.x[2]) : call.x[2];
  return Values{tx::ScatterOp::create(call.b.b, call.b.loc, call.x[0].getType(),
                                      call.x[0], indices, updates, *kind,
                                      fields->window, fields->dropped,
                                      fields->mapped, fields->vectorDim)};
}

static Results dynamicSlice(Call &call) {
  auto sizes = call.numbers("slice_sizes", rankOf(call.x[0]));
  if (!sizes)
    return failure();
  auto rule = shape::inferDynamicSlice(dimsOf(call.x[0]), *sizes);
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  Type type = tx::tensorType(rule.dims, typeOf(call.x[0]).getElementType());
  return Values{tx::DynamicSliceOp::create(
      call.b.b, call.b.loc, type, call.x[0], call.x.drop_front(), *sizes)};
}

static Results dynamicUpdateSlice(Call &call) {
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
