// Texts with an order: times and sizes, in the notations that schedulers read.
#pragma once

#include <optional>
#include <string_view>

namespace slipway::config {

/// Compares two amounts. Returns a negative number if `one` is smaller, zero if both are equal, and
/// a positive number if `one` is larger; nullopt if the texts are neither two times nor two sizes.
///
/// A time is `90` (minutes), `30:00` (minutes and seconds), `1:30:00` (hours first), `1-12`,
/// `1-02:30`, `1-02:00:00` (days and hours first), `UNLIMITED`, `INFINITE`, or numbers with the
/// units w, d, h, m and s: `1h30m`. A size is `512` (MiB), `64G`, `64GB` or `64GiB`, with the units
/// K, M, G, T and P, all binary. Case matters only in the units w, d, h, m and s.
///
/// Zero is larger than every other amount, because in Slurm `--time=0` means no limit and `--mem=0`
/// requests all memory of a node. As a time it equals `UNLIMITED`.
std::optional<int> compare_amounts(std::string_view one, std::string_view other);

/// Returns whether compare_amounts() can compare `text` with some text.
bool is_amount(std::string_view text);

}  // namespace slipway::config
