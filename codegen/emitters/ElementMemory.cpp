//===- ElementMemory.cpp - Loads and stores of lanes ----------------------===//
//
// Loads and stores for ExpressionEmitter: contiguous lanes, reversed lanes,
// every other element, short rows, and gathers.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/ExpressionEmitter.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tensorc::codegen {

using analysis::Index;

FailureOr<Value> ExpressionEmitter::load(BlockArgument input,
                                         const Index &index) {
  if (Value scalar = kernel.scalar(input))
    return scalar;
  if (int64_t size = sizeOfShortRow(input, index))
    return loadShortRows(input, index, size);
  AffineExpr position = space.linearize(index, kernel.dims(input));
  return loadAt(kernel.buffer(input), position);
}

/// True if 0 <= x < bound can be proven. For a lower bound on x, the dims are
/// also replaced by size - 1 - dim.
static bool isWithin(AffineExpr x, AffineExpr bound,
                     const analysis::IterationSpace &space) {
  SmallVector<AffineExpr> fromTheEnd;
  for (auto [dim, size] : llvm::zip(space.identity(), space.getSizes()))
    fromTheEnd.push_back(size - 1 - dim);
  return space.isBelow(x, bound) ||
         space.isBelow(space.simplify(x.replaceDims(fromTheEnd)), bound);
}

/// Loads lanes of a value that was declared by `bindRows`. Each row ends with a
/// copy of its first element, so index x mod n can be read at x if 0 <= x <= n.
/// If the row varies by lane, lanes 2k and 2k + 1 are element k of rows 0 and
/// 1: half a vector of each row is loaded, and the two are interleaved.
Value ExpressionEmitter::loadBoundRows(const Index &index) {
  if (!isa<AffineConstantExpr>(index.front())) {
    Value first = b.createOrFold<arith::AddIOp>(indexValue(index.back()),
                                                boundRows.offset);
    auto half = VectorType::get(
        {lanes->width / 2},
        cast<MemRefType>(boundRows.rows.front().getType()).getElementType());
    SmallVector<Value, 2> parts;
    for (Value row : boundRows.rows)
      parts.push_back(vector::LoadOp::create(b, half, row, first));
    return vector::InterleaveOp::create(b, parts[0], parts[1]);
  }
  int64_t row = cast<AffineConstantExpr>(index.front()).getValue();
  AffineExpr at = index.back();
  auto binary = dyn_cast<AffineBinaryOpExpr>(at);
  if (binary && at.getKind() == AffineExprKind::Mod) {
    AffineExpr size = binary.getRHS();
    for (AffineExpr x : {binary.getLHS(), binary.getLHS() + size})
      if (isWithin(x, size + 1, space))
        at = x;
  }
  return loadAt(boundRows.rows[row], at, boundRows.offset);
}

/// Returns the difference between the positions of neighbouring lanes, if it is
/// the same constant for all lanes.
std::optional<int64_t> ExpressionEmitter::laneStep(AffineExpr position) const {
  auto linear = analysis::linearIn(position, lanes->dim, space);
  auto step = dyn_cast_or_null<AffineConstantExpr>(linear ? linear->coefficient
                                                          : AffineExpr());
  return step ? std::optional(step.getValue()) : std::nullopt;
}

/// Prefetches each cache line that the lanes touch.
void ExpressionEmitter::prefetchAt(Value buffer, Value first) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  int64_t perLine =
      std::max<int64_t>(kernel.target.getCacheLineBytes() / bytes, 1);
  for (int64_t lane = 0; lane < (lanes ? lanes->width : 1); lane += perLine) {
    Value offset = b.createOrFold<arith::AddIOp>(
        first, arith::ConstantIndexOp::create(b, prefetchBytes / bytes + lane));
    memref::PrefetchOp::create(b, buffer, offset, /*isWrite=*/false,
                               prefetchLocality, /*isDataCache=*/true);
  }
}

/// Returns the alignment of the vector at `position` if it is a multiple of the
/// vector's size, or nothing if only elements are aligned.
llvm::MaybeAlign ExpressionEmitter::alignmentAt(AffineExpr position,
                                                Type element) {
  if (!aligned)
    return {};
  AffineExpr rest = position;
  if (alignedRow)
    rest = space.dropMultiples(rest, alignedRow);
  SmallVector<AffineExpr> dims = space.identity();
  dims[lanes->dim] = dims[lanes->dim] * lanes->width;
  if (!space.simplify(rest.replaceDims(dims)).isMultipleOf(lanes->width))
    return {};
  int64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  return llvm::MaybeAlign(lanes->width * bytes);
}

