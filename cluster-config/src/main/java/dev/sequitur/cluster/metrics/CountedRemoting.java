package dev.sequitur.cluster.metrics;

import akka.actor.AbstractExtensionId;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.remote.artery.RemoteInstrument;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.ByteBuffer;

/**
 * Counts what goes from one JVM of a node to another, Akka's own heartbeats and gossip included.
 * Akka's remoting makes one for each of its streams; nothing of it travels with a message.
 */
public final class CountedRemoting extends RemoteInstrument {
  /** Those below 8 are Akka's own, and 8 carries traces. */
  private static final byte NUMBER = 9;

  private final OfJvm jvm;

  /** For Akka, as {@code akka.remote.artery.advanced.instruments} asks. */
  public CountedRemoting(ExtendedActorSystem system) {
    this.jvm = Id.INSTANCE.get(system);
  }

  /**
   * From now on it is counted there.
   *
   * @param registry of the node; it has none of these names yet
   */
  public static void show(ActorSystem system, PrometheusRegistry registry) {
    Id.INSTANCE.get(system).figures = new Figures(registry);
  }

  private enum Direction {
    SENT,
    RECEIVED
  }

  private record Figures(LabelledCounter<Direction> messages, LabelledCounter<Direction> bytes) {
    Figures(PrometheusRegistry registry) {
      this(
          new LabelledCounter<>(
              registry,
              "sequitur_remoting_messages",
              "Messages between this JVM and the node's others; 0 for a node of one JVM.",
              "direction",
              Direction.class),
          new LabelledCounter<>(
              registry,
              "sequitur_remoting_bytes",
              "Bytes of these messages, before they are encrypted.",
              "direction",
              Direction.class));
    }

    void add(Direction direction, int size) {
      messages.increment(direction);
      bytes.add(direction, (long) size);
    }
  }

  /** The figures of the one JVM of a node that an actor system is. */
  private static final class OfJvm implements Extension {
    private volatile Figures figures = new Figures(new PrometheusRegistry());
  }

  private static final class Id extends AbstractExtensionId<OfJvm> {
    private static final Id INSTANCE = new Id();

    @Override
    public OfJvm createExtension(ExtendedActorSystem system) {
      return new OfJvm();
    }
  }

  @Override
  public byte identifier() {
    return NUMBER;
  }

  @Override
  public void remoteWriteMetadata(
      ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {}

  @Override
  public void remoteReadMetadata(
      ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {}

  @Override
  public void remoteMessageSent(
      ActorRef recipient, Object message, ActorRef sender, int size, long time) {
    jvm.figures.add(Direction.SENT, size);
  }

  @Override
  public void remoteMessageReceived(
      ActorRef recipient, Object message, ActorRef sender, int size, long time) {
    jvm.figures.add(Direction.RECEIVED, size);
  }
}
