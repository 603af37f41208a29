package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.guard.AuditFiles;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.guard.GuardSettings.Authentication;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.guard.ApiToken;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named.Kind;
import dev.sequitur.protocol.guard.Role;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.schedule.OccurrenceKey;
import java.io.File;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a caller may do, by its roles. */
class GrantedCallsTest {
  private static final String GROUP = Sample.CONTRACT.value();
  private static final String OTHER = "0x" + "22".repeat(20);

  @TempDir static Path directory;

  private static RunningRpc rpc;
  private static final Map<String, String> TOKENS = new HashMap<>();

  @BeforeAll
  static void start() throws IOException {
    var file = directory.resolve("tokens.json");
    var roles =
        Map.of(
            "reader", role(Set.of(MethodGroup.READ), "*", "*", "*", "*"),
            "alice",
                role(
                    Set.of(MethodGroup.READ, MethodGroup.SUBMIT),
                    "alice@node1",
                    "default",
                    "alice",
                    GROUP),
            "twin",
                role(
                    Set.of(MethodGroup.READ, MethodGroup.SUBMIT),
                    "alice@node1",
                    "default",
                    "alice",
                    GROUP),
            "stranger",
                role(Set.of(MethodGroup.READ, MethodGroup.SUBMIT), "*", "other", "*", OTHER),
            "clerk",
                role(
                    Set.of(MethodGroup.READ, MethodGroup.SUBMIT),
                    "shop@node1",
                    "default",
                    "alice",
                    OTHER),
            "teller",
                role(Set.of(MethodGroup.READ, MethodGroup.SUBMIT), "bob@node1", "*", "*", "*"),
            "neighbour", role(Set.of(MethodGroup.READ), "*", "default", "bob", "*"),
            "maker", role(Set.of(MethodGroup.SUBMIT), "alice@node1", "default", "*", "*"),
            "operator", role(Set.of(MethodGroup.OPERATE), "*", "*", "*", "*"));
    var tokens = new TokenFile(file);
    int number = 0;
    for (var name : roles.keySet()) {
      var chance = new byte[40];
      chance[0] = (byte) ++number;
      var made =
          ApiToken.make(
              new ApiToken.Grant(name, List.of(name), Instant.now(), Optional.empty()), chance);
      tokens.update(all -> all.with(made.token(), Instant.now()));
      TOKENS.put(name, made.secret());
    }
    rpc =
        RunningRpc.guarded(
            GuardSettings.of(file).withAuthentication(Authentication.REQUIRED).withRoles(roles));
    rpc.scheduler.withALittleOfEverything();
    Sample.publics(rpc.node.store());
  }

  @AfterAll
  static void stop() {
    rpc.close();
  }

  @Test
  void whatAGroupIsToldIsForThoseWhoHaveTheGroup() throws IOException {
    var message =
        "[{\"domain\":\"token\",\"group\":\"%s\",\"topic\":\"t\"}]".formatted(Sample.GROUP);
    var id = call("alice", "pgroup_sendMessage", message).get("result").toString();

    assertThat(call("stranger", "pgroup_sendMessage", message).at("/error/data/code").textValue())
        .isEqualTo("SQ010013");
    assertThat(call("alice", "pgroup_getMessageById", "[" + id + "]").at("/result/topic"))
        .isEqualTo(RunningRpc.parse("\"t\""));
    assertThat(call("stranger", "pgroup_getMessageById", "[" + id + "]").get("result").isNull())
        .isTrue();
  }

  /** CNF-9. */
  @Test
  void theReceiptOfAnotherNodesTransactionIsForThoseWhoHaveItsGroup() throws IOException {
    rpc.hasReceiptOfOthers(Sample.id(7_777).toString());
    var id = "[\"" + Sample.id(7_777) + "\"]";

    assertThat(call("alice", "ptx_getTransactionReceipt", id).at("/result/success").booleanValue())
        .isTrue();
    assertThat(call("stranger", "ptx_getTransactionReceipt", id).at("/error/data/code").textValue())
        .isEqualTo("SQ010013");
  }

