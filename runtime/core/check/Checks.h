//===- Checks.h - the checks of TENSORC_CHECK -------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_CHECK_CHECKS_H
#define TENSORC_RUNTIME_CORE_CHECK_CHECKS_H

#include "runtime/core/Status.h"

namespace tensorc::rt {

/// The words of TENSORC_CHECK that concern the runtime; the word `nan` concerns
/// the JIT.
struct Checks {
  /// Adds guard pages, red zones and poison around and in every buffer, and
  /// reports faults of kernels.
  bool memory = false;
};

/// Returns the requested checks. The variable is read once.
const Checks &checks();
/// Returns an error if the variable holds an unknown word.
Status verifyChecks();

} // namespace tensorc::rt

#endif
