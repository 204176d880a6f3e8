//===- TypesTest.cpp - dtypes, sizes, statuses ----------------------------===//
#include "runtime/abi/DeviceKinds.h"
#include "runtime/cts/TestPackage.h"

#include <gtest/gtest.h>

using namespace tensorc::rt::cts;

static std::string sizeOf(tensorc_rt_dtype dtype, std::vector<int64_t> dims,
                          size_t &size) {
  return take(tensorc_rt_byte_size(dtype, static_cast<int32_t>(dims.size()),
                                   dims.data(), &size));
}

TEST(Types, SizesAreDense) {
  size_t size = 1;
  EXPECT_EQ(sizeOf(TENSORC_RT_F32, {3, 5}, size), "");
  EXPECT_EQ(size, 60u);
  EXPECT_EQ(sizeOf(TENSORC_RT_I1, {7}, size), "");
  EXPECT_EQ(size, 7u);
  EXPECT_EQ(sizeOf(TENSORC_RT_I4, {7}, size), "");
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(sizeOf(TENSORC_RT_F64, {}, size), "");
  EXPECT_EQ(size, 8u);
  EXPECT_EQ(sizeOf(TENSORC_RT_F32, {INT64_MAX, INT64_MAX, 0}, size), "");
  EXPECT_EQ(size, 0u);
}

TEST(Types, GpusOfTwoVendorsHaveSecondNames) {
  using namespace tensorc::rt;
  constexpr uint32_t intel = 0x8086, apple = 0x106b, other = 0x10de;
  EXPECT_EQ(aliasOf("opencl", intel), "xpu");
  EXPECT_EQ(aliasOf("vulkan", apple), "mps");
  EXPECT_EQ(aliasOf("vulkan", intel), "");
  EXPECT_EQ(aliasOf("opencl", apple), "");
  EXPECT_EQ(aliasOf("opencl", other), "");
  EXPECT_EQ(aliasOf("opencl", 0), ""); // not a GPU
  EXPECT_EQ(findDeviceKind("xpu:1")->name, "opencl");
  EXPECT_EQ(findDeviceKind("mps")->name, "vulkan");
  EXPECT_EQ(findDeviceKind("xpus"), nullptr);
}

TEST(Types, ImpossibleSizesAreErrors) {
  size_t size = 1;
  EXPECT_NE(sizeOf(TENSORC_RT_F32, {-1}, size), "");
  EXPECT_NE(sizeOf(TENSORC_RT_F32, {INT64_MAX}, size), "");
  EXPECT_NE(sizeOf(TENSORC_RT_NONE, {1}, size), "");
  EXPECT_NE(sizeOf(static_cast<tensorc_rt_dtype>(99), {1}, size), "");
  EXPECT_EQ(size, 0u);
}

TEST(Types, HaveNames) {
  EXPECT_STREQ(tensorc_rt_dtype_name(TENSORC_RT_BF16), "bf16");
  EXPECT_STREQ(tensorc_rt_dtype_name(TENSORC_RT_UI64), "ui64");
  EXPECT_STREQ(tensorc_rt_dtype_name(static_cast<tensorc_rt_dtype>(99)), "?");
}

TEST(Status, CarriesAMessage) {
  EXPECT_EQ(tensorc_rt_status_create(TENSORC_RT_OK, "fine"), nullptr);
  EXPECT_EQ(tensorc_rt_status_code(nullptr), TENSORC_RT_OK);
  EXPECT_STREQ(tensorc_rt_status_message(nullptr), "");
  tensorc_rt_status_free(nullptr);
  tensorc_rt_status *status =
      tensorc_rt_status_create(TENSORC_RT_NOT_FOUND, "gone");
  EXPECT_EQ(tensorc_rt_status_code(status), TENSORC_RT_NOT_FOUND);
  EXPECT_EQ(take(status), "gone");
}

TEST(CustomCalls, AreRegisteredOnce) {
  auto call = [](const tensorc_rt_custom_call *) -> tensorc_rt_status * {
    return nullptr;
  };
  EXPECT_EQ(take(tensorc_rt_register_custom_call("types.once", call, nullptr)),
            "");
  EXPECT_NE(take(tensorc_rt_register_custom_call("types.once", call, nullptr)),
            "");
  EXPECT_NE(take(tensorc_rt_register_custom_call("", call, nullptr)), "");
  EXPECT_NE(take(tensorc_rt_register_custom_call("x", nullptr, nullptr)), "");
}
