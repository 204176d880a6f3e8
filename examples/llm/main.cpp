//===- main.cpp - Generates tokens with a Llama model ---------------------===//
//
//   build/bin/llm WEIGHTS --prompt=1,15,7 --tokens=32
//
// WEIGHTS is a .safetensors file (with config.json in the same folder), a
// .safetensors.index.json file or a .gguf file (with --heads=N --kv-heads=N).
// Tokens are numbers; there is no tokenizer. TENSORC_DEVICE selects the device.
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <random>

using namespace llm;

namespace {
struct Options {
  std::string weights, logits;
  std::vector<int64_t> prompt{1};
  int64_t tokens = 16, context = 0, topK = 40;
  double temperature = 0;
  unsigned seed = 0;
  Config config;
};

/// Rotates pairs of elements by angles that grow with the position.
Tensor rotate(const Tensor &x, const Tensor &cosine, const Tensor &sine) {
  std::vector<Tensor> half = split(x, 2, -1);
  return tensorc::concatenate(
      {half[0] * cosine - half[1] * sine, half[1] * cosine + half[0] * sine},
      -1);
}

/// Converts [tokens, heads * size] to [heads, tokens, size].
Tensor perHead(const Tensor &x, int64_t heads) {
  return x.reshape({x.size(0), heads, -1}).transpose({1, 0, 2});
}

/// Computes the logits after the last token, and updates the cache.
class Decoder {
public:
  explicit Decoder(const Config &config) : config(config) {}