  /** CNF-9: whoever uses the id elsewhere hides it from nobody who can't see that. */
  @Test
  void anIdThatTwoGroupsHaveUsedFindsWhatItsCallerMaySee() throws IOException {
    var transaction = Sample.id(7_778);
    for (var contract : List.of(GROUP, OTHER, GROUP)) {
      var key = new IntentKey(transaction, new SenderCommitment(Sample.hash(contract)));
      var here = Sample.confirmed(transaction);
      var receipt =
          new Receipt(
              transaction,
              new ContractAddress(contract),
              here.domain(),
              true,
              here.onLedger(),
              Optional.empty(),
              Sample.NOW);
      rpc.node.store().confirm(Map.of(key, receipt), Set.of()).toCompletableFuture().join();
    }
    var id = "[\"" + transaction + "\"]";

    for (var method :
        List.of(
            "ptx_getTransactionReceipt", "ptx_getTransactionReceiptFull", "ptx_getStateReceipt")) {
      assertThat(call("alice", method, id).get("error")).as(method).isNull();
      assertThat(call("stranger", method, id).get("error")).as(method).isNull();
      assertThat(call("reader", method, id).at("/error/data/code").textValue())
          .isEqualTo("SQ010305");
    }
    assertThat(contractOf(call("alice", "ptx_getTransactionReceipt", id))).isEqualTo(GROUP);
    assertThat(contractOf(call("stranger", "ptx_getTransactionReceipt", id))).isEqualTo(OTHER);
    var query =
        "[{\"limit\":9,\"equal\":[{\"field\":\"id\",\"value\":\"%s\"},{\"field\":\"contractAddress\",\"value\":\"%s\"}]}]"
            .formatted(transaction, OTHER);
    assertThat(call("reader", "ptx_queryTransactionReceipts", query).get("result"))
        .singleElement()
        .satisfies(found -> assertThat(found.get("contractAddress").textValue()).isEqualTo(OTHER));
  }

  private static String contractOf(JsonNode answer) {
    return answer.at("/result/contractAddress").textValue();
  }

