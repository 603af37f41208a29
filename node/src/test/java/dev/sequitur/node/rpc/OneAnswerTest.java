package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field.Mention;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Role;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.EntityId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is another's is answered as what is not there, by every method: ids of schedules are
 * computed from what they do, so whoever is told that one exists is told what it does.
 */
class OneAnswerTest {
  private static final Path EXAMPLES =
      Path.of("src/test/resources/dev/sequitur/node/rpc/examples.json");
  private static final String GROUP = Sample.CONTRACT.value();
  private static final String OTHER = "0x" + "22".repeat(20);
  private static final String NOT_THERE = "ab".repeat(32);
  private static final String SECRET =
      "{\"type\":\"private\",\"from\":\"alice@node1\",\"to\":\"%s\",\"function\":\"transfer\",\"data\":{\"to\":\"bob@node2\",\"amount\":\"1\"}}"
          .formatted(GROUP);
  private static final String PAYMENT = "{\"type\":\"transfer\",\"to\":\"bob\",\"amount\":\"25\"}";

  @TempDir static Path directory;

  private static GuardedCallers callers;
  private static JsonNode examples;

  /** A multi-signature schedule that was. */
  private static String deleted;

  /** By its start a transaction is told apart from the others of its payer. */
  private static int built;

  /** What exists, and whose it is: by its family. */
  private static final Map<String, List<String>> SCHEDULES = new LinkedHashMap<>();

  @BeforeAll
  static void start() throws IOException {
    examples = RunningRpc.JSON.readTree(EXAMPLES.toFile());
    var roles = new HashMap<String, Role>();
    var all = Set.of(MethodGroup.values());
    roles.put("all", GuardedCallers.role(all, "*", "*", "*", "*"));
    roles.put("stranger", GuardedCallers.submits("mallory@node1", "default", "mallory", OTHER));
    callers = new GuardedCallers(directory, roles);
    callers.rpc.scheduler.withALittleOfEverything();
    Sample.publics(callers.rpc.node.store());
    callers.call("all", "schedule_fund", "[{\"account\":\"alice\",\"amount\":\"100000\"}]");
    exists("gas-priority", "gasPriority_insert", "/result/id", insert(600, PAYMENT, 3));
    exists("recurring", "recurring_scheduleNotifyTask", "/result/taskId", task("has run"));
    callers.rpc.scheduler.answering = false;
    exists("gas-priority", "gasPriority_insert", "/result/id", insert(700, SECRET, 4));
    callers.rpc.scheduler.pass(Duration.ofMinutes(61));
    exists("gas-priority", "gasPriority_insert", "/result/id", insert(7_200, SECRET, 5));
    exists("gas-priority", "gasPriority_insert", "/result/id", insert(7_200, PAYMENT, 6));
    exists(
        "recurring",
        "recurring_scheduleNotifyTask",
        "/result/taskId",
        task("waits").replace(hours(1), hours(4)));
    exists(
        "recurring",
        "recurring_scheduleNotifyTask",
        "/result/taskId",
        "[{\"owner\":\"alice\",\"providedId\":\"series\",\"message\":\"m\",\"cron\":\"0 * * * *\"}]");
    callers.call(
        "all",
        "plans_purchase",
        "[{\"sender\":\"alice\",\"plan\":0,\"quantity\":2,\"value\":\"20\"}]");
    exists(
        "plan-execution",
        "plans_schedule",
        "/result/ids/0",
        "[{\"sender\":\"alice\",\"plan\":0,\"timestamp\":\"%s\",\"target\":%s}]"
            .formatted(hours(3), PAYMENT));
    callers.call(
        "all",
        "multiSignature_bindKey",
        "[{\"identity\":\"alice@node1\",\"key\":\"%s\"}]".formatted(Examples.publicKey("bob")));
    exists("multi-signature", signedInSecret(SECRET));
    deleted = signedInSecret(SECRET.replace("\"1\"", "\"2\""));
    submit("alice", "scheduleDelete", "\"scheduleID\":\"%s\"".formatted(deleted));
  }

