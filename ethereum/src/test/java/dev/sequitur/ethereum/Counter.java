package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;

/** {@code contracts/test/Counter.sol}, which tests of public transactions call. */
public final class Counter {
  public static final JsonNode ABI = read().get("abi");

  /** What makes it; the limit goes behind it. */
  public static final Bytes CREATION = Bytes.hex(read().get("creation").textValue());

  private Counter() {}

  private static JsonNode read() {
    try (var json = Counter.class.getResourceAsStream("Counter.json")) {
      return JsonMapper.builder().build().readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
