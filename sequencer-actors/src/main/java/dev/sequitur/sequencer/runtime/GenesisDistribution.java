package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the genesis of a group to the nodes of its members and takes it back (SEL-9), and takes
 * those of others' groups (SEL-7). Thread-safe.
 */
final class GenesisDistribution {
  private static final Logger LOG = LoggerFactory.getLogger(GenesisDistribution.class);

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
   * caller on each that does not answer, or on one that takes no part, once all have been asked.
   */
  CompletionStage<Void> give(Deployment deployment) {
    return NodeQuestions.all(
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

  /** Completes when the node waits for the group no more; fails if it does not answer. */
  CompletionStage<Void> withdraw(NodeName node, GroupId group, String reason) {
    return questions
        .ask(node, id -> GroupWithdrawal.of(id, group, reason))
        .thenAccept(answer -> {});
  }

  void receive(Envelope envelope, Message.OfGroup message) {
    switch (message) {
      case GroupGenesis given -> take(envelope, given);
      case GroupGenesisAcknowledgement stored -> questions.answered(envelope, stored.requestId());
      case GroupGenesisRejected rejected -> questions.answered(envelope, rejected.requestId());
      case GroupWithdrawal withdrawal -> end(envelope, withdrawal);
      case GroupWithdrawalAcknowledgement ended -> questions.answered(envelope, ended.requestId());
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
        .thenCompose(
            known ->
                known.isPresent()
                    ? CompletableFuture.completedFuture(other(known.get(), given))
                    : store
                        .putGiven(waiting(envelope.from(), given))
                        .thenApply(
                            stored ->
                                stored
                                    .map(it -> other(it, given))
                                    .orElse(Optional.of(GenesisFlaw.TOO_MANY))))
        .whenComplete(
            (reason, failure) -> {
              if (failure != null) {
                LOG.warn("Cannot store the group {} that is given; it comes again", group, failure);
              } else if (reason.isPresent()) {
                reject(envelope, given, reason.get());
              } else {
                answer(envelope, new GroupGenesisAcknowledgement(given.requestId(), group));
              }
            });
  }

  /**
   * Answers once it is stored, if the sender may say so; what this node has of another, or of a
   * contract that stands, is as it should be. A genesis may be on its way still, or be stored just
   * now: what is not known is remembered as withdrawn, before it can be awaited.
   */
  private void end(Envelope envelope, GroupWithdrawal withdrawal) {
    var store = services.store();
    var group = withdrawal.group();
    store
        .putGiven(given(envelope.from(), group).withNotMade(Optional.of(withdrawal.reason())))
        .thenCompose(
            known ->
                known
                    .flatMap(it -> it.withdrawn(envelope.from(), withdrawal.reason()))
                    .map(store::putGroup)
                    .orElse(CompletableFuture.completedFuture(null)))
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                answer(envelope, new GroupWithdrawalAcknowledgement(withdrawal.requestId(), group));
              } else {
                LOG.warn(
                    "Cannot store that group {} is never made; it is told again", group, failure);
              }
            });
  }

  /** That a group is stored already says nothing of what it was stored as. */
  private static Optional<GenesisFlaw> other(StoredGroup known, GroupGenesis given) {
    if (known.withdrawnBy().isPresent()) {
      return Optional.of(GenesisFlaw.WITHDRAWN);
    }
    return known.deployment().equals(Optional.of(deployment(given)))
        ? Optional.empty()
        : Optional.of(GenesisFlaw.OTHER_GENESIS);
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

  private StoredGroup waiting(NodeName giver, GroupGenesis given) {
    return given(giver, given.genesis().group()).withDeployment(Optional.of(deployment(given)));
  }

  private StoredGroup given(NodeName giver, GroupId group) {
    return StoredGroup.of(group, services.now()).withGiver(Optional.of(giver));
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
