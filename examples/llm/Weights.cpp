//===- Weights.cpp - Reads the weights of a Llama model -------------------===//

#include "Model.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace llm {

using Tensors = std::map<std::string, Tensor>;

/// Names of the weights in files of Hugging Face and of llama.cpp.
struct Names {
  const char *embedding, *norm, *head, *layer;
  const char *ofLayer[9];
};
static const Names huggingFace = {
    "model.embed_tokens.weight",
    "model.norm.weight",
    "lm_head.weight",
    "model.layers.",
    {"input_layernorm", "self_attn.q_proj", "self_attn.k_proj",
     "self_attn.v_proj", "self_attn.o_proj", "post_attention_layernorm",
     "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"}};
static const Names gguf = {"token_embd.weight",
                           "output_norm.weight",
                           "output.weight",
                           "blk.",
                           {"attn_norm", "attn_q", "attn_k", "attn_v",
                            "attn_output", "ffn_norm", "ffn_gate", "ffn_up",
                            "ffn_down"}};

static Tensor take(const Tensors &all, const std::string &name) {
  auto found = all.find(name);
  if (found == all.end())
    throw std::runtime_error("the weights have no " + name);
  return found->second;
}

/// Finds the number that follows `"key":` in a JSON text.
static bool find(const std::string &json, const std::string &key,
                 double &value) {
  size_t at = json.find("\"" + key + "\"");
  if (at == std::string::npos || (at = json.find(':', at)) == std::string::npos)
    return false;
  char *end;
  double number = std::strtod(json.c_str() + at + 1, &end);
  if (end == json.c_str() + at + 1)
    return false;
  value = number;
  return true;
}

static void readConfig(const std::string &path, Config &config) {
  size_t slash = path.rfind('/');
  std::string folder =
      slash == std::string::npos ? "" : path.substr(0, slash + 1);
  std::ifstream file(folder + "config.json");
  std::stringstream json;
  json << file.rdbuf();
  double heads = 0, kvHeads = 0;
  if (find(json.str(), "num_attention_heads", heads) && !config.heads)
    config.heads = static_cast<int64_t>(heads);
  if (find(json.str(), "num_key_value_heads", kvHeads) && !config.kvHeads)
    config.kvHeads = static_cast<int64_t>(kvHeads);
  find(json.str(), "rope_theta", config.theta);
  find(json.str(), "rms_norm_eps", config.epsilon);
}

/// llama.cpp rotates pairs of neighbouring elements, whereas Hugging Face
/// rotates pairs from the two halves of a head. This reorders the rows of each
/// head accordingly.
static Tensor halves(const Tensor &weight, int64_t heads) {
  int64_t rows = weight.size(0), columns = weight.size(1);
  return weight.reshape({heads, rows / heads / 2, 2, columns})
      .transpose({0, 2, 1, 3})
      .reshape({rows, columns});
}

/// Number of weights that share a scale.
static constexpr int64_t group = 32;

/// Converts [out, in] to i4 in the layout [in / 32, 16, out, 2], where the two
/// halves of a group share bytes, and scales [in / 32, 1, out, 1].
static Matrix quantized(const Tensor &weight) {
  int64_t out = weight.size(0), in = weight.size(1);
  if (in % group != 0)
    throw std::runtime_error("a weight of " + std::to_string(in) +
                             " columns has no groups of 32");
  Tensor x = weight.astype(tensorc::f32)
                 .reshape({out, in / group, 2, group / 2})
                 .transpose({1, 3, 0, 2});
  Tensor scales = max(abs(x), {1, 3}, true) / 7;
  // If all weights of a group are 0, any scale is correct.
  scales = where(scales > 0, scales, 1);
  Matrix matrix{{quantize(x, scales, {}, tensorc::i4), scales}};
  tensorc::eval(matrix.parts[0], matrix.parts[1]);
  return matrix;
}

Tensor multiply(const Tensor &x, const Matrix &matrix) {
  if (matrix.parts.size() == 1)
    return linear(x, matrix.parts[0], {});
  // This is fused into the kernel of the product, so no float weights are in
  // memory.
  Tensor weight = dequantize(matrix.parts[0], matrix.parts[1]);
  weight = weight.transpose({0, 3, 1, 2}).reshape({x.size(-1), -1});
  return matmul(x, weight);
}

Model load(const std::string &path, Config &config) {
  Tensors all = tensorc::load_tensors(path);
  bool isGguf = all.count(gguf.embedding) != 0;
  const Names &names = isGguf ? gguf : huggingFace;
  if (!isGguf)
    readConfig(path, config);
  if (!config.heads)
    throw std::runtime_error("say how many heads there are: --heads=N");
  if (!config.kvHeads)
    config.kvHeads = config.heads;
  auto matrix = [&](const Tensor &weight) {
    return config.quantizes ? quantized(weight) : Matrix{{weight}};
  };
  Model model;
  model.embedding = take(all, names.embedding);
  model.norm = take(all, names.norm);
  // Small models use the embedding as the output matrix.
  model.head =
      matrix(all.count(names.head) ? take(all, names.head) : model.embedding);
  for (size_t i = 0;; ++i) {
    std::string prefix = names.layer + std::to_string(i) + ".";
    if (!all.count(prefix + names.ofLayer[0] + ".weight"))
      break;
    auto weight = [&](size_t j) {
      return take(all, prefix + names.ofLayer[j] + ".weight");
    };
    Tensor q = weight(1), k = weight(2);
    config.headSize = q.size(0) / config.heads;
    if (isGguf) {
      q = halves(q, config.heads);
      k = halves(k, config.kvHeads);
      tensorc::eval(q, k);
    }
    model.layers.push_back({weight(0), weight(5), matrix(q), matrix(k),
                            matrix(weight(3)), matrix(weight(4)),
                            matrix(weight(6)), matrix(weight(7)),
                            matrix(weight(8))});
  }
  if (model.layers.empty())
    throw std::runtime_error("the weights have no layers");
  return model;
}

} // namespace llm
