//===- Model.h - A decoder of the Llama family ----------------------------===//
#ifndef EXAMPLES_LLM_MODEL_H
#define EXAMPLES_LLM_MODEL_H

#include "tensorc/tensorc.hpp"

#include <string>
#include <vector>

namespace llm {

using tensorc::Tensor;

/// A weight matrix [out, in], or 4-bit integers and their scales in the layout
/// that `quantized` makes.
struct Matrix {
  std::vector<Tensor> parts;
};
TENSORC_STRUCT(Matrix, parts)

/// Multiplies the rows of x by the matrix.
Tensor multiply(const Tensor &x, const Matrix &matrix);

struct Layer {
  Tensor attentionNorm, feedNorm;
  Matrix q, k, v, o, gate, up, down;
};
TENSORC_STRUCT(Layer, attentionNorm, feedNorm, q, k, v, o, gate, up, down)

/// Parameters that do not follow from the shapes of the weights.
struct Config {
  int64_t heads = 0, kvHeads = 0;
  /// Size of a head in the weights.
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

/// Reads a .safetensors file, an index of several files, or a .gguf file. The
/// defaults of `config` are read from config.json in the folder of a
/// .safetensors file. With `config.quantizes` all matrices except the
/// embeddings are quantized to integers.
Model load(const std::string &path, Config &config);

} // namespace llm

#endif
