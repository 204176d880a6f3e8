//===- Printed.h - What a tensor prints -----------------------------------===//
#ifndef TENSORC_TESTS_COMPILER_GRAPH_PRINTED_H
#define TENSORC_TESTS_COMPILER_GRAPH_PRINTED_H

#include "tensorc/tensorc.hpp"

#include <sstream>
#include <string>

inline std::string printed(const tensorc::Tensor &tensor) {
  std::ostringstream os;
  os << tensor;
  return os.str();
}

#endif // TENSORC_TESTS_COMPILER_GRAPH_PRINTED_H
