//===- Table.h - The functions that the host calls ------------------------===//
#ifndef TENSORC_PJRT_TABLE_H
#define TENSORC_PJRT_TABLE_H

#include "pjrt/Objects.h"

#include <exception>
#include <new>

namespace tensorc::pjrt {

/// Calls Body and converts exceptions to errors. Refuses arguments of older
/// hosts, which are too short for the fields that the plugin reads and writes.
template <auto Body> struct Entry;
template <class A, Error *(*Body)(A &)> struct Entry<Body> {
  static Error *call(void *argument) {
    auto *args = static_cast<A *>(argument);
    // Sizes exclude the padding at the end.
    if (args->structSize + alignof(A) <= sizeof(A))
      return fail(Code::InvalidArgument,
                  "the caller's version of the PJRT interface is too old: " +
                      std::to_string(args->structSize) +
                      " bytes of an argument are known, not " +
                      std::to_string(sizeof(A)));
    try {
      return Body(*args);
    } catch (const std::bad_alloc &) {
      return fail(Code::ResourceExhausted, "there is no memory");
    } catch (const std::exception &error) {
      return fail(Code::Internal, error.what());
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

// Each fills in the functions of its file.
void addClient(Table table);
void addDevices(Table table);
void addEvents(Table table);
void addBuffers(Table table);
void addPrograms(Table table);
void addExecutables(Table table);
Extension *layoutsOf();

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_TABLE_H
