//===- Npz.cpp - Arrays in a zip archive ----------------------------------===//

#include "compiler/frontends/files/InputFile.h"
#include "compiler/frontends/files/Npy.h"

#include "llvm/Support/Endian.h"

#include <zlib.h>

using namespace llvm;
using namespace llvm::support::endian;

namespace tensorc::files {

/// Sizes of the fixed parts of zip's records.
static constexpr size_t endRecord = 22, centralRecord = 46, localRecord = 30;
/// Marks a 32-bit value whose actual value is in a zip64 record.
static constexpr uint32_t inZip64 = 0xffffffff;

namespace {
struct Member {
  StringRef name;
  uint16_t method;
  uint32_t crc, packedSize, size, offset;
};
} // namespace

/// Reads the central directory, which is at the end of the file, before a
/// comment.
static Expected<std::vector<Member>> readDirectory(StringRef file) {
  size_t end = file.rfind("PK\5\6");
  if (end == StringRef::npos || file.size() - end < endRecord)
    return fail("truncated .npz archive");
  const char *record = file.data() + end;
  unsigned count = read16le(record + 10);
  uint64_t at = read32le(record + 16);
  std::vector<Member> members;
  for (unsigned i = 0; i < count; ++i) {
    if (at + centralRecord > file.size() ||
        !file.substr(at).starts_with("PK\1\2"))
      return fail("malformed .npz archive");
    const char *m = file.data() + at;
    size_t name = read16le(m + 28);
    if (at + centralRecord + name > file.size())
      return fail("malformed .npz archive");
    members.push_back({file.substr(at + centralRecord, name), read16le(m + 10),
                       read32le(m + 16), read32le(m + 20), read32le(m + 24),
                       read32le(m + 42)});
    at += centralRecord + name + read16le(m + 30) + read16le(m + 32);
  }
  return members;
}

static bool inflateInto(StringRef packed, std::string &out) {
  z_stream stream = {};
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
  stream.avail_in = packed.size();
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = out.size();
  // A negative number means that there is no zlib header, as in zip files.
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return false;
  int status = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return status == Z_STREAM_END && stream.avail_out == 0;
}

static Expected<std::string> unpack(StringRef file, const Member &member) {
  if (member.size == inZip64 || member.packedSize == inZip64 ||
      member.offset == inZip64)
    return fail("members of 4 GB and more are not supported");
  uint64_t at = member.offset;
  if (at + localRecord > file.size() || !file.substr(at).starts_with("PK\3\4"))
    return fail("malformed .npz archive");
  at += localRecord + read16le(file.data() + at + 26) +
        read16le(file.data() + at + 28);
  if (at + member.packedSize > file.size())
    return fail("truncated .npz archive");
  StringRef packed = file.substr(at, member.packedSize);
  std::string bytes;
  if (member.method == 0) {
    bytes = packed.str();
  } else if (member.method == Z_DEFLATED) {
    // Deflate compresses at most by a factor of 1032. A header that claims more
    // could exhaust memory.
    if (member.size / 1040 > packed.size() + 1)
      return fail("malformed .npz archive");
    bytes.resize(member.size);
    if (!inflateInto(packed, bytes))
      return fail("corrupt deflated data");
  } else {
    return fail("compression method " + Twine(member.method) +
                " is not supported");
  }
  uLong sum =
      crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size());
  if (sum != member.crc)
    return fail("checksum differs");
  return bytes;
}

Expected<std::vector<NamedArray>> parseNpz(StringRef bytes, Wanted wanted) {
  Expected<std::vector<Member>> members = readDirectory(bytes);
  if (!members)
    return members.takeError();
  std::vector<NamedArray> arrays;
  for (const Member &member : *members) {
    StringRef name = member.name;
    StringRef plain = name;
    plain.consume_back(".npy");
    if (members->size() > 1 && !wanted(plain))
      continue;
    auto locate = [&](Error error) {
      return fail(name + ": " + toString(std::move(error)));
    };
    Expected<std::string> content = unpack(bytes, member);
    if (!content)
      return locate(content.takeError());
    Expected<Array> array = parseNpy(*content);
    if (!array)
      return locate(array.takeError());
    arrays.push_back({plain.str(), std::move(*array)});
  }
  return arrays;
}

static void append(std::string &out, uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i)
    out += static_cast<char>(value >> 8 * i);
}

/// Sizes and offsets have 32 bits, and counts have 16 bits. Larger ones need
/// the Zip64 extension, which the reader also refuses.
llvm::Expected<std::string> formatNpz(ArrayRef<NamedArray> arrays) {
  uint64_t bytes = 0;
  for (const NamedArray &each : arrays)
    bytes += each.array.bytes.size() + 2 * each.name.size() + 512; // records
  if (bytes >= UINT32_MAX || arrays.size() >= UINT16_MAX)
    return llvm::createStringError(
        "an .npz file holds less than 4 GB and 65535 arrays; .safetensors "
        "holds more");
  std::string file, directory;
  for (const NamedArray &each : arrays) {
    std::string content = formatNpy(each.array), name = each.name + ".npy";
    std::string head;          // common part of both records of a member
    append(head, 20, 2);       // version 2.0 reads it
    append(head, 1 << 11, 2);  // the name is UTF-8
    append(head, 0, 2);        // stored
    append(head, 0x210000, 4); // midnight, 1 January 1980
    append(head,
           crc32_z(0, reinterpret_cast<const Bytef *>(content.data()),
                   content.size()),
           4);
    append(head, content.size(), 4);
    append(head, content.size(), 4);
    append(head, name.size(), 2);
    append(head, 0, 2);
    directory += "PK\1\2";
    append(directory, 20, 2);
    directory += head;
    directory.append(10, '\0'); // comment, disk, attributes
    append(directory, file.size(), 4);
    directory += name;
    file += "PK\3\4" + head + name + content;
  }
  std::string end = "PK\5\6";
  append(end, 0, 4);
  append(end, arrays.size(), 2);
  append(end, arrays.size(), 2);
  append(end, directory.size(), 4);
  append(end, file.size(), 4);
  append(end, 0, 2);
  return file + directory + end;
}

} // namespace tensorc::files
