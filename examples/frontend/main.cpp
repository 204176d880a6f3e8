//===- main.cpp - Networks in the style of PyTorch's C++ frontend ---------===//
//
//   build/bin/frontend [FOLDER OF THE DIGITS] [FOLDER FOR THE MODEL]
//
// Defaults: examples/digits, and the current folder.
//
//===----------------------------------------------------------------------===//

#include "tensorc/tensorc.hpp"

#include <cmath>
#include <iomanip>
#include <iostream>

using namespace tensorc;

//===----------------------------------------------------------------------===//
// Layers and networks
//===----------------------------------------------------------------------===//

struct Linear {
  Tensor weight, bias;

  Tensor forward(const Tensor &x) const { return linear(x, weight, bias); }
};
TENSORC_STRUCT(Linear, weight, bias)

struct Conv {
  Tensor kernels, bias;

  Tensor forward(const Tensor &x) const {
    return conv2d(x, kernels, bias, {.padding = 1});
  }
};
TENSORC_STRUCT(Conv, kernels, bias)

struct Mlp {
  Linear hidden, output;

  Tensor forward(const Tensor &x) const {
    return output.forward(hidden.forward(x).relu());
  }
};
TENSORC_STRUCT(Mlp, hidden, output)

struct ConvNet {
  Conv conv;
  Linear output;

  Tensor forward(const Tensor &images) const {
    Tensor x = conv.forward(images).relu();
    x = max_pool2d(x, 2);
    return output.forward(x.flatten(1));
  }
};
TENSORC_STRUCT(ConvNet, conv, output)

static Linear make_linear(const RandomKey &key, int64_t in, int64_t out) {
  double bound = 1 / std::sqrt(in);
  std::vector<RandomKey> keys = split(key);
  return {uniform(keys[0], {out, in}, -bound, bound),
          uniform(keys[1], {out}, -bound, bound)};
}

static Conv make_conv(const RandomKey &key, int64_t in, int64_t out) {
  double bound = 1 / std::sqrt(in * 9);
  return {uniform(key, {out, in, 3, 3}, -bound, bound), zeros({out})};
}

template <typename Network>
Network moved(Network network, const Device &device) {
  for_each_tensor(network, [&](Tensor &x) { x = x.to(device); });
  return network;
}

template <typename Network> int64_t count_parameters(const Network &network) {
  int64_t count = 0;
  for_each_tensor(network, [&](const Tensor &x) { count += x.numel(); });
  return count;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

struct Dataset {
  Tensor images, labels;

  int64_t size() const { return images.size(0); }
  Dataset batch(int64_t start, int64_t count) const {
    Slice rows(start, start + count);
    return {images[rows], labels[rows]};
  }
};
TENSORC_STRUCT(Dataset, images, labels)

static Dataset read(const std::string &folder, const std::string &name) {
  return {load_tensor(folder + "/data/" + name + "_images.npy"),
          load_tensor(folder + "/data/" + name + "_labels.npy")};
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

static std::pair<Mlp, Tensor> descend(Mlp model, const Dataset &batch,
                                      float rate) {
  Tensor hidden = model.hidden.forward(batch.images).relu();
  Tensor scores = model.output.forward(hidden);
  Tensor loss = cross_entropy(scores, batch.labels);

  Tensor error = scores.softmax(1) - one_hot(batch.labels, 10);
  error /= batch.size();
  Tensor below = where(hidden > 0, error.matmul(model.output.weight), 0);

  model.output.weight -= rate * error.t().matmul(hidden);
  model.output.bias -= rate * error.sum(0);
  model.hidden.weight -= rate * below.t().matmul(batch.images);
  model.hidden.bias -= rate * below.sum(0);
  return {model, loss};
}

static Mlp train(Mlp model, const Dataset &data) {
  auto step = jit(descend);
  const int64_t batch_size = 128;
  for (int epoch = 1; epoch <= 20; ++epoch) {
    float rate = epoch <= 10 ? 0.5f : 0.1f;
    Tensor total = zeros({}), steps = zeros({});
    for (int64_t i = 0; i + batch_size <= data.size(); i += batch_size) {
      Tensor loss;
      std::tie(model, loss) = step(model, data.batch(i, batch_size), rate);
      total += loss;
      steps += 1;
    }
    if (epoch % 5 == 0)
      std::cout << "epoch " << std::setw(2) << epoch << ", loss "
                << (total / steps).item<float>() << "\n";
  }
  return model;
}

template <typename Network>
float accuracy(const Network &network, const Dataset &data) {
  Tensor answers = network.forward(data.images).argmax(1);
  return (answers == data.labels).to(f32).mean().item<float>();
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static void show_digit(const Tensor &image) {
  Tensor shades = (image.view({8, 8}) * 3).round_even().clamp(0, 3).to(i64);
  std::vector<int64_t> pixels = shades.to_vector<int64_t>();
  for (size_t i = 0; i < pixels.size(); ++i)
    std::cout << " .+#"[pixels[i]] << (i % 8 == 7 ? "\n" : "");
}

static void run(const std::string &digits, const std::string &folder) {
  Dataset training = read(digits, "train"), test = read(digits, "test");
  std::cout << "images: " << training.images.shape() << " "
            << training.images.dtype() << " on " << training.images.device()
            << "\n";
  Tensor scale = training.images.max();
  training.images /= scale;
  test.images /= scale;
  show_digit(test.images[0]);

  RandomKey key = random_key(1);
  Mlp model{make_linear(fold_in(key, 0), 64, 32),
            make_linear(fold_in(key, 1), 32, 10)};
  std::cout << "parameters: " << count_parameters(model) << "\n";
  model = train(model, training);
  std::cout << "accuracy: " << accuracy(model, test) << "\n";

  Tensor scores = model.forward(test.images(Slice(0, 5)));
  std::cout << "answers: " << scores.argmax(1)
            << "\nlabels:  " << test.labels[Slice(0, 5)] << "\n";

  std::string path = folder + "/mlp.tcpkg";
  compile([&](const Tensor &x) { return model.forward(x); },
          Input(f32, {"n", 64}))
      .save(path);
  Module loaded = load(path);
  Tensor again = to_tensor(loaded(test.images(Slice(0, 5))));
  std::cout << "the loaded model agrees: " << std::boolalpha
            << bool(all(abs(again - scores) < 1e-4)) << "\n";

  Dataset few = moved(test.batch(0, 4), "sim:0");
  Mlp there = moved(model, "sim:0");
  Tensor simulated = there.forward(few.images);
  std::cout << "on " << simulated.device() << ": "
            << simulated.argmax(1).to("cpu") << "\n";

  ConvNet net{make_conv(fold_in(key, 2), 1, 8),
              make_linear(fold_in(key, 3), 8 * 4 * 4, 10)};
  Tensor images = test.images.view({-1, 1, 8, 8});
  images(Ellipsis, 0, Slice()) = 0;
  Tensor outputs = net.forward(images);
  std::cout << "conv net: " << outputs.shape() << ", row 0 sums to "
            << outputs.softmax(1)[0].sum().item<float>() << "\n";
}

int main(int argc, char **argv) {
  try {
    run(argc > 1 ? argv[1] : "examples/digits", argc > 2 ? argv[2] : ".");
  } catch (const std::exception &error) {
    std::cerr << "frontend: " << error.what() << "\n";
    return 1;
  }
}
