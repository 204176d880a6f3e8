//===- Npy.cpp - Arrays in NumPy's files ----------------------------------===//

#include "compiler/frontends/files/Npy.h"

#include "compiler/frontends/files/Gguf.h"
#include "compiler/frontends/files/InputFile.h"
#include "compiler/frontends/files/Safetensors.h"
#include "compiler/frontends/files/Weights.h"
#include "ir/text/Characters.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace tensorc::files {

static constexpr StringLiteral npyMagic("\x93NUMPY");
static constexpr StringLiteral dtypeNote("# dtype: ");

template <typename... Values>
static Error failFormatted(const char *format, Values... values) {
  std::string text =
      toString(createStringError(inconvertibleErrorCode(), format, values...));
  return createStringError(inconvertibleErrorCode(),
                           printable(text, /*isText=*/false));
}

//===----------------------------------------------------------------------===//
// The header: a Python dictionary
//===----------------------------------------------------------------------===//

namespace {
struct Header {
  std::string descr;
  bool fortranOrder = false;
  SmallVector<int64_t> shape;
};

/// Parses a header such as {'descr': '<f4', 'fortran_order': False, 'shape':
/// (2, 3), }.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  Expected<Header> parse() {
    Header header;
    unsigned seen = 0;
    if (!take('{'))
      return malformed();
    while (!take('}')) {
      std::optional<StringRef> key = string();
      if (!key || !take(':'))
        return malformed();
      bool ok = *key == "descr"           ? (seen |= 1, descr(header))
                : *key == "fortran_order" ? (seen |= 2, order(header))
                : *key == "shape"         ? (seen |= 4, shape(header))
                                          : false;
      if (!ok)
        return malformed();
      take(',');
    }
    if (seen != 7)
      return malformed();
    return header;
  }

