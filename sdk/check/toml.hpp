// Declares toml++, which toml.cpp compiles once.
#pragma once

#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>
