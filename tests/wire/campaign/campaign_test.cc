// The parts of the campaign that need no server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "suites/wire/campaign/counters.h"
#include "suites/wire/campaign/examine_place.h"
#include "suites/wire/campaign/examine_routes.h"
#include "suites/wire/campaign/known.h"
#include "suites/wire/campaign/left_out.h"
#include "suites/wire/campaign/refusals.h"
#include "suites/wire/campaign/session_record.h"
#include "suites/wire/campaign/verdict_of.h"
#include "suites/wire/campaign/wire_cases.h"
#include "suites/wire/probes/read_probes.h"

namespace parity::wire {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kProbes[] = R"(
lanes: [{name: serial}, {name: wide, served_by: {streamed: serial}}]
counters:
  routes: /routes/{surface}/{lane}
  at_rest: [/running]
  started: /started
  outcomes: /outcomes
  alike: {completed: /outcomes/completed}
probes:
- {name: plain, surfaces: [chat], ask: {prompt: Hi, temperature: 0}}
- {name: after, surfaces: [chat], ways: [buffered], ask: {prompt: "${/chat/plain/text}"}}
- {name: alone, surfaces: [chat], ways: [buffered], fresh: true, ask: {prompt: Hi}}
)";

Probes TestProbes() { return ReadProbesText("p.yaml", kProbes); }

Exchange Answered(const std::string& name, int status, const std::string& body,
                  Surface surface = Surface::kChat) {
  Exchange exchange;
  exchange.name = name;
  exchange.requests = {{surface, "POST", "/", false, json::object()}};
  const std::string head =
      "HTTP/1.1 " + std::to_string(status) +
      " X\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  exchange.events = {{EventKind::kReceived, 1, head + body}, {EventKind::kPeerClosed, 2, ""}};
  return exchange;
}

Exchange Scraped(const std::string& name, const json& counters) {
  return Answered(name, 200, counters.dump(), Surface::kStats);
}

constexpr char kChat[] =
    R"({"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,)"
    R"("message":{"role":"assistant","content":"said"},"finish_reason":"stop"}],)"
    R"("usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}})";
constexpr char kRefused[] = R"({"error":{"message":"no","type":"t","param":null,"code":"c"}})";

TEST(PlanSessions, OneServerForALaneAndForWhatIsFresh) {
  const Probes probes = TestProbes();
  std::vector<std::string> names;
  for (const PlannedSession& session :
       PlanSessions(probes, [](const WireLane&, const Place&) { return true; })) {
    names.push_back(session.name);
  }
  EXPECT_THAT(names, ElementsAre("serial", "serial.alone", "wide", "wide.alone"));
}

TEST(PlanSessions, WhatAProbeSpeaksOfIsAskedToo) {
  const Probes probes = TestProbes();
  const auto sessions = PlanSessions(probes, [](const WireLane& lane, const Place& place) {
    return lane.name == "serial" && place.probe->name == "after";
  });
  ASSERT_THAT(sessions, SizeIs(1));
  std::vector<std::string> places;
  for (const Place& place : sessions[0].places) places.push_back(place.Name());
  EXPECT_THAT(places,
              ElementsAre("chat/plain/buffered", "chat/plain/streamed", "chat/after/buffered"));
}

TEST(WireCases, OneForEachProbeWhateverItsWays) {
  const Probes probes = TestProbes();
  std::vector<std::string> slugs;
  for (const WireCase& which : WireCasesOf(probes, true)) {
    if (which.fixture != kSurfaceFixture) slugs.push_back(which.fixture + "/" + which.slug);
  }
  EXPECT_THAT(slugs,
              ElementsAre("Probe/serial_chat_plain", "Probe/serial_chat_after",
                          "Probe/serial_chat_alone", "Probe/wide_chat_plain",
                          "Probe/wide_chat_after", "Probe/wide_chat_alone", "Lane/serial_ids",
                          "Lane/serial_end", "Lane/wide_ids", "Lane/wide_end", "Refusals/all"));
}

