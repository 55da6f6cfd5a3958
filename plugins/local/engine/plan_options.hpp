// The run options in LogRules and LifeRules, which a launch plan contains. Each is declared once,
// in a table: those of LogRules here, those of LifeRules in sdk/support/rules/life_options.hpp
// (visit_life_options()).
//
// A table calls a visitor with every option: its name and help, its field in the plan, and the kind
// of its value with the range. The default is that of the field. Three parts of the code walk the
// tables: the declaration and the parser of run options (scheduler/local_options.hpp), the check of
// a plan (plan.cpp), and the codec of `plan.bin` (plan_codec.cpp), whose order is that of the
// tables.
#pragma once

#include <cstdint>

#include "plugins/local/engine/app_rules.hpp"
#include "plugins/local/engine/log_rules.hpp"

namespace slipway::local {

/// `rules` is a LogRules, constant or not.
template <typename Visit, typename Rules>
void visit_log_options(Visit& visit, Rules& rules) {
  visit(Option{"log_combined",
               "copy both streams of a replica into its combined.log; without it the supervisor "
               "does not read the output, lines have no times, and log prints one stream after the "
               "other"},
        rules.combined, Flag{});
  visit(Option{"log_pipes",
               "replicas write into pipes that the supervisor copies into their log files, so that "
               "`echo text > /dev/stderr` truncates nothing; not given: for apps of at most 256 "
               "replicas whose arguments or scripts name such a file"},
        rules.pipes, ChosenFlag{});
  visit(Option{"log_times",
               "record when lines were written, for log --since, --until and --timestamps"},
        rules.times, Flag{});
  visit(Option{"log_max_mb",
               "divide each log file of a replica into pieces of this many MiB, and keep the "
               "piece that grows and log_keep full ones before it; 0: no limit"},
        rules.piece_bytes, Mebibytes{1024 * 1024});
  visit(Option{"log_keep", "number of full pieces of log_max_mb that are kept"}, rules.keep_pieces,
        Count{1, 1000});
}

}  // namespace slipway::local
