// A hello world that is linked like `slipway`: the lower bound for starting such a program.
#include <iostream>

int main() { std::cout << "hello\n"; }
