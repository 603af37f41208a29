package dev.sequitur.domain;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.abi.AbiDecoding;
import dev.sequitur.schedule.abi.AbiEncoding;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What ends a lock, as the contract of other nodes takes it: the data of a public call. Receipts
 * hand it out, so that whoever keeps it need not know what is in it.
 *
 * @param arguments what our nodes know by themselves, as hexadecimal digits
 * @param data the application's own, as hexadecimal digits
 */
record NotoPublicCall(String function, Hash lock, String arguments, String data) {
  private static final List<String> FUNCTIONS =
      List.of(NotoDomain.SPEND_LOCK, NotoDomain.CANCEL_LOCK);
  private static final String PARAMETERS = "(bytes32,bytes,bytes)";
  private static final int SELECTOR = 4;
  private static final int VALUES = 3;

  private static byte[] selector(String function) {
    var hash = Digests.keccak256(Bytes.utf8(function + PARAMETERS)).toByteArray();
    return Arrays.copyOf(hash, SELECTOR);
  }

  Bytes encoded() {
    var values =
        new AbiEncoding()
            .uint(new BigInteger(1, lock.toByteArray()))
            .bytes(Bytes.hex(arguments))
            .bytes(Bytes.hex(data))
            .finish();
    return Bytes.of(
        ByteBuffer.allocate(SELECTOR + values.size())
            .put(selector(function))
            .put(values.toByteArray())
            .array());
  }

  /** Empty if it is the data of another call. */
  static Optional<NotoPublicCall> of(Bytes call) {
    var bytes = call.toByteArray();
    return FUNCTIONS.stream()
        .filter(function -> bytes.length > SELECTOR)
        .filter(function -> Arrays.equals(Arrays.copyOf(bytes, SELECTOR), selector(function)))
        .findFirst()
        .flatMap(
            function ->
                read(function, Bytes.of(Arrays.copyOfRange(bytes, SELECTOR, bytes.length))));
  }

  private static Optional<NotoPublicCall> read(String function, Bytes values) {
    try {
      var reading = new AbiDecoding(values, VALUES);
      var lock = word(reading.big());
      var arguments = reading.bytes().toHex();
      var data = reading.bytes().toHex();
      reading.finish();
      return Optional.of(new NotoPublicCall(function, lock, arguments, data));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Hash word(BigInteger number) {
    return Hash.hex("%064x".formatted(number));
  }
}