TEST(Known, WhatAnAnswerSaid) {
  const Probes probes = TestProbes();
  Known known("m");
  known.Learn(probes.probes[0], Surface::kChat, "", Answered("a", 200, kChat));
  EXPECT_EQ(known.values().at("/chat/plain/text"_json_pointer), "said");
  EXPECT_EQ(known.values().at("/chat/plain/prompt_tokens"_json_pointer), 3);
  known.Learn(probes.probes[0], Surface::kChat, "next", Answered("a", 400, kRefused));
  EXPECT_FALSE(known.values().contains("/chat/plain/next"_json_pointer));
}

TEST(PlanAsks, SaysWhatWasNotAnswered) {
  const Probes probes = TestProbes();
  const Known known("m");
  const Transcript nothing;
  const Place place = {probes.Find("after"), Surface::kChat, Way::kBuffered};
  const AskContext context = {&probes, &probes.lanes[0], 0, &known.values(), &nothing};
  EXPECT_THROW(PlanAsks(place, context), NotAnswered);
}

TEST(PlanAsks, AStreamIsHeldToTheWholeAnswer) {
  const Probes probes = TestProbes();
  const Known known("m");
  Transcript so_far;
  so_far.exchanges.push_back(Answered("chat/plain/buffered", 200, kChat));
  const Place place = {probes.Find("plain"), Surface::kChat, Way::kStreamed};
  const auto asks = PlanAsks(place, {&probes, &probes.lanes[1], 0, &known.values(), &so_far});
  ASSERT_THAT(asks, SizeIs(1));
  EXPECT_EQ(asks[0].exchange.same_as, "chat/plain/buffered");
  EXPECT_EQ(asks[0].exchange.lane, "serial");  // this lane hands streams on
  EXPECT_TRUE(asks[0].exchange.requests[0].streamed);
}

TEST(Counters, AtRestEveryRequestHasAnOutcome) {
  const CounterPlaces places = TestProbes().words[0].counters;
  EXPECT_TRUE(IsAtRest(places, {{"running", 0}, {"started", 2}, {"outcomes", {{"a", 2}}}}));
  EXPECT_FALSE(IsAtRest(places, {{"running", 1}, {"started", 2}, {"outcomes", {{"a", 2}}}}));
  EXPECT_FALSE(IsAtRest(places, {{"running", 0}, {"started", 2}, {"outcomes", {{"a", 1}}}}));
}

json Figures(int serial, int wide) {
  return {{"routes", {{"chat", {{"serial", serial}, {"wide", wide}}}}},
          {"outcomes", {{"completed", serial + wide}}}};
}

SessionRecord Recorded(int serial, int wide, int status = 200) {
  SessionRecord record;
  record.name = "serial";
  const std::string name = "chat/plain/buffered";
  record.transcript.exchanges = {Scraped(StatsBefore(name), Figures(0, 0)),
                                 Answered(name, status, status == 200 ? kChat : kRefused),
                                 Scraped(StatsAfter(name), Figures(serial, wide))};
  return record;
}

std::vector<Finding> RoutesOf(const SessionRecord& record) {
  const Probes probes = TestProbes();
  const Place place = {probes.Find("plain"), Surface::kChat, Way::kBuffered};
  return ExamineRoutes(probes, kCandidateSide, probes.lanes[0], place, record);
}

TEST(Routes, TheRightLaneMovesAndNoOther) {
  EXPECT_THAT(RoutesOf(Recorded(1, 0)), IsEmpty());
  EXPECT_THAT(RoutesOf(Recorded(0, 1)), SizeIs(2));  // both lanes are wrong
  EXPECT_THAT(RoutesOf(Recorded(0, 0)), SizeIs(1));
  EXPECT_THAT(RoutesOf(Recorded(2, 0)), SizeIs(1));
  // What was refused entered no lane.
  EXPECT_THAT(RoutesOf(Recorded(0, 0, 400)), IsEmpty());
  EXPECT_THAT(RoutesOf(Recorded(1, 0, 400)), SizeIs(1));
  SessionRecord untold = Recorded(1, 0);
  untold.transcript.exchanges.pop_back();
  EXPECT_THAT(RoutesOf(untold), SizeIs(1));
}

