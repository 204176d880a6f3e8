/* Reads the digits of FOLDER's test images with the compiled model and nothing
   else of tensorc: digits FOLDER OUT [THREADS]. Writes OUT/digits.raw. */
#include "digits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The elements of an .npy, whose header's length is its bytes 8 and 9. */
static void *load(const char *folder, const char *name, long *bytes) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/%s.npy", folder, name);
  FILE *file = fopen(path, "rb");
  unsigned char start[10];
  if (!file || fread(start, 1, 10, file) != 10) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  long begin = 10 + start[8] + 256 * start[9];
  fseek(file, 0, SEEK_END);
  *bytes = ftell(file) - begin;
  fseek(file, begin, SEEK_SET);
  void *data = malloc((size_t)*bytes);
  if (fread(data, 1, (size_t)*bytes, file) != (size_t)*bytes)
    exit(1);
  fclose(file);
  return data;
}

static void save(const char *folder, const char *name, const void *data,
                 size_t bytes) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/%s.raw", folder, name);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, bytes, file) != bytes)
    exit(1);
  fclose(file);
}

static int64_t calls = 0;

/* A grain at a time, the last one first, each in another slot. */
static void backwards(int64_t extent, int64_t grain, int32_t slots,
                      void (*body)(void *context, int64_t begin, int64_t end,
                                   int32_t slot),
                      void *context) {
  for (int64_t i = (extent - 1) / grain; i >= 0; --i) {
    int64_t begin = i * grain, end = begin + grain;
    body(context, begin, end < extent ? end : extent,
         (int32_t)(++calls % slots));
  }
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  long bytes, ignored;
  digits_inputs in;
  in.images = load(argv[1], "data/test_images", &bytes);
  in.labels = load(argv[1], "data/test_labels", &ignored);
  in.w1 = load(argv[1], "weights/w1", &ignored);
  in.b1 = load(argv[1], "weights/b1", &ignored);
  in.w2 = load(argv[1], "weights/w2", &ignored);
  in.b2 = load(argv[1], "weights/b2", &ignored);
  in.n = bytes / 256;
  int32_t threads = argc > 3 ? atoi(argv[3]) : 1;
  int64_t size = digits_workspace_size_threads(in.n, threads);
  float accuracy = 0;
  digits_outputs out;
  out.accuracy = &accuracy;
  out.digits = malloc((size_t)digits_output_size_digits(in.n));
  void *workspace = malloc((size_t)size);
  int status =
      threads > 1 ? digits_run_threads(&in, &out, workspace, threads, backwards)
                  : digits_run(&in, &out, workspace);
  if (status) {
    fprintf(stderr, "digits: %s\n", digits_error(status));
    return 1;
  }
  if (threads > 1 && calls == 0)
    return 1;
  printf("images: %d\naccuracy: %.4f\n", (int)in.n, (double)accuracy);
  save(argv[2], "digits", out.digits, 4 * (size_t)in.n);
  save(argv[2], "accuracy", &accuracy, 4);
  return 0;
}
