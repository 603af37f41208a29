package dev.sequitur.trace;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Envelope.Traced;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.Acceptance;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.trace.CarriedSpans.InRole;
import dev.sequitur.trace.CarriedSpans.Moved;
import dev.sequitur.trace.CarriedSpans.OfOne;
import dev.sequitur.trace.CarriedSpans.OfReply;
import dev.sequitur.trace.CarriedSpans.OfRequest;
import dev.sequitur.trace.CarriedSpans.OfTransaction;
import dev.sequitur.trace.CarriedSpans.Point;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Context;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The spans of a node's part in transactions, one trace for each private one over all nodes. It
 * sees what the rules send and are sent, and never takes part: the rules know nothing of it. What
 * goes along between nodes is in the envelope ({@link Envelope#traced}), for transactions that are
 * sampled only.
 *
 * <p>A request is a span of its sender until it is answered, and within that a span of its receiver
 * until the answer leaves. Around them stand what lasts: at the sender's node from acceptance to
 * receipt, at the coordinator's until the dispatch, at its submitter's until the block. A public
 * transaction has the first of these alone.
 *
 * <p>If the node has several JVMs, a span is told by the one where it ends: where an entity is that
 * a message goes to, there go its spans ({@link #leaving}, {@link #arrived}).
 *
 * <p>Nothing here survives a restart; what other nodes send about a transaction is still in its
 * trace, and what follows from that. Bounded: of what comes when there is no room there are no
 * spans. Thread-safe; while nothing is sampled, a message costs a look at an empty map.
 */
public final class TransactionSpans {
  /** Makes no spans. */
  public static final TransactionSpans OFF =
      new TransactionSpans(
          new NodeName("off"), TracerProvider.noop().get("off"), false, System::nanoTime);

  /** Transactions of one envelope whose trace is told, and believed, at most. */
  static final int MOST_TRACED = 64;

  private static final int MOST_TRANSACTIONS = 10_000;
  private static final int MOST_SCHEDULES = 10_000;
  private static final int MOST_REQUESTS = 20_000;

  /** Spans that go along with one message between two JVMs of a node; of some 300 bytes each. */
  static final int MOST_CARRIED = 256;

  private static final long UNANSWERED_NANOS = 60_000_000_000L;
  private static final long FORGOTTEN_NANOS = 15 * 60_000_000_000L;
  private static final long SWEEP_NANOS = 1_000_000_000L;

  private static final AttributeKey<String> TRANSACTION =
      AttributeKey.stringKey("sequitur.transaction.id");
  private static final AttributeKey<String> CONTRACT =
      AttributeKey.stringKey("sequitur.contract.address");
  private static final AttributeKey<String> NODE = AttributeKey.stringKey("sequitur.node.name");
  private static final AttributeKey<String> SCHEDULE =
      AttributeKey.stringKey("sequitur.schedule.id");
  private static final AttributeKey<Long> BLOCK = AttributeKey.longKey("sequitur.block.height");
  private static final AttributeKey<String> HASH =
      AttributeKey.stringKey("sequitur.block.transaction.hash");
  private static final AttributeKey<Boolean> UNANSWERED =
      AttributeKey.booleanKey("sequitur.unanswered");
  private static final AttributeKey<Boolean> UNFINISHED =
      AttributeKey.booleanKey("sequitur.unfinished");
  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
  private static final AttributeKey<String> OPERATION =
      AttributeKey.stringKey("messaging.operation.name");
  private static final AttributeKey<String> DESTINATION =
      AttributeKey.stringKey("messaging.destination.name");
  private static final AttributeKey<String> MESSAGE =
      AttributeKey.stringKey("messaging.message.id");

  private final NodeName self;
  private final Tracer tracer;
  private final boolean on;
  private final LongSupplier nanoTime;
  private final Map<TransactionId, Part> parts = new ConcurrentHashMap<>();
  private final Map<RequestKey, Open> requests = new ConcurrentHashMap<>();

  /** Answers to requests that another JVM of the node may have sent, by their own ids. */
  private final Map<MessageId, Answer> answers = new ConcurrentHashMap<>();

  private final AtomicLong swept = new AtomicLong();

  /** In which call a schedule was made, the newest calls only; guarded by itself. */
  private final Map<String, SpanContext> made = LimitedMap.ofNewest(MOST_SCHEDULES);

  /** What lasts of one transaction on this node; guarded by itself. */
  private static final class Part {
    private final Map<MessageRole, Span> lasting = new EnumMap<>(MessageRole.class);

    /** What lasts in another JVM of this node, unless that has died. */
    private final Map<MessageRole, Span> moved = new EnumMap<>(MessageRole.class);

    private final Set<MessageRole> had = EnumSet.noneOf(MessageRole.class);
    private final Map<MessageRole, SpanContext> begunIn = new EnumMap<>(MessageRole.class);
    private final SpanContext first;
    private final long begun;

    Part(SpanContext first, long begun) {
      this.first = first;
      this.begun = begun;
    }

    /** What a message that this node sends in a role follows from, also when that has ended. */
    synchronized SpanContext parent(MessageRole role) {
      var known = begunIn.get(role == MessageRole.STORE ? MessageRole.SUBMITTER : role);
      return known == null ? first : known;
    }

    synchronized boolean begin(MessageRole role, Span span) {
      boolean isFirst = begunIn.putIfAbsent(role, span.getSpanContext()) == null;
      if (isFirst) {
        had.add(role);
        lasting.put(role, span);
      }
      return isFirst;
    }

    synchronized void know(InRole begun) {
      begunIn.putIfAbsent(begun.role(), begun.span().context());
    }

    /** What a message for that role takes along; again if the message is sent again. */
    synchronized Optional<Moved> leave(MessageRole role) {
      var span = lasting.remove(role);
      if (span != null) {
        moved.put(role, span);
      }
      return Optional.ofNullable(moved.get(role)).flatMap(Moved::of);
    }

    /** Comes from another JVM, perhaps not for the first time. */
    synchronized void goOn(MessageRole role, Supplier<Span> begin) {
      if (had.add(role)) {
        var span = begin.get();
        begunIn.put(role, span.getSpanContext());
        lasting.put(role, span);
      }
    }

    synchronized List<InRole> begun() {
      return begunIn.entrySet().stream()
          .map(each -> new InRole(each.getKey(), Point.of(each.getValue())))
          .toList();
    }

    synchronized Optional<Span> find(MessageRole role) {
      return Optional.ofNullable(lasting.get(role));
    }

    /** Also what lasted in another JVM: whoever ends it here has taken its place. */
    synchronized Optional<Span> end(MessageRole role) {
      var here = lasting.remove(role);
      var elsewhere = moved.remove(role);
      return Optional.ofNullable(here == null ? elsewhere : here);
    }

    synchronized List<Span> all() {
      return List.copyOf(lasting.values());
    }
  }

  /** A request: of whom it was sent, or to whom it came. */
  private record RequestKey(MessageId message, SpanKind kind) {}

  /** The spans of one request, by transaction. */
  private record Open(Map<TransactionId, Span> spans, long begun) {}

  /** What an answer is to. */
  private record Answer(OfReply reply, long come) {}

  private TransactionSpans(NodeName self, Tracer tracer, boolean on, LongSupplier nanoTime) {
    this.self = self;
    this.tracer = tracer;
    this.on = on;
    this.nanoTime = nanoTime;
  }

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  public static TransactionSpans of(NodeName self, Tracer tracer, LongSupplier nanoTime) {
    return new TransactionSpans(self, tracer, true, nanoTime);
  }

  /** Makes the spans of calls too. */
  public Tracer tracer() {
    return tracer;
  }

  /** The trace that a transaction is in, if this node knows of one. */
  public Optional<String> traceId(TransactionId transaction) {
    return on && !parts.isEmpty()
        ? Optional.ofNullable(parts.get(transaction)).map(part -> part.first.getTraceId())
        : Optional.empty();
  }

  /**
   * A call has made a schedule: what that runs is linked to it, as long as this is remembered.
   *
   * @param schedule queue/schedule
   */
  public void scheduled(String schedule, Span call) {
    if (on && call.getSpanContext().isSampled()) {
      call.setAttribute(SCHEDULE, schedule);
      synchronized (made) {
        made.put(schedule, call.getSpanContext());
      }
    }
  }

  /**
   * Before these are stored: a message about one may leave before whoever stores them is told.
   *
   * @param caller what they follow from
   */
  public void accepting(List<Intent> batch, Context caller) {
    if (!on) {
      return;
    }
    sweep();
    for (var intent : batch) {
      accepting(intent, caller);
    }
  }

  private void accepting(Intent intent, Context caller) {
    var transaction = intent.transaction();
    var schedule =
        intent.idempotencyKey().map(IdempotencyKey::name).flatMap(OccurrenceKey::scheduleOf);
    var builder =
        tracer
            .spanBuilder(
                switch (transaction) {
                  case PrivateTransaction ignored -> "private transaction";
                  case PublicTransaction ignored -> "public transaction";
                  case NewGroup ignored -> "new group";
                })
            // A schedule runs it when no caller is there any more: its trace begins with the run.
            .setParent(schedule.isPresent() ? Context.root() : caller);
    schedule.flatMap(this::maker).ifPresent(builder::addLink);
    var span = builder.startSpan();
    if (span.getSpanContext().isSampled()) {
      name(
          span,
          transaction.id(),
          switch (transaction) {
            case PrivateTransaction it -> Optional.of(it.contract());
            case PublicTransaction it -> it.to();
            case NewGroup ignored -> Optional.empty();
          });
      schedule.ifPresent(it -> span.setAttribute(SCHEDULE, it));
      part(transaction.id(), span.getSpanContext())
          .ifPresent(part -> part.begin(MessageRole.SENDER, span));
    }
  }

  private Optional<SpanContext> maker(String schedule) {
    synchronized (made) {
      return Optional.ofNullable(made.get(schedule));
    }
  }

  /**
   * What is not new among these begins nothing: its span is left without an end and never told.
   *
   * @param acceptance empty if it is in doubt
   */
  public void accepted(List<Intent> batch, Optional<Acceptance> acceptance) {
    if (!on || parts.isEmpty()) {
      return;
    }
    Set<TransactionId> fresh =
        acceptance.orElse(null) instanceof Acceptance.Accepted accepted
            ? accepted.fresh().stream()
                .map(intent -> intent.transaction().id())
                .collect(Collectors.toSet())
            : Set.of();
    for (var intent : batch) {
      var id = intent.transaction().id();
      if (!fresh.contains(id)) {
        parts.remove(id);
      }
    }
  }

  /** These have their receipts: what their sender had begun is over. */
  public void ended(List<NumberedReceipt> stored) {
    if (!on || parts.isEmpty()) {
      return;
    }
    for (var each : stored) {
      var receipt = each.receipt();
      end(receipt.transaction(), MessageRole.SENDER)
          .ifPresent(
              span -> {
                receipt
                    .onLedger()
                    .ifPresent(
                        at -> {
                          span.setAttribute(BLOCK, at.block().value());
                          span.setAttribute(HASH, at.hash().toString());
                        });
                span.setStatus(receipt.success() ? StatusCode.OK : StatusCode.ERROR);
                span.end();
              });
    }
  }

  /** The coordinator of this node hands these to the submitter beside it. */
  public void dispatched(List<Dispatch> dispatches) {
    if (!on || parts.isEmpty()) {
      return;
    }
    for (var dispatch : dispatches) {
      var id = dispatch.prepared().transaction();
      var part = parts.get(id);
      if (part != null) {
        var span =
            span("submit", SpanKind.INTERNAL, part.parent(MessageRole.COORDINATOR)).startSpan();
        name(span, id, dispatch.contract());
        if (part.begin(MessageRole.SUBMITTER, span)) {
          end(id, MessageRole.COORDINATOR).ifPresent(Span::end);
        }
      }
    }
  }

  /** What the submitter of this node tells the coordinator beside it. */
  public void told(CoordinatorInput.Local told) {
    if (!on || parts.isEmpty()) {
      return;
    }
    switch (told) {
      case CoordinatorInput.DispatchesCommitted(var intents) ->
          intents.forEach(
              intent ->
                  find(intent.transaction(), MessageRole.SUBMITTER)
                      .ifPresent(span -> span.addEvent("committed")));
      case CoordinatorInput.DispatchesSettled(var intents, var height) ->
          intents.forEach(
              intent ->
                  end(intent.transaction(), MessageRole.SUBMITTER)
                      .ifPresent(
                          span -> {
                            span.setAttribute(BLOCK, height.value());
                            span.setStatus(StatusCode.OK).end();
                          }));
      case CoordinatorInput.DispatchReverted(var intent) ->
          end(intent.transaction(), MessageRole.SUBMITTER)
              .ifPresent(span -> span.setStatus(StatusCode.ERROR, "reverted").end());
      case CoordinatorInput.ActivitySeen ignored -> {}
      case CoordinatorInput.Submitting ignored -> {}
    }
  }

  /** Begins the spans of requests and ends those of answers. */
  List<Envelope> sent(List<Envelope> envelopes) {
    if (!on || parts.isEmpty()) {
      return envelopes;
    }
    var told = new ArrayList<Envelope>(envelopes.size());
    envelopes.forEach(envelope -> told.add(sent(envelope)));
    return told;
  }

  private Envelope sent(Envelope envelope) {
    var payload = envelope.payload();
    return switch (MessageKind.of(payload).exchange()) {
      case REQUEST -> requested(envelope);
      case REPLY -> {
        var traced = answered(envelope, SpanKind.SERVER);
        if (payload instanceof DelegationRejected) {
          payload.transactions().forEach(id -> unfinished(id, MessageRole.COORDINATOR));
        }
        yield traced.isEmpty() ? envelope : envelope.withTraced(traced);
      }
      case DATAGRAM -> envelope;
    };
  }

  private Envelope requested(Envelope envelope) {
    var payload = envelope.payload();
    var kind = MessageKind.of(payload);
    var spans = new ConcurrentHashMap<TransactionId, Span>();
    var traced = new ArrayList<Traced>(0);
    for (var id : payload.transactions()) {
      var part = parts.get(id);
      if (part != null && traced.size() < MOST_TRACED) {
        var span = begin(envelope, id, SpanKind.CLIENT, part.parent(kind.from()));
        spans.put(id, span);
        traced.add(traced(id, span.getSpanContext()));
      }
    }
    if (traced.isEmpty()) {
      return envelope;
    }
    remember(new RequestKey(envelope.messageId(), SpanKind.CLIENT), spans);
    return envelope.withTraced(traced);
  }

  /** Begins a span for each request that came, and ends that of the request for each answer. */
  void received(List<Envelope> envelopes) {
    if (!on) {
      return;
    }
    for (var envelope : envelopes) {
      if (!envelope.traced().isEmpty() || !parts.isEmpty()) {
        received(envelope);
      }
    }
  }

  private void received(Envelope envelope) {
    switch (MessageKind.of(envelope.payload()).exchange()) {
      case REQUEST -> taken(envelope);
      case REPLY -> {
        if (answered(envelope, SpanKind.CLIENT).isEmpty() && !envelope.traced().isEmpty()) {
          answeredElsewhere(envelope);
        }
      }
      case DATAGRAM -> {}
    }
  }

  private void taken(Envelope envelope) {
    if (envelope.traced().isEmpty()) {
      return;
    }
    sweep();
    var payload = envelope.payload();
    // No set of them: of a hundred in a message it is usually one that is traced.
    var about = payload.transactions();
    var spans = new ConcurrentHashMap<TransactionId, Span>();
    for (var traced :
        envelope.traced().subList(0, Math.min(MOST_TRACED, envelope.traced().size()))) {
      var id = traced.transaction();
      var sender = context(traced);
      if (about.contains(id) && sender.isValid()) {
        var span = begin(envelope, id, SpanKind.SERVER, sender);
        part(id, span.getSpanContext())
            .ifPresent(
                part -> {
                  spans.put(id, span);
                  if (payload instanceof DelegationCommand command && command.left().isEmpty()) {
                    coordinate(part, envelope, id, span);
                  }
                });
      }
    }
    if (!spans.isEmpty()) {
      remember(new RequestKey(envelope.messageId(), SpanKind.SERVER), spans);
    }
  }

  private void coordinate(Part part, Envelope envelope, TransactionId id, Span delegation) {
    var span = span("coordinate", SpanKind.INTERNAL, delegation.getSpanContext()).startSpan();
    envelope.contract().ifPresent(contract -> name(span, id, contract));
    part.begin(MessageRole.COORDINATOR, span);
  }

  /** The spans that end with it. */
  private List<Traced> answered(Envelope envelope, SpanKind kind) {
    return envelope
        .correlationId()
        .map(asked -> new OfReply(asked, envelope.payload().transactions()))
        .map(reply -> answered(reply, kind))
        .orElse(List.of());
  }

  private List<Traced> answered(OfReply reply, SpanKind kind) {
    var asked = new RequestKey(reply.request(), kind);
    var open = requests.get(asked);
    if (open == null) {
      return List.of();
    }
    var ended = new ArrayList<Traced>();
    var spans = open.spans();
    // An acknowledgement names none, and is of all.
    for (var id : reply.about().isEmpty() ? List.copyOf(spans.keySet()) : reply.about()) {
      var span = spans.remove(id);
      if (span != null) {
        span.end();
        ended.add(traced(id, span.getSpanContext()));
      }
    }
    if (spans.isEmpty()) {
      requests.remove(asked);
    }
    return ended;
  }

  private void answeredElsewhere(Envelope envelope) {
    if (answers.size() < MOST_REQUESTS) {
      sweep();
      envelope
          .correlationId()
          .map(asked -> new OfReply(asked, envelope.payload().transactions()))
          .ifPresent(
              reply -> answers.put(envelope.messageId(), new Answer(reply, nanoTime.getAsLong())));
    }
  }

  /** Whether anything may go along with a message. */
  public boolean isAnyTraced() {
    return on && !(parts.isEmpty() && answers.isEmpty());
  }

  /**
   * A message leaves for an entity of this node that is in another JVM: what lasts in that entity's
   * role goes on there, and so do requests that it is to answer.
   *
   * @param messages of other nodes, that it is or that are in it
   * @return for {@link #arrived} there; empty if none of this is traced
   */
  public Optional<byte[]> leaving(
      MessageRole to, List<TransactionId> about, List<MessageId> messages) {
    if (!isAnyTraced()) {
      return Optional.empty();
    }
    var transactions =
        about.stream()
            .distinct()
            .filter(parts::containsKey)
            .limit(MOST_TRACED)
            .flatMap(id -> leaving(to, id).stream())
            .toList();
    var requested = new ArrayList<OfRequest>();
    var replies = new ArrayList<OfReply>();
    int carried = 0;
    for (var message : messages) {
      var open = requests.remove(new RequestKey(message, SpanKind.SERVER));
      if (open != null && carried < MOST_CARRIED) {
        var spans = leaving(open);
        carried += spans.size();
        requested.add(new OfRequest(message, spans));
      }
      Optional.ofNullable(answers.remove(message)).map(Answer::reply).ifPresent(replies::add);
    }
    var all = new CarriedSpans(to, transactions, requested, replies);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.bytes());
  }

  private Optional<OfTransaction> leaving(MessageRole to, TransactionId id) {
    return Optional.ofNullable(parts.get(id))
        .map(part -> new OfTransaction(id, Point.of(part.first), part.begun(), part.leave(to)));
  }

  private static List<OfOne> leaving(Open open) {
    return open.spans().entrySet().stream()
        .flatMap(each -> Moved.of(each.getValue()).map(it -> new OfOne(each.getKey(), it)).stream())
        .toList();
  }

  /**
   * Before the message is delivered that this came along with.
   *
   * @param bytes of {@link #leaving}, of another JVM of this node
   */
  public void arrived(byte[] bytes) {
    if (!on) {
      return;
    }
    sweep();
    var carried = CarriedSpans.read(bytes);
    for (var each : carried.transactions()) {
      part(each.transaction(), each.first().context())
          .ifPresent(
              part -> {
                each.lasting().ifPresent(span -> part.goOn(carried.to(), () -> span.again(tracer)));
                each.begun().forEach(part::know);
              });
    }
    for (var request : carried.requests()) {
      var spans = new ConcurrentHashMap<TransactionId, Span>();
      request.spans().forEach(each -> spans.put(each.transaction(), each.span().again(tracer)));
      remember(new RequestKey(request.request(), SpanKind.SERVER), spans);
    }
    carried.replies().forEach(reply -> answered(reply, SpanKind.CLIENT));
  }

  private void unfinished(TransactionId id, MessageRole role) {
    end(id, role).ifPresent(span -> span.setAttribute(UNFINISHED, true).end());
  }

  private Span begin(Envelope envelope, TransactionId id, SpanKind kind, SpanContext parent) {
    var payload = envelope.payload();
    var span =
        span(MessageKind.of(payload).name(), kind, parent)
            .setAttribute(SYSTEM, "sequitur")
            .setAttribute(OPERATION, kind == SpanKind.CLIENT ? "request" : "process")
            .setAttribute(DESTINATION, envelope.to().value())
            .setAttribute(MESSAGE, envelope.messageId().value().toString())
            .startSpan();
    envelope.contract().ifPresent(contract -> name(span, id, contract));
    return span;
  }

  private SpanBuilder span(String name, SpanKind kind, SpanContext parent) {
    return tracer
        .spanBuilder(name)
        .setSpanKind(kind)
        .setParent(Context.root().with(Span.wrap(parent)));
  }

  private void name(Span span, TransactionId id, ContractAddress contract) {
    name(span, id, Optional.of(contract));
  }

  private void name(Span span, TransactionId id, Optional<ContractAddress> contract) {
    span.setAttribute(TRANSACTION, id.toString());
    contract.ifPresent(it -> span.setAttribute(CONTRACT, it.toString()));
    span.setAttribute(NODE, self.value());
  }

  private Optional<Part> part(TransactionId id, SpanContext first) {
    var known = parts.get(id);
    if (known == null && parts.size() < MOST_TRANSACTIONS) {
      known = parts.computeIfAbsent(id, absent -> new Part(first, nanoTime.getAsLong()));
    }
    return Optional.ofNullable(known);
  }

  /** The part stays: a late message is of the trace, too. It is forgotten after a time. */
  private Optional<Span> end(TransactionId id, MessageRole role) {
    return Optional.ofNullable(parts.get(id)).flatMap(part -> part.end(role));
  }

  private Optional<Span> find(TransactionId id, MessageRole role) {
    return Optional.ofNullable(parts.get(id)).flatMap(part -> part.find(role));
  }

  private void remember(RequestKey key, Map<TransactionId, Span> spans) {
    if (requests.size() < MOST_REQUESTS) {
      requests.put(key, new Open(spans, nanoTime.getAsLong()));
    }
  }

  /** Ends what nothing more is to come of. */
  private void sweep() {
    long now = nanoTime.getAsLong();
    long last = swept.get();
    if (now - last < SWEEP_NANOS || !swept.compareAndSet(last, now)) {
      return;
    }
    requests
        .values()
        .removeIf(
            open -> {
              boolean old = now - open.begun() > UNANSWERED_NANOS;
              if (old) {
                open.spans().values().forEach(span -> span.setAttribute(UNANSWERED, true).end());
              }
              return old;
            });
    answers.values().removeIf(answer -> now - answer.come() > UNANSWERED_NANOS);
    parts
        .values()
        .removeIf(
            part -> {
              boolean old =
                  now - part.begun > (part.all().isEmpty() ? UNANSWERED_NANOS : FORGOTTEN_NANOS);
              if (old) {
                part.all().forEach(span -> span.setAttribute(UNFINISHED, true).end());
              }
              return old;
            });
  }

  private static Traced traced(TransactionId id, SpanContext context) {
    var point = Point.of(context);
    return new Traced(id, point.trace(), point.span());
  }

  private static SpanContext context(Traced traced) {
    return new Point(traced.trace(), traced.span()).context();
  }
}
