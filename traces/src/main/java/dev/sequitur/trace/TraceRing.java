package dev.sequitur.trace;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.TracedMessage;
import dev.sequitur.protocol.message.TracedMessage.Sight;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The messages that this process has seen pass lately, those of all its nodes. Of a message only
 * what is not private is kept; of a transaction all messages or none, as {@link TraceSampler}
 * decides. Heartbeats have a small ring for each contract, so that they don't push out the rest.
 *
 * <p>Thread-safe. Recording never waits, but for heartbeats; reading looks through the whole ring,
 * some milliseconds.
 */
public final class TraceRing {
  private final TraceLimits limits;
  private final InstantSource clock;
  private final TraceSampler sampler;
  private final HeartbeatRings heartbeats;
  private final AtomicReferenceArray<TracedMessage> ring;
  private final AtomicLong position = new AtomicLong();
  private final AtomicLong numbers = new AtomicLong();
  private final UUID process = UUID.randomUUID();
  private final Set<NodeName> localNodes = ConcurrentHashMap.newKeySet();

  /** Traced messages whose acknowledgement, which names no transaction, is to be traced too. */
  private final RecentFlags traced = new RecentFlags(1 << 16);

  public TraceRing(TraceLimits limits, InstantSource clock) {
    this.limits = limits;
    this.clock = clock;
    this.sampler = new TraceSampler(limits.messagesPerSecond());
    this.heartbeats = new HeartbeatRings(limits);
    this.ring = new AtomicReferenceArray<>(limits.messages());
  }

  /**
   * How much a {@link TraceRing} keeps.
   *
   * @param messages in the ring; a message takes about 300 bytes
   * @param messagesPerSecond when more pass, a smaller share of transactions is traced
   * @param contracts with heartbeats, those heard of last
   * @param heartbeatsPerContract the newest
   * @param transactionsPerHeartbeat further ids of a heartbeat are left out
   */
  public record TraceLimits(
      int messages,
      int messagesPerSecond,
      int contracts,
      int heartbeatsPerContract,
      int transactionsPerHeartbeat) {

    /** About 30 MB when full. */
    public static final TraceLimits DEFAULT = new TraceLimits(100_000, 10_000, 256, 32, 64);

    public TraceLimits {
      if (messages < 1
          || messagesPerSecond < 1
          || contracts < 1
          || heartbeatsPerContract < 1
          || transactionsPerHeartbeat < 1) {
        throw new IllegalArgumentException("Each limit of a trace is at least 1.");
      }
    }
  }

  /** A node of this process: what it sends is recorded when sent, so not again where it arrives. */
  void addLocalNode(NodeName node) {
    localNodes.add(node);
  }

  void removeLocalNode(NodeName node) {
    localNodes.remove(node);
  }

  /** Records what a node of this process sends. */
  public void sent(List<Envelope> envelopes) {
    sampler.offer(envelopes.size(), clock.millis());
    envelopes.forEach(envelope -> record(envelope, Sight.SENT));
  }

  /** Records what has come from other processes; the rest was recorded when it was sent. */
  public void received(List<Envelope> envelopes) {
    // Between nodes of one process this is on every message's way, so it makes no list.
    for (var envelope : envelopes) {
      if (!localNodes.contains(envelope.from())) {
        sampler.offer(1, clock.millis());
        record(envelope, Sight.RECEIVED);
      }
    }
  }

  private void record(Envelope envelope, Sight sight) {
    var payload = envelope.payload();
    var transactions = payload.transactions();
    if (payload instanceof Message.Heartbeat) {
      var sampled =
          transactions.stream()
              .filter(sampler::isSampled)
              .limit(limits.transactionsPerHeartbeat())
              .toList();
      heartbeats.add(envelope.contract().orElseThrow(), facts(envelope, sampled, sight));
    } else if (transactions.isEmpty()) {
      if (envelope.correlationId().filter(this::isTraced).isPresent()) {
        keep(facts(envelope, List.of(), sight));
      }
    } else {
      var sampled = sampled(transactions);
      if (!sampled.isEmpty()) {
        traced.put(RecentFlags.hash(envelope.messageId().value()), true);
        keep(facts(envelope, sampled, sight));
      }
    }
  }

  private List<TransactionId> sampled(List<TransactionId> transactions) {
    if (transactions.size() == 1) { // most messages, and cheaper
      return sampler.isSampled(transactions.get(0)) ? transactions : List.of();
    }
    return transactions.stream().filter(sampler::isSampled).toList();
  }

  private boolean isTraced(MessageId message) {
    return traced.get(RecentFlags.hash(message.value())) == RecentFlags.Flag.YES;
  }

  private void keep(TracedMessage message) {
    ring.set((int) (position.getAndIncrement() % ring.length()), message);
  }

  private TracedMessage facts(Envelope envelope, List<TransactionId> transactions, Sight sight) {
    Message payload = envelope.payload();
    var kind = MessageKind.of(payload);
    return new TracedMessage(
        sight,
        numbers.incrementAndGet(),
        clock.instant(),
        envelope.messageId(),
        envelope.correlationId(),
        envelope.from(),
        kind.fromRole(payload).label(),
        envelope.to(),
        kind.to().label(),
        envelope.contract(),
        kind.name(),
        transactions,
        kind.detail().apply(payload));
  }

  /**
   * The messages about one transaction, heartbeats included, by number; empty if it was not sampled
   * or is too long ago.
   */
  public List<TracedMessage> trace(TransactionId transaction) {
    var messages = snapshot();
    var found = new ArrayList<TracedMessage>();
    messages.stream().filter(message -> concerns(message, transaction)).forEach(found::add);
    found.addAll(heartbeats.concerning(transaction));
    found.addAll(acknowledgements(messages, found));
    found.sort(Comparator.comparingLong(TracedMessage::number));
    return List.copyOf(found);
  }

  /** Names this ring among those of other processes. */
  public UUID process() {
    return process;
  }

  /** The latest heartbeats of a contract, by number. */
  public List<TracedMessage> heartbeats(ContractAddress contract) {
    return heartbeats.of(contract);
  }

  /** The share of transactions that is traced now, from 0 to 1. */
  public double share() {
    return sampler.share();
  }

  private List<TracedMessage> snapshot() {
    var messages = new ArrayList<TracedMessage>();
    for (int i = 0; i < ring.length(); i++) {
      Optional.ofNullable(ring.get(i)).ifPresent(messages::add);
    }
    return messages;
  }

  static boolean concerns(TracedMessage message, TransactionId transaction) {
    return message.transactions().contains(transaction);
  }

  private static List<TracedMessage> acknowledgements(
      List<TracedMessage> messages, List<TracedMessage> found) {
    Map<MessageId, TracedMessage> byId = new HashMap<>();
    found.forEach(message -> byId.put(message.messageId(), message));
    var acknowledgements = new ArrayList<TracedMessage>();
    for (var message : messages) {
      if (message.transactions().isEmpty()) {
        message
            .correlationId()
            .map(byId::get)
            .ifPresent(answered -> acknowledgements.add(inRolesOf(answered, message)));
      }
    }
    return acknowledgements;
  }

  /** An acknowledgement goes from and to the roles of what it answers, which it does not name. */
  private static TracedMessage inRolesOf(TracedMessage answered, TracedMessage reply) {
    return reply.with(answered.transactions(), answered.toRole(), answered.fromRole());
  }
}