/// Loads a masked vector at each of `offsets`. With `mostlyOn`, branches to
/// unmasked loads if all lanes are on. Zen 5 does not prefetch masked loads.
SmallVector<Value>
ExpressionEmitter::loadVectors(Value buffer, ArrayRef<Value> offsets,
                               VectorType type,
                               function_ref<Value(size_t)> maskOf) {
  if (prefetchBytes)
    for (Value offset : offsets)
      prefetchAt(buffer, offset);
  auto unmasked = [&] {
    return llvm::map_to_vector(offsets, [&](Value offset) -> Value {
      return vector::LoadOp::create(b, type, buffer, offset);
    });
  };
  auto masked = [&] {
    SmallVector<Value> vectors;
    Value zero = constantOf(b, b.getLoc(), type, 0);
    for (auto [i, offset] : llvm::enumerate(offsets))
      vectors.push_back(vector::MaskedLoadOp::create(b, type, buffer, offset,
                                                     maskOf(i), zero));
    return vectors;
  };
  if (!mask)
    return unmasked();
  if (!mostlyOn || mask.getDefiningOp<arith::ConstantOp>())
    return masked();
  Value allOn =
      vector::ReductionOp::create(b, vector::CombiningKind::AND, mask);
  SmallVector<Type> types(offsets.size(), type);
  auto ifOp = scf::IfOp::create(b, types, allOn, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  scf::YieldOp::create(b, unmasked());
  b.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(b, masked());
  return SmallVector<Value>(ifOp.getResults());
}

/// Returns the value of `expr` for each lane, or its difference to lane 0 if
/// `fromFirst` is set. Returns nullopt unless all of these are constants.
std::optional<SmallVector<int64_t>>
ExpressionEmitter::offsetsOfLanes(AffineExpr expr, bool fromFirst) const {
  if (!atMultiples)
    return std::nullopt;
  SmallVector<AffineExpr> dims = space.identity();
  AffineExpr first = dims[lanes->dim] * lanes->width, before;
  SmallVector<int64_t> offsets;
  for (int64_t l = 0; l < lanes->width; ++l) {
    dims[lanes->dim] = first + l;
    AffineExpr at = space.simplify(expr.replaceDims(dims));
    if (l == 0)
      before = fromFirst ? at : space.getNames().constant(0);
    auto offset = dyn_cast<AffineConstantExpr>(space.simplify(at - before));
    if (!offset)
      return std::nullopt;
    offsets.push_back(offset.getValue());
  }
  return offsets;
}

/// Returns the number of consecutive lanes that read the same element, such as
/// a quantization scale, or 0 if this number differs between elements.
static int64_t lanesOfElement(ArrayRef<int64_t> offsets) {
  auto width = static_cast<int64_t>(offsets.size());
  int64_t count = llvm::count(offsets, 0);
  if (count < 2 || width % count != 0)
    return 0;
  for (auto [lane, offset] : llvm::enumerate(offsets))
    if (offset != static_cast<int64_t>(lane) / count)
      return 0;
  return count;
}

/// Loads width / count elements and repeats each one for `count` lanes.
Value ExpressionEmitter::loadRepeated(Value buffer, AffineExpr position,
                                      int64_t count) {
  int64_t width = lanes->width;
  Value first = indexValue(position);
  if (count == width)
    return splat(loadScalar(buffer, first));
  auto type = VectorType::get(
      {width / count}, cast<MemRefType>(buffer.getType()).getElementType());
  SmallVector<int64_t> repeated;
  for (int64_t l = 0; l < width; ++l)
    repeated.push_back(l / count);
  // An element is loaded if any of its lanes is on.
  auto isWanted = [&](size_t) -> Value {
    Value any;
    for (int64_t each = 0; each < count; ++each) {
      SmallVector<int64_t> every;
      for (int64_t l = each; l < width; l += count)
        every.push_back(l);
      Value on = vector::ShuffleOp::create(b, mask, mask, every);
      any = any ? arith::OrIOp::create(b, any, on).getResult() : on;
    }
    return any;
  };
  Value loaded = loadVectors(buffer, first, type, isWanted)[0];
  return vector::ShuffleOp::create(b, loaded, loaded, repeated);
}

/// Returns n if the lanes interleave n = 2 or 4 contiguous rows, that is, lane
/// l is element l / n of row l mod n. Returns 0 otherwise. Examples are the
/// phases of a transposed convolution and the channels of a pixel shuffle.
static int64_t countInterleavedRows(ArrayRef<int64_t> offsets) {
  auto width = static_cast<int64_t>(offsets.size());
  for (int64_t count : {2, 4}) {
    if (width % count != 0 || width == count)
      continue;
    bool areContiguous = true;
    for (int64_t l = count; l < width; ++l)
      areContiguous &= offsets[l] == offsets[l - count] + 1;
    if (areContiguous)
      return count;
  }
  return 0;
}

/// Loads a part of each row and interleaves the parts. `offsets` are the
/// offsets of lanes 0 to count - 1, one per row, relative to lane 0.
Value ExpressionEmitter::loadInterleaved(Value buffer, AffineExpr position,
                                         ArrayRef<int64_t> offsets) {
  int64_t width = lanes->width, count = offsets.size();
  auto type = VectorType::get(
      {width / count}, cast<MemRefType>(buffer.getType()).getElementType());
  Value first = indexValue(position);
  SmallVector<Value> begins;
  for (int64_t offset : offsets)
    begins.push_back(b.createOrFold<arith::AddIOp>(
        first, arith::ConstantIndexOp::create(b, offset)));
  SmallVector<Value> rows = loadVectors(buffer, begins, type, [&](size_t row) {
    SmallVector<int64_t> lanesOfRow;
    for (int64_t l = row; l < width; l += count)
      lanesOfRow.push_back(l);
    return vector::ShuffleOp::create(b, mask, mask, lanesOfRow).getResult();
  });
  for (; rows.size() > 1; rows.resize(rows.size() / 2))
    for (size_t row = 0, half = rows.size() / 2; row < half; ++row)
      rows[row] = vector::InterleaveOp::create(b, rows[row], rows[row + half]);
  return rows[0];
}

/// Loads lanes in reverse order: the last lane's element is first in memory.
Value ExpressionEmitter::loadBackwards(Value buffer, Value first) {
  int64_t width = lanes->width;
  auto type = VectorType::get(
      {width}, cast<MemRefType>(buffer.getType()).getElementType());
  Value begin = b.createOrFold<arith::SubIOp>(
      first, arith::ConstantIndexOp::create(b, width - 1));
  auto turned = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, width)));
  Value loaded = loadVectors(buffer, begin, type, [&](size_t) -> Value {
    return vector::ShuffleOp::create(b, mask, mask, turned);
  })[0];
  return vector::ShuffleOp::create(b, loaded, loaded, turned);
}

