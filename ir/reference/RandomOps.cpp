//===- RandomOps.cpp - Counter-based generators ---------------------------===//

#include "ir/reference/Ops.h"

using namespace mlir;

namespace tensorc::reference {

using Words = SmallVector<uint32_t, 4>;

static Words philox(Words c, uint32_t k0, uint32_t k1) {
  for (int round = 0; round < 10; ++round) {
    uint64_t p = uint64_t(c[0]) * 0xD2511F53, q = uint64_t(c[2]) * 0xCD9E8D57;
    c = {uint32_t(q >> 32) ^ c[1] ^ k0, uint32_t(q),
         uint32_t(p >> 32) ^ c[3] ^ k1, uint32_t(p)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

static Words threefry(Words x, uint32_t k0, uint32_t k1) {
  static constexpr int rotations[] = {13, 15, 26, 6, 17, 29, 16, 24};
  const uint32_t keys[] = {k0, k1, k0 ^ k1 ^ 0x1BD11BDA};
  x[0] += k0;
  x[1] += k1;
  for (int round = 0; round < 20; ++round) {
    int bits = rotations[round % 8];
    x[0] += x[1];
    x[1] = (x[1] << bits | x[1] >> (32 - bits)) ^ x[0];
    if (round % 4 == 3) {
      int injection = round / 4 + 1;
      x[0] += keys[injection % 3];
      x[1] += keys[(injection + 1) % 3] + injection;
    }
  }
  return x;
}

static void randomBits(tx::RandomBitsOp op, Operands operands, Array &result) {
  const Array *counter = op.getCounter() ? operands[1] : nullptr;
  std::vector<uint64_t> k = read<uint64_t>(*operands[0]);
  size_t size = op.getBlockSize(), words = byteWidth(result.dtype) / 4;
  std::vector<uint64_t> start(size, 0);
  if (counter)
    start = read<uint64_t>(*counter);
  std::vector<uint64_t> out;
  for (uint64_t i = 0; i < static_cast<uint64_t>(result.size()); ++i) {
    // The counter plus the number of the block, added word by word with
    // carries.
    uint64_t first = i * words, carry = first / size;
    Words at;
    for (size_t word = 0; word < size; ++word) {
      uint64_t sum = start[word] + (carry & 0xffffffff);
      at.push_back(sum);
      carry = (carry >> 32) + (sum >> 32);
    }
    Words block = size == 4 ? philox(at, k[0], k[1]) : threefry(at, k[0], k[1]);
    uint64_t value = block[first % size];
    if (words == 2)
      value |= uint64_t(block[first % size + 1]) << 32;
    out.push_back(value);
  }
  write<uint64_t>(result, out);
}

void addRandomOps(OpTable &table) { table.add<tx::RandomBitsOp>(randomBits); }

} // namespace tensorc::reference
