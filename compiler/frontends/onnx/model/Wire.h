//===- Wire.h - Protobuf's encoding, read without copying -----------------===//
//
// A message is a list of fields. A field is a number and a value: an integer, 4
// or 8 bytes, or a run of bytes, which is a string, a message or a packed list.
// Runs of bytes point into the file, which is mapped and never copied: large
// weights cost nothing until they are used (docs/design/0036-importers.md).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_ONNX_MODEL_WIRE_H
#define TENSORC_COMPILER_FRONTENDS_ONNX_MODEL_WIRE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace tensorc::onnx {

struct Field {
  enum Kind : uint8_t { Integer = 0, Eight = 1, Bytes = 2, Four = 5 };
  uint32_t number = 0;
  Kind kind = Integer;
  /// The value of a field whose kind is not Bytes.
  uint64_t bits = 0;
  llvm::StringRef bytes;
};

/// Iterates over the fields of a message.
class Wire {
public:
  explicit Wire(llvm::StringRef bytes) : rest(bytes) {}

  /// Reads the next field. Returns false at the end of the message, or if the
  /// bytes are invalid; isBroken() distinguishes the two.
  bool next(Field &field);
  bool isBroken() const { return broken; }

  /// Consumes a base-128 number (varint) at the beginning of the bytes.
  static std::optional<uint64_t> takeNumber(llvm::StringRef &bytes);

private:
  llvm::StringRef rest;
  bool broken = false;

  bool fail() { return broken = true, false; }
};

/// Appends the field's number, or its packed numbers, to the list. Returns
/// false if they are invalid.
template <typename T> bool addNumbers(const Field &field, std::vector<T> &list);

} // namespace tensorc::onnx

#endif // TENSORC_COMPILER_FRONTENDS_ONNX_MODEL_WIRE_H
