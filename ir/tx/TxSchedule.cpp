//===- TxSchedule.cpp - Schedules of fusions ------------------------------===//

#include "ir/tx/Chains.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tensorc::tx {

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Returns the number of lanes as text, or `?` if it depends on a size that is
/// known only at run time.
static std::string laneText(int64_t lanes) {
  return ShapedType::isDynamic(lanes) ? "?" : std::to_string(lanes);
}

static ParseResult parseLane(AsmParser &parser, int64_t &lane) {
  if (succeeded(parser.parseOptionalQuestion()))
    return lane = ShapedType::kDynamic, success();
  return parser.parseInteger(lane);
}

/// Parses the value after `name =`.
static ParseResult parseOrderField(AsmParser &parser, StringRef name,
                                   SMLoc where, SmallVector<int64_t> &lanes,
                                   int64_t &chunk, int64_t &keys) {
  if (name == "lanes")
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parseLane(parser, lanes.emplace_back());
    });
  if (name == "chunk")
    return parser.parseInteger(chunk);
  if (name == "keys")
    return parser.parseInteger(keys);
  return parser.emitError(where, "an order has lanes, chunk and keys, and no ")
         << name;
}

Attribute OrderAttr::parse(AsmParser &parser, Type) {
  std::string instruction;
  SmallVector<int64_t> lanes;
  int64_t chunk = 0, keys = 0;
  llvm::StringSet<> seen;
  SMLoc begin = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseString(&instruction))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    SMLoc where = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return {};
    if (!seen.insert(name).second)
      return parser.emitError(where) << name << " is given twice", Attribute();
    if (parser.parseEqual() ||
        parseOrderField(parser, name, where, lanes, chunk, keys))
      return {};
  }
  if (parser.parseGreater())
    return {};
  if (failed(verify([&] { return parser.emitError(begin); }, instruction, lanes,
                    chunk, keys)))
    return {};
  return get(parser.getContext(), instruction, lanes, chunk, keys);
}

void OrderAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(getInstruction());
  if (!getLanes().empty()) {
    printer << ", lanes = [";
    llvm::interleaveComma(getLanes(), printer,
                          [&](int64_t lanes) { printer << laneText(lanes); });
    printer << ']';
  }
  if (getChunk())
    printer << ", chunk = " << getChunk();
  if (getKeys())
    printer << ", keys = " << getKeys();
  printer << '>';
}

std::string OrderAttr::toString() const {
  std::string text = getInstruction().str();
  for (auto [i, lanes] : llvm::enumerate(getLanes()))
    text += (i ? "x" : " lanes=") + laneText(lanes);
  if (getChunk())
    text += " chunk=" + std::to_string(getChunk());
  if (getKeys())
    text += " keys=" + std::to_string(getKeys());
  return text;
}

/// Checks the parameters of an order of class `chains`.
static LogicalResult verifyChains(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> lanes, int64_t chunk,
                                  int64_t keys) {
  if (lanes.size() != 1 || ShapedType::isDynamic(lanes[0]) ||
      !llvm::isPowerOf2_64(lanes[0]))
    return emitError() << "an order of chains has one number of lanes, which "
                          "is a power of two";
  if (chunk < 1 || chunk % lanes[0] != 0)
    return emitError() << "an order of chains has chunks of " << chunk
                       << " steps: it needs a multiple of its " << lanes[0]
                       << " lanes";
  if (keys)
    return emitError() << "an order of chains has no blocks of keys";
  return success();
}

LogicalResult OrderAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringRef instruction, ArrayRef<int64_t> lanes,
                                int64_t chunk, int64_t keys) {
  if (instruction.empty())
    return emitError() << "an order names its class of instructions";
  for (int64_t each : lanes)
    if (!ShapedType::isDynamic(each) && each < 1)
      return emitError() << "an order has " << each
                         << " lanes: it needs one at least";
  if (chunk < 0 || keys < 0)
    return emitError() << "an order's "
                       << (chunk < 0 ? "chunk is " : "block of keys is ")
                       << std::min(chunk, keys) << ": it cannot be negative";
  return instruction == chainsOrder
             ? verifyChains(emitError, lanes, chunk, keys)
             : success();
}

//===----------------------------------------------------------------------===//
// Schedule
//===----------------------------------------------------------------------===//

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  std::string skeleton;
  SmallVector<ScheduleValue> values;
  SMLoc begin = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseString(&skeleton))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    int64_t value = 0;
    if (parser.parseKeyword(&name) || parser.parseEqual() ||
        parser.parseInteger(value))
      return {};
    values.push_back({StringAttr::get(parser.getContext(), name), value});
  }
  if (parser.parseGreater())
    return {};
  if (failed(verify([&] { return parser.emitError(begin); }, skeleton, values)))
    return {};
  return get(parser.getContext(), skeleton, values);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(getSkeleton());
  for (auto [name, value] : getValues())
    printer << ", " << name.getValue() << " = " << value;
  printer << '>';
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef skeleton,
                                   ArrayRef<ScheduleValue> values) {
  if (skeleton.empty())
    return emitError() << "a schedule names its skeleton";
  llvm::StringSet<> seen;
  for (auto [name, value] : values) {
    if (!seen.insert(name.getValue()).second)
      return emitError() << "a schedule gives " << name << " twice";
    if (value < 1)
      return emitError() << "a schedule's " << name.getValue() << " is "
                         << value << ": it is at least 1";
  }
  return success();
}

std::optional<int64_t> ScheduleAttr::get(StringRef name) const {
  for (auto [each, value] : getValues())
    if (each.getValue() == name)
      return value;
  return std::nullopt;
}

std::string ScheduleAttr::toString() const {
  std::string text = getSkeleton().str();
  for (auto [name, value] : getValues())
    text += " " + name.str() + "=" + std::to_string(value);
  return text;
}

} // namespace tensorc::tx
