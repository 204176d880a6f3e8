/* Calls outputs.mlir's function with outputs that end where the next begins. */
#include "outputs.h"

#include <stdio.h>
#include <stdlib.h>

enum { border = 64 };

/* How many floats behind an output's end are not as they were. */
static int changed(const float *end) {
  int count = 0;
  for (int i = 0; i < border; ++i)
    count += end[i] != -777;
  return count;
}

int main(void) {
  static float x[5 * 32], w[3 * 5 * 64], y[5 * 64 + border], a[5 * 32 + border];
  for (int i = 0; i < 5 * 32; ++i)
    x[i] = 1;
  for (int i = 0; i < 3 * 5 * 64; ++i)
    w[i] = 1;
  for (int i = 0; i < 5 * 64 + border; ++i)
    y[i] = -777;
  for (int i = 0; i < 5 * 32 + border; ++i)
    a[i] = -777;
  outputs_inputs in = {x, w};
  outputs_outputs out = {y, a};
  void *workspace = malloc((size_t)outputs_workspace_size() + 1);
  int status = outputs_run(&in, &out, workspace);
  free(workspace);
  printf("status %d, behind y %d, behind a %d changed\n", status,
         changed(y + 5 * 64), changed(a + 5 * 32));
  printf("%g %g %g %g\n", y[0], y[63], a[0], a[159]);
  return 0;
}
