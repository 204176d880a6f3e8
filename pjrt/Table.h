//===- Table.h - Helpers for the table of functions -----------------------===//
#ifndef TENSORC_PJRT_TABLE_H
#define TENSORC_PJRT_TABLE_H

#include "pjrt/Objects.h"

namespace tensorc::pjrt {

/// Returns the error for an argument struct that is too short for its function.
Error *refuseShort(size_t given, size_t known);
/// Returns the error for the exception that is being handled.
Error *failByException();

/// Runs the body of a job. Returns the reason of a failure.
template <class Body> std::optional<Failure> settle(Body body) {
  try {
    return failureOf(body());
  } catch (...) {
    return failureOf(failByException());
  }
}

/// Calls Body and converts exceptions to errors. Rejects arguments of older
/// hosts that are too short for the fields that the plugin reads and writes.
template <auto Body> struct Entry;
template <class A, Error *(*Body)(A &)> struct Entry<Body> {
  static Error *call(void *argument) {
    auto *args = static_cast<A *>(argument);
    // The size that a host passes does not include trailing padding.
    if (args->structSize + alignof(A) <= sizeof(A))
      return refuseShort(args->structSize, sizeof(A));
    try {
      return Body(*args);
    } catch (...) {
      return failByException();
    }
  }
  static constexpr int slot = A::slot;
};

class Table {
public:
  explicit Table(Function *functions) : functions(functions) {}
  template <auto... Bodies> void set() {
    ((functions[Entry<Bodies>::slot] = &Entry<Bodies>::call), ...);
  }

private:
  Function *functions;
};

// Each function adds the functions that its file implements to the table.
void addClient(Table table);
void addDevices(Table table);
void addEvents(Table table);
void addBuffers(Table table);
void addPrograms(Table table);
void addExecutables(Table table);
void addExecution(Table table);
Extension *layoutsOf();
Extension *shardingsOf();

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_TABLE_H
