//===- LoadTest.cpp - what is loaded, what is refused and why -------------===//
#include "runtime/cts/TestPackage.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;

namespace {
class Load : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(take(tensorc_rt_device_find("cpu", &device)), "");
    package.constants = {std::string(10000, 'c')};
    package.add(Op::Constant, {0, 0});
    package.add(Op::Return, {0, 0});
    bytes = package.bytes();
  }
  void TearDown() override {
    tensorc_rt_module_release(module);
    unsetenv("TENSORC_DEVICE");
  }
  std::string load(const std::string &bytes,
                   tensorc_rt_load_mode mode = TENSORC_RT_COPY) {
    tensorc_rt_module_release(module);
    return take(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(), mode,
                                      nullptr, nullptr, &module));
  }
  /// The message when the header's field at this offset has another value.
  template <typename T> std::string loadWith(size_t offset, T value) {
    std::string altered = bytes;
    std::memcpy(altered.data() + offset, &value, sizeof(value));
    return load(altered);
  }

  tensorc_rt_device *device = nullptr;
  tensorc_rt_module *module = nullptr;
  TestPackage package;
  std::string bytes;
};
} // namespace

TEST_F(Load, SaysWhatItIs) {
  ASSERT_EQ(load(bytes), "");
  EXPECT_EQ(tensorc_rt_module_device(module), device);
  EXPECT_STREQ(tensorc_rt_module_compiler(module), "test");
  EXPECT_EQ(tensorc_rt_module_ir_hash(module), 42u);
}

TEST_F(Load, RefusesWhatIsTruncated) {
  EXPECT_EQ(load(""), "package: truncated: it has 0 bytes, a package's header "
                      "alone 48");
  EXPECT_EQ(load(bytes.substr(0, 47)), "package: truncated: it has 47 bytes, a "
                                       "package's header alone 48");
  EXPECT_EQ(load(bytes.substr(0, bytes.size() - 1)),
            "package: truncated or altered: it has " +
                std::to_string(bytes.size() - 1) + " bytes, its header says " +
                std::to_string(bytes.size()));
}

TEST_F(Load, SaysWhichSizeOfTheHeaderIsWrong) {
  EXPECT_EQ(loadWith(offsetof(PackageHeader, headerSize), ~uint32_t(48)),
            "package: altered: its header says that it is 4294967247 bytes "
            "long, expected 48");
  EXPECT_EQ(loadWith(offsetof(PackageHeader, fileSize), uint64_t(7)),
            "package: truncated or altered: it has " +
                std::to_string(bytes.size()) + " bytes, its header says 7");
}

TEST_F(Load, RefusesWhatIsNoPackage) {
  EXPECT_EQ(load("#!/bin/sh" + std::string(100, '\n')),
            "package: not a tensorc package");
}

TEST_F(Load, RefusesOtherVersions) {
  size_t at = offsetof(PackageHeader, version);
  EXPECT_EQ(
      loadWith(at, packageVersion + 1),
      "package: its format is version " + std::to_string(packageVersion + 1) +
          ", newer than version " + std::to_string(packageVersion) +
          ", which this runtime (tensorc " + tensorc_rt_version() + ") reads");
  std::string older = loadWith(at, packageVersion - 1);
  EXPECT_NE(older.find("older than version"), std::string::npos);
  EXPECT_NE(older.find("; compile it again"), std::string::npos);
}

TEST_F(Load, RefusesTheOtherByteOrder) {
  EXPECT_EQ(loadWith(offsetof(PackageHeader, version),
                     __builtin_bswap32(packageVersion)),
            "package: its numbers have the other byte order");
}

TEST_F(Load, RefusesAnAlteredTable) {
  // Any bit of it: also those that would mean something else that is valid.
  PackageHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  for (size_t at = header.tableOffset; at < bytes.size(); ++at) {
    std::string altered = bytes;
    altered[at] ^= 1;
    ASSERT_EQ(load(altered), "package: altered: its table does not have the "
                             "hash that its header says");
  }
}

TEST_F(Load, RefusesOtherTargets) {
  package.targets = {"cpu:z80", "cuda:sm_90"};
  EXPECT_EQ(load(package.bytes()),
            "package: it holds code for cpu:z80, cuda:sm_90, none of which "
            "this device runs");
}

TEST_F(Load, ChecksConstantsWhenAsked) {
  ASSERT_EQ(load(bytes), "");
  EXPECT_EQ(take(tensorc_rt_module_verify(module)), "");
  bytes[segmentAlignment + 5000] ^= 1;
  ASSERT_EQ(load(bytes), "");
  EXPECT_EQ(take(tensorc_rt_module_verify(module)),
            "package: altered: constant 0 does not have its hash");
  EXPECT_NE(take(tensorc_rt_module_verify(nullptr)), "");
}

