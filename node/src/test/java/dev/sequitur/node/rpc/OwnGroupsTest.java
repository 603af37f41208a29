package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Role;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers who have the groups of their identities, and may make such ones. */
class OwnGroupsTest {
  private static final String GROUP = Sample.CONTRACT.value();
  private static final String LATER = "0x" + "44".repeat(20);
  private static final String NOT_THERE = "0x" + "55".repeat(20);
  private static final String MESSAGE =
      "[{\"domain\":\"token\",\"group\":\"%s\",\"topic\":\"%s\"}]";

  @TempDir Path directory;

  private GuardedCallers callers;

  @BeforeEach
  void start() {
    callers =
        new GuardedCallers(
            directory,
            Map.of(
                "alice", GuardedCallers.submits("alice@node1", "default", "alice", "own"),
                "mallory", GuardedCallers.submits("mallory@node1", "default", "mallory", "own"),
                "bob", GuardedCallers.submits("bob@node2", "default", "bob", "own"),
                "maker",
                    new Role(
                        Set.of(MethodGroup.READ, MethodGroup.SUBMIT),
                        Map.of(
                            Named.Kind.IDENTITIES, List.of("carol@node1"),
                            Named.Kind.GROUPS, List.of("own", "new"))),
                "all", GuardedCallers.role(Set.of(MethodGroup.values()), "*", "*", "*", "*")));
    Sample.publics(callers.rpc.node.store());
  }

  @AfterEach
  void stop() {
    callers.close();
  }

  /** A group of some members, made now. */
  private void make(String contract, String... members) {
    var id = new GroupId(Sample.hash(contract));
    var group =
        new PrivacyGroup(
            id,
            BaseLedger.LOCAL_CHAIN,
            new ContractAddress(contract),
            "token",
            "later",
            new Committee(
                Stream.of(members)
                    .map(member -> new Member(Identity.parse(member), Sample.VERIFIER))
                    .toList()),
            1,
            Bytes.utf8("{}"));
    callers.rpc.node.groups.add(group);
    callers
        .rpc
        .node
        .store()
        .putGroup(StoredGroup.of(id, Sample.NOW.plusSeconds(60)).withGroup(Optional.of(group)))
        .toCompletableFuture()
        .join();
  }

  private List<String> groups(String who, String query) {
    return callers
        .call(who, "pgroup_queryGroups", "[" + query + "]")
        .get("result")
        .findValuesAsText("name");
  }

  private JsonNode error(String who, String method, String params) {
    var answer = callers.call(who, method, params);
    assertThat(answer.has("error")).as(answer.toString()).isTrue();
    return answer.get("error");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pgroup_getGroupByAddress | [\"CONTRACT\"]",
        "pgroup_getGroupById | [\"token\",\"GROUP\"]",
        "sequencer_getStatus | [\"CONTRACT\"]",
        "ptx_getTransaction | [\"TRANSACTION\"]",
        "ptx_getTransactionReceipt | [\"TRANSACTION\"]",
        "domain_getSmartContractByAddress | [\"CONTRACT\"]",
        "pgroup_sendMessage | [{\"domain\":\"token\",\"group\":\"GROUP\",\"topic\":\"t\"}]"
      })
  void aGroupIsThereForWhoIsInItAloneAndForOthersAsOneThatIsNot(String method, String params) {
    var there =
        params
            .replace("CONTRACT", GROUP)
            .replace("GROUP", Sample.GROUP.toString())
            .replace("TRANSACTION", Sample.CONFIRMED.toString());
    var absent =
        params
            .replace("CONTRACT", NOT_THERE)
            .replace("GROUP", Sample.hash("none").toString())
            .replace("TRANSACTION", Sample.id(4_711).toString());

    assertThat(callers.call("alice", method, there).has("result")).isTrue();
    for (var who : List.of("mallory", "bob")) {
      assertThat(error(who, method, there).toString().replace(GROUP, NOT_THERE))
          .as("who is in no group, and who is of another node")
          .isEqualTo(error(who, method, absent).toString());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pgroup_queryGroups",
        "ptx_queryTransactions",
        "ptx_queryPendingTransactions",
        "ptx_queryTransactionsFull",
        "domain_querySmartContracts",
        "pgroup_queryMessages",
        "ptx_queryTransactionReceipts",
        "ptx_queryPreparedTransactions",
        "ptx_queryPublicTransactions",
        "ptx_queryPendingPublicTransactions"
      })
  void aListHasWhatItsReaderMaySee(String method) {
    callers.call("all", "pgroup_sendMessage", MESSAGE.formatted(Sample.GROUP, "t"));

    assertThat(callers.call("alice", method, "[{\"limit\":10}]").at("/result")).isNotEmpty();
    assertThat(callers.call("mallory", method, "[{\"limit\":10}]").at("/result").toString())
        .isEqualTo("[]");
    assertThat(callers.call("bob", method, "[{\"limit\":10}]").at("/result").toString())
        .isEqualTo("[]");
  }

