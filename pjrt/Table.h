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

template <class Member> struct ClassOfMember;
template <class T, class C> struct ClassOfMember<T C::*> {
  using Type = C;
};
template <auto Member>
using ClassOf = typename ClassOfMember<decltype(Member)>::Type;

/// A function that returns in the field `Result` the member of an object. The
/// field `Object` points to the object.
template <auto Result, auto Object, auto Member>
Error *get(ClassOf<Result> &args) {
  args.*Result = (args.*Object)->*Member;
  return nullptr;
}
/// The same for a member that is a text or a list, which has two fields.
template <auto Data, auto Size, auto Object, auto Member>
Error *getList(ClassOf<Data> &args) {
  auto &list = (args.*Object)->*Member;
  args.*Data = list.data();
  args.*Size = list.size();
  return nullptr;
}

/// A function that deletes the object to which the field points.
template <auto Object> Error *destroy(ClassOf<Object> &args) {
  delete (args.*Object);
  return nullptr;
}

template <class Args> Error *noAttributes(Args &args) {
  args.attributes = nullptr;
  args.numAttributes = 0;
  return nullptr;
}
template <class Args> Error *onlyProcess(Args &args) {
  args.processIndex = 0;
  return nullptr;
}

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
