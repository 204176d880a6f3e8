//===- Mutations.cpp - Edits of an ONNX model -----------------------------===//

#include "tests/fuzz/onnx/Mutations.h"
#include "compiler/frontends/onnx/model/Wire.h"

#include "llvm/ADT/STLExtras.h"

#include <random>
#include <vector>

using llvm::StringRef;

namespace tensorc::fuzz {

using onnx::Field;
using onnx::Wire;

namespace {
/// Of onnx.proto, as far as the reader reads it.
enum Type : uint8_t {
  None,
  Model,
  OperatorSet,
  Graph,
  Node,
  Attribute,
  Tensor,
  Sparse,
  Entry,
  Value,
  AnyType,
  TensorType,
  Shape,
  Dim,
  Function,
};

struct Child {
  Type of;
  uint32_t number;
  Type type;
};
constexpr Child children[] = {
    {Model, 7, Graph},
    {Model, 8, OperatorSet},
    {Model, 25, Function},
    {Graph, 1, Node},
    {Graph, 5, Tensor},
    {Graph, 11, Value},
    {Graph, 12, Value},
    {Graph, 13, Value},
    {Graph, 15, Sparse},
    {Node, 5, Attribute},
    {Attribute, 5, Tensor},
    {Attribute, 6, Graph},
    {Attribute, 10, Tensor},
    {Attribute, 11, Graph},
    {Attribute, 14, AnyType},
    {Attribute, 22, Sparse},
    {Attribute, 23, Sparse},
    {Tensor, 13, Entry},
    {Sparse, 1, Tensor},
    {Sparse, 2, Tensor},
    {Value, 2, AnyType},
    {AnyType, 1, TensorType},
    {AnyType, 4, AnyType},
    {TensorType, 2, Shape},
    {Shape, 1, Dim},
    {Function, 7, Node},
    {Function, 9, OperatorSet},
    {Function, 11, Attribute},
};

Type childOf(Type of, uint32_t number) {
  const Child *found = llvm::find_if(children, [&](const Child &child) {
    return child.of == of && child.number == number;
  });
  return found == std::end(children) ? None : found->type;
}

/// Lists of whole numbers: packed base-128.
bool isList(Type of, uint32_t number) {
  return (of == Attribute && number == 8) || (of == Sparse && number == 3) ||
         (of == Tensor && llvm::is_contained({1, 5, 7, 11}, int(number)));
}

struct Part {
  Type of;
  uint32_t number;
  Field::Kind kind;
  uint64_t bits;
  std::string bytes;
  Type type;
  std::vector<Part> parts; // of a message
};

constexpr int mostDepth = 12;

std::optional<std::vector<Part>> parse(StringRef bytes, Type type, int depth) {
  std::vector<Part> parts;
  Wire wire(bytes);
  for (Field field; wire.next(field);) {
    Part part{type,       field.number,      field.kind,
              field.bits, field.bytes.str(), None,
              {}};
    Type child = childOf(type, field.number);
    if (child && field.kind == Field::Bytes && depth < mostDepth)
      if (auto inner = parse(field.bytes, child, depth + 1)) {
        part.type = child;
        part.parts = std::move(*inner);
      }
    parts.push_back(std::move(part));
  }
  if (wire.isBroken())
    return std::nullopt;
  return parts;
}

void appendNumber(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

std::string textOf(const std::vector<Part> &parts) {
  std::string out;
  for (const Part &part : parts) {
    appendNumber(out, uint64_t(part.number) << 3 | part.kind);
    std::string own = part.type ? textOf(part.parts) : part.bytes;
    if (part.kind == Field::Integer)
      appendNumber(out, part.bits);
    else if (part.kind == Field::Bytes)
      appendNumber(out, own.size()), out += own;
    else
      for (int i = 0; i < (part.kind == Field::Eight ? 8 : 4); ++i)
        out += static_cast<char>(part.bits >> 8 * i);
  }
  return out;
}

class Mutator {
public:
  Mutator(std::vector<Part> &model, unsigned seed)
      : model(model), random(seed) {}

  void edit();

private:
  /// A field, and the message that it is of.
  struct Place {
    std::vector<Part> *list;
    size_t at;
    Part &part() const { return (*list)[at]; }
  };

  std::vector<Part> &model;
  std::mt19937 random;

  size_t below(size_t count) { return random() % count; }
  void collect(std::vector<Part> &list, std::vector<Place> &all);
  uint64_t number(uint64_t old);
  void change(Part &part);
};
} // namespace

void Mutator::collect(std::vector<Part> &list, std::vector<Place> &all) {
  for (size_t i = 0; i < list.size(); ++i) {
    all.push_back({&list, i});
    collect(list[i].parts, all);
  }
}

/// Sizes at limits, negative ones, and neighbours.
uint64_t Mutator::number(uint64_t old) {
  static constexpr int64_t numbers[] = {
      0,  1,  2,   3,     4,         7,         16,        17,        64,
      -1, -2, 255, 65536, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1 << 20,
      5,  10, 11,  13,    1LL << 32, 18,        21,        23,        -3};
  switch (below(4)) {
  case 0:
    return old + 1;
  case 1:
    return old - 1;
  default:
    return static_cast<uint64_t>(numbers[below(std::size(numbers))]);
  }
}

void Mutator::change(Part &part) {
  if (part.kind == Field::Integer) {
    part.bits = number(part.bits);
  } else if (part.kind != Field::Bytes) {
    part.bits ^= uint64_t(1) << below(part.kind == Field::Four ? 32 : 64);
  } else if (isList(part.of, part.number)) {
    std::vector<uint64_t> list;
    for (StringRef rest = part.bytes; !rest.empty();) {
      std::optional<uint64_t> value = Wire::takeNumber(rest);
      if (!value)
        break;
      list.push_back(*value);
    }
    size_t at = below(list.size() + 1);
    if (at == list.size() || below(8) == 0)
      list.insert(list.begin() + at, number(0));
    else if (below(8) == 0)
      list.erase(list.begin() + at);
    else
      list[at] = number(list[at]);
    part.bytes.clear();
    for (uint64_t value : list)
      appendNumber(part.bytes, value);
  } else if (part.bytes.empty() || below(4) == 0) {
    part.bytes += static_cast<char>(below(256));
  } else if (below(4) == 0) {
    part.bytes.resize(below(part.bytes.size()));
  } else {
    part.bytes[below(part.bytes.size())] ^= static_cast<char>(1 << below(8));
  }
}

void Mutator::edit() {
  std::vector<Place> all;
  collect(model, all);
  if (all.empty())
    return;
  Place place = all[below(all.size())];
  switch (below(8)) {
  case 0:
    place.list->erase(place.list->begin() + place.at);
    return;
  case 1: {
    Part copy = place.part();
    place.list->insert(place.list->begin() + below(place.list->size() + 1),
                       std::move(copy));
    return;
  }
  case 2:
    std::swap(place.part(), (*place.list)[below(place.list->size())]);
    return;
  case 3:
  case 4:
  case 5: { // one of the same field elsewhere: a name, a dtype, an attribute
    std::vector<Part *> same;
    for (Place &other : all)
      if (other.part().of == place.part().of &&
          other.part().number == place.part().number)
        same.push_back(&other.part());
    Part copy = *same[below(same.size())];
    place.part() = std::move(copy);
    return;
  }
  default:
    if (!place.part().type)
      change(place.part());
  }
}

std::string mutateModel(StringRef bytes, unsigned seed) {
  auto model = parse(bytes, Model, 0);
  if (!model)
    return bytes.str();
  std::mt19937 random(seed);
  for (unsigned i = 0, count = 1 + random() % 4; i < count; ++i)
    Mutator(*model, random()).edit();
  return textOf(*model);
}

} // namespace tensorc::fuzz
