package dev.sequitur.encoding;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Utf8;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** Codecs of what is not put together from other values. */
final class Scalars {
  private static final Codec<Long> LONG = Codec.of(ByteWriter::signed, ByteReader::signed);

  private static final Codec<Integer> INTEGER =
      Codec.of((to, value) -> to.signed(value), from -> Math.toIntExact(from.signed()));

  private static final Codec<Boolean> FLAG = Codec.of(ByteWriter::flag, ByteReader::flag);

  private static final Codec<Byte> OCTET =
      Codec.of((to, value) -> to.raw(value), from -> (byte) from.raw());

  private static final Codec<byte[]> OCTETS =
      Codec.of(
          (to, value) -> to.unsigned(value.length).bytes(value), from -> from.bytes(from.count()));

  private static final Codec<Bytes> BYTES = OCTETS.as(Bytes::toByteArray, Bytes::of);

  static final Codec<String> TEXT = OCTETS.as(Utf8::encode, Utf8::decode);

  private static final Codec<Hash> HASH =
      Codec.of(
          (to, value) ->
              to.eight(value.word0())
                  .eight(value.word1())
                  .eight(value.word2())
                  .eight(value.word3()),
          from -> new Hash(from.eight(), from.eight(), from.eight(), from.eight()));

  private static final Codec<UUID> IDENTIFIER =
      Codec.of(
          (to, value) ->
              to.eight(value.getMostSignificantBits()).eight(value.getLeastSignificantBits()),
          from -> new UUID(from.eight(), from.eight()));

  private static final Codec<BigInteger> WHOLE =
      OCTETS.as(BigInteger::toByteArray, BigInteger::new);

  private static final Codec<Duration> DURATION =
      Codec.of(
          (to, value) -> to.signed(value.getSeconds()).unsigned(value.getNano()),
          from -> Duration.ofSeconds(from.signed(), from.unsigned()));

  private static final Codec<Instant> INSTANT =
      Codec.of(
          (to, value) -> to.signed(value.getEpochSecond()).unsigned(value.getNano()),
          from -> Instant.ofEpochSecond(from.signed(), from.unsigned()));

  static final Map<Class<?>, Codec<?>> ALL =
      Map.ofEntries(
          Map.entry(long.class, LONG),
          Map.entry(Long.class, LONG),
          Map.entry(int.class, INTEGER),
          Map.entry(Integer.class, INTEGER),
          Map.entry(byte.class, OCTET),
          Map.entry(boolean.class, FLAG),
          Map.entry(Boolean.class, FLAG),
          Map.entry(byte[].class, OCTETS),
          Map.entry(String.class, TEXT),
          Map.entry(Bytes.class, BYTES),
          Map.entry(Hash.class, HASH),
          Map.entry(UUID.class, IDENTIFIER),
          Map.entry(BigInteger.class, WHOLE),
          Map.entry(Duration.class, DURATION),
          Map.entry(Instant.class, INSTANT));

  private Scalars() {}

  /** A value that comes again and again: written once in full, then by its number. */
  static <T> Codec<T> shared(Class<?> type, Codec<T> full) {
    return new Codec<>() {
      @Override
      public void write(ByteWriter to, T value) {
        if (!to.again(value)) {
          full.write(to, value);
          to.learn(value);
        }
      }

      @Override
      @SuppressWarnings("unchecked")
      public T read(ByteReader from) {
        long number = from.unsigned();
        return (T) type.cast(number == 0 ? from.learn(full.read(from)) : from.again(number));
      }
    };
  }

  /** One byte if it is the same as the last of such values. */
  static <T> Codec<T> repeated(Class<?> type, Codec<T> full) {
    return new Codec<>() {
      @Override
      public void write(ByteWriter to, T value) {
        boolean same = to.isLast(value);
        to.flag(same);
        if (!same) {
          full.write(to, value);
        }
      }

      @Override
      @SuppressWarnings("unchecked")
      public T read(ByteReader from) {
        return (T) type.cast(from.flag() ? from.last() : from.remember(full.read(from)));
      }
    };
  }

  /** A constant by its place: what is new goes to the end. */
  static <E extends Enum<E>> Codec<E> constant(Class<E> type) {
    var constants = type.getEnumConstants();
    return Codec.of(
        (to, value) -> to.unsigned(value.ordinal()),
        from -> {
          long number = from.unsigned();
          if (number < 0 || number >= constants.length) {
            throw new MalformedBytesException(
                type.getSimpleName() + " has no constant " + number + " in this version.");
          }
          return constants[(int) number];
        });
  }
}
