//===- MetalDriver.cpp - the kind metal, which has no devices -------------===//
//
// The compiler prints kernels for Metal, but nothing here runs them.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/Drivers.h"

void tensorc::rt::addMetalDevices(FoundDevices &found) {
  found.advice =
      "Metal has no driver: MoltenVK offers Apple's GPUs as vulkan:0";
}
