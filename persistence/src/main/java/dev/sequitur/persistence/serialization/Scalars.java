package dev.sequitur.persistence.serialization;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.sequitur.persistence.serialization.Scalar.Binary;
import dev.sequitur.persistence.serialization.Scalar.Form;
import dev.sequitur.persistence.serialization.Scalar.Number;
import dev.sequitur.persistence.serialization.Scalar.Text;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerAddress;
import dev.sequitur.protocol.message.ProtocolVersion;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/** The protocol's scalars, in the compact form of CBOR or in one that a person can read. */
final class Scalars {
  private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);
  // Within these bounds the nanoseconds fit into a long: years 1677 to 2262.
  private static final long MAX_SECONDS = Long.MAX_VALUE / 1_000_000_000 - 1;

  private final SimpleModule module;
  private final boolean readable;

  private Scalars(String name, boolean readable) {
    this.module = new SimpleModule(name);
    this.readable = readable;
  }

  /** Bytes as byte strings, times as nanoseconds. */
  static SimpleModule compact() {
    return new Scalars("sequitur-compact", false).all();
  }

  /** Bytes as {@code 0x} and hexadecimal digits, times as in RFC 3339. */
  static SimpleModule readable() {
    return new Scalars("sequitur-readable", true).all();
  }

  private SimpleModule all() {
    module.addDeserializer(String.class, new WholeText());
    bytes(Bytes.class, Bytes::toByteArray, Bytes::of);
    bytes(Hash.class, Hash::toByteArray, Hash::of);
    bytes(StateId.class, id -> id.value().toByteArray(), b -> new StateId(Hash.of(b)));
    bytes(
        SenderCommitment.class,
        c -> c.value().toByteArray(),
        b -> new SenderCommitment(Hash.of(b)));
    bytes(GroupId.class, id -> id.value().toByteArray(), b -> new GroupId(Hash.of(b)));
    bytes(
        TransactionHash.class, h -> h.value().toByteArray(), b -> new TransactionHash(Hash.of(b)));
    bytes(Verifier.class, v -> v.publicKey().toByteArray(), b -> new Verifier(Bytes.of(b)));
    uuid(UUID.class, Function.identity(), Function.identity());
    uuid(TransactionId.class, TransactionId::value, TransactionId::new);
    uuid(MessageId.class, MessageId::value, MessageId::new);
    text(NodeName.class, new RecentlyRead<>(NodeName::new));
    text(Identity.class, new RecentlyRead<>(Identity::parse));
    text(ContractAddress.class, new RecentlyRead<>(ContractAddress::new));
    text(LedgerAddress.class, new RecentlyRead<>(LedgerAddress::new));
    text(ProtocolVersion.class, new RecentlyRead<>(ProtocolVersion::parse));
    text(RequestId.class, RequestId::new);
    number(BlockHeight.class, BlockHeight::value, BlockHeight::new);
    number(BlockRange.class, BlockRange::index, BlockRange::new);
    time(Instant.class, Scalars::nanos, Scalars::instant, Instant::parse);
    time(Duration.class, Scalars::nanos, Scalars::duration, Duration::parse);
    return module;
  }

  private <T> void bytes(Class<T> type, Function<T, byte[]> bytes, Function<byte[], T> value) {
    Function<T, String> text = written -> Bytes.of(bytes.apply(written)).toHex();
    Function<String, T> parse = digits -> value.apply(Bytes.hex(digits).toByteArray());
    add(type, new Binary<>(bytes, value), text, parse);
  }

  private <T> void uuid(Class<T> type, Function<T, UUID> uuid, Function<UUID, T> value) {
    Form<T> compact =
        new Binary<>(written -> bytesOf(uuid.apply(written)), bytes -> value.apply(uuidOf(bytes)));
    add(
        type,
        compact,
        written -> uuid.apply(written).toString(),
        text -> value.apply(UUID.fromString(text)));
  }

  private <T> void text(Class<T> type, Function<String, T> value) {
    add(type, new Text<>(T::toString, value), T::toString, value);
  }

  private <T> void number(Class<T> type, ToLongFunction<T> number, LongFunction<T> value) {
    Form<T> form = new Number<>(number::applyAsLong, parser -> value.apply(parser.getLongValue()));
    new Scalar<>(type, form, T::toString, text -> value.apply(Long.parseLong(text))).addTo(module);
  }

  private <T> void time(
      Class<T> type,
      Function<T, java.lang.Number> nanos,
      Number.Reading<T> value,
      Function<String, T> parse) {
    add(type, new Number<>(nanos, value), T::toString, parse);
  }

  private <T> void add(
      Class<T> type, Form<T> compact, Function<T, String> text, Function<String, T> parse) {
    var form = readable ? new Text<>(text, parse) : compact;
    new Scalar<>(type, form, text, parse).addTo(module);
  }

  private static byte[] bytesOf(UUID uuid) {
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  private static UUID uuidOf(byte[] bytes) {
    if (bytes.length != 16) {
      throw new IllegalArgumentException("A UUID has 16 bytes, not " + bytes.length + ".");
    }
    var buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }

  private static java.lang.Number nanos(Instant time) {
    return nanos(time.getEpochSecond(), time.getNano());
  }

  private static java.lang.Number nanos(Duration duration) {
    return nanos(duration.getSeconds(), duration.getNano());
  }

  private static java.lang.Number nanos(long seconds, int nanos) {
    if (Math.abs(seconds) < MAX_SECONDS) {
      return seconds * 1_000_000_000 + nanos;
    }
    return BigInteger.valueOf(seconds).multiply(NANOS).add(BigInteger.valueOf(nanos));
  }

  private static Instant instant(JsonParser parser) throws IOException {
    if (parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      long nanos = parser.getLongValue();
      return Instant.ofEpochSecond(
          Math.floorDiv(nanos, 1_000_000_000), Math.floorMod(nanos, 1_000_000_000));
    }
    var parts = floorDivide(parser.getBigIntegerValue());
    return Instant.ofEpochSecond(parts[0].longValueExact(), parts[1].longValueExact());
  }

  private static Duration duration(JsonParser parser) throws IOException {
    if (parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return Duration.ofNanos(parser.getLongValue());
    }
    var parts = floorDivide(parser.getBigIntegerValue());
    return Duration.ofSeconds(parts[0].longValueExact(), parts[1].longValueExact());
  }

  private static BigInteger[] floorDivide(BigInteger nanos) {
    var rest = nanos.mod(NANOS);
    return new BigInteger[] {nanos.subtract(rest).divide(NANOS), rest};
  }
}
