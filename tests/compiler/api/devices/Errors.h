#ifndef TENSORC_TESTS_UNIT_DEVICES_ERRORS_H
#define TENSORC_TESTS_UNIT_DEVICES_ERRORS_H

#include "tensorc/tensorc.hpp"

#include <string>
#include <vector>

namespace tensorc {

using Floats = std::vector<float>;

/// The message of the error that the call throws.
template <typename Fn> std::string errorOf(Fn call) {
  try {
    call();
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

} // namespace tensorc

#endif
