//===- VendorApi.cpp - the interfaces to a GPU vendor's library -----------===//
#include "runtime/drivers/gpu/VendorApi.h"

#include <cstdlib>
#include <cstring>

std::string tensorc::rt::gpu::getSpirvTarget(std::string kind, bool isWide) {
  const char *value = secure_getenv("TENSORC_SPIRV_F64");
  bool isHidden = value && !std::strcmp(value, "0");
  return isWide && !isHidden ? kind : kind + ":f32";
}
