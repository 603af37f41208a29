package dev.sequitur.laboratory.demo;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.laboratory.report.Finding;
import dev.sequitur.ledger.AuditReport;
import dev.sequitur.ledger.AuditReport.Kind;
import dev.sequitur.ledger.Conservation;
import dev.sequitur.ledger.LedgerAudit;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether the network kept its promises: what callers were promised, compared with what stands in
 * the ledger's blocks and with the contents of the states that stand there. Blocks the caller;
 * confined to one thread.
 */
final class DoubleCheck {
  private static final int PAGE = 1000;

  private final RunningNetwork network;
  private final Map<GroupPlan, ContractAddress> contracts;
  private final LedgerContents contents = new LedgerContents();
  private final Map<ContractAddress, List<Confirmed>> confirmed = new HashMap<>();
  private long intents;
  private final LedgerAudit.Keeper keeper;
  private long lost;
  private long contradicted;

  /**
   * @param keeper who makes the ledger's blocks
   */
  DoubleCheck(
      RunningNetwork network,
      Map<GroupPlan, ContractAddress> contracts,
      LedgerAudit.Keeper keeper) {
    this.keeper = keeper;
    this.network = network;
    this.contracts = contracts;
  }

  /** An intent, and its place in the ledger's order. */
  private record Confirmed(long position, Intent intent) {}

  /**
   * What was found.
   *
   * @param duplicates intents that were fulfilled a second time
   * @param doubleSpends states that were spent a second time
   * @param lost accepted intents that are neither on the ledger nor ended as reverted
   * @param ledgerReverts base-ledger transactions that the contracts refused, by reason, of all
   *     runs
   */
  record Result(
      long blocks,
      long intents,
      long duplicates,
      long doubleSpends,
      long lost,
      Map<RevertReason, Long> ledgerReverts,
      List<Finding> findings) {
    Result {
      ledgerReverts = Map.copyOf(ledgerReverts);
      findings = List.copyOf(findings);
    }

    boolean holds() {
      return findings.stream().allMatch(Finding::holds);
    }
  }

  /**
   * @param accepted ids that this process was given, each of which some node must know
   */
  Result run(Set<TransactionId> accepted) {
    var head = Await.ledger(network.ledger()::head, "the head of the ledger");
    var audit =
        switch (keeper) {
          case OURS -> new LedgerAudit(contents);
          case CHAIN -> new LedgerAudit(contents, keeper, submitters());
        };
    var report = audit.read(network.ledger(), head).report();
    var unknown = new HashSet<>(accepted);
    for (var node : network.nodes()) {
      checkPromises(node.sequencer().store(), unknown);
    }
    lost += unknown.size();
    var findings = new ArrayList<Finding>();
    findings.add(exactlyOnce(report));
    findings.add(noDoubleSpend(report));
    findings.add(chainHolds(report));
    contracts.forEach((group, contract) -> findings.add(contentsOf(group, contract)));
    return new Result(
        report.height().value(),
        intents,
        report.count(Kind.INTENT_TWICE),
        report.count(Kind.SPENT_TWICE),
        lost,
        report.reverts(),
        findings);
  }

  /** The keys that sign for the contracts, and for nothing else. */
  private Set<LedgerAddress> submitters() {
    var signatures = new Secp256k1Signatures();
    return network.nodes().stream()
        .map(node -> node.sequencer().keys())
        .flatMap(
            keys ->
                contracts.values().stream()
                    .map(contract -> keys.verifier(NodeKeyNames.submitter(contract))))
        .map(signatures::address)
        .collect(Collectors.toSet());
  }

  private void checkPromises(NodeStore store, Set<TransactionId> unknown) {
    var outcomes = outcomes(store);
    new IntentPages(store, PAGE)
        .forEach(
            intent -> {
              var id = intent.transaction().id();
              unknown.remove(id);
              intent
                  .privately()
                  .ifPresent(it -> checkPromise(intent, it, Optional.ofNullable(outcomes.get(id))));
            });
  }

  private static Map<TransactionId, Boolean> outcomes(NodeStore store) {
    var outcomes = new HashMap<TransactionId, Boolean>();
    long read = 0;
    while (true) {
      var page = Await.answer(store.receipts(read, PAGE), "reading a node's receipts");
      if (page.isEmpty()) {
        return outcomes;
      }
      for (var numbered : page) {
        if (numbered.own()) {
          outcomes.put(numbered.receipt().transaction(), numbered.receipt().success());
        }
        read = numbered.sequence();
      }
    }
  }

