//===- DLPackTest.cpp - Arrays from and for other frameworks --------------===//

#include "tensorc/dlpack.hpp"
#include "compiler/api/DLPackAbi.h"
#include "tensorc/tensorc.hpp"

#include <gtest/gtest.h>

#include <optional>

using namespace tensorc;

namespace {
/// What another framework gives; counts how often it is let go of.
template <typename Managed> struct Producer {
  std::vector<int64_t> shape, strides;
  Managed managed = {};
  int deleted = 0;

  Producer(void *data, DLDataType dtype, std::vector<int64_t> dims,
           std::vector<int64_t> steps = {}, uint64_t offset = 0)
      : shape(std::move(dims)), strides(std::move(steps)) {
    DLTensor &array = managed.dl_tensor;
    array.data = data;
    array.device = {kDLCPU, 0};
    array.ndim = static_cast<int32_t>(shape.size());
    array.dtype = dtype;
    array.shape = shape.data();
    array.strides = strides.empty() ? nullptr : strides.data();
    array.byte_offset = offset;
    managed.manager_ctx = this;
    managed.deleter = [](Managed *self) {
      ++static_cast<Producer *>(self->manager_ctx)->deleted;
    };
    if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>)
      managed.version = {1, 1};
  }
};
using Array1 = Producer<DLManagedTensorVersioned>;
using Array0 = Producer<DLManagedTensor>;
constexpr DLDataType float32 = {kDLFloat, 32, 1};
} // namespace

template <typename Managed> static std::string refusalOf(Managed &array) {
  try {
    from_dlpack(&array);
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

template <typename P> static void takesMemoryInPlace() {
  alignas(16) static float data[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  P array(data, float32, {2, 3}, {}, 4);
  {
    Tensor x = from_dlpack(&array.managed);
    EXPECT_EQ(x.device().name, "cpu:0");
    EXPECT_EQ(array.deleted, 0);
    EXPECT_EQ(to_array(x).data<float>(), data + 1);
    EXPECT_EQ((x * 2).to_vector<float>(),
              (std::vector<float>{2, 4, 6, 8, 10, 12}));
    EXPECT_EQ(array.deleted, 0);
  }
  EXPECT_EQ(array.deleted, 1);
  P turned(data, float32, {3, 2}, {1, 3});
  Tensor y = from_dlpack(&turned.managed);
  EXPECT_EQ(turned.deleted, 0);
  EXPECT_EQ((y + 0).to_vector<float>(), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(turned.deleted, 0);
  y = Tensor();
  EXPECT_EQ(turned.deleted, 1);
}

TEST(DLPack, TakesMemoryInPlace) { takesMemoryInPlace<Array1>(); }
TEST(DLPack, TakesOlderArraysInPlace) { takesMemoryInPlace<Array0>(); }

TEST(DLPack, CopiesWhatKernelsCannotRead) {
  alignas(8) static char bytes[24] = {};
  float one = 1;
  std::memcpy(bytes + 2, &one, 4);
  Array1 array(bytes + 2, float32, {1});
  Tensor x = from_dlpack(&array.managed);
  EXPECT_EQ(array.deleted, 1);
  EXPECT_EQ(x.item<float>(), 1);
  Array1 overlapping(bytes, {kDLInt, 8, 1}, {4, 3}, {1, 1});
  EXPECT_EQ(from_dlpack(&overlapping.managed).shape(), (Shape{4, 3}));
  EXPECT_EQ(overlapping.deleted, 1);
  Array1 empty(nullptr, float32, {0, 5}, {5, 1});
  EXPECT_EQ(from_dlpack(&empty.managed).shape(), (Shape{0, 5}));
  EXPECT_EQ(empty.deleted, 1);
}

TEST(DLPack, RefusalsLetGoOnce) {
  static float data[4] = {};
  auto refused = [&](const char *message, DLDataType dtype, auto change) {
    Array1 array(data, dtype, {2, 2});
    change(array.managed);
    EXPECT_NE(refusalOf(array.managed).find(message), std::string::npos)
        << refusalOf(array.managed);
    EXPECT_GE(array.deleted, 1);
    Array1 again(data, dtype, {2, 2});
    change(again.managed);
    EXPECT_NE(refusalOf(again.managed).find("DLPackTest.cpp:"),
              std::string::npos);
    EXPECT_EQ(again.deleted, 1);
  };
  auto same = [](auto &) {};
  refused("no dtype for complex32", {5, 32, 1}, same);
  refused("no dtype for float128", {kDLFloat, 128, 1}, same);
  refused("no dtype for float8_e8m0fnu", {14, 8, 1}, same);
  refused("no dtype for float32 x 4 lanes", {kDLFloat, 32, 4}, same);
  refused("no dtype for code 77", {77, 8, 1}, same);
  refused("int4 with a byte for each element", {kDLInt, 4, 1},
          [](auto &array) { array.flags = dlpackIsPadded; });
  refused("is of version 2.0 of DLPack, expected 1", float32,
          [](auto &array) { array.version = {2, 0}; });
  refused("DLPack's type 8 are not supported", float32,
          [](auto &array) { array.dl_tensor.device.device_type = 8; });
  refused("negative", float32,
          [](auto &array) { array.dl_tensor.shape[0] = -1; });
  refused("no data", float32,
          [](auto &array) { array.dl_tensor.data = nullptr; });
  refused("17", float32, [](auto &array) { array.dl_tensor.ndim = 17; });
}

TEST(DLPack, GivesReadOnlyArrays) {
  DeviceGuard guard("cpu");
  Tensor x = arange(6, i32).reshape({2, 3});
  DLManagedTensorVersioned *array = to_dlpack(x * 2);
  EXPECT_EQ(array->version.major, 1u);
  EXPECT_EQ(array->flags, dlpackReadOnly);
  const DLTensor &out = array->dl_tensor;
  EXPECT_EQ(out.device.device_type, kDLCPU);
  EXPECT_EQ(out.dtype.code, kDLInt);
  EXPECT_EQ(out.dtype.bits, 32);
  EXPECT_EQ(out.dtype.lanes, 1);
  ASSERT_EQ(out.ndim, 2);
  EXPECT_EQ(out.shape[1], 3);
  EXPECT_EQ(out.strides[0], 3);
  EXPECT_EQ(out.byte_offset, 0u);
  EXPECT_EQ(static_cast<const int *>(out.data)[5], 10);
  // And back, without a copy.
  const void *data = out.data;
  Tensor y = from_dlpack(array);
  EXPECT_EQ(to_array(y).data<int>(), data);
  EXPECT_EQ(y.to_vector<int>(), (std::vector<int>{0, 2, 4, 6, 8, 10}));
}

TEST(DLPack, OlderArraysAreCopies) {
  DeviceGuard guard("cpu");
  Tensor x = Tensor(ones({4}, bf16)).eval();
  DLManagedTensor *array = to_dlpack_unversioned(x);
  EXPECT_EQ(array->dl_tensor.dtype.code, kDLBfloat);
  static_cast<uint16_t *>(array->dl_tensor.data)[0] = 0;
  EXPECT_EQ(sum(x).item<float>(), 4);
  array->deleter(array);
}

TEST(DLPack, NoDeviceIsRefused) {
  DeviceGuard guard("sim");
  EXPECT_THROW(to_dlpack(ones({2})), Error);
  EXPECT_THROW(to_dlpack(Tensor()), Error);
}
