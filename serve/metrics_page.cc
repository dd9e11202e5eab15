// SPDX-License-Identifier: Apache-2.0
#include "metrics_page.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "absl/strings/str_cat.h"

namespace fractalray::serve {
namespace {

constexpr std::size_t kMostRequestBytes = 4096;

std::string page(const char* status, const std::string& text) {
  return absl::StrCat("HTTP/1.0 ", status,
                      "\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: ",
                      text.size(), "\r\nConnection: close\r\n\r\n", text);
}

// Returns the answer to the first line of a request.
std::string answerTo(std::string_view line, const std::function<std::string()>& text) {
  if (!line.starts_with("GET ")) {
    return page("405 Method Not Allowed", "only GET is answered\n");
  }
  line.remove_prefix(4);
  if (line.starts_with("/metrics") && line.substr(8).find_first_not_of(" ?") != 0) {
    return page("200 OK", text());
  }
  return page("404 Not Found", "the metrics are at /metrics\n");
}

}  // namespace

bool MetricsPage::run(const std::function<std::string()>& text) {
  if (answer_.empty() && !receive(text)) return false;
  return answer_.empty() || send();
}

bool MetricsPage::receive(const std::function<std::string()>& text) {
  std::array<char, 1024> bytes{};
  const ssize_t received = ::recv(socket(), bytes.data(), bytes.size(), 0);
  if (received == 0) return false;
  if (received < 0) return wire::isToTryAgain(errno);
  request_.append(bytes.data(), static_cast<std::size_t>(received));
  if (request_.find("\r\n\r\n") != std::string::npos ||
      request_.find("\n\n") != std::string::npos) {
    answer_ = answerTo(std::string_view(request_).substr(0, request_.find_first_of("\r\n")), text);
  }
  return request_.size() <= kMostRequestBytes;
}

bool MetricsPage::send() {
  while (sent_ < answer_.size()) {
    const ssize_t sent =
        ::send(socket(), answer_.data() + sent_, answer_.size() - sent_, wire::kSendFlags);
    if (sent < 0) return wire::isToTryAgain(errno);
    sent_ += static_cast<std::size_t>(sent);
  }
  return false;
}

}  // namespace fractalray::serve