  @ParameterizedTest(name = "{0} calls {1} {2}: {3}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "reader | transport_nodeName | [] | -",
        "reader | ptx_sendTransaction | [7] | methods = [submit]",
        "reader | schedule_fund | [] | methods = [operate]",
        "reader | chaos_clearFaults | [] | methods = [chaos]",
        "operator | events_rotateWebhookKey | [\"books\"] | methods = [webhook]",
        "operator | transport_nodeName | [] | methods = [read]",
        "alice | schedule_getBalance | [\"alice\"] | -",
        "alice | schedule_getBalance | [\"alice\", \"default\"] | -",
        "alice | schedule_getBalance | [\"alice\", \"other\"] | queues = [\"other\"]",
        "alice | schedule_getBalance | [\"alice\", \"other/1\"] | queues = [\"other\"]",
        "alice | schedule_getBalance | [\"bob\"] | accounts = [\"bob\"]",
        "stranger | schedule_getBalance | [\"bob\"] | queues = [\"default\"]",
        "alice | pgroup_queryGroups | [{\"limit\": 1}] | -",
        "alice | ptx_queryTransactions | [{\"limit\": 1}] | -",
        "reader | ptx_queryTransactions | [{\"limit\": 1}] | -",
        "alice | sequencer_getStatus | [\"0x1111111111111111111111111111111111111111\"] | -",
        "alice | sequencer_getStatus | [\"0x2222222222222222222222222222222222222222\"] | groups = [\"0x2222222222222222222222222222222222222222\"]",
        "alice | ptx_getTransaction | [\"6f1c6f0e-0000-4000-8000-000000000001\"] | -",
        "stranger | ptx_getTransaction | [\"6f1c6f0e-0000-4000-8000-000000000001\"] | groups = [\"*\"]",
        "stranger | ptx_getTransaction | [\"6f1c6f0e-0000-4000-8000-00000000dead\"] | groups = [\"*\"]",
        "alice | pgroup_queryMessages | [{\"limit\": 1}] | -",
        "operator | pgroup_createGroup | [{\"domain\": \"token\", \"members\": [\"a@node1\"]}] | methods = [submit]",
        "alice | pgroup_createGroup | [{\"domain\": \"token\", \"members\": [\"alice@node1\"]}] | groups = [\"new\"]",
        "reader | pgroup_queryMessages | [{\"limit\": 1}] | -",
        "alice | pgroup_createMessageListener | [{\"name\": \"m\"}] | -",
        "alice | plans_remainingExecutions | [\"alice\", 0] | -",
        "alice | plans_remainingExecutions | [\"bob\", 0] | accounts = [\"bob\"]",
        "alice | plans_executionsByRequestorCount | [\"bob\"] | accounts = [\"bob\"]",
        "alice | plans_getExecutionsByRequestor | [\"bob\", 0, 1] | accounts = [\"bob\"]",
        "alice | multiSignature_getAccount | [\"0.0.1001\"] | accounts = [\"0.0.1001\"]",
        "alice | multiSignature_sign | [{\"identity\": \"bob\", \"bytes\": \"0x00\"}] | identities = [\"bob@node1\"]"
      })
  void aCallNeedsWhatItsMethodAndItsParametersNeed(
      String who, String method, String params, String missing) throws IOException {
    var answer = call(who, method, params);

    if (missing == null) {
      assertThat(answer.has("error")).as(answer.toString()).isFalse();
    } else {
      assertThat(answer.at("/error/data/code").textValue()).isEqualTo("SQ010013");
      assertThat(answer.at("/error/message").textValue())
          .contains("token:" + who + " may not do this: no role of it has " + missing);
    }
  }

  /** As for pgroup_createGroup, it is no matter of one group. */
  @Test
  void whoMakesAGroupByATransactionNeedsAGrantForNewOnes() throws IOException {
    var transaction =
        "{\"type\":\"private\",\"domain\":\"token\",\"from\":\"alice\",\"data\":{\"name\":\"coins\"}}";
    for (var call :
        List.of(
            Map.entry("ptx_sendTransaction", "[" + transaction + "]"),
            Map.entry("ptx_sendTransactions", "[[" + transaction + "]]"))) {
      assertThat(call("alice", call.getKey(), call.getValue()).at("/error/message").textValue())
          .contains("SQ010013: ", "groups = [\"new\"]");
      assertThat(call("maker", call.getKey(), call.getValue()).has("result")).isTrue();
    }
  }

  @ParameterizedTest(name = "{0} sends as {1} to {2}: {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "alice, alice@node1, 1, -",
        "alice, alice, 1, -",
        "alice, bob@node1, 1, identities = [\"bob@node1\"]",
        "alice, bob, 1, identities = [\"bob@node1\"]",
        "alice, alice@node1, 2, groups = [\"0x2222222222222222222222222222222222222222\"]",
        "stranger, alice@node1, 1, groups = [\"0x1111111111111111111111111111111111111111\"]"
      })
  void whoSendsNeedsTheIdentityAndTheGroup(String who, String from, int to, String missing)
      throws IOException {
    var transaction =
        "{\"type\":\"private\",\"from\":\"%s\",\"to\":\"0x%s\",\"function\":\"transfer\",\"data\":{\"to\":\"bob@node2\",\"amount\":\"1\"}}"
            .formatted(from, String.valueOf(to).repeat(40));
    for (var call :
        List.of(
            Map.entry("ptx_sendTransaction", "[" + transaction + "]"),
            Map.entry("ptx_sendTransactions", "[[" + transaction + "]]"))) {
      var answer = call(who, call.getKey(), call.getValue());

      if (missing == null) {
        assertThat(answer.has("result")).as(answer.toString()).isTrue();
      } else {
        assertThat(answer.at("/error/message").textValue()).contains("SQ010013: ", missing);
      }
    }
  }

  /** However it is sent: a public call may stand for a private function. */
  @Test
  void whoCallsAGroupsContractPubliclyNeedsTheGroup() throws IOException {
    var transaction =
        "{\"type\":\"public\",\"from\":\"alice@node1\",\"to\":\"%s\",\"function\":\"spendLock\",\"data\":{}}"
            .formatted(GROUP);
    var batch = "[[" + PRIVATE + "," + transaction + "]]";
    for (var call :
        List.of(
            Map.entry("ptx_sendTransaction", "[" + transaction + "]"),
            Map.entry("ptx_sendTransactions", "[[" + transaction + "]]"),
            Map.entry("ptx_sendTransactions", batch))) {
      var params = call.getValue();

      assertThat(call("stranger", call.getKey(), params).at("/error/message").textValue())
          .as(params)
          .contains("SQ010013: ", "groups = ");
      assertThat(call("alice", call.getKey(), params).has("result")).as(params).isTrue();
    }
  }

  /** CLR-1: not the first alone, nor the last. */
  @Test
  void ofSeveralInOneCallEachIsComparedWithWhatItsCallerHas() throws IOException {
    var group = PRIVATE.replace(GROUP, OTHER);
    var identity = PRIVATE.replace("alice@node1", "bob@node1");
    for (var foreign : List.of(group, identity)) {
      for (var params :
          List.of(
              "[[" + PRIVATE + "," + foreign + "]]",
              "[[" + foreign + "," + PRIVATE + "]]",
              "[[" + PRIVATE + "," + foreign + "," + PRIVATE + "]]")) {
        assertThat(call("alice", "ptx_sendTransactions", params).at("/error/message").textValue())
            .as(params)
            .contains("SQ010013: ", foreign.equals(group) ? OTHER : "bob@node1");
      }
    }
    var both = "[[" + PRIVATE + "," + PRIVATE + "]]";
    assertThat(call("alice", "ptx_sendTransactions", both).has("result")).isTrue();
  }

  private static final String PRIVATE =
      "{\"type\":\"private\",\"from\":\"alice@node1\",\"to\":\"%s\",\"function\":\"transfer\",\"data\":{\"to\":\"bob@node2\",\"amount\":\"1\"}}"
          .formatted(GROUP);

  private static String later() {
    return Sample.NOW.plusSeconds(1_200).toString();
  }

  /** As its fields, as its ABI encoding, by itself, in a batch and in a multicall. */
  @Test
  void whatAPlanIsToRunNeedsTheIdentityAndTheGroupHoweverItIsSent() throws IOException {
    var execution = "\"plan\":0,\"timestamp\":\"%s\",\"target\":%s".formatted(later(), PRIVATE);
    var encoded =
        call("reader", "plans_hash", "[{\"requestor\":\"alice\",%s}]".formatted(execution))
            .at("/result/execution")
            .toString();
    var batch = "\"executions\":[%s],\"value\":\"0\"";
    var ofFields = batch.formatted("{" + execution + "}");
    var ofBytes = batch.formatted(encoded);
    assertThat(encoded).startsWith("\"0x");
    for (var call :
        List.of(
            Map.entry("plans_schedule", execution),
            Map.entry("plans_batchSchedule", ofFields),
            Map.entry("plans_batchSchedule", ofBytes),
            Map.entry(
                "plans_multicall", "\"calls\":[{\"function\":\"batchSchedule\"," + ofFields + "}]"),
            Map.entry(
                "plans_multicall",
                "\"calls\":[{\"function\":\"batchSchedule\"," + ofBytes + "}]"))) {
      var params = "[{\"sender\":\"alice\"," + call.getValue() + "}]";

      assertThat(call("clerk", call.getKey(), params).at("/error/message").textValue())
          .as(params)
          .contains("SQ010013: ", "identities = [\"alice@node1\"]");
    }
  }

  @Test
  void aScheduleIsSeenByThoseWhoHaveItsAccountAndItsGroup() throws IOException {
    var inserted =
        call(
                "alice",
                "gasPriority_insert",
                "[{\"senderAddr\":\"alice\",\"scheduledTimeMs\":\"%s\",\"maxGasAmount\":\"100\",\"maxGasUnitPrice\":\"3\",\"target\":%s}]"
                    .formatted(later(), PRIVATE))
            .at("/result/id")
            .textValue();
    assertThat(inserted).isNotNull();
    for (var method : List.of("schedule_get", "schedule_explain")) {
      var params = "[\"" + inserted + "\"]";
      assertThat(call("alice", method, params).has("result")).isTrue();
      assertThat(call("reader", method, params).has("result")).isTrue();
      for (var who : List.of("clerk", "neighbour")) {
        assertThat(call(who, method, params))
            .as(who)
            .isEqualTo(call(who, method, "[\"gas-priority:0x" + "ab".repeat(32) + "\"]"));
      }
    }
    for (var seen :
        Map.of("alice", true, "reader", true, "clerk", false, "neighbour", false).entrySet()) {
      var list = call(seen.getKey(), "schedule_list", "[]").at("/result/schedules");
      var block =
          call(
                  seen.getKey(),
                  "gasPriority_getReadyTransactions",
                  "[%d]".formatted(Sample.NOW.plusSeconds(1_200).toEpochMilli()))
              .get("result");
      assertThat(list.findValuesAsText("id").contains(inserted))
          .as(seen.getKey())
          .isEqualTo(seen.getValue());
      assertThat(block.toString().contains(inserted.substring(inserted.indexOf(':') + 1)))
          .as(seen.getKey())
          .isEqualTo(seen.getValue());
    }
  }

  private static String keyed(String key, int amount) {
    return "[%s]"
        .formatted(
            PRIVATE
                .replaceFirst("\\{", "{\"idempotencyKey\":\"%s\",".formatted(key))
                .replace("\"amount\":\"1\"", "\"amount\":\"%d\"".formatted(amount)));
  }

  private static String sent(String who, String key, int amount) throws IOException {
    return call(who, "ptx_sendTransaction", keyed(key, amount)).path("result").textValue();
  }

  private static JsonNode under(String who, String key) throws IOException {
    var answer = call(who, "ptx_getTransactionByIdempotencyKey", "[\"%s\"]".formatted(key));
    assertThat(answer.has("error")).as(answer.toString()).isFalse();
    return answer.path("result").path("id");
  }

  /** Though both send as one identity. */
  @Test
  void aKeyOfOneCallerIsNoneOfAnothers() throws IOException {
    var first = sent("alice", "inv-1001", 1);

    var second = sent("twin", "inv-1001", 2);

    assertThat(second).isNotNull().isNotEqualTo(first);
    assertThat(sent("alice", "inv-1001", 1)).isEqualTo(first);
    assertThat(sent("twin", "inv-1001", 2)).isEqualTo(second);
    assertThat(under("alice", "inv-1001").textValue()).isEqualTo(first);
    assertThat(under("twin", "inv-1001").textValue()).isEqualTo(second);
    assertThat(call("alice", "ptx_sendTransaction", keyed("inv-1001", 3)).toString())
        .contains("SQ020007", first)
        .doesNotContain(second);
  }

  @Test
  void anothersKeyIsAnsweredAsOneThatNobodyHasUsed() throws IOException {
    sent("alice", "inv-1002", 1);

    for (var who : List.of("twin", "stranger", "reader")) {
      assertThat(under(who, "inv-1002").isMissingNode()).as(who).isTrue();
    }
  }

  @Test
  void theKeyOfAScheduleIsAnsweredToThoseWhoSeeItsTransaction() throws IOException {
    var key = OccurrenceKey.PREFIX + "default/some";
    var owned = new IdempotencyKey(IdempotencyKey.Owner.SCHEDULES, key);
    var intent = Sample.intent(new TransactionId(UUID.randomUUID()), null, SubmitMode.AUTO);
    rpc.node
        .store()
        .accept(
            List.of(
                new Intent(
                    0, Sample.NOW, Optional.of(owned), intent.bodyHash(), intent.transaction())))
        .toCompletableFuture()
        .join();

    assertThat(under("reader", key).textValue()).isEqualTo(intent.transaction().id().toString());
    assertThat(under("alice", key).textValue()).isEqualTo(intent.transaction().id().toString());
    assertThat(under("stranger", key).isMissingNode()).isTrue();
  }

  @Test
  void aDescriptionOfAContractIsItsCallers() throws IOException {
    var mine =
        "[[{\"type\":\"error\",\"name\":\"E\",\"inputs\":[{\"name\":\"mine\",\"type\":\"uint256\"}]}]]";
    var hash = call("alice", "ptx_storeABI", mine).get("result");
    call("twin", "ptx_storeABI", mine.replace("mine", "newer"));
    var said = "[\"%s\"]".formatted(ERROR_E);

    assertThat(call("alice", "ptx_decodeError", said).at("/result/data").has("mine")).isTrue();
    assertThat(call("twin", "ptx_decodeError", said).at("/result/data").has("newer")).isTrue();
    assertThat(call("reader", "ptx_decodeError", said).at("/result/data").isObject()).isTrue();
    assertThat(call("twin", "ptx_getStoredABI", "[" + hash + "]").get("result").isNull()).isTrue();
    assertThat(call("twin", "ptx_queryStoredABIs", "[{\"limit\":9}]").get("result")).hasSize(1);
    assertThat(call("twin", "ptx_deleteStoredABI", "[" + hash + "]").get("result").asBoolean())
        .isFalse();
    assertThat(call("alice", "ptx_deleteStoredABI", "[" + hash + "]").get("result").asBoolean())
        .isTrue();
    assertThat(call("alice", "ptx_getStoredABI", "[" + hash + "]").get("result").isNull()).isTrue();
  }

  private static final String ERROR_E =
      Digests.keccak256(Bytes.utf8("E(uint256)")).toString().substring(0, 10)
          + "0".repeat(63)
          + "7";

  @Test
  void aKeyOfOneCallersCommandIsNoneOfAnothers() throws IOException {
    var insert =
        "[{\"idempotencyKey\":\"c-1\",\"senderAddr\":\"alice\",\"scheduledTimeMs\":\"%s\",\"maxGasAmount\":\"100\",\"maxGasUnitPrice\":\"%d\",\"target\":%s}]";
    var mine = insert.formatted(later(), 3, PRIVATE);
    var first = call("alice", "gasPriority_insert", mine).get("result");

    var second = call("twin", "gasPriority_insert", insert.formatted(later(), 4, PRIVATE));

    assertThat(second.has("result")).as(second.toString()).isTrue();
    assertThat(call("alice", "gasPriority_insert", mine).get("result")).isEqualTo(first);
  }

  @Test
  void aCallerIsToldOfTheQueuesThatItHas() throws IOException {
    call("stranger", "schedule_getBalance", "[\"bob\", \"other\"]");

    assertThat(call("reader", "schedule_queues", "[]").get("result").toString())
        .isEqualTo("[\"default\",\"other\"]");
    assertThat(call("alice", "schedule_queues", "[]").get("result").toString())
        .isEqualTo("[\"default\"]");
    assertThat(call("stranger", "schedule_queues", "[]").get("result").toString())
        .isEqualTo("[\"other\"]");
  }

  @Test
  void theAuditHasAllThatACallNamesAndAnswers() throws IOException {
    var some =
        ("{\"type\":\"private\",\"from\":\"alice\",\"to\":\"%s\",\"function\":\"transfer\",\"data\":{\"to\":\"bob@node2\",\"amount\":\"1\"}}")
            .formatted(GROUP);
    var many = String.join(",", Collections.nCopies(150, some));
    var ids = call("alice", "ptx_sendTransactions", "[[" + many + "]]").get("result");
    assertThat(ids).hasSize(150);
    call(
        "alice",
        "ptx_sendTransactions",
        "[[" + many + "," + some.replace("alice", "mallory") + "]]");
    call(
        "alice",
        "schedule_cancel",
        "[{\"as\":\"alice\",\"id\":\"recurring:0x%s\"}]".formatted("ab".repeat(32)));

    var lines = Files.readAllLines(new AuditFiles(directory.resolve("audit")).list().get(0));
    assertThat(lines)
        .anySatisfy(line -> ids.forEach(id -> assertThat(line).contains(id.textValue())))
        .anySatisfy(
            line -> assertThat(line).contains("SQ010013", "\"identity\":[\"alice\",\"mallory\"]"))
        .anySatisfy(
            line -> assertThat(line).contains("schedule_cancel", "recurring:0x" + "ab".repeat(32)));
  }

  @Test
  void aGroupIsFoundByItsIdToo() throws IOException {
    var id = "[\"token\", \"" + Sample.GROUP + "\"]";

    assertThat(call("alice", "pgroup_getGroupById", id).has("result")).isTrue();
    assertThat(call("stranger", "pgroup_getGroupById", id).at("/error/message").textValue())
        .contains("groups = [\"*\"]")
        .doesNotContain(GROUP);
    assertThat(
            call("stranger", "pgroup_getGroupById", "[\"token\", \"" + Sample.hash("none") + "\"]")
                .at("/error/message")
                .textValue())
        .contains("groups = [\"*\"]");
  }

  /** CLR-1: who has all groups has no identities by that. */
  @Test
  void aPublicTransactionIsChangedByThoseWhoHaveItsIdentity() throws IOException {
    var id = "\"" + Sample.CALLING + "\"";
    var changed =
        "{\"type\":\"public\",\"from\":\"alice@node1\",\"to\":\"0x%s\",\"data\":\"0x371303c0\"}"
            .formatted("3".repeat(40));
    for (var call :
        List.of(
            Map.entry("ptx_updateTransaction", "[" + id + "," + changed + "]"),
            Map.entry("sequencer_cancelTransaction", "[" + id + "]"))) {
      assertThat(call("teller", call.getKey(), call.getValue()).at("/error/message").textValue())
          .contains("SQ010013: ", "identities = ");
      assertThat(call("alice", call.getKey(), call.getValue()).get("result").textValue())
          .isEqualTo(Sample.CALLING.toString());
    }
    // Nor as one of its own, which would tell whose it is.
    assertThat(
            call(
                    "teller",
                    "ptx_updateTransaction",
                    "[" + id + "," + changed.replace("alice", "bob") + "]")
                .at("/error/message")
                .textValue())
        .contains("SQ010013: ", "identities = [\"*\"]");
  }

  @Test
  void healthAndMetricsAreForThoseWhoMayRead() throws IOException {
    for (var path : List.of("/health", "/metrics")) {
      assertThat(get("reader", path)).isNotIn(401, 403);
      assertThat(get("operator", path)).isEqualTo(403);
    }
  }

  @Test
  void callsThatChangeSomethingAreWrittenDownWithoutContents() throws IOException {
    var sent =
        "[{\"type\":\"private\",\"from\":\"alice\",\"to\":\"%s\",\"function\":\"transfer\",\"data\":{\"to\":\"carol@node2\",\"amount\":\"7\"}}]"
            .formatted(GROUP);
    var id = call("alice", "ptx_sendTransaction", sent).get("result").textValue();
    call("stranger", "ptx_sendTransaction", sent);
    call("reader", "schedule_pause", "[]");
    call("alice", "transport_nodeName", "[]");

    var files = new AuditFiles(directory.resolve("audit"));
    var lines = Files.readAllLines(files.list().get(0));
    assertThat(files.verify(null).flaw()).isEmpty();
    assertThat(lines)
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains(
                        "\"caller\":\"token:alice\",\"method\":\"ptx_sendTransaction\"",
                        "\"identity\":[\"alice\"]",
                        "\"contract\":[\"" + GROUP + "\"]",
                        "\"outcome\":\"ok\",\"ids\":[\"" + id + "\"]"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("token:stranger", "ptx_sendTransaction", "\"outcome\":\"SQ010013\""))
        .anySatisfy(line -> assertThat(line).contains("token:reader", "schedule_pause", "SQ010013"))
        .allSatisfy(
            line ->
                assertThat(line).doesNotContain("carol", "amount", "transport_nodeName", "sqt_"));
  }

  @Test
  void everyMethodSaysItsGroup() throws IOException {
    var methods = call("reader", "rpc_methods", "[]").get("result");

    assertThat(methods).isNotEmpty();
    methods.forEach(
        method ->
            assertThat(method.get("group").textValue())
                .as(method.get("name").textValue())
                .isIn("read", "submit", "operate", "webhook", "committee", "erase", "chaos"));
  }

  /** Whoever operates a node does not say for its party who is in a group. */
  @Test
  void whoMayOperateDoesNotAgreeThatACommitteeChanges() throws IOException {
    for (var method : List.of("sequencer_withdrawCommitteeChange", "sequencer_changeCommittee")) {
      var params =
          RunningRpc.JSON
              .readTree(new File("src/test/resources/dev/sequitur/node/rpc/examples.json"))
              .at("/" + method + "/params");

      assertThat(call("operator", method, params.toString()).at("/error/message").textValue())
          .startsWith("SQ010013");
    }
  }

  @Test
  void whatIsGrantedIsSaidBeforeItIsCalled() throws IOException {
    assertThat(granted("alice", "alice", "default"))
        .containsExactly("schedule_list", "schedule_pauseSchedule");
    assertThat(granted("alice", "bob", "default")).isEmpty();
    assertThat(granted("alice", "alice", "other")).isEmpty();
    assertThat(granted("stranger", "bob", "other/3"))
        .containsExactly("schedule_list", "schedule_pauseSchedule");
    assertThat(granted("reader", "alice", "default")).containsExactly("schedule_list");
    assertThat(
            call("alice", "rpc_granted", "[[\"schedule_pawse\"]]")
                .at("/error/data/code")
                .textValue())
        .isEqualTo("SQ010105");
    assertThat(
            call("alice", "rpc_granted", "[[\"schedule_cancel\",\"chaos_setFault\"]]")
                .get("result")
                .toString())
        .isEqualTo("[\"schedule_cancel\"]");
  }

  /** CLR-4: where a page ends in that order tells of others. */
  @Test
  void theOrderOfDueTimesIsThatOfOneOwnerForWhoMayNotSeeAll() throws IOException {
    assertThat(
            call("alice", "schedule_list", "[{\"order\":\"due\"}]")
                .at("/error/data/code")
                .textValue())
        .isEqualTo("SQ010302");
    var own = ids("alice", "{\"order\":\"due\",\"owner\":\"alice\"}");
    assertThat(own)
        .containsExactlyInAnyOrderElementsOf(
            ids("alice", "{\"order\":\"id\",\"owner\":\"alice\"}"));
    // Without a word of it a time is in that order for who may have it, and nobody is refused.
    assertThat(
            call("alice", "schedule_list", "[{\"dueSince\":\"2026-01-01T00:00:00Z\"}]")
                .has("result"))
        .isTrue();
  }

  @Test
  void aListInTheOrderOfDueTimesIsReadPageByPage() throws IOException {
    var all = ids("reader", "{\"order\":\"due\"}");
    assertThat(all).hasSizeGreaterThan(1);
    var first = call("reader", "schedule_list", "[{\"order\":\"due\",\"limit\":1}]");
    var next = first.at("/result/next").textValue();
    assertThat(ids("reader", "{\"order\":\"due\",\"after\":\"" + next + "\"}"))
        .isEqualTo(all.subList(1, all.size()));
    assertThat(
            call("reader", "schedule_list", "[{\"after\":\"" + next + "\"}]")
                .at("/error/message")
                .textValue())
        .contains("after must be the `next` of the page before, of a list in the same order.");
  }

  private static List<String> ids(String who, String filter) throws IOException {
    var ids = new ArrayList<String>();
    call(who, "schedule_list", "[" + filter + "]")
        .at("/result/schedules")
        .forEach(each -> ids.add(each.get("id").asText()));
    return ids;
  }

  private static List<String> granted(String who, String account, String queue) throws IOException {
    var asked =
        "[[\"schedule_list\",\"schedule_pauseSchedule\",\"schedule_pause\"],\"%s\",\"%s\"]"
            .formatted(account, queue);
    var names = new ArrayList<String>();
    call(who, "rpc_granted", asked).get("result").forEach(name -> names.add(name.asText()));
    return names;
  }

  private static int get(String who, String path) {
    return rpc.send(
            HttpRequest.newBuilder(rpc.uri(path))
                .header("Authorization", "Bearer " + TOKENS.get(who)))
        .statusCode();
  }

  private static JsonNode call(String who, String method, String params) throws IOException {
    return RunningRpc.JSON.readTree(
        rpc.send(
                HttpRequest.newBuilder(rpc.uri("/"))
                    .header("Content-Type", "application/json")
                    .header("Authorization", "Bearer " + TOKENS.get(who))
                    .POST(BodyPublishers.ofString(RunningRpc.request(method, params).toString())))
            .body());
  }

  private static Role role(
      Set<MethodGroup> methods, String identities, String queues, String accounts, String groups) {
    var names = new EnumMap<Kind, List<String>>(Kind.class);
    names.put(Kind.IDENTITIES, List.of(identities));
    names.put(Kind.QUEUES, List.of(queues));
    names.put(Kind.ACCOUNTS, List.of(accounts));
    names.put(Kind.GROUPS, List.of(groups));
    return new Role(methods, names);
  }
}
