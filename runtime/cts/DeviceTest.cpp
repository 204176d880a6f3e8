//===- DeviceTest.cpp - conformance: devices and modules ------------------===//
#include "runtime/cts/Conformance.h"

using namespace tensorc::rt;
using namespace tensorc::rt::cts;

std::vector<std::string> tensorc::rt::cts::firstDevices() {
  std::vector<std::string> names;
  for (int32_t i = 0; i < tensorc_rt_device_count(); ++i) {
    tensorc_rt_device_properties properties;
    tensorc_rt_device_get_properties(tensorc_rt_device_get(i), &properties);
    std::string driver(properties.name);
    driver.resize(driver.find(':'));
    if (std::find(names.begin(), names.end(), driver) == names.end())
      names.push_back(driver);
  }
  return names;
}

TEST_P(Conformance, IsFoundByItsNames) {
  tensorc_rt_device *found = nullptr;
  ASSERT_OK(tensorc_rt_device_find(properties.name, &found));
  EXPECT_EQ(found, device);
  EXPECT_NE(take(tensorc_rt_device_find("cp", &found)), "");
  EXPECT_NE(take(tensorc_rt_device_find("cpu:7", &found)), "");
  EXPECT_NE(take(tensorc_rt_device_find("", &found)), "");
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(tensorc_rt_device_get(-1), nullptr);
  EXPECT_EQ(tensorc_rt_device_get(tensorc_rt_device_count()), nullptr);
}

TEST_P(Conformance, HasProperties) {
  EXPECT_GE(properties.threads, 1);
  EXPECT_GT(properties.memory, 0u);
  EXPECT_STRNE(properties.description, "");
  EXPECT_GT(tensorc_rt_device_accepts(device, properties.target), 0);
}

TEST_P(Conformance, TakesTheSectionThatFitsBest) {
  TestPackage package;
  package.targets = {"nonsense:1", properties.target, "nonsense:2"};
  package.add(Op::Return, {0, 0});
  std::string bytes = package.bytes();
  tensorc_rt_module *module = nullptr;
  ASSERT_OK(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                  TENSORC_RT_COPY, nullptr, nullptr, &module));
  if (properties.computes)
    EXPECT_STREQ(tensorc_rt_module_target(module), properties.target);
  EXPECT_STREQ(tensorc_rt_module_compiler(module), "test");
  tensorc_rt_module_release(module);
}

TEST_P(Conformance, BorrowedBytesAreGivenBackOnce) {
  TestPackage package;
  package.targets = {properties.target};
  package.add(Op::Return, {0, 0});
  std::string bytes = package.bytes();
  int deleted = 0;
  auto count = [](void *user, void *) { ++*static_cast<int *>(user); };
  tensorc_rt_module *module = nullptr;
  ASSERT_OK(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                  TENSORC_RT_BORROW, count, &deleted, &module));
  EXPECT_EQ(deleted, 0);
  tensorc_rt_module_retain(module);
  tensorc_rt_module_release(module);
  EXPECT_EQ(deleted, 0);
  tensorc_rt_module_release(module);
  EXPECT_EQ(deleted, 1);
  // The deleter is also called if the package is refused.
  EXPECT_NE(
      take(tensorc_rt_load_bytes(device, bytes.data(), 10, TENSORC_RT_BORROW,
                                 count, &deleted, &module)),
      "");
  EXPECT_EQ(deleted, 2);
}
