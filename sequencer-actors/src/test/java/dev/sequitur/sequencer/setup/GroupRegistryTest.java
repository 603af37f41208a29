package dev.sequitur.sequencer.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.selection.SelectionPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a JVM reads and derives of the groups of its node, counted. */
class GroupRegistryTest {
  private static final NodeName SELF = new NodeName("node1");
  private static final int GROUPS = 10_000;

  private final AtomicInteger derived = new AtomicInteger();
  private final InMemoryNodeStore store = new InMemoryNodeStore();
  private final Arbitrary any = new Arbitrary(7);
  private final GroupRegistry registry =
      new GroupRegistry(
          SELF, new SelectionPolicy(10, 16), new CountingKeys(), new Secp256k1Signatures());

  private final class CountingKeys implements Keys {
    @Override
    public Verifier verifier(String name) {
      derived.incrementAndGet();
      throw new IllegalStateException("No key of " + name + " is needed.");
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aStartReadsNoGroupAndDerivesNoKey() {
    for (int number = 0; number < GROUPS; number++) {
      var known = known(any.next(PrivacyGroup.class));
      registry.know(known);
      assertThat(registry.isKnown(known.contract())).isTrue();
      assertThat(registry.contractOf(known.submitter())).contains(known.contract());
      assertThat(registry.find(known.contract())).as("not read").isEmpty();
    }

    assertThat(registry.size()).isEqualTo(GROUPS);
    assertThat(derived).hasValue(0);
  }

  @Test
  void aGroupIsReadWhenItIsUsedAndFoundInMemoryAsLongAsSomebodyHasIt() {
    var group = any.next(PrivacyGroup.class);
    var known = known(group);
    store.putKnown(StoredGroup.of(group.id(), Instant.EPOCH).withGroup(Optional.of(group)), known);
    registry.know(known);

    var loaded = registry.load(group.contract(), store).toCompletableFuture().join();
    // So that it is not among those that were used last.
    for (int number = 0; number < GROUPS; number++) {
      var other = any.next(PrivacyGroup.class);
      registry.know(known(other));
      registry.add(other);
    }

    assertThat(loaded).contains(group);
    assertThat(registry.find(group.contract())).containsSame(loaded.orElseThrow());
    assertThat(registry.selection(group.contract())).isNotNull();
    assertThat(derived).hasValue(0);
  }

  /** They are said again before each block. */
  @Test
  void keysOfPublicSendersAreDerivedOnceAsLongAsTheyArePending() {
    var derivedOnce = new AtomicInteger();
    var counting =
        new GroupRegistry(
            SELF,
            new SelectionPolicy(10, 16),
            new Keys() {
              @Override
              public Verifier verifier(String name) {
                derivedOnce.incrementAndGet();
                return any.next(Verifier.class);
              }

              @Override
              public Bytes sign(String name, Hash digest) {
                throw new UnsupportedOperationException();
              }
            },
            new Signatures() {
              @Override
              public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
                throw new UnsupportedOperationException();
              }

              @Override
              public LedgerAddress address(Verifier verifier) {
                return any.next(LedgerAddress.class);
              }
            });
    var alice = new Identity("alice", SELF);
    var bob = new Identity("bob", SELF);
    var carol = new Identity("carol", SELF);

    var before = counting.publicSenders(Set.of(alice, bob));
    var after = counting.publicSenders(Set.of(bob, carol));

    assertThat(derivedOnce).hasValue(3);
    assertThat(after).hasSize(2);
    assertThat(after.stream().filter(before::contains).map(counting::publicSender))
        .containsExactly(Optional.of(bob));
    assertThat(counting.publicSenders(Set.of())).isEmpty();
  }

  @Test
  void whatThisNodeIsNotInIsNotLookedFor() {
    var other = any.next(PrivacyGroup.class);

    assertThat(registry.load(other.contract(), store)).isCompletedWithValue(Optional.empty());
    assertThat(registry.local(other.contract())).isEmpty();
  }

  private KnownGroup known(PrivacyGroup group) {
    return new KnownGroup(
        group.contract(), any.next(LedgerAddress.class), List.of(SELF), List.of("alice"));
  }
}
