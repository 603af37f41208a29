package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Utf8;
import dev.sequitur.protocol.schedule.OccurrenceKey;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Codecs of what is not put together from other values. */
final class Scalars {
  static final Codec<Long> LONG = of(ByteWriter::signed, ByteReader::signed);

  static final Codec<Integer> INTEGER =
      of((to, value) -> to.signed(value), from -> Math.toIntExact(from.signed()));

  static final Codec<Boolean> FLAG =
      of((to, value) -> to.raw(value ? 1 : 0), from -> from.raw() == 1);

  static final Codec<Byte> OCTET = of((to, value) -> to.raw(value), from -> (byte) from.raw());

  static final Codec<byte[]> OCTETS =
      of(
          (to, value) -> {
            to.unsigned(value.length);
            to.bytes(value);
          },
          from -> from.bytes(from.count()));

  static final Codec<Bytes> BYTES =
      of((to, value) -> OCTETS.write(to, value.toByteArray()), from -> Bytes.of(OCTETS.read(from)));

  static final Codec<String> TEXT =
      shared(
          of(
              (to, value) -> OCTETS.write(to, Utf8.encode(value)),
              from -> Utf8.decode(OCTETS.read(from))));

  static final Codec<Hash> HASH =
      of(
          (to, value) -> {
            to.eight(value.word0());
            to.eight(value.word1());
            to.eight(value.word2());
            to.eight(value.word3());
          },
          from -> new Hash(from.eight(), from.eight(), from.eight(), from.eight()));

  static final Codec<UUID> IDENTIFIER =
      of(
          (to, value) -> {
            to.eight(value.getMostSignificantBits());
            to.eight(value.getLeastSignificantBits());
          },
          from -> new UUID(from.eight(), from.eight()));

  static final Codec<BigInteger> WHOLE =
      of(
          (to, value) -> OCTETS.write(to, value.toByteArray()),
          from -> new BigInteger(OCTETS.read(from)));

  static final Codec<Duration> DURATION =
      of(
          (to, value) -> {
            to.signed(value.getSeconds());
            to.unsigned(value.getNano());
          },
          from -> Duration.ofSeconds(from.signed(), from.unsigned()));

  static final Codec<Instant> INSTANT =
      of(
          (to, value) -> {
            to.signed(value.getEpochSecond());
            to.unsigned(value.getNano());
          },
          from -> Instant.ofEpochSecond(from.signed(), from.unsigned()));

  private Scalars() {}

  static <T> Codec<T> of(BiConsumer<ByteWriter, T> write, Function<ByteReader, T> read) {
    return new Codec<>() {
      @Override
      public void write(ByteWriter to, T value) {
        write.accept(to, value);
      }

      @Override
      public T read(ByteReader from) {
        return read.apply(from);
      }
    };
  }

  /** A value that comes again and again: written once in full, then by its number. */
  static <T> Codec<T> shared(Codec<T> full) {
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
        return (T) (number == 0 ? from.learn(full.read(from)) : from.again(number));
      }
    };
  }

  /** One byte if it is the key of the event before. */
  static Codec<OccurrenceKey> occurrence(Codec<OccurrenceKey> full) {
    return new Codec<>() {
      @Override
      public void write(ByteWriter to, OccurrenceKey value) {
        boolean same = to.isLastKey(value);
        to.raw(same ? 1 : 0);
        if (!same) {
          full.write(to, value);
        }
      }

      @Override
      public OccurrenceKey read(ByteReader from) {
        return from.raw() == 1 ? from.lastKey() : from.remember(full.read(from));
      }
    };
  }

  static <E extends Enum<E>> Codec<E> constant(Class<E> type) {
    var constants = type.getEnumConstants();
    return of(
        (to, value) -> to.unsigned(value.ordinal()),
        from -> {
          long number = from.unsigned();
          if (number < 0 || number >= constants.length) {
            throw new UnreadableException(
                type.getSimpleName() + " has no constant " + number + " in this version.");
          }
          return constants[(int) number];
        });
  }
}
