#include "sdk/check/run/kit.hpp"

int main(int argc, char** argv) { return slipway::check::run_kit(argc, argv); }
