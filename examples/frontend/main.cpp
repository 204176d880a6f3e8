//===- main.cpp - Networks in the style of PyTorch's C++ frontend ---------===//
//
//   build/bin/frontend [FOLDER OF THE DIGITS] [FOLDER FOR THE MODEL]
//
// Defaults: examples/digits, and the current folder.
//
//===----------------------------------------------------------------------===//

#include "tensorc/module.hpp"
#include "tensorc/optim.hpp"

#include <iomanip>
#include <iostream>

using namespace tensorc;

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

struct Mlp {
  Linear fc1, fc2;

  explicit Mlp(const RandomKey &key)
      : fc1(fold_in(key, 0), 64, 32), fc2(fold_in(key, 1), 32, 10) {}

  Tensor forward(Tensor x) const {
    x = fc1(x).relu();
    return fc2(x).log_softmax(1);
  }
};
TENSORC_STRUCT(Mlp, fc1, fc2)

struct ConvNet {
  Conv2d conv1, conv2;
  Linear fc;

  explicit ConvNet(const RandomKey &key)
      : conv1(fold_in(key, 0), 1, 8, 3, {.padding = 1}),
        conv2(fold_in(key, 1), 8, 16, 3, {.padding = 1}),
        fc(fold_in(key, 2), 64, 10) {}

  Tensor forward(Tensor x) const {
    x = max_pool2d(conv1(x).relu(), 2);
    x = max_pool2d(conv2(x).relu(), 2);
    return fc(x.flatten(1)).log_softmax(1);
  }
};
TENSORC_STRUCT(ConvNet, conv1, conv2, fc)

template <typename Net> int64_t count_parameters(const Net &net) {
  int64_t count = 0;
  for (const auto &[name, parameter] : state_dict(net))
    count += parameter.numel();
  return count;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

struct Dataset {
  Tensor images, labels;

  Dataset(const std::string &folder, const std::string &name)
      : images(load_tensor(folder + "/data/" + name + "_images.npy")),
        labels(load_tensor(folder + "/data/" + name + "_labels.npy")) {}
  int64_t size() const { return images.size(0); }
};

static void show(const Tensor &image) {
  Tensor shades = (image * 3).round_even().clamp(0, 3).to(i32).view({8, 8});
  for (const Tensor &row : shades.unbind(0)) {
    for (int shade : row.to_vector<int32_t>())
      std::cout << " .+#"[shade];
    std::cout << "\n";
  }
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

template <typename Net>
Tensor loss_of(const Net &net, const Tensor &images, const Tensor &labels) {
  return nll_loss(net.forward(images), labels);
}

template <typename Net>
Net train(Net net, const Dataset &data, const RandomKey &key) {
  Sgd sgd(0.1, {.momentum = 0.9});
  auto state = sgd.init(net);
  auto step = jit([&](const Net &before, const SgdState<Net> &moments,
                      const Tensor &images, const Tensor &labels) {
    auto [loss, gradient] =
        value_and_grad(loss_of<Net>)(before, images, labels);
    auto [after, next] = sgd.update(before, gradient, moments);
    return std::tuple(after, next, loss);
  });

  const int64_t batches = 10;
  for (int epoch = 1; epoch <= 20; ++epoch) {
    Tensor order = permutation(fold_in(key, epoch), data.size());
    Tensor total = zeros({});
    for (const Tensor &rows : order.chunk(batches)) {
      Tensor loss;
      std::tie(net, state, loss) = step(std::move(net), std::move(state),
                                        data.images.index_select(0, rows),
                                        data.labels.index_select(0, rows));
      total += loss;
    }
    if (epoch % 5 == 0)
      std::cout << "epoch " << std::setw(2) << epoch << ", loss "
                << total.item<float>() / batches << "\n";
  }
  return net;
}

template <typename Net>
float accuracy(const Net &net, const Tensor &images, const Tensor &labels) {
  Tensor answers = net.forward(images).argmax(1);
  return (answers == labels).to(f32).mean().item<float>();
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static void run(const std::string &digits, const std::string &folder) {
  Dataset training(digits, "train"), test(digits, "test");
  std::cout << "images: " << training.images.sizes() << " "
            << training.images.dtype() << " on " << training.images.device()
            << "\n";
  Tensor brightest = training.images.max();
  training.images /= brightest;
  test.images /= brightest;
  show(test.images[0]);

  RandomKey key = random_key(1);
  Mlp net(fold_in(key, 0));
  std::cout << net.fc2.b << "\n";
  std::cout << "parameters: " << count_parameters(net) << "\n";
  net = train(net, training, fold_in(key, 1));
  std::cout << "accuracy: " << accuracy(net, test.images, test.labels) << "\n";

  Tensor few = test.images(Slice(0, 5));
  Tensor scores = net.forward(few);
  auto [best, answers] = scores.exp().topk(1);
  std::cout << "answers: " << answers.squeeze(1)
            << "\nlabels:  " << test.labels[Slice(0, 5)]
            << "\nsure of all: " << std::boolalpha << bool((best > 0.5).all())
            << "\n";

  std::string weights = folder + "/mlp.safetensors";
  save_state(weights, net);
  Mlp loaded = load_state(weights, Mlp(key));
  std::cout << "the loaded weights agree: "
            << allclose(loaded.forward(few), scores) << "\n";

  std::string package = folder + "/mlp.tcpkg";
  compile([&](const Tensor &x) { return net.forward(x); },
          Input(f32, {"n", 64}))
      .save(package);
  Tensor again = to_tensor(load(package)(few));
  std::cout << "the loaded package agrees: " << allclose(again, scores) << "\n";

  Device device("sim:0");
  Tensor simulated = to(net, device).forward(few.to(device));
  std::cout << "on " << simulated.device() << ": "
            << allclose(simulated.cpu(), scores, 1e-4) << "\n";

  ConvNet conv(fold_in(key, 2));
  Tensor images = test.images.view({-1, 1, 8, 8});
  images(Slice(), 0, 0) = 0;
  images(Ellipsis, -1) += 0.5;
  images = images.masked_fill(images > 1, 1);
  Tensor outputs = conv.forward(images(Slice(0, 100)));
  std::cout << "conv net: " << outputs.sizes() << ", row 0 sums to "
            << outputs.exp()[0].sum().item<float>() << "\n";
}

int main(int argc, char **argv) {
  try {
    run(argc > 1 ? argv[1] : "examples/digits", argc > 2 ? argv[2] : ".");
  } catch (const std::exception &error) {
    std::cerr << "frontend: " << error.what() << "\n";
    return 1;
  }
}
