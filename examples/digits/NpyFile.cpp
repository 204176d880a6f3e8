//===- NpyFile.cpp - Reads .npy files -------------------------------------===//
//
// A file is "\x93NUMPY", two bytes of version, the header's size (two bytes,
// from version 2 on four), a header such as
//   {'descr': '<f4', 'fortran_order': False, 'shape': (449, 64), }
// and the elements.
//
//===----------------------------------------------------------------------===//

#include "examples/digits/NpyFile.h"

#include <fstream>
#include <sstream>

namespace digits {

namespace {
struct Header {
  std::string descr;
  tensorc::Shape shape;
};
} // namespace

/// What follows `'key': ` in the header.
static std::string valueOf(const std::string &header, const std::string &key) {
  size_t at = header.find("'" + key + "': ");
  if (at == std::string::npos)
    throw std::runtime_error("the header names no " + key);
  return header.substr(at + key.size() + 4);
}

static Header readHeader(std::istream &file) {
  char magic[8];
  if (!file.read(magic, 8) || std::string(magic, 6) != "\x93NUMPY")
    throw std::runtime_error("not an .npy file");
  unsigned char size[4] = {};
  file.read(reinterpret_cast<char *>(size), magic[6] == 1 ? 2 : 4);
  std::string text(size[0] | size[1] << 8 | size[2] << 16, ' ');
  if (!file.read(text.data(), text.size()))
    throw std::runtime_error("the header is cut off");
  if (valueOf(text, "fortran_order").rfind("False", 0) != 0)
    throw std::runtime_error("the array is not row-major");
  Header header;
  header.descr = valueOf(text, "descr").substr(1, 3);
  std::istringstream shape(valueOf(text, "shape"));
  shape.ignore(); // the parenthesis
  for (int64_t dim; shape >> dim; shape.ignore())
    header.shape.push_back(dim);
  return header;
}

template <typename T>
static tensorc::Tensor readElements(std::istream &file,
                                    const tensorc::Shape &shape) {
  size_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  std::vector<T> values(count);
  if (!file.read(reinterpret_cast<char *>(values.data()), count * sizeof(T)))
    throw std::runtime_error("the elements are cut off");
  return tensorc::from_data(values.data(), shape);
}

tensorc::Tensor readNpy(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error(path + ": cannot open");
  try {
    Header header = readHeader(file);
    if (header.descr == "<f4")
      return readElements<float>(file, header.shape);
    if (header.descr == "<i4")
      return readElements<int32_t>(file, header.shape);
    throw std::runtime_error("holds neither f32 nor i32");
  } catch (const std::exception &error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

} // namespace digits
