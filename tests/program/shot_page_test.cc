// SPDX-License-Identifier: Apache-2.0
// The page of `--html`: one file without the network, and a view that turns, in a real browser.
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../formats/json_document.h"
#include "program.h"

namespace fractalray::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kShot = FRACTALRAY_SOURCE_DIR "/docs/figures/shot.json";

// Returns the page of a scenario's shot.
std::string pageOf(const std::string& scenario) {
  const std::string path = testFolder() + "/page.html";
  const ProgramRun run = runProgram({"explain", "--scenario", scenario, "--html", path});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  return readFile(path).value_or("");
}

TEST(ShotPageTest, IsOneFileThatNeedsNothingElse) {
  const std::string page = pageOf(kShot);
  EXPECT_EQ(page, pageOf(kShot)) << "the same bytes every time";
  for (const char* outside : {"http:", "https:", "src=", "href=", "@import", "url(", "fetch("})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  EXPECT_THAT(page, AllOf(HasSubstr("default-src 'none'"), Not(HasSubstr("{{"))));
  // The text that is readable without scripts.
  EXPECT_THAT(page, AllOf(HasSubstr("<li>2   entity 7 on level 1, t = 0.395196154"),
                          HasSubstr("defers to its loaded chunk of level 1")));
  EXPECT_THAT(page, HasSubstr("pre-wrap")) << "long lines of the words are wrapped";
}

// A wall next to the line, by its own colour; the blocks that the line crosses are cells.
TEST(ShotPageTest, ShowsTheBlocksNextToTheLine) {
  const std::string page = pageOf(writeTestFile("wall.json", R"({
  "format": "fractalray-scenario/1", "levels": 1,
  "block_types": {"air": "empty", "default:brick": "solid"},
  "chunks": [{"level": 0, "at": [0, 0, 0], "boxes": [[[0, 3, 0], [15, 3, 0], "default:brick"]]}],
  "queries": [{"id": 1, "op": "shoot", "from": [0.5, 2.5, 0.5], "to": [4.5, 2.5, 0.5],
               "levels": [0]}]
})"));
  // From x = 0 to x = 6, within two blocks of the cells 0 to 4; relative to the start.
  EXPECT_THAT(page, HasSubstr("\"around\":[[-0.5,0.5,-0.5,0],"));
  EXPECT_THAT(page, HasSubstr("[5.5,0.5,-0.5,0]],\"colors\":[\"#96827a\"]"));
}

TEST(ShotPageTest, NamesCannotEscapeTheirElement) {
  std::string text = readFile(kShot).value_or("");
  text = absl::StrReplaceAll(text, {{"glass", "</script><b>&amp;{{data}}"}});
  const std::string page = pageOf(writeTestFile("names.json", text));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("</script><b>")),
                          HasSubstr("&lt;/script&gt;&lt;b&gt;&amp;amp;{{data}}")));
}

// Returns what a probe in the page finds in a headless browser.
Json probe(const std::string& page) {
  // The first script notes errors. The last one turns the view as a user would.
  constexpr const char* kListener = R"(<head>
<script>
const failures = [];
addEventListener("error", event => failures.push(event.message));
addEventListener("securitypolicyviolation", event => failures.push(event.violatedDirective));
</script>)";
  constexpr const char* kProbe = R"(<pre id="probe"></pre>
<script>
function picture() {
  const data = pen.getImageData(0, 0, canvas.width, canvas.height).data;
  let sum = 0, ink = 0;
  for (let i = 0; i < data.length; ++i) {
    sum = (sum * 31 + data[i]) | 0;
    if (data[i] !== 255) ++ink;
  }
  return { sum, ink, ...canvas.dataset };
}
const pointer = (target, type, x, y) =>
  target.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, bubbles: true }));
