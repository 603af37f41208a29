package dev.sequitur.protocol.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import org.junit.jupiter.api.Test;

/** What somebody else has sent is a signature or none, and never a failure. */
class SignaturesTest {
  private static final Verifier KEY = new Verifier(Bytes.of(new byte[33]));
  private static final Hash DIGEST = Contract.hash("signed");

  @Test
  void itIsValidIfTheKeyHasMadeIt() {
    assertThat(valid(65, true)).isTrue();
    assertThat(valid(65, false)).isFalse();
  }

  @Test
  void oneOfAnotherLengthIsNoneWhateverWouldBeSaidOfIt() {
    for (int length : new int[] {0, 64, 66}) {
      assertThat(valid(length, true)).as("%d bytes", length).isFalse();
    }
  }

  @Test
  void oneByAKeyThatIsNotOnTheCurveIsNone() {
    var refusing =
        new Answering(true) {
          @Override
          public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
            throw new IllegalArgumentException("not on the curve");
          }
        };

    assertThat(refusing.isValid(KEY, DIGEST, Bytes.of(new byte[65]))).isFalse();
  }

  private static boolean valid(int length, boolean verified) {
    return new Answering(verified).isValid(KEY, DIGEST, Bytes.of(new byte[length]));
  }

  /** Says so of whatever it is shown. */
  private static class Answering implements Signatures {
    private final boolean verified;

    Answering(boolean verified) {
      this.verified = verified;
    }

    @Override
    public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
      return verified;
    }

    @Override
    public LedgerAddress address(Verifier verifier) {
      throw new UnsupportedOperationException();
    }
  }
}
