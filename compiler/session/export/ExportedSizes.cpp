//===- ExportedSizes.cpp - Sizes and numbers of an exported program -------===//

#include "compiler/session/export/Exporter.h"
#include "ir/tx/Names.h"
#include "ir/tx/Tx.h"

#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using tensorc::shape::Dim;

namespace tensorc::exporting {

using graph::DType;
using graph::Node;
using graph::OpKind;

void Exporter::replaceTypes() {
  AttrTypeReplacer replacer;
  auto meaning = [&](Dim symbol) {
    std::optional<unsigned> id = graph::sizeOfName(symbol.name());
    return id ? fit.dim(sizes[*id], dims) : symbol;
  };
  auto replaced = [&](ArrayRef<Dim> all) {
    return llvm::map_to_vector(
        all, [&](Dim dim) { return shape::substitute(dim, meaning); });
  };
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        if (!type.getEncoding())
          return std::pair(Type(type), WalkResult::skip());
        return std::pair(Type(tx::tensorType(replaced(tx::dimsOf(type)),
                                             type.getElementType())),
                         WalkResult::skip());
      });
  // Replaces the length of a scan.
  replacer.addReplacement(
      [&](tx::DimsAttr sizes)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        return std::pair(
            Attribute(tx::DimsAttr::get(&context, replaced(sizes.getDims()))),
            WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// Requires a minimum for a size, because a gather would clamp a negative
/// start: a start of n - 3 requires n >= 3.
void Exporter::requireNotNegative(const Polynomial &start) {
  if (start.constant >= 0 || start.products.size() != 1)
    return;
  const Polynomial::Product &product = start.products.front();
  if (product.coefficient <= 0 || product.sizes.size() != 1)
    return;
  unsigned size = product.sizes.front();
  int64_t units = llvm::divideCeil(-start.constant, product.coefficient);
  least[size] = std::max(least[size], units * fit.sizes()[size].divisor);
}

/// Declares the facts about symbolic sizes that each run of the program checks.
void Exporter::setFacts() {
  SmallVector<Attribute> facts;
  for (auto [i, size] : llvm::enumerate(fit.sizes()))
    if (size.divisor > 1 || least[i] > 0)
      facts.push_back(tx::SymbolAttr::get(&context,
                                          builder.getStringAttr(size.name),
                                          least[i], INT64_MAX, size.divisor));
  function->removeAttr(tx::symbolsAttr);
  if (!facts.empty())
    function->setAttr(tx::symbolsAttr, builder.getArrayAttr(facts));
}

Value Exporter::scalar(DType dtype, uint64_t bits) {
  auto type = RankedTensorType::get({}, graph::toType(context, dtype));
  unsigned width = dtype == DType::I1 ? 1 : tx::bitWidth(dtype);
  APInt value(width, bits, /*isSigned=*/false, /*implicitTrunc=*/true);
  Attribute attribute;
  if (auto floating = dyn_cast<FloatType>(type.getElementType()))
    attribute = builder.getFloatAttr(
        floating, APFloat(floating.getFloatSemantics(), value));
  else
    attribute = builder.getIntegerAttr(type.getElementType(), value);
  return atBegin<tx::ConstantOp>(type, DenseElementsAttr::get(type, attribute));
}

Value Exporter::number(int64_t value) {
  return scalar(DType::I64, static_cast<uint64_t>(value));
}

/// Returns the size as a tensor value. No op returns a size, so this is
/// computed as a sum of that many ones.
Value Exporter::sizeOf(Dim dim) {
  Value &known = sizeValues[dim.opaque()];
  if (known)
    return known;
  Type element = graph::toType(context, DType::I64);
  Value ones = atBegin<tx::BroadcastOp>(tx::tensorType(dim, element), number(1),
                                        ArrayRef<int64_t>());
  return known = atBegin<tx::SumOp>(RankedTensorType::get({}, element), ones,
                                    ArrayRef<int64_t>{0});
}

/// Returns the value of the polynomial as an i64 of rank 0.
Value Exporter::valueOf(const Polynomial &value) {
  Value sum = number(value.constant);
  for (const Polynomial::Product &product : value.products) {
    int64_t coefficient = product.coefficient;
    Value one;
    for (unsigned size : product.sizes) {
      int64_t divisor = fit.sizes()[size].divisor;
      bool whole = coefficient % divisor == 0;
      if (whole)
        coefficient /= divisor;
      Value factor = sizeOf(whole ? dims.symbol(fit.sizes()[size].name)
                                  : fit.unit(size, dims));
      one = one ? atBegin<tx::MulOp>(one, factor) : factor;
    }
    one = atBegin<tx::MulOp>(one, number(coefficient));
    sum = atBegin<tx::AddOp>(sum, one);
  }
  return sum;
}

void Exporter::replaceWords() {
  unsigned word = 0, argument = trace.arguments.size();
  Block &entry = function.front();
  // Maps the argument that holds a slice's first start to the slice.
  for (Node *node : trace.order) {
    if (graph::isArgument(*node))
      continue;
    if (node->op() == OpKind::Full) {
      Value from = entry.getArgument(argument++), to;
      const Polynomial &value = words[word++];
      if (value.isConstant())
        to = scalar(node->dtype(), value.constant);
      else if (node->dtype() == DType::I64)
        to = valueOf(value);
      else
        to = atBegin<tx::ConvertOp>(from.getType(), valueOf(value));
      from.replaceAllUsesWith(to);
    } else if (node->op() == OpKind::Slice) {
      SmallVector<Polynomial> starts;
      Value first;
      for (auto [i, size] : llvm::enumerate(node->inputs()[0]->shape())) {
        if (graph::hasFixedStart(*node, i, size))
          continue;
        if (!first)
          first = entry.getArgument(argument);
        ++argument;
        starts.push_back(words[word++]);
      }
      if (first)
        replaceSlice(cast<tx::SliceOp>(*first.getUsers().begin()), starts);
    }
  }
}

/// Replaces a slice by one with the given starts. A dim with a constant start
/// is sliced; any other start needs a gather.
void Exporter::replaceSlice(tx::SliceOp slice, ArrayRef<Polynomial> starts) {
  OpBuilder b(slice);
  Location loc = slice.getLoc();
  Value x = slice.getX();
  SmallVector<int64_t> offsets(slice.getStaticOffsets()),
      strides(slice.getStrides());
  SmallVector<Dim> from(tx::dimsOf(cast<RankedTensorType>(x.getType()))),
      to(tx::dimsOf(slice.getType()));
  SmallVector<std::pair<unsigned, Polynomial>> indexed;
  SmallVector<Dim> sliced(to);
  for (unsigned d = 0; d < offsets.size(); ++d) {
    if (!ShapedType::isDynamic(offsets[d]))
      continue;
    offsets[d] = starts.front().constant;
    if (!starts.front().isConstant()) {
      requireNotNegative(starts.front());
      indexed.push_back({d, starts.front()});
      offsets[d] = 0;
      sliced[d] = from[d];
    }
    starts = starts.drop_front();
  }
  SmallVector<int64_t> own(strides);
  for (auto &[d, start] : indexed)
    own[d] = 1;
  Value result = tx::SliceOp::create(
      b, loc, tx::tensorType(sliced, slice.getType().getElementType()), x,
      ValueRange(), offsets, own);
  for (auto &[d, start] : indexed) {
    Value at = valueOf(start);
    builder.setInsertionPoint(slice);
    result = gather(loc, result, d, at, strides[d], to[d]);
  }
  slice.replaceAllUsesWith(result);
  slice.erase();
}

/// Appends an unused element along a dim, because a gather requires at least
/// one element.
static Value padded(OpBuilder &b, Location loc, Value x, unsigned dim) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<Dim> dims(tx::dimsOf(type));
  SmallVector<int64_t> none(dims.size(), 0), high(none);
  dims[dim] = dims[dim] + 1;
  high[dim] = 1;
  auto element = RankedTensorType::get({}, type.getElementType());
  Value zero = tx::ConstantOp::create(
      b, loc, element,
      DenseElementsAttr::get(element, b.getZeroAttr(type.getElementType())));
  return tx::PadOp::create(b, loc, tx::tensorType(dims, type.getElementType()),
                           x, zero, none, high, none);
}

/// Gathers the `size` elements of x at start, start + stride, ... along a dim.
Value Exporter::gather(Location loc, Value x, unsigned dim, Value start,
                       int64_t stride, Dim size) {
  x = padded(builder, loc, x, dim);
  auto type = cast<RankedTensorType>(x.getType());
  Type index = graph::toType(context, DType::I64);
  auto list = tx::tensorType(size, index);
  Value step = number(stride);
  OpBuilder &b = builder;
  auto wide = [&](Value value) -> Value {
    return tx::BroadcastOp::create(b, loc, list, value, ArrayRef<int64_t>());
  };
  Value places = tx::MulOp::create(b, loc, tx::IotaOp::create(b, loc, list, 0),
                                   wide(step));
  places = tx::AddOp::create(b, loc, places, wide(start));
  SmallVector<Dim> result(tx::dimsOf(type));
  result[dim] = size;
  SmallVector<int64_t> kept, extents(type.getRank(), -1);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != dim)
      kept.push_back(d);
  extents[dim] = 1;
  int64_t axis = dim;
  return tx::GatherOp::create(
      b, loc, tx::tensorType(result, type.getElementType()), x, places, kept,
      ArrayRef(axis), ArrayRef(axis), /*index_vector_dim=*/1, extents);
}

} // namespace tensorc::exporting
