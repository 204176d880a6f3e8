//===- Checks.h - what TENSORC_CHECK asks for -------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_CHECK_CHECKS_H
#define TENSORC_RUNTIME_CORE_CHECK_CHECKS_H

#include "runtime/core/Status.h"

namespace tensorc::rt {

/// The words of the variable's list that are the runtime's; `nan` is the JIT's.
struct Checks {
  /// Guard pages, red zones and poison around and in every buffer; faults are
  /// reported.
  bool memory = false;
};

/// As the variable was when somebody asked first.
const Checks &checks();
/// An error if the variable holds a word that is not a check.
Status verifyChecks();

} // namespace tensorc::rt

#endif
