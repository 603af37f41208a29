package dev.sequitur.sequencer.actor;

import akka.pattern.StatusReply;
import dev.sequitur.protocol.distribution.SpendableStates;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.sender.Assembler;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.sequencer.actor.StateStoreActor.Assemble;
import dev.sequitur.sequencer.actor.StateStoreActor.BlockSeen;
import dev.sequitur.sequencer.actor.StateStoreActor.Call;
import dev.sequitur.sequencer.actor.StateStoreActor.Validate;
import org.slf4j.Logger;

/**
 * What a state store has its domain do upon the states: assemble, validate, answer a call. A part
 * of {@link StateStoreActor}, used in its thread only.
 */
final class DomainWork {
  private final NodeServices services;
  private final ContractAddress contract;
  private final Logger log;
  private final Assembler assembler;

  DomainWork(NodeServices services, ContractAddress contract, Logger log) {
    this.services = services;
    this.contract = contract;
    this.log = log;
    var group = services.group(contract);
    var domain = services.domain(group);
    this.assembler =
        new Assembler(
            group,
            domain,
            services.setup().ports().keys(),
            (transaction, thrown) -> fault(domain, "assemble " + transaction, thrown));
  }

  void on(StateStoreActor.ForDomain command, StateStoreState state) {
    switch (command) {
      case Assemble(var work, var replyTo) ->
          assembler.assemble(
              work, finished -> replyTo.tell(new SenderActor.AssemblyFinished(finished)), state);
      case BlockSeen(var notice) -> assembler.blockSeen(notice.height(), notice.hasStates(), state);
      case Validate validate -> validate(validate, state);
      case Call call -> call(call, state);
    }
  }

  /** Called whenever {@code state} has changed. */
  void stateChanged(StateStoreState state) {
    assembler.stateChanged(state);
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
                validation.of(validate.transactions(), assembler.isComplete(state))));
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
