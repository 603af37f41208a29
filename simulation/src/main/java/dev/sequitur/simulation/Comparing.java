package dev.sequitur.simulation;

import dev.sequitur.protocol.distribution.LedgerComparison;
import dev.sequitur.protocol.distribution.LedgerComparison.Page;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.errand.StateStoreErrands;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.indexing.BlockNotice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What LedgerComparer does for a node, and what its operator does then: each group beside what the
 * ledger shows of it, and made that if it differs (DST-9 to DST-11).
 */
final class Comparing {
  static final String DIFFERENT = "comparison DIFFERENT";
  static final String REBUILT = "comparison REBUILT";

  private static final int PAGE = 8;
  private static final Duration OFTEN = Duration.ofSeconds(3);

  private final NodeLife node;
  private final ContractAddress contract;

  Comparing(NodeLife node, ContractAddress contract) {
    this.node = node;
    this.contract = contract;
  }

  /** All nodes again and again. What differs is made good the next time. */
  static void allAgainAndAgain(Simulation simulation) {
    for (var node : simulation.nodes()) {
      if (node.isUp()) {
        for (var each : node.running().entities()) {
          new Comparing(node.running(), simulation.contractOf(each)).oneTurn();
        }
      }
    }
    simulation.after(OFTEN, () -> allAgainAndAgain(simulation));
  }

  private void oneTurn() {
    states()
        .ask(
            errands -> {
              if (errands.stopped().isPresent()) {
                rebuild();
              } else {
                compare();
              }
            });
  }

  /** Tells the state store if what it holds is not what the ledger shows. */
  void compare() {
    states().ask(errands -> read(errands).differsSince(upTo()).ifPresent(this::differs));
  }

  private void differs(BlockHeight since) {
    Invariants.require(
        node.home().hasDropped(), node.name() + " is whole, and told to differ since " + since);
    node.count(DIFFERENT);
    states().take(errands -> errands.differs(since, () -> {}));
  }

  /** Makes it what the ledger shows. */
  void rebuild() {
    states()
        .ask(
            errands -> {
              var read = read(errands);
              var surplus = read.surplus(upTo(), errands.holding(List.of()));
              Invariants.require(
                  surplus.orElse(0L) == 0,
                  node.name() + " holds " + surplus + " states that no block has made");
              var correction = correction(read);
              states().take(mine -> mine.correct(correction, this::corrected));
            });
  }

  private StateStore.Correction correction(LedgerComparison read) {
    var made = read.lacking(upTo());
    var kept = made.stream().flatMap(each -> node.disk().state(each.state()).stream()).toList();
    return new StateStore.Correction(
        upTo(), List.copyOf(read.held().keySet()), made, kept, true, List.copyOf(read.unmade()));
  }

  private void corrected(boolean done) {
    if (done) {
      node.count(REBUILT);
    }
  }

  private LedgerComparison read(StateStoreErrands errands) {
    var compared = LedgerComparison.beginning(true);
    for (long from = 1; from <= upTo().value(); from += PAGE) {
      var page = page(from, Math.min(upTo().value(), from + PAGE - 1));
      var answers = page.questions().stream().map(errands::holding).toList();
      compared = compared.with(page, answers, Map.of());
    }
    return compared;
  }

  private Page page(long from, long to) {
    var blocks = new ArrayList<StateStore.Input.BlockIndexed>();
    for (long height = from; height <= to; height++) {
      var block = node.ledger().block(height);
      Optional.ofNullable(BlockNotice.of(block, node.now(), contract::equals).get(contract))
          .map(BlockNotice::forStateStore)
          .ifPresent(blocks::add);
    }
    return Page.of(blocks, new BlockHeight(to));
  }

  /** What the whole node has acknowledged. */
  private BlockHeight upTo() {
    return node.disk().indexedTo.height();
  }

  private StateStoreShell states() {
    return node.entities(contract).states();
  }
}
