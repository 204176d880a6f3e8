//===- Model.h - The messages of an ONNX file -----------------------------===//
//
// The messages of onnx.proto, except parts that do not affect the program
// (documentation, annotations, training). Strings and raw data point into the
// file.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_ONNX_MODEL_MODEL_H
#define TENSORC_COMPILER_FRONTENDS_ONNX_MODEL_MODEL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tensorc::onnx {

using llvm::StringRef;

struct Graph;

struct Tensor {
  StringRef name;
  int32_t type = 0;
  std::vector<int64_t> dims;
  bool hasRaw = false, isExternal = false, isSegment = false;
  StringRef raw;
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<int32_t> int32s;
  std::vector<int64_t> int64s;
  std::vector<uint64_t> uint64s;
  std::vector<StringRef> strings;
  std::vector<std::pair<StringRef, StringRef>> external;
};

struct SparseTensor {
  Tensor values, indices;
  std::vector<int64_t> dims;
};

struct Dimension {
  std::optional<int64_t> value;
  StringRef name;
};

struct TypeInfo {
  enum Kind { None, TensorKind, Sequence, Map, Optional, Sparse, Opaque };
  Kind kind = None;
  int32_t element = 0;
  /// If false, even the rank is unknown.
  bool hasShape = false;
  std::vector<Dimension> dims;
};

struct ValueInfo {
  StringRef name;
  TypeInfo type;
};

struct Attribute {
  enum Kind {
    Undefined,
    Float,
    Int,
    String,
    TensorValue,
    GraphValue,
    Floats,
    Ints,
    Strings,
    Tensors,
    Graphs,
    SparseTensorValue,
    SparseTensors,
    TypeValue,
    Types
  };
  StringRef name, reference;
  Kind kind = Undefined;
  float f = 0;
  int64_t i = 0;
  StringRef s;
  std::shared_ptr<Tensor> tensor;
  std::shared_ptr<SparseTensor> sparse;
  std::shared_ptr<Graph> graph;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<StringRef> strings;
};

struct Node {
  StringRef name, op, domain, overload;
  std::vector<StringRef> inputs, outputs;
  std::vector<Attribute> attributes;
};

struct Graph {
  StringRef name;
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  std::vector<SparseTensor> sparseInitializers;
  std::vector<ValueInfo> inputs, outputs, values;
};

struct OperatorSet {
  StringRef domain;
  int64_t version = 0;
};

struct Function {
  StringRef name, domain, overload;
  std::vector<StringRef> inputs, outputs, attributes;
  std::vector<Attribute> defaults;
  std::vector<Node> nodes;
  std::vector<OperatorSet> operatorSets;
};

struct Model {
  int64_t irVersion = 0;
  std::vector<OperatorSet> operatorSets;
  std::optional<Graph> graph;
  std::vector<Function> functions;
};

/// Reads a model. The bytes must outlive it. An error names the path to the
/// invalid protobuf message: `graph: node 3: input: ...`.
llvm::Expected<Model> readModel(StringRef bytes);

} // namespace tensorc::onnx

#endif // TENSORC_COMPILER_FRONTENDS_ONNX_MODEL_MODEL_H
