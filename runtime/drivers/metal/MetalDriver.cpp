//===- MetalDriver.cpp - the kind metal, which has no devices -------------===//
//
// The compiler can print kernels for Metal, but the runtime cannot run them.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/Drivers.h"

void tensorc::rt::addMetalDevices(FoundDevices &found) {
  found.advice =
      "Metal has no driver: MoltenVK offers Apple's GPUs as vulkan:0";
}
