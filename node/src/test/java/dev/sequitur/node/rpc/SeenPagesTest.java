package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.RpcSettings.Limits;
import dev.sequitur.node.rpc.RpcSettings.Timeouts;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Role;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.recurring.Recurring;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of schedules for who may see few of many: no look goes through the whole queue. */
class SeenPagesTest {
  private static final int OTHERS = 300;
  private static final int LOOKS = 50;
  private static final int AT_ONCE = 10;

  @TempDir Path directory;

  private GuardedCallers callers;
  private final Set<String> others = new HashSet<>();
  private final Set<String> own = new HashSet<>();

  @BeforeEach
  void start() {
    var all = GuardedCallers.role(Set.of(MethodGroup.values()), "*", "*", "*", "*");
    var few = GuardedCallers.submits("mallory@node1", "default", "mallory", "0x" + "22".repeat(20));
    var limits = Limits.DEFAULT.withQueryScan(LOOKS);
    var timeouts = Timeouts.DEFAULT.withCall(Duration.ofSeconds(2));
    callers =
        new GuardedCallers(
            directory,
            Map.<String, Role>of("all", all, "few", few),
            settings -> settings,
            RpcSettings.loopback(0).withLimits(limits).withTimeouts(timeouts));
    callers.rpc.scheduler.withALittleOfEverything();
    for (var account : List.of("carol", "mallory")) {
      callers.call(
          "all",
          "schedule_fund",
          "[{\"account\":\"%s\",\"amount\":\"100000000\"}]".formatted(account));
    }
    for (int i = 0; i < OTHERS; i++) {
      others.add(insert("carol", i));
    }
    for (int i = 0; i < 3; i++) {
      own.add(insert("mallory", i));
    }
    callers.rpc.scheduler.looksAt = AT_ONCE;
    callers.rpc.scheduler.pagesRead = 0;
  }

  private static final int LITTLE = 2;

  private String insert(String sender, int number) {
    var answer =
        callers.call(
            "all",
            "gasPriority_insert",
            "[{\"senderAddr\":\"%s\",\"scheduledTimeMs\":\"%s\",\"maxGasAmount\":\"100\",\"maxGasUnitPrice\":\"3\",\"target\":{\"type\":\"transfer\",\"to\":\"bob\",\"amount\":\"1\"}}]"
                .formatted(sender, Sample.NOW.plusSeconds(600 + number)));
    assertThat(answer.at("/result/id").isTextual()).as(answer.toString()).isTrue();
    return answer.at("/result/id").textValue();
  }

  @AfterEach
  void stop() {
    callers.close();
  }

  private JsonNode list(Optional<String> after) {
    return list("gas-priority", after);
  }

  private JsonNode list(String family, Optional<String> after) {
    var answer =
        callers.call(
            "few",
            "schedule_list",
            "[{\"family\":\"%s\"%s}]"
                .formatted(family, after.map(id -> ",\"after\":\"" + id + "\"").orElse("")));
    assertThat(answer.has("result")).as(answer.toString()).isTrue();
    return answer.get("result");
  }

  @Test
  void aCallLooksAtSoManyAndSaysWhereToGoOn() {
    var found = new ArrayList<String>();
    var after = Optional.<String>empty();
    int calls = 0;
    do {
      callers.rpc.scheduler.rowsLookedAt = 0;
      var page = list(after);
      calls++;

      assertThat(callers.rpc.scheduler.rowsLookedAt).as("for one call").isBetween(1, LOOKS);
      page.get("schedules").forEach(each -> found.add(each.get("id").textValue()));
      after = Optional.ofNullable(page.get("next").textValue());
      assertThat(others).as("where a page ends").doesNotContain(after.orElse(""));
    } while (after.isPresent());

    assertThat(found).containsExactlyInAnyOrderElementsOf(own);
    assertThat(calls).isGreaterThan(2);
  }

