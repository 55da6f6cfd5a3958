// toml++, compiled in one file (toml.cpp).
#pragma once

#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>
