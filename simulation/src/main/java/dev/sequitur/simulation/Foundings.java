package dev.sequitur.simulation;

import static dev.sequitur.simulation.Invariants.require;

import dev.sequitur.protocol.founding.FoundingEffect.Outcome;
import dev.sequitur.protocol.founding.GroupRules;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Groups that nodes make while things go wrong: who asks for them, and that each of them stands
 * once and for all of its members, or is withdrawn everywhere.
 */
final class Foundings {
  /** A domain that one node does not have: it takes part in no group of it. */
  private static final String RARE = "rare";

  /** An identity that its node does not know until things stop going wrong. */
  private static final String GHOST = "ghost";

  private final Simulation simulation;
  private final Map<GroupId, Asked> asked = new LinkedHashMap<>();
  private final Map<TransactionId, GroupId> geneses = new LinkedHashMap<>();
  private final Set<TransactionId> accepted = new HashSet<>();
  private final Map<TransactionId, Integer> calls = new LinkedHashMap<>();
  private final Map<GroupId, LedgerReceipt.Deployed> deployed = new LinkedHashMap<>();
  private final Set<GroupId> ended = new HashSet<>();
  private boolean calm;

  /** A group that a caller of a node wants. */
  private record Asked(NodeName maker, TransactionId genesis, GroupRequest request) {
    private List<NodeName> nodes() {
      return request.members().stream().map(Identity::node).distinct().toList();
    }
  }

  Foundings(Simulation simulation) {
    this.simulation = simulation;
  }

  /** What a node goes by. The last one lacks a domain. */
  GroupRules rules(NodeName node, Keys keys) {
    var peers = new HashSet<NodeName>();
    simulation.nodes().forEach(each -> peers.add(each.name()));
    peers.remove(node);
    Domain domain = simulation.domain();
    return new GroupRules(
        node,
        isLast(node)
            ? Map.of(SimulatedDomain.NAME, domain)
            : Map.of(SimulatedDomain.NAME, domain, RARE, domain),
        () -> peers,
        identity -> !calm && identity.name().equals(GHOST) && identity.node().equals(node),
        keys);
  }

  private boolean isLast(NodeName node) {
    var last = node;
    for (var each : simulation.nodes()) {
      last = each.name();
    }
    return node.equals(last);
  }

  /** What callers do: some by a transaction, some by a call that is lost with the node's life. */
  void make(SplittableRandom random) {
    var nodes = simulation.nodes().stream().filter(SimulatedNode::isUp).toList();
    if (nodes.isEmpty()) {
      return;
    }
    var maker = nodes.get(random.nextInt(nodes.size()));
    var members = new ArrayList<Identity>();
    boolean hasGhost = random.nextInt(4) == 0;
    for (var each : simulation.nodes()) {
      if (each.equals(maker)) {
        members.add(new Identity(Simulation.MEMBER, each.name()));
      } else if (random.nextBoolean()) {
        members.add(new Identity(hasGhost ? GHOST : Simulation.MEMBER, each.name()));
        hasGhost = false;
      }
    }
    boolean isRare = random.nextInt(3) == 0 && !isLast(maker.name());
    var genesis = new TransactionId(new UUID(~simulation.setup().seed(), geneses.size()));
    var request =
        new GroupRequest(
            isRare ? RARE : SimulatedDomain.NAME,
            "group of " + genesis,
            members,
            Bytes.EMPTY,
            Bytes.EMPTY);
    var group = GroupRules.idOf(request, genesis);
    asked.put(group, new Asked(maker.name(), genesis, request));
    geneses.put(genesis, group);
    if (random.nextInt(3) == 0) {
      var any = List.copyOf(simulation.nodes()).get(random.nextInt(simulation.nodes().size()));
      crashAsItStores(
          random.nextBoolean() ? maker : any,
          random.nextBoolean(),
          Duration.ofMillis(500 + random.nextInt(5_000)));
    }
    if (random.nextBoolean()) {
      maker.submit(new NewGroup(genesis, members.getFirst(), Bytes.EMPTY, request));
    } else {
      calls.put(genesis, maker.lives());
      maker.running().alive(() -> call(maker, genesis, request));
    }
  }

  private void crashAsItStores(SimulatedNode node, boolean afterwards, Duration downtime) {
    node.crashAt(
        moment -> {
          boolean now =
              moment instanceof Moment.Founding founding && founding.stored() == afterwards;
          if (now) {
            simulation.injected(Fault.CRASH_WRITING);
          }
          return now;
        },
        downtime);
  }

  private void call(SimulatedNode maker, TransactionId genesis, GroupRequest request) {
    maker
        .running()
        .founding()
        .make(
            request,
            genesis,
            outcome -> {
              require(calls.remove(genesis) != null, "A caller was answered twice: " + outcome);
              if (outcome instanceof Outcome.Begun(var group)) {
                require(
                    maker.disk().groups.containsKey(group.id()),
                    maker.name() + " tells of a group that it has not stored: " + group.id());
              }
            });
  }