TEST_F(Load, RefusesAlteredConstantsWhereItsOptionsSaySo) {
  package.constants.assign(9, std::string(10000, 'c'));
  bytes = package.bytes();
  tensorc_rt_load_options options{sizeof options, nullptr, /*is_trusted=*/0,
                                  /*verify_constants=*/1};
  auto loadVerified = [&](const std::string &bytes) {
    tensorc_rt_module_release(module);
    return take(tensorc_rt_load_bytes_with(device, bytes.data(), bytes.size(),
                                           TENSORC_RT_COPY, nullptr, nullptr,
                                           &options, &module));
  };
  EXPECT_EQ(loadVerified(bytes), "");
  // The first altered one is named, on any number of threads.
  std::string altered = bytes;
  size_t last = altered.rfind(std::string(10000, 'c'));
  altered[last] ^= 1;
  EXPECT_EQ(loadVerified(altered),
            "package: altered: constant 8 does not have its hash");
  EXPECT_EQ(module, nullptr);
  altered[altered.find(std::string(10000, 'c')) + 9999] ^= 1;
  EXPECT_EQ(loadVerified(altered),
            "package: altered: constant 0 does not have its hash");
  // Options of a program that was built before there was the field.
  options.struct_size = offsetof(tensorc_rt_load_options, verify_constants);
  EXPECT_EQ(loadVerified(altered), "");
}

TEST_F(Load, WithoutADeviceTheDefaultOneIsMeant) {
  auto loadDefault = [&] {
    return take(tensorc_rt_load_bytes(nullptr, bytes.data(), bytes.size(),
                                      TENSORC_RT_COPY, nullptr, nullptr,
                                      &module));
  };
  ASSERT_EQ(loadDefault(), "");
  EXPECT_EQ(tensorc_rt_module_device(module), device);
  tensorc_rt_module_release(module);
  setenv("TENSORC_DEVICE", "null", 1);
  ASSERT_EQ(loadDefault(), "");
  EXPECT_NE(tensorc_rt_module_device(module), device);
  tensorc_rt_module_release(module);
  setenv("TENSORC_DEVICE", "abacus", 1);
  std::string message = loadDefault();
  EXPECT_EQ(message.find("no device 'abacus' (from TENSORC_DEVICE); there are"),
            0u)
      << message;
}

TEST_F(Load, MissingFilesAreErrors) {
  tensorc_rt_status *status =
      tensorc_rt_load(device, "/nowhere/x.tcpkg", &module);
  EXPECT_EQ(tensorc_rt_status_code(status), TENSORC_RT_NOT_FOUND);
  tensorc_rt_status_free(status);
  EXPECT_NE(take(tensorc_rt_load(device, "/", &module)), "");
  EXPECT_NE(take(tensorc_rt_load(device, "/dev/null", &module)), "");
  EXPECT_NE(take(tensorc_rt_load(device, nullptr, &module)), "");
}

TEST_F(Load, APipeIsRefusedAtOnce) {
  std::string path =
      testing::TempDir() + "pipe-" + std::to_string(getpid()) + ".tcpkg";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string expected = "'" + path + "' is not a regular file";
  EXPECT_EQ(take(tensorc_rt_load(device, path.c_str(), &module)), expected);
  std::filesystem::remove(path);
  EXPECT_EQ(take(tensorc_rt_load(device, "/", &module)),
            "'/' is not a regular file");
}

/// Kilobytes of a field of /proc/self/smaps for the mapping of a file.
static long mappedKilobytes(const std::string &path, const std::string &field) {
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  long sum = 0;
  bool inside = false;
  while (std::getline(maps, line)) {
    size_t colon = line.find(':');
    bool isField = colon != std::string::npos && colon + 1 < line.size() &&
                   line[colon + 1] == ' ';
    if (!isField)
      inside = line.find(path) != std::string::npos;
    else if (inside && line.compare(0, colon, field) == 0)
      sum += std::stol(line.substr(colon + 1));
  }
  return sum;
}

TEST_F(Load, ConstantsAreMappedAndShared) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory copies constants, to guard them";
  constexpr size_t size = size_t(32) << 20;
  package.constants = {std::string(size, 'x')};
  bytes = package.bytes();
  std::string path =
      testing::TempDir() + "shared-" + std::to_string(getpid()) + ".tcpkg";
  std::ofstream(path, std::ios::binary) << bytes;
  // Two modules stand for two processes: a page has one copy in the page cache,
  // and private pages would show as such.
  tensorc_rt_module *other = nullptr;
  ASSERT_EQ(take(tensorc_rt_load(device, path.c_str(), &module)), "");
  ASSERT_EQ(take(tensorc_rt_load(device, path.c_str(), &other)), "");
  EXPECT_LT(mappedKilobytes(path, "Rss"),
            2 * 8192); // Loading reads no constants.
  EXPECT_EQ(take(tensorc_rt_module_verify(module)), "");
  EXPECT_EQ(take(tensorc_rt_module_verify(other)), "");
  EXPECT_GE(mappedKilobytes(path, "Rss"), 2 * 32768);
  EXPECT_EQ(mappedKilobytes(path, "Private_Dirty"), 0);
  EXPECT_LT(mappedKilobytes(path, "Pss"), 32768 + 1024);
  tensorc_rt_module_release(other);
  std::filesystem::remove(path);
}
