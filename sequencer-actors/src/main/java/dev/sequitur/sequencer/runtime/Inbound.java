package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.errand.ChangingErrands;
import dev.sequitur.protocol.errand.JoiningErrands;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.machine.Recipients;
import dev.sequitur.protocol.message.ChangeSignatures;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.sequencer.actor.CoordinatorActor;
import dev.sequitur.sequencer.actor.EndorserActor;
import dev.sequitur.sequencer.actor.MessageBookActor;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.SenderActor;
import dev.sequitur.sequencer.actor.StateStoreActor;
import dev.sequitur.sequencer.actor.SubmitterActor;
import dev.sequitur.sequencer.setup.SequencerMetrics.Dropped;
import dev.sequitur.sequencer.setup.SequencerMetrics.Reached;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Where messages enter a node: believes only members of the contract's committee, and only messages
 * of a sensible length, drops and counts the rest (EXC-4, EXC-3), and finds the entities that a
 * message is for. Runs on the transport's threads and only tells.
 */
final class Inbound implements Consumer<List<Envelope>> {
  /** Envelopes that wait for the node store at most: whoever has sent more sends it again. */
  static final int MOST_WAITING = 10_000;

  private final AtomicInteger waiting = new AtomicInteger();
  private final NodeServices services;
  private final JoiningErrands joining;
  private final Consumer<Envelope> answers;
  private final TraceGathering traces;
  private final ChangingErrands changing;
  private final MessageLimits limits;
  private final Predicate<ContractAddress> here;

  /**
   * @param joining answers nodes that make groups with this one
   * @param answers is given what answers questions of this node
   * @param changing takes what is said of changes of committees
   * @param here whether a contract's parts are in this JVM
   */
  Inbound(
      NodeServices services,
      JoiningErrands joining,
      Consumer<Envelope> answers,
      TraceGathering traces,
      ChangingErrands changing,
      Predicate<ContractAddress> here) {
    this.services = services;
    this.changing = changing;
    this.here = here;
    this.joining = joining;
    this.answers = answers;
    this.traces = traces;
    this.limits = new MessageLimits(services.setup().rules().sequencer().limits());
  }

  /** What is about a group that is not in memory waits until the node store has told of it. */
  @Override
  public void accept(List<Envelope> envelopes) {
    var now = new ArrayList<Envelope>();
    var later = new ArrayList<Envelope>();
    var sought = new LinkedHashSet<ContractAddress>();
    for (var envelope : envelopes) {
      if (envelope.payload() instanceof Message.OfContract message
          && !services.groups().isKnown(message.contract())) {
        sought.add(message.contract());
        later.add(envelope);
      } else {
        now.add(envelope);
      }
    }
    take(now);
    if (!later.isEmpty()) {
      seek(sought, later);
    }
  }

  private void seek(Set<ContractAddress> contracts, List<Envelope> envelopes) {
    int count = envelopes.size();
    if (waiting.addAndGet(count) > MOST_WAITING) {
      waiting.addAndGet(-count);
      envelopes.forEach(envelope -> drop(Dropped.UNKNOWN_CONTRACT));
      return;
    }
    services
        .groups()
        .seek(contracts, services.store())
        .whenComplete(
            (found, failure) -> {
              waiting.addAndGet(-count);
              if (failure != null) {
                services
                    .standing()
                    .warnSeldom(
                        "What came for a group is dropped, since the node store cannot be read (%s)"
                            .formatted(Answers.root(failure).getMessage()));
              }
              take(envelopes);
            });
  }

  private void take(List<Envelope> envelopes) {
    Map<ContractAddress, Batch> batches = new LinkedHashMap<>();
    for (var envelope : envelopes) {
      if (!envelope.protocolVersion().isCompatibleWith(ProtocolVersion.CURRENT)) {
        drop(Dropped.INCOMPATIBLE_VERSION);
      } else {
        switch (envelope.payload()) {
          case Message.OfContract message -> sort(envelope, message, batches);
          case Message.OfVerifier message -> receive(envelope, message);
          case Message.OfChange message -> {
            if (limits.allow(message)) {
              receive(envelope, message);
            } else {
              drop(Dropped.TOO_LONG);
            }
          }
          case Message.OfGroup message -> {
            if (limits.allow(message)) {
              receive(envelope, message);
            } else {
              drop(Dropped.TOO_LONG);
            }
          }
        }
      }
    }
    batches.values().forEach(Batch::tell);
  }

  private void receive(Envelope envelope, Message.OfVerifier message) {
    switch (message) {
      case ResolveVerifierRequest request ->
          joining.receive(envelope.from(), envelope.messageId(), request);
      case ResolveVerifierResponse ignored -> answers.accept(envelope);
      case ResolveVerifierError ignored -> answers.accept(envelope);
    }
  }

