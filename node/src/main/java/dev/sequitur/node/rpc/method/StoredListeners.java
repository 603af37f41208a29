package dev.sequitur.node.rpc.method;

import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The durable listeners of one kind, and the methods that are alike for all kinds: only what a
 * listener is told of, and so how it is made and shown, is the kind's own.
 */
public final class StoredListeners {
  /** What is shown of every listener. */
  private static final ObjectShape<Listener> COMMON =
      ObjectShape.<Listener>named("Listener")
          .with("name", Formats.NAME, Listener::name)
          .with("created", Formats.TIME, Listener::created)
          .with("started", Formats.BOOLEAN, listener -> listener.stopped().isEmpty());

  private static final Map<String, QueryField<Listener>> FIELDS =
      QueryField.table(COMMON, "name", "created", "started");

  /** Of one kind; a few more where several calls make the last of them at once. */
  static final int MOST = 1_000;

  /** Of one kind and one caller, where callers are told apart: one leaves others room. */
  static final int MOST_OF_CALLER = 100;

  /** Of the method that asks for one, stops it, starts it or deletes it. */
  public static final Field<String> NAME =
      Field.of("name", Formats.NAME, "the listener's name").mentions(Field.Mention.LISTENER);

  /** Of what is sent to make one. */
  public static final Field<String> NEW_NAME =
      Field.of("name", Formats.NAME, "").mentions(Field.Mention.LISTENER);

  /** As {@link #NEW_NAME}. */
  public static final Field<Boolean> STARTED =
      Field.or("started", Formats.BOOLEAN, true, "false if it is to be told nothing yet");

  private final NodeContext context;
  private final ListenerKind kind;
  private final String prefix;
  private final String noun;
  private final Field<Sent> query;

  /**
   * @param prefix of the methods, such as {@code ptx_}
   * @param noun what the methods call such a listener, such as {@code ReceiptListener}
   */
  public StoredListeners(NodeContext context, ListenerKind kind, String prefix, String noun) {
    this.context = context;
    this.kind = kind;
    this.prefix = prefix;
    this.noun = noun;
    this.query = QueryReader.field(noun + "Query", FIELDS);
  }

  /** What is shown of every listener first. */
  public static ObjectShape<Listener> shape(String name) {
    return ObjectShape.<Listener>named(name).all(COMMON, listener -> listener);
  }

  public ListenerKind kind() {
    return kind;
  }

  private String creatingMethod() {
    return prefix + "create" + noun;
  }

  /**
   * What a new listener is told of.
   *
   * @param chosen how the caller has chosen, as it is stored
   * @param after the number that it begins behind
   */
  public record Chosen(Bytes chosen, long after) {}

  /**
   * @param listener has {@link #NEW_NAME} and {@link #STARTED}
   */
  public RpcMethod creating(Field<Sent> listener, String doc, Function<Sent, Chosen> choose) {
    return RpcMethod.submitting(
        creatingMethod(),
        List.of(listener),
        Formats.BOOLEAN,
        "true",
        doc
            + " It is its caller's: names live within the caller, and it is told of what its"
            + " caller may see at that time.",
        call ->
            create(call.exchange().caller(), call.get(listener), choose.apply(call.get(listener))));
  }

  /**
   * Makes one that another answers than whether it is there.
   *
   * @param sent has {@link #NEW_NAME} and {@link #STARTED}
   */
  public CompletionStage<Boolean> make(Call call, Sent sent, Chosen chosen) {
    return create(call.exchange().caller(), sent, chosen);
  }

  /** Fails if there is one of that name that is told of other things. */
  private CompletionStage<Boolean> create(Principal caller, Sent sent, Chosen chosen) {
    var name = sent.get(NEW_NAME);
    var now = context.clock().instant();
    Optional<Instant> stopped = sent.get(STARTED) ? Optional.empty() : Optional.of(now);
    var stored = CallersNames.stored(caller, name);
    return room(caller, stored)
        .thenCompose(
            found ->
                context
                    .listeners()
                    .create(
                        kind, new Listener(stored, chosen.chosen(), now, chosen.after(), stopped)))
        .thenApply(
            created -> {
              if (!created) {
                throw new RpcFailure(
                    ErrorCode.LISTENER_EXISTS,
                    "There is a %s '%s' that is told of other things. Delete it first, or choose another name."
                        .formatted(kind.noun(), name));
              }
              return true;
            });
  }

