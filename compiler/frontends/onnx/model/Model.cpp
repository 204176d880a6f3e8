//===- Model.cpp - The messages of an ONNX file ---------------------------===//

#include "compiler/frontends/onnx/model/Model.h"
#include "compiler/frontends/onnx/model/Wire.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tensorc::onnx {

namespace {
/// Reads the messages of a model. There is one function per message, which
/// returns false for invalid bytes. `places` then names the position of the
/// error.
class Reader {
public:
  bool read(StringRef bytes, Model &model);
  bool read(StringRef bytes, Graph &graph);
  bool read(StringRef bytes, Node &node);
  bool read(StringRef bytes, Attribute &attribute);
  bool read(StringRef bytes, Tensor &tensor);
  bool read(StringRef bytes, SparseTensor &tensor);
  bool read(StringRef bytes, ValueInfo &value);
  bool read(StringRef bytes, TypeInfo &type);
  bool read(StringRef bytes, Function &function);
  bool read(StringRef bytes, OperatorSet &set);

  std::string path() const { return join(llvm::reverse(places), ": "); }

private:
  /// Maximum nesting of messages, far above that of real models.
  static constexpr unsigned maxDepth = 64;

  SmallVector<std::string> places;
  unsigned depth = 0;

  /// If an inner message is invalid, records its position in the outer one.
  /// Returns `isRead`.
  bool at(const Twine &place, bool isRead) {
    if (!isRead)
      places.push_back(place.str());
    return isRead;
  }
  template <typename T>
  bool into(T &message, const Field &field, const Twine &place) {
    return at(place, field.kind == Field::Bytes && read(field.bytes, message));
  }
  template <typename T>
  bool append(std::vector<T> &list, const Field &field, StringRef place) {
    list.emplace_back();
    return into(list.back(), field, place + " " + Twine(list.size() - 1));
  }
  bool text(StringRef &value, const Field &field) {
    value = field.bytes;
    return field.kind == Field::Bytes;
  }
  bool text(std::vector<StringRef> &list, const Field &field) {
    list.push_back(field.bytes);
    return field.kind == Field::Bytes;
  }
  template <typename T> bool number(T &value, const Field &field) {
    value = static_cast<T>(field.bits);
    return field.kind == Field::Integer;
  }
  /// Calls the function for each field until it returns false.
  template <typename Fn> bool each(StringRef bytes, Fn fn) {
    if (depth == maxDepth)
      return at("messages are nested too deeply", false);
    ++depth;
    Wire wire(bytes);
    Field field;
    bool isRead = true;
    while (isRead && wire.next(field))
      isRead = fn(field);
    --depth;
    return isRead && !wire.isBroken();
  }
  bool readEntry(StringRef bytes, std::pair<StringRef, StringRef> &entry);
  bool readDimension(StringRef bytes, Dimension &dim);
  bool readShape(StringRef bytes, TypeInfo &type);
  bool readTensorType(StringRef bytes, TypeInfo &type);
};
} // namespace

bool Reader::readEntry(StringRef bytes,
                       std::pair<StringRef, StringRef> &entry) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      return text(entry.first, field);
    case 2:
      return text(entry.second, field);
    }
    return true;
  });
}

bool Reader::readDimension(StringRef bytes, Dimension &dim) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      dim.value = 0;
      return number(*dim.value, field);
    case 2:
      return text(dim.name, field);
    }
    return true;
  });
}

bool Reader::readShape(StringRef bytes, TypeInfo &type) {
  type.hasShape = true;
  return each(bytes, [&](const Field &field) {
    if (field.number != 1)
      return true;
    type.dims.emplace_back();
    return field.kind == Field::Bytes &&
           readDimension(field.bytes, type.dims.back());
  });
}

bool Reader::readTensorType(StringRef bytes, TypeInfo &type) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      // For a sequence or an optional the element type is a message.
      return field.kind == Field::Bytes || number(type.element, field);
    case 2:
      return field.kind == Field::Bytes && readShape(field.bytes, type);
    }
    return true;
  });
}

bool Reader::read(StringRef bytes, TypeInfo &type) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      type.kind = TypeInfo::TensorKind;
      return field.kind == Field::Bytes && readTensorType(field.bytes, type);
    case 4:
      type.kind = TypeInfo::Sequence;
      break;
    case 5:
      type.kind = TypeInfo::Map;
      break;
    case 7:
      type.kind = TypeInfo::Opaque;
      break;
    case 8:
      type.kind = TypeInfo::Sparse;
      break;
    case 9:
      type.kind = TypeInfo::Optional;
      break;
    }
    return true;
  });
}

bool Reader::read(StringRef bytes, ValueInfo &value) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      return text(value.name, field);
    case 2:
      return into(value.type, field, "type");
    }
    return true;
  });
}

