//===- Safetensors.cpp - Tensors in Hugging Face's files ------------------===//
//
// A file consists of 8 bytes with the size of the header, the header as JSON,
// and the elements. The header maps names to a dtype, a shape, and the begin
// and end of the elements; `__metadata__` contains texts.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/files/Safetensors.h"
#include "compiler/frontends/files/InputFile.h"
#include "compiler/frontends/files/Json.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tensorc::files {

/// Maximum size of the header, as in the reference implementation.
static constexpr uint64_t maxHeader = 100'000'000;

static constexpr std::pair<StringLiteral, DType> dtypes[] = {
    {"BOOL", DType::I1},
    {"U8", DType::UI8},
    {"I8", DType::I8},
    {"I16", DType::I16},
    {"U16", DType::UI16},
    {"F16", DType::F16},
    {"BF16", DType::BF16},
    {"I32", DType::I32},
    {"U32", DType::UI32},
    {"F32", DType::F32},
    {"F64", DType::F64},
    {"I64", DType::I64},
    {"U64", DType::UI64},
    {"F8_E5M2", DType::F8E5M2},
    {"F8_E4M3", DType::F8E4M3FN},
    {"C64", DType::C64}};

bool isSafetensors(StringRef bytes) {
  return bytes.size() >= 10 && bytes[8] == '{' &&
         support::endian::read64le(bytes.data()) <= bytes.size() - 8;
}

static Expected<SafetensorsEntry>
parseEntry(StringRef name, const json::Object &entry, StringRef elements) {
  std::optional<StringRef> text = entry.getString("dtype");
  const json::Array *shape = entry.getArray("shape");
  const json::Array *offsets = entry.getArray("data_offsets");
  if (!text || !shape || !offsets || offsets->size() != 2)
    return fail("needs a dtype, a shape and two data_offsets");
  const auto *dtype =
      find_if(dtypes, [&](const auto &each) { return each.first == *text; });
  if (dtype == std::end(dtypes))
    return fail("unsupported dtype '" + *text + "'");
  SmallVector<int64_t> dims;
  int64_t bytes = tx::byteWidth(dtype->second);
  for (const json::Value &value : *shape) {
    std::optional<int64_t> dim = value.getAsInteger();
    if (!dim || *dim < 0)
      return fail("a size of the shape is not a number");
    dims.push_back(*dim);
    if (MulOverflow(bytes, *dim, bytes))
      return fail("shape overflows");
  }
  std::optional<uint64_t> begin = (*offsets)[0].getAsUINT64(),
                          end = (*offsets)[1].getAsUINT64();
  if (!begin || !end || *begin > *end || *end > elements.size())
    return fail("data_offsets are not within the " + Twine(elements.size()) +
                " bytes of elements");
  if (*end - *begin != static_cast<uint64_t>(bytes))
    return fail("has " + Twine(*end - *begin) +
                " bytes of elements, but its shape needs " + Twine(bytes));
  return SafetensorsEntry{name.str(), dtype->second, dims,
                          elements.slice(*begin, *end)};
}

/// Checks that the elements follow each other without gaps.
static Error checkRanges(ArrayRef<SafetensorsEntry> entries,
                         StringRef elements) {
  std::vector<StringRef> ranges;
  for (const SafetensorsEntry &entry : entries)
    ranges.push_back(entry.elements);
  sort(ranges, [](StringRef a, StringRef b) {
    return std::pair(a.begin(), a.end()) < std::pair(b.begin(), b.end());
  });
  const char *end = elements.begin();
  for (StringRef range : ranges) {
    if (range.begin() != end)
      return fail(range.begin() < end ? "tensors lie over each other"
                                      : "there are bytes that no tensor has");
    end = range.end();
  }
  if (end != elements.end())
    return fail("there are bytes that no tensor has");
  return Error::success();
}

Expected<std::vector<SafetensorsEntry>>
parseSafetensorsHeader(StringRef bytes) {
  if (bytes.size() < 8)
    return fail("truncated header");
  uint64_t size = support::endian::read64le(bytes.data());
  if (size > maxHeader)
    return fail("the header's size of " + Twine(size) + " bytes is above " +
                Twine(maxHeader));
  if (size > bytes.size() - 8)
    return fail("truncated header");
  StringRef text = bytes.substr(8, size), elements = bytes.substr(8 + size);
  Expected<json::Value> header = parseJson(text);
  if (!header)
    return fail("malformed header: " + toString(header.takeError()));
  const json::Object *entries = header->getAsObject();
  if (!entries)
    return fail("the header is not an object");
  if (entries->size() != countKeys(text))
    return fail("a name comes twice");
  std::vector<SafetensorsEntry> found;
  for (const auto &[key, value] : *entries) {
    if (key == "__metadata__")
      continue;
    StringRef name = key;
    const json::Object *object = value.getAsObject();
    if (!object)
      return fail("'" + name + "' is not an object");
    Expected<SafetensorsEntry> entry = parseEntry(name, *object, elements);
    if (!entry)
      return fail("'" + name + "': " + toString(entry.takeError()));
    found.push_back(std::move(*entry));
  }
  if (Error error = checkRanges(found, elements))
    return std::move(error);
  sort(found, [](const SafetensorsEntry &a, const SafetensorsEntry &b) {
    return a.name < b.name;
  });
  return found;
}

Expected<std::vector<NamedArray>> parseSafetensors(StringRef bytes,
                                                   Wanted wanted) {
  Expected<std::vector<SafetensorsEntry>> entries =
      parseSafetensorsHeader(bytes);
  if (!entries)
    return entries.takeError();
  std::vector<NamedArray> arrays;
  for (const SafetensorsEntry &entry : *entries) {
    if (entries->size() > 1 && !wanted(entry.name))
      continue;
    std::optional<Array> array = Array::create(entry.dtype, entry.shape);
    if (!array)
      return fail("'" + entry.name + "': shape overflows");
    copy(entry.elements, array->bytes.begin());
    if (array->dtype == DType::I1)
      for (uint8_t &byte : array->bytes)
        byte = byte != 0;
    arrays.push_back({entry.name, std::move(*array)});
  }
  return arrays;
}

Expected<std::string> formatSafetensors(ArrayRef<NamedArray> arrays) {
  json::Object header;
  std::string elements;
  for (const NamedArray &each : arrays) {
    const auto *dtype = find_if(dtypes, [&](const auto &entry) {
      return entry.second == each.array.dtype;
    });
    if (dtype == std::end(dtypes))
      return fail("'" + Twine(each.name) + "': the format has no " +
                  tx::dtypeName(each.array.dtype));
    if (each.name == "__metadata__")
      return fail("'__metadata__' is not a name of a tensor");
    size_t begin = elements.size();
    elements.append(each.array.bytes.begin(), each.array.bytes.end());
    json::Object entry{{"dtype", dtype->first},
                       {"shape", json::Array(each.array.shape)},
                       {"data_offsets",
                        json::Array{int64_t(begin), int64_t(elements.size())}}};
    if (!header.try_emplace(each.name, std::move(entry)).second)
      return fail("'" + Twine(each.name) + "' comes twice");
  }
  std::string text;
  raw_string_ostream(text) << json::Value(std::move(header));
  text.resize(alignTo(text.size(), 8), ' '); // elements are aligned
  std::string file(8, '\0');
  support::endian::write64le(file.data(), text.size());
  return file + text + elements;
}

} // namespace tensorc::files
