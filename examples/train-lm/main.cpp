//===- main.cpp - Trains a character transformer to add numbers -----------===//
//
//   build/bin/train-lm [STEPS [DIGITS [CHECKPOINT.safetensors]]]
//
// Trains on generated sums such as "123+456=579" with DIGITS digits (default 3)
// for STEPS steps (default 1000), and prints the accuracy on sums that were not
// used for training. If the checkpoint exists, training continues from it.
// TENSORC_DEVICE selects the device.
//
//===----------------------------------------------------------------------===//

#include "tensorc/control.hpp"
#include "tensorc/module.hpp"
#include "tensorc/optim.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>

using namespace tensorc;

namespace {

constexpr int64_t plus = 10, equals = 11, letters = 12;
constexpr int64_t width = 96, heads = 4, depth = 2, batch = 192;

/// A text such as "12+34=64". Both terms have leading zeros. The sum has one
/// additional digit and is written from its last digit to its first, the order
/// in which it is computed.
struct Text {
  int64_t digits;
  int64_t question() const { return 2 * digits + 2; }
  int64_t answer() const { return digits + 1; }
  int64_t length() const { return question() + answer(); }
};

struct Block {
  LayerNorm before, behind;
  Linear all, out, up, down; // the matrices of queries, keys and values in one
};
TENSORC_STRUCT(Block, before, behind, all, out, up, down)

struct Model {
  Embedding letter, place;
  std::vector<Block> blocks;
  LayerNorm last;
  Linear scores;
};
TENSORC_STRUCT(Model, letter, place, blocks, last, scores)

Block makeBlock(const RandomKey &key) {
  std::vector<RandomKey> keys = split(key, 4);
  return {LayerNorm(width),
          LayerNorm(width),
          Linear(keys[0], width, 3 * width),
          Linear(keys[1], width, width),
          Linear(keys[2], width, 4 * width),
          Linear(keys[3], 4 * width, width)};
}

Model makeModel(const RandomKey &key, const Text &text) {
  std::vector<RandomKey> keys = split(key, 3 + depth);
  Model model{Embedding(keys[0], letters, width),
              Embedding(keys[1], text.length(), width),
              {},
              LayerNorm(width),
              Linear(keys[2], width, letters)};
  for (int64_t i = 0; i < depth; ++i)
    model.blocks.push_back(makeBlock(keys[static_cast<size_t>(3 + i)]));
  return model;
}

/// [n, t, width] -> [n, heads, t, width / heads]
Tensor perHead(const Tensor &x) {
  Tensor parts = reshape(x, {x.size(0), x.size(1), heads, width / heads});
  return transpose(parts, {0, 2, 1, 3});
}

Tensor through(const Block &block, const Tensor &x) {
  Tensor all = block.all(block.before(x));
  auto part = [&](int64_t i) {
    return perHead(slice(all, {{}, {}, {i * width, (i + 1) * width}}));
  };
  Tensor seen = attention(part(0), part(1), part(2), {.causal = true});
  Tensor y = x + block.out(reshape(transpose(seen, {0, 2, 1, 3}), x.shape()));
  return y + block.down(gelu(block.up(block.behind(y))));
}

/// Returns the scores of the next character at each position of texts [n, t].
Tensor scoresOf(const Model &model, const Tensor &texts) {
  Tensor x = model.letter(texts) + model.place(arange(texts.size(1)));
  for (const Block &block : model.blocks)
    x = through(block, x);
  return model.scores(model.last(x));
}

/// Computes the loss over the answers only, because questions are random.
Tensor lossOf(const Model &model, const Tensor &texts, const Text &text) {
  int64_t end = text.length();
  Tensor scores = scoresOf(model, slice(texts, {{}, {0, end - 1}}));
  Tensor ofAnswer = slice(scores, {{}, {text.question() - 1, end - 1}});
  return cross_entropy(
      reshape(ofAnswer, {-1, letters}),
      reshape(slice(texts, {{}, {text.question(), end}}), {-1}));
}

int64_t powerOf10(int64_t n) {
  int64_t power = 1;
  for (; n > 0; --n)
    power *= 10;
  return power;
}

/// Returns one column per digit, the last digit first.
std::vector<Tensor> digitsOf(const Tensor &numbers, int64_t count) {
  std::vector<Tensor> columns;
  for (int64_t i = 0; i < count; ++i)
    columns.push_back(mod(floor_div(numbers, powerOf10(i)), 10));
  return columns;
}

Tensor textsOf(const Tensor &a, const Tensor &b, const Text &text) {
  std::vector<Tensor> columns;
  auto term = [&](const Tensor &numbers, int64_t sign) {
    std::vector<Tensor> all = digitsOf(numbers, text.digits);
    columns.insert(columns.end(), all.rbegin(), all.rend());
    columns.push_back(full_like(numbers, sign));
  };
  term(a, plus);
  term(b, equals);
  for (Tensor &digit : digitsOf(a + b, text.answer()))
    columns.push_back(std::move(digit));
  return stack(columns, 1);
}

/// One in 16 pairs of terms is excluded from training.
Tensor isHeldOut(const Tensor &a, const Tensor &b) {
  return eq(mod(a * 7 + b * 13, 16), 3);
}

/// Draws random sums that are held out, or random sums that are not. If a term
/// is of the other kind, it is incremented (with wrap-around) until it is of
/// the requested kind.
Tensor draw(const RandomKey &key, int64_t count, bool heldOut,
            const Text &text) {
  int64_t end = powerOf10(text.digits);
  Tensor a = randint(fold_in(key, 0), {count}, 0, end);
  Tensor b = randint(fold_in(key, 1), {count}, 0, end);
  for (int i = 0; i < (heldOut ? 32 : 2); ++i)
    a = select(ne(isHeldOut(a, b), scalar(heldOut)), mod(a + 1, end), a);
  return textsOf(a, b, text);
}

/// Generates the answer character by character, always choosing the best one.
Tensor answers(const Model &model, const Tensor &questions, const Text &text) {
  Tensor room = zeros({questions.size(0), text.answer()}, i64);
  return fori_loop(
      text.question(), text.length(),
      [&](const Tensor &i, const Tensor &texts) {
        Tensor best = argmax(scoresOf(model, texts), 2);
        Tensor next = take(best, reshape(i - 1, {1}), 1);
        return where(eq(arange(text.length()), i), next, texts);
      },
      concatenate({questions, room}, 1));
}

std::string written(const std::vector<int64_t> &letters, int64_t begin,
                    const Text &text) {
  std::string line, sum;
  for (int64_t i = 0; i < text.length(); ++i) {
    int64_t letter = letters[static_cast<size_t>(begin + i)];
    char c = "0123456789+="[letter];
    if (i < text.question())
      line += c;
    else
      sum.insert(sum.begin(), c);
  }
  return line + sum;
}

using Training = std::tuple<Model, AdamState<Model>, RandomKey>;

int train(int64_t steps, const Text &text, const std::string &checkpoint) {
  RandomKey key = random_key(1);
  Model initial = makeModel(fold_in(key, 0), text);
  AdamW adam(cosine_schedule(2e-3, steps, steps / 20 + 1));
  Training training(initial, adam.init(initial), fold_in(key, 1));
  if (std::filesystem::exists(checkpoint))
    training = load_state(checkpoint, training);

  auto step = jit([&](const Training &training) {
    auto &[model, state, key] = training;
    Tensor texts = draw(key, batch, false, text);
    auto loss = [&](const Model &model) { return lossOf(model, texts, text); };
    auto [value, gradient] = value_and_grad(loss)(model);
    auto [next, nextState] =
        adam.update(model, clip_by_norm(gradient, 1), state);
    return std::pair(Training(next, nextState, fold_in(key, 1)), value);
  });

  auto begin = std::chrono::steady_clock::now();
  int64_t done = std::get<1>(training).step.item<int32_t>();
  for (int64_t i = done; i < steps; ++i) {
    Tensor loss;
    std::tie(training, loss) = step(std::move(training)); // in place
    if ((i + 1) % 100 && i + 1 < steps)
      continue;
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - begin;
    std::printf("step %d of %d, loss %.4f, %.1f s\n", static_cast<int>(i + 1),
                static_cast<int>(steps), loss.item<float>(), passed.count());
    std::fflush(stdout);
  }
  if (!checkpoint.empty())
    save_state(checkpoint, training);

  const Model &model = std::get<0>(training);
  Tensor sums = draw(random_key(2), 1000, true, text);
  Tensor asked = slice(sums, {{}, {0, text.question()}});
  Tensor made = answers(model, asked, text);
  Tensor right = all(eq(made, sums), {1});
  std::vector<int64_t> letters = made.to_vector<int64_t>();
  for (int64_t i = 0; i < 5; ++i)
    std::cout << written(letters, i * text.length(), text) << "\n";
  std::printf("held-out sums that are right: %.1f %%\n",
              mean(astype(right, f32)).item<float>() * 100);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  int64_t steps = argc > 1 ? std::atoi(argv[1]) : 1000;
  int64_t digits = argc > 2 ? std::atoi(argv[2]) : 3;
  if (argc > 4 || steps < 1 || digits < 2 || digits > 8) {
    std::cerr << "usage: train-lm [STEPS [DIGITS [CHECKPOINT.safetensors]]]\n";
    return 2;
  }
  try {
    return train(steps, {digits}, argc > 3 ? argv[3] : "");
  } catch (const std::exception &error) {
    std::cerr << "train-lm: " << error.what() << "\n";
    return 1;
  }
}