  /** A page of a queue is as long as it takes to find so many, and few are its owner's. */
  @Test
  void ofAListOfOneOwnerNoMoreIsLookedAtEither() {
    callers.rpc.scheduler.looksAt = Integer.MAX_VALUE;
    for (var caller : List.of("few", "all")) {
      var found = new ArrayList<String>();
      var after = "";
      do {
        callers.rpc.scheduler.rowsLookedAt = 0;
        var page =
            callers
                .call(caller, "schedule_list", "[{\"owner\":\"mallory\"%s}]".formatted(after))
                .get("result");

        assertThat(callers.rpc.scheduler.rowsLookedAt).as(caller).isBetween(1, LOOKS);
        page.get("schedules").forEach(each -> found.add(each.get("id").textValue()));
        var next = page.get("next");
        after = next.isNull() ? "" : ",\"after\":\"%s\"".formatted(next.textValue());
      } while (!after.isEmpty());

      assertThat(found).as(caller).containsExactlyInAnyOrderElementsOf(own);
    }
  }

  /** Whoever chooses names chooses where their digests lie. */
  @Test
  void aRangeThatSomebodyHasCrowdedIsGoneThroughInParts() {
    var mine = new HashSet<String>();
    for (int i = 0; i < 4; i++) {
      mine.add(crowd("mallory", i));
      for (int j = 0; j < LOOKS; j++) {
        others.add(crowd("carol", i * LOOKS + j));
      }
    }
    var found = new ArrayList<String>();
    var after = Optional.<String>empty();
    do {
      callers.rpc.scheduler.rowsLookedAt = 0;
      var page = list("recurring", after);

      assertThat(callers.rpc.scheduler.rowsLookedAt).as("for one call").isBetween(1, LOOKS);
      page.get("schedules").forEach(each -> found.add(each.get("id").textValue()));
      assertThat(page.get("next").textValue()).isNotEqualTo(after.orElse("none"));
      after = Optional.ofNullable(page.get("next").textValue());
      assertThat(others).as("where a page ends").doesNotContain(after.orElse(""));
    } while (after.isPresent());

    assertThat(found).containsExactlyInAnyOrderElementsOf(mine);
  }

  /** All of them in one range. */
  private String crowd(String owner, int number) {
    var account = new AccountId(owner);
    int tried = 0;
    String name;
    do {
      name = number + "-" + tried++;
    } while (!Recurring.taskId(account, Bytes.utf8(name)).toString().startsWith("0x3a7"));
    var answer =
        callers.call(
            "all",
            "recurring_scheduleNotifyTask",
            "[{\"owner\":\"%s\",\"providedId\":\"%s\",\"message\":\"m\",\"times\":[\"%s\"]}]"
                .formatted(owner, name, Sample.NOW.plus(Duration.ofHours(1 + number))));
    assertThat(answer.at("/result/taskId").isTextual()).as(answer.toString()).isTrue();
    return answer.at("/result/taskId").textValue();
  }

  /** Whoever begins once behind an id and once before it would count those between. */
  @Test
  void whereAPageEndsSaysNothingOfWhatStandsWhereItBegins() {
    for (var id : others) {
      var digits = id.substring(id.indexOf("0x") + 2);
      var last = digits.charAt(63) == '0' ? 'f' : '0';
      var beside = id.substring(0, id.length() - 1) + last;

      assertThat(list(Optional.of(id))).isEqualTo(list(Optional.of(beside)));
    }
  }

  /** Before, it was short where more of others than a queue looks at stand between. */
  @Test
  void aPageInTheOrderOfDueTimesIsFull() {
    callers.rpc.scheduler.looksByDue = LITTLE;
    var listed = new ArrayList<String>();
    var query = "[{\"owner\":\"mallory\",\"order\":\"due\",\"limit\":%d%s}]";

    var first = callers.call("all", "schedule_list", query.formatted(2, "")).get("result");
    first.get("schedules").forEach(each -> listed.add(each.get("id").textValue()));
    assertThat(listed).hasSize(2);
    var after = ",\"after\":\"" + first.get("next").textValue() + "\"";
    var last = callers.call("all", "schedule_list", query.formatted(1, after)).get("result");
    last.get("schedules").forEach(each -> listed.add(each.get("id").textValue()));

    assertThat(listed).containsExactlyInAnyOrderElementsOf(own);
    assertThat(callers.rpc.scheduler.pagesRead).isGreaterThan(2);
  }

  @Test
  void nothingIsReadOnceTheTimeIsOver() {
    var held = new CompletableFuture<Void>();
    callers.rpc.scheduler.pagesHeld = Optional.of(held);

    var answer = callers.call("few", "schedule_list", "[]");
    assertThat(answer.at("/error/message").textValue()).contains("was not done in time");
    held.complete(null);

    assertThat(callers.rpc.scheduler.pagesRead).isEqualTo(1);
  }
}
