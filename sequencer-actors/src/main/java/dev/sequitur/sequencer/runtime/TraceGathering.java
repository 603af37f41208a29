package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.TracePart;
import dev.sequitur.protocol.message.TraceRequest;
import dev.sequitur.protocol.message.TraceResponse;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import dev.sequitur.trace.TraceExcerpt;
import dev.sequitur.trace.TransactionTrace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * Asks the members of a committee, this node's other JVMs among them, what they have seen of the
 * exchange about a transaction, and answers them. Outside of the protocol: resent each second,
 * given up after three; each asked process answers for itself. Thread-safe; rings are read on
 * {@link NodeServices#computing}.
 */
final class TraceGathering {
  private static final Duration RESEND = Duration.ofSeconds(1);
  private static final int SENDS = 3;
  private static final int OPEN_LIMIT = 32;

  private final NodeServices services;
  private final IntSupplier processes;
  private final Consumer<Envelope> elsewhere;
  private final TraceExcerpt excerpt;
  private final RequestRate rate;
  private final String incarnation;
  private final AtomicLong counter = new AtomicLong();
  private final Map<RequestId, GatheredTrace> open = new ConcurrentHashMap<>();

  /**
   * @param processes how many JVMs this node has now
   * @param elsewhere is given what all JVMs of this node have to see
   */
  TraceGathering(NodeServices services, IntSupplier processes, Consumer<Envelope> elsewhere) {
    this.services = services;
    this.processes = processes;
    this.elsewhere = elsewhere;
    this.excerpt = new TraceExcerpt(services.setup().trace());
    this.rate = new RequestRate(services.setup().clock());
    this.incarnation = services.self() + "-trace-" + UUID.randomUUID() + "-";
  }

  /** As {@link dev.sequitur.sequencer.SequencerNode#trace}. */
  CompletionStage<TransactionTrace> gather(TransactionId transaction) {
    if (open.size() >= OPEN_LIMIT) {
      services.metrics().trace(SequencerMetrics.Trace.REFUSED);
      return CompletableFuture.failedFuture(
          new RefusedIntent(
              "SQ020013", "Too many traces are being gathered: ask again in some seconds."));
    }
    return services
        .store()
        .intent(transaction)
        .thenComposeAsync(
            intent -> {
              var own = excerpt.own(transaction, processes());
              var contract = contract(intent, own);
              return services
                  .groups()
                  .seek(contract.stream().toList(), services.store())
                  .thenComposeAsync(
                      sought -> begin(transaction, own, contract), services.computing());
            },
            services.computing());
  }

  private static Optional<ContractAddress> contract(Optional<Intent> intent, TracePart own) {
    return intent
        .flatMap(Intent::privately)
        .map(PrivateTransaction::contract)
        .or(() -> own.messages().stream().flatMap(m -> m.contract().stream()).findFirst());
  }

  private CompletionStage<TransactionTrace> begin(
      TransactionId transaction, TracePart own, Optional<ContractAddress> contract) {
    var members = contract.flatMap(services.groups()::nodes).orElse(Set.of());
    var gathered = new GatheredTrace(services.self(), own, members);
    if (contract.isEmpty() || gathered.isComplete()) {
      gathered.end();
      return gathered.completion();
    }
    var id = new RequestId(incarnation + counter.incrementAndGet());
    open.put(id, gathered);
    ask(new TraceRequest(id, contract.get(), transaction), gathered, 1);
    return gathered.completion().whenComplete((trace, failure) -> open.remove(id));
  }

  private void ask(TraceRequest request, GatheredTrace gathered, int sends) {
    if (gathered.completion().isDone()) {
      return;
    }
    if (sends > SENDS) {
      gathered.end();
      return;
    }
    var questions = gathered.waitsFor().stream().map(node -> Outgoing.of(node, request)).toList();
    services.outbox().send(questions);
    CompletableFuture.delayedExecutor(RESEND.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> ask(request, gathered, sends + 1));
  }

  /** From a member of the contract's committee. */
  void receive(Envelope envelope, Message.OfTrace message) {
    switch (message) {
      case TraceRequest request -> asked(envelope, request);
      case TraceResponse response when open.containsKey(response.requestId()) ->
          receiveHere(envelope, response);
      case TraceResponse ignored -> {
        if (processes() > 1) {
          elsewhere.accept(envelope);
        }
      }
    }
  }

  private void asked(Envelope envelope, TraceRequest request) {
    if (!rate.admits(envelope.from())) {
      services.metrics().dropped(SequencerMetrics.Dropped.TOO_MANY_TRACES);
    } else if (processes() == 1) {
      receiveHere(envelope, request);
    } else {
      elsewhere.accept(envelope);
    }
  }

  /** A question to each JVM of this node, or an answer, if it is one to this JVM. */
  void receiveHere(Envelope envelope, Message.OfTrace message) {
    switch (message) {
      case TraceRequest request -> services.computing().execute(() -> answer(envelope, request));
      case TraceResponse response ->
          Optional.ofNullable(open.get(response.requestId()))
              .ifPresent(gathered -> gathered.add(envelope.from(), response.part()));
    }
  }

  private void answer(Envelope envelope, TraceRequest request) {
    services.metrics().trace(SequencerMetrics.Trace.ANSWERED);
    var part =
        envelope.from().equals(services.self())
            ? excerpt.own(request.transaction(), processes())
            : excerpt.forMember(
                envelope.from(), request.contract(), request.transaction(), processes());
    var response = new TraceResponse(request.requestId(), request.contract(), part);
    services
        .outbox()
        .send(List.of(new Outgoing(envelope.from(), response, Optional.of(envelope.messageId()))));
  }

  private int processes() {
    return Math.min(TracePart.MOST_PROCESSES, Math.max(1, processes.getAsInt()));
  }
}