//===----------------------------------------------------------------------===//
// Short rows
//===----------------------------------------------------------------------===//

/// If each lane reads one element of its own short row (such as the parts of a
/// complex number or the colours of a pixel), and the rows of all lanes are
/// contiguous in memory, returns the size of a row; 0 otherwise.
int64_t ExpressionEmitter::sizeOfShortRow(BlockArgument input,
                                          const Index &index) const {
  SmallVector<AffineExpr> dims = kernel.dims(input);
  auto at = dims.empty() ? AffineConstantExpr()
                         : dyn_cast<AffineConstantExpr>(index.back());
  if (!at)
    return 0;
  auto last = dyn_cast<AffineConstantExpr>(dims.back());
  int64_t size = last ? last.getValue() : 0;
  if (size < 2 || size > (kernel.target.isSimt() ? 2 : longestRow))
    return 0;
  // If the last dim was merged with other dims, its index may exceed the row.
  if (at.getValue() < 0 || at.getValue() >= size)
    return 0;
  AffineExpr position = space.linearize(index, dims);
  if (!variesByLane(position))
    return 0;
  std::optional<int64_t> step = laneStep(position);
  return step && (*step == size || *step == -size) ? size : 0;
}

/// Returns the mask of `count` elements from `begin` on: lane l of `mask`,
/// counted from the last lane if `isBackwards`, applies to the `size` elements
/// of row l.
static Value maskOfRows(ImplicitLocOpBuilder &b, Value mask, int64_t size,
                        bool isBackwards, int64_t begin, int64_t count) {
  int64_t width = cast<VectorType>(mask.getType()).getNumElements();
  SmallVector<int64_t> from;
  for (int64_t at = begin; at < begin + count; ++at)
    from.push_back(isBackwards ? width - 1 - at / size : at / size);
  return vector::ShuffleOp::create(b, mask, mask, from);
}

