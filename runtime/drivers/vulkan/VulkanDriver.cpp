//===- VulkanDriver.cpp - devices of Vulkan -------------------------------===//
//
// Code for Vulkan is generated, but nothing runs it yet: there are no devices.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/Drivers.h"

void tensorc::rt::addVulkanDevices(FoundDevices &) {}
