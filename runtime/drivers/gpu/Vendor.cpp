//===- Vendor.cpp - what a vendor's library need not have -----------------===//
#include "runtime/drivers/gpu/Vendor.h"

using namespace tensorc::rt::gpu;

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
