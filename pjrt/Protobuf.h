//===- Protobuf.h - Writing protocol buffers ------------------------------===//
#ifndef TENSORC_PJRT_PROTOBUF_H
#define TENSORC_PJRT_PROTOBUF_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tensorc::pjrt {

inline void addVarint(std::string &bytes, uint64_t value) {
  for (; value > 127; value >>= 7)
    bytes += static_cast<char>(128 | (value & 127));
  bytes += static_cast<char>(value);
}

/// Adds a field with a number below 16 that holds a message, a string or packed
/// integers.
inline void addField(std::string &bytes, unsigned number,
                     std::string_view payload) {
  bytes += static_cast<char>(number << 3 | 2);
  addVarint(bytes, payload.size());
  bytes += payload;
}

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_PROTOBUF_H
