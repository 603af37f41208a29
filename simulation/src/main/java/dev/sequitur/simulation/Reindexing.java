package dev.sequitur.simulation;

import dev.sequitur.protocol.distribution.LedgerComparison;
import dev.sequitur.protocol.distribution.LedgerComparison.Page;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStore.Correction;
import dev.sequitur.protocol.errand.StateStoreErrands;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.indexing.ReceiptCorrection;
import dev.sequitur.protocol.indexing.ReceiptCorrection.Judged;
import dev.sequitur.protocol.port.ReadSoFar.Reindex;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.transaction.PrivateState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What is left to be done once the ledger is read again from a fork on, by the rules that a node
 * does it by: receipts, nonces, groups. After a crash it begins anew.
 */
final class Reindexing {
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final NodeLife node;
  private final Reindex reindex;
  private final Set<ContractAddress> left = new HashSet<>();

  Reindexing(NodeLife node, Reindex reindex) {
    this.node = node;
    this.reindex = reindex;
  }

  /** Before the first block is read again. */
  void start() {
    var since = new BlockHeight(reindex.fork().value() + 1);
    for (var each : node.entities()) {
      left.add(each.states().contract());
      each.states().take(errands -> errands.differs(since, () -> {}));
    }
    node.later(AGAIN, this::look);
  }

  private void look() {
    var read = node.disk().indexedTo.height();
    if (read.compareTo(reindex.upTo()) < 0 || !correctReceipts(read)) {
      node.later(AGAIN, this::look);
      return;
    }
    for (var each : node.entities()) {
      var submitter = each.submitter();
      long next = node.ledger().nonce(submitter.address());
      submitter.tell(new SubmitterInput.NonceFell(next), () -> {});
    }
    node.later(AGAIN, this::rebuild);
  }

  /** Whether all could be judged. */
  private boolean correctReceipts(BlockHeight read) {
    boolean all = true;
    for (var told : List.copyOf(node.disk().receipts.values())) {
      if (told.called().isPresent() || !ReceiptCorrection.concerns(told, reindex.fork())) {
        continue;
      }
      var at = told.onLedger().orElseThrow().block();
      if (at.compareTo(read) > 0) {
        all = false;
      } else if (ReceiptCorrection.inBlock(told, node.ledger().block(at.value()), node.now())
          instanceof Judged.Corrected(var receipt)) {
        node.correct(receipt);
      }
    }
    return all;
  }

  private void rebuild() {
    if (left.isEmpty()) {
      node.disk().readSoFar = node.disk().readSoFar.map(read -> read.ended(reindex));
      return;
    }
    left.forEach(
        contract -> node.entities(contract).states().take(states -> rebuilt(contract, states)));
    node.later(AGAIN, this::rebuild);
  }

  private StateStoreErrands.Work rebuilt(ContractAddress contract, StateStoreErrands states) {
    var read = node.disk().indexedTo.height();
    var compared = LedgerComparison.beginning(true).holding(held(states));
    for (long height = 1; height <= read.value(); height++) {
      var notices = BlockNotice.of(node.ledger().block(height), node.now(), contract::equals);
      var page =
          Page.of(
              notices.values().stream().map(BlockNotice::forStateStore).toList(),
              new BlockHeight(height));
      var answers = page.questions().stream().map(states::holding).toList();
      compared = compared.with(page, answers, Map.of());
    }
    var lacking = compared.lacking(read);
    List<PrivateState> kept =
        lacking.stream()
            .map(each -> node.disk().contents.get(each.state()))
            .filter(Objects::nonNull)
            .toList();
    var correction =
        new Correction(
            read,
            List.copyOf(compared.held().keySet()),
            lacking,
            kept,
            true,
            List.copyOf(compared.unmade()));
    return states.correct(
        correction,
        done -> {
          if (done) {
            left.remove(contract);
          }
        });
  }

  private static List<StateId> held(StateStoreErrands states) {
    var held = new ArrayList<StateId>();
    for (int part = 0; part < StateStore.PARTS; part++) {
      held.addAll(states.holding(part).unspent());
    }
    return held;
  }
}
