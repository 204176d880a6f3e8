//===- Drivers.cpp - the table of drivers ---------------------------------===//
#include "runtime/drivers/Drivers.h"

using namespace tensorc::rt;

/// Each adds its devices; a driver without hardware adds none.
static constexpr void (*drivers[])(std::vector<Device *> &) = {
    addCpuDevices,
    addNullDevices,
};

const std::vector<Device *> &tensorc::rt::allDevices() {
  // Never destroyed: work may go on while the process exits.
  static const std::vector<Device *> *devices = [] {
    auto *list = new std::vector<Device *>;
    for (auto add : drivers)
      add(*list);
    return list;
  }();
  return *devices;
}