TEST(Routes, EachLaneServesItsShareOfSeveral) {
  Probes probes = TestProbes();
  probes.probes[0].shares["serial"] = {{"serial", 1}, {"wide", 2}};
  const Place place = {probes.Find("plain"), Surface::kChat, Way::kBuffered};
  const auto routes = [&](const SessionRecord& record) {
    return ExamineRoutes(probes, kCandidateSide, probes.lanes[0], place, record);
  };
  EXPECT_THAT(routes(Recorded(1, 2)), IsEmpty());
  EXPECT_THAT(routes(Recorded(0, 3)), SizeIs(2));
  EXPECT_THAT(routes(Recorded(1, 1)), SizeIs(1));
  // What was refused entered no lane.
  EXPECT_THAT(routes(Recorded(0, 0, 400)), IsEmpty());
  EXPECT_THAT(routes(Recorded(1, 2, 400)), SizeIs(2));
}

TEST(Counters, ASumIsThatOfItsParts) {
  const Probes probes = TestProbes();
  const Place place = {probes.Find("plain"), Surface::kChat, Way::kBuffered};
  CounterPlaces places;
  places.sums = {{"/outcomes/completed", {"/routes/chat/serial", "/routes/chat/wide"}}};
  EXPECT_THAT(ExamineSums(places, place, Recorded(1, 2)), IsEmpty());
  places.sums = {{"/outcomes/completed", {"/routes/chat/serial"}}};
  const auto findings = ExamineSums(places, place, Recorded(1, 2));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].got, "3");
  EXPECT_EQ(findings[0].expected, "1, the sum of its parts");
  places.sums = {{"/nowhere", {"/routes/chat/serial"}}};
  EXPECT_THAT(ExamineSums(places, place, Recorded(0, 0)), SizeIs(1));
}

TEST(Routes, CountersMoveAlike) {
  const Probes probes = TestProbes();
  const Place place = {probes.Find("plain"), Surface::kChat, Way::kBuffered};
  EXPECT_THAT(CompareCounters(probes, place, Recorded(1, 0), Recorded(0, 1)), IsEmpty());
  const auto findings = CompareCounters(probes, place, Recorded(1, 0), Recorded(2, 0));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].got, "moved by 2");
}

std::vector<ClassedFinding> Compared(Refusals& refusals, int reference, int candidate,
                                     const std::string& candidates_body = kRefused) {
  Transcript one, other;
  const std::string name = "chat/plain/buffered";
  one.exchanges = {Answered(name, reference, reference == 200 ? kChat : kRefused)};
  other.exchanges = {Answered(name, candidate, candidate == 200 ? kChat : candidates_body)};
  const SideView theirs(one), mine(other);
  return refusals.Compare("serial", theirs.exchanges()[0], mine.exchanges()[0], "2030-01-01");
}

TEST(Refusals, ArePaired) {
  Refusals none;
  EXPECT_THAT(Compared(none, 200, 200), IsEmpty());
  EXPECT_THAT(Compared(none, 400, 400), IsEmpty());
  EXPECT_THAT(Compared(none, 200, 400), SizeIs(1));
  EXPECT_THAT(Compared(none, 400, 200), SizeIs(1));
  EXPECT_THAT(Compared(none, 400, 404), SizeIs(1));
  EXPECT_THAT(Compared(none, 400, 400, R"({"error":{"message":"no","type":"u","code":"c"}})"),
              SizeIs(1));
}

Refusals Classified(const std::string& until) {
  return Refusals::ReadText("r.yaml",
                            "refusals: [{case: chat/plain/buffered, side: candidate, reason: r, "
                            "until: " +
                                until + "}]",
                            TestProbes());
}

TEST(Refusals, OneThatIsClassifiedIsNoFindingUntilItsLastDay) {
  Refusals classified = Classified("2030-01-01"), expired = Classified("2029-12-31");
  EXPECT_THAT(Compared(classified, 200, 400), IsEmpty());
  EXPECT_TRUE(classified.entries()[0].used);
  EXPECT_THAT(Compared(expired, 200, 400), SizeIs(1));
  // Of the other side it excuses nothing.
  Refusals again = Classified("2030-01-01");
  EXPECT_THAT(Compared(again, 400, 200), SizeIs(1));
  EXPECT_TRUE(again.entries()[0].asked);
  EXPECT_FALSE(again.entries()[0].used);
}

