package dev.sequitur.persistence.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.MemoryMap;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.StoredMoment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What lies on the disk, by which keys it opens, and what is refused. */
class EncryptionTest {
  static final WrappingKey KEY = wrapping(1);

  private static final Key PLACE = Key.in(KeySpace.NODE_STORE).octet(12).number(1);
  private static final Key OTHER = Key.in(KeySpace.NODE_STORE).octet(12).number(2);
  private static final byte[] VALUE = "the price is 7".getBytes(StandardCharsets.UTF_8);

  private final OrderedMap stored = new MemoryMap();
  private final OrderedMap more = new MemoryMap();

  private static WrappingKey wrapping(int number) {
    var secret = new byte[32];
    secret[0] = (byte) number;
    return WrappingKey.of(secret);
  }

  private Encryption open(WrappingKey... keys) {
    return Encryption.open(stored, more, List.of(keys), true);
  }

  private static void put(OrderedMap map, Key key, byte[] value) {
    var unused =
        map.write(
                batch -> {
                  batch.put(key, value);
                  return true;
                })
            .toCompletableFuture()
            .join();
  }

  private static Optional<byte[]> get(OrderedMap map, Key key) {
    return map.read(entries -> entries.get(key)).toCompletableFuture().join();
  }

  private Map<Key, byte[]> all(KeyRange range) {
    var all = new TreeMap<Key, byte[]>();
    var unused =
        stored
            .read(
                entries ->
                    entries.list(
                        range,
                        Order.ASCENDING,
                        Integer.MAX_VALUE,
                        (key, value) -> all.put(key, value)))
            .toCompletableFuture()
            .join();
    return all;
  }

  private Map<Key, byte[]> segments() {
    return all(KeyRange.startingWith(Key.in(KeySpace.SEGMENT_KEY)));
  }

  private static byte[] changed(byte[] bytes, int at) {
    var other = bytes.clone();
    other[at] ^= 1;
    return other;
  }

  @Test
  void nobodyReadsAValueOnTheDiskAndItGrowsByTwentyEightBytes() {
    var map = open(KEY).over(stored);
    put(map, PLACE, VALUE);
    put(map, OTHER, VALUE);

    var raw = get(stored, PLACE).orElseThrow();

    assertThat(get(map, PLACE)).contains(VALUE);
    assertThat(raw).hasSize(VALUE.length + 28);
    assertThat(new String(raw, StandardCharsets.ISO_8859_1)).doesNotContain("price");
    assertThat(Arrays.copyOfRange(raw, 12, raw.length))
        .as("the same twice")
        .isNotEqualTo(Arrays.copyOfRange(get(stored, OTHER).orElseThrow(), 12, raw.length));
  }

  @Test
  void anEmptyValueStaysEmpty() {
    var map = open(KEY).over(stored);
    put(map, PLACE, new byte[0]);

    assertThat(get(stored, PLACE).orElseThrow()).isEmpty();
    assertThat(get(map, PLACE).orElseThrow()).isEmpty();
  }

  @Test
  void aValueThatWasChangedOrPutElsewhereIsRefusedByItsKey() {
    var map = open(KEY).over(stored);
    put(map, PLACE, VALUE);
    var raw = get(stored, PLACE).orElseThrow();

    put(stored, OTHER, raw);
    refused(map, OTHER);
    for (int i = 0; i < raw.length; i++) {
      put(stored, PLACE, changed(raw, i));
      refused(map, PLACE);
    }
    put(stored, PLACE, VALUE);
    refused(map, PLACE);
  }

  private static void refused(OrderedMap map, Key key) {
    assertThatThrownBy(() -> get(map, key))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(EncryptionException.class)
        .hasMessageContaining("What is stored under " + key + " is not what was encrypted there");
  }

  @Test
  void eachStartHasAKeyOfItsOwnAndReadsWhatThoseBeforeItWrote() {
    put(open(KEY).over(stored), PLACE, VALUE);
    var second = open(KEY).over(stored);
    put(second, OTHER, VALUE);

    assertThat(segments()).hasSize(2);
    assertThat(get(second, PLACE)).contains(VALUE);
    assertThat(Arrays.copyOf(get(stored, PLACE).orElseThrow(), 4)).containsExactly(0, 0, 0, 1);
    assertThat(Arrays.copyOf(get(stored, OTHER).orElseThrow(), 4)).containsExactly(0, 0, 0, 2);
  }

