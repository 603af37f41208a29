package dev.sequitur.schedule.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import org.junit.jupiter.api.Test;

/** Who can sign in a queue. */
class KeyRingTest {
  private static final Identity BOT = new Identity("bot", new NodeName("node1"));
  private static final Account ALICE = new Account(key(1), true, "alice");

  @Test
  void anAccountGetsTheNextNumberAndNoOther() {
    var first = EntityId.FIRST;
    var opened = KeyRing.EMPTY.open(first, ALICE);

    assertThat(opened.account(first)).contains(ALICE);
    assertThat(opened.next()).isEqualTo(new EntityId(first.number() + 1));
    assertThat(KeyRing.EMPTY.account(first)).isEmpty();
    assertThatIllegalStateException().isThrownBy(() -> opened.open(first, ALICE));
  }

  @Test
  void aNumberThatAScheduleTakesIsNoAccounts() {
    var advanced = KeyRing.EMPTY.advance();

    assertThat(advanced.next()).isEqualTo(EntityId.FIRST.next()).isGreaterThan(EntityId.FIRST);
    assertThat(advanced.account(EntityId.FIRST)).isEmpty();
  }

  @Test
  void aChangedKeyIsAllThatChangesOfAnAccount() {
    var next = ALICE.changed(AccountChange.ofKey(key(2)));
    var changed = KeyRing.EMPTY.open(EntityId.FIRST, ALICE).with(EntityId.FIRST, next);

    assertThat(changed.account(EntityId.FIRST)).contains(new Account(key(2), true, "alice"));
    assertThat(changed.next()).isEqualTo(EntityId.FIRST.next());
  }

  @Test
  void anIdentityHasTheKeyThatWasBoundToItLast() {
    var bound = KeyRing.EMPTY.bind(BOT, key(1));

    assertThat(KeyRing.EMPTY.key(BOT)).isEmpty();
    assertThat(bound.key(BOT)).contains(key(1));
    assertThat(bound.bind(BOT, key(2)).key(BOT)).contains(key(2));
  }

  private static PublicKey key(int seed) {
    return new PublicKey(
        PublicKey.Algorithm.ED25519, Bytes.hex(String.format("%02x", seed).repeat(32)));
  }
}