/// Returns the elements at `offsets` of the concatenated vectors.
static Value shuffleAll(ImplicitLocOpBuilder &b, ArrayRef<Value> vectors,
                        ArrayRef<int64_t> offsets) {
  int64_t width = cast<VectorType>(vectors[0].getType()).getNumElements();
  Value taken = vectors[0];
  for (size_t i = 1; i < vectors.size(); ++i) {
    int64_t begin = static_cast<int64_t>(i) * width;
    SmallVector<int64_t> from;
    for (auto [lane, offset] : llvm::enumerate(offsets))
      from.push_back(offset >= begin + width ? static_cast<int64_t>(lane)
                     : offset >= begin       ? offset - begin + width
                     : i == 1                ? offset
                                             : static_cast<int64_t>(lane));
    taken = vector::ShuffleOp::create(b, taken, vectors[i], from);
  }
  return taken;
}

/// Loads contiguous short rows, one per lane, and deinterleaves them: returns
/// the element at `index` of each row.
Value ExpressionEmitter::loadShortRows(BlockArgument input, const Index &index,
                                       int64_t size) {
  int64_t width = lanes->width;
  Value buffer = kernel.buffer(input);
  auto type = VectorType::get(
      {width}, cast<MemRefType>(buffer.getType()).getElementType());
  Index row = index;
  row.back() = space.getNames().constant(0);
  AffineExpr position = space.linearize(row, kernel.dims(input));
  bool isBackwards = *laneStep(position) < 0;
  Value first = indexValue(position);
  if (isBackwards)
    first = b.createOrFold<arith::SubIOp>(
        first, arith::ConstantIndexOp::create(b, size * (width - 1)));
  SmallVector<Value> offsets{first};
  for (int64_t i = 1; i < size; ++i)
    offsets.push_back(b.createOrFold<arith::AddIOp>(
        first, arith::ConstantIndexOp::create(b, i * width)));
  SmallVector<Value> vectors =
      loadVectors(buffer, offsets, type, [&](size_t i) {
        return maskOfRows(b, mask, size, isBackwards,
                          static_cast<int64_t>(i) * width, width);
      });
  Value asked;
  for (int64_t part = 0; part < size; ++part) {
    SmallVector<int64_t> picked;
    for (int64_t l = 0; l < width; ++l)
      picked.push_back(size * (isBackwards ? width - 1 - l : l) + part);
    Value vector = shuffleAll(b, vectors, picked);
    row.back() = space.getNames().constant(part);
    scopes.back().elements[keyOf(input, row)] = vector;
    if (row == index)
      asked = vector;
  }
  return asked;
}

/// Interleaves the vectors and returns the result as contiguous vectors. Four
/// vectors are interleaved pairwise, which needs 8 shuffles instead of 12.
static SmallVector<Value> interleaved(ImplicitLocOpBuilder &b,
                                      ArrayRef<Value> elements) {
  auto count = static_cast<int64_t>(elements.size());
  int64_t width = cast<VectorType>(elements[0].getType()).getNumElements();
  SmallVector<Value> all;
  if (count == 4) {
    SmallVector<Value> even = interleaved(b, {elements[0], elements[2]});
    SmallVector<Value> odd = interleaved(b, {elements[1], elements[3]});
    for (auto [x, y] : llvm::zip_equal(even, odd))
      llvm::append_range(all, interleaved(b, {x, y}));
    return all;
  }
  for (int64_t begin = 0; begin < count * width; begin += width) {
    SmallVector<int64_t> from;
    for (int64_t at = begin; at < begin + width; ++at)
      from.push_back(at % count * width + at / count);
    all.push_back(shuffleAll(b, elements, from));
  }
  return all;
}