  /** Whoever makes one and forgets its name each time would fill the store. */
  private CompletionStage<Void> room(Principal caller, String stored) {
    return context
        .listeners()
        .all(kind)
        .thenAccept(
            all -> {
              if (all.stream().anyMatch(it -> it.name().equals(stored))) {
                return;
              }
              long own = own(caller, all).size();
              if (caller.kind() != Principal.Kind.UNASKED && own >= MOST_OF_CALLER) {
                throw noRoom("of a kind and a caller", MOST_OF_CALLER);
              } else if (all.size() >= MOST) {
                throw noRoom("of a kind", MOST);
              }
            });
  }

  private RpcFailure noRoom(String whose, int most) {
    return new RpcFailure(
        ErrorCode.UNSUPPORTED,
        "The node keeps %d listeners %s and has no room for another. Delete a %s that nobody needs."
            .formatted(most, whose, kind.noun()));
  }

  /** Those of a caller, under the names that it knows. */
  private static List<Listener> own(Principal caller, List<Listener> all) {
    return all.stream()
        .flatMap(it -> CallersNames.own(caller, it.name()).map(it::withName).stream())
        .toList();
  }

  public RpcMethod getting(ObjectShape<Listener> shape) {
    return RpcMethod.reading(
        prefix + "get" + noun,
        List.of(NAME),
        shape.orNull(),
        "the listener with `acknowledged`, ours, the last sequence taken; or null",
        "A listener as it was created.",
        call -> find(call, call.get(NAME)));
  }

  public RpcMethod querying(ObjectShape<Listener> shape) {
    return RpcMethod.reading(
        prefix + "query" + noun + "s",
        List.of(query),
        shape.list(),
        "an array of listeners",
        "The caller's listeners as they were created, by name unless sorted otherwise.",
        call ->
            context
                .listeners()
                .all(kind)
                .thenCompose(
                    all ->
                        context.rows(
                            call, call.get(query), FIELDS, own(call.exchange().caller(), all))));
  }

  public RpcMethod stopping() {
    return stopped(
        "stop",
        "Has a listener told nothing until it is started again. What is subscribed to it stays so;"
            + " a batch that is on its way still counts.",
        true);
  }

  public RpcMethod starting() {
    return stopped("start", "Has a listener told again, from where it stands.", false);
  }

  private RpcMethod stopped(String verb, String doc, boolean stops) {
    return RpcMethod.submitting(
        prefix + verb + noun,
        List.of(NAME),
        Formats.BOOLEAN,
        "true",
        doc,
        call -> {
          var at = stops ? Optional.of(context.clock().instant()) : Optional.<Instant>empty();
          return context
              .listeners()
              .stop(kind, stored(call, call.get(NAME)), at)
              .thenApply(
                  found -> {
                    if (!found) {
                      throw unknown(call.get(NAME));
                    }
                    return true;
                  });
        });
  }

  public RpcMethod deleting() {
    return RpcMethod.submitting(
        prefix + "delete" + noun,
        List.of(NAME),
        Formats.BOOLEAN,
        "whether there was one",
        "Deletes a listener and ends what is subscribed to it.",
        call -> delete(stored(call, call.get(NAME))));
  }

  private CompletionStage<Boolean> delete(String name) {
    return context
        .listeners()
        .delete(kind, name)
        .thenApply(
            deleted -> {
              context.deletions().deleted(kind, name);
              return deleted;
            });
  }

  /**
   * As it is stored.
   *
   * @return fails if the caller has none of that name
   */
  public CompletionStage<Listener> known(Call call, String name) {
    return context
        .listeners()
        .find(kind, stored(call, name))
        .thenApply(found -> found.orElseThrow(() -> unknown(name)));
  }

  /** The caller's of that name, as the caller knows it. */
  CompletionStage<Optional<Listener>> find(Call call, String name) {
    return context
        .listeners()
        .find(kind, stored(call, name))
        .thenApply(found -> found.map(it -> it.withName(name)));
  }

  private static String stored(Call call, String name) {
    return CallersNames.stored(call.exchange().caller(), name);
  }

  private RpcFailure unknown(String name) {
    return new RpcFailure(
        ErrorCode.UNKNOWN_LISTENER,
        "There is no %s '%s'. Create it with %s.".formatted(kind.noun(), name, creatingMethod()));
  }
}