const found = { first: picture() };
pointer(canvas, "pointerdown", 300, 300);
pointer(window, "pointermove", 260, 320);
pointer(window, "pointerup", 260, 320);
pointer(window, "pointermove", 100, 100);
found.turned = picture();
canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
found.keyed = picture();
canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -1, cancelable: true }));
found.nearer = picture();
document.querySelector("button[data-turn='0,0']").click();
found.along = picture();
const boxes = document.querySelectorAll("#levels input");
found.boxes = boxes.length;
boxes[1].click();
found.both = picture();
boxes[2].click();
found.alone = picture();
boxes[2].click();
boxes[0].click();
boxes[1].click();
found.none = picture();
found.resources = performance.getEntriesByType("resource").length;
found.failures = failures;
document.getElementById("probe").textContent = "BEGIN" + JSON.stringify(found) + "END";
</script>
</body>)";
  const std::string path = writeTestFile(
      "probed.html", absl::StrReplaceAll(page, {{"<head>", kListener}, {"</body>", kProbe}}));
  const ProgramRun run =
      runOther({"timeout", "120", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
                absl::StrCat("--user-data-dir=", testFolder(), "/profile"),
                "--virtual-time-budget=5000", "--dump-dom", absl::StrCat("file://", path)});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  // The last ones: the probe's own text has the words too.
  const std::size_t begin = run.out.find("BEGIN{");
  const std::size_t end = run.out.find("}END", begin);
  if (begin == std::string::npos || end == std::string::npos) {
    ADD_FAILURE() << "the probe has written nothing:\n" << run.out << run.err;
    return {};
  }
  absl::StatusOr<JsonDocument> found =
      parseJson(std::string_view(run.out).substr(begin + 5, end + 1 - begin - 5), "the probe");
  EXPECT_TRUE(found.ok()) << found.status();
  return found.ok() ? std::move(found->root()) : Json();
}

TEST(ShotPageTest, TurnsInABrowser) {
  if (runOther({"sh", "-c", "command -v chromium"}).exit_status != 0) {
    GTEST_SKIP()
        << "NOT RUN: the page was not tried in a browser, since chromium is not installed; "
           "as root: apt-get install chromium (./dev check does so)";
  }
  const Json found = probe(pageOf(kShot));
  ASSERT_FALSE(found.is_null());
  EXPECT_EQ(found["failures"].size(), 0U) << found["failures"];
  EXPECT_EQ(found["resources"], 0) << "nothing is asked of any network";
  EXPECT_EQ(found["boxes"], 3) << "one for each level, and one for the blocks next to the line";

  // As many as the text lists: 31 cells, two hits and five corners, two entities.
  EXPECT_EQ(found["first"]["cells"], "31");
  EXPECT_EQ(found["first"]["marks"], "7");
  EXPECT_EQ(found["first"]["shapes"], "2");
  EXPECT_GT(found["first"]["ink"], 10000);
  // 40 pixels to the left and 20 down, half a degree each; nothing once the pointer is up.
  EXPECT_EQ(found["turned"]["yaw"], "50");
  EXPECT_EQ(found["turned"]["pitch"], "35");
  EXPECT_EQ(found["keyed"]["yaw"], "55");
  EXPECT_EQ(found["along"]["yaw"], "0");
  EXPECT_EQ(found["along"]["pitch"], "0");
  EXPECT_EQ(found["both"]["cells"], "33");
  EXPECT_EQ(found["none"]["cells"], "0");
  // The glass next to the line.
  EXPECT_NE(found["first"]["around"], "0");
  EXPECT_EQ(found["alone"]["around"], "0");
  EXPECT_EQ(found["alone"]["cells"], "33");
  EXPECT_NE(found["alone"]["sum"], found["both"]["sum"]);
  // Each is another picture.
  const std::vector<const char*> views = {"first", "turned", "keyed", "nearer", "along", "both"};
  for (std::size_t i = 1; i < views.size(); ++i)
    EXPECT_NE(found[views[i]]["sum"], found[views[i - 1]]["sum"]) << views[i];
}

}  // namespace
}  // namespace fractalray::testing
