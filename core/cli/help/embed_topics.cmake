# Writes the C++ source with the topics of `slipway help`. Variables: TOPICS (topics.txt, whose lines are
# NAME|SUMMARY|PAGE|HEADING|...), PAGES (the folder of the pages), OUTPUT. Fails if a page lacks a heading that a topic
# names, so that no topic loses its text.
file(STRINGS ${TOPICS} lines REGEX "^[^#]")
set(entries "")
foreach(line IN LISTS lines)
  string(REPLACE "|" ";" fields "${line}")
  list(POP_FRONT fields name summary page)
  file(READ ${PAGES}/${page} text)
  set(text "\n${text}\n# ")  # so that the first heading follows a newline, and the last section precedes a heading
  set(sections "")
  foreach(heading IN LISTS fields)
    string(REGEX MATCH "\n#+ ${heading}\n" start "${text}")
    if(NOT start)
      message(FATAL_ERROR "${TOPICS}: ${page} has no heading '${heading}', which the topic ${name} names")
    endif()
    string(FIND "${text}" "${start}" at)
    string(LENGTH "${start}" length)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${text}" ${at} -1 rest)
    string(REGEX MATCH "\n#+ " next "\n${rest}")
    string(FIND "\n${rest}" "${next}" end)
    string(SUBSTRING "\n${rest}" 0 ${end} section)
    string(APPEND sections "## ${heading}\n${section}\n")
  endforeach()
  string(APPEND entries "    {\"${name}\", \"${summary}\", \"${page}\", R\"topic(${sections})topic\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"core/cli/help/help_topics.hpp\"

namespace slipway::cli {

std::span<const HelpTopic> help_topics() {
  static constexpr HelpTopic kTopics[] = {
${entries}  };
  return kTopics;
}

}  // namespace slipway::cli
")