  @Test
  void anotherWrappingKeyWrapsTheKeysOfSegmentsAnewAndTouchesNoValue() {
    put(open(KEY).over(stored), PLACE, VALUE);
    var before = segments();
    var raw = get(stored, PLACE).orElseThrow();

    var rotated = open(KEY, wrapping(2)).over(stored);

    assertThat(get(stored, PLACE).orElseThrow()).isEqualTo(raw);
    before.forEach((key, value) -> assertThat(segments().get(key)).isNotEqualTo(value));
    assertThat(get(rotated, PLACE)).contains(VALUE);
    assertThat(get(open(wrapping(2)).over(stored), PLACE)).contains(VALUE);
    assertThatThrownBy(() -> open(KEY)).isInstanceOf(EncryptionException.class);
  }

  @Test
  void aWrongKeyIsToldAndChangesNothing() {
    put(open(KEY).over(stored), PLACE, VALUE);
    var before = segments();

    assertThatThrownBy(() -> open(wrapping(3)))
        .isInstanceOf(EncryptionException.class)
        .hasMessage(
            "The records of this node were encrypted by a key that its key store does not have, or has"
                + " revoked: put back the keys.seed of then.");
    assertThatThrownBy(this::open)
        .as("with no key at all, another one would not help either")
        .hasMessageEndingWith("put back the keys.seed of then.");
    assertThatThrownBy(() -> Encryption.open(new MemoryMap(), new MemoryMap(), List.of(), true))
        .as("with nothing stored yet")
        .hasMessageContaining("`sequitur keys rotate`");

    assertThat(segments()).usingRecursiveComparison().isEqualTo(before);
    assertThat(get(open(KEY).over(stored), PLACE)).contains(VALUE);
  }

  @Test
  void aKeyOfASegmentThatWasChangedIsTold() {
    open(KEY);
    var first = segments().entrySet().iterator().next();
    put(stored, first.getKey(), changed(first.getValue(), first.getValue().length - 1));

    assertThatThrownBy(() -> open(KEY))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("is damaged: restore the newest backup");
  }

  @Test
  void recordsThatAreNotAsTheConfigurationHasThemAreRefused() {
    assertThat(Encryption.open(stored, more, List.of(KEY), false)).isSameAs(Encryption.NONE);
    put(more, Key.in(KeySpace.CELL), VALUE);
    assertThatThrownBy(() -> open(KEY))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("are not encrypted, and node.encrypt-records is on");
    assertThat(segments()).isEmpty();

    var encrypted = new MemoryMap();
    Encryption.open(encrypted, new MemoryMap(), List.of(KEY), true);
    assertThatThrownBy(() -> Encryption.open(encrypted, more, List.of(KEY), false))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("set node.encrypt-records = on");
  }

  /** A restore encrypts what a backup has as it is. */
  @Test
  void whatIsFilledEncryptedOpensAsWhatWasWrittenSo() {
    var filling = Encryption.of(KEY);
    put(stored, PLACE, filling.encrypted(PLACE, VALUE));
    filling.made().forEach((key, value) -> put(stored, key, value));

    assertThat(get(open(KEY).over(stored), PLACE)).contains(VALUE);
  }

  @Test
  void aMomentIsReadAsTheMapIs() {
    var encryption = open(KEY);
    put(encryption.over(stored), PLACE, VALUE);
    var seen = new TreeMap<Key, byte[]>();

    try (var moment = encryption.over(new Moment(all(KeySpace.ofNode())))) {
      moment.scan(
          KeySpace.ofNode(),
          (key, value) -> {
            seen.put(key, value);
            return true;
          });
    }

    assertThat(seen.get(PLACE)).isEqualTo(VALUE);
    assertThat(seen).hasSize(2);
  }

  private record Moment(Map<Key, byte[]> entries) implements StoredMoment {
    @Override
    public void scan(KeyRange range, OrderedMap.Visitor visitor) {
      entries.forEach(visitor::visit);
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
