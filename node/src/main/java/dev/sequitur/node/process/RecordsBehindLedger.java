package dev.sequitur.node.process;

import akka.actor.typed.ActorSystem;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.OlderRecords;
import dev.sequitur.protocol.indexing.OlderRecords.Done;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.sequencer.actor.JournaledNonce;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a node's records are an older copy (RCV-7): the blocks that it has yet to read have
 * something that this node did and does not know. Such a node would take old idempotency keys for
 * new ones, and spend what is spent.
 *
 * <p>It reads the ledger before the journal and the records: what it finds on the ledger was stored
 * before, by whichever JVM of the node.
 */
final class RecordsBehindLedger {
  private static final Logger LOG = LoggerFactory.getLogger(RecordsBehindLedger.class);

  private final ActorSystem<?> system;
  private final NodeSetup setup;
  private final StartQuestions questions;

  RecordsBehindLedger(ActorSystem<?> system, NodeSetup setup) {
    this.system = system;
    this.setup = setup;
    this.questions = new StartQuestions(system);
  }

  /**
   * Blocks while it reads the ledger, for {@link FirstMissedBlocks#LONGEST} at most. A ledger that
   * cannot be asked keeps no node from starting.
   *
   * @param mayBegin whether the node is to go on all the same
   * @return a sentence on what the node lacks, if it is to
   * @throws StartFailure if the ledger shows what the records do not have and it is not to, or the
   *     records cannot be read
   */
  Optional<String> look(boolean mayBegin) {
    var told = OlderRecords.told(unknown());
    if (told.isPresent() && !mayBegin) {
      throw new StartFailure(
          "Node %s has an older copy of its records: %s. Restore the newest copy of the whole data directory, or of the database; --begin-older goes on without, and what was done since is then unknown to it: a call that is repeated with an idempotency key of that time is done once more."
              .formatted(setup.self(), told.get()));
    }
    var lacking =
        told.map(
            it ->
                "This node goes on from an older copy of its records: %s. What is repeated with an idempotency key of that time is done once more, and what schedules have run since is run again."
                    .formatted(it));
    lacking.ifPresent(LOG::warn);
    return lacking;
  }

  private List<Done> unknown() {
    var indexed = questions.answer(setup.ports().store()::indexedTo);
    if (indexed.isEmpty()) {
      return List.of();
    }
    List<Done> shown;
    try {
      shown = shownAfter(indexed.get().height());
    } catch (StartFailure e) {
      if (StartQuestions.isOfStore(e)) {
        throw e;
      }
      if (StartQuestions.isOfDroppedBlocks(e)) {
        throw new StartFailure(
            "Node %s has read the base ledger up to block %s and cannot read on: %s Restore a newer copy of its records."
                .formatted(setup.self(), indexed.get().height(), e.getMessage()),
            e);
      }
      LOG.warn(
          "The base ledger cannot be asked whether it has more of this node than the node's records"
              + " have: whether they are an older copy is not known before the next start.");
      return List.of();
    }
    return shown.isEmpty() ? shown : OlderRecords.unknown(shown, known(shown));
  }

  private Optional<PrivacyGroup> stored(ContractAddress contract) {
    return questions
        .answer(() -> setup.ports().store().groupAt(contract))
        .flatMap(StoredGroup::group);
  }

  private List<Done> shownAfter(BlockHeight indexed) {
    var ports = setup.ports();
    var ledger = ports.ledger();
    var own = new OwnOnLedger(setup.self(), this::stored, ports.keys(), ports.signatures());
    var missed = FirstMissedBlocks.from(new BlockHeight(indexed.value() + 1), System::nanoTime);
    var head = questions.answer(ledger::head, missed.left());
    var shown =
        missed.shown(
            head,
            (from, most) -> questions.answer(() -> ledger.blocks(from, most), missed.left()),
            own);
    shown
        .upTo()
        .ifPresent(
            last ->
                LOG.warn(
                    "The base ledger answers slowly or fails: only up to block {} of {} was it looked through"
                        + " for what this node's records do not have.",
                    last,
                    head));
    return shown.done();
  }

  private OlderRecords.Known known(List<Done> shown) {
    var nonces = new HashMap<ContractAddress, Long>();
    Set<TransactionId> transactions = new HashSet<>();
    for (var done : shown) {
      switch (done) {
        case OlderRecords.Submitted it ->
            nonces.computeIfAbsent(
                it.contract(),
                contract -> questions.answer(() -> JournaledNonce.read(system, setup, contract)));
        case OlderRecords.Sent it -> {
          var transaction = it.transaction();
          var store = setup.ports().store();
          if (questions.answer(() -> store.intent(transaction)).isPresent()
              || questions.answer(() -> store.forgotten(transaction)).isPresent()) {
            transactions.add(transaction);
          }
        }
      }
    }
    return new OlderRecords.Known(nonces, transactions);
  }
}
