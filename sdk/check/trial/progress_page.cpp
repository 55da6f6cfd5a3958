#include "sdk/check/trial/progress_page.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string>

#include "sdk/check/trial/check.hpp"

namespace slipway::check {

struct ProgressPage::Page {
  char step[128];  // more than the longest name of a function; see step()
  char step_before_unwinding[128];
  char app_id[512];  // more than an app id can have (255 bytes)
};

namespace {

template <std::size_t N>
void write(char (&place)[N], std::string_view text) {
  const std::size_t count = std::min(text.size(), N - 1);
  std::memcpy(place, text.data(), count);
  place[count] = '\0';
}

}  // namespace

ProgressPage::ProgressPage() {
  void* page =
      ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    throw NoResources(std::string("no memory to share with a check: ") + std::strerror(errno));
  page_ = static_cast<Page*>(page);
}

ProgressPage::~ProgressPage() { ::munmap(page_, sizeof(Page)); }

void ProgressPage::clear() { *page_ = Page{}; }
void ProgressPage::step(std::string_view what) {
  write(page_->step, what);
  if (std::uncaught_exceptions() == 0) write(page_->step_before_unwinding, what);
}
std::string ProgressPage::last_step() const { return page_->step; }
std::string ProgressPage::last_step_before_unwinding() const {
  return page_->step_before_unwinding;
}
void ProgressPage::set_unfinished_app(std::string_view app_id) { write(page_->app_id, app_id); }
std::string ProgressPage::unfinished_app() const { return page_->app_id; }

}  // namespace slipway::check
