//===- ConstantsFileTest.cpp - constants in a file beside the package -----===//
#include "tests/compiler/output/package/Packages.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tensorc;
using namespace tensorc::test;
namespace fs = std::filesystem;

static constexpr const char *constant = R"(
module attributes {tx.target = "cpu"} {
  txp.func @main(%x: !txp.buffer {tx.donated}) -> (!txp.buffer, !txp.buffer)
      attributes {inputs = [tensor<1xi32>],
                  outputs = [tensor<3xi32>, tensor<0xf32>]} {
    %c = txp.constant_buffer dense<[7, 8, 9]> : tensor<3xi32>
    %none = txp.constant_buffer dense<> : tensor<0xf32>
    txp.return %c, %none
  }
})";

namespace {
class ConstantsFile : public testing::Test {
protected:
  ConstantsFile()
      : folder(fs::temp_directory_path() /
               ("tensorc-" + std::to_string(getpid()) + "-constants")) {
    fs::create_directories(folder);
  }
  ~ConstantsFile() override { fs::remove_all(folder); }
  void write(const char *name, const std::string &bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }
  /// The message of loading m.tcpkg, or "".
  std::string load() {
    tensorc_rt_module *module = nullptr;
    std::string message =
        take(tensorc_rt_load(nullptr, (folder / "m.tcpkg").c_str(), &module));
    tensorc_rt_module_release(module);
    return message;
  }

  fs::path folder;
};
} // namespace

TEST_F(ConstantsFile, IsMappedAndChecked) {
  compiler::ConstantsFile file{"w.bin", ""};
  std::string package = packageOf(constant, nullptr, &file);
  write("m.tcpkg", package);
  write("w.bin", file.bytes);
  tensorc_rt_module *module = nullptr;
  ASSERT_EQ(
      take(tensorc_rt_load(nullptr, (folder / "m.tcpkg").c_str(), &module)),
      "");
  EXPECT_EQ(take(tensorc_rt_module_verify(module)), "");
  const tensorc_rt_entry *entry = nullptr;
  ASSERT_EQ(take(tensorc_rt_module_find(module, nullptr, &entry)), "");
  {
    Argument x(tensorc_rt_module_device(module), TENSORC_RT_I32, {1},
               std::vector<int32_t>{1});
    Outputs out(2);
    ASSERT_EQ(run(entry, {x.arg}, out), "");
    // A result that is a constant keeps the mapping.
    tensorc_rt_module_release(module);
    EXPECT_EQ(valuesOf<int32_t>(out.list[0]), (std::vector<int32_t>{7, 8, 9}));
  }
  // A changed constant is found by those who ask.
  file.bytes[4096] ^= 1;
  write("w.bin", file.bytes);
  ASSERT_EQ(
      take(tensorc_rt_load(nullptr, (folder / "m.tcpkg").c_str(), &module)),
      "");
  EXPECT_NE(take(tensorc_rt_module_verify(module)), "");
  tensorc_rt_module_release(module);
}

TEST_F(ConstantsFile, EveryByteOfItsHeaderMatters) {
  compiler::ConstantsFile file{"w.bin", ""};
  write("m.tcpkg", packageOf(constant, nullptr, &file));
  for (size_t i = 0; i < 32; ++i) {
    if (i >= 12 && i < 16)
      continue; // The table has the count.
    std::string damaged = file.bytes;
    damaged[i] ^= 0x10;
    write("w.bin", damaged);
    EXPECT_NE(load(), "") << i;
  }
  for (size_t size : {0, 1, 31, 32, 4096, 4107}) {
    write("w.bin", file.bytes.substr(0, size));
    EXPECT_NE(load(), "") << size;
  }
  write("w.bin", file.bytes + "x");
  EXPECT_NE(load(), "");
}

TEST_F(ConstantsFile, LiesBesideThePackageOnly) {
  for (const char *name : {"../w.bin", "/etc/passwd", "", ".", ".."}) {
    compiler::ConstantsFile file{name, ""};
    write("m.tcpkg", packageOf(constant, nullptr, &file));
    EXPECT_EQ(load(), (folder / "m.tcpkg").string() +
                          ": package: its file of constants has an "
                          "impossible name");
  }
}

TEST_F(ConstantsFile, BytesInMemoryHaveNothingBesideThem) {
  compiler::ConstantsFile file{"w.bin", ""};
  std::string package = packageOf(constant, nullptr, &file);
  tensorc_rt_module *module = nullptr;
  EXPECT_EQ(
      take(tensorc_rt_load_bytes(nullptr, package.data(), package.size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &module)),
      "package: its constants are in the file 'w.bin' beside it: load it "
      "by its path");
}

TEST_F(ConstantsFile, SignatureSaysWhatIsDonated) {
  Loaded loaded(packageOf(constant));
  tensorc_rt_value_info info;
  ASSERT_EQ(take(tensorc_rt_entry_input(loaded.entry(), 0, &info)), "");
  EXPECT_EQ(info.is_donated, 1);
  ASSERT_EQ(take(tensorc_rt_entry_output(loaded.entry(), 0, &info)), "");
  EXPECT_EQ(info.is_donated, 0);
}
