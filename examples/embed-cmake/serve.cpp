// Runs a package that was compiled at build time. Links only the runtime.
#include "tensorc/runtime.hpp"

#include <iostream>

static void print(const tensorc::Array &rows) {
  std::vector<float> values = rows.to_vector<float>();
  for (size_t i = 0; i < values.size(); ++i)
    std::cout << values[i] << (i % 3 == 2 ? "\n" : " ");
}

int main(int argc, char **argv) try {
  if (argc != 2) {
    std::cerr << "usage: serve scale.tcpkg\n";
    return 2;
  }
  tensorc::Entry scale = tensorc::load(argv[1]).entry("scale");

  // The number of rows is a named dimension, so the same code runs for any
  // number.
  std::vector<float> two = {3, 0, 4, 0, 0, 2}, one = {0, 5, 0};
  print(scale(tensorc::view(two, {2, 3})));
  print(scale(tensorc::view(one, {1, 3})));
  return 0;
} catch (const std::exception &error) {
  std::cerr << error.what() << "\n";
  return 1;
}