  /** One that runs a private transaction, of which everybody knows what it would be. */
  private static String signedInSecret(String transaction) {
    var body =
        callers
            .call("all", "multiSignature_buildBody", "[{\"transaction\":" + transaction + "}]")
            .at("/result/transactionBody");
    var created =
        submit(
            "alice",
            "scheduleCreate",
            "\"transactionBody\":%s,\"adminKey\":\"%s\",\"scheduleMemo\":\"waits\""
                .formatted(body, Examples.publicKey("alice")));
    assertThat(created.at("/result/scheduleID").isTextual()).as(created.toString()).isTrue();
    return created.at("/result/scheduleID").textValue();
  }

  /** By one who has all grants. */
  private static JsonNode submit(String signer, String operation, String fields) {
    return submit("all", signer, operation, fields);
  }

  private static JsonNode submit(String who, String signer, String operation, String fields) {
    var payer = signer.equals("alice") ? "0.0.1001" : "0.0.1002";
    var build =
        "[{\"operation\":\"%s\",\"payer\":\"%s\",\"validStart\":\"%s\",%s}]"
            .formatted(
                operation,
                payer,
                Sample.NOW.plus(Duration.ofMinutes(61)).minusMillis(++built),
                fields);
    var bytes =
        callers.call("all", "multiSignature_buildTransaction", build).at("/result/bodyBytes");
    var signature = Examples.signature(signer, bytes.textValue());
    return callers.call(
        who,
        "multiSignature_" + operation,
        "[{\"bodyBytes\":%s,\"signatures\":[%s]}]".formatted(bytes, signature));
  }

  @AfterAll
  static void stop() {
    callers.close();
  }

  private static String insert(int seconds, String target, int price) {
    return "[{\"senderAddr\":\"alice\",\"scheduledTimeMs\":\"%s\",\"maxGasAmount\":\"100\",\"maxGasUnitPrice\":\"%d\",\"target\":%s}]"
        .formatted(Sample.NOW.plusSeconds(seconds), price, target);
  }

  private static String hours(int hours) {
    return Sample.NOW.plus(Duration.ofHours(hours)).toString();
  }

  private static String task(String name) {
    return "[{\"owner\":\"alice\",\"providedId\":\"%s\",\"message\":\"m\",\"times\":[\"%s\"]}]"
        .formatted(name, hours(1));
  }

  private static void exists(String family, String method, String id, String params) {
    var answer = callers.call("all", method, params);
    assertThat(answer.at(id).isTextual()).as(answer.toString()).isTrue();
    exists(family, answer.at(id).textValue());
  }

  private static void exists(String family, String id) {
    SCHEDULES.computeIfAbsent(family, any -> new ArrayList<>()).add(id);
  }

