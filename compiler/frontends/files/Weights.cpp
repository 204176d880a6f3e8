//===- Weights.cpp - Files of tensors in any supported format -------------===//

#include "compiler/frontends/files/Weights.h"

#include "compiler/frontends/files/Gguf.h"
#include "compiler/frontends/files/InputFile.h"
#include "compiler/frontends/files/Json.h"
#include "compiler/frontends/files/Safetensors.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tensorc::files {

static Error locate(StringRef path, Error error) {
  return fail(path + ": " + toString(std::move(error)));
}

static Expected<std::unique_ptr<MemoryBuffer>> open(StringRef path) {
  if (Error error = checkInputFile(path))
    return std::move(error);
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(path + ": " + buffer.getError().message());
  return std::move(*buffer);
}

bool isIndex(StringRef path) { return path.ends_with(".index.json"); }

namespace {
struct Index {
  StringMap<std::string> fileOf; // file of each tensor
  std::vector<std::string> files;
};
} // namespace

/// Reads an index. All files that it names must be in its folder; otherwise an
/// index could name any file.
static Expected<Index> readIndex(StringRef path) {
  auto buffer = open(path);
  if (!buffer)
    return buffer.takeError();
  StringRef text = (*buffer)->getBuffer();
  Expected<json::Value> value = parseJson(text);
  if (!value)
    return locate(path, value.takeError());
  const json::Object *map = value->getAsObject();
  map = map ? map->getObject("weight_map") : nullptr;
  if (!map)
    return fail(path + ": has no weight_map");
  Index index;
  StringSet<> seen;
  for (const auto &[name, file] : *map) {
    std::optional<StringRef> text = file.getAsString();
    if (!text || text->empty() || *text == "." || *text == ".." ||
        text->contains('/') || text->contains('\\') || text->contains('\0') ||
        isIndex(*text))
      return fail(path + ": '" + StringRef(name) +
                  "' is in no file beside the index");
    index.fileOf[StringRef(name)] = text->str();
    if (seen.insert(*text).second)
      index.files.push_back(text->str());
  }
  sort(index.files);
  return index;
}

static std::string beside(StringRef path, StringRef file) {
  SmallString<256> result(sys::path::parent_path(path));
  sys::path::append(result, file);
  return result.str().str();
}

/// Checks that the tensor is in the file that the index names.
static Error checkPlace(StringRef path, const Index &index, StringRef file,
                        StringRef name) {
  auto place = index.fileOf.find(name);
  if (place != index.fileOf.end() && place->second == file)
    return Error::success();
  return fail(path + ": does not say that '" + name + "' is in " + file);
}

static Error checkCount(StringRef path, const Index &index, size_t found) {
  if (index.fileOf.size() == found)
    return Error::success();
  return fail(path + ": names " + Twine(index.fileOf.size()) +
              " tensors, of which the files have " + Twine(found));
}

static Expected<FileFacts> listIndexed(StringRef path) {
  Expected<Index> index = readIndex(path);
  if (!index)
    return index.takeError();
  FileFacts all{
      "an index of " + std::to_string(index->files.size()) + " files", {}, {}};
  for (const std::string &file : index->files) {
    auto listed = listTensors(beside(path, file));
    if (!listed)
      return listed.takeError();
    for (TensorFacts &tensor : listed->tensors) {
      if (Error error = checkPlace(path, *index, file, tensor.name))
        return std::move(error);
      all.tensors.push_back(std::move(tensor));
    }
  }
  if (Error error = checkCount(path, *index, all.tensors.size()))
    return std::move(error);
  return all;
}

Expected<std::vector<NamedArray>> readIndexed(StringRef path, Wanted wanted) {
  // First checks the files' headers against the index.
  if (auto listed = listIndexed(path); !listed)
    return listed.takeError();
  Expected<Index> index = readIndex(path);
  if (!index)
    return index.takeError();
  auto isRead = [&](StringRef name) {
    return index->fileOf.size() == 1 || wanted(name);
  };
  std::vector<NamedArray> all;
  for (const std::string &file : index->files) {
    if (none_of(index->fileOf, [&](const auto &entry) {
          return entry.second == file && isRead(entry.first());
        }))
      continue;
    auto arrays = readArrays(beside(path, file), isRead);
    if (!arrays)
      return arrays.takeError();
    for (NamedArray &each : *arrays)
      if (isRead(each.name))
        all.push_back(std::move(each));
  }
  return all;
}

static TensorFacts factsOf(const NamedArray &each) {
  return {
      each.name, tx::dtypeName(each.array.dtype), each.array.shape,
      static_cast<uint64_t>(tx::bytesOf(each.array.dtype, each.array.size()))};
}

Expected<FileFacts> listTensors(StringRef path) {
  if (isIndex(path))
    return listIndexed(path);
  auto buffer = open(path);
  if (!buffer)
    return buffer.takeError();
  StringRef bytes = (*buffer)->getBuffer();
  if (isGguf(bytes)) {
    Expected<GgufFile> file = parseGgufHeader(bytes);
    if (!file)
      return locate(path, file.takeError());
    FileFacts facts{
        "GGUF " + std::to_string(file->version), std::move(file->facts), {}};
    for (const GgufTensor &tensor : file->tensors)
      facts.tensors.push_back(
          {tensor.name, tensor.kind, tensor.shape, tensor.elements.size()});
    return facts;
  }
  if (isSafetensors(bytes)) {
    auto entries = parseSafetensorsHeader(bytes);
    if (!entries)
      return locate(path, entries.takeError());
    FileFacts facts{"safetensors", {}, {}};
    for (const SafetensorsEntry &entry : *entries)
      facts.tensors.push_back({entry.name, tx::dtypeName(entry.dtype),
                               entry.shape, entry.elements.size()});
    return facts;
  }
  auto arrays = readArrays(path);
  if (!arrays)
    return arrays.takeError();
  FileFacts facts{bytes.starts_with("PK") ? "npz" : "npy", {}, {}};
  for (const NamedArray &each : *arrays)
    facts.tensors.push_back(factsOf(each));
  return facts;
}

} // namespace tensorc::files
