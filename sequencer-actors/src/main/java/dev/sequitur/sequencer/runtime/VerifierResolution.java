package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.sequencer.setup.Outbox;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Asks other nodes for the verifiers of their identities, and answers them. An instance of the
 * Request pattern outside of any contract: resent every half second, given up after ten.
 */
final class VerifierResolution {
  private static final Duration RESEND = Duration.ofMillis(500);
  private static final int SENDS = 20;
  private static final int OPEN_LIMIT = 10_000;

  private final NodeName self;
  private final Keys keys;
  private final Outbox outbox;
  private final Consumer<Envelope> elsewhere;
  private final String incarnation;
  private final AtomicLong counter = new AtomicLong();
  private final Map<RequestId, Open> open = new ConcurrentHashMap<>();

  private record Open(Identity identity, CompletableFuture<Verifier> answer) {}

  /**
   * @param elsewhere is given what may answer another JVM of this node
   */
  VerifierResolution(NodeName self, Keys keys, Outbox outbox, Consumer<Envelope> elsewhere) {
    this.self = self;
    this.keys = keys;
    this.outbox = outbox;
    this.elsewhere = elsewhere;
    this.incarnation = self + "-verifier-" + UUID.randomUUID() + "-";
  }

  /** Fails with a sentence for the caller if the node has no such identity or does not answer. */
  CompletionStage<Verifier> resolve(Identity identity) {
    if (identity.node().equals(self)) {
      return CompletableFuture.completedFuture(keys.verifier(identity.name()));
    }
    if (open.size() >= OPEN_LIMIT) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("Too many identities are being resolved: try again later."));
    }
    var id = new RequestId(incarnation + counter.incrementAndGet());
    var answer = new CompletableFuture<Verifier>();
    open.put(id, new Open(identity, answer));
    send(id, identity, 1);
    return answer.whenComplete((verifier, failure) -> open.remove(id));
  }

  private void send(RequestId id, Identity identity, int sends) {
    var request = open.get(id);
    if (request == null || request.answer().isDone()) {
      return;
    }
    if (sends > SENDS) {
      request
          .answer()
          .completeExceptionally(
              new IllegalStateException(
                  "Node "
                      + identity.node()
                      + " does not answer: check that it runs and is a peer."));
      return;
    }
    outbox.send(List.of(Outgoing.of(identity.node(), new ResolveVerifierRequest(id, identity))));
    CompletableFuture.delayedExecutor(RESEND.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> send(id, identity, sends + 1));
  }

  void receive(Envelope envelope, Message.OfVerifier message) {
    switch (message) {
      case ResolveVerifierRequest request -> answer(envelope, request);
      case ResolveVerifierResponse response -> pass(envelope, message, response.requestId());
      case ResolveVerifierError error -> pass(envelope, message, error.requestId());
    }
  }

  private void pass(Envelope envelope, Message.OfVerifier answer, RequestId request) {
    if (open.containsKey(request)) {
      receiveHere(envelope, answer);
    } else {
      elsewhere.accept(envelope);
    }
  }

  /** An answer, if it is one to this JVM. */
  void receiveHere(Envelope envelope, Message.OfVerifier message) {
    switch (message) {
      case ResolveVerifierRequest request ->
          throw new IllegalStateException("Any JVM answers a question itself, not so " + request);
      case ResolveVerifierResponse response ->
          answered(envelope.from(), response.requestId())
              .ifPresent(request -> request.answer().complete(response.verifier()));
      case ResolveVerifierError error ->
          answered(envelope.from(), error.requestId())
              .ifPresent(
                  request ->
                      request
                          .answer()
                          .completeExceptionally(new IllegalStateException(notHeld(request))));
    }
  }

  /** In words of ours: what another node writes is not for our callers. */
  private static String notHeld(Open request) {
    return "Node %s says that it does not hold %s: check the identity."
        .formatted(request.identity().node(), request.identity());
  }

  private Optional<Open> answered(NodeName from, RequestId id) {
    return Optional.ofNullable(open.get(id))
        .filter(request -> request.identity().node().equals(from));
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
