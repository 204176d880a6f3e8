//===- OpenclDriver.cpp - devices of OpenCL -------------------------------===//
//
// Code for OpenCL is generated, but nothing runs it yet: there are no devices.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/Drivers.h"

void tensorc::rt::addOpenclDevices(std::vector<Device *> &) {}