  private void checkPromise(
      Intent intent, PrivateTransaction transaction, Optional<Boolean> outcome) {
    var position = contents.position(transaction.key());
    intents++;
    if (position.isPresent()) {
      confirmed
          .computeIfAbsent(transaction.contract(), any -> new ArrayList<>())
          .add(new Confirmed(position.getAsLong(), intent));
      contradicted += outcome.orElse(true) ? 0 : 1;
    } else if (outcome.orElse(isOurs(intent, transaction))) {
      // Told that it succeeded, or told nothing though the wait was over.
      lost++;
    }
  }

  /** Another's may be parked, or be for its caller to put on the ledger. */
  private static boolean isOurs(Intent intent, PrivateTransaction transaction) {
    return transaction.submitMode() == SubmitMode.AUTO
        && intent.idempotencyKey().map(key -> key.name().startsWith("demo-")).orElse(false);
  }

  private Finding exactlyOnce(AuditReport report) {
    long twice = report.count(Kind.INTENT_TWICE);
    return Finding.of(
        twice == 0 && lost == 0 && contradicted == 0,
        "each of %,d accepted intents is confirmed exactly once or ended as reverted: %d twice,"
            + " %d lost, %d with a receipt that says otherwise",
        intents,
        twice,
        lost,
        contradicted);
  }

  private static Finding noDoubleSpend(AuditReport report) {
    long spent = report.contracts().values().stream().mapToLong(tally -> tally.spent()).sum();
    long twice = report.count(Kind.SPENT_TWICE);
    return Finding.of(twice == 0, "%,d states spent, %d of them twice", spent, twice);
  }

  private static Finding chainHolds(AuditReport report) {
    long others =
        report.violations().entrySet().stream()
            .filter(entry -> entry.getKey() != Kind.INTENT_TWICE)
            .filter(entry -> entry.getKey() != Kind.SPENT_TWICE)
            .mapToLong(Map.Entry::getValue)
            .sum();
    var first = report.examples().isEmpty() ? "" : ": " + report.examples().get(0).description();
    return Finding.of(
        others == 0,
        "%,d blocks with %,d transactions, %,d of them reverted, follow from one another%s",
        report.height().value(),
        report.transactions(),
        report.reverted(),
        others == 0 ? "" : ", but for " + others + first);
  }

  private Finding contentsOf(GroupPlan group, ContractAddress contract) {
    var replay = Replay.of(group);
    confirmed.getOrDefault(contract, List.of()).stream()
        .sorted(Comparator.comparingLong(Confirmed::position))
        .forEach(entry -> replay.apply(entry.intent().privately().orElseThrow()));
    var ids = contents.standing(contract);
    var states = new StateReader(network).read(contract, ids);
    if (states.size() < ids.size()) {
      var missing = new LinkedHashSet<>(ids);
      states.forEach(state -> missing.remove(state.id()));
      return Finding.of(
          false,
          "%s: of %,d states no node shows a content that fits the id, the first %s",
          group.name(),
          missing.size(),
          missing.iterator().next());
    }
    return replay.compare(states);
  }

  /**
   * Follows an audit through the blocks and keeps what the double-check needs of them: which intent
   * was fulfilled when, and which states stand. Confined to one thread.
   */
  private static final class LedgerContents implements Conservation {
    private final Map<IntentKey, Long> positions = new HashMap<>();
    private final Map<ContractAddress, Set<StateId>> standing = new HashMap<>();

    /** Has no complaint of its own: contents are compared at the end. */
    @Override
    public Optional<String> complaint(Fulfilled fulfilled) {
      positions.putIfAbsent(fulfilled.intent(), (long) positions.size());
      var states = standing.computeIfAbsent(fulfilled.contract(), any -> new LinkedHashSet<>());
      fulfilled.spent().forEach(states::remove);
      states.addAll(fulfilled.created());
      return Optional.empty();
    }

    /** The place of an intent in the ledger's order; empty if it was not fulfilled. */
    OptionalLong position(IntentKey intent) {
      var position = positions.get(intent);
      return position == null ? OptionalLong.empty() : OptionalLong.of(position);
    }

    /** States of a contract that are made and not spent. */
    Set<StateId> standing(ContractAddress contract) {
      return standing.getOrDefault(contract, Set.of());
    }
  }
}