  @Test
  void statesAreThoseOfItsGroups() {
    var query = "[\"token\",\"coin\",{\"limit\":10},\"all\"]";

    assertThat(callers.call("alice", "pstate_queryStates", query).at("/result")).isNotEmpty();
    assertThat(callers.call("mallory", "pstate_queryStates", query).at("/result").toString())
        .isEqualTo("[]");
  }

  /** By its number, its nonce and its hash. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ptx_getPublicTransaction | [LOCAL]",
        "ptx_getPublicTransactionByNonce | [\"FROM\",4]",
        "ptx_getPublicTransactionByHash | [\"HASH\"]"
      })
  void aPublicTransactionIsThereForWhoHasItsSender(String method, String params) {
    var local =
        callers
            .call("all", "ptx_queryPublicTransactions", "[{\"limit\":1,\"sort\":[\"localId\"]}]")
            .at("/result/0/localId");
    var asked =
        params
            .replace("LOCAL", local.toString())
            .replace("FROM", Sample.SIGNER.value())
            .replace("HASH", Sample.CALL.toString());

    assertThat(callers.call("alice", method, asked).at("/result/transaction").textValue())
        .isEqualTo(Sample.CALLED.toString());
    assertThat(callers.call("mallory", method, asked).get("result").isNull()).isTrue();
  }

  @Test
  void receiptsByAnIdAreThoseOfItsGroups() {
    make(LATER, "mallory@node1");
    var id = Sample.id(7_000);
    ended(id, GROUP);
    ended(id, LATER);
    var query = "[{\"limit\":9,\"eq\":[{\"field\":\"id\",\"value\":\"%s\"}]}]".formatted(id);

    assertThat(contracts("all", query)).containsExactly(GROUP, LATER);
    assertThat(contracts("alice", query)).containsExactly(GROUP);
    assertThat(contracts("mallory", query)).containsExactly(LATER);
  }

  private List<String> contracts(String who, String query) {
    return callers
        .call(who, "ptx_queryTransactionReceipts", query)
        .get("result")
        .findValuesAsText("contractAddress");
  }

  /** A receipt of what another node has sent in a group. */
  private void ended(TransactionId id, String contract) {
    var here = Sample.confirmed(id);
    callers
        .rpc
        .node
        .store()
        .confirm(
            Map.of(
                new IntentKey(id, new SenderCommitment(Sample.hash(contract))),
                new Receipt(
                    id,
                    new ContractAddress(contract),
                    here.domain(),
                    true,
                    here.onLedger(),
                    Optional.empty(),
                    Sample.NOW)),
            Set.of())
        .toCompletableFuture()
        .join();
  }

  /** A list may look at thousands of rows, and a group may have a hundred members. */
  @Test
  void whoIsInAGroupIsLookedUpOnceForAllRowsOfAList() {
    callers
        .rpc
        .node
        .store()
        .accept(
            IntStream.range(8_000, 8_100)
                .mapToObj(each -> Sample.intent(Sample.id(each), null, SubmitMode.AUTO))
                .toList());
    callers.rpc.node.groupsAsked.set(0);

    assertThat(callers.call("mallory", "ptx_queryTransactions", "[{\"limit\":9}]").get("result"))
        .isEmpty();
    assertThat(callers.rpc.node.groupsAsked.get()).isLessThan(5);
  }

  /** The newest are others': they take no place on the page. */
  @Test
  void aPageIsFullOfWhatIsSeen() {
    make(LATER, "carol@node1", "bob@node2");

    assertThat(groups("all", "{\"limit\":1}")).containsExactly("later");
    assertThat(groups("alice", "{\"limit\":2}")).containsExactly("ledgerless", "traders");
    var transactions =
        callers.call("mallory", "ptx_queryTransactions", "[{\"limit\":1}]").get("result");
    assertThat(transactions).isEmpty();
  }

  @Test
  void aGroupThatIsMadeLaterIsSeenAtOnce() {
    assertThat(groups("mallory", "{\"limit\":10}")).isEmpty();

    make(LATER, "mallory@node1", "bob@node2");

    assertThat(groups("mallory", "{\"limit\":10}")).containsExactly("later");
    assertThat(
            callers
                .call("mallory", "pgroup_getGroupByAddress", "[\"" + LATER + "\"]")
                .at("/result/name")
                .textValue())
        .isEqualTo("later");
    assertThat(groups("alice", "{\"limit\":10}")).doesNotContain("later");
  }

