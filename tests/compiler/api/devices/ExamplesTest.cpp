//===- ExamplesTest.cpp - The examples of docs/gpu.md ---------------------===//

#include "tensorc/tensorc.hpp"

#include <gtest/gtest.h>

#include <sstream>

template <typename Print> static std::string printed(Print print) {
  std::ostringstream out;
  print(out);
  return out.str();
}

#include "examples.inc"