void ExpressionEmitter::storeShortRow(ArrayRef<Value> elements, unsigned output,
                                      const Index &index, Value streaming) {
  auto size = static_cast<int64_t>(elements.size());
  Index row = index;
  row.back() = space.getNames().constant(0);
  AffineExpr position =
      space.linearize(row, kernel.dims(kernel.yield().getValues()[output]));
  if (!variesByLane(position) || laneStep(position) != size) {
    for (auto [part, element] : llvm::enumerate(elements)) {
      row.back() = space.getNames().constant(part);
      store(element, output, row, streaming);
    }
    return;
  }
  auto lanesOf =
      llvm::map_to_vector(elements, [&](Value x) { return splat(x); });
  Value at = indexValue(position), buffer = kernel.output(output);
  int64_t width = lanes->width, begin = 0;
  for (Value vector : interleaved(b, lanesOf)) {
    Value offset = b.createOrFold<arith::AddIOp>(
        at, arith::ConstantIndexOp::create(b, begin));
    Value on = mask ? maskOfRows(b, mask, size, false, begin, width) : Value();
    storeAt(vector, buffer, offset, on, {}, streaming);
    begin += width;
  }
}

LogicalResult ExpressionEmitter::storeShortRows(const Index &index,
                                                int64_t size, Value streaming) {
  SmallVector<SmallVector<Value>> computed;
  for (Value root : kernel.yield().getValues()) {
    Index at = index;
    auto &row = computed.emplace_back();
    for (int64_t part = 0; part < size; ++part) {
      at.back() = space.getNames().constant(part);
      FailureOr<Value> element = emit(root, at);
      if (failed(element))
        return failure();
      row.push_back(*element);
    }
  }
  for (auto [i, row] : llvm::enumerate(computed))
    storeShortRow(row, i, index, streaming);
  return success();
}

//===----------------------------------------------------------------------===//
// Scalars, gathers and stores
//===----------------------------------------------------------------------===//

