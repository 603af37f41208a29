package dev.sequitur.schedule.recurring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * The ids were computed by Python's {@code hashlib.blake2b(content, digest_size=32)}, the content
 * being owner and provided id, each after its length as a compact integer, as the specification of
 * SCALE writes it: {@code (n << 2)} in one byte below 64, {@code (n << 2 | 1)} in two below 16384,
 * {@code (n << 2 | 2)} in four, little-endian.
 */
class TaskIdTest {
  @Test
  void blake2bIsTheOneOfItsSpecification() {
    assertThat(Digests.blake2b256(Bytes.EMPTY))
        .hasToString("0x0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
    assertThat(Digests.blake2b256(Bytes.utf8("abc")))
        .hasToString("0xbddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  }

  @Test
  void keccakIsNotSha3() {
    assertThat(Digests.keccak256(Bytes.EMPTY))
        .hasToString("0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
  }

  @Test
  void aTaskIdIsOverOwnerAndProvidedIdEachWithItsCompactLength() {
    id("alice", Bytes.utf8("rent"))
        .hasToString("0x6f596391f6f58cc1922e213ca8cbc2b5e45ea4866d425f7c91a888b3e3d5598c");
    id("alice", Bytes.EMPTY)
        .hasToString("0x83613ba11cf31899987580382451d0befce1b21e34f294ab8e28d1f56c5a8a39");
  }

  @Test
  void lengthsTakeOneTwoOrFourBytes() {
    id("a".repeat(64), Bytes.utf8("b".repeat(63)))
        .hasToString("0x959a28f143c30ffc6bdec21f60189f821673727959687691d14d03873e6e8e1d");
    var sevens = new byte[16_384];
    Arrays.fill(sevens, (byte) 7);
    id("alice", Bytes.of(sevens))
        .hasToString("0x17f9c0dd1665b06c64ace6a8fcc64480d46a17c09999a9d7c0c8ba6e0186c82d");
  }

  private static org.assertj.core.api.ObjectAssert<?> id(String owner, Bytes providedId) {
    return assertThat((Object) Recurring.taskId(new AccountId(owner), providedId));
  }
}
