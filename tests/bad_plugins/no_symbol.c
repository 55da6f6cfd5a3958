/* A shared library that is not a plug-in. */
int some_function_of_some_library(void);

int some_function_of_some_library(void) { return 42; }
