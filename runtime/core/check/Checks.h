//===- Checks.h - the checks of TENSORC_CHECK -------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_CHECK_CHECKS_H
#define TENSORC_RUNTIME_CORE_CHECK_CHECKS_H

#include "runtime/core/Status.h"

namespace tensorc::rt {

/// Words of the variable TENSORC_CHECK that concern the runtime; `nan` belongs
/// to the JIT.
struct Checks {
  /// Guard pages, red zones and poison around and in every buffer, and reports
  /// of faults.
  bool memory = false;
};

/// The checks. The variable is read once.
const Checks &checks();
/// Returns an error if the variable holds an unknown word.
Status verifyChecks();

} // namespace tensorc::rt

#endif
