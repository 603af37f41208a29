package dev.sequitur.protocol.port;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Bytes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * The listeners of a node, each kind with names of its own. Every write is durable when its future
 * completes. What they are told of is elsewhere; when the ledger is read again, {@link
 * NodeStore#beginReindex} sets back those that are told of its contracts' events. Thread-safe.
 */
public interface ListenerStore {
  /**
   * @return false if there is one of that kind and name with other properties already
   */
  CompletionStage<Boolean> create(ListenerKind kind, Listener listener);

  CompletionStage<Optional<Listener>> find(ListenerKind kind, String name);

  /** All of a kind by name. */
  CompletionStage<List<Listener>> all(ListenerKind kind);

  /**
   * Remembers what a listener has taken ({@link Listener#taken}), in one write. To repeat it is
   * safe. Fails with an {@link IllegalArgumentException} if the node gives the numbers and has not
   * come so far.
   *
   * @param listener as it was found before
   * @return false, with nothing remembered, if it is there no more; one that was made under its
   *     name since is another's
   */
  CompletionStage<Boolean> acknowledge(ListenerKind kind, Listener listener, Taken taken);

  /**
   * Has a listener be told by other properties, from where it stands. Whoever serves it finds that
   * it is another one ({@link Listener#isSameAs}).
   *
   * @param listener as it was found before
   * @return false, with nothing changed, if it is there no more, or others since
   */
  CompletionStage<Boolean> change(ListenerKind kind, Listener listener, Bytes properties);

  /**
   * Stops a listener, which is told nothing then, or starts it again where it stands.
   *
   * @param stopped when; empty to start it
   * @return false if there is none of that name
   */
  CompletionStage<Boolean> stop(ListenerKind kind, String name, Optional<Instant> stopped);

  /**
   * @return whether there was one of that name
   */
  CompletionStage<Boolean> delete(ListenerKind kind, String name);

  /** What a listener is told of. */
  enum ListenerKind {
    /** Receipts, by the numbers that the node gives. */
    RECEIPTS("receipt listener"),
    /** What contracts of the base ledger tell, by numbers that follow from its blocks. */
    EVENTS("blockchain event listener"),
    /** Messages between members, by the numbers that the node gives. */
    MESSAGES("message listener"),
    /** What has happened in a schedule queue, by the numbers that the queue gives. */
    SCHEDULES("schedule event listener"),
    /** The same, which this node sends to an address by itself. */
    WEBHOOKS("webhook");

    private final String noun;

    ListenerKind(String noun) {
      this.noun = noun;
    }

    /** As sentences call such a listener. */
    public String noun() {
      return noun;
    }
  }

  /**
   * Of whatever kind.
   *
   * @param properties what it is to be told; only who has written them can read them
   * @param acknowledged everything up to this sequence number, but for what is held back
   * @param stopped since when it is told nothing; empty if it is
   * @param later what is held back; empty if nothing ever was
   * @param again up to this number it had taken everything when it was set back, since blocks were
   *     replaced (CNF-11); empty if it never was
   */
  @Copyable
  record Listener(
      String name,
      Bytes properties,
      Instant created,
      long acknowledged,
      Optional<Instant> stopped,
      Optional<HeldBack> later,
      Optional<Long> again)
      implements ListenerStoreListenerBuilder.With {
    /** Of which nothing is held back. */
    public Listener(
        String name,
        Bytes properties,
        Instant created,
        long acknowledged,
        Optional<Instant> stopped) {
      this(name, properties, created, acknowledged, stopped, Optional.empty(), Optional.empty());
    }

    /** What it has to be told of that it has passed. */
    public HeldBack heldBack() {
      return later.orElse(HeldBack.NONE);
    }

    /** Whether it is this one, and not one that was made under its name since. */
    public boolean isSameAs(Listener other) {
      return created.equals(other.created) && properties.equals(other.properties);
    }

    /**
     * The same, which is told again what comes after this number, up to what it had taken.
     *
     * @param read up to this number it could take something; one that is to begin later stays so
     */
    public Listener setBack(long to, long read) {
      return acknowledged <= to || acknowledged > read
          ? this
          : with()
              .acknowledged(to)
              .again(Optional.of(Math.max(acknowledged, again.orElse(acknowledged))))
              .build();
    }

    /**
     * The same, after somebody has taken something. Others who serve it on other JVMs may have come
     * further meanwhile: what they have acknowledged stays so, and what was held back of that they
     * have told or hold back themselves.
     */
    public Listener taken(Taken taken) {
      var held = heldBack();
      for (var row : taken.heldBack()) {
        held = row.number() > acknowledged ? held.plus(row) : held;
      }
      var left = held.without(taken.done());
      return with()
          .acknowledged(Math.max(acknowledged, taken.upTo()))
          .later(Optional.of(left).filter(it -> !it.equals(HeldBack.NONE)))
          .build();
    }
  }

  /**
   * What a listener has taken.
   *
   * @param upTo everything up to this sequence number, but for what is held back
   * @param heldBack what of that has to be told later, by rising numbers
   * @param done the numbers of what was held back and is so no more
   */
  record Taken(long upTo, List<HeldBack.Row> heldBack, List<Long> done) {
    public Taken {
      heldBack = List.copyOf(heldBack);
      done = List.copyOf(done);
    }

    /** What was taken with what came next. */
    public Taken and(Taken next) {
      return new Taken(
          next.upTo,
          Stream.concat(heldBack.stream(), next.heldBack.stream()).toList(),
          Stream.concat(done.stream(), next.done.stream()).toList());
    }

    /** With nothing held back. */
    public static Taken upTo(long sequence) {
      return new Taken(sequence, List.of(), List.of());
    }
  }
}