  /** From now on all identities are known. */
  void calm() {
    calm = true;
  }

  boolean isGenesis(TransactionId transaction) {
    return geneses.containsKey(transaction);
  }

  void onAccepted(NodeName node, NewGroup transaction) {
    accepted.add(transaction.id());
  }

  /** A node gives the base ledger a contract: all members take part by then. */
  void onSubmitting(NodeName node, LedgerTransaction.Call call) {
    if (call instanceof LedgerTransaction.Deploy deploy) {
      var genesis = deploy.genesis();
      require(
          asked.containsKey(genesis.group()) && asked.get(genesis.group()).maker().equals(node),
          node + " deploys a group that nobody has asked it for: " + genesis.group());
      for (var other : genesis.committee().nodes()) {
        var stored = simulation.node(other).disk().groups.get(genesis.group());
        require(
            stored != null
                && stored.deployment().isPresent()
                && stored.deployment().get().genesis().equals(genesis),
            node + " deploys a group that " + other + " has not stored: " + genesis.group());
        require(
            stored.notMade().isEmpty(),
            node + " deploys a group that " + other + " holds for ended: " + genesis.group());
      }
      for (Member member : genesis.committee().members()) {
        var identity = member.identity();
        require(
            simulation
                .node(identity.node())
                .keys()
                .verifier(identity.name())
                .equals(member.verifier()),
            node + " deploys a group with another's key for " + identity);
      }
    }
  }

  void onFinal(Block block) {
    for (var receipt : block.receipts()) {
      for (var result : receipt.results()) {
        if (result instanceof LedgerReceipt.Deployed made) {
          var group = made.genesis().group();
          require(deployed.put(group, made) == null, "Made twice: " + group);
          require(!ended.contains(group), "It had ended, and was made: " + group);
        }
      }
    }
  }

  /** A node has stored what it knows of a group. */
  void onStored(NodeName node, StoredGroup stored) {
    var of = asked.get(stored.id());
    if (of == null) {
      return;
    }
    if (stored.notMade().isPresent()) {
      require(
          !deployed.containsKey(stored.id()),
          node + " ends a group whose contract stands: " + stored.id());
      ended.add(stored.id());
    }
    if (stored.group().isPresent()) {
      require(
          deployed.containsKey(stored.id()),
          node + " knows a contract that is in no final block: " + stored.id());
    }
  }

  void onReceipt(NodeName node, Receipt receipt) {
    var group = geneses.get(receipt.transaction());
    require(asked.get(group).maker().equals(node), node + " has the receipt of another: " + group);
    require(
        receipt.success() == deployed.containsKey(group),
        "The ledger and the receipt say different things of " + group + ": " + receipt);
  }

  /** What is neither made nor withdrawn everywhere, in words. */
  List<String> unsettled() {
    var open = new ArrayList<String>();
    asked.forEach((group, of) -> unsettled(group, of, open));
    calls.forEach(
        (genesis, life) -> {
          var maker = simulation.node(asked.get(geneses.get(genesis)).maker());
          if (maker.lives() == life) {
            open.add("a caller of " + maker.name() + " waits for " + geneses.get(genesis));
          }
        });
    return open;
  }

  private void unsettled(GroupId group, Asked of, List<String> open) {
    var maker = simulation.node(of.maker()).disk();
    var stored = maker.groups.get(group);
    if (accepted.contains(of.genesis()) && !maker.receipts.containsKey(of.genesis())) {
      open.add(group + " has no receipt");
    } else if (stored != null) {
      boolean isWithdrawn = stored.withdrawal().filter(told -> told.untold().isEmpty()).isPresent();
      if (stored.group().isEmpty() && !isWithdrawn) {
        open.add(group + " is neither made nor withdrawn: " + stored);
      }
      for (var other : of.nodes()) {
        var there = simulation.node(other).disk().groups.get(group);
        if (stored.group().isPresent() && (there == null || there.group().isEmpty())) {
          open.add(group + " does not stand at " + other);
        }
      }
    }
  }

  /** What somebody still waits for that nobody makes. */
  List<String> leftOvers() {
    var left = new ArrayList<>(unsettled());
    asked.forEach(
        (group, of) -> {
          for (var each : of.nodes()) {
            var there = simulation.node(each).disk().groups.get(group);
            if (there != null && there.group().isEmpty() && there.notMade().isEmpty()) {
              left.add(each + " waits for " + group);
            }
          }
        });
    return left;
  }

  /** How many groups stand, and how many were withdrawn. */
  int made() {
    return deployed.size();
  }

  int ended() {
    return ended.size();
  }
}