bool Reader::read(StringRef bytes, Tensor &tensor) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      return addNumbers(field, tensor.dims);
    case 2:
      return number(tensor.type, field);
    case 3:
      tensor.isSegment = true;
      return true;
    case 4:
      return addNumbers(field, tensor.floats);
    case 5:
      return addNumbers(field, tensor.int32s);
    case 6:
      return text(tensor.strings, field);
    case 7:
      return addNumbers(field, tensor.int64s);
    case 8:
      return text(tensor.name, field);
    case 9:
      tensor.hasRaw = true;
      return text(tensor.raw, field);
    case 10:
      return addNumbers(field, tensor.doubles);
    case 11:
      return addNumbers(field, tensor.uint64s);
    case 13:
      tensor.external.emplace_back();
      return field.kind == Field::Bytes &&
             readEntry(field.bytes, tensor.external.back());
    case 14:
      tensor.isExternal = field.bits == 1;
      return field.kind == Field::Integer;
    }
    return true;
  });
}

bool Reader::read(StringRef bytes, SparseTensor &tensor) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      return into(tensor.values, field, "values");
    case 2:
      return into(tensor.indices, field, "indices");
    case 3:
      return addNumbers(field, tensor.dims);
    }
    return true;
  });
}

bool Reader::read(StringRef bytes, Attribute &attribute) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      return text(attribute.name, field);
    case 2: {
      auto bits = static_cast<uint32_t>(field.bits);
      std::memcpy(&attribute.f, &bits, sizeof bits);
      return field.kind == Field::Four;
    }
    case 3:
      return number(attribute.i, field);
    case 4:
      return text(attribute.s, field);
    case 5:
      attribute.tensor = std::make_shared<Tensor>();
      return into(*attribute.tensor, field, "tensor");
    case 6:
      attribute.graph = std::make_shared<Graph>();
      return into(*attribute.graph, field, "graph");
    case 7:
      return addNumbers(field, attribute.floats);
    case 8:
      return addNumbers(field, attribute.ints);
    case 9:
      return text(attribute.strings, field);
    case 20: {
      // ONNX's numbers for attribute types are those of the enumerators up to
      // Graphs; the other types were added later.
      static constexpr Attribute::Kind kinds[] = {
          Attribute::Undefined,     Attribute::Float,
          Attribute::Int,           Attribute::String,
          Attribute::TensorValue,   Attribute::GraphValue,
          Attribute::Floats,        Attribute::Ints,
          Attribute::Strings,       Attribute::Tensors,
          Attribute::Graphs,        Attribute::SparseTensorValue,
          Attribute::SparseTensors, Attribute::TypeValue,
          Attribute::Types};
      if (field.kind != Field::Integer || field.bits >= std::size(kinds))
        return false;
      attribute.kind = kinds[field.bits];
      return true;
    }
    case 21:
      return text(attribute.reference, field);
    case 22:
      attribute.sparse = std::make_shared<SparseTensor>();
      return into(*attribute.sparse, field, "sparse tensor");
    }
    return true;
  });
}

bool Reader::read(StringRef bytes, Node &node) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      return text(node.inputs, field);
    case 2:
      return text(node.outputs, field);
    case 3:
      return text(node.name, field);
    case 4:
      return text(node.op, field);
    case 5:
      return append(node.attributes, field, "attribute");
    case 7:
      return text(node.domain, field);
    case 8:
      return text(node.overload, field);
    }
    return true;
  });
}

bool Reader::read(StringRef bytes, Graph &graph) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      return append(graph.nodes, field, "node");
    case 2:
      return text(graph.name, field);
    case 5:
      return append(graph.initializers, field, "initializer");
    case 11:
      return append(graph.inputs, field, "input");
    case 12:
      return append(graph.outputs, field, "output");
    case 13:
      return append(graph.values, field, "value");
    case 15:
      return append(graph.sparseInitializers, field, "sparse initializer");
    }
    return true;
  });
}

bool Reader::read(StringRef bytes, OperatorSet &set) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      return text(set.domain, field);
    case 2:
      return number(set.version, field);
    }
    return true;
  });
}

bool Reader::read(StringRef bytes, Function &function) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      return text(function.name, field);
    case 4:
      return text(function.inputs, field);
    case 5:
      return text(function.outputs, field);
    case 6:
      return text(function.attributes, field);
    case 7:
      return append(function.nodes, field, "node");
    case 9:
      return append(function.operatorSets, field, "opset");
    case 10:
      return text(function.domain, field);
    case 11:
      return append(function.defaults, field, "attribute");
    case 13:
      return text(function.overload, field);
    }
    return true;
  });
}

bool Reader::read(StringRef bytes, Model &model) {
  return each(bytes, [&](const Field &field) {
    switch (field.number) {
    case 1:
      return number(model.irVersion, field);
    case 7:
      // Protobuf merges a second graph into the first one. Exporters write only
      // one, so here a second one replaces the first.
      model.graph.emplace();
      return into(*model.graph, field, "graph");
    case 8:
      return append(model.operatorSets, field, "opset");
    case 25:
      return append(model.functions, field, "function");
    }
    return true;
  });
}

Expected<Model> readModel(StringRef bytes) {
  Model model;
  Reader reader;
  if (reader.read(bytes, model))
    return model;
  std::string path = reader.path();
  return createStringError(
      "is not an ONNX model: its bytes are not a message of protobuf%s%s",
      path.empty() ? ", or the file is cut off" : " at ", path.c_str());
}

} // namespace tensorc::onnx
