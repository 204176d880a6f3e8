//===- FuzzArrays.cpp - Any bytes for the readers of arrays' files --------===//
//
// Input that begins like one of the kinds of file is read as it is. Any
// other input is the content of an .npy, which is wrapped into a valid frame
// and that into an archive with a checksum that fits, so that the readers look
// further. What is read must survive being written and read again.
//
//===----------------------------------------------------------------------===//
#include "compiler/frontends/files/Gguf.h"
#include "compiler/frontends/files/Npy.h"
#include "compiler/frontends/files/Safetensors.h"

#include "llvm/ADT/StringExtras.h"

#include <zlib.h>

using namespace llvm;
using namespace tensorc::files;

static void checkArray(const Array &array) {
  Expected<Array> again = parseNpy(formatNpy(array));
  if (!again || again->dtype != array.dtype || again->shape != array.shape ||
      again->bytes != array.bytes)
    __builtin_trap();
}

static void readNpy(StringRef bytes) {
  Expected<Array> array = parseNpy(bytes);
  array ? checkArray(*array) : consumeError(array.takeError());
}

using Arrays = Expected<std::vector<NamedArray>>;

static void checkAll(Arrays arrays) {
  if (!arrays)
    return consumeError(arrays.takeError());
  for (const NamedArray &named : *arrays)
    checkArray(named.array);
}

static void readNpz(StringRef bytes) { checkAll(parseNpz(bytes)); }

static void append(std::string &out, uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i)
    out += static_cast<char>(i < sizeof value ? value >> 8 * i : 0);
}

/// A header up to the first newline, elements behind it.
static std::string npyOf(StringRef content) {
  auto [header, elements] = content.split('\n');
  std::string file = "\x93NUMPY\x03";
  append(file, 0, 1);
  append(file, header.size(), 4);
  return file + header.str() + elements.str();
}

/// An archive of one member; `packed` is what method 8 (deflate) unpacks.
static std::string npzOf(StringRef packed, StringRef content, unsigned method) {
  std::string sizes, file = "PK\3\4";
  append(sizes,
         crc32_z(0, reinterpret_cast<const Bytef *>(content.data()),
                 content.size()),
         4);
  append(sizes, packed.size(), 4);
  append(sizes, content.size(), 4);
  std::string head;
  append(head, 20, 2);
  append(head, 0, 2);
  append(head, method, 2);
  append(head, 0, 4);
  head += sizes;
  append(head, 5, 2); // the name's length
  append(head, 0, 2);
  file += head + "a.npy" + packed.str();
  size_t directory = file.size();
  file += "PK\1\2";
  append(file, 20, 2);
  file += head;
  file.append(14, '\0'); // comment, disk, attributes, offset
  file += "a.npy";
  size_t end = file.size();
  file += "PK\5\6";
  append(file, 0, 4);
  append(file, 1, 2);
  append(file, 1, 2);
  append(file, end - directory, 4);
  append(file, directory, 4);
  append(file, 0, 2);
  return file;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef bytes(reinterpret_cast<const char *>(data), size);
  if (bytes.starts_with("PK"))
    return readNpz(bytes), 0;
  if (bytes.starts_with("\x93NUMPY"))
    return readNpy(bytes), 0;
  if (isGguf(bytes))
    return checkAll(parseGguf(bytes)), 0;
  if (isSafetensors(bytes))
    return checkAll(parseSafetensors(bytes)), 0;
  std::string npy = npyOf(bytes);
  readNpy(npy);
  readNpz(npzOf(npy, npy, 0));
  readNpz(npzOf(bytes, npy, Z_DEFLATED));
  return 0;
}
