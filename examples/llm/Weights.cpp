//===- Weights.cpp - The weights of a Llama, by the names that files use --===//

#include "Model.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace llm {

using Tensors = std::map<std::string, Tensor>;

/// Hugging Face's names, and llama.cpp's.
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

/// The number behind `"key":` in a JSON text.
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

/// llama.cpp turns neighbours, where Hugging Face turns the two halves of a
/// head: the rows of a head in the other order.
static Tensor halves(const Tensor &weight, int64_t heads) {
  int64_t rows = weight.size(0), columns = weight.size(1);
  return weight.reshape({heads, rows / heads / 2, 2, columns})
      .transpose({0, 2, 1, 3})
      .reshape({rows, columns});
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
  Model model;
  model.embedding = take(all, names.embedding);
  model.norm = take(all, names.norm);
  // Small models share the two.
  model.head = all.count(names.head) ? take(all, names.head) : model.embedding;
  for (size_t i = 0;; ++i) {
    std::string prefix = names.layer + std::to_string(i) + ".";
    if (!all.count(prefix + names.ofLayer[0] + ".weight"))
      break;
    Layer layer;
    Tensor *members[] = {
        &layer.attentionNorm, &layer.q,    &layer.k,  &layer.v,   &layer.o,
        &layer.feedNorm,      &layer.gate, &layer.up, &layer.down};
    for (size_t j = 0; j < 9; ++j)
      *members[j] = take(all, prefix + names.ofLayer[j] + ".weight");
    if (isGguf) {
      layer.q = halves(layer.q, config.heads);
      layer.k = halves(layer.k, config.kvHeads);
    }
    tensorc::eval(layer.q, layer.k);
    model.layers.push_back(layer);
  }
  if (model.layers.empty())
    throw std::runtime_error("the weights have no layers");
  return model;
}

} // namespace llm
