package dev.sequitur.sequencer.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
  void ofAllGroupsThoseAloneAreReadThatAreSoughtAndEachOnce() {
    var all = put(GROUPS);
    assertThat(registry.isKnown(all.getFirst().contract())).isFalse();
    var some = all.subList(100, 107);
    var contracts = some.stream().map(KnownGroup::contract).toList();

    get(registry.seek(contracts, store));
    get(registry.seek(contracts, store));

    for (var known : some) {
      assertThat(registry.isKnown(known.contract())).isTrue();
      assertThat(registry.nodes(known.contract())).contains(Set.copyOf(known.nodes()));
      assertThat(registry.contractOf(known.submitter())).contains(known.contract());
      assertThat(registry.find(known.contract())).as("not read").isEmpty();
    }
    assertThat(store.knownRead()).isEqualTo(some.size());
    assertThat(registry.size()).isEqualTo(some.size());
    assertThat(derived).hasValue(0);
  }

  @Test
  void whoseTransactionsAKeySubmitsIsReadByTheKey() {
    var all = put(20);
    var one = all.get(7);
    assertThat(registry.contractOf(one.submitter())).isEmpty();
    var stranger = any.next(LedgerAddress.class);

    get(registry.seekSubmitters(List.of(one.submitter(), stranger), store));

    assertThat(registry.contractOf(one.submitter())).contains(one.contract());
    assertThat(registry.contractOf(stranger)).isEmpty();
    assertThat(registry.isKnown(one.contract())).isTrue();
    assertThat(store.knownRead()).isEqualTo(1);
  }

  @Test
  void whoNeedsAllOfThemHasThemReadOnce() {
    var all = put(GROUPS);

    get(registry.seekAll(store));
    get(registry.seekAll(store));
    get(registry.seek(List.of(all.get(3).contract()), store));

    assertThat(store.knownRead()).isEqualTo(GROUPS);
    assertThat(registry.size()).isEqualTo(GROUPS);
    for (var known : all) {
      assertThat(registry.local(known.contract())).contains(known.local());
    }
  }

  private static final class Away extends InMemoryNodeStore {
    private boolean away = true;

    @Override
    public CompletionStage<List<KnownGroup>> knownGroups(
        Optional<ContractAddress> after, int limit) {
      return away
          ? CompletableFuture.failedFuture(new IllegalStateException("The database is away."))
          : super.knownGroups(after, limit);
    }
  }

  @Test
  void whoNeedsAllOfThemWhileTheStoreIsAwayHasThemReadTheNextTime() {
    var away = new Away();
    var known = known(any.next(PrivacyGroup.class));
    away.putKnown(StoredGroup.of(any.next(GroupId.class), Instant.EPOCH), known);
    assertThat(registry.seekAll(away)).isCompletedExceptionally();

    away.away = false;
    get(registry.seekAll(away));

    assertThat(registry.isKnown(known.contract())).isTrue();
  }

  @Test
  void aGroupIsReadWhenItIsUsedAndFoundInMemoryAsLongAsSomebodyHasIt() {
    var group = any.next(PrivacyGroup.class);
    var known = known(group);
    store.putKnown(StoredGroup.of(group.id(), Instant.EPOCH).withGroup(Optional.of(group)), known);

    var loaded = get(registry.load(group.contract(), store));
    // So that it is not among those that were used last.
    for (int number = 0; number < GROUPS; number++) {
      var other = any.next(PrivacyGroup.class);
      store.putKnown(StoredGroup.of(other.id(), Instant.EPOCH), known(other));
      get(registry.seek(List.of(other.contract()), store));
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

  private List<KnownGroup> put(int number) {
    var all = new ArrayList<KnownGroup>();
    for (int each = 0; each < number; each++) {
      var known = known(any.next(PrivacyGroup.class));
      store.putKnown(StoredGroup.of(any.next(GroupId.class), Instant.EPOCH), known);
      all.add(known);
    }
    return all;
  }

  private static <T> T get(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }

  private KnownGroup known(PrivacyGroup group) {
    return new KnownGroup(
        group.contract(), any.next(LedgerAddress.class), List.of(SELF), List.of("alice"));
  }
}