  /** Of each method whose example names one of those kinds. */
  @TestFactory
  Stream<DynamicTest> anothersIsAnsweredAsWhatIsNotThere() {
    return callers.rpc.server.methods().methods().stream()
        .flatMap(method -> cases(method).stream())
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.method() + " " + each.there() + " as " + each.absent(),
                    () -> assertSame(each)));
  }

  private record Case(String method, JsonNode params, String named, String there, String absent) {}

  private static List<Case> cases(RpcMethod method) {
    var params = strangers(examples.path(method.name()).path("params"));
    var cases = new ArrayList<Case>();
    ObjectFormat.of(method.name())
        .with(method.parameters())
        .tellByPosition(
            params,
            (mention, name) -> {
              if (mention == Mention.SCHEDULE) {
                cases.addAll(ofSchedules(method.name(), params, name));
              } else if (mention == Mention.TRANSACTION) {
                for (var there : List.of(Sample.CONFIRMED, Sample.EXTERNAL, Sample.CALLING)) {
                  cases.add(
                      new Case(
                          method.name(),
                          params,
                          name,
                          there.toString(),
                          Sample.id(4_711).toString()));
                }
              } else if (mention == Mention.GROUP) {
                cases.add(
                    new Case(
                        method.name(),
                        params,
                        name,
                        Sample.GROUP.toString(),
                        Sample.hash("none").toString()));
              }
            });
    return cases;
  }

  private static List<Case> ofSchedules(String method, JsonNode params, String name) {
    var cases = new ArrayList<Case>();
    SCHEDULES.forEach(
        (family, ids) -> {
          boolean isOfEntities = family.equals("multi-signature");
          boolean isOfAny = method.startsWith("schedule_");
          boolean isMeant =
              isOfEntities
                  ? name.startsWith("0.0.")
                  : name.startsWith(family)
                      || (name.startsWith("0x") && family.equals("gas-priority"));
          if (isOfAny || isMeant) {
            for (var id : ids) {
              var prefix = isOfEntities ? "0.0." : name.startsWith("0x") ? "0x" : family + ":0x";
              var there = isOfEntities ? id : prefix + id.substring(id.indexOf("0x") + 2);
              if (isOfEntities) {
                cases.add(new Case(method, params, name, there, deleted));
              }
              var absent = isOfEntities ? "0.0.4711" : prefix + NOT_THERE;
              cases.add(new Case(method, params, name, there, absent));
            }
          }
        });
    return cases;
  }

  private static void assertSame(Case each) {
    var there = answer("stranger", each, each.there());
    var absent = answer("stranger", each, each.absent());

    assertThat(there).isEqualTo(absent);
  }

  private static String answer(String who, Case each, String id) {
    var params = RunningRpc.parse(each.params().toString().replace(each.named(), id));
    return callers.call(who, each.method(), params.toString()).toString().replace(id, "ID");
  }

  /** As the stranger sends it: as itself. */
  private static JsonNode strangers(JsonNode node) {
    var changed =
        node.toString()
            .replace("\"alice\"", "\"mallory\"")
            .replace("\"carol\"", "\"mallory\"")
            .replace("\"operator\"", "\"mallory\"")
            .replace("\"alice@node1\"", "\"mallory@node1\"");
    return RunningRpc.parse(changed);
  }

  /** Whoever holds a key: one that is asked for, one that is not, the admin key. */
  @Test
  void whoSignsASecretScheduleLearnsNotThatItIsThere() {
    for (var signer : List.of("alice", "bob")) {
      for (var operation : List.of("scheduleSign", "scheduleDelete")) {
        var id = SCHEDULES.get("multi-signature").getFirst();
        var stranger =
            signer.equals("alice") && operation.equals("scheduleDelete") ? "bob" : signer;
        var there = submit("stranger", stranger, operation, named(id)).toString();
        var absent = submit("stranger", stranger, operation, named(deleted)).toString();
        var never = submit("stranger", stranger, operation, named("0.0.4711")).toString();

        assertThat(there)
            .as(signer + " " + operation)
            .contains("INVALID_SCHEDULE_ID")
            .isEqualTo(absent)
            .isEqualTo(never);
      }
    }
  }

  /** Numbers are given in their order: whoever signs all that come would meet each. */
  @Test
  void whoSignsWhatComesIntoBeingMeanwhileDoesNothing() {
    var before = signedInSecret(SECRET.replace("\"1\"", "\"11\""));
    var next = EntityId.parse(before).next().toString();
    var created = new AtomicReference<String>();
    callers.rpc.scheduler.onceLookedFor.set(
        () -> created.set(signedInSecret(SECRET.replace("\"1\"", "\"12\""))));

    var answer = submit("stranger", "bob", "scheduleSign", named(next)).toString();

    assertThat(created.get()).isEqualTo(next);
    assertThat(answer).contains("INVALID_SCHEDULE_ID");
    assertThat(callers.call("all", "schedule_get", "[\"" + next + "\"]").toString())
        .doesNotContain(Examples.publicKey("bob"));
  }

  /** A queue that is busy with operations of a kind says so of all of that kind. */
  @Test
  void whatActsOnAHiddenOneIsTheSameOperationAboutNone() {
    var asked = callers.rpc.scheduler.asked;
    for (var id : List.of(SCHEDULES.get("multi-signature").getFirst(), "0.0.4711")) {
      submit("stranger", "bob", "scheduleSign", named(id));

      assertThat(asked.getLast())
          .isInstanceOfSatisfying(
              Operation.Perform.class,
              sign -> {
                assertThat(sign.operation().name()).isEqualTo("ScheduleSign");
                assertThat(sign.operation().about())
                    .contains(ScheduleId.never(FamilyKind.MULTI_SIGNATURE));
              });
    }
  }

  /** It is told by what the queue was given in its place, the first time and each time after. */
  @Test
  void aBatchAboutWhatIsNotThereIsAnsweredAsBeforeIfItIsSentAgain() {
    var batch =
        """
        [{"sender":"mallory","revertIfFails":false,"idempotencyKey":"once","calls":[
          {"function":"cancelScheduling","id":"plan-execution:0x%s"},
          {"function":"approve","token":"usd","amount":"2"}]}]
        """
            .formatted("7".repeat(64));
    var first = callers.call("stranger", "plans_multicall", batch).get("result");

    assertThat(first.get("kept").booleanValue()).isTrue();
    assertThat(callers.call("stranger", "plans_multicall", batch).get("result")).isEqualTo(first);
  }

  private static String named(String schedule) {
    return "\"scheduleID\":\"%s\"".formatted(schedule);
  }

  /** The family's text tells who creates the identical one of it: only those who may see it. */
  @Test
  void whoCreatesTheSameLearnsOfItIfItMaySeeIt() {
    var body =
        callers
            .call("all", "multiSignature_buildBody", "[{\"transaction\":" + SECRET + "}]")
            .at("/result/transactionBody");
    for (var memo : List.of("waits", "another")) {
      assertThat(
              submit(
                      "stranger",
                      "bob",
                      "scheduleCreate",
                      "\"transactionBody\":%s,\"adminKey\":\"%s\",\"scheduleMemo\":\"%s\""
                          .formatted(body, Examples.publicKey("alice"), memo))
                  .at("/error/message")
                  .textValue())
          .contains("SQ010013: ", "groups = ");
    }
  }

  @Test
  void aKeyWithAnotherTimeTellsNothing() {
    var id = SCHEDULES.get("gas-priority").getLast();
    var key =
        "[{\"senderAddr\":\"mallory\",\"key\":{\"time\":1795255800000,\"gasPriority\":\"7\",\"txnId\":\"%s\"}}]";
    var there = callers.call("stranger", "gasPriority_cancel", key.formatted(id)).toString();
    var absent =
        callers
            .call("stranger", "gasPriority_cancel", key.formatted("gas-priority:0x" + NOT_THERE))
            .toString();

    assertThat(there).isEqualTo(absent);
  }

  @Test
  void aPageEndsAtNoneThatItsReaderMayNotSee() {
    for (int limit : List.of(1, 2, 100)) {
      assertThat(
              callers
                  .call("stranger", "schedule_list", "[{\"limit\":%d}]".formatted(limit))
                  .get("result")
                  .toString())
          .isEqualTo("{\"schedules\":[],\"next\":null}");
    }
  }

  @Test
  void aPageOfWhatWaitsForAKeyEndsAtNoneThatItsReaderMayNotSee() {
    var hidden = signedInSecret(SECRET.replace("\"1\"", "\"7\""));
    var ends = new ArrayList<String>();
    callers.rpc.scheduler.looksAt = 1;
    try {
      var key = Examples.publicKey("bob");
      var params = "[\"%s\"]".formatted(key);
      for (var next = Optional.of(""); next.isPresent(); ) {
        var page = callers.call("stranger", "multiSignature_pendingFor", params).get("result");
        next = Optional.ofNullable(page.get("next").textValue());
        next.ifPresent(ends::add);
        params = "[\"%s\",\"%s\"]".formatted(key, next.orElse(""));
      }
    } finally {
      callers.rpc.scheduler.looksAt = Integer.MAX_VALUE;
    }

    assertThat(ends)
        .doesNotContain(hidden)
        .doesNotContainAnyElementsOf(SCHEDULES.get("multi-signature"));
  }

  @Test
  void whatHasEndedIsToldToThoseWhoMaySeeIt() {
    var all = callers.call("all", "schedule_getOutcomes", "[]").get("result");
    var strangers = callers.call("stranger", "schedule_getOutcomes", "[]").get("result");

    assertThat(all.get("outcomes").findValuesAsText("schedule"))
        .contains(deleted, SCHEDULES.get("recurring").getFirst());
    // Transfers that several sign are there for all who have the queue.
    assertThat(strangers.get("outcomes").findValuesAsText("schedule")).containsExactly("0.0.1003");
    assertThat(strangers.get("next")).isEqualTo(all.get("next"));
  }

  @Test
  void recordsOfASecretScheduleAreToldToItsGroup() {
    try (var all = callers.socket("all");
        var stranger = callers.socket("stranger")) {
      all.call("schedule_subscribe", "[]");
      stranger.call("schedule_subscribe", "[]");
      var id = signedInSecret(SECRET.replace("\"1\"", "\"3\""));
      var signed = submit("alice", "scheduleDelete", named(id)).at("/result/transactionID");
      var known =
          submit("alice", "cryptoCreate", "\"key\":\"%s\"".formatted(Examples.publicKey("carol")))
              .at("/result/transactionID");

      assertThat(stranger.next().findValuesAsText("transactionID"))
          .containsExactly(known.textValue());
      assertThat(all.next().toString()).contains(id);
      for (var method : List.of("multiSignature_getReceipt", "multiSignature_getRecords")) {
        assertThat(callers.call("all", method, "[" + signed + "]").at("/result"))
            .as(method)
            .isNotEmpty();
        assertThat(callers.call("stranger", method, "[" + signed + "]"))
            .as(method)
            .isEqualTo(callers.call("stranger", method, "[\"0.0.1001@1795255500.000000000\"]"));
      }
    }
  }

  @Test
  void aMessageIsAnsweredAsOneThatIsNotThere() {
    var message =
        callers
            .call(
                "all",
                "pgroup_sendMessage",
                "[{\"domain\":\"token\",\"group\":\"%s\",\"topic\":\"t\"}]".formatted(Sample.GROUP))
            .get("result");
    for (var id : List.of(message.textValue(), Sample.id(4_711).toString())) {
      assertThat(callers.call("stranger", "pgroup_getMessageById", "[\"" + id + "\"]").toString())
          .contains("\"result\":null");
    }
  }

  @Test
  void whatATransactionDependsOnHasToBeSeen() {
    for (var id : List.of(Sample.CONFIRMED, Sample.id(4_711))) {
      assertThat(
              callers
                  .call(
                      "stranger",
                      "ptx_sendTransaction",
                      "[{\"type\":\"private\",\"from\":\"mallory@node1\",\"to\":\"%s\",\"function\":\"transfer\",\"data\":{},\"dependsOn\":[\"%s\"]}]"
                          .formatted(OTHER, id))
                  .at("/error/message")
                  .textValue())
          .contains("SQ010013: ", "groups = [\"*\"]");
    }
  }

  @Test
  void whoMaySeeThemIsAnsweredOtherwise() {
    for (var family : SCHEDULES.values()) {
      for (var id : family) {
        assertThat(callers.call("all", "schedule_get", "[\"" + id + "\"]").get("result").isNull())
            .as(id)
            .isFalse();
      }
    }
  }
}
