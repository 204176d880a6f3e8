//===- Files.cpp - Tensors in files: the C interface ----------------------===//

#include "compiler/api/Api.h"

#include "compiler/frontends/files/OutputFile.h"
#include "compiler/frontends/files/Safetensors.h"
#include "tensorc/files.h"

#include "llvm/ADT/StringSet.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::NodeRef;
using graph::Recorder;

struct tensorc_tensor_file {
  struct Entry {
    std::string name;
    tensorc_tensor *tensor;
  };
  std::vector<Entry> entries;
  ~tensorc_tensor_file() {
    for (const Entry &entry : entries)
      tensorc_tensor_release(entry.tensor);
  }
};

tensorc_status *tensorc_load_file(const char *path, tensorc_location at,
                                  tensorc_tensor_file **out) {
  if (auto *refused = checkOut("load", out))
    return refused;
  *out = nullptr;
  Recorder r(locationOf(at), "load");
  if (!textOf(r, "path", path))
    return refusal(r);
  auto arrays = files::readArrays(path);
  if (!arrays) {
    r.fail("load", llvm::toString(arrays.takeError()));
    return refusal(r);
  }
  auto file = std::make_unique<tensorc_tensor_file>();
  for (const files::NamedArray &each : *arrays) {
    const reference::Array &array = each.array;
    std::vector<uint8_t> packed;
    if (tx::isPacked(array.dtype))
      packed = reference::pack(array);
    tensorc_tensor *tensor = nullptr;
    if (auto *failed = tensorc_from_data(
            static_cast<tensorc_dtype>(array.dtype),
            static_cast<int32_t>(array.shape.size()), array.shape.data(),
            packed.empty() ? array.bytes.data() : packed.data(), nullptr, at,
            &tensor))
      return failed;
    file->entries.push_back({each.name, tensor});
  }
  *out = file.release();
  return nullptr;
}

void tensorc_tensor_file_release(tensorc_tensor_file *file) { delete file; }

int32_t tensorc_tensor_file_count(const tensorc_tensor_file *file) {
  return file ? static_cast<int32_t>(file->entries.size()) : 0;
}

static const tensorc_tensor_file::Entry *
entryAt(const tensorc_tensor_file *file, int32_t index) {
  return index >= 0 && index < tensorc_tensor_file_count(file)
             ? &file->entries[index]
             : nullptr;
}

const char *tensorc_tensor_file_name(const tensorc_tensor_file *file,
                                     int32_t index) {
  const auto *entry = entryAt(file, index);
  return entry ? entry->name.c_str() : nullptr;
}

tensorc_tensor *tensorc_tensor_file_tensor(const tensorc_tensor_file *file,
                                           int32_t index) {
  const auto *entry = entryAt(file, index);
  return entry ? entry->tensor : nullptr;
}

/// Reads an evaluated tensor into `array`. Returns null on success.
static tensorc_status *readInto(reference::Array &array,
                                tensorc_tensor *tensor) {
  graph::Node *node = nodeOf(tensor);
  auto made = reference::Array::create(node->dtype(), node->shape());
  if (!made)
    return tensorc_rt_status_create(TENSORC_RT_OUT_OF_MEMORY, "no memory");
  array = std::move(*made);
  std::vector<uint8_t> bytes(node->byteSize());
  if (auto *failed = tensorc_read(tensor, bytes.data(), bytes.size()))
    return failed;
  if (tx::isPacked(array.dtype))
    reference::unpack(array, bytes.data());
  else
    array.bytes = std::move(bytes);
  return nullptr;
}

tensorc_status *tensorc_save_file(const char *path, const char *const *names,
                                  tensorc_tensor *const *tensors,
                                  int32_t count) {
  Recorder r({}, "save");
  if (!textOf(r, "path", path) || !checkList(r, "tensors", count, tensors))
    return refusal(r);
  llvm::StringRef file = path;
  bool isNpy = file.ends_with(".npy"), isNpz = file.ends_with(".npz");
  if (!isNpy && !isNpz && !file.ends_with(".safetensors"))
    return refusal("save: the suffix of '" + file +
                   "' is not .npy, .npz or .safetensors");
  if (isNpy && count != 1)
    return refusal("save: an .npy has one tensor, not " + llvm::Twine(count) +
                   "; use .npz or .safetensors");
  if (!isNpy && !names && count > 0)
    return refusal("save: each tensor in '" + file + "' needs a name");
  if (!isNpy && !checkList(r, "names", count, names))
    return refusal(r);
  std::vector<files::NamedArray> arrays(count);
  llvm::StringSet<> seen;
  for (int32_t i = 0; i < count; ++i) {
    if (!tensors[i])
      return refusal("save: tensor " + llvm::Twine(i) + " is undefined");
    if (!isNpy && !textOf(r, "name", names[i]))
      return refusal(r);
    arrays[i].name = isNpy ? "" : names[i];
    if (!isNpy && !seen.insert(arrays[i].name).second)
      return refusal("save: '" + arrays[i].name + "' comes twice");
    if (auto *failed = readInto(arrays[i].array, tensors[i]))
      return failed;
  }
  llvm::Expected<std::string> bytes = isNpy ? files::formatNpy(arrays[0].array)
                                      : isNpz
                                          ? files::formatNpz(arrays)
                                          : files::formatSafetensors(arrays);
  if (!bytes)
    return refusal("save: " + llvm::toString(bytes.takeError()));
  if (llvm::Error error = files::writeFile(path, *bytes))
    return refusal("save: " + llvm::toString(std::move(error)));
  return nullptr;
}
