/* bench-writer N: writes N lines of 100 bytes to its standard output, one write each. Every fifth
 * line has the word ERROR, by which a filter selects it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char line[101];
  long count = argc == 2 ? strtol(argv[1], NULL, 10) : -1;
  if (count < 0) return 64;
  memset(line, '.', 99);
  line[99] = '\n';
  for (long i = 0; i < count; ++i) {
    int length = snprintf(line, sizeof line, "%010ld %s %ld step of the work", i,
                          i % 5 == 2 ? "ERROR" : "info ", i);
    line[length] = ' ';
    if (write(1, line, 100) != 100) return 74;
  }
  return 0;
}