TEST(Refusals, BadEntriesAreTold) {
  const auto error = [](const std::string& text) {
    try {
      Refusals::ReadText("r.yaml", text, TestProbes());
      return std::string("no error");
    } catch (const InvalidInput& invalid) {
      return std::string(invalid.what());
    }
  };
  const std::string rest = ", side: candidate, reason: r, until: 2030-01-01}]";
  EXPECT_THAT(error("refusals: [{case: chat/plian/buffered" + rest), HasSubstr("an exchange of"));
  EXPECT_THAT(error("refusals: [{case: chat/plain/buffered, side: mine, reason: r, until: x}]"),
              HasSubstr("\"reference\" or \"candidate\""));
  EXPECT_EQ(error("refusals: []"), "no error");
}

ClassedFinding Found(FindingClass kind) { return {{"C-02", "a", "", "got", "expected"}, kind}; }

TEST(VerdictOf, WhatCountsAgainstTheCandidateFails) {
  using enum FindingClass;
  EXPECT_EQ(VerdictOf({}, 3, "things").outcome, Outcome::kPass);
  EXPECT_EQ(VerdictOf({}, 0, "things").outcome, Outcome::kNotCompared);
  EXPECT_EQ(VerdictOf({Found(kReferenceBreaksCore)}, 0, "things").outcome, Outcome::kNotCompared);
  EXPECT_EQ(VerdictOf({Found(kCandidateBreaksCore)}, 3, "things").outcome, Outcome::kFail);
  EXPECT_EQ(VerdictOf({Found(kCandidateLeavesProfile)}, 3, "things").outcome, Outcome::kFail);
  EXPECT_EQ(VerdictOf({Found(kCandidateBreaksCore)}, 0, "things").outcome, Outcome::kFail);
  EXPECT_EQ(VerdictOf({Found(kBothBreakCore)}, 3, "things").outcome, Outcome::kPassStar);
  EXPECT_EQ(VerdictOf({Found(kReported)}, 3, "things").outcome, Outcome::kPass);
  const Verdict verdict = VerdictOf({Found(kReferenceBreaksCore)}, 3, "things");
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(*FindProperty(verdict, "reference_breaks_core"), "C-02");
}

TEST(VerdictOf, ANoteIsToldAndDecidesNothing) {
  const std::vector<std::string> notes = {"chat/a: C-05: nothing to look at, see W-17"};
  const Verdict verdict = VerdictOf({}, 3, "things", notes);
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_THAT(verdict.findings, ElementsAre("note: chat/a: C-05: nothing to look at, see W-17"));
  EXPECT_EQ(VerdictOf({}, 0, "things", notes).outcome, Outcome::kNotCompared);
}

TEST(VerdictOf, WhatBothDoAloneIsNoFault) {
  const Finding one = {"growth", "a", "", "got", "expected"}, other = {"end", "a", "", "", ""};
  const auto classed = ClassAlone({one}, {one, other});
  ASSERT_THAT(classed, SizeIs(2));
  EXPECT_EQ(classed[0].kind, FindingClass::kBothBreakCore);
  EXPECT_EQ(classed[1].kind, FindingClass::kCandidateBreaksCore);
  EXPECT_EQ(ClassAlone({one}, {})[0].kind, FindingClass::kReferenceBreaksCore);
}

PlaceFindings Examined(const SessionRecord& reference, const SessionRecord& candidate) {
  const Probes probes = TestProbes();
  const ReferenceWays ways = WaysOf({reference});
  SessionPair pair(reference, candidate, probes, ways);
  Refusals refusals;
  const Place place = {probes.Find("plain"), Surface::kChat, Way::kBuffered};
  return ExaminePlace(place, pair, {&probes, &probes.lanes[0], &refusals, "2030-01-01"});
}

bool HasRule(const PlaceFindings& found, const std::string& rule, FindingClass kind) {
  return std::any_of(found.findings.begin(), found.findings.end(),
                     [&](const auto& one) { return one.finding.rule == rule && one.kind == kind; });
}

TEST(ExaminePlace, ServersThatDoTheSame) {
  const PlaceFindings found = Examined(Recorded(1, 0), Recorded(1, 0));
  EXPECT_EQ(found.exchanges, 1u);
  EXPECT_THAT(found.findings, IsEmpty());
}

TEST(ExaminePlace, ADeathOfTheCandidateIsAFinding) {
  SessionRecord dead = Recorded(1, 0);
  dead.deaths.push_back({"chat/plain/buffered", "signal SIGSEGV", true});
  EXPECT_TRUE(HasRule(Examined(Recorded(1, 0), dead), "death", FindingClass::kCandidateBreaksCore));
}

