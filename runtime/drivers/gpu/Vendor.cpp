//===- Vendor.cpp - defaults for functions that a library may lack --------===//
#include "runtime/drivers/gpu/Vendor.h"

#include <cstdlib>
#include <cstring>

using namespace tensorc::rt::gpu;

std::string tensorc::rt::gpu::getSpirvTarget(std::string kind, bool isWide) {
  const char *value = secure_getenv("TENSORC_SPIRV_F64");
  bool isHidden = value && !std::strcmp(value, "0");
  return isWide && !isHidden ? kind : kind + ":f32";
}

Result Vendor::openPool(const Handle &, Pool_t &) { return resultNotSupported; }
Result Vendor::trimPool(Pool_t) { return resultNotSupported; }
Result Vendor::allocateAsync(void *&, size_t, Stream_t) {
  return resultNotSupported;
}
Result Vendor::freeAsync(void *, Stream_t) { return resultNotSupported; }
Result Vendor::beginCapture(Stream_t) { return resultNotSupported; }
Result Vendor::endCapture(Stream_t, Graph_t &) { return resultNotSupported; }
Result Vendor::graphInstantiate(GraphExec_t &, Graph_t) {
  return resultNotSupported;
}
Result Vendor::graphLaunch(GraphExec_t, Stream_t) { return resultNotSupported; }
Result Vendor::graphDestroy(Graph_t) { return resultNotSupported; }
Result Vendor::graphExecDestroy(GraphExec_t) { return resultNotSupported; }
