/* Prints a word: the lower bound for starting a program of C. */
#include <unistd.h>

int main(void) { return write(1, "hello\n", 6) == 6 ? 0 : 1; }
