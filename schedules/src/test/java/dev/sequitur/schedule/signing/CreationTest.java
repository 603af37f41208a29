package dev.sequitur.schedule.signing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.signing.AccountKey.KeyList;
import dev.sequitur.schedule.signing.AccountKey.ThresholdKey;
import dev.sequitur.schedule.signing.PublicKey.Algorithm;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** By which in {@code current} the same schedule is found again. */
class CreationTest {
  private static final PublicKey ONE = key(1);
  private static final PublicKey TWO = key(2);
  private static final Optional<EntityId> PAYER = Optional.of(EntityId.FIRST);

  @Test
  void eachPartThatMakesASchedulesIdentityTellsItFromOthers() {
    var different =
        List.of(
            creation("a", Optional.empty(), "", Optional.empty(), false),
            creation("b", Optional.empty(), "", Optional.empty(), false),
            creation("a", Optional.empty(), "memo", Optional.empty(), false),
            creation("a", Optional.empty(), "", Optional.of(0L), false),
            creation("a", Optional.empty(), "", Optional.of(7L), false),
            creation("a", Optional.empty(), "", Optional.empty(), true),
            withAdmin(ONE),
            withAdmin(TWO),
            withAdmin(new KeyList(List.of(ONE))),
            withAdmin(new KeyList(List.of(ONE, TWO))),
            withAdmin(new KeyList(List.of(TWO, ONE))),
            withAdmin(new KeyList(List.of(ONE, new KeyList(List.of(TWO))))),
            withAdmin(new ThresholdKey(1, List.of(ONE, TWO))),
            withAdmin(new ThresholdKey(2, List.of(ONE, TWO))),
            withAdmin(new ThresholdKey(1, List.of(ONE, ONE))),
            withAdmin(new ThresholdKey(1, List.of(ONE))));

    assertThat(different.stream().map(Creation::identity)).doesNotHaveDuplicates();
    for (var one : different) {
      for (var other : different) {
        assertThat(one.isIdentical(other, Profile.CURRENT)).isEqualTo(one.equals(other));
      }
    }
  }

  @Test
  void whoPaysIsPartOfItInMvpOnly() {
    var one = withAdmin(ONE);
    var paid = new Creation(one.transaction(), one.adminKey(), PAYER, "", Optional.empty(), false);

    assertThat(paid.identity()).isEqualTo(one.identity());
    assertThat(paid.isIdentical(one, Profile.CURRENT)).isTrue();
    assertThat(paid.isIdentical(one, Profile.MVP)).isFalse();
  }

  private static Creation withAdmin(AccountKey key) {
    return creation("a", Optional.of(key), "", Optional.empty(), false);
  }

  private static Creation creation(
      String body, Optional<AccountKey> admin, String memo, Optional<Long> second, boolean waits) {
    var bytes = Bytes.utf8(body);
    var transaction =
        new ScheduledTransaction(
            bytes, Hash.sha256(bytes.toByteArray()), 0, 1, "", new Action.Unschedulable("test"));
    return new Creation(transaction, admin, Optional.empty(), memo, second, waits);
  }

  private static PublicKey key(int seed) {
    return new PublicKey(Algorithm.ED25519, Bytes.hex(String.format("%02x", seed).repeat(32)));
  }

  /** Identities are stored: the same schedule has the same one after any update of the program. */
  @Test
  void anIdentityStaysAsItIs() {
    var plain = creation("a", Optional.empty(), "memo", Optional.empty(), false);
    var hash = plain.transaction().hash();
    assertThat(plain.identity())
        .isEqualTo(new CanonicalDigest().add(hash).add("memo").add("none").add("").add(0).finish());

    var full = creation("a", Optional.of(ONE), "", Optional.of(7L), true);
    assertThat(full.identity())
        .isEqualTo(
            new CanonicalDigest()
                .add(hash)
                .add("")
                .add("admin key")
                .add("ED25519")
                .add(ONE.value())
                .add("7")
                .add(1)
                .finish());
  }
}
