package dev.sequitur.protocol.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What docs/protocol.md says is hashed, by whoever has that page alone: SHA-256 and arithmetic, and
 * nothing of ours. It gives the published vectors.
 */
class RingEncodingTest {
  private static final Path RESOURCES =
      Path.of("src/main/resources/dev/sequitur/protocol/selection");
  private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);

  @Test
  void thePageSaysEnoughToMakeTheVectors() throws IOException {
    assertMade("ranking-vectors.jsonl", vector -> list(vector, "committee"));
  }

  @Test
  void andThoseOfCommitteesThatChange() throws IOException {
    assertMade("changing-committee-vectors.jsonl", RingEncodingTest::standing);
  }

  /** The committee after the last change in a block before the first one of the range. */
  private static List<String> standing(String vector) {
    long first = number(vector, "b") / number(vector, "n") * number(vector, "n");
    int changes =
        (int)
            list(vector, "changedByBlocks").stream()
                .filter(block -> Long.parseLong(block) < first)
                .count();
    var committees = found(vector, "\"committees\":\\[\\[(.*?)]]").split("],\\[");
    return List.of(committees[changes].replace("\"", "").split(","));
  }

  private static void assertMade(String file, Function<String, List<String>> committee)
      throws IOException {
    var vectors = Files.readAllLines(RESOURCES.resolve(file));
    assertThat(vectors).hasSizeGreaterThan(10);
    for (var vector : vectors) {
      var contract = text(vector, "contract");
      long range = number(vector, "b") / number(vector, "n");
      int replicas = (int) number(vector, "virtualNodes");
      var point = hashed(contract, eightBytes(range));
      var ranked =
          committee.apply(vector).stream()
              .sorted(
                  Comparator.comparing(
                          (String identity) -> distance(contract, identity, replicas, point))
                      .thenComparing(identity -> identity.split("@")[0])
                      .thenComparing(identity -> identity.split("@")[1]))
              .toList();

      assertThat(ranked).as(vector).isEqualTo(list(vector, "ranking"));
    }
  }

  private static BigInteger distance(
      String contract, String identity, int replicas, BigInteger point) {
    return IntStream.range(0, replicas)
        .mapToObj(replica -> hashed(contract, utf8(identity), eightBytes(replica)))
        .flatMap(
            position ->
                Stream.of(position.subtract(point).mod(RING), point.subtract(position).mod(RING)))
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  private static BigInteger hashed(String contract, byte[]... more) {
    try {
      var bytes = new ByteArrayOutputStream();
      var out = new DataOutputStream(bytes);
      for (var field : Stream.concat(Stream.of(utf8(contract)), Arrays.stream(more)).toList()) {
        out.writeInt(field.length);
        out.write(field);
      }
      var digest = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
      return new BigInteger(1, Arrays.copyOf(digest, 8));
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] eightBytes(long number) {
    var bytes = new byte[8];
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (number >>> (56 - 8 * i));
    }
    return bytes;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(String vector, String name) {
    return found(vector, "\"" + name + "\":\"([^\"]*)\"");
  }

  private static long number(String vector, String name) {
    return Long.parseLong(found(vector, "\"" + name + "\":(\\d+)"));
  }

  private static List<String> list(String vector, String name) {
    var inside = found(vector, "\"" + name + "\":\\[([^\\]]*)]");
    return List.of(inside.replace("\"", "").split(","));
  }

  private static String found(String vector, String pattern) {
    var matcher = Pattern.compile(pattern).matcher(vector);
    assertThat(matcher.find()).as("%s in %s", pattern, vector).isTrue();
    return matcher.group(1);
  }
}
