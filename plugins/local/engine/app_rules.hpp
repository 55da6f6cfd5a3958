// The rules of apps, which every scheduler of this repository shares, under their plain names.
#pragma once

namespace slipway::rules {}

namespace slipway::local {
using namespace rules;
}
