//===- FilesTest.cpp - Tensors in .npy, .npz and .safetensors -------------===//

#include "tensorc/files.hpp"
#include "tensorc/tensorc.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace tensorc;
namespace fs = std::filesystem;

namespace {
class Files : public ::testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/tensorc-files-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string at(const std::string &name) const {
    return (folder / name).string();
  }
  size_t count() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder),
                                             fs::directory_iterator()));
  }
  std::string refusalOf(const std::string &name, const std::string &bytes) {
    std::ofstream(at(name), std::ios::binary) << bytes;
    try {
      load_tensors(at(name));
    } catch (const Error &error) {
      return error.what();
    }
    return "no error";
  }
  fs::path folder;
};
} // namespace

/// A header and its size, and elements.
static std::string safetensors(const std::string &header, size_t elements = 0,
                               int64_t size = -1) {
  uint64_t length = size < 0 ? header.size() : static_cast<uint64_t>(size);
  return std::string(reinterpret_cast<const char *>(&length), 8) + header +
         std::string(elements, '\0');
}

TEST_F(Files, EveryDTypeComesBack) {
  std::map<std::string, Tensor> all;
  for (DType dtype : {i1, i8, i16, i32, i64, ui8, ui16, ui32, ui64, f16, bf16,
                      f32, f64, f8e4m3fn, f8e5m2})
    all[name(dtype)] = arange(6, f32).reshape({2, 3}).astype(dtype);
  all["none"] = zeros({0, 4});
  all["one"] = scalar(2.5f);
  for (const char *file : {"x.npz", "x.safetensors"}) {
    save_tensors(at(file), all);
    std::map<std::string, Tensor> read = load_tensors(at(file));
    ASSERT_EQ(read.size(), all.size());
    for (const auto &[key, value] : all) {
      EXPECT_EQ(read[key].dtype(), value.dtype()) << file << " " << key;
      EXPECT_EQ(read[key].shape(), value.shape()) << file << " " << key;
      EXPECT_EQ(read[key].to_bytes(), value.to_bytes()) << file << " " << key;
    }
  }
  Tensor packed = arange(5, f32).astype(i4);
  save_tensor(at("x.npy"), packed);
  EXPECT_EQ(load_tensor(at("x.npy")).to_bytes(), packed.to_bytes());
}

TEST_F(Files, RefusalsOfSaving) {
  Tensor x = ones({2});
  auto refused = [&](const char *file, auto save) {
    try {
      save(at(file));
    } catch (const Error &error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  auto one = [&](const std::string &path) { save_tensors(path, {{"a", x}}); };
  EXPECT_NE(refused("none/x.npz", one).find("cannot write"), std::string::npos);
  EXPECT_NE(refused("x.txt", one).find("is not .npy, .npz or .safetensors"),
            std::string::npos);
  auto packed = [&](const std::string &path) {
    save_tensors(path, {{"a", x.astype(i4)}});
  };
  EXPECT_NE(refused("x.safetensors", packed).find("'a': the format has no i4"),
            std::string::npos);
  auto two = [&](const std::string &path) {
    save_tensors(path, {{"a", x}, {"b", x}});
  };
  EXPECT_NE(refused("x.npy", two).find("an .npy has one tensor, not 2"),
            std::string::npos);
  auto unnamed = [&](const std::string &path) { save_tensor(path, x); };
  EXPECT_NE(refused("x.npz", unnamed).find("x.npz' needs a name"),
            std::string::npos);
  EXPECT_EQ(count(), 0u);
}

TEST_F(Files, BrokenSafetensorsAreRefused) {
  const std::string good =
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  EXPECT_EQ(refusalOf("good.safetensors", safetensors(good, 8)), "no error");
  const std::string big = "[4611686018427387904,4]";
  struct {
    std::string bytes;
    const char *message;
  } cases[] = {
      {"", "truncated header"},
      {"1234567", "truncated header"},
      {safetensors(good, 0, 1 << 20), "truncated header"},
      {safetensors(good, 8, int64_t(1) << 60), "is above 100000000"},
      {safetensors("{", 0), "malformed header"},
      {safetensors("[]", 0), "the header is not an object"},
      {safetensors("{\"x\":" + std::string(100'000, '['), 0),
       "nested deeper than 64 levels"},
      {safetensors("{\"\xff\":1}", 0), "not UTF-8"},
      {safetensors(R"({"a":1})"), "'a' is not an object"},
      {safetensors(R"({"a":{"dtype":"F32","shape":[2]}})"),
       "'a': needs a dtype, a shape and two data_offsets"},
      {safetensors(
           R"({"a":{"dtype":"F8_E8M0","shape":[],"data_offsets":[0,8]}})", 8),
       "'a': unsupported dtype 'F8_E8M0'"},
      {safetensors(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})",
                   4),
       "'a': a size of the shape is not a number"},
      {safetensors(R"({"a":{"dtype":"F32","shape":)" + big +
                       R"(,"data_offsets":[0,4]}})",
                   4),
       "'a': shape overflows"},
      {safetensors(good, 4), "'a': data_offsets are not within the 4 bytes"},
      {safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}})",
                   8),
       "'a': data_offsets are not within"},
      {safetensors(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",
                   8),
       "'a': has 8 bytes of elements, but its shape needs 12"},
      {safetensors(good, 12), "there are bytes that no tensor has"},
      {safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                   R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                   12),
       "tensors lie over each other"},
      {safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                   R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
                   8),
       "a name comes twice"},
  };
  for (const auto &[bytes, message] : cases) {
    std::string refusal = refusalOf("x.safetensors", bytes);
    EXPECT_NE(refusal.find(message), std::string::npos)
        << message << ": " << refusal;
    EXPECT_NE(refusal.find(at("x.safetensors")), std::string::npos) << refusal;
    EXPECT_NE(refusal.find("FilesTest.cpp:"), std::string::npos) << refusal;
  }
}

TEST_F(Files, EveryCutOfAFileIsRefused) {
  std::map<std::string, Tensor> all{{"a", arange(3, f32)}, {"b", ones({2})}};
  for (const char *file : {"x.npz", "x.safetensors"}) {
    save_tensors(at(file), all);
    std::ifstream in(at(file), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    for (size_t size = 0; size < bytes.size(); ++size)
      EXPECT_NE(refusalOf(file, bytes.substr(0, size)), "no error")
          << file << " cut to " << size;
  }
  EXPECT_THROW(load_tensors(at("none.npy")), Error);
}
