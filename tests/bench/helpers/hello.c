/* Prints a word: the lower bound for starting a static C program. */
#include <unistd.h>

int main(void) { return write(1, "hello\n", 6) == 6 ? 0 : 1; }
