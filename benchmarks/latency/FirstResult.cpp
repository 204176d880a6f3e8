//===- FirstResult.cpp - A minimal program; see Startup.cpp ---------------===//

#include "tensorc/tensorc.hpp"

int main() {
  tensorc::Tensor y = tensorc::tensor({1.0f, 2.0f, 3.0f}) * 2 + 1;
  return y.to_vector<float>()[2] == 7 ? 0 : 1;
}
