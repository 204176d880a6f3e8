/* Kernels by hand, as the compiler's images have them: no imports. */
#include <stdint.h>

typedef uint64_t Word;

/* out[i] = a[i] * scale + b[i]; the scale is an f32 in the low bytes. */
void multiply_add(const Word *args, int64_t begin, int64_t end, void *scratch) {
  const float *a = (const float *)args[0], *b = (const float *)args[1];
  float *out = (float *)args[2], scale;
  (void)scratch;
  __builtin_memcpy(&scale, &args[4], 4);
  for (int64_t i = begin; i < end; ++i)
    out[i] = a[i] * scale + b[i];
}

/* Doubles x until it is above the limit; tells whether to go on. */
void step(const Word *args, int64_t begin, int64_t end, void *scratch) {
  const int64_t *x = (const int64_t *)args[0];
  int64_t *next = (int64_t *)args[1];
  uint8_t *more = (uint8_t *)args[2];
  (void)scratch;
  if (begin != 0 || end < 1)
    return;
  *next = *x * 2;
  *more = *next < (int64_t)args[3];
}

/* Each thread writes into its scratch first: finds out whether it is there. */
void through_scratch(const Word *args, int64_t begin, int64_t end,
                     void *scratch) {
  const int32_t *x = (const int32_t *)args[0];
  int32_t *y = (int32_t *)args[1], *mine = (int32_t *)scratch;
  for (int64_t i = begin; i < end; ++i) {
    mine[i & 15] = x[i] + 1;
    y[i] = mine[i & 15];
  }
}

static int32_t add_one(int32_t x) { return x + 1; }
static int32_t add_two(int32_t x) { return x + 2; }
static int32_t (*volatile const table[2])(int32_t) = {add_one, add_two};

/* Calls through pointers, which the loader relocates. */
void through_table(const Word *args, int64_t begin, int64_t end,
                   void *scratch) {
  const int32_t *x = (const int32_t *)args[0];
  int32_t *y = (int32_t *)args[1];
  (void)scratch;
  for (int64_t i = begin; i < end; ++i)
    y[i] = table[i & 1](x[i]);
}

/* Reads x and writes y at an index that may lie outside: y[k] = x[j]. */
void stray(const Word *args, int64_t begin, int64_t end, void *scratch) {
  const volatile int32_t *x = (const int32_t *)args[0];
  volatile int32_t *y = (int32_t *)args[1];
  (void)scratch;
  if (begin == 0 && end > 0)
    y[(int64_t)args[3]] = x[(int64_t)args[2]];
}

/* Writes a byte of its scratch. */
void stray_scratch(const Word *args, int64_t begin, int64_t end,
                   void *scratch) {
  if (begin == 0 && end > 0) {
    ((volatile uint8_t *)scratch)[args[1]] = 0;
    *(int32_t *)args[0] = 1;
  }
}

/* Divides by a word. */
void divide(const Word *args, int64_t begin, int64_t end, void *scratch) {
  volatile int64_t by = (int64_t)args[1];
  (void)scratch;
  if (begin == 0 && end > 0)
    *(int32_t *)args[0] = (int32_t)(7 / by);
}
