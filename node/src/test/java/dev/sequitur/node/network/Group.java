package dev.sequitur.node.network;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.rpc.method.EndorsementProofs;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A privacy group of one member of each node, who count up together.
 *
 * @param ranking its nodes, the preferred coordinator first, by the ledger's height when it was
 *     made
 */
public record Group(String id, String contract, List<Integer> ranking) {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int MOST_TRIED = 60;
  private static final int AT_ONCE = 3;

  /**
   * Makes one and waits until every JVM knows it.
   *
   * @param endorsers how many members must endorse
   */
  public static Group create(Parties parties, int endorsers) {
    var members =
        IntStream.rangeClosed(1, parties.nodes())
            .mapToObj(node -> "'" + member(node) + "'")
            .collect(Collectors.joining(","));
    var name = "group" + NUMBER.incrementAndGet();
    var configuration = "{'endorsementThreshold':%d}".formatted(endorsers);
    var id =
        parties
            .result(
                1,
                "pgroup_createGroup",
                "[{'domain':'record','name':'%s','members':[%s],'configuration':%s}]"
                    .formatted(name, members, configuration))
            .get("id")
            .asText();
    for (int node = 1; node <= parties.nodes(); node++) {
      for (var caller : parties.callers(node)) {
        await()
            .atMost(Parties.PATIENCE)
            .until(() -> known(caller.result("pgroup_getGroupById", byId(id))));
      }
    }
    var group = parties.result(1, "pgroup_getGroupById", byId(id));
    var quorum = EndorsementProofs.readGroup(name, group).quorum();
    parties.made(
        new Deploy(
            "record",
            new ContractGenesis(
                new GroupId(Hash.hex(id)),
                name,
                quorum.committee(),
                quorum.threshold(),
                Bytes.utf8(configuration.replace('\'', '"')))));
    var contract = group.get("contractAddress").asText();
    var view = parties.result(1, "sequencer_getCoordinator", "['" + contract + "']");
    return new Group(id, contract, ranking(view));
  }

  /**
   * As {@link #create(Parties, int)}, several at once: making one is waiting for a block, and for
   * each node to read it.
   */
  public static List<Group> create(Parties parties, int endorsers, int howMany) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var made =
          Stream.generate(
                  () -> CompletableFuture.supplyAsync(() -> create(parties, endorsers), threads))
              .limit(howMany)
              .toList();
      return made.stream().map(CompletableFuture::join).toList();
    }
  }

  /** As {@link #create}, some at a time, again and again until the ranking of one is as wished. */
  public static Group where(Parties parties, int endorsers, Predicate<List<Integer>> wished) {
    for (int tried = 0; tried < MOST_TRIED; tried += AT_ONCE) {
      var group =
          create(parties, endorsers, AT_ONCE).stream()
              .filter(it -> wished.test(it.ranking))
              .findFirst();
      if (group.isPresent()) {
        return group.get();
      }
    }
    throw new AssertionError("No group is ranked so among " + MOST_TRIED);
  }

  private static String byId(String id) {
    return "['record','" + id + "']";
  }

  private static boolean known(JsonNode group) {
    return group.path("contractAddress").isTextual();
  }

  private static List<Integer> ranking(JsonNode view) {
    var nodes = new ArrayList<Integer>();
    view.get("ranking").forEach(ranked -> nodes.add(nodeOf(ranked.get("identity").asText())));
    return nodes;
  }

  private static int nodeOf(String name) {
    return Integer.parseInt(name.substring(name.indexOf("node") + "node".length()));
  }

  public static String member(int node) {
    return "party@node" + node;
  }

  /** Preferred, and so chosen while all is well. */
  public int coordinator() {
    return ranking.get(0);
  }

  /** All nodes but its preferred coordinator. */
  public List<Integer> others() {
    return ranking.stream().skip(1).sorted().toList();
  }

  /** Waits until the nodes agree that this one coordinates. */
  public void awaitCoordinator(Parties parties, int coordinator, List<Integer> nodes) {
    for (int node : nodes) {
      await()
          .alias("node" + node + " takes node" + coordinator + " for the coordinator")
          .atMost(Parties.PATIENCE)
          .until(() -> coordinatorSeenBy(parties, node) == coordinator);
    }
  }

  public int coordinatorSeenBy(Parties parties, int node) {
    var view = parties.result(node, "sequencer_getCoordinator", "['" + contract + "']");
    return nodeOf(view.get("coordinator").asText());
  }

  /** How far a node has counted. */
  public long visits(Parties parties, int node) {
    return parties
        .result(
            node,
            "pgroup_call",
            "[{'domain':'record','group':'%s','from':'%s','function':'get','input':{'key':'visits'}}]"
                .formatted(id, member(node)))
        .path("value")
        .asLong();
  }

  /** The height of the last block that a JVM knows; below 0 if it does not answer. */
  public long height(JsonRpcCaller jvm) {
    try {
      return jvm.result("sequencer_getStatus", "['" + contract + "']").get("blockHeight").asLong();
    } catch (AssertionError e) {
      return -1;
    }
  }

  /** Waits until a sender has its transaction in one of these states. */
  public void awaitState(Parties parties, int node, String transaction, List<String> states) {
    await()
        .alias(transaction + " of node" + node + " is " + states)
        .atMost(Parties.PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> states.contains(state(parties, node, "sender", transaction)));
  }

  /** Waits until the preferred coordinator has a transaction in a state. */
  public void awaitCoordinated(Parties parties, String transaction, String state) {
    await()
        .alias(transaction + " is " + state + " at node" + coordinator())
        .atMost(Parties.PATIENCE)
        .until(() -> state.equals(state(parties, coordinator(), "coordinator", transaction)));
  }

  private String state(Parties parties, int node, String role, String transaction) {
    var status = parties.result(node, "sequencer_getStatus", "['" + contract + "']");
    for (var entry : status.path(role).path("transactions")) {
      if (entry.get("transaction").asText().equals(transaction)) {
        return entry.get("state").asText();
      }
    }
    return "none";
  }
}
