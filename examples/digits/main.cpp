//===- main.cpp - Reads handwritten digits --------------------------------===//
//
//   build/bin/digits [FOLDER]
//
// Classifies images that were not used for training, and prints how many are
// classified correctly. FOLDER contains data/ and weights/; the default is
// examples/digits. TENSORC_DEVICE selects the device.
//
//===----------------------------------------------------------------------===//

#include "tensorc/tensorc.hpp"

#include <iostream>

using tensorc::Tensor;

static int classify(const std::string &folder) {
  auto read = [&](const std::string &name) {
    return tensorc::load_tensor(folder + "/" + name + ".npy");
  };
  Tensor images = read("data/test_images"), labels = read("data/test_labels");
  Tensor w1 = read("weights/w1"), b1 = read("weights/b1");
  Tensor w2 = read("weights/w2"), b2 = read("weights/b2");

  // Nothing is computed here; the expression is only recorded.
  auto scores = [&](const Tensor &x) {
    return matmul(relu(matmul(x, w1) + b1), w2) + b2;
  };
  Tensor answers = argmax(scores(images), 1);
  Tensor accuracy = mean(astype(answers == labels, tensorc::f32));

  // Evaluates both values together, so that common parts are computed once.
  tensorc::eval(answers, accuracy);

  std::cout << "images:   " << images.size(0) << "\n"
            << "digits:   " << answers << "\n"
            << "accuracy: " << accuracy.item<float>() << "\n"
            << "kernels on " << tensorc::default_device().name << ":\n";
  for (const std::string &kernel : tensorc::last_kernels())
    std::cout << "  " << kernel << "\n";
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 2) {
    std::cerr << "usage: digits [FOLDER]\n";
    return 2;
  }
  try {
    return classify(argc == 2 ? argv[1] : "examples/digits");
  } catch (const std::exception &error) {
    std::cerr << "digits: " << error.what() << "\n";
    return 1;
  }
}
