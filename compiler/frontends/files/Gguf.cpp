//===- Gguf.cpp - Tensors in the files of llama.cpp -----------------------===//
//
// The file begins with a header of little-endian numbers and strings: the
// numbers of tensors and of metadata entries, the metadata, and the tensors'
// names, sizes, kinds and offsets. Elements are aligned. A quantized tensor
// consists of blocks of 32 or 256 elements along the innermost dim, each with
// its own scales.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/files/Gguf.h"
#include "compiler/frontends/files/InputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace llvm::support;

namespace tensorc::files {

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Returns the f16 at `bytes` as a float.
static float halfAt(const uint8_t *bytes) {
  uint16_t bits = endian::read16le(bytes);
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  float value = exponent == 0 ? std::ldexp(float(mantissa), -24)
                : exponent < 31
                    ? std::ldexp(float(mantissa + 1024), exponent - 25)
                : mantissa ? NAN
                           : INFINITY;
  return bits >> 15 ? -value : value;
}

static void readQ8Zero(const uint8_t *block, float *out) {
  float scale = halfAt(block);
  for (int i = 0; i < 32; ++i)
    out[i] = scale * static_cast<int8_t>(block[2 + i]);
}

/// The low nibbles hold the first half of a block's elements, the high nibbles
/// the second half.
static void readQ4Zero(const uint8_t *block, float *out) {
  float scale = halfAt(block);
  for (int i = 0; i < 16; ++i) {
    out[i] = scale * ((block[2 + i] & 15) - 8);
    out[i + 16] = scale * ((block[2 + i] >> 4) - 8);
  }
}

/// Returns the scale and the minimum, of 6 bits each, for part j of the 8 parts
/// of a block.
static std::pair<int, int> scaleOfQ4K(const uint8_t *packed, int j) {
  if (j < 4)
    return {packed[j] & 63, packed[j + 4] & 63};
  return {(packed[j + 4] & 15) | (packed[j - 4] >> 6) << 4,
          packed[j + 4] >> 4 | (packed[j] >> 6) << 4};
}

static void readQ4K(const uint8_t *block, float *out) {
  float scale = halfAt(block), least = halfAt(block + 2);
  const uint8_t *scales = block + 4, *nibbles = block + 16;
  for (int part = 0; part < 8; ++part) {
    auto [factor, offset] = scaleOfQ4K(scales, part);
    float d = scale * factor, m = least * offset;
    for (int i = 0; i < 32; ++i) {
      uint8_t byte = nibbles[part / 2 * 32 + i];
      *out++ = d * (part % 2 ? byte >> 4 : byte & 15) - m;
    }
  }
}

static void readQ6K(const uint8_t *block, float *out) {
  const uint8_t *low = block, *high = block + 128, *scales = block + 192;
  float scale = halfAt(block + 208);
  for (int half = 0; half < 2; ++half)
    for (int quarter = 0; quarter < 4; ++quarter)
      for (int i = 0; i < 32; ++i) {
        uint8_t byte = low[half * 64 + quarter % 2 * 32 + i];
        int bits = quarter < 2 ? byte & 15 : byte >> 4;
        bits |= (high[half * 32 + i] >> 2 * quarter & 3) << 4;
        int group = half * 8 + quarter * 2 + i / 16;
        *out++ = scale * static_cast<int8_t>(scales[group]) * (bits - 32);
      }
}

namespace {
struct Kind {
  uint32_t number;
  StringLiteral name;
  int64_t blockElements, blockBytes;
  /// The dtype of elements that are stored without quantization; None for other
  /// kinds.
  DType dtype;
  void (*read)(const uint8_t *block, float *out);
};
} // namespace

/// The known kinds; `number` is ggml's type code. Elements of a kind that has
/// neither a dtype nor a reader cannot be read.
static constexpr Kind kinds[] = {
    {0, "F32", 1, 4, DType::F32, nullptr},
    {1, "F16", 1, 2, DType::F16, nullptr},
    {2, "Q4_0", 32, 18, DType::None, readQ4Zero},
    {3, "Q4_1", 32, 20, DType::None, nullptr},
    {6, "Q5_0", 32, 22, DType::None, nullptr},
    {7, "Q5_1", 32, 24, DType::None, nullptr},
    {8, "Q8_0", 32, 34, DType::None, readQ8Zero},
    {10, "Q2_K", 256, 84, DType::None, nullptr},
    {11, "Q3_K", 256, 110, DType::None, nullptr},
    {12, "Q4_K", 256, 144, DType::None, readQ4K},
    {13, "Q5_K", 256, 176, DType::None, nullptr},
    {14, "Q6_K", 256, 210, DType::None, readQ6K},
    {24, "I8", 1, 1, DType::I8, nullptr},
    {25, "I16", 1, 2, DType::I16, nullptr},
    {26, "I32", 1, 4, DType::I32, nullptr},
    {27, "I64", 1, 8, DType::I64, nullptr},
    {28, "F64", 1, 8, DType::F64, nullptr},
    {30, "BF16", 1, 2, DType::BF16, nullptr},
};

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

namespace {
class Reader {
public:
  explicit Reader(StringRef bytes) : all(bytes), rest(bytes) {}

