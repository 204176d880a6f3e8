//===- files.hpp - tensors in files: .npy, .npz, .safetensors -------------===//
//
//   std::map<std::string, tensorc::Tensor> weights =
//       tensorc::load_tensors("model.safetensors");
//   tensorc::save_tensor("scores.npy", scores);
//
// See tensorc/files.h for details.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_FILES_HPP
#define TENSORC_FILES_HPP

#include "tensorc/files.h"
#include "tensorc/tensor.hpp"

#include <map>

namespace tensorc {

/// Reads all tensors of a file to the current device. The tensor of an .npy
/// file has the name "".
inline std::map<std::string, Tensor>
load_tensors(const std::string &path, Location at = Location::current()) {
  tensorc_tensor_file *raw = nullptr;
  detail::check(tensorc_load_file(path.c_str(), at, &raw), at);
  std::unique_ptr<tensorc_tensor_file, void (*)(tensorc_tensor_file *)> file(
      raw, tensorc_tensor_file_release);
  std::map<std::string, Tensor> result;
  for (int32_t i = 0; i < tensorc_tensor_file_count(raw); ++i) {
    tensorc_tensor *handle = tensorc_tensor_file_tensor(raw, i);
    tensorc_tensor_retain(handle);
    result[tensorc_tensor_file_name(raw, i)] = Tensor::take(handle);
  }
  return result;
}
/// Reads the only tensor of a file, such as an .npy file.
inline Tensor load_tensor(const std::string &path,
                          Location at = Location::current()) {
  std::map<std::string, Tensor> all = load_tensors(path, at);
  if (all.size() != 1)
    detail::fail("load_tensor",
                 path + " has " + std::to_string(all.size()) +
                     " tensors; load_tensors reads them all",
                 at);
  return all.begin()->second;
}
/// Writes tensors to an .npz or .safetensors file. After an error the file is
/// unchanged.
inline void save_tensors(const std::string &path,
                         const std::map<std::string, Tensor> &tensors,
                         Location at = Location::current()) {
  std::vector<const char *> names;
  std::vector<tensorc_tensor *> handles;
  for (const auto &entry : tensors) {
    names.push_back(entry.first.c_str());
    handles.push_back(entry.second.operand("save_tensors", at));
  }
  detail::check(tensorc_save_file(path.c_str(), names.data(), handles.data(),
                                  static_cast<int32_t>(names.size())),
                at);
}
/// To an .npy.
inline void save_tensor(const std::string &path, const Tensor &tensor,
                        Location at = Location::current()) {
  tensorc_tensor *handle = tensor.operand("save_tensor", at);
  detail::check(tensorc_save_file(path.c_str(), nullptr, &handle, 1), at);
}

} // namespace tensorc

#endif
