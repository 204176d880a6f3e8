//===- Model.h - A decoder of the Llama family ----------------------------===//
#ifndef EXAMPLES_LLM_MODEL_H
#define EXAMPLES_LLM_MODEL_H

#include "tensorc/tensorc.hpp"

#include <string>
#include <vector>

namespace llm {

using tensorc::Tensor;

struct Layer {
  Tensor attentionNorm, q, k, v, o, feedNorm, gate, up, down;
};
TENSORC_STRUCT(Layer, attentionNorm, q, k, v, o, feedNorm, gate, up, down)

/// Sizes follow from the weights' shapes; these do not.
struct Config {
  int64_t heads = 0, kvHeads = 0;
  double theta = 10000, epsilon = 1e-5;
};

struct Model {
  Tensor embedding, norm, head;
  std::vector<Layer> layers;
};
TENSORC_STRUCT(Model, embedding, norm, head, layers)

/// Of each layer [kvHeads, context, size of a head].
struct Cache {
  std::vector<Tensor> keys, values;
};
TENSORC_STRUCT(Cache, keys, values)

/// Reads a .safetensors, an index of several, or a .gguf. What config.json
/// beside a .safetensors says is the default of `config`.
Model load(const std::string &path, Config &config);

} // namespace llm

#endif
