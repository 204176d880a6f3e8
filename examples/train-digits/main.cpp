//===- main.cpp - Learns to read handwritten digits -----------------------===//
//
//   build/bin/train-digits [DATA [EPOCHS [CURVE.ppm]]]
//
// Trains a small convolutional network on the images of DATA
// (examples/digits/data), 30 epochs unless told, and says how many of the
// held-out ones it reads rightly. CURVE.ppm becomes a picture of the loss.
// TENSORC_DEVICE chooses the device.
//
//===----------------------------------------------------------------------===//

#include "examples/pictures/Picture.h"

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

/// Weights whose variance keeps that of the signal behind a relu.
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

/// Of each image 24 features in 4 x 4 places.
Tensor featuresOf(const Model &model, const Tensor &images) {
  int64_t count = images.size(0);
  Tensor maps = conv2d(reshape(images, {count, 1, 8, 8}), model.features.w,
                       model.features.b, {.padding = 1});
  return reshape(max_pool2d(relu(maps), 2), {count, -1});
}

Tensor scoresOf(const Model &model, const Tensor &features) {
  return matmul(features, model.scores.w) + model.scores.b;
}

/// With a part of the features left out, so that no single one is relied upon.
Tensor lossOf(const Model &model, const Tensor &images, const Tensor &labels,
              const RandomKey &key) {
  Tensor features = dropout(featuresOf(model, images), key, 0.2);
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

/// Losses from left to right, the first one at the top.
Tensor curve(const std::vector<float> &losses) {
  constexpr int64_t height = 120, width = 240;
  auto count = static_cast<int64_t>(losses.size());
  Tensor all = tensor(losses);
  Tensor columns = astype(floor(arange(width, f32) * count / width), i32);
  Tensor heights = take(all, columns) / losses.front();
  Tensor rows = expand_dims(1 - arange(height, f32) / height, 1);
  return astype(rows <= expand_dims(heights, 0), f32);
}

int train(const std::string &folder, int epochs, const std::string &picture) {
  Data train(folder, "train"), test(folder, "test");
  constexpr int64_t batch = 64;
  int64_t steps = train.images.size(0) / batch;

  RandomKey key = random_key(1);
  Model model = makeModel(key);
  AdamW adam(cosine_schedule(5e-3, epochs * steps));
  auto state = adam.init(model);

  // One compiled program: the loss, its gradient, and the new parameters.
  auto step = jit([&](const Model &model, const AdamState<Model> &state,
                      const Tensor &images, const Tensor &labels,
                      const RandomKey &key) {
    auto [loss, gradient] = value_and_grad(lossOf)(model, images, labels, key);
    auto [next, nextState] =
        adam.update(model, clip_by_norm(gradient, 1), state);
    return std::tuple(next, nextState, loss);
  });
  auto accuracy = jit(accuracyOf);

  std::vector<float> losses;
  auto begin = std::chrono::steady_clock::now();
  for (int epoch = 0; epoch < epochs; ++epoch) {
    RandomKey ofEpoch = fold_in(key, 2 + epoch);
    Tensor order = permutation(ofEpoch, train.images.size(0));
    Tensor total = scalar(0.0f);
    for (int64_t i = 0; i < steps; ++i) {
      Tensor some = slice(order, {{i * batch, (i + 1) * batch}});
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
    std::printf("\repoch %d of %d, loss %.4f, %.1f s", epoch + 1, epochs,
                losses.back(), passed.count());
    std::fflush(stdout);
  }
  std::printf("\nheld-out images read rightly: %.2f %%\n",
              accuracy(model, test.images, test.labels).item<float>() * 100);
  if (!picture.empty())
    pictures::write(picture, pictures::colours(curve(losses) * 0.8));
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  int epochs = argc > 2 ? std::atoi(argv[2]) : 30;
  if (argc > 4 || epochs < 1) {
    std::cerr << "usage: train-digits [DATA [EPOCHS [CURVE.ppm]]]\n";
    return 2;
  }
  try {
    return train(argc > 1 ? argv[1] : "examples/digits/data", epochs,
                 argc > 3 ? argv[3] : "");
  } catch (const std::exception &error) {
    std::cerr << "train-digits: " << error.what() << "\n";
    return 1;
  }
}