  @Test
  void whatIsPushedIsOfItsGroups() {
    try (var alice = callers.socket("alice");
        var mallory = callers.socket("mallory")) {
      for (var who : List.of("alice", "mallory")) {
        callers.call(who, "pgroup_createMessageListener", "[{\"name\":\"m\"}]");
      }
      alice.call("pgroup_subscribe", "[\"messages\",\"m\"]");
      mallory.call("pgroup_subscribe", "[\"messages\",\"m\"]");
      callers.call("all", "pgroup_sendMessage", MESSAGE.formatted(Sample.GROUP, "first"));

      assertThat(alice.next().at("/params/result/messages").findValuesAsText("topic"))
          .containsExactly("first");

      make(LATER, "mallory@node1");
      callers.call(
          "all", "pgroup_sendMessage", MESSAGE.formatted(Sample.hash(LATER), "of the new group"));

      assertThat(mallory.next().at("/params/result/messages").findValuesAsText("topic"))
          .containsExactly("of the new group");
    }
  }

  /** What a call may see stays as it was when it came; what is pushed does not. */
  @Test
  void receiptsThatArePushedAreThoseOfItsGroupsAsTheyAreThen() {
    try (var mallory = callers.socket("mallory")) {
      callers.call("mallory", "ptx_createReceiptListener", "[{\"name\":\"r\"}]");
      mallory.call("ptx_subscribe", "[\"receipts\",\"r\"]");
      ended(Sample.id(7_001), GROUP);
      make(LATER, "mallory@node1");
      ended(Sample.id(7_002), LATER);

      assertThat(mallory.next().at("/params/result/receipts").findValuesAsText("id"))
          .containsExactly(Sample.id(7_002).toString());
    }
  }

  @ParameterizedTest(name = "{0} makes one of {1}: {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "maker | \"carol@node1\",\"bob@node2\" | -",
        "maker | \"carol\" | -",
        "maker | \"alice@node1\" | identities = [\"alice@node1\"] beside methods = [submit]",
        "maker | \"bob@node2\" | groups = [\"*\"] beside methods = [submit]",
        "alice | \"alice@node1\" | groups = [\"new\"] beside methods = [submit]",
        "all | \"bob@node2\" | -"
      })
  void whoMakesAGroupIsInIt(String who, String members, String missing) {
    var answer =
        callers.call(
            who,
            "pgroup_createGroup",
            "[{\"domain\":\"token\",\"name\":\"made\",\"members\":[%s]}]".formatted(members));

    if (missing == null) {
      assertThat(answer.has("result")).as(answer.toString()).isTrue();
    } else {
      assertThat(answer.at("/error/message").textValue()).contains("SQ010013: ", missing);
    }
  }

  /** Also by a transaction without {@code to}, whose sender it may be. */
  @Test
  void whoMakesAGroupByATransactionIsInIt() {
    var sent =
        "[{\"type\":\"private\",\"domain\":\"token\",\"from\":\"%s\",\"data\":{\"name\":\"coins\"}}]";

    assertThat(callers.call("maker", "ptx_sendTransaction", sent.formatted("carol")).has("result"))
        .isTrue();
    assertThat(error("maker", "ptx_sendTransaction", sent.formatted("alice")).toString())
        .contains("SQ010013: ", "identities = ");
    assertThat(error("alice", "ptx_sendTransaction", sent.formatted("alice")).toString())
        .contains("SQ010013: ", "new");
  }

  /** Until its contract stands it is known by whom it is to have. */
  @Test
  void whoMakesAGroupOfItsOwnSeesItBeforeItsContractStands() {
    var made =
        callers
            .call(
                "maker",
                "pgroup_createGroup",
                "[{\"domain\":\"token\",\"name\":\"made\",\"members\":[\"carol@node1\"]}]")
            .get("result");
    var id = "[\"token\",\"%s\"]".formatted(made.get("id").textValue());

    assertThat(callers.call("maker", "pgroup_getGroupById", id).at("/result/members"))
        .isEqualTo(RunningRpc.parse("[\"carol@node1\"]"));
    assertThat(callers.call("maker", "pgroup_queryGroups", "[{\"limit\":9}]").get("result"))
        .hasSize(1);
    assertThat(error("alice", "pgroup_getGroupById", id).toString()).contains("SQ010013");
    assertThat(groups("alice", "{\"limit\":9}")).containsExactly("ledgerless", "traders");
    var genesis = "[\"%s\"]".formatted(made.get("genesisTransaction").textValue());
    assertThat(callers.call("maker", "ptx_getTransactionReceipt", genesis).has("result")).isTrue();
    assertThat(error("alice", "ptx_getTransactionReceipt", genesis).toString())
        .contains("SQ010013");
  }
}