private:
  StringRef rest;

  static Error malformed() { return failFormatted("malformed header"); }
  bool take(char c) {
    rest = rest.ltrim();
    return rest.consume_front(StringRef(&c, 1));
  }
  std::optional<StringRef> string() {
    rest = rest.ltrim();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
      return std::nullopt;
    size_t end = rest.find(rest[0], 1);
    if (end == StringRef::npos)
      return std::nullopt;
    StringRef text = rest.slice(1, end);
    rest = rest.substr(end + 1);
    return text;
  }
  bool descr(Header &header) {
    if (std::optional<StringRef> text = string())
      return header.descr = text->str(), true;
    // A list of fields (a structured dtype) is kept as text for the message.
    size_t end = rest.find(']');
    if (!rest.starts_with("[") || end == StringRef::npos)
      return false;
    header.descr = rest.take_front(end + 1).str();
    rest = rest.substr(end + 1);
    return true;
  }
  bool order(Header &header) {
    rest = rest.ltrim();
    header.fortranOrder = rest.consume_front("True");
    return header.fortranOrder || rest.consume_front("False");
  }
  bool shape(Header &header) {
    if (!take('('))
      return false;
    while (!take(')')) {
      uint64_t size;
      rest = rest.ltrim();
      if (rest.consumeInteger(10, size) || size > INT64_MAX)
        return false;
      rest.consume_front("L"); // suffix of long integers in Python 2
      header.shape.push_back(size);
      take(',');
    }
    return true;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Dtypes
//===----------------------------------------------------------------------===//

namespace {
struct DescrEntry {
  StringRef descr;
  DType dtype;
};
} // namespace

static constexpr DescrEntry descrs[] = {
    {"b1", DType::I1},
    {"i1", DType::I8},
    {"i2", DType::I16},
    {"i4", DType::I32},
    {"i8", DType::I64},
    {"u1", DType::UI8},
    {"u2", DType::UI16},
    {"u4", DType::UI32},
    {"u8", DType::UI64},
    {"f2", DType::F16},
    {"f4", DType::F32},
    {"f8", DType::F64},
    {"c8", DType::C64},
    {"c16", DType::C128},
    // ml_dtypes writes the bits of its dtypes as void types.
    {"V1", DType::UI8},
    {"V2", DType::UI16}};

static Expected<DType> dtypeOfDescr(StringRef descr) {
  auto *entry = find_if(descrs, [&](const DescrEntry &e) {
    return descr.size() > 1 && descr.substr(1) == e.descr;
  });
  if (entry == std::end(descrs))
    return failFormatted("unsupported dtype %s",
                         printable(descr, /*isText=*/false).c_str());
  return entry->dtype;
}

DType stored(DType dtype) {
  switch (dtype) {
  case DType::BF16:
    return DType::UI16;
  case DType::F8E4M3FN:
  case DType::F8E5M2:
  case DType::UI4:
    return DType::UI8;
  case DType::I4:
    return DType::I8;
  default:
    return dtype;
  }
}

static std::string descrOf(DType dtype) {
  auto *entry =
      find_if(descrs, [&](const DescrEntry &e) { return e.dtype == dtype; });
  return (reference::byteWidth(dtype) == 1 ? "|" : "<") + entry->descr.str();
}

Error reinterpret(Array &array, DType dtype) {
  array.dtype = dtype;
  if (!tx::isPacked(dtype))
    return Error::success();
  for (uint8_t byte : array.bytes) {
    auto value = static_cast<int8_t>(byte);
    if (dtype == DType::UI4 ? byte > 15 : value < -8 || value > 7)
      return failFormatted("%d is outside %s",
                           dtype == DType::UI4 ? byte : value,
                           dtypeName(dtype));
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// .npy
//===----------------------------------------------------------------------===//

/// Swaps the bytes of big-endian elements (`>f4`).
static void swapBytes(Array &array) {
  // The parts of a complex number are swapped separately.
  size_t width = reference::byteWidth(tx::planeOf(array.dtype));
  for (size_t i = 0; i < array.bytes.size(); i += width)
    std::reverse(array.bytes.begin() + i, array.bytes.begin() + i + width);
}

/// Copies elements of a file in Fortran order, in which the first dim varies
/// fastest.
static void copyFortranOrder(StringRef bytes, Array &array) {
  size_t width = reference::byteWidth(array.dtype);
  SmallVector<int64_t> index(array.shape.size()), strides;
  int64_t stride = static_cast<int64_t>(width);
  for (int64_t size : array.shape) {
    strides.push_back(stride);
    stride *= size;
  }
  int64_t from = 0;
  for (size_t to = 0; to < array.bytes.size(); to += width) {
    copy(bytes.substr(from, width), array.bytes.begin() + to);
    for (size_t d = index.size(); d-- > 0;) {
      from += strides[d];
      if (++index[d] < array.shape[d])
        break;
      from -= strides[d] * array.shape[d];
      index[d] = 0;
    }
  }
}

/// Consumes the header and returns its text. `bytes` then contains the
/// elements.
static Expected<StringRef> takeHeader(StringRef &bytes) {
  if (!bytes.consume_front(npyMagic))
    return failFormatted("not an .npy file");
  if (bytes.size() < 2)
    return failFormatted("truncated header");
  uint8_t major = bytes[0];
  bytes = bytes.substr(2);
  if (major < 1 || major > 3)
    return failFormatted("unsupported version %d of the .npy format", major);
  size_t width = major == 1 ? 2 : 4;
  if (bytes.size() < width)
    return failFormatted("truncated header");
  size_t length = major == 1 ? support::endian::read16le(bytes.data())
                             : support::endian::read32le(bytes.data());
  bytes = bytes.substr(width);
  if (bytes.size() < length)
    return failFormatted("truncated header");
  StringRef text = bytes.take_front(length);
  bytes = bytes.substr(length);
  return text;
}

Expected<Array> parseNpy(StringRef bytes) {
  Expected<StringRef> text = takeHeader(bytes);
  if (!text)
    return text.takeError();
  Expected<Header> header = HeaderParser(*text).parse();
  if (!header)
    return header.takeError();
  Expected<DType> dtype = dtypeOfDescr(header->descr);
  if (!dtype)
    return dtype.takeError();
  auto [dictionary, note] = text->split(dtypeNote);
  DType element = *dtype;
  for (unsigned i = 1; i < tx::numDTypes; ++i) {
    auto noted = static_cast<DType>(i);
    if (stored(noted) == *dtype && note.trim() == tx::dtypeName(noted))
      element = noted;
  }
  // Checks the size before allocating memory, because a header can claim any
  // size.
  int64_t expected = reference::byteWidth(*dtype);
  for (int64_t size : header->shape)
    if (MulOverflow(expected, size, expected))
      return failFormatted("shape overflows");
  int64_t given = bytes.size();
  if (given != expected)
    return failFormatted("%s: %lld bytes of elements, but its shape needs %lld",
                         given < expected ? "truncated" : "too long",
                         static_cast<long long>(given),
                         static_cast<long long>(expected));
  std::optional<Array> array = Array::create(*dtype, header->shape);
  if (!array)
    return failFormatted("shape overflows");
  if (header->fortranOrder)
    copyFortranOrder(bytes, *array);
  else
    copy(bytes, array->bytes.begin());
  if (header->descr[0] == '>')
    swapBytes(*array);
  if (*dtype == DType::I1)
    for (uint8_t &byte : array->bytes)
      byte = byte != 0;
  if (Error error = reinterpret(*array, element))
    return std::move(error);
  return std::move(*array);
}

std::string formatNpy(const Array &array) {
  std::string header = "{'descr': '" + descrOf(stored(array.dtype)) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.shape)
    header += std::to_string(size) + ", ";
  if (array.shape.size() > 1) // (3, ) must have the comma, (2, 3, ) need not
    header.resize(header.size() - 2);
  header += "), }";
  if (stored(array.dtype) != array.dtype)
    header += " " + dtypeNote.str() + dtypeName(array.dtype);
  // Pads the header, so that the elements begin at a multiple of 64 bytes.
  size_t prefix = npyMagic.size() + 4;
  header.resize(alignTo(prefix + header.size() + 1, 64) - prefix - 1, ' ');
  header += '\n';
  std::string file = npyMagic.str() + std::string("\x01\x00", 2);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  file.append(array.bytes.begin(), array.bytes.end());
  return file;
}

Expected<std::vector<NamedArray>> readArrays(StringRef path, Wanted wanted) {
  if (isIndex(path))
    return readIndexed(path, wanted);
  if (Error error = checkInputFile(path))
    return std::move(error);
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return failFormatted("%s: %s", path.str().c_str(),
                         buffer.getError().message().c_str());
  StringRef bytes = (*buffer)->getBuffer();
  auto locate = [&](Error error) {
    return failFormatted("%s: %s", path.str().c_str(),
                         toString(std::move(error)).c_str());
  };
  if (path.ends_with(".pt") || path.ends_with(".pth") ||
      path.ends_with(".bin") || path.ends_with(".ckpt"))
    return locate(
        failFormatted("is a file of PyTorch, which has code in it; "
                      "safetensors.torch.save_file writes its tensors"));
  if (bytes.starts_with("PK")) {
    Expected<std::vector<NamedArray>> arrays = parseNpz(bytes, wanted);
    return arrays ? std::move(arrays) : locate(arrays.takeError());
  }
  if (isGguf(bytes) || path.ends_with(".gguf")) {
    Expected<std::vector<NamedArray>> arrays = parseGguf(bytes, wanted);
    return arrays ? std::move(arrays) : locate(arrays.takeError());
  }
  if (path.ends_with(".safetensors") || isSafetensors(bytes)) {
    Expected<std::vector<NamedArray>> arrays = parseSafetensors(bytes, wanted);
    return arrays ? std::move(arrays) : locate(arrays.takeError());
  }
  if (!path.ends_with(".npy") && !bytes.starts_with(npyMagic))
    return locate(
        failFormatted("is none of .npy, .npz, .safetensors and .gguf"));
  Expected<Array> array = parseNpy(bytes);
  if (!array)
    return locate(array.takeError());
  std::vector<NamedArray> result;
  result.push_back({"", std::move(*array)});
  return result;
}

} // namespace tensorc::files
