//===- Model.h - A decoder of the Llama family ----------------------------===//
#ifndef EXAMPLES_LLM_MODEL_H
#define EXAMPLES_LLM_MODEL_H

#include "tensorc/tensorc.hpp"

#include <string>
#include <vector>

namespace llm {

using tensorc::Tensor;

/// A weight [out, in] by itself; or integers of 4 bits and their scales, as
/// `quantized` arranges them.
struct Matrix {
  std::vector<Tensor> parts;
};
TENSORC_STRUCT(Matrix, parts)

/// The rows of x times the matrix.
Tensor multiply(const Tensor &x, const Matrix &matrix);

struct Layer {
  Tensor attentionNorm, feedNorm;
  Matrix q, k, v, o, gate, up, down;
};
TENSORC_STRUCT(Layer, attentionNorm, feedNorm, q, k, v, o, gate, up, down)

/// Sizes follow from the weights' shapes; these do not.
struct Config {
  int64_t heads = 0, kvHeads = 0;
  /// Depth of a head in the weights.
  int64_t headSize = 0;
  double theta = 10000, epsilon = 1e-5;
  bool quantizes = false;
};

struct Model {
  Tensor embedding, norm;
  Matrix head;
  std::vector<Layer> layers;
};
TENSORC_STRUCT(Model, embedding, norm, head, layers)

/// Keys and values of each layer, [kvHeads, context, headSize].
struct Cache {
  std::vector<Tensor> keys, values;
};
TENSORC_STRUCT(Cache, keys, values)

/// Reads a .safetensors, an index of several, or a .gguf. What config.json
/// beside a .safetensors says is the default of `config`. With
/// `config.quantizes` all matrices but the embeddings become integers.
Model load(const std::string &path, Config &config);

} // namespace llm

#endif
