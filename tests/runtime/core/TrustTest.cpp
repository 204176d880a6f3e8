//===- TrustTest.cpp - digests, and packages that are not trusted ---------===//
#include "runtime/core/Sha256.h"
#include "tensorc/runtime.hpp"
#include "tests/runtime/core/Fixture.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;
using namespace tensorc::rt::test;

/// The examples of FIPS 180-4, and sizes around those of a block.
TEST(Sha256, IsThatOfTheStandard) {
  const std::pair<std::string, const char *> examples[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc",
       "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmno"
       "pjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
      {std::string(1000000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
      {std::string(55, 'a'),
       "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
      {std::string(56, 'a'),
       "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
      {std::string(63, 'a'),
       "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
      {std::string(64, 'a'),
       "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
      {std::string(65, 'a'),
       "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
      {std::string(119, 'a'),
       "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
      {std::string(120, 'a'),
       "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
      {std::string(128, 'a'),
       "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e"},
  };
  for (auto &[text, digest] : examples)
    EXPECT_EQ(toString(sha256(text)), digest) << text.size();
}

TEST(Sha256, IsReadFromHexadecimalDigits) {
  Digest digest = sha256(std::string("abc"));
  std::string text = toString(digest), large = text;
  for (char &c : large)
    c = static_cast<char>(std::toupper(c));
  EXPECT_EQ(parseDigest(text.c_str()), digest);
  EXPECT_EQ(parseDigest(large.c_str()), digest);
  EXPECT_FALSE(parseDigest(text.substr(1).c_str()));
  EXPECT_FALSE(parseDigest((text + "0").c_str()));
  text[7] = 'g';
  EXPECT_FALSE(parseDigest(text.c_str()));
  EXPECT_FALSE(parseDigest(""));
  EXPECT_FALSE(parseDigest(nullptr));
}

namespace {
class Trust : public testing::Test {
protected:
  Trust() : bytes(busyPackage()), digest(toString(sha256(bytes))) {
    path = (std::filesystem::temp_directory_path() /
            ("tensorc-trust-" + std::to_string(getpid())))
               .string();
    std::ofstream(path, std::ios::binary) << bytes;
    other = digest;
    other[0] = other[0] == '0' ? '1' : '0';
  }
  ~Trust() override {
    tensorc_rt_trust_all();
    std::filesystem::remove(path);
  }
  /// The messages of loading the file and the bytes, which are the same.
  std::string load(const char *sha256, bool isTrusted = false) {
    tensorc_rt_load_options options = {sizeof(options), sha256, isTrusted, 0};
    tensorc_rt_module *file = nullptr, *memory = nullptr;
    std::string first =
        take(tensorc_rt_load_with(cpu(), path.c_str(), &options, &file));
    std::string second = take(tensorc_rt_load_bytes_with(
        cpu(), bytes.data(), bytes.size(), TENSORC_RT_BORROW, nullptr, nullptr,
        &options, &memory));
    EXPECT_EQ(first, second);
    for (tensorc_rt_module *module : {file, memory}) {
      if (module)
        EXPECT_EQ(runBusy(module, nullptr), "");
      tensorc_rt_module_release(module);
    }
    return first;
  }

  std::string bytes, digest, other, path;
};
} // namespace

TEST_F(Trust, ADigestIsExpected) {
  EXPECT_EQ(load(nullptr), "");
  EXPECT_EQ(load(digest.c_str()), "");
  EXPECT_EQ(load(other.c_str()),
            "package: its SHA-256 is " + digest + ", expected " + other);
  EXPECT_EQ(load("abc"),
            "'abc' is not a SHA-256: it has 64 hexadecimal digits");
}

TEST_F(Trust, AllOthersAreRefused) {
  const char *list[] = {other.c_str(), digest.c_str()};
  EXPECT_EQ(take(tensorc_rt_trust_only(list, 1)), "");
  EXPECT_EQ(load(nullptr), "package: its SHA-256, " + digest +
                               ", is none that this program trusts");
  EXPECT_EQ(load(digest.c_str()), "");
  EXPECT_EQ(load(nullptr, /*isTrusted=*/true), "");
  EXPECT_EQ(take(tensorc_rt_trust_only(list, 2)), "");
  EXPECT_EQ(load(nullptr), "");
  EXPECT_EQ(take(tensorc_rt_trust_only(nullptr, 0)), "");
  EXPECT_NE(load(nullptr), "");
  // A list with an error changes nothing.
  list[0] = "none";
  EXPECT_NE(take(tensorc_rt_trust_only(list, 2)), "");
  EXPECT_NE(load(nullptr), "");
  tensorc_rt_trust_all();
  EXPECT_EQ(load(nullptr), "");
}

TEST_F(Trust, WhatWasComparedIsWhatRuns) {
  tensorc::Module module = tensorc::load(path, "cpu", digest);
  // Somebody writes into the file while it is used.
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      << std::string(bytes.size(), '\xcc');
  EXPECT_EQ(runBusy(module.raw(), nullptr), "");
}

TEST_F(Trust, TheWrapperThrows) {
  tensorc::trust_only({other});
  try {
    (void)tensorc::load(path);
    ADD_FAILURE();
  } catch (const tensorc::Error &error) {
    EXPECT_EQ(error.code(), TENSORC_RT_UNTRUSTED);
  }
  tensorc::trust_all();
  EXPECT_EQ(
      runBusy(tensorc::load_bytes(bytes.data(), bytes.size()).raw(), nullptr),
      "");
}
