/* The softmax of two equal rows. */
#include "softmax.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static float x[2 * 64], y[2 * 64], b[64];
  const float s = 1;
  softmax_inputs in = {0};
  softmax_outputs out = {y};
  int status;
  void *workspace;
  for (int i = 0; i < 64; ++i)
    b[i] = i < 2 ? 32 : 0;
  in.x = x;
  in.s = s;
  in.b = b;
  in.n = 2;
  workspace = malloc((size_t)softmax_workspace_size(in.n) + 1);
  status = softmax_run(&in, &out, workspace);
  if (status)
    fprintf(stderr, "%s\n", softmax_error(status));
  else
    printf("%g %g\n", y[0], y[65]);
  free(workspace);
  return status;
}
