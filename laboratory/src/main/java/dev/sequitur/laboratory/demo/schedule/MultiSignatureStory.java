package dev.sequitur.laboratory.demo.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.laboratory.demo.DemoFailure;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Three parties sign, each on its own node, and a private token transfer is released. */
final class MultiSignatureStory implements Story {
  private static final List<String> PARTIES = List.of("alice@node1", "bob@node2", "carol@node3");
  private static final String FUNDS = "1000";
  private static final long ANSWER_SECONDS = 60;

  /** What a party signed. */
  private record Signed(String publicKey, String json) {}

  @Override
  public String title() {
    return "Multi-signature: three parties release a private token transfer";
  }

  @Override
  public void tell(Stage stage, Findings findings) {
    var node = stage.node(1);
    var contract = token(stage);
    var body =
        node.call(
                "multiSignature_buildBody",
                "[{'memo':'release','transaction':{'type':'private','from':'alice@node1','to':'%s',"
                    + "'function':'transfer','data':{'to':'bob@node2','amount':'40'}}}]",
                contract)
            .get("transactionBody")
            .asText();
    var signed = new ArrayList<Signed>();
    for (int party = 1; party <= PARTIES.size(); party++) {
      signed.add(sign(stage, party, body));
    }
    var accounts = new ArrayList<String>();
    signed.forEach(each -> accounts.add(account(node, each.publicKey())));
    node.call(
        "multiSignature_bindKey",
        "[{'identity':'alice@node1','key':{'keys':['%s','%s','%s']}}]",
        signed.get(0).publicKey(),
        signed.get(1).publicKey(),
        signed.get(2).publicKey());
    stage.say("What runs from alice@node1 needs three keys, one on each node");
    var created = create(stage, accounts.get(0), body, signed.get(0));
    var schedule = created.get("scheduleID").asText();
    stage.say("Alice creates schedule %s, with her signature", schedule);
    for (int party = 2; party <= PARTIES.size(); party++) {
      var key = signed.get(party - 1).publicKey();
      findings.check(
          pending(node, key).contains(schedule),
          "schedule %s waits for the key of %s",
          schedule,
          PARTIES.get(party - 1));
      addSignature(stage, party, accounts.get(party - 1), schedule, signed.get(party - 1));
      stage.say("%s signs, on a node of its own", PARTIES.get(party - 1));
    }
    checkRun(stage, findings, new Release(contract, schedule, created));
  }

  /**
   * What was created.
   *
   * @param receipt of the creation
   */
  private record Release(String contract, String schedule, JsonNode receipt) {}

  /** A group of the three, in which Alice has 100. */
  private static String token(Stage stage) {
    var node = stage.node(1);
    var group =
        node.call(
                "pgroup_createGroup",
                "[{'domain':'token','name':'escrow','members':['%s','%s','%s'],'properties':{},"
                    + "'configuration':{}}]",
                PARTIES.toArray())
            .get("id")
            .asText();
    String contract = null;
    for (var each : stage.nodes()) {
      contract = each.contract(group);
    }
    node.mint(contract, "alice@node1", 100);
    stage.say("A token of three parties is on the ledger, and alice@node1 has 100 of it");
    return contract;
  }

  private static Signed sign(Stage stage, int party, String bytes) {
    var signature =
        stage
            .node(party)
            .call(
                "multiSignature_sign",
                "[{'identity':'%s','bytes':'%s'}]",
                PARTIES.get(party - 1),
                bytes);
    return new Signed(signature.get("publicKey").asText(), signature.toString());
  }

  private static String account(StoryNode node, String key) {
    var account =
        node.call("multiSignature_openAccount", "[{'key':'%s'}]", key).get("accountID").asText();
    node.call("schedule_fund", "[{'account':'%s','amount':'%s'}]", account, FUNDS);
    return account;
  }

  private static JsonNode create(Stage stage, String payer, String body, Signed signed) {
    return submit(
        stage,
        1,
        "scheduleCreate",
        "'payer':'%s','transactionBody':'%s','sigMap':[%s]".formatted(payer, body, signed.json()));
  }

  private static void addSignature(
      Stage stage, int party, String payer, String schedule, Signed signed) {
    submit(
        stage,
        party,
        "scheduleSign",
        "'payer':'%s','scheduleID':'%s','sigMap':[%s]".formatted(payer, schedule, signed.json()));
  }

  /** Built and taken by node 1, whose queue it is; signed where its payer's key is. */
  private static JsonNode submit(Stage stage, int party, String operation, String fields) {
    var node = stage.node(1);
    var bytes =
        node.call(
                "multiSignature_buildTransaction",
                "[{'operation':'" + operation + "'," + fields.replace("%", "%%") + "}]")
            .get("bodyBytes")
            .asText();
    var outer = sign(stage, party, bytes);
    return node.call(
        "multiSignature_" + operation,
        "[{'bodyBytes':'%s','signatures':[%s]}]",
        bytes,
        outer.json());
  }

  private static List<String> pending(StoryNode node, String key) {
    return node.call("multiSignature_pendingFor", "['%s']", key)
        .get("schedules")
        .findValuesAsText("scheduleID");
  }

  private static void checkRun(Stage stage, Findings findings, Release release) {
    var node = stage.node(1);
    var id = release.schedule();
    var history = node.outcomes(id, 1);
    findings.occurrences("release of 40", id, history, 1, Set.of("run"));
    var transaction = history.get(0).get("transaction");
    var receipt = node.call("ptx_getTransactionReceipt", "[%s]", transaction);
    stage.say(
        "The third signature released it: block %d of the ledger has it",
        receipt.path("blockNumber").asLong());
    findings.check(
        isOnLedger(stage, receipt.path("transactionHash").asText()),
        "the private transfer is confirmed on the ledger, in block %d",
        receipt.path("blockNumber").asLong());
    var group =
        node.call("pgroup_getGroupByAddress", "['%s']", release.contract()).get("id").asText();
    var balance =
        stage
            .node(2)
            .await(
                "Bob's 40",
                found -> found.get("balance").asText().equals("40"),
                "pgroup_call",
                ("[{'domain':'token','group':'%s','from':'bob@node2','function':'balanceOf',"
                        + "'input':{'owner':'bob@node2'}}]")
                    .formatted(group));
    findings.equal("bob@node2 has, by its own node", "40", balance.get("balance").asText());
    var records =
        node.call(
            "multiSignature_getRecords",
            "['%s']",
            release.receipt().get("scheduledTransactionID").asText());
    findings.check(
        !records.isEmpty() && records.findValuesAsText("scheduleRef").contains(release.schedule()),
        "its records name the schedule: %d of them",
        records.size());
  }

  /** Asked of the ledger itself, and of no node. */
  private static boolean isOnLedger(Stage stage, String hash) {
    try {
      return stage
          .ledger()
          .receipt(new TransactionHash(Hash.hex(hash)))
          .toCompletableFuture()
          .get(ANSWER_SECONDS, TimeUnit.SECONDS)
          .isPresent();
    } catch (ExecutionException | TimeoutException e) {
      throw new DemoFailure("The ledger did not answer.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DemoFailure("Interrupted while asking the ledger.", e);
    }
  }
}
