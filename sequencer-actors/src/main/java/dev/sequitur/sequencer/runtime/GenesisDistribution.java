package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Gives the genesis of a group to the nodes of its members, and takes those of others' groups
 * (SEL-7). Thread-safe.
 */
final class GenesisDistribution {
  /** Groups of others whose contract this node waits for, at most. */
  private static final int MOST_WAITING = 1_000;

  private static final String REJECTED = "SQ020016";

  private final NodeServices services;
  private final NodeQuestions questions;
  private final GenesisFlaw.Check check;

  GenesisDistribution(NodeServices services, NodeQuestions questions) {
    this.services = services;
    this.questions = questions;
    this.check =
        new GenesisFlaw.Check(
            services.self(),
            identity -> services.keys().verifier(identity.name()),
            NodeKeyNames::isTakenBy);
  }

  /**
   * Completes when the node of each other member has stored it. Fails with a sentence for the
   * caller if one does not answer, or takes no part.
   */
  CompletionStage<Void> give(Deployment deployment) {
    return Answers.all(
            deployment.genesis().committee().nodes().stream()
                .filter(node -> !node.equals(services.self()))
                .map(node -> give(node, deployment))
                .toList())
        .thenAccept(given -> {});
  }

  private CompletionStage<Void> give(NodeName node, Deployment deployment) {
    return questions
        .ask(node, id -> new GroupGenesis(id, deployment.domain(), deployment.genesis()))
        .thenAccept(
            answer -> {
              if (answer instanceof GroupGenesisRejected rejected) {
                throw refused(node, rejected.flaw());
              }
            });
  }

  private static RuntimeException refused(NodeName node, GenesisFlaw flaw) {
    var sentence = "Node %s %s: it takes no part in the group".formatted(node, flaw.sentence());
    return flaw.passes()
        ? new IllegalStateException(sentence + " yet.")
        : new RefusedIntent(REJECTED, sentence + ".");
  }

  /** Whether what {@link #give} failed with is that a member's node takes no part, for good. */
  static boolean isRejection(Throwable failure) {
    return failure instanceof RefusedIntent refused && refused.code().equals(REJECTED);
  }

  void receive(Envelope envelope, Message.OfGroup message) {
    switch (message) {
      case GroupGenesis given -> take(envelope, given);
      case GroupGenesisAcknowledgement stored -> questions.answered(envelope, stored.requestId());
      case GroupGenesisRejected rejected -> questions.answered(envelope, rejected.requestId());
    }
  }

  /** Answers once it is stored, or why it is not; not at all if the store fails: it comes again. */
  private void take(Envelope envelope, GroupGenesis given) {
    var flaw = flaw(envelope.from(), given);
    if (flaw.isPresent()) {
      reject(envelope, given, flaw.get());
      return;
    }
    var store = services.store();
    var group = given.genesis().group();
    store
        .group(group)
        .thenAcceptBoth(
            store.awaitedGroups(),
            (known, waiting) -> {
              var acknowledgement = new GroupGenesisAcknowledgement(given.requestId(), group);
              if (known.isPresent()) {
                // That a group is stored already says nothing of what it was stored as.
                if (known.get().deployment().equals(Optional.of(deployment(given)))) {
                  answer(envelope, acknowledgement);
                } else {
                  reject(envelope, given, GenesisFlaw.OTHER_GENESIS);
                }
              } else if (waiting >= MOST_WAITING) {
                reject(envelope, given, GenesisFlaw.TOO_MANY);
              } else {
                store.putGroup(waiting(given)).thenRun(() -> answer(envelope, acknowledgement));
              }
            });
  }

  private Optional<GenesisFlaw> flaw(NodeName from, GroupGenesis given) {
    var domain = services.setup().domains().get(given.domain());
    if (domain == null) {
      return Optional.of(GenesisFlaw.DOMAIN_UNKNOWN);
    }
    return check
        .flaw(from, given.genesis().committee())
        .or(
            () ->
                domain
                    .checkConfiguration(given.genesis().configuration())
                    .map(refusal -> GenesisFlaw.CONFIGURATION_REFUSED));
  }

  private StoredGroup waiting(GroupGenesis given) {
    return new StoredGroup(
        given.genesis().group(),
        services.now(),
        Optional.empty(),
        Bytes.EMPTY,
        Optional.empty(),
        Optional.of(deployment(given)));
  }

  private static Deployment deployment(GroupGenesis given) {
    return new Deployment(given.domain(), given.genesis());
  }

  private void reject(Envelope envelope, GroupGenesis given, GenesisFlaw flaw) {
    answer(envelope, new GroupGenesisRejected(given.requestId(), given.genesis().group(), flaw));
  }

  private void answer(Envelope envelope, Message.OfGroup answer) {
    services
        .outbox()
        .send(List.of(new Outgoing(envelope.from(), answer, Optional.of(envelope.messageId()))));
  }
}
