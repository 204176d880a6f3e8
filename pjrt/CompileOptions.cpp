//===- CompileOptions.cpp - Options of a compilation ----------------------===//
//
// The options are a protocol buffer: a field is a varint with its number and
// kind, followed by a varint, 4 or 8 bytes, or a length and that many bytes.
//
//===----------------------------------------------------------------------===//

#include "pjrt/CompileOptions.h"
#include "pjrt/Protobuf.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace tensorc::pjrt {

namespace {
struct Field {
  uint64_t number;
  uint64_t value = 0;     // value of a varint
  std::string_view bytes; // payload of a field with a length
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : bytes(bytes) {}

  bool isAtEnd() const { return bytes.empty(); }

  std::optional<uint64_t> varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
      auto byte = static_cast<uint8_t>(bytes.front());
      bytes.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 127) << shift;
      if (byte < 128)
        return value;
    }
    return std::nullopt;
  }

  std::optional<Field> field() {
    std::optional<uint64_t> key = varint();
    if (!key)
      return std::nullopt;
    Field field{*key >> 3, 0, {}};
    switch (*key & 7) {
    case 0:
      if (auto value = varint())
        field.value = *value;
      else
        return std::nullopt;
      return field;
    case 1:
      return skip(8) ? std::optional(field) : std::nullopt;
    case 2: {
      std::optional<uint64_t> size = varint();
      if (!size || *size > bytes.size())
        return std::nullopt;
      field.bytes = bytes.substr(0, *size);
      bytes.remove_prefix(*size);
      return field;
    }
    case 5:
      return skip(4) ? std::optional(field) : std::nullopt;
    default:
      return std::nullopt;
    }
  }

private:
  bool skip(size_t size) {
    if (size > bytes.size())
      return false;
    bytes.remove_prefix(size);
    return true;
  }

  std::string_view bytes;
};
} // namespace

/// Calls `take` on each field of a message.
template <class Take>
static bool readMessage(std::string_view bytes, Take take) {
  Reader reader(bytes);
  while (!reader.isAtEnd()) {
    std::optional<Field> field = reader.field();
    if (!field || !take(*field))
      return false;
  }
  return true;
}

/// Repeated integers are encoded as one packed field or as several fields.
static bool addNumbers(const Field &field, std::vector<int64_t> &numbers) {
  if (field.bytes.empty()) {
    numbers.push_back(static_cast<int64_t>(field.value));
    return true;
  }
  Reader packed(field.bytes);
  while (!packed.isAtEnd()) {
    std::optional<uint64_t> number = packed.varint();
    if (!number)
      return false;
    numbers.push_back(static_cast<int64_t>(*number));
  }
  return true;
}

static bool readAssignment(std::string_view bytes,
                           std::vector<int64_t> &devices) {
  return readMessage(bytes, [&](const Field &field) {
    if (field.number != 3)
      return true;
    return readMessage(field.bytes, [&](const Field &device) {
      return device.number != 1 || addNumbers(device, devices);
    });
  });
}

static bool readBuildOptions(std::string_view bytes, CompileOptions &options) {
  return readMessage(bytes, [&](const Field &field) {
    if (field.number == 4)
      options.replicas = static_cast<int64_t>(field.value);
    else if (field.number == 5)
      options.partitions = static_cast<int64_t>(field.value);
    else if (field.number == 9) {
      options.assignment = field.bytes;
      return readAssignment(field.bytes, options.devices);
    }
    return true;
  });
}

/// Reads an entry of the map from names to OptionOverrideProto.
static bool readOverride(std::string_view bytes, CompilerOption &option) {
  return readMessage(bytes, [&](const Field &field) {
    if (field.number == 1)
      option.name = field.bytes;
    return field.number != 2 ||
           readMessage(field.bytes, [&](const Field &value) {
             if (value.number == 1)
               option.text = value.bytes;
             else if (value.number == 3)
               option.text = std::to_string(static_cast<int64_t>(value.value));
             option.isBool = value.number == 2;
             return true;
           });
  });
}

std::string refusalOf(const CompilerOption &option) {
  if (option.name.rfind("xla_", 0) != 0)
    return "No such compile option: '" + option.name +
           "' (tensorc has none of its own; those of XLA have no effect)";
  // Options whose type is checked, because programs set them often.
  static constexpr std::string_view bools[] = {
      "xla_cpu_enable_fast_math", "xla_dump_hlo_as_proto",
      "xla_dump_hlo_as_text", "xla_embed_ir_in_executable"};
  if (std::find(std::begin(bools), std::end(bools), option.name) ==
          std::end(bools) ||
      option.isBool || option.text == "true" || option.text == "false")
    return "";
  return "While setting option " + option.name + ", '" + option.text +
         "' is not a valid bool value.";
}

bool readCompileOptions(std::string_view bytes, CompileOptions &options) {
  return readMessage(bytes, [&](const Field &field) {
    if (field.number == 7)
      return readOverride(field.bytes, options.overrides.emplace_back());
    return field.number != 3 || readBuildOptions(field.bytes, options);
  });
}

std::string assignmentOf(const std::vector<int64_t> &devices,
                         bool areReplicas) {
  const size_t replicas = areReplicas ? devices.size() : 1;
  const size_t computations = devices.size() / replicas;
  std::string bytes = "\x08";
  addVarint(bytes, replicas);
  bytes += '\x10';
  addVarint(bytes, computations);
  for (size_t i = 0; i < computations; ++i) {
    std::string ids; // device ids of the replicas
    for (size_t j = 0; j < replicas; ++j)
      addVarint(ids, static_cast<uint64_t>(devices[i * replicas + j]));
    std::string computation;
    addField(computation, 1, ids);
    addField(bytes, 3, computation);
  }
  return bytes;
}

} // namespace tensorc::pjrt