/// Loads the element that all lanes share, if `mayRead` is true.
Value ExpressionEmitter::loadScalar(Value buffer, Value at) {
  if (!mayRead)
    return memref::LoadOp::create(b, buffer, at);
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  auto ifOp = scf::IfOp::create(b, type, mayRead, /*withElse=*/true);
  OpBuilder::InsertionGuard insertion(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  scf::YieldOp::create(b, Value(memref::LoadOp::create(b, buffer, at)));
  b.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(b, constantOf(b, b.getLoc(), type, 0));
  return ifOp.getResult(0);
}

Value ExpressionEmitter::loadAt(Value buffer, AffineExpr position,
                                Value offset) {
  bool offsetVaries = offset && isa<VectorType>(offset.getType());
  llvm::SaveAndRestore asks(
      prefetchBytes, !prefetchLoop || position.isFunctionOfDim(*prefetchLoop)
                         ? prefetchBytes
                         : 0);
  auto shifted = [&](Value at) {
    return offset ? b.createOrFold<arith::AddIOp>(at, offset) : at;
  };
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  if (!variesByLane(position) && !offsetVaries)
    return prefetchesOnly ? nothing(element, /*byLane=*/false)
                          : loadScalar(buffer, shifted(indexValue(position)));
  auto type = VectorType::get({lanes->width}, element);
  std::optional<int64_t> step;
  if (!offsetVaries)
    step = laneStep(position);
  if (prefetchesOnly) {
    if (step == 1)
      prefetchAt(buffer, shifted(indexValue(position)));
    return nothing(element, /*byLane=*/true);
  }
  if (step == 1) {
    Value first = shifted(indexValue(position));
    llvm::MaybeAlign alignment =
        offset ? llvm::MaybeAlign() : alignmentAt(position, element);
    if (mask || !alignment)
      return loadVectors(buffer, first, type, [&](size_t) { return mask; })[0];
    if (prefetchBytes)
      prefetchAt(buffer, first);
    return vector::LoadOp::create(b, type, buffer, first,
                                  /*nontemporal=*/false, alignment);
  }
  if (!step && !offset) {
    auto offsets = offsetsOfLanes(position, /*fromFirst=*/true);
    if (int64_t count = offsets ? lanesOfElement(*offsets) : 0;
        count == 2 || (count > 2 && !mask))
      return loadRepeated(buffer, position, count);
    int64_t rows =
        offsets && !kernel.target.isSimt() ? countInterleavedRows(*offsets) : 0;
    if (rows)
      return loadInterleaved(buffer, position,
                             ArrayRef<int64_t>(*offsets).take_front(rows));
  }
  if (!kernel.target.isSimt() && step == -1)
    return loadBackwards(buffer, shifted(indexValue(position)));
  if (!kernel.target.isSimt() && step == 2 && llvm::isPowerOf2_64(lanes->width))
    return loadEven(buffer, position, offset);
  Value all = mask;
  if (!all)
    all = constantOf(b, b.getLoc(),
                     VectorType::get({lanes->width}, b.getI1Type()), 1);
  Value base = arith::ConstantIndexOp::create(b, 0);
  Value zero = constantOf(b, b.getLoc(), type, 0);
  if (offset)
    offset = splat(offset);
  return vector::GatherOp::create(b, type, buffer, base,
                                  shifted(laneIndex(position)), all, zero);
}

void ExpressionEmitter::storeAt(Value vector, Value buffer, Value at, Value on,
                                llvm::MaybeAlign alignment, Value streaming) {
  auto cached = [&] {
    if (on)
      vector::MaskedStoreOp::create(b, buffer, at, on, vector);
    else
      vector::StoreOp::create(b, vector, buffer, at, /*nontemporal=*/false,
                              alignment);
  };
  auto pastCaches = [&] {
    auto type = cast<VectorType>(vector.getType());
    int64_t bytes = type.getNumElements() *
                    llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    vector::StoreOp::create(b, vector, buffer, at, /*nontemporal=*/true,
                            llvm::MaybeAlign(bytes));
  };
  if (!streaming)
    return cached();
  if (matchPattern(streaming, m_One()))
    return pastCaches();
  auto ifOp = scf::IfOp::create(b, streaming, /*withElse=*/true);
  OpBuilder::InsertionGuard insertion(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  pastCaches();
  b.setInsertionPointToStart(ifOp.elseBlock());
  cached();
}

void ExpressionEmitter::store(Value element, unsigned output,
                              const Index &index, Value streaming) {
  Value buffer = kernel.output(output);
  AffineExpr position =
      space.linearize(index, kernel.dims(kernel.yield().getValues()[output]));
  if (!variesByLane(position)) {
    // The output has a single element along the lanes' dim. If a guard has made
    // the element a vector, its lane 0 is stored.
    if (isa<VectorType>(element.getType()))
      element = vector::ExtractOp::create(b, element, 0);
    memref::StoreOp::create(b, element, buffer, indexValue(position));
    return;
  }
  element = splat(element);
  if (laneStep(position) == 1)
    return storeAt(
        element, buffer, indexValue(position), mask,
        alignmentAt(position, getElementTypeOrSelf(element.getType())),
        streaming);
  Value all = mask;
  if (!all)
    all = constantOf(b, b.getLoc(),
                     VectorType::get({lanes->width}, b.getI1Type()), 1);
  Value base = arith::ConstantIndexOp::create(b, 0);
  vector::ScatterOp::create(b, /*result=*/Type(), buffer, base,
                            laneIndex(position), all, element);
}

LogicalResult
ExpressionEmitter::storeOutputs(const Index &index, Value streaming,
                                function_ref<bool(Value)> isMeant) {
  SmallVector<std::pair<unsigned, Value>> computed;
  for (auto [i, root] : llvm::enumerate(kernel.yield().getValues())) {
    if (isMeant && !isMeant(root))
      continue;
    FailureOr<Value> element = emit(root, index);
    if (failed(element))
      return failure();
    computed.push_back({i, *element});
  }
  for (auto [i, element] : computed)
    store(element, i, index, streaming);
  return success();
}

LogicalResult ExpressionEmitter::prefetchOutputs(const Index &index) {
  llvm::SaveAndRestore asks(prefetchesOnly, true);
  for (Value root : kernel.yield().getValues())
    if (failed(emit(root, index)))
      return failure();
  return success();
}

Value ExpressionEmitter::reload(unsigned output, const Index &index) {
  AffineExpr position =
      space.linearize(index, kernel.dims(kernel.yield().getValues()[output]));
  return loadAt(kernel.output(output), position);
}

} // namespace tensorc::codegen
