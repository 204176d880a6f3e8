//===- RegisterValues.cpp - Small tensors in registers --------------------===//

#include "codegen/emitters/registers/RegisterValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen {

int64_t elementsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() ? tensor.getNumElements() : 0;
}

SmallVector<Type> RegisterBuilder::typesOf(int64_t count, Type element) const {
  if (count == 1)
    return {element};
  SmallVector<Type> types;
  for (int64_t first = 0; first < count; first += lanes)
    types.push_back(VectorType::get({std::min(lanes, count - first)}, element));
  return types;
}

RegisterValue
RegisterBuilder::constant(int64_t count, Type element,
                          function_ref<Attribute(int64_t)> valueOf) {
  RegisterValue value{count, {}};
  int64_t next = 0;
  for (Type type : typesOf(count, element)) {
    auto vector = dyn_cast<VectorType>(type);
    SmallVector<Attribute> elements;
    for (int64_t i = 0, n = vector ? vector.getNumElements() : 1; i < n; ++i)
      elements.push_back(valueOf(next++));
    TypedAttr attribute =
        vector ? TypedAttr(DenseElementsAttr::get(vector, elements))
               : cast<TypedAttr>(elements.front());
    value.parts.push_back(arith::ConstantOp::create(b, attribute));
  }
  return value;
}

RegisterValue RegisterBuilder::splat(int64_t count, Value scalar) {
  RegisterValue value{count, {}};
  for (Type type : typesOf(count, scalar.getType()))
    value.parts.push_back(
        isa<VectorType>(type)
            ? Value(vector::BroadcastOp::create(b, type, scalar))
            : scalar);
  return value;
}

Value RegisterBuilder::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

RegisterValue RegisterBuilder::load(Value buffer, Value first, int64_t count) {
  RegisterValue value{count, {}};
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t at = 0;
  for (Type type : typesOf(count, element)) {
    Value index = b.createOrFold<arith::AddIOp>(first, constantIndex(at));
    value.parts.push_back(
        isa<VectorType>(type)
            ? Value(vector::LoadOp::create(b, type, buffer, index))
            : Value(memref::LoadOp::create(b, buffer, index)));
    at += lanes;
  }
  return value;
}

void RegisterBuilder::store(const RegisterValue &value, Value buffer,
                            Value first) {
  for (auto [i, part] : llvm::enumerate(value.parts)) {
    Value index = b.createOrFold<arith::AddIOp>(
        first, constantIndex(static_cast<int64_t>(i) * lanes));
    if (isa<VectorType>(part.getType()))
      vector::StoreOp::create(b, part, buffer, index);
    else
      memref::StoreOp::create(b, part, buffer, index);
  }
}

FailureOr<RegisterValue>
RegisterBuilder::map(ArrayRef<const RegisterValue *> operands,
                     function_ref<FailureOr<Value>(ValueRange)> make) {
  RegisterValue result{operands.front()->count, {}};
  for (size_t i = 0; i < operands.front()->parts.size(); ++i) {
    SmallVector<Value> parts;
    for (const RegisterValue *operand : operands)
      parts.push_back(operand->parts[i]);
    FailureOr<Value> part = make(parts);
    if (failed(part))
      return failure();
    result.parts.push_back(*part);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

static int64_t widthOf(Value v) {
  auto vector = dyn_cast<VectorType>(v.getType());
  return vector ? vector.getNumElements() : 0;
}

/// Returns a vector of elements of the registers. For `lanesOf[i]` = (r, l), its
/// lane i is lane l of `registers[r]`. Emits a chain of two-operand shuffles.
Value RegisterBuilder::combine(ArrayRef<Value> registers,
                               ArrayRef<std::pair<unsigned, int64_t>> lanesOf) {
  auto count = static_cast<int64_t>(lanesOf.size());
  int64_t width = count;
  for (Value v : registers)
    width = std::max(width, widthOf(v));
  auto widen = [&](Value v) -> Value {
    int64_t own = widthOf(v);
    if (own == 0)
      return vector::BroadcastOp::create(
          b, VectorType::get({width}, v.getType()), v);
    if (own == width)
      return v;
    SmallVector<int64_t> mask(width, vector::ShuffleOp::kPoisonIndex);
    std::iota(mask.begin(), mask.begin() + own, 0);
    return vector::ShuffleOp::create(b, v, v, mask);
  };
  Value made = widen(registers[0]);
  // The lane of `made` that holds each element of the result.
  SmallVector<int64_t> madeLanes(count, vector::ShuffleOp::kPoisonIndex);
  for (auto [i, lane] : llvm::enumerate(lanesOf))
    if (lane.first == 0)
      madeLanes[i] = lane.second;
  for (unsigned r = 1; r == 1 || r < registers.size(); ++r) {
    bool isLast = r + 1 >= registers.size();
    Value other = r < registers.size() ? widen(registers[r]) : made;
    SmallVector<int64_t> mask(isLast ? count : width,
                              vector::ShuffleOp::kPoisonIndex);
    for (auto [i, lane] : llvm::enumerate(lanesOf)) {
      if (madeLanes[i] != vector::ShuffleOp::kPoisonIndex)
        mask[i] = madeLanes[i];
      else if (lane.first == r)
        mask[i] = width + lane.second;
      if (mask[i] != vector::ShuffleOp::kPoisonIndex)
        madeLanes[i] = static_cast<int64_t>(i);
    }
    made = vector::ShuffleOp::create(b, made, other, mask);
  }
  return made;
}

Value RegisterBuilder::movePart(ArrayRef<Source> sources) {
  SmallVector<Value> registers;
  SmallVector<std::pair<unsigned, int64_t>> lanesOf;
  bool isIdentity = true;
  for (auto [i, source] : llvm::enumerate(sources)) {
    Value part = source.value->parts[source.at / lanes];
    int64_t lane = source.at % lanes;
    const auto *known = llvm::find(registers, part);
    lanesOf.push_back({known - registers.begin(), lane});
    if (known == registers.end())
      registers.push_back(part);
    isIdentity &= lane == static_cast<int64_t>(i);
  }
  auto count = static_cast<int64_t>(sources.size());
  if (registers.size() == 1 && widthOf(registers[0]) == 0)
    return vector::BroadcastOp::create(
        b, VectorType::get({count}, registers[0].getType()), registers[0]);
  if (registers.size() == 1 && isIdentity && widthOf(registers[0]) == count)
    return registers[0];
  if (llvm::all_of(registers, [](Value v) { return widthOf(v) == 0; })) {
    SmallVector<Value> elements;
    for (auto [number, lane] : lanesOf)
      elements.push_back(registers[number]);
    return vector::FromElementsOp::create(
        b, VectorType::get({count}, registers[0].getType()), elements);
  }
  return combine(registers, lanesOf);
}

RegisterValue RegisterBuilder::move(int64_t count,
                                    function_ref<Source(int64_t)> of) {
  RegisterValue result{count, {}};
  if (count == 1) {
    Source source = of(0);
    Value part = source.value->parts[source.at / lanes];
    if (isa<VectorType>(part.getType()))
      part = vector::ExtractOp::create(b, part,
                                       ArrayRef<int64_t>{source.at % lanes});
    result.parts.push_back(part);
    return result;
  }
  for (int64_t first = 0; first < count; first += lanes) {
    SmallVector<Source> sources;
    for (int64_t i = first; i < std::min(count, first + lanes); ++i)
      sources.push_back(of(i));
    result.parts.push_back(movePart(sources));
  }
  return result;
}

} // namespace tensorc::codegen
