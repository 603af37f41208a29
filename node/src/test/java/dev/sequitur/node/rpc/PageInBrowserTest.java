package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.guard.GuardSettings.Authentication;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.protocol.guard.ApiToken;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Role;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.ScheduleQuery;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The node's page as a person sees it, over a fake node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageInBrowserTest {
  private final RunningRpc rpc =
      new RunningRpc(
          RpcSettings.loopback(0)
              .withWebhooks(
                  new WebhookSettings(
                      AllowedAddresses.of(List.of("127.0.0.1/32")),
                      true,
                      8,
                      1,
                      Duration.ofMillis(20),
                      Duration.ofMillis(200),
                      Duration.ofSeconds(5))));
  private Browser browser;

  @BeforeAll
  void open() {
    browser = Browser.open();
    rpc.scheduler.withALittleOfEverything();
  }

  @AfterAll
  void close() {
    if (browser != null) {
      browser.close();
    }
    rpc.close();
  }

  @AfterEach
  void theBrowserHadNothingToComplainOf() {
    assertThat(browser.complaints()).isEmpty();
  }

  private void show(String address) {
    browser.show(rpc.uri("/page/" + address).toString());
  }

  @Test
  void aContractShowsWhoCoordinatesNowAndNextAndWhoIsAway() {
    show("#/contract/" + Sample.CONTRACT);

    browser.await("#coordinator", "node2 coordinates at block 8.", "From block 100 on");
    browser.await(
        ".members",
        "coordinates",
        "Nearest to the range's point.",
        "away",
        "tried again in",
        "It did not answer a delegation.",
        "The ranking of blocks 0 to 99");
    browser.await(".warning", "Held off:", "It ends in", "at the latest");
    browser.await("#oldest", "ago", "Delegated", "node2", "The coordinator gathers endorsements.");
    browser.await(".ranges", "from 0", "from 100");
    assertThat(browser.all(".ring .part")).hasSize(2);
  }

  @Test
  void aContractThatTheNodeDoesNotKnowIsSaidToBeUnknown() {
    show("#/contract/0x2222222222222222222222222222222222222222");
    browser.await(".problem", "in no privacy group of the contract 0x2222");
  }

  @Test
  void aTransactionShowsItsStateWhatItWaitsForAndItsMessages() {
    show("#/transaction/" + Sample.PENDING);

    browser.await("#state", "Delegated", "It waits for: The coordinator gathers endorsements.");
    browser.await(".states .present", "Delegated");
    browser.await(".sequence", "sender", "node1", "coordinator", "node2", "DelegationCommand");
    assertThat(browser.all(".sequence .message")).hasSize(2);
    browser.await("main", "No answer from node3", "Delegated to node2.", "alice@node1");
  }

  @Test
  void aTransactionThatHasEndedShowsItsReceipt() {
    show("#/transaction/" + Sample.CONFIRMED);
    browser.await("main", "Receipt", "confirmed", "Block");
  }

  @Test
  void theFirstPageSaysWhatNeedsAttention() {
    show("");
    browser.await("h1", "Overview");
    browser.await("#health", "Calls can");
    browser.await("#stuck", "of ", "not ended.");
    browser.await(
        "main",
        "Waits for longer than a minute",
        Sample.PENDING.toString().substring(0, 8),
        "Failed last",
        "Who coordinates",
        "What runs next");
  }

  @Test
  void transactionsAreListedWithStateAndThoseThatFailedOrWaitByThemselves() {
    show("#/transactions");
    browser.await(".rows", "State", "Confirmed", "Delegated");
    show("#/transactions?show=open");
    browser.await(".rows", "Waits for", "The coordinator gathers endorsements.", "ago");
    show("#/transactions?show=failed");
    browser.await("main", "have failed, of all owners, among the last 5,000 that have ended.");
  }

  @Test
  void theNodeShowsItsJvmsWithWhatMoves() {
    show("#/node");
    browser.await(
        "#jvms",
        "10.0.0.1:25520",
        "answers this page",
        "ledger-indexer",
        "gas-keeper",
        "128 shards, 8 to go;",
        "10.0.0.2:25520",
        "120 shards, 8 to come;",
        "12 coordinator, 12 sender in memory",
        "4,530 envelopes in, 1,200 out");
    assertThat(browser.all("#jvms .bar .goes")).hasSize(2);
  }

  /** A node whose health says something. */
  private static final String DEGRADED =
      """
      (() => {
        const real = window.fetch;
        window.fetch = async (path, options) => path.endsWith('health')
          ? new Response(JSON.stringify({status: 'DEGRADED', ready: true, live: true, remarks: [], peers: [],
              ledger: {}, troubles: ['The disk is nearly full.', 'A certificate ends.']}))
          : real(path, options);
        location.hash = '#/schedules';
        return true;
      })()""";

  @Test
  void eachPageSaysThatTheNodeHasTrouble() {
    show("#/transactions");
    browser.evaluate(DEGRADED);
    browser.await("#trouble", "DEGRADED", "The disk is nearly full.", "And 1 more.");
  }

  @Test
  void onAPhoneEachPageIsSeenWithoutMovingItSideways() {
    browser.isWide(390);
    try {
      show("#/transactions");
      browser.evaluate(
          DEGRADED.replace("nearly full", Sample.CONTRACT.toString()).replace("#/schedules", ""));
      for (var address :
          List.of("", "#/contract/" + Sample.CONTRACT, "#/transactions", "#/schedules", "#/node")) {
        browser.evaluate("location.hash = '" + address + "'");
        browser.await("body", "The disk is 0x1111");
        assertThat(browser.evaluate("document.documentElement.scrollWidth"))
            .as("the width of %s", address)
            .isEqualTo(390L);
      }
      browser.evaluate("location.hash = '#/transactions?show=open'");
      browser.await(".rows", "The coordinator gathers endorsements.");
      var reason = "document.querySelector('.rows .row:not(.head) > :last-child')";
      assertThat(browser.evaluate(reason + ".scrollWidth <= " + reason + ".clientWidth"))
          .isEqualTo(true);
    } finally {
      browser.isWide(1280);
    }
  }

  @Test
  void timesAreToldWithDateMillisecondsAndZone() {
    show("#/transaction/" + Sample.CONFIRMED);
    browser.await("header", "Times in UTC");
    assertThat(browser.find("main time").getText())
        .matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}");
  }

  @Test
  void theDiagramHasALaneForEachNodeAndCutsNoText() {
    show("#/transaction/" + Sample.PENDING);
    browser.await(".sequence", "DelegationCommand", "sender → coordinator");
    assertThat(browser.all(".sequence .participant")).hasSize(2);
    assertThat(browser.find(".sequence").getText()).doesNotContain("…");
  }

  @Test
  void transactionsAreFoundByKeyIdAndOwnerAndEachFindHasItsAddress() {
    show("#/transactions");
    browser.await(".rows", Sample.PENDING.toString());
    search("invoice-7");
    browser.await("h1", "Transaction");
    browser.await("main", "invoice-7");
    show("#/transactions");
    search(Sample.PENDING.toString());
    browser.await("#state", "Delegated");
    show("#/transactions");
    search("alice@node1");
    browser.await(".rows", Sample.PENDING.toString());
    assertThat(browser.address()).endsWith("#/transactions?from=alice%40node1");
    search("no-such-key");
    browser.await(".problem", "No transaction was sent under the key");
  }

  private void search(String wanted) {
    var field = browser.find("#wanted");
    field.clear();
    field.sendKeys(wanted, Keys.ENTER);
  }

  /** Answers of a node that has ten thousand, in pages as it gives them. */
  static final String TEN_THOUSAND =
      """
      (() => {
        const all = Array.from({length: 10000}, (_, i) => ({
          id: '00000000-0000-4000-8000-' + String(i).padStart(12, '0'),
          created: new Date(Date.UTC(2026, 0, 2) - i * 1000).toISOString(),
          type: 'private', domain: 'token', function: 'transfer', from: 'alice@node1', to: '0x' + '1'.repeat(40),
          state: 'Confirmed', receipt: {}}));
        const real = window.fetch;
        window.fetch = async (path, options) => {
          const {method, params} = JSON.parse(options?.body ?? '{}');
          if (method !== 'ptx_queryTransactionsFull') return real(path, options);
          const from = params[0].after ? all.findIndex(it => it.id === params[0].after) + 1 : 0;
          const result = all.slice(from, from + params[0].limit);
          return new Response(JSON.stringify({jsonrpc: '2.0', id: 1, result}));
        };
        location.hash = '#/transactions';
        return true;
      })()""";

  @Test
  void ofTenThousandRowsOnlyThoseThatAreSeenAreThere() {
    show("#/contracts");
    browser.evaluate(TEN_THOUSAND);
    browser.await(".rows", "00000000-0000-4000-8000-000000000000");
    // Each time the end comes into sight, the next page is asked for.
    browser.evaluate(
        "setInterval(() => document.querySelector('.rows .box')?.scrollTo(0, 1e9), 20)");
    browser.await("main > p", "10,000 in all.");
    browser.await(".rows", "00000000-0000-4000-8000-000000009999");
    assertThat(browser.all(".rows .row")).hasSizeLessThan(80);
  }

  @Test
  void schedulesShowWhatRunsNextAndWhetherTheMoneyIsAllThere() {
    show("#/schedules");
    browser.await(".families", "recurring", "active", "waiting");
    browser.await(".rows", "recurring", "alice");
    browser.await(".calendar", "Mon", "Sun");
    assertThat(browser.all(".timeline rect")).hasSize(48);
    browser.find("main p button").click();
    browser.await("#audit", "conserved", "Nothing was made or lost");
  }

  @Test
  void aScheduleIsFoundByItsId() {
    var id =
        rpc.result("schedule_list", "[{\"owner\":\"carol\"}]").at("/schedules/0/id").textValue();
    show("#/schedules");
    browser.find("#id").sendKeys(id, Keys.ENTER);
    browser.await("h1", "Schedule");
    browser.await("main", "carol");
    show("#/schedules?queue=other");
    browser.find("#id").sendKeys(id, Keys.ENTER);
    browser.await(".problem", "The queue other has no schedule " + id);
  }

  @Test
  void aScheduleSaysWhyItHasNotRun() {
    show("#/schedules?family=recurring&state=parked");
    browser.find(".rows .box a").click();
    browser.await("h1", "Schedule");
    browser.await("#why", "parked");
    browser.await("main", "carol", "Its outcomes", "run");
    assertThat(browser.address()).contains("#/schedule/recurring%3A", "queue=default");
  }

  @Test
  void aScheduleSaysHowFullTheTimeIsAtWhichItIsDue() {
    var task =
        rpc.result(
            "recurring_scheduleNotifyTask",
            "[{\"owner\":\"alice\",\"providedId\":\"tea\",\"first\":\"2026-11-21T14:00:00Z\",\"frequency\":\"PT1H\",\"message\":\"tea\"}]");
    show("#/schedule/" + task.get("taskId").asText() + "?queue=default");
    browser.await("#why", "waiting");
    browser.await("#forecast", "room");
    browser.await("main", "1 of 256");
  }

  /** Blocks run a hundred in a tick, and give up what is a hundred ticks late. */
  @Test
  void thatSomeOfATimeWillExpireIsSaidBeforeThatMoreCouldCome() {
    var id = rpc.scheduler.crowd(10_200, Sample.NOW.plus(Duration.ofHours(5)));
    show("#/schedule/" + id + "?queue=crowd");
    browser.await(
        "#forecast", "100 of the 10,200 will expire, since no block comes to them in time.");
  }

  /** Nothing is done before it is known what would come of it. */
  @Test
  void aPaymentIsTriedAndThenScheduledOnThePageAndItsOutcomeStandsInWords() {
    show("#/schedules?queue=new");
    browser.await(".families", "recurring", "active");
    rpc.result("schedule_fund", "[{\"account\":\"alice\",\"amount\":\"100\",\"queue\":\"new\"}]");
    browser.find("#schedule-it summary").click();
    browser.find("#create-owner").sendKeys("alice");
    browser.find("#create-amount").sendKeys("5");
    browser.find("#create-to").sendKeys("bob");
    browser.find("#create-labels").sendKeys("rent flat");
    browser.find("#schedule-it button").click();
    browser.await("#schedule-it .problem", "Say when");
    browser.evaluate("document.querySelector('#create-at').value = '2026-11-22T10:00:00'");
    browser.find("#schedule-it button").click();
    browser.await("#trial", "Set aside", "15", "Then left", "85", "Its place", "1 of 100");
    assertThat(rpc.result("schedule_list", "[{\"queue\":\"new\"}]").get("schedules")).isEmpty();

    browser.find("#trial button").click();
    browser.await("#made", "Scheduled as gas-priority:");
    var made = rpc.result("schedule_list", "[{\"queue\":\"new\"}]").at("/schedules/0");
    assertThat(made.at("/target/amount").asText()).isEqualTo("5");
    assertThat(made.get("labels").toString()).isEqualTo("[\"flat\",\"rent\"]");

    rpc.result(
        "schedule_runNow",
        "[{\"id\":\"%s\",\"as\":\"alice\",\"queue\":\"new\"}]".formatted(made.get("id").asText()));
    show("#/schedule/" + made.get("id").asText() + "?queue=new");
    browser.await("#outcomes", "paid 5 to bob, 0 ms late, 10 charged, balance 85");
  }

  @Test
  void afterAnOutageItIsToldInHoursHowLateARunWas() {
    show("#/schedules");
    browser.await(".families", "recurring", "active");
    browser.evaluate(
        """
        import('/page/outcome.js').then(({ words }) => {
          const said = document.body.appendChild(document.createElement('p'));
          said.id = 'said';
          said.textContent = words({ outcome: 'run', attempts: [{ lateMs: 86100000 }],
            target: { type: 'transfer', amount: '5', to: 'bob' } });
        }), 0
        """);
    browser.await("#said", "paid 5 to bob, 23 h 55 min late");
  }

  /** Else a button would schedule what nobody sees any more. */
  @Test
  void aTrialSaysWhatItWouldScheduleAndGoesWhenTheFormIsChanged() {
    show("#/schedules?queue=tries");
    browser.await(".families", "recurring", "active");
    rpc.result("schedule_fund", "[{\"account\":\"alice\",\"amount\":\"100\",\"queue\":\"tries\"}]");
    browser.find("#schedule-it summary").click();
    browser.find("#create-owner").sendKeys("alice");
    browser.find("#create-amount").sendKeys("5");
    browser.find("#create-to").sendKeys("bob");
    browser.evaluate("document.querySelector('#create-at').value = '2026-11-25T00:00:00'");
    browser.find("#schedule-it button").click();
    browser.await("#trial", "Who pays\nalice", "Pays\n5", "To\nbob", "At\n2026-11-25 00:00:00.000");

    browser.find("#create-amount").sendKeys("0");
    browser.find("body:not(:has(#trial))");

    browser.find("#create-message").sendKeys("rent");
    browser.find("#schedule-it button").click();
    browser.await("#schedule-it .problem", "A message pays nothing");
    browser.find("#create-message").clear();
    browser.find("#create-cron").sendKeys("0 9 * * *");
    browser.find("#create-every").sendKeys("PT1H");
    browser.find("#schedule-it button").click();
    browser.await("#schedule-it .problem", "By cron or every so long");
    browser.find("#create-every").clear();
    browser.find("#schedule-it button").click();
    browser.await(
        "#trial",
        "Pays\n50",
        "By cron\n0 9 * * * in UTC",
        "Not before\n2026-11-25 00:00:00.000",
        "2026-11-25 09:00:00.000");
    browser.find("#trial button").click();
    browser.await("#made", "Scheduled as recurring:");
    var made = rpc.result("schedule_list", "[{\"queue\":\"tries\"}]").at("/schedules/0");
    assertThat(made.at("/terms/notBefore").asText()).isEqualTo("2026-11-25T00:00:00Z");
    assertThat(made.at("/target/amount").asText()).isEqualTo("50");
  }

  /** As the command {@code every} does. */
  @Test
  void aFrequencyWithoutATimeBeginsAtTheNextFreeSlot() {
    show("#/schedules?queue=frequent");
    browser.await(".families", "recurring", "active");
    rpc.result(
        "schedule_fund", "[{\"account\":\"alice\",\"amount\":\"100\",\"queue\":\"frequent\"}]");
    browser.find("#schedule-it summary").click();
    browser.find("#create-owner").sendKeys("alice");
    browser.find("#create-message").sendKeys("still here");
    browser.find("#create-every").sendKeys("PT1M");
    browser.find("#schedule-it button").click();
    browser.await("#trial", "Says\nstill here", "Every\nPT1M", "First\n2026-");

    browser.find("#trial button").click();
    browser.await("#made", "Scheduled as recurring:");
    var made = rpc.result("schedule_list", "[{\"queue\":\"frequent\"}]").at("/schedules/0");
    assertThat(made.at("/terms/first").asText()).endsWith(":00Z");
  }

  @Test
  void whatIsNeitherYesNorNoIsNotTakenForNo() {
    var id =
        rpc.result(
                "gasPriority_insert",
                "[{\"senderAddr\":\"alice\",\"scheduledTimeMs\":\"2026-11-24T10:00:00Z\",\"setAside\":true,\"target\":{\"type\":\"transfer\",\"to\":\"dora\",\"amount\":\"7\"}}]")
            .get("id")
            .asText();
    show("#/schedule/" + id + "?queue=default");
    browser.await("#deeds", "Cancel it");
    browser.find("#change summary").click();
    browser.find("#change-setAside").clear();
    browser.find("#change-setAside").sendKeys("true");
    browser.find("#change button").click();
    browser.await("#change .problem", "yes or no");
    assertThat(rpc.result("schedule_get", "[\"" + id + "\"]").at("/terms/setAside").asBoolean())
        .isTrue();
    rpc.result("schedule_cancel", "[{\"id\":\"" + id + "\",\"as\":\"alice\"}]");
  }

  /** All that its owner may say of a series. */
  @Test
  void policiesAreChangedOnThePage() {
    var task =
        rpc.result(
            "recurring_scheduleNotifyTask",
            "[{\"owner\":\"alice\",\"providedId\":\"row\",\"first\":\"2026-11-21T14:00:00Z\",\"frequency\":\"PT4H\",\"message\":\"row\"}]");
    var id = task.get("taskId").asText();
    show("#/schedule/" + id + "?queue=default");
    browser.await("#deeds", "Cancel it");
    browser.find("#change summary").click();
    browser.find("#change-overlap").clear();
    browser.find("#change-overlap").sendKeys("skip");
    browser.find("#change-jitter").sendKeys("PT1H");
    browser.find("#change-pauseAfter").sendKeys(Keys.BACK_SPACE, "3");
    browser.find("#change-attempts").sendKeys(Keys.BACK_SPACE, "4");
    browser.find("#change-pauses").sendKeys("PT1M PT10M");
    browser.find("#change-notAfter").sendKeys("2027-06-30T12:00:00Z");
    browser.find("#change button").click();
    browser.await("#interventions", "change by alice");

    var changed = rpc.result("schedule_get", "[\"" + id + "\"]");
    assertThat(changed.at("/terms/overlap").asText()).isEqualTo("skip");
    assertThat(changed.at("/terms/jitter").asText()).isEqualTo("PT1H");
    assertThat(changed.at("/terms/pauseAfter").asInt()).isEqualTo(3);
    assertThat(changed.at("/terms/notAfter").asText()).isEqualTo("2027-06-30T12:00:00Z");
    assertThat(changed.get("maxAttempts").asInt()).isEqualTo(4);
    assertThat(changed.get("pauses").toString()).isEqualTo("[\"PT1M\",\"PT10M\"]");
    rpc.result("schedule_cancel", "[{\"id\":\"" + id + "\",\"as\":\"alice\"}]");
  }

  @Test
  void aScheduleIsFoundByItsLabelForeseenAndPausedFromItsPage() {
    rpc.result(
        "recurring_scheduleNotifyTask",
        "[{\"owner\":\"alice\",\"providedId\":\"walk\",\"first\":\"2026-11-21T14:00:00Z\",\"frequency\":\"PT1H\",\"message\":\"walk\",\"description\":\"the dog\",\"labels\":[\"home\"]}]");
    show("#/schedules?label=home");
    browser.await(".rows", "alice", "home");
    browser.find(".rows .box a").click();
    browser.await("main", "the dog", "home", "When it runs next");
    browser.find("#times li");
    assertThat(browser.all("#times li")).hasSize(10);
    browser.await("#deeds", "Cancel it");
    assertThat(browser.all("#deeds button"))
        .extracting(WebElement::getText)
        .containsExactly("Run it now", "Skip the next time", "Pause it", "Cancel it");

    browser.all("#deeds button").get(2).click();
    browser.await("#why", "parked: paused");
    browser.await("#interventions", "pause by alice");
    browser.await("#deeds", "Resume it");
    browser.all("#deeds button").get(1).click();
    browser.await("#why", "waiting");
    browser.await("#interventions", "resume by alice");
  }

  @Test
  void aScheduleIsPausedWithANoteAndChangedFromItsPage() {
    var task =
        rpc.result(
            "recurring_scheduleNotifyTask",
            "[{\"owner\":\"alice\",\"providedId\":\"swim\",\"first\":\"2026-11-21T14:00:00Z\",\"frequency\":\"PT1H\",\"message\":\"swim\",\"labels\":[\"sport\"]}]");
    var id = task.get("taskId").asText();
    show("#/schedule/" + id + "?queue=default");
    browser.await("#deeds", "Cancel it");
    browser.find("#note").sendKeys("the pool is shut");
    browser.all("#deeds button").get(2).click();
    browser.await("#why", "parked: paused");
    browser.await("#interventions", "pause by alice: the pool is shut");

    browser.find("#change summary").click();
    browser.find("#change-message").sendKeys(" a mile");
    browser.find("#change-labels").sendKeys(" health");
    browser.find("#change-description").sendKeys("before work");
    browser.find("#change-note").sendKeys("longer");
    browser.find("#change button").click();
    browser.await("#interventions", "change by alice: longer");
    browser.await("main", "before work", "health", "sport");
    assertThat(rpc.result("schedule_get", "[\"" + id + "\"]").at("/target/message").asText())
        .isEqualTo("swim a mile");

    browser.find("#back-fill summary").click();
    browser.evaluate("document.querySelector('#fill-from').value = '2030-11-21T10:00'");
    browser.evaluate("document.querySelector('#fill-until').value = '2030-11-21T11:00'");
    browser.find("#back-fill button").click();
    browser.await("#back-fill .problem", "passed");
    rpc.result("schedule_cancel", "[{\"id\":\"" + id + "\",\"as\":\"alice\"}]");
  }

  @Test
  void anAccountShowsWhatItCanSpendAndWhatCausedIt() {
    rpc.result(
        "gasPriority_insert",
        "[{\"senderAddr\":\"alice\",\"scheduledTimeMs\":\"2026-11-21T11:00:00Z\",\"maxGasAmount\":\"10\",\"maxGasUnitPrice\":\"1\",\"target\":{\"type\":\"transfer\",\"to\":\"dora\",\"amount\":\"7\"}}]");
    show("#/schedules?owner=alice");
    browser.await(".rows", "alice");
    show("#/account/carol?queue=default");
    browser.await("h1", "Account carol");
    browser.await("main", "Can spend", "those that it owns");
    browser.await("#statement", "Time", "Amount");
  }

  @Test
  void allTimesOfASeriesStandInTheCalendarAndOnTheirDay() {
    rpc.result(
        "recurring_scheduleNotifyTask",
        "[{\"owner\":\"alice\",\"providedId\":\"daily\",\"first\":\"2026-11-22T12:00:00Z\",\"frequency\":\"PT24H\",\"message\":\"noon\",\"labels\":[\"noon\"]}]");
    var plan =
        rpc.result(
            "schedule_calendar",
            "[{\"label\":\"noon\",\"from\":\"2026-11-21T10:00:00Z\",\"until\":\"2026-12-01T00:00:00Z\"}]");
    assertThat(plan.get("times")).hasSize(9);
    show("#/schedules?label=noon");
    browser.await(".rows", "noon");
    browser.await("main", "1 that wait or run");
  }

  /** Of one that alice has made and signed, and 0.0.1002 is to pay for. */
  @Test
  void aScheduleThatWaitsForOthersSaysWhoPaysWhomWhoHasApprovedItAndWhatTheyType() {
    show("#/schedule/0.0.1003?queue=default");
    browser.await("#transfers", "0.0.1001 pays 1", "0.0.1002 gets 1");
    browser.await("#approvals", "1 of 2 have not approved it yet.");
    browser.await("main", "Pays for its run", "0.0.1002", "Expires", "to be deleted");
    browser.await("main table", "0.0.1001", "yes", "0.0.1002", "not yet");
    browser.await(
        "#sign",
        "./sequitur schedule approve 0.0.1003 --key-file FILE --queue default --node "
            + rpc.uri("/"));
    assertThat(browser.all("#deeds button")).isEmpty();
  }

  @Test
  void aListOfDaysOffAndAWebhookAreMadeOnThePage() {
    show("#/schedules");
    // All of it stands above, and moves it once it is there.
    browser.await(".families", "recurring", "waiting");
    browser.await(".rows", "alice");
    browser.await(".calendar", "Mon", "Sun");
    browser.await("main", "There is no list of days off.");
    browser.find("#set-days-off summary").click();
    browser.find("#days-off-name").sendKeys("feasts");
    browser.find("#days-off-days").sendKeys("2030-12-25, 2030-12-26");
    browser.find("#set-days-off button").click();
    browser.await("#days-off", "feasts: 2 days in UTC, 0 series stand on it");
    assertThat(rpc.result("recurring_daysOff", "[{}]").at("/0/days").toString())
        .isEqualTo("[\"2030-12-25\",\"2030-12-26\"]");

    show("#/webhooks");
    browser.find("#make-webhook summary").click();
    browser.find("#webhook-name").sendKeys("ledger");
    browser.find("#webhook-url").sendKeys("http://127.0.0.1:1/");
    browser.find("#webhook-owner").sendKeys("dora");
    browser.find("#make-webhook button").click();
    browser.await("#make-webhook [role=status]", "ledger was made", "shown this once");
    browser.await("#webhook-ledger", "started", "Queue default");
    var made = rpc.result("events_getWebhook", "[\"ledger\"]");
    assertThat(made.at("/filters/owner").asText()).isEqualTo("dora");
    rpc.result("events_deleteWebhook", "[\"ledger\"]");
    rpc.result("recurring_removeDaysOff", "[{\"name\":\"feasts\"}]");
  }

  @Test
  void aWebhookShowsWhatItsReceiverHasRefusedAndSendsItAgain() throws IOException {
    var status = new AtomicInteger(400);
    var receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status.get(), -1);
          }
        });
    receiver.start();
    try {
      rpc.result(
          "events_createWebhook",
          "[{\"name\":\"books\",\"url\":\"http://127.0.0.1:%d/\"}]"
              .formatted(receiver.getAddress().getPort()));
      show("#/webhooks");
      browser.await("#webhook-books", "started", "dead", "Stop it", "Show what is dead");
      browser.all("#webhook-books button").get(1).click();
      browser.await("#webhook-books .sentences", "\"number\":6,\"type\":\"ended\"");
      browser.await("#webhook-books", "Send them again");
      status.set(204);
      browser.all("#webhook-books button").get(2).click();
      browser.await("#webhook-books [role=status]", "taken");
      browser.all("#webhook-books button").get(0).click();
      browser.await("#webhook-books h2", "stopped");
    } finally {
      rpc.result("events_deleteWebhook", "[\"books\"]");
      receiver.stop(0);
    }
  }

  @Test
  void theNodeShowsItsHealthItsPeersAndCharts() {
    show("#/node");
    browser.await("h1", "Node node1");
    browser.await("#health", "Calls can");
    browser.find(".chart canvas");
  }

  @Test
  void itIsUsedWithTheKeyboardAlone() {
    show("#/contracts");
    browser.await("h1", "Contracts");
    browser.find("nav a").sendKeys(Keys.TAB, Keys.TAB, Keys.TAB, Keys.TAB, Keys.TAB);
    assertThat(browser.focused().getText()).isEqualTo("Node");
    browser.press(Keys.ENTER);
    browser.await("h1", "Node");
    assertThat(browser.address()).endsWith("/page/#/node");
    assertThat(browser.focused().getTagName()).isEqualTo("main");
  }

  @Test
  void nothingIsAskedOfAnotherHost() {
    show("#/node");
    browser.find(".chart canvas");
    var elsewhere =
        browser.evaluate(
            "performance.getEntriesByType('resource').map(it => it.name).filter(it => !it.startsWith(location.origin)).join()");
    assertThat(elsewhere).isEqualTo("");
  }

  @Test
  void aNodeThatAsksWhoCallsIsShownToWhoEntersAToken(@TempDir Path directory) throws IOException {
    var tokens = directory.resolve("tokens.json");
    var settings =
        GuardSettings.of(tokens)
            .withAuthentication(Authentication.REQUIRED)
            .withRoles(Map.of("reader", new Role(Set.of(MethodGroup.READ), Map.of())));
    var secret = token(tokens, "reader");
    try (var guarded = RunningRpc.guarded(settings)) {
      browser.show(guarded.uri("/page/#/node").toString());
      browser.await(".sign-in", "This node asks who calls.");
      browser.find("#token").sendKeys(secret, Keys.ENTER);
      browser.await("h1", "Node node1");
      assertThat(browser.all(".sign-in")).isEmpty();
      assertThat(browser.evaluate("document.cookie")).isEqualTo("");
      assertThat(browser.evaluate("localStorage.length")).isEqualTo(0L);
    }
    assertThat(browser.complaints()).allMatch(complaint -> complaint.contains("401"));
  }

  /** By a role that only reads. */
  @Test
  void whatSomebodyMayNotDoIsNotShownAsAButton(@TempDir Path directory) throws IOException {
    var tokens = directory.resolve("tokens.json");
    var reader =
        new Role(
            Set.of(MethodGroup.READ),
            Map.of(Named.Kind.QUEUES, List.of("*"), Named.Kind.ACCOUNTS, List.of("*")));
    var settings =
        GuardSettings.of(tokens)
            .withAuthentication(Authentication.REQUIRED)
            .withRoles(Map.of("reader", reader));
    var secret = token(tokens, "reader");
    try (var guarded = RunningRpc.guarded(settings)) {
      guarded.scheduler.withALittleOfEverything();
      var carols =
          new ScheduleQuery(
              Optional.empty(),
              Optional.of(new AccountId("carol")),
              Optional.empty(),
              Optional.empty(),
              1);
      var page = guarded.scheduler.schedules(QueueName.DEFAULT, carols);
      var parked = page.toCompletableFuture().join().schedules().getFirst().schedule().id();
      browser.show(guarded.uri("/page/#/schedule/" + parked + "?queue=default").toString());
      browser.find("#token").sendKeys(secret, Keys.ENTER);
      browser.await("#deeds", "No role of yours lets you act for carol");
      assertThat(browser.all("#deeds button, #change, #back-fill")).isEmpty();
      browser.evaluate("location.hash = '#/schedules'");
      browser.await(".families", "recurring", "active");
      browser.await("main", "There is no list of days off.");
      assertThat(browser.all(".families button, #set-days-off, #schedule-it")).isEmpty();
      browser.evaluate("location.hash = '#/webhooks'");
      browser.await("main", "There is no webhook");
      assertThat(browser.all("#make-webhook")).isEmpty();
    }
    assertThat(browser.complaints()).allMatch(complaint -> complaint.contains("401"));
  }

  private static String token(Path tokens, String role) throws IOException {
    var made =
        ApiToken.make(
            new ApiToken.Grant("page", List.of(role), Instant.now(), Optional.empty()),
            new byte[40]);
    new TokenFile(tokens).update(all -> all.with(made.token(), Instant.now()));
    return made.secret();
  }

  /** Texts whose contrast with what is behind them is less than WCAG's AA wants, each once. */
  private static final String UNREADABLE =
      """
      (() => {
        const rgb = (color) => color.match(/[\\d.]+/g).map(Number);
        const light = ([r, g, b]) => [r, g, b].map(it => it / 255)
          .map(it => it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4)
          .reduce((sum, it, i) => sum + it * [0.2126, 0.7152, 0.0722][i], 0);
        const behind = (element) => {
          for (let at = element; at; at = at.parentElement) {
            const color = rgb(getComputedStyle(at).backgroundColor);
            if (color.length === 3 || color[3] > 0) return color;
          }
          return [255, 255, 255];
        };
        const found = new Set();
        for (const element of document.querySelectorAll('body *')) {
          const words = [...element.childNodes].filter(it => it.nodeType === 3).map(it => it.data.trim()).join('');
          if (!words || element.closest('svg, canvas')) continue;
          const [one, other] = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
          const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
          if (contrast < 4.5) found.add(`${contrast.toFixed(1)} ${element.tagName}.${element.className}: ${words.slice(0, 30)}`);
        }
        return [...found].join('; ');
      })()""";

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void whatIsWrittenCanBeRead(String mode) {
    var pages =
        Map.of(
            "#/overview",
            "#health",
            "#/contract/" + Sample.CONTRACT,
            "#coordinator",
            "#/transactions",
            ".rows .row a",
            "#/transactions?show=open",
            ".rows .row a",
            "#/transaction/" + Sample.PENDING,
            "#state",
            "#/transaction/" + Sample.CONFIRMED,
            "main dd",
            "#/schedules",
            ".rows .row a",
            "#/node",
            "#health");
    browser.prefers(mode);
    try {
      pages.forEach(
          (page, shown) -> {
            show(page);
            browser.find(shown);
            assertThat(browser.evaluate(UNREADABLE)).as(mode + " " + page).isEqualTo("");
            var dark = browser.evaluate("getComputedStyle(document.body).backgroundColor");
            assertThat(dark)
                .isEqualTo(mode.equals("dark") ? "rgb(20, 24, 31)" : "rgb(255, 255, 255)");
          });
    } finally {
      browser.prefers("light");
    }
  }

  @Test
  void anAddressThatThePageDoesNotHaveSaysSo() {
    show("#/nowhere");
    browser.await("main", "The page has no");
  }
}
