package dev.sequitur.sequencer.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.guard.NamePattern;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.GroupStore.LocalMember;
import dev.sequitur.protocol.port.GroupStore.Names;
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
  private static final BlockHeight FIRST = new BlockHeight(1);

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
  void whoNeedsTheGroupsOfSomebodyHasThoseReadAloneAndOnce() {
    put(GROUPS);
    var hers = List.of(putOf("carol"), putOf("carol"), putOf("carol"));
    var another = putOf("carola");

    get(registry.seekOf(new NamePattern("carol@node1"), store));
    get(registry.seekOf(new NamePattern("carol@node1"), store));

    assertThat(store.knownRead()).as("each by her name, and itself").isEqualTo(2L * hers.size());
    assertThat(registry.size()).isEqualTo(hers.size());
    for (var known : hers) {
      assertThat(registry.local(known.contract())).contains(List.of("carol"));
    }
    assertThat(registry.isKnown(another.contract())).isFalse();
  }

  @Test
  void namesThatMatchAPatternAreReadByHowTheyBegin() {
    put(GROUPS);
    var carols = List.of(putOf("carol"), putOf("carola"), putOf("carol"));
    var carla = putOf("carla");

    get(registry.seekOf(new NamePattern("carol*@node1"), store));
    assertThat(store.knownRead()).isEqualTo(2L * carols.size());
    get(registry.seekOf(new NamePattern("carol*a@node1"), store));
    assertThat(store.knownRead()).as("carol's are looked at once more").isEqualTo(9);
    get(registry.seekOf(new NamePattern("c*a@*"), store));

    assertThat(registry.isKnown(carla.contract())).isTrue();
    assertThat(registry.size()).isEqualTo(4);
  }

  @Test
  void nobodyOfAnotherNodeIsInGroupsHere() {
    put(1);

    get(registry.seekOf(new NamePattern("alice@node2"), store));
    get(registry.seekOf(new NamePattern("*@node2"), store));

    assertThat(registry.size()).isZero();
  }

  @Test
  void whoHasEveryIdentityHasAllGroupsRead() {
    var all = put(GROUPS);

    get(registry.seekOf(new NamePattern("*"), store));

    assertThat(registry.size()).isEqualTo(GROUPS);
    for (var known : all) {
      assertThat(registry.local(known.contract())).contains(known.local());
    }
    assertThat(derived).hasValue(0);
  }

  private static final class Away extends InMemoryNodeStore {
    private boolean away = true;

    @Override
    public CompletionStage<List<LocalMember>> groupsOf(
        Names names, Optional<LocalMember> after, int limit) {
      return away
          ? CompletableFuture.failedFuture(new IllegalStateException("The database is away."))
          : super.groupsOf(names, after, limit);
    }
  }

  @Test
  void whoNeedsSomebodysGroupsWhileTheStoreIsAwayHasThemReadTheNextTime() {
    var away = new Away();
    var known = known(any.next(PrivacyGroup.class));
    put(away, known, FIRST);
    var alice = new NamePattern("alice@node1");
    assertThat(registry.seekOf(alice, away)).isCompletedExceptionally();

    away.away = false;
    get(registry.seekOf(alice, away));

    assertThat(registry.isKnown(known.contract())).isTrue();
  }

  @Test
  void aGroupIsReadWhenItIsUsedAndFoundInMemoryAsLongAsSomebodyHasIt() {
    var group = any.next(PrivacyGroup.class);
    var known = known(group);
    put(store, group, known, FIRST);

    var loaded = get(registry.load(group.contract(), store));
    // So that it is not among those that were used last.
    for (int number = 0; number < GROUPS; number++) {
      var other = any.next(PrivacyGroup.class);
      put(store, known(other), FIRST);
      get(registry.seek(List.of(other.contract()), store));
      registry.add(other);
    }

    assertThat(loaded).contains(group);
    assertThat(registry.find(group.contract())).containsSame(loaded.orElseThrow());
    assertThat(registry.selection(group.contract())).isNotNull();
    assertThat(derived).hasValue(0);
  }

  /** CMT-5: some blocks were missed, and others were read since the store was. */
  @Test
  void whatIsReadOfMissedBlocksTakesNoChangeBack() {
    var jvm = deriving(new AtomicInteger());
    var group = any.next(PrivacyGroup.class);
    var first = changed(group, 1);
    var second = changed(first, 2);
    put(store, first, known(group), new BlockHeight(2));
    get(jvm.seek(List.of(group.contract()), store));
    jvm.add(group);
    var selection = jvm.selection(group.contract());

    get(jvm.readMissed(FIRST, new BlockHeight(2), store));
    assertThat(selection.group()).isEqualTo(first);
    jvm.change(second);
    get(jvm.readMissed(FIRST, new BlockHeight(2), store));

    assertThat(selection.group()).isEqualTo(second);
    assertThat(jvm.find(group.contract())).contains(second);
  }

  /** Its members are in memory though the group is not. */
  @Test
  void whoIsInAGroupIsReadAnewThoughNobodyHasTheGroup() {
    var jvm = deriving(new AtomicInteger());
    var group = changed(any.next(PrivacyGroup.class), 1);
    put(store, known(group), FIRST);
    get(jvm.seek(List.of(group.contract()), store));
    put(store, group, known(group, "bob"), new BlockHeight(2));

    get(jvm.readMissed(FIRST, new BlockHeight(2), store));

    assertThat(jvm.find(group.contract())).contains(group);
  }

  @Test
  void ofBlocksThatWereMissedThoseGroupsAloneAreReadThatHaveBegunOrChangedInThem() {
    put(GROUPS);
    get(registry.seekOf(new NamePattern("*"), store));
    long before = store.knownRead();
    var changed = any.next(PrivacyGroup.class);
    put(store, known(changed), new BlockHeight(5));
    var begun = known(any.next(PrivacyGroup.class));
    put(store, begun, new BlockHeight(7));
    put(store, known(any.next(PrivacyGroup.class)), new BlockHeight(8));

    get(registry.readMissed(new BlockHeight(4), new BlockHeight(7), store));

    assertThat(store.knownRead() - before).as("each by its block, and itself").isEqualTo(4);
    assertThat(registry.local(begun.contract())).contains(List.of("alice"));
    assertThat(registry.size()).isEqualTo(GROUPS + 2);
  }

  private static PrivacyGroup changed(PrivacyGroup before, long block) {
    int number = before.committees().number() + 1;
    var change = new CommitteeChange(number, before.committees().newest(), new BlockHeight(100));
    long after =
        before.committees().changes().isEmpty()
            ? block
            : before.committees().changes().getLast().block().value() + block;
    return before.changed(change, new BlockHeight(after)).orElseThrow();
  }

  /** They are said again before each block. */
  @Test
  void keysOfPublicSendersAreDerivedOnceAsLongAsTheyArePending() {
    var derivedOnce = new AtomicInteger();
    var counting = deriving(derivedOnce);
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

  private GroupRegistry deriving(AtomicInteger derivedOnce) {
    return new GroupRegistry(
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
  }

  private List<KnownGroup> put(int number) {
    var all = new ArrayList<KnownGroup>();
    for (int each = 0; each < number; each++) {
      all.add(putOf("alice"));
    }
    return all;
  }

  private KnownGroup putOf(String member) {
    var known = known(any.next(PrivacyGroup.class), member);
    put(store, known, FIRST);
    return known;
  }

  /** Of the group itself nothing is stored. */
  private void put(InMemoryNodeStore into, KnownGroup known, BlockHeight at) {
    get(into.putKnown(StoredGroup.of(any.next(GroupId.class), Instant.EPOCH), known, at));
  }

  private void put(InMemoryNodeStore into, PrivacyGroup group, KnownGroup known, BlockHeight at) {
    get(
        into.putKnown(
            StoredGroup.of(group.id(), Instant.EPOCH).withGroup(Optional.of(group)), known, at));
  }

  private static <T> T get(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }

  private KnownGroup known(PrivacyGroup group) {
    return known(group, "alice");
  }

  private KnownGroup known(PrivacyGroup group, String member) {
    return new KnownGroup(
        group.contract(), any.next(LedgerAddress.class), List.of(SELF), List.of(member));
  }
}
