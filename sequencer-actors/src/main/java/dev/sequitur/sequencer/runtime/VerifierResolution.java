package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.sequencer.setup.Outbox;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks other nodes for the verifiers of their identities, and answers them. Thread-safe. */
final class VerifierResolution {
  private final NodeName self;
  private final Keys keys;
  private final Signatures signatures;
  private final Outbox outbox;
  private final NodeQuestions questions;

  VerifierResolution(
      NodeName self, Keys keys, Signatures signatures, Outbox outbox, NodeQuestions questions) {
    this.self = self;
    this.keys = keys;
    this.signatures = signatures;
    this.outbox = outbox;
    this.questions = questions;
  }

  /**
   * Fails with a sentence for the caller if the node has no such identity, does not answer, or
   * answers with what is no key.
   */
  CompletionStage<Verifier> resolve(Identity identity) {
    if (identity.node().equals(self)) {
      return CompletableFuture.completedFuture(keys.verifier(identity.name()));
    }
    return questions
        .ask(identity.node(), id -> new ResolveVerifierRequest(id, identity))
        .thenApply(
            answer -> {
              if (answer instanceof ResolveVerifierResponse response) {
                return onCurve(identity, response.verifier());
              }
              // In words of ours: what another node writes is not for our callers.
              throw new IllegalStateException(
                  "Node %s says that it does not hold %s: check the identity."
                      .formatted(identity.node(), identity));
            });
  }

  /** A group with another one could never be deployed, nor endorse. */
  private Verifier onCurve(Identity identity, Verifier verifier) {
    try {
      signatures.address(verifier);
      return verifier;
    } catch (IllegalArgumentException notOnTheCurve) {
      // Without the cause, whose words callers would see.
      throw new IllegalStateException(
          "Node %s tells a verifier of %s that is no public key: ask its operator."
              .formatted(identity.node(), identity));
    }
  }

  void receive(Envelope envelope, Message.OfVerifier message) {
    switch (message) {
      case ResolveVerifierRequest request -> answer(envelope, request);
      case ResolveVerifierResponse response -> questions.answered(envelope, response.requestId());
      case ResolveVerifierError error -> questions.answered(envelope, error.requestId());
    }
  }

  private void answer(Envelope envelope, ResolveVerifierRequest request) {
    boolean mine =
        request.identity().node().equals(self) && !NodeKeyNames.isTakenBy(request.identity());
    var message =
        mine
            ? new ResolveVerifierResponse(
                request.requestId(), request.identity(), keys.verifier(request.identity().name()))
            : new ResolveVerifierError(
                request.requestId(),
                request.identity(),
                "Node " + self + " does not hold " + request.identity() + ".");
    outbox.send(List.of(new Outgoing(envelope.from(), message, Optional.of(envelope.messageId()))));
  }
}