  std::pair<Tensor, Cache> operator()(const Model &model, const Cache &cache,
                                      const Tensor &tokens,
                                      const Tensor &position) const {
    int64_t count = tokens.size(0), context = cache.keys[0].size(1);
    int64_t size = cache.keys[0].size(2);
    Tensor places = tensorc::arange(0, count, 1, tensorc::i64) + position;
    Tensor exponents = tensorc::arange(0, size, 2) / double(size);
    Tensor frequencies = exp(exponents * -std::log(config.theta));
    Tensor angles =
        places.astype(tensorc::f32).reshape({count, 1}) * frequencies;
    Tensor cosine = cos(angles), sine = sin(angles);
    // A token attends to itself and to earlier tokens.
    Tensor seen = tensorc::arange(0, context, 1, tensorc::i64) <=
                  places.reshape({count, 1});
    Tensor x = tensorc::take(model.embedding, tokens, 0);
    Cache next;
    for (size_t i = 0; i < model.layers.size(); ++i) {
      const Layer &layer = model.layers[i];
      Tensor h = rms_norm(x, layer.attentionNorm, config.epsilon);
      Tensor q =
          rotate(perHead(multiply(h, layer.q), config.heads), cosine, sine);
      Tensor k =
          rotate(perHead(multiply(h, layer.k), config.kvHeads), cosine, sine);
      Tensor v = perHead(multiply(h, layer.v), config.kvHeads);
      // The result reuses the memory of the donated cache.
      Tensor keys = dynamic_update_slice(cache.keys[i], k, {0, position, 0});
      Tensor values =
          dynamic_update_slice(cache.values[i], v, {0, position, 0});
      Tensor mixed = attention(q.unsqueeze(0), keys.unsqueeze(0),
                               values.unsqueeze(0), {.mask = seen});
      mixed = mixed.reshape({config.heads, count, size})
                  .transpose({1, 0, 2})
                  .reshape({count, config.heads * size});
      x = x + multiply(mixed, layer.o);
      h = rms_norm(x, layer.feedNorm, config.epsilon);
      x = x + multiply(silu(multiply(h, layer.gate)) * multiply(h, layer.up),
                       layer.down);
      next.keys.push_back(keys);
      next.values.push_back(values);
    }
    Tensor last = x[-1].reshape({1, -1});
    Tensor logits =
        multiply(rms_norm(last, model.norm, config.epsilon), model.head);
    return {logits.reshape({-1}), next};
  }

private:
  Config config;
};

/// Returns the most probable token, or a random one of the most probable
/// tokens.
int64_t sample(const std::vector<float> &logits, const Options &options,
               std::mt19937 &random) {
  auto best = std::max_element(logits.begin(), logits.end());
  if (options.temperature <= 0)
    return best - logits.begin();
  std::vector<int64_t> order(logits.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<int64_t>(i);
  size_t kept =
      std::min<size_t>(std::max<int64_t>(options.topK, 1), order.size());
  std::partial_sort(
      order.begin(), order.begin() + kept, order.end(),
      [&](int64_t a, int64_t b) { return logits[a] > logits[b]; });
  std::vector<double> weights;
  for (size_t i = 0; i < kept; ++i)
    weights.push_back(
        std::exp((logits[order[i]] - *best) / options.temperature));
  return order[std::discrete_distribution<size_t>(weights.begin(),
                                                  weights.end())(random)];
}

double seconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int generate(Options options) {
  Model model = load(options.weights, options.config);
  const Config &config = options.config;
  int64_t prompt = static_cast<int64_t>(options.prompt.size());
  int64_t context = std::max(options.context, prompt + options.tokens);
  int64_t size = config.headSize;
  Cache cache;
  for (size_t i = 0; i < model.layers.size(); ++i) {
    cache.keys.push_back(tensorc::zeros({config.kvHeads, context, size}));
    cache.values.push_back(tensorc::zeros({config.kvHeads, context, size}));
  }
  auto step = tensorc::jit(Decoder(config));
  std::mt19937 random(options.seed);
  std::vector<float> rows;
  std::vector<int64_t> next = options.prompt;
  int64_t position = 0;
  double begin = seconds(), first = 0, second = 0;
  std::cout << "tokens:";
  for (int64_t i = 0; i < options.tokens; ++i) {
    auto [logits, updated] =
        step(model, std::move(cache), tensorc::tensor(next),
             tensorc::scalar<int64_t>(position));
    cache = updated;
    position += static_cast<int64_t>(next.size());
    std::vector<float> row = logits.to_vector<float>();
    int64_t token = sample(row, options, random);
    std::cout << ' ' << token << std::flush;
    rows.insert(rows.end(), row.begin(), row.end());
    next = {token};
    if (i == 0)
      first = seconds();
    else if (i == 1)
      second = seconds();
  }
  double end = seconds();
  std::cout << "\nprompt: " << prompt << " tokens in " << first - begin
            << " s\n";
  // The second token compiles the program for a single token.
  if (options.tokens > 2)
    std::cout << "speed: " << double(options.tokens - 2) / (end - second)
              << " tokens per second\n";
  if (!options.logits.empty())
    save_tensor(options.logits,
                tensorc::tensor(rows).reshape({options.tokens, -1}));
  return 0;
}

/// Parses numbers that are separated by commas.
std::vector<int64_t> numbers(const std::string &text) {
  std::vector<int64_t> found;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    found.push_back(std::stoll(text.substr(at, end - at)));
    at = end + 1;
  }
  return found;
}

bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    std::string value =
        equals == std::string::npos ? "" : word.substr(equals + 1);
    if (word.rfind("--", 0) != 0 && options.weights.empty())
      options.weights = word;
    else if (value.empty())
      return false;
    else if (name == "--prompt")
      options.prompt = numbers(value);
    else if (name == "--tokens")
      options.tokens = std::stoll(value);
    else if (name == "--context")
      options.context = std::stoll(value);
    else if (name == "--heads")
      options.config.heads = std::stoll(value);
    else if (name == "--kv-heads")
      options.config.kvHeads = std::stoll(value);
    else if (name == "--theta")
      options.config.theta = std::stod(value);
    else if (name == "--epsilon")
      options.config.epsilon = std::stod(value);
    else if (name == "--temperature")
      options.temperature = std::stod(value);
    else if (name == "--top-k")
      options.topK = std::stoll(value);
    else if (name == "--seed")
      options.seed = static_cast<unsigned>(std::stoul(value));
    else if (word == "--quantize=i4")
      options.config.quantizes = true;
    else if (name == "--logits")
      options.logits = value;
    else
      return false;
  }
  return !options.weights.empty() && options.tokens > 0;
}
} // namespace

int main(int argc, char **argv) {
  try {
    Options options;
    if (!parse(argc, argv, options)) {
      std::cerr << "usage: llm WEIGHTS [--prompt=1,2,3] [--tokens=N] "
                   "[--context=N] [--heads=N] [--kv-heads=N] [--theta=X]\n"
                   "           [--epsilon=X] [--temperature=X] [--top-k=N] "
                   "[--seed=N] [--quantize=i4] "
                   "[--logits=FILE.npy]\n";
      return 2;
    }
    return generate(std::move(options));
  } catch (const std::exception &error) {
    std::cerr << "llm: " << error.what() << "\n";
    return 1;
  }
}
