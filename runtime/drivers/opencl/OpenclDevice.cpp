//===- OpenclDevice.cpp - a device and its context ------------------------===//
#include "runtime/drivers/opencl/OpenclDevice.h"

#include <cstring>

using namespace tensorc::rt::opencl;

std::string OpenclDevice::getText(uint32_t what) const {
  size_t size = 0;
  if (call.GetDeviceInfo(id, what, 0, nullptr, &size))
    return "";
  std::string text(size, '\0');
  if (call.GetDeviceInfo(id, what, size, text.data(), nullptr))
    return "";
  text.resize(std::strlen(text.c_str()));
  return text;
}

bool OpenclDevice::hasExtension(const char *name) const {
  std::string all = " " + getText(deviceExtensions) + " ";
  return all.find(" " + std::string(name) + " ") != std::string::npos;
}

std::string OpenclDevice::findObstacle() const {
  if (getText(ilVersion).find("SPIR-V") == std::string::npos)
    return "takes no SPIR-V (clCreateProgramWithIL), only its own binaries "
           "and OpenCL C";
  if (!(getNumber<uint64_t>(svmCapabilities) & svmCoarseGrainBuffer))
    return "has no shared virtual memory (clSVMAlloc)";
  if (getNumber<uint32_t>(addressBits) != 64)
    return "has addresses of other than 64 bits";
  if (!getNumber<uint32_t>(deviceAvailable))
    return "is not available, says its driver";
  return "";
}
