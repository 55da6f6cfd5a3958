/* Prints a word. Its duration is the lower bound for the start of a static C program. */
#include <unistd.h>

int main(void) { return write(1, "hello\n", 6) == 6 ? 0 : 1; }
