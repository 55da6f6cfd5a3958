/* The library that needs_library.c is linked with. */
int function_of_the_missing_library(void);

int function_of_the_missing_library(void) { return 0; }
