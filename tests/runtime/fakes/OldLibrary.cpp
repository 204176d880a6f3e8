//===- OldLibrary.cpp - a vendor's library that lacks functions -----------===//

/// The version's function exists in every release of both libraries.
extern "C" [[gnu::visibility("default")]] int cuDriverGetVersion(int *out) {
  *out = 9020;
  return 0;
}
extern "C" [[gnu::visibility("default")]] int hipRuntimeGetVersion(int *out) {
  *out = 50422803;
  return 0;
}