  private void receive(Envelope envelope, Message.OfGroup message) {
    switch (message) {
      case GroupGenesis given -> joining.receive(envelope.from(), envelope.messageId(), given);
      case GroupWithdrawal withdrawal ->
          joining.receive(envelope.from(), envelope.messageId(), withdrawal);
      case GroupGenesisAcknowledgement ignored -> answers.accept(envelope);
      case GroupGenesisRejected ignored -> answers.accept(envelope);
      case GroupWithdrawalAcknowledgement ignored -> answers.accept(envelope);
    }
  }

  private void receive(Envelope envelope, Message.OfChange message) {
    switch (message) {
      case ChangeSignatures told -> {
        if (waiting.incrementAndGet() > MOST_WAITING) {
          waiting.decrementAndGet();
          drop(Dropped.UNKNOWN_CONTRACT);
        } else {
          changing
              .receive(envelope.from(), told)
              .whenComplete((done, failure) -> waiting.decrementAndGet());
        }
      }
    }
  }

  private void sort(
      Envelope envelope, Message.OfContract message, Map<ContractAddress, Batch> batches) {
    var nodes = services.groups().nodes(message.contract());
    if (nodes.isEmpty()) {
      drop(Dropped.UNKNOWN_CONTRACT);
    } else if (!isHeard(envelope.from(), nodes.get())) {
      drop(Dropped.NOT_A_MEMBER);
    } else if (!limits.allow(message)) {
      drop(Dropped.TOO_LONG);
    } else {
      switch (message) {
        case Message.OfTrace about -> traces.receive(envelope, about);
        case Message.ForMachine told -> {
          services.metrics().reached(here.test(told.contract()) ? Reached.HERE : Reached.ELSEWHERE);
          batches
              .computeIfAbsent(told.contract(), Batch::new)
              .deliver(new Received<>(envelope.from(), envelope.messageId(), told));
        }
      }
    }
  }

  /** A node that has left is not heard by others, and goes on with what it has (CMT-8). */
  private boolean isHeard(NodeName from, Set<NodeName> members) {
    return members.contains(from) || from.equals(services.self());
  }

  private void drop(Dropped why) {
    services.metrics().dropped(why);
  }

  /** What has come at once for the machines of one contract; each is told once, in order. */
  private final class Batch implements Recipients {
    private final ContractAddress contract;
    private final List<Received<? extends Message.ForSender>> sender = new ArrayList<>();
    private final List<Received<? extends Message.ForCoordinator>> coordinator = new ArrayList<>();
    private final List<Received<? extends Message.ForEndorser>> endorser = new ArrayList<>();
    private final List<Received<? extends Message.ForSubmitter>> submitter = new ArrayList<>();
    private final List<Received<? extends Message.ForStateStore>> stateStore = new ArrayList<>();
    private final List<Received<? extends Message.ForMessageBook>> messageBook = new ArrayList<>();

    Batch(ContractAddress contract) {
      this.contract = contract;
    }

    @Override
    public void sender(Received<? extends Message.ForSender> received) {
      sender.add(received);
    }

    @Override
    public void coordinator(Received<? extends Message.ForCoordinator> received) {
      coordinator.add(received);
    }

    @Override
    public void endorser(Received<? extends Message.ForEndorser> received) {
      endorser.add(received);
    }

    @Override
    public void submitter(Received<? extends Message.ForSubmitter> received) {
      submitter.add(received);
    }

    @Override
    public void stateStore(Received<? extends Message.ForStateStore> received) {
      stateStore.add(received);
    }

    @Override
    public void messageBook(Received<? extends Message.ForMessageBook> received) {
      messageBook.add(received);
    }

    void tell() {
      var entities = services.entities();
      if (!sender.isEmpty()) {
        entities.sender(contract).tell(new SenderActor.Deliver(sender));
      }
      if (!coordinator.isEmpty()) {
        entities.coordinator(contract).tell(new CoordinatorActor.Deliver(coordinator));
      }
      if (!endorser.isEmpty()) {
        entities.endorser(contract).tell(new EndorserActor.Deliver(endorser));
      }
      if (!submitter.isEmpty()) {
        entities.submitter(contract).tell(new SubmitterActor.Deliver(submitter));
      }
      if (!stateStore.isEmpty()) {
        entities.stateStore(contract).tell(new StateStoreActor.Deliver(stateStore));
      }
      if (!messageBook.isEmpty()) {
        entities.messageBook(contract).tell(new MessageBookActor.Deliver(messageBook));
      }
    }
  }
}
