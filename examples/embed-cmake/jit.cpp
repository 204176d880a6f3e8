// Records an expression, compiles it in this process, and reads the result.
#include "tensorc/tensorc.hpp"

#include <iostream>

using tensorc::Tensor;

int main() try {
  Tensor x = tensorc::tensor({{3.0f, 0.0f, 4.0f}, {0.0f, 0.0f, 2.0f}});

  // Traced once per shape, so that a loop only calls the compiled code.
  auto scale = tensorc::jit([](const Tensor &rows) {
    return rows / sqrt(sum(rows * rows, {1}, /*keepdims=*/true));
  });
  std::cout << scale(x) << "\n";
  std::cout << "kernels: " << tensorc::last_kernels().size() << "\n";

  // Errors are exceptions whose message contains the source location.
  try {
    (void)matmul(x, x);
  } catch (const tensorc::Error &error) {
    std::cout << error.what() << "\n";
  }
  return 0;
} catch (const std::exception &error) {
  std::cerr << error.what() << "\n";
  return 1;
}