// What was cached before it died is not cached any more.
TEST(ExaminePlace, CountersOfAReferenceThatWasStartedAnewAreNotCompared) {
  SessionRecord reference = Recorded(1, 0);
  reference.deaths.push_back({"chat/other/buffered", "exit status 7", true});
  EXPECT_TRUE(HasRule(Examined(Recorded(1, 0), Recorded(2, 0)), "counters",
                      FindingClass::kCandidateLeavesProfile));
  const PlaceFindings found = Examined(reference, Recorded(2, 0));
  EXPECT_FALSE(HasRule(found, "counters", FindingClass::kCandidateLeavesProfile));
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("started anew")));
}

TEST(LeftOut, WhatTheReferenceDoesNotTell) {
  const Probes probes = TestProbes();
  const Place place = {probes.Find("plain"), Surface::kChat, Way::kBuffered};
  const SessionRecord whole = Recorded(1, 0);
  EXPECT_EQ(WhyLeftOut(place, whole, &whole), "");
  SessionRecord dead = whole, silent = whole;
  dead.deaths.push_back({place.Name(), "exit status 7", true});
  EXPECT_EQ(WhyLeftOut(place, dead, &whole), "exit status 7");
  silent.transcript.exchanges[1].events = {{EventKind::kTimedOut, 9, ""}};
  EXPECT_EQ(WhyLeftOut(place, silent, &whole), "no answer in time");
  // Both wait in vain: alike. A candidate that is silent alone is at fault.
  EXPECT_EQ(WhyLeftOut(place, silent, &silent), "");
  EXPECT_EQ(WhyLeftOut(place, whole, &silent), "");
}

TEST(ExaminePlace, GrowthAndUnrest) {
  SessionRecord leaky = Recorded(1, 0);
  leaky.growth.push_back({"chat/plain/buffered", 7, 9, 0, 1000u << 20});
  leaky.unsettled.push_back("chat/plain/buffered");
  const PlaceFindings found = Examined(Recorded(1, 0), leaky);
  EXPECT_TRUE(HasRule(found, "growth", FindingClass::kCandidateBreaksCore));
  EXPECT_TRUE(HasRule(found, "settle", FindingClass::kCandidateBreaksCore));
  EXPECT_TRUE(HasRule(Examined(leaky, leaky), "growth", FindingClass::kBothBreakCore));
}

TEST(ExaminePlace, AnExchangeThatOnlyOneHasIsAFinding) {
  SessionRecord missing = Recorded(1, 0);
  missing.transcript.exchanges.erase(missing.transcript.exchanges.begin() + 1);
  const PlaceFindings found = Examined(Recorded(1, 0), missing);
  EXPECT_EQ(found.exchanges, 0u);
  EXPECT_TRUE(HasRule(found, "equal.exchange", FindingClass::kCandidateLeavesProfile));
}

TEST(SessionRecord, IsReadAsItWasWritten) {
  SessionRecord record = Recorded(1, 0);
  record.transcript.side = "candidate";
  record.transcript.server = "a server";
  record.deaths.push_back({"a", "died", true});
  record.growth.push_back({"b", 1, 2, 3, 4});
  record.unsettled = {"c"};
  record.end = EndFact{"exit status 3", false, {"12 sh"}};
  const std::string folder = ::testing::TempDir() + "wire_session_record";
  WriteSession(folder, record);
  const SessionRecord read = ReadSession(folder, "serial");
  std::filesystem::remove_all(folder);
  EXPECT_THAT(read.transcript.exchanges, SizeIs(3));
  EXPECT_EQ(read.DeathAt("a")->text, "died");
  EXPECT_FALSE(read.IsOfOneServer());
  EXPECT_EQ(read.GrowthAt("b")->bytes_after, 4u);
  EXPECT_TRUE(read.IsUnsettled("c"));
  EXPECT_EQ(read.end->text, "exit status 3");
  EXPECT_THAT(read.end->left, ElementsAre("12 sh"));
}

TEST(SessionRecord, WhatIsNotThereIsAnError) {
  EXPECT_THROW(ReadSession("/nowhere", "serial"), InvalidInput);
}

}  // namespace
}  // namespace parity::wire
