#include "tensorc/tensorc.hpp"

#include <iostream>

using namespace tensorc;

int main() {
  Tensor x = tensor({{1.0f, 2.0f, 3.0f}, {6.0f, 5.0f, 4.0f}});
  Tensor w = tensor({{0.1f, 0.2f}, {0.3f, -0.4f}, {-0.5f, 0.6f}});
  Tensor b = tensor({0.0f, -1.0f});

  Tensor y = softmax(matmul(x, w) + b); // recorded; nothing runs
  std::cout << y << "\n";               // compiled and run

  std::cout << "kernels:";
  for (const std::string &kernel : last_kernels())
    std::cout << " " << kernel;
  std::cout << "\n";
}
