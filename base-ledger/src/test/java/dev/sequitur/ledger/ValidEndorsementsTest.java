package dev.sequitur.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.ledger.TransactionCheck.ValidEndorsements;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import org.junit.jupiter.api.Test;

/** What is verified once is known for a while, and for nothing else. */
class ValidEndorsementsTest {
  private final ValidEndorsements valid = new ValidEndorsements();

  @Test
  void knowsAnEndorsementForItsDigestAlone() {
    var endorsement = TestNetwork.ALICE.sign(digest("one"));
    valid.add(digest("one"), endorsement);

    assertThat(valid.contains(digest("one"), endorsement)).isTrue();
    assertThat(valid.contains(digest("other"), endorsement)).isFalse();
    assertThat(valid.contains(digest("one"), TestNetwork.BOB.sign(digest("one")))).isFalse();
    assertThat(valid.contains(digest("one"), TestNetwork.ALICE.sign(digest("other"))))
        .as("another one of the same party")
        .isFalse();
  }

  @Test
  void forgetsTheOldest() {
    for (int i = 0; i <= ValidEndorsements.KEPT; i++) {
      valid.add(digest("root " + i), TestNetwork.ALICE.sign(digest("root " + i)));
    }

    assertThat(valid.size()).isEqualTo(ValidEndorsements.KEPT);
    assertThat(valid.contains(digest("root 0"), TestNetwork.ALICE.sign(digest("root 0"))))
        .isFalse();
    assertThat(valid.contains(digest("root 1"), TestNetwork.ALICE.sign(digest("root 1")))).isTrue();
  }

  private static Hash digest(String text) {
    return Hash.sha256(Bytes.utf8(text).toByteArray());
  }
}