  /// Reads a number. Beyond the end of the bytes it is 0, and `isGood` becomes
  /// false.
  template <typename T> T number() {
    if (rest.size() < sizeof(T))
      return isGood = false, T();
    T value;
    std::memcpy(&value, rest.data(), sizeof(T)); // hosts are little-endian
    rest = rest.drop_front(sizeof(T));
    return value;
  }
  StringRef text() {
    auto size = number<uint64_t>();
    if (size > rest.size())
      return isGood = false, StringRef();
    StringRef text = rest.take_front(size);
    rest = rest.drop_front(size);
    return text;
  }
  size_t position() const { return all.size() - rest.size(); }
  size_t left() const { return rest.size(); }

  bool isGood = true;
  StringRef all, rest;
};

enum ValueType : uint32_t {
  UInt8,
  Int8,
  UInt16,
  Int16,
  UInt32,
  Int32,
  Float32,
  Bool,
  String,
  List,
  UInt64,
  Int64,
  Float64,
};
} // namespace

static std::string numberText(double value) {
  std::string text;
  raw_string_ostream(text) << format("%.9g", value);
  return text;
}

/// Reads a value as text; returns false for a value of an unknown type.
static bool readValue(Reader &reader, uint32_t type, std::string &text,
                      bool inList = false) {
  switch (type) {
  case UInt8:
    text = std::to_string(reader.number<uint8_t>());
    return true;
  case Int8:
    text = std::to_string(reader.number<int8_t>());
    return true;
  case UInt16:
    text = std::to_string(reader.number<uint16_t>());
    return true;
  case Int16:
    text = std::to_string(reader.number<int16_t>());
    return true;
  case UInt32:
    text = std::to_string(reader.number<uint32_t>());
    return true;
  case Int32:
    text = std::to_string(reader.number<int32_t>());
    return true;
  case Float32:
    text = numberText(reader.number<float>());
    return true;
  case Bool:
    text = reader.number<uint8_t>() ? "true" : "false";
    return true;
  case String:
    text = reader.text().str();
    return true;
  case UInt64:
    text = std::to_string(reader.number<uint64_t>());
    return true;
  case Int64:
    text = std::to_string(reader.number<int64_t>());
    return true;
  case Float64:
    text = numberText(reader.number<double>());
    return true;
  case List: {
    if (inList) // elements of lists are skipped
      return false;
    auto element = reader.number<uint32_t>();
    auto count = reader.number<uint64_t>();
    if (count > reader.left()) // an element has at least one byte
      return reader.isGood = false, true;
    std::string ignored;
    for (uint64_t i = 0; i < count && reader.isGood; ++i)
      if (!readValue(reader, element, ignored, /*inList=*/true))
        return false;
    text = "[" + std::to_string(count) + " values]";
    return true;
  }
  default:
    return false;
  }
}

bool isGguf(StringRef bytes) { return bytes.starts_with("GGUF"); }

static Error readFacts(Reader &reader, uint64_t count, GgufFile &file,
                       uint64_t &alignment) {
  for (uint64_t i = 0; i < count; ++i) {
    std::string key = reader.text().str(), value;
    auto type = reader.number<uint32_t>();
    if (!reader.isGood)
      return fail("truncated header");
    if (!readValue(reader, type, value))
      return fail("'" + key + "' has a value of an unknown type");
    if (!reader.isGood)
      return fail("truncated header");
    if (key == "general.alignment" &&
        (StringRef(value).getAsInteger(10, alignment) ||
         !isPowerOf2_64(alignment) || alignment > (1 << 20)))
      return fail("an alignment of " + value + " is not possible");
    file.facts.emplace_back(std::move(key), std::move(value));
  }
  return Error::success();
}

namespace {
struct Place {
  uint64_t offset, bytes;
};
} // namespace

static Expected<Place> readPlace(Reader &reader, GgufTensor &tensor) {
  constexpr uint32_t maxDims = 8;
  auto count = reader.number<uint32_t>();
  if (count > maxDims)
    return fail("has " + Twine(count) + " dims");
  int64_t elements = 1;
  for (uint32_t i = 0; i < count; ++i) {
    auto size = reader.number<uint64_t>();
    if (size > INT64_MAX ||
        MulOverflow(elements, static_cast<int64_t>(size), elements))
      return fail("shape overflows");
    tensor.shape.insert(tensor.shape.begin(), static_cast<int64_t>(size));
  }
  auto number = reader.number<uint32_t>();
  auto offset = reader.number<uint64_t>();
  if (!reader.isGood)
    return fail("truncated header");
  const auto *kind =
      find_if(kinds, [&](const Kind &each) { return each.number == number; });
  if (kind == std::end(kinds))
    return fail("has the unknown kind " + Twine(number));
  tensor.kind = kind->name.str();
  int64_t inner = tensor.shape.empty() ? 1 : tensor.shape.back(), bytes;
  if (inner % kind->blockElements)
    return fail("has rows of " + Twine(inner) + " elements in blocks of " +
                Twine(kind->blockElements));
  if (MulOverflow(elements / kind->blockElements, kind->blockBytes, bytes))
    return fail("shape overflows");
  return Place{offset, static_cast<uint64_t>(bytes)};
}

/// Reports an error if tensors overlap.
static Error checkOverlaps(ArrayRef<GgufTensor> tensors) {
  std::vector<StringRef> ranges;
  for (const GgufTensor &tensor : tensors)
    if (!tensor.elements.empty())
      ranges.push_back(tensor.elements);
  sort(ranges, [](StringRef a, StringRef b) { return a.data() < b.data(); });
  for (size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i - 1].end() > ranges[i].begin())
      return fail("tensors lie over each other");
  return Error::success();
}

