package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.sequencer.setup.Outbox;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Questions to other nodes that belong to no contract, by the Request pattern: resent every half
 * second, given up after ten. The answer may come to another JVM of this node, which passes it on.
 * Thread-safe.
 */
final class NodeQuestions {
  private static final Duration RESEND = Duration.ofMillis(500);
  static final int SENDS = 20;
  private static final int OPEN_LIMIT = 10_000;

  private final Outbox outbox;
  private final Consumer<Envelope> elsewhere;
  private final Later later;
  private final String incarnation;
  private final AtomicLong counter = new AtomicLong();
  private final Map<RequestId, Open> open = new ConcurrentHashMap<>();

  private record Open(NodeName asked, CompletableFuture<Message> answer) {}

  /**
   * @param self of this node, which is in the ids of its questions
   * @param elsewhere is given what may answer another JVM of this node
   */
  NodeQuestions(NodeName self, Outbox outbox, Consumer<Envelope> elsewhere, Later later) {
    this.outbox = outbox;
    this.elsewhere = elsewhere;
    this.later = later;
    this.incarnation = self + "-question-" + UUID.randomUUID() + "-";
  }

  /** Fails with a sentence for the caller if the node does not answer. */
  CompletionStage<Message> ask(NodeName node, Function<RequestId, Message> question) {
    if (open.size() >= OPEN_LIMIT) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("Too many nodes are being asked: try again later."));
    }
    var id = new RequestId(incarnation + counter.incrementAndGet());
    var answer = new CompletableFuture<Message>();
    open.put(id, new Open(node, answer));
    send(id, question.apply(id), 1);
    return answer.whenComplete((answered, failure) -> open.remove(id));
  }

  /**
   * What several nodes have answered, in their order, once each has or was given up. Fails then
   * with the first refusal, which decides; else with what all say that have failed.
   */
  static <T> CompletionStage<List<T>> all(List<? extends CompletionStage<T>> answers) {
    var failures = Answers.all(answers.stream().map(NodeQuestions::failure).toList());
    return failures.thenCompose(
        all -> {
          var failed = all.stream().flatMap(Optional::stream).toList();
          return failed.isEmpty()
              ? Answers.<T>all(answers)
              : CompletableFuture.failedFuture(together(failed));
        });
  }

  private static CompletionStage<Optional<Throwable>> failure(CompletionStage<?> answer) {
    return answer.handle((done, failure) -> Optional.ofNullable(failure).map(Groups::root));
  }

  private static Throwable together(List<Throwable> failed) {
    return failed.stream()
        .filter(RefusedIntent.class::isInstance)
        .findFirst()
        .orElseGet(
            () ->
                new IllegalStateException(
                    failed.stream()
                        .map(Throwable::getMessage)
                        .distinct()
                        .collect(Collectors.joining(" "))));
  }

  private void send(RequestId id, Message question, int sends) {
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
                      + request.asked()
                      + " does not answer: check that it runs and is a peer."));
      return;
    }
    outbox.send(List.of(Outgoing.of(request.asked(), question)));
    later.run(RESEND, () -> send(id, question, sends + 1));
  }

  /** An answer from another node, to this JVM or another one of this node. */
  void answered(Envelope envelope, RequestId id) {
    if (open.containsKey(id)) {
      answeredHere(envelope, id);
    } else {
      elsewhere.accept(envelope);
    }
  }

  /** An answer, if it is one to this JVM. */
  void answeredHere(Envelope envelope, RequestId id) {
    var request = open.get(id);
    if (request != null && request.asked().equals(envelope.from())) {
      request.answer().complete(envelope.payload());
    }
  }
}
