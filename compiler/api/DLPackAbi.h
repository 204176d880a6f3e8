//===- DLPackAbi.h - DLPack's structs -------------------------------------===//
//
// Written from the specification of DLPack 1.0
// (https://dmlc.github.io/dlpack/latest/c_api.html), which fixes sizes, order
// and values. The structs have DLPack's names, because users look these up.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_API_DLPACKABI_H
#define TENSORC_COMPILER_API_DLPACKABI_H

#include <cstdint>

extern "C" {

/// DLDeviceType of the host. runtime/abi/DeviceKinds.h contains the numbers of
/// other devices.
constexpr int32_t kDLCPU = 1;

enum DLDataTypeCode : uint8_t {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLBfloat = 4,
  kDLComplex = 5,
  kDLBool = 6,
  kDLFloat8_e4m3fn = 10,
  kDLFloat8_e5m2 = 12
};

struct DLDevice {
  int32_t device_type;
  int32_t device_id;
};

struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides; // strides in elements; null if the array is dense
  uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(DLManagedTensor *self);
};

struct DLPackVersion {
  uint32_t major, minor;
};

struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor dl_tensor;
};

} // extern "C"

constexpr uint64_t dlpackReadOnly = 1, dlpackIsCopied = 2, dlpackIsPadded = 4;

static_assert(sizeof(DLTensor) == 48 && sizeof(DLManagedTensor) == 64 &&
              sizeof(DLManagedTensorVersioned) == 80);

#endif // TENSORC_COMPILER_API_DLPACKABI_H
