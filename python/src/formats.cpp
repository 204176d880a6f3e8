//===- formats.cpp - Dtypes as formats of the buffer protocol -------------===//
#include "core.h"

#include <cstring>

namespace tcpy {

tensorc_dtype ofFormat(const char *format, Py_ssize_t itemsize) {
  std::string_view text = format ? format : "B";
  if (!text.empty() && std::strchr("@=<", text[0]))
    text.remove_prefix(1);
  if (text == "?")
    return TENSORC_I1;
  if (text == "e")
    return TENSORC_F16;
  if (text == "f")
    return TENSORC_F32;
  if (text == "d")
    return TENSORC_F64;
  if (text == "Zf")
    return TENSORC_C64;
  if (text == "Zd")
    return TENSORC_C128;
  if (text.size() != 1)
    return {};
  bool isSigned = std::strchr("bhilqn", text[0]);
  if (!isSigned && !std::strchr("BHILQN", text[0]))
    return {};
  switch (itemsize) {
  case 1:
    return isSigned ? TENSORC_I8 : TENSORC_UI8;
  case 2:
    return isSigned ? TENSORC_I16 : TENSORC_UI16;
  case 4:
    return isSigned ? TENSORC_I32 : TENSORC_UI32;
  case 8:
    return isSigned ? TENSORC_I64 : TENSORC_UI64;
  }
  return {};
}

const char *formatOf(tensorc_dtype dtype) {
  switch (dtype) {
  case TENSORC_I1:
    return "?";
  case TENSORC_I8:
    return "b";
  case TENSORC_I16:
    return "h";
  case TENSORC_I32:
    return "i";
  case TENSORC_I64:
    return "l";
  case TENSORC_UI8:
    return "B";
  case TENSORC_UI16:
    return "H";
  case TENSORC_UI32:
    return "I";
  case TENSORC_UI64:
    return "L";
  case TENSORC_F16:
    return "e";
  case TENSORC_F32:
    return "f";
  case TENSORC_F64:
    return "d";
  case TENSORC_C64:
    return "Zf";
  case TENSORC_C128:
    return "Zd";
  default:
    return nullptr;
  }
}

} // namespace tcpy
