//===- main.cpp - Trains a network that reads handwritten digits ----------===//
//
//   build/bin/train-digits [--devices=D,D,...] [DATA [EPOCHS [CURVE.ppm]]]
//   mpirun -n 4 build/bin/train-digits --devices=mpi
//
// Trains a small convolutional network on the images of DATA (default
// examples/digits/data) for EPOCHS epochs (default 30), and prints the accuracy
// on the held-out images. Writes a picture of the loss to CURVE.ppm.
// TENSORC_DEVICE selects the device. If there are several devices, each
// computes a part of every batch, and the losses equal those of one device.
//
//===----------------------------------------------------------------------===//

#include "examples/pictures/Picture.h"

#include "tensorc/collectives.hpp"
#include "tensorc/files.hpp"
#include "tensorc/optim.hpp"

#include <chrono>
#include <cstdio>
#include <iostream>

using namespace tensorc;

namespace {

struct Layer {
  Tensor w, b;
};
TENSORC_STRUCT(Layer, w, b)

struct Model {
  Layer features, scores;
};
TENSORC_STRUCT(Model, features, scores)

/// Initializes weights such that the variance of the signal is preserved behind
/// a relu.
Layer makeLayer(const RandomKey &key, const Shape &shape, int64_t inputs,
                int64_t outputs) {
  return {randn(key, shape) * std::sqrt(2.0 / static_cast<double>(inputs)),
          zeros({outputs})};
}

Model makeModel(const RandomKey &key) {
  constexpr int64_t features = 24, pooled = features * 4 * 4;
  return {makeLayer(fold_in(key, 0), {features, 1, 3, 3}, 9, features),
          makeLayer(fold_in(key, 1), {pooled, 10}, pooled, 10)};
}

/// Returns 24 features at 4 x 4 positions for each image.
Tensor featuresOf(const Model &model, const Tensor &images) {
  int64_t count = images.size(0);
  Tensor maps = conv2d(reshape(images, {count, 1, 8, 8}), model.features.w,
                       model.features.b, {.padding = 1});
  return reshape(max_pool2d(relu(maps), 2), {count, -1});
}

Tensor scoresOf(const Model &model, const Tensor &features) {
  return matmul(features, model.scores.w) + model.scores.b;
}

/// The number of devices that train, and the number of this one.
struct Part {
  int rank = 0, size = 1;
};

constexpr int64_t batch = 64;

/// Drops a part of the features, so that the network does not depend on a
/// single one. A rank draws random numbers for the whole batch, so that they
/// equal those of one device.
Tensor thinned(const Tensor &features, const RandomKey &key) {
  int64_t rows = features.size(0);
  Tensor kept = dropout(ones({batch, features.size(1)}), key, 0.2);
  return features * take(kept, partition_id() * rows + arange(rows), 0);
}

Tensor lossOf(const Model &model, const Tensor &images, const Tensor &labels,
              const RandomKey &key) {
  Tensor features = thinned(featuresOf(model, images), key);
  return cross_entropy(scoresOf(model, features), labels);
}

Tensor accuracyOf(const Model &model, const Tensor &images,
                  const Tensor &labels) {
  Tensor answers = argmax(scoresOf(model, featuresOf(model, images)), 1);
  return mean(astype(answers == labels, f32));
}

struct Data {
  Tensor images, labels;
  Data(const std::string &folder, const std::string &part)
      : images(load_tensor(folder + "/" + part + "_images.npy")),
        labels(load_tensor(folder + "/" + part + "_labels.npy")) {}
};

/// Draws the losses from left to right. The first one is at the top.
Tensor curve(const std::vector<float> &losses) {
  constexpr int64_t height = 120, width = 240;
  auto count = static_cast<int64_t>(losses.size());
  Tensor all = tensor(losses);
  Tensor columns = astype(floor(arange(width, f32) * count / width), i32);
  Tensor heights = take(all, columns) / losses.front();
  Tensor rows = expand_dims(1 - arange(height, f32) / height, 1);
  return astype(rows <= expand_dims(heights, 0), f32);
}

/// Returns the mean loss of each epoch, and the accuracy.
std::vector<float> train(const std::string &folder, int epochs, Part part) {
  Data train(folder, "train"), test(folder, "test");
  int64_t steps = train.images.size(0) / batch, rows = batch / part.size;

  RandomKey key = random_key(1);
  Model model = makeModel(key);
  AdamW adam(cosine_schedule(5e-3, epochs * steps));
  auto state = adam.init(model);

  // One compiled program: the loss, its gradient, and the new parameters.
  auto step = jit([&](const Model &model, const AdamState<Model> &state,
                      const Tensor &images, const Tensor &labels,
                      const RandomKey &key) {
    auto [loss, gradient] = value_and_grad(lossOf)(model, images, labels, key);
    // The mean over a batch is the mean of the means over its parts.
    double share = 1.0 / part.size;
    for_each_tensor(gradient, [&](Tensor &g) { g = all_reduce(g) * share; });
    auto [next, nextState] =
        adam.update(model, clip_by_norm(gradient, 1), state);
    return std::tuple(next, nextState, all_reduce(loss) * share);
  });
  auto accuracy = jit(accuracyOf);

  std::vector<float> losses;
  auto begin = std::chrono::steady_clock::now();
  for (int epoch = 0; epoch < epochs; ++epoch) {
    RandomKey ofEpoch = fold_in(key, 2 + epoch);
    Tensor order = permutation(ofEpoch, train.images.size(0));
    Tensor total = scalar(0.0f);
    for (int64_t i = 0; i < steps; ++i) {
      int64_t first = i * batch + part.rank * rows;
      Tensor some = slice(order, {{first, first + rows}});
      Tensor loss;
      std::tie(model, state, loss) =
          step(std::move(model), std::move(state), // replaced in place
               take(train.images, some, 0), take(train.labels, some, 0),
               fold_in(ofEpoch, i));
      total = total + loss;
    }
    losses.push_back(total.item<float>() / static_cast<float>(steps));
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - begin;
    if (part.rank == 0)
      std::printf("\repoch %d of %d, loss %.7f, %.1f s", epoch + 1, epochs,
                  losses.back(), passed.count());
    std::fflush(stdout);
  }
  float right = accuracy(model, test.images, test.labels).item<float>();
  if (part.rank == 0)
    std::printf("\nheld-out images read rightly: %.2f %%\n", right * 100);
  return losses;
}

/// Splits a comma-separated list of names.
std::vector<Device> devicesOf(const std::string &list) {
  std::vector<Device> devices;
  for (size_t at = 0; at <= list.size();) {
    size_t end = std::min(list.find(',', at), list.size());
    devices.emplace_back(list.substr(at, end - at));
    at = end + 1;
  }
  return devices;
}

/// Trains on one device, on several devices of this process, or as one of
/// several processes.
std::vector<float> trainOn(const std::string &devices, const std::string &data,
                           int epochs) {
  if (devices.empty())
    return train(data, epochs, {});
  auto run = [&](const Communicator &rank) {
    if (batch % rank.size())
      throw std::invalid_argument("the devices do not divide a batch of 64");
    return train(data, epochs, {rank.rank(), rank.size()});
  };
  if (devices != "mpi")
    return spmd(devicesOf(devices), run).front();
  Communicator rank = Communicator::mpi();
  CommunicatorScope scope(rank);
  return run(rank);
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  std::string devices, flag = "--devices=";
  if (!words.empty() && words[0].compare(0, flag.size(), flag) == 0) {
    devices = words[0].substr(flag.size());
    words.erase(words.begin());
  }
  int epochs = words.size() > 1 ? std::atoi(words[1].c_str()) : 30;
  if (words.size() > 3 || epochs < 1) {
    std::cerr << "usage: train-digits [--devices=D,D,...] "
                 "[DATA [EPOCHS [CURVE.ppm]]]\n";
    return 2;
  }
  try {
    std::vector<float> losses = trainOn(
        devices, words.empty() ? "examples/digits/data" : words[0], epochs);
    if (words.size() > 2)
      pictures::write(words[2], pictures::colours(curve(losses) * 0.8));
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "train-digits: " << error.what() << "\n";
    return 1;
  }
}