Expected<GgufFile> parseGgufHeader(StringRef bytes) {
  Reader reader(bytes);
  reader.number<uint32_t>();
  GgufFile file;
  file.version = reader.number<uint32_t>();
  if (!isGguf(bytes) || (file.version != 2 && file.version != 3))
    return fail("is not a GGUF of version 2 or 3");
  auto tensors = reader.number<uint64_t>(), facts = reader.number<uint64_t>();
  // Minimum size of an entry in bytes, which bounds the number of entries.
  constexpr uint64_t leastBytes = 13;
  if (!reader.isGood || tensors > reader.left() / leastBytes ||
      facts > reader.left() / leastBytes)
    return fail("truncated header");
  uint64_t alignment = 32;
  if (Error error = readFacts(reader, facts, file, alignment))
    return std::move(error);
  StringSet<> names;
  std::vector<Place> places;
  for (uint64_t i = 0; i < tensors; ++i) {
    GgufTensor tensor;
    tensor.name = reader.text().str();
    if (!reader.isGood)
      return fail("truncated header");
    Expected<Place> place = readPlace(reader, tensor);
    if (!place)
      return fail("'" + tensor.name + "': " + toString(place.takeError()));
    if (!names.insert(tensor.name).second)
      return fail("'" + tensor.name + "' comes twice");
    places.push_back(*place);
    file.tensors.push_back(std::move(tensor));
  }
  uint64_t begin = alignTo(reader.position(), alignment);
  StringRef elements =
      tensors && begin <= bytes.size() ? bytes.drop_front(begin) : "";
  for (auto [tensor, place] : zip(file.tensors, places)) {
    if (place.offset % alignment || place.offset > elements.size() ||
        place.bytes > elements.size() - place.offset)
      return fail("'" + tensor.name + "' lies outside of the file's " +
                  Twine(elements.size()) + " bytes of elements");
    tensor.elements = elements.substr(place.offset, place.bytes);
  }
  if (Error error = checkOverlaps(file.tensors))
    return std::move(error);
  return file;
}

Expected<std::vector<NamedArray>> parseGguf(StringRef bytes, Wanted wanted) {
  Expected<GgufFile> file = parseGgufHeader(bytes);
  if (!file)
    return file.takeError();
  std::vector<NamedArray> arrays;
  for (const GgufTensor &tensor : file->tensors) {
    if (file->tensors.size() > 1 && !wanted(tensor.name))
      continue;
    const Kind &kind = *find_if(
        kinds, [&](const Kind &each) { return each.name == tensor.kind; });
    if (kind.dtype == DType::None && !kind.read)
      return fail("'" + tensor.name + "': the kind " + tensor.kind +
                  " is not available; F32, F16, BF16, Q8_0, Q4_0, Q4_K and "
                  "Q6_K are");
    DType dtype = kind.read ? DType::F32 : kind.dtype;
    std::optional<Array> array = Array::create(dtype, tensor.shape);
    if (!array)
      return fail("'" + tensor.name + "': shape overflows");
    const uint8_t *from = tensor.elements.bytes_begin();
    if (!kind.read) {
      copy(tensor.elements, array->bytes.begin());
    } else {
      auto *to = reinterpret_cast<float *>(array->bytes.data());
      for (; from != tensor.elements.bytes_end();
           from += kind.blockBytes, to += kind.blockElements)
        kind.read(from, to);
    }
    arrays.push_back({tensor.name, std::move(*array)});
  }
  sort(arrays, [](const NamedArray &a, const NamedArray &b) {
    return a.name < b.name;
  });
  return arrays;
}

} // namespace tensorc::files
