package dev.sequitur.persistence.encryption;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.StoredMoment;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import javax.crypto.SecretKey;

/**
 * How what a node of one JVM stores lies on its disk: as it is, or with every value encrypted by a
 * key that itself lies there, encrypted by one of the key store. Keys of the map stay as they are,
 * since they are in an order: whoever reads the disk sees them, how long values are, and when they
 * were written, and no more. Thread-safe.
 */
public final class Encryption {
  /** Everything as it is. */
  public static final Encryption NONE = new Encryption(Optional.empty(), Map.of());

  private static final KeyRange SEGMENTS = KeyRange.startingWith(Key.in(KeySpace.SEGMENT_KEY));

  private final Optional<SegmentKeys> keys;
  private final Map<Key, byte[]> made;

  private Encryption(Optional<SegmentKeys> keys, Map<Key, byte[]> made) {
    this.keys = keys;
    this.made = made;
  }

  /**
   * Begins to use a store. What older wrapping keys have wrapped is wrapped by the newest one: that
   * is all of their rotation, and the values stay as they are. Waits for the disk.
   *
   * @param records where keys of segments lie
   * @param more what else the node keeps; is to be as encrypted as the records
   * @param wrapping of the key store, the oldest first; at least one if it is wanted
   * @param wanted whether values are to be encrypted
   * @throws EncryptionException with a sentence that says what to do, if the store is otherwise
   *     than wanted, or was encrypted by other keys; nothing is changed then
   */
  public static Encryption open(
      OrderedMap records, OrderedMap more, List<WrappingKey> wrapping, boolean wanted) {
    var stored =
        await(
            records.read(
                entries ->
                    entries.list(
                        SEGMENTS, Order.ASCENDING, Integer.MAX_VALUE, Map::<Key, byte[]>entry)));
    if (!wanted) {
      if (!stored.isEmpty()) {
        throw new EncryptionException(
            "The records of this node are encrypted: set node.encrypt-records = on.");
      }
      return NONE;
    }
    if (wrapping.isEmpty() && stored.isEmpty()) {
      throw new EncryptionException(
          "The key that this node's records would be encrypted by is revoked: give it another by `sequitur keys rotate`.");
    }
    if (stored.isEmpty() && !(isEmpty(records) && isEmpty(more))) {
      throw new EncryptionException(
          "The records of this node are not encrypted, and node.encrypt-records is on: make a backup"
              + " with it off, and restore that with it on.");
    }
    var random = new SecureRandom();
    var segments = new HashMap<Integer, SecretKey>();
    stored.forEach(
        entry ->
            segments.put(
                number(entry.getKey()), unwrapped(entry.getKey(), entry.getValue(), wrapping)));
    var newest = wrapping.getLast();
    int current = segments.keySet().stream().mapToInt(it -> it).max().orElse(0) + 1;
    segments.put(current, SegmentKeys.fresh(random));
    var changed = new HashMap<Key, byte[]>();
    stored.stream()
        .filter(entry -> !newest.hasWrapped(entry.getValue()))
        .forEach(
            entry ->
                changed.put(
                    entry.getKey(),
                    wrapped(newest, entry.getKey(), segments.get(number(entry.getKey())), random)));
    changed.put(at(current), wrapped(newest, at(current), segments.get(current), random));
    await(
        records.write(
            batch -> {
              changed.forEach(batch::put);
              return null;
            }));
    return new Encryption(Optional.of(new SegmentKeys(segments, current)), Map.of());
  }

  /** Of a store that is about to be filled, by what is {@linkplain #encrypted encrypted} here. */
  public static Encryption of(WrappingKey wrapping) {
    var random = new SecureRandom();
    var segment = SegmentKeys.fresh(random);
    return new Encryption(
        Optional.of(new SegmentKeys(Map.of(1, segment), 1)),
        Map.of(at(1), wrapped(wrapping, at(1), segment, random)));
  }

  private static Key at(int segment) {
    return Key.in(KeySpace.SEGMENT_KEY).number(segment);
  }

  private static int number(Key at) {
    return Math.toIntExact(at.lastNumber());
  }

  private static byte[] wrapped(WrappingKey by, Key at, SecretKey segment, SecureRandom random) {
    return by.wrap(segment, at.unsafeBytes(), random);
  }

  private static SecretKey unwrapped(Key at, byte[] wrapped, List<WrappingKey> wrapping) {
    return wrapping.stream()
        .filter(key -> key.hasWrapped(wrapped))
        .findFirst()
        .orElseThrow(
            () ->
                new EncryptionException(
                    "The records of this node were encrypted by a key that its key store does not have, or has revoked: put back the keys.seed of then."))
        .unwrap(wrapped, at.unsafeBytes())
        .orElseThrow(
            () ->
                new EncryptionException(
                    "A key that the records of this node were encrypted by is damaged: restore the newest backup."));
  }

  private static boolean isEmpty(OrderedMap map) {
    return await(
        map.read(
            entries ->
                entries
                    .list(KeySpace.ofNode(), Order.ASCENDING, 1, (key, value) -> key)
                    .isEmpty()));
  }

  private static <T> T await(CompletionStage<T> answer) {
    try {
      return answer.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : e;
    }
  }

  /** What is stored beside the values for a store that was begun by {@link #of}. */
  public Map<Key, byte[]> made() {
    return made;
  }

  /** A value as it lies on the disk. */
  public byte[] encrypted(Key key, byte[] value) {
    return keys.map(by -> by.seal(key, value)).orElse(value);
  }

  /** The same map, as whoever has the keys reads and writes it. */
  public OrderedMap over(OrderedMap map) {
    return keys.<OrderedMap>map(by -> new EncryptedMap(map, by)).orElse(map);
  }

  /** All that is stored at a moment, as whoever has the keys reads it. */
  public StoredMoment over(StoredMoment moment) {
    return keys.<StoredMoment>map(by -> new OpenedMoment(moment, by)).orElse(moment);
  }

  private record OpenedMoment(StoredMoment moment, SegmentKeys keys) implements StoredMoment {
    @Override
    public void scan(KeyRange range, OrderedMap.Visitor visitor) {
      moment.scan(
          range,
          (key, value) ->
              visitor.visit(key, SEGMENTS.contains(key) ? value : keys.open(key, value)));
    }

    @Override
    public void close() {
      moment.close();
    }
  }
}
