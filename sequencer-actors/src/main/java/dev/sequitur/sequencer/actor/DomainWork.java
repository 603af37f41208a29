package dev.sequitur.sequencer.actor;

import akka.pattern.StatusReply;
import dev.sequitur.protocol.distribution.SpendableStates;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.sequencer.actor.StateStoreActor.Assemble;
import dev.sequitur.sequencer.actor.StateStoreActor.BlockSeen;
import dev.sequitur.sequencer.actor.StateStoreActor.Call;
import dev.sequitur.sequencer.actor.StateStoreActor.Validate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import org.slf4j.Logger;

/**
 * What a state store has its domain do upon the states: assemble, validate, answer a call. A part
 * of {@link StateStoreActor}, used in its thread only.
 */
final class DomainWork {
  private static final int MOST_WAITING = 16;

  /** Contents that do not come within so many blocks are not meant for this node. */
  private static final int CONTENT_BLOCKS = 3;

  private final NodeServices services;
  private final ContractAddress contract;
  private final Logger log;
  private final Deque<Assemble> waiting = new ArrayDeque<>();
  private BlockHeight indexed = BlockHeight.ZERO;
  private BlockHeight newestWithStates = BlockHeight.ZERO;

  DomainWork(NodeServices services, ContractAddress contract, Logger log) {
    this.services = services;
    this.contract = contract;
    this.log = log;
  }

  void on(StateStoreActor.ForDomain command, StateStoreState state) {
    switch (command) {
      case Assemble assemble -> onAssemble(assemble, state);
      case BlockSeen(var notice) -> onBlockSeen(notice, state);
      case Validate validate -> validate(validate, state);
      case Call call -> call(call, state);
    }
  }

  /**
   * Tells how far the node has read. What the block did to the states comes by {@link
   * StateStoreActor.BlockIndexed} alone, since only there a gap shows.
   */
  private void onBlockSeen(BlockNotice notice, StateStoreState state) {
    if (notice.height().compareTo(indexed) > 0) {
      indexed = notice.height();
      if (!notice.spent().isEmpty() || !notice.created().isEmpty()) {
        newestWithStates = notice.height();
      }
    }
    assembleWhatWaits(state);
  }

  /** An assembly upon less than the coordinator has seen would spend what is spent already. */
  private void onAssemble(Assemble assemble, StateStoreState state) {
    if (waiting.isEmpty() && isReady(assemble, state)) {
      assemble(assemble, state);
    } else {
      if (waiting.size() == MOST_WAITING) {
        // Its coordinator has given up on it long ago.
        waiting.removeFirst();
      }
      waiting.addLast(assemble);
    }
  }

  private boolean isReady(Assemble assemble, StateStoreState state) {
    return indexed.compareTo(assemble.work().blockHeight()) >= 0 && isComplete(state);
  }

  /** Whether all states of the blocks that were seen are here, but for what will never come. */
  private boolean isComplete(StateStoreState state) {
    return state.height().compareTo(newestWithStates) >= 0
        && !state.awaitsContentSince(indexed.value() - CONTENT_BLOCKS);
  }

  /** Called whenever {@code state} has changed. */
  void assembleWhatWaits(StateStoreState state) {
    while (!waiting.isEmpty() && isReady(waiting.getFirst(), state)) {
      assemble(waiting.removeFirst(), state);
    }
  }

  /** One after another, each upon what those before it have used (ASM-1). */
  private void assemble(Assemble assemble, StateStoreState state) {
    var domain = services.domain(services.group(contract));
    var spendable = new SpendableStates(state, assemble.work().locks());
    var results = new LinkedHashMap<TransactionId, Domain.Assembly>();
    for (var transaction : assemble.work().transactions()) {
      var result = assemble(domain, transaction, spendable);
      if (result instanceof Domain.Assembly.Assembled assembled) {
        spendable.use(assembled.postAssembly());
      }
      results.put(transaction.id(), result);
    }
    assemble
        .replyTo()
        .tell(
            new SenderActor.AssemblyFinished(
                new SenderInput.AssemblyFinished(
                    assemble.work().request(), assemble.work().inReplyTo(), results)));
  }

  /** A fault of the domain must not take the state store, and every other transaction, with it. */
  private Domain.Assembly assemble(
      Domain domain, PrivateTransaction transaction, SpendableStates spendable) {
    try {
      var keys = services.setup().ports().keys();
      return domain.assemble(services.group(contract), transaction, spendable, keys);
    } catch (RuntimeException e) {
      return new Domain.Assembly.Failed(fault(domain, "assemble " + transaction.id(), e));
    }
  }

  private String fault(Domain domain, String what, RuntimeException e) {
    // Its message may hold private data (EXC-5).
    log.error("Domain {} cannot {}: {}", domain.name(), what, e.getClass());
    return "Domain " + domain.name() + " has a fault: see the log of this node.";
  }

  private void validate(Validate validate, StateStoreState state) {
    var group = services.group(contract);
    var validation = new Validation(group, services.domain(group), state, log);
    validate
        .replyTo()
        .tell(
            new StateStoreActor.Validated(
                validation.of(validate.transactions(), isComplete(state))));
  }

  private void call(Call call, StateStoreState state) {
    var group = services.group(contract);
    var domain = services.domain(group);
    var spendable = new SpendableStates(state, StateLocks.NONE);
    try {
      var answer = domain.call(group, call.from(), call.function(), call.inputs(), spendable);
      call.replyTo().tell(StatusReply.success(answer));
    } catch (IllegalArgumentException e) {
      call.replyTo().tell(StatusReply.error(e.getMessage()));
    } catch (RuntimeException e) {
      call.replyTo().tell(StatusReply.error(fault(domain, "answer a call", e)));
    }
  }
}
