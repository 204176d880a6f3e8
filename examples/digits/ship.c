/* Reads handwritten digits with the network as machine code, and no compiler:
   digits.h and digits.o come from digits.mlir (README.md, "Ship it").

     ship FOLDER      FOLDER holds data/ and weights/ */
#include "digits.h"

#include <stdio.h>
#include <stdlib.h>

static void die(const char *what, const char *why) {
  fprintf(stderr, "ship: %s: %s\n", what, why);
  exit(1);
}

static void *allocate(size_t size) {
  void *memory = malloc(size ? size : 1);
  if (!memory)
    die("malloc", "not enough memory");
  return memory;
}

/* Returns the elements of an .npy file (version 1) and their size in bytes. */
static void *read_npy(const char *folder, const char *name, size_t *size) {
  char path[4096];
  unsigned char head[10];
  long begin, end;
  void *data;
  FILE *file;
  snprintf(path, sizeof path, "%s/%s.npy", folder, name);
  file = fopen(path, "rb");
  if (!file || fread(head, 1, sizeof head, file) != sizeof head)
    die(path, "cannot be read");
  begin = 10 + head[8] + 256 * head[9];
  fseek(file, 0, SEEK_END);
  end = ftell(file);
  if (end < begin)
    die(path, "is cut off");
  *size = (size_t)(end - begin);
  data = allocate(*size);
  fseek(file, begin, SEEK_SET);
  if (fread(data, 1, *size, file) != *size)
    die(path, "cannot be read");
  fclose(file);
  return data;
}

int main(int argc, char **argv) {
  digits_inputs in = {0};
  digits_outputs out = {0};
  float accuracy;
  size_t size;
  void *workspace;
  int status;
  if (argc != 2)
    die("usage", "ship FOLDER");
  in.w1 = read_npy(argv[1], "weights/w1", &size);
  in.b1 = read_npy(argv[1], "weights/b1", &size);
  in.w2 = read_npy(argv[1], "weights/w2", &size);
  in.b2 = read_npy(argv[1], "weights/b2", &size);
  in.images = read_npy(argv[1], "data/test_images", &size);
  in.labels = read_npy(argv[1], "data/test_labels", &size);
  in.n = (int64_t)(size / sizeof *in.labels);

  out.accuracy = &accuracy;
  out.digits = allocate(size);
  workspace = allocate((size_t)digits_workspace_size(in.n));
  status = digits_run(&in, &out, workspace);
  if (status)
    die("digits_run", digits_error(status));
  printf("%d images, accuracy %.6f\n", (int)in.n, accuracy);
  return 0;
}
