//===- Bytecode.h - instructions of a program -------------------*- C++ -*-===//
//
// Code is a sequence of 32-bit words. An instruction is a head (opcode, queue,
// and the number of words that follow) and its operands. The table below
// describes the operands; the loader's checks and the serializer use it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_ABI_BYTECODE_H
#define TENSORC_RUNTIME_ABI_BYTECODE_H

#include <cstdint>

namespace tensorc::rt {

/// Operands, one letter each:
///   d defines a word register   a uses one   D defines a buffer   A uses one
///   h defines a host buffer     H uses one
///   e defines an event          E uses one   i any immediate word
///   s index of a string         k of a kernel   f of a function
///   c index of a constant
///   t jump target: the index in the code of an instruction's head
///   * the instruction's own tail, described next to it
// clang-format off
#define TENSORC_RT_OPCODES(X)                                                  \
  X(Return, "*")       /* count B, count W, buffers A..., words a...       */  \
  X(Const, "dii")      /* low, high                                        */  \
  X(Move, "da")                                                                \
  X(MoveBuffer, "DA")                                                          \
  X(Jump, "t")                                                                 \
  X(JumpIfZero, "at")                                                          \
  X(Add, "daa") X(Sub, "daa") X(Mul, "daa")                                    \
  X(DivSigned, "daa") X(DivUnsigned, "daa")                                    \
  X(FloorDiv, "daa") X(CeilDiv, "daa")                                         \
  X(RemSigned, "daa") X(RemUnsigned, "daa") X(Mod, "daa") /* floor, >= 0   */  \
  X(MinSigned, "daa") X(MaxSigned, "daa")                                      \
  X(MinUnsigned, "daa") X(MaxUnsigned, "daa")                                  \
  X(And, "daa") X(Or, "daa") X(Xor, "daa")                                     \
  X(ShiftLeft, "daa") X(ShiftRight, "daa") X(ShiftRightUnsigned, "daa")        \
  X(Equal, "daa") X(NotEqual, "daa")                                           \
  X(LessSigned, "daa") X(LessEqualSigned, "daa")                               \
  X(LessUnsigned, "daa") X(LessEqualUnsigned, "daa")                           \
  X(Select, "daaa")    /* condition, then, else                            */  \
  X(SelectBuffer, "DaAA")                                                      \
  X(Dim, "dii")        /* buffer argument, dimension; in entries only      */  \
  X(Assert, "as")                                                              \
  X(Alloc, "Da*")      /* bytes; then, if any, inputs A... of an entry,     */ \
                       /* whose memory may serve if it is donated; a 1      */ \
                       /* first if nothing fails after it is written        */ \
  X(View, "DAaa")      /* source, offset, bytes                            */  \
  X(Constant, "Dc")                                                            \
  X(Copy, "AA")        /* source, target                                   */  \
  X(Fill, "Aai")       /* target, pattern, width in bytes                  */  \
  X(ReadScalar, "dAai")/* buffer, offset, dtype                            */  \
  X(Launch, "kaaai*")  /* extent, grain, scratch, block; count B, count W, */  \
                       /* count N, buffers A..., scalars a..., dims a...;  */  \
                       /* 0, or 1 and a grid: y a, z a, bytes of shared    */  \
                       /* memory a, block y, z; count M; of each tensor    */  \
                       /* map: buffer, bytes of an element, swizzle, rank, */  \
                       /* box i..., sizes a..., strides a... but the first; */ \
                       /* last: 1 + the number of an op of the source that  */ \
                       /* it computes (Section.lines), 0 if unknown         */ \
  X(Call, "f*")        /* count B, count W, args A... a..., results D... d...*/\
  X(CustomCall, "ss*") /* name, config; count ins, outs, scalars, A... a...;*/ \
                       /* may end with the number of an op, as a launch     */ \
  X(Record, "e")                                                               \
  X(Wait, "E")                                                                 \
  X(Spill, "hA")       /* source                                           */  \
  X(Restore, "HA")     /* source, target                                   */  \
  X(Upload, "cA")      /* source, target                                   */
// clang-format on

enum class Op : uint8_t {
#define TENSORC_RT_OP(name, operands) name,
  TENSORC_RT_OPCODES(TENSORC_RT_OP)
#undef TENSORC_RT_OP
};

inline constexpr const char *opOperands[] = {
#define TENSORC_RT_OP(name, operands) operands,
    TENSORC_RT_OPCODES(TENSORC_RT_OP)
#undef TENSORC_RT_OP
};
inline constexpr unsigned numOps = sizeof(opOperands) / sizeof(*opOperands);

/// Head of an instruction: opcode in bits 0-7, queue in 8-15, the number of
/// operand words in 16-31.
constexpr uint32_t encodeHead(Op op, uint8_t queue, uint32_t operands) {
  return static_cast<uint32_t>(op) | static_cast<uint32_t>(queue) << 8 |
         operands << 16;
}
constexpr uint32_t headOp(uint32_t head) { return head & 0xff; }
constexpr uint32_t headQueue(uint32_t head) { return head >> 8 & 0xff; }
constexpr uint32_t headOperands(uint32_t head) { return head >> 16; }

/// How a kernel uses an argument. InOut: the kernel writes the buffer, and may
/// also read what earlier launches or fills wrote to it.
enum class ArgRole : uint8_t { Unknown, Input, Output, Scratch, Scalar, InOut };
constexpr uint8_t maxArgRole = static_cast<uint8_t>(ArgRole::InOut);

/// Limits of the loader, far above what programs need.
constexpr uint32_t maxRegisters = 1u << 16;
constexpr uint32_t maxOperands = (1u << 16) - 1;
/// Maximum number of arguments of a launch, which are kept on the stack.
constexpr uint32_t maxKernelArity = 1024;
/// Maximum number of threads per block. A block size of 0 means that the kernel
/// takes a range of work items.
constexpr uint32_t maxBlockThreads = 1024;
/// Maximum number of tensor maps of a launch.
constexpr uint32_t maxTensorMaps = 8;
/// Maximum depth of nested calls.
constexpr unsigned maxCallDepth = 64;

} // namespace tensorc::rt

#endif
