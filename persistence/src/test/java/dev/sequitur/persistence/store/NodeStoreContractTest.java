package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.ChangeStore;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.ChangeStore.Phase;
import dev.sequitur.protocol.port.GroupStore.ChangedGroup;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.GroupStore.LocalMember;
import dev.sequitur.protocol.port.GroupStore.Names;
import dev.sequitur.protocol.port.MessageStore.Following;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.NodeStore.NumberedMessage;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.port.NodeStore.StoredAbi;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.NodeStore.Withdrawal;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What holds for every {@link NodeStore}: for intents, receipts and listeners, which are above, and
 * for groups, prepared transactions and the place of the indexer.
 */
public abstract class NodeStoreContractTest extends ListenerContract {
  private static final BlockHeight FIRST = new BlockHeight(1);

  @Test
  public void whenContentsAreKeptTheyAreCounted() {
    long before = store().contentsKept();

    get(store().putStates(List.of(state(arbitrary.next(ContractAddress.class)))));

    assertThat(store().contentsKept()).isGreaterThan(before);
  }

  @Test
  public void statesOfAContractAreListedByTheirIds() {
    var contract = arbitrary.next(ContractAddress.class);
    var states =
        Stream.generate(() -> state(contract))
            .limit(5)
            .sorted(Comparator.comparing(state -> state.id().toString()))
            .toList();
    get(store().putStates(states));
    get(store().putStates(List.of(state(arbitrary.next(ContractAddress.class)))));

    assertThat(get(store().statesAfter(contract, Optional.empty(), 9))).isEqualTo(states);
    assertThat(get(store().statesAfter(contract, Optional.empty(), 2)))
        .isEqualTo(states.subList(0, 2));
    assertThat(get(store().statesAfter(contract, Optional.of(states.get(1).id()), 2)))
        .isEqualTo(states.subList(2, 4));
    assertThat(get(store().statesAfter(contract, Optional.of(states.get(4).id()), 2))).isEmpty();
  }

  private PrivateState state(ContractAddress contract) {
    return new PrivateState(
        new StateId(hash()), contract, "coin", "alice", Bytes.utf8("{}"), List.of());
  }

  @Test
  public void messagesAreNumberedInTheirOrderAndFoundBySenderAndById() {
    var first = message(1);
    var second = message(2);
    var ofAnother = message(first.contract(), new NodeName("other"), 1);
    var elsewhere = message(arbitrary.next(ContractAddress.class), first.from(), 1);

    get(store().putMessages(NOW, dense(first, second)));
    get(store().putMessages(NOW.plusSeconds(1), dense(ofAnother, elsewhere)));

    var all = get(store().messages(0, 10));
    assertThat(all)
        .containsExactly(
            new NumberedMessage(1, NOW, first),
            new NumberedMessage(2, NOW, second),
            new NumberedMessage(3, NOW.plusSeconds(1), ofAnother),
            new NumberedMessage(4, NOW.plusSeconds(1), elsewhere));
    assertThat(get(store().messages(1, 2))).isEqualTo(all.subList(1, 3));
    assertThat(get(store().messages(Long.MAX_VALUE, 2))).isEmpty();
    assertThat(get(store().messages(0, 0))).isEmpty();
    assertThat(get(store().messagesBefore(Optional.empty(), 2)))
        .containsExactly(all.get(3), all.get(2));
    assertThat(get(store().messagesBefore(Optional.of(3L), 9)))
        .containsExactly(all.get(1), all.get(0));
    assertThat(get(store().messagesBefore(Optional.of(0L), 9))).isEmpty();
    assertThat(get(store().messagesBefore(Optional.empty(), 0))).isEmpty();
    assertThat(get(store().message(second.id()))).contains(all.get(1));
    assertThat(get(store().message(message(3).id()))).isEmpty();
    assertThat(get(store().messagesAfter(first.contract(), first.from(), 0, 9)))
        .containsExactly(first, second);
    assertThat(get(store().messagesAfter(first.contract(), first.from(), 0, 1)))
        .containsExactly(first);
    assertThat(get(store().messagesAfter(first.contract(), first.from(), 2, 9))).isEmpty();
    assertThat(get(store().newestMessages(first.contract())))
        .isEqualTo(Map.of(first.from(), 2L, ofAnother.from(), 1L));
    assertThat(get(store().newestMessages(arbitrary.next(ContractAddress.class)))).isEmpty();
  }

  @Test
  public void aMessageThatIsThereStaysAsItIsAndUsesNoNumber() {
    var first = message(1);
    get(store().putMessages(NOW, dense(first)));

    get(store().putMessages(NOW.plusSeconds(1), dense(message(1), message(2))));

    assertThat(get(store().messages(0, 10)))
        .containsExactly(
            new NumberedMessage(1, NOW, first),
            new NumberedMessage(2, NOW.plusSeconds(1), message(2)));
  }

  /** Of a node of several JVMs, one of which is left out and does not know it yet. */
  @Test
  public void anotherMessageUnderANumberThatIsTakenIsRefusedWithAllThatComesWithIt() {
    var first = message(1);
    get(store().putMessages(NOW, dense(first)));
    var content =
        new GroupMessage.Content(NOW, Optional.empty(), "another topic", Bytes.utf8("{}"));
    var alike = new GroupMessage(first.contract(), first.from(), 1, content);

    var refused = store().putMessages(NOW, dense(alike, message(2))).toCompletableFuture();

    assertThat(refused).failsWithin(Duration.ofMinutes(1));
    assertThat(get(store().messages(0, 10))).containsExactly(new NumberedMessage(1, NOW, first));
  }

  /** MSG-9: a book that begins anew leaves a gap. */
  @Test
  public void numbersMayHaveGapsAndTwoLivesCannotGoOnFromOneMessage() {
    var first = message(1);
    var second = message(2);
    var later = message(1_000);
    get(store().putMessages(NOW, dense(first, second)));
    get(
        store()
            .putMessages(
                NOW, List.of(new Following(2, later), new Following(1_000, message(1_001)))));

    assertThat(store().putMessages(NOW, dense(message(3))).toCompletableFuture())
        .failsWithin(Duration.ofMinutes(1));
    assertThat(get(store().messagesAfter(first.contract(), first.from(), 1, 9)))
        .containsExactly(second, later, message(1_001));
    assertThat(get(store().messagesAfter(first.contract(), first.from(), 500, 9)))
        .as("after what was never here")
        .containsExactly(later, message(1_001));
    assertThat(get(store().messagesAfter(first.contract(), first.from(), 500, 1)))
        .containsExactly(later);
    assertThat(get(store().newestNumbers(first.contract(), first.from(), 3)))
        .containsExactly(2L, 1_000L, 1_001L);
    assertThat(get(store().newestNumbers(first.contract(), first.from(), 9)))
        .containsExactly(1L, 2L, 1_000L, 1_001L);
    assertThat(get(store().newestNumbers(first.contract(), new NodeName("nobody"), 9))).isEmpty();

    get(store().forgetMessages(first.contract(), first.from(), 2));

    assertThat(get(store().newestNumbers(first.contract(), first.from(), 9)))
        .containsExactly(1_000L, 1_001L);
    assertThat(get(store().messagesAfter(first.contract(), first.from(), 0, 9)))
        .containsExactly(later, message(1_001));
    assertThat(get(store().message(second.id()))).isEmpty();
    assertThat(get(store().message(later.id()))).isPresent();
  }

  /** Of numbers without a gap. */
  private static List<Following> dense(GroupMessage... messages) {
    return Stream.of(messages).map(each -> new Following(each.number() - 1, each)).toList();
  }

  @Test
  public void theOldestMessagesOfASenderAreForgottenAndTheNewestNever() {
    var first = message(1);
    var ofAnother = message(first.contract(), new NodeName("other"), 1);
    get(store().putMessages(NOW, dense(first, message(2), ofAnother, message(3))));

    get(store().forgetMessages(first.contract(), first.from(), 2));

    assertThat(get(store().messages(0, 10)))
        .containsExactly(
            new NumberedMessage(2, NOW, message(2)),
            new NumberedMessage(3, NOW, ofAnother),
            new NumberedMessage(4, NOW, message(3)));
    assertThat(get(store().message(first.id()))).isEmpty();
    assertThat(get(store().messagesAfter(first.contract(), first.from(), 0, 9)))
        .containsExactly(message(2), message(3));

    get(store().forgetMessages(first.contract(), first.from(), 1));
    get(store().forgetMessages(arbitrary.next(ContractAddress.class), first.from(), 1));

    assertThat(get(store().newestMessages(first.contract())))
        .isEqualTo(Map.of(first.from(), 3L, ofAnother.from(), 1L));
    get(store().putMessages(NOW, dense(message(4))));
    assertThat(get(store().messages(3, 10)))
        .containsExactly(
            new NumberedMessage(4, NOW, message(3)), new NumberedMessage(5, NOW, message(4)));
  }

  private static StoredAbi abi(String owner, Hash hash, int second) {
    return new StoredAbi(owner, hash, NOW.plusSeconds(second), Bytes.utf8("[" + second + "]"));
  }

  @Test
  public void aDescriptionOfAContractIsKeptOnceForItsOwnerAndTheNewestIsFirst() {
    var first = abi("token:ci", hash(), 0);
    var second = abi("token:ci", hash(), 1);
    var again = abi("token:ci", first.hash(), 2);
    var anothers = abi("token:web", first.hash(), 3);

    for (var each : List.of(first, second, again, anothers)) {
      assertThat(get(store().putAbi(each))).isTrue();
    }

    assertThat(get(store().abiKeys())).containsExactly(anothers.key(), second.key(), first.key());
    assertThat(get(store().abi("token:ci", first.hash()))).contains(first);
    assertThat(get(store().abi("token:web", first.hash()))).contains(anothers);
    assertThat(get(store().abi("token:web", second.hash()))).isEmpty();
  }

  @Test
  public void anOwnerHasRoomForSoManyDescriptionsAndForAnotherOnceOneIsDeleted() {
    var last = abi("a", hash(), 0);
    for (int i = 1; i < NodeStore.MOST_ABIS_OF_OWNER; i++) {
      assertThat(get(store().putAbi(abi("a", hash(), i)))).isTrue();
    }
    assertThat(get(store().putAbi(last))).isTrue();
    var next = abi("a", hash(), 1);

    assertThat(get(store().putAbi(next))).isFalse();
    assertThat(get(store().putAbi(last))).isTrue();
    assertThat(get(store().putAbi(abi("b", last.hash(), 0)))).isTrue();
    assertThat(get(store().deleteAbi("c", last.hash()))).isFalse();
    assertThat(get(store().deleteAbi("a", last.hash()))).isTrue();
    assertThat(get(store().deleteAbi("a", last.hash()))).isFalse();
    assertThat(get(store().abiKeys()))
        .hasSize(NodeStore.MOST_ABIS_OF_OWNER)
        .doesNotContain(last.key());
    assertThat(get(store().putAbi(next))).isTrue();
    assertThat(get(store().abi("b", last.hash()))).isPresent();
  }

  @Test
  public void allOwnersTogetherHaveRoomForSoManyDescriptions() {
    for (int i = 0; i < NodeStore.MOST_ABIS; i++) {
      assertThat(get(store().putAbi(abi("owner" + i % 8, hash(), 0)))).isTrue();
    }

    assertThat(get(store().putAbi(abi("another", hash(), 0)))).isFalse();
  }

  @Test
  public void aGroupIsKnownBetterWhenItsContractStands() {
    var asked = asked(arbitrary.next(PrivacyGroup.class));
    get(store().putGroup(asked));
    var group = arbitrary.next(PrivacyGroup.class);
    var seen = StoredGroup.of(asked.id(), NOW.plusSeconds(9)).withGroup(Optional.of(group));

    get(store().putGroup(seen));
    get(store().putGroup(asked));

    assertThat(allGroups()).containsExactly(asked.withGroup(Optional.of(group)));
  }

  @Test
  public void aGroupThatIsNeverMadeStaysSoUntilItsContractStandsAllTheSame() {
    var asked = asked(arbitrary.next(PrivacyGroup.class));
    get(store().putGroup(asked));
    var ended =
        StoredGroup.of(asked.id(), NOW.plusSeconds(9))
            .withNotMade(Optional.of("Nobody takes part."))
            .withGiver(Optional.of(new NodeName("node2")));

    get(store().putGroup(ended));
    get(store().putGroup(asked));

    assertThat(get(store().group(asked.id())).orElseThrow())
        .isEqualTo(asked.withNotMade(ended.notMade()).withGiver(ended.giver()));

    var group = arbitrary.next(PrivacyGroup.class);
    get(store().putGroup(StoredGroup.of(asked.id(), NOW).withGroup(Optional.of(group))));
    get(store().putGroup(ended));

    assertThat(get(store().group(asked.id())).orElseThrow().group()).contains(group);
    assertThat(get(store().group(asked.id())).orElseThrow().notMade()).isEmpty();
  }

  @Test
  public void contentsOfStatesAreKeptByContract() {
    var kept = arbitrary.list(4, PrivateState.class);

    get(store().putStates(kept));

    var first = kept.get(0);
    assertThat(get(store().states(first.contract(), kept.stream().map(PrivateState::id).toList())))
        .containsExactlyElementsOf(
            kept.stream().filter(state -> state.contract().equals(first.contract())).toList());
    assertThat(get(store().states(first.contract(), List.of()))).isEmpty();
  }

  /** ROM-7. */
  @Test
  public void contentsThatAreErasedAreGoneAndOthersStay() {
    var kept = arbitrary.list(3, PrivateState.class);
    get(store().putStates(kept));
    var first = kept.getFirst();
    var another = arbitrary.next(ContractAddress.class);

    get(store().eraseStates(another, List.of(first.id())));
    assertThat(get(store().states(first.contract(), List.of(first.id())))).containsExactly(first);
    get(store().eraseStates(first.contract(), List.of(first.id())));
    get(store().eraseStates(first.contract(), List.of(first.id())));

    assertThat(get(store().states(first.contract(), List.of(first.id())))).isEmpty();
    for (var other : kept.subList(1, 3)) {
      assertThat(get(store().states(other.contract(), List.of(other.id())))).containsExactly(other);
    }
  }

  @Test
  public void allGroupsAreFound() {
    var groups = arbitrary.list(5, PrivacyGroup.class).stream().map(this::asked).toList();

    groups.forEach(group -> get(store().putGroup(group)));

    assertThat(allGroups()).containsExactlyInAnyOrderElementsOf(groups);
  }

  private List<StoredGroup> allGroups() {
    return get(store().groups(Optional.empty(), Integer.MAX_VALUE));
  }

  @Test
  public void groupsAreReadInPagesTheNewestFirst() {
    var groups = new ArrayList<StoredGroup>();
    for (int age = 0; age < 7; age++) {
      var one = asked(arbitrary.next(PrivacyGroup.class));
      groups.add(one.withCreated(NOW.minusSeconds(age / 2)));
    }
    groups.forEach(group -> get(store().putGroup(group)));
    var again = groups.get(3).withNotMade(Optional.of("Nobody takes part."));
    get(store().putGroup(again.withCreated(NOW.plusSeconds(9))));

    var read = new ArrayList<StoredGroup>();
    var page = get(store().groups(Optional.empty(), 3));
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(3);
      read.addAll(page);
      page = get(store().groups(Optional.of(page.getLast()), 3));
    }

    groups.set(3, again);
    assertThat(read).containsExactlyInAnyOrderElementsOf(groups);
    assertThat(read).isSortedAccordingTo(Comparator.comparing(StoredGroup::created).reversed());
  }

  @Test
  public void whatIsNotMadeYetIsFoundAmongWhateverElseThereIs() {
    var deployment = Optional.of(arbitrary.next(Deployment.class));
    var unfinished =
        Stream.generate(() -> asked(arbitrary.next(PrivacyGroup.class)).withDeployment(deployment))
            .limit(3)
            .toList();
    unfinished.forEach(group -> get(store().putGroup(group)));
    get(store().putGroup(asked(arbitrary.next(PrivacyGroup.class))));
    assertThat(get(store().unfinishedGroups())).containsExactlyInAnyOrderElementsOf(unfinished);

    get(store().putGroup(confirmed(unfinished.get(0).id())));
    get(
        store()
            .putGroup(
                unfinished
                    .get(1)
                    .withNotMade(Optional.of("Nobody takes part."))
                    .withWithdrawal(Optional.of(new Withdrawal(NOW, List.of())))));

    assertThat(get(store().unfinishedGroups())).containsExactly(unfinished.get(2));
  }

  @Test
  public void whatEachJvmKeepsOfGroupsIsReadInPagesByContract() {
    var known = new ArrayList<KnownGroup>();
    for (var group : arbitrary.list(5, PrivacyGroup.class)) {
      var one = KnownGroup.of(group, arbitrary.next(LedgerAddress.class), new NodeName("node1"));
      get(store().putKnown(asked(group).withGroup(Optional.of(group)), one, FIRST));
      assertThat(get(store().groupAt(group.contract())).orElseThrow().group()).contains(group);
      known.add(one);
    }
    known.sort(Comparator.comparing(KnownGroup::contract));

    var first = get(store().knownGroups(Optional.empty(), 2));
    var rest = get(store().knownGroups(Optional.of(first.getLast().contract()), 9));

    assertThat(first).isEqualTo(known.subList(0, 2));
    assertThat(rest).isEqualTo(known.subList(2, 5));
  }

  @Test
  public void whatAJvmKeepsOfGroupsIsFoundByContractAndByKeyAndCounted() {
    var known = new ArrayList<KnownGroup>();
    assertThat(get(store().countKnown())).isZero();
    for (var group : arbitrary.list(5, PrivacyGroup.class)) {
      var one =
          new KnownGroup(
              group.contract(),
              arbitrary.next(LedgerAddress.class),
              List.of(new NodeName("node1"), new NodeName("node2")),
              List.of("alice", "member-" + known.size()));
      // The block may come again: it is the same group.
      get(store().putKnown(asked(group).withGroup(Optional.of(group)), one, FIRST));
      get(store().putKnown(asked(group).withGroup(Optional.of(group)), one, FIRST));
      known.add(one);
    }
    var stranger = arbitrary.next(ContractAddress.class);
    var strangersKey = arbitrary.next(LedgerAddress.class);

    assertThat(get(store().countKnown())).isEqualTo(5);
    assertThat(
            get(store().known(List.of(known.get(3).contract(), stranger, known.get(1).contract()))))
        .containsExactlyInAnyOrder(known.get(1), known.get(3));
    assertThat(get(store().submittedBy(List.of(strangersKey, known.get(4).submitter()))))
        .containsExactly(known.get(4));
    assertThat(get(store().known(List.of()))).isEmpty();
    assertThat(get(store().submittedBy(List.of(strangersKey)))).isEmpty();
  }

  @Test
  public void namesOfLocalMembersAreReadInPagesEachOnce() {
    var names = List.of("a", "a.b", "a/b", "alice", "alice-1", "bob", "Zoe");
    for (var name : names) {
      var group = arbitrary.next(PrivacyGroup.class);
      get(
          store()
              .putKnown(
                  asked(group).withGroup(Optional.of(group)),
                  new KnownGroup(
                      group.contract(),
                      arbitrary.next(LedgerAddress.class),
                      List.of(new NodeName("node1")),
                      List.of("alice", name)),
                  FIRST));
    }

    var found = new ArrayList<String>();
    var page = get(store().localMembers(Optional.empty(), 2));
    while (!page.isEmpty()) {
      found.addAll(page);
      page = get(store().localMembers(Optional.of(page.getLast()), 2));
    }

    assertThat(found).containsExactlyElementsOf(names.stream().sorted().toList());
  }

  @Test
  public void groupsOfALocalMemberAreReadInPagesByItsNameOrByHowThatBegins() {
    var contracts = new ArrayList<ContractAddress>();
    for (var names :
        List.of(List.of("al", "bob"), List.of("alice"), List.of("al"), List.of("a", "al"))) {
      contracts.add(putKnown(arbitrary.next(PrivacyGroup.class), names, FIRST));
    }

    assertThat(groupsOf(Names.named("al")))
        .extracting(LocalMember::contract)
        .containsExactlyElementsOf(Stream.of(0, 2, 3).map(contracts::get).sorted().toList());
    assertThat(groupsOf(Names.thatBegin("al")))
        .extracting(LocalMember::name)
        .containsExactly("al", "al", "al", "alice");
    assertThat(groupsOf(Names.thatBegin(""))).hasSize(6).doesNotHaveDuplicates();
    assertThat(groupsOf(Names.named("ali"))).isEmpty();
  }

  @Test
  public void whoIsNoLongerInAGroupHasItNoLonger() {
    var group = arbitrary.next(PrivacyGroup.class);
    putKnown(group, List.of("alice", "bob"), FIRST);

    putKnown(group, List.of("bob", "carol"), new BlockHeight(2));

    assertThat(groupsOf(Names.thatBegin("")))
        .extracting(LocalMember::name)
        .containsExactly("bob", "carol");
  }

  @Test
  public void whatHasBegunOrChangedInSomeBlocksIsReadInPages() {
    var groups = arbitrary.list(4, PrivacyGroup.class);
    for (int each = 0; each < 4; each++) {
      putKnown(groups.get(each), List.of("alice"), new BlockHeight(255 + each));
    }
    putKnown(groups.getFirst(), List.of("bob"), new BlockHeight(257));

    var found = new ArrayList<ChangedGroup>();
    var page = changed(255, 257, Optional.empty());
    while (!page.isEmpty()) {
      found.addAll(page);
      page = changed(255, 257, Optional.of(page.getLast()));
    }

    assertThat(found).isSortedAccordingTo(Comparator.comparing(ChangedGroup::block));
    assertThat(found)
        .containsExactlyInAnyOrder(
            new ChangedGroup(new BlockHeight(256), groups.get(1).contract()),
            new ChangedGroup(new BlockHeight(257), groups.get(2).contract()),
            new ChangedGroup(new BlockHeight(257), groups.getFirst().contract()));
    assertThat(changed(300, 400, Optional.empty())).isEmpty();
    assertThat(changed(257, 257, Optional.empty())).isEmpty();
  }

  private List<ChangedGroup> changed(long above, long upTo, Optional<ChangedGroup> after) {
    return get(store().changedGroups(new BlockHeight(above), new BlockHeight(upTo), after, 2));
  }

  private List<LocalMember> groupsOf(Names names) {
    var found = new ArrayList<LocalMember>();
    var page = get(store().groupsOf(names, Optional.empty(), 2));
    while (!page.isEmpty()) {
      found.addAll(page);
      page = get(store().groupsOf(names, Optional.of(page.getLast()), 2));
    }
    return found;
  }

  private ContractAddress putKnown(PrivacyGroup group, List<String> local, BlockHeight at) {
    get(
        store()
            .putKnown(
                asked(group).withGroup(Optional.of(group)),
                new KnownGroup(
                    group.contract(),
                    arbitrary.next(LedgerAddress.class),
                    List.of(new NodeName("node1")),
                    local),
                at));
    return group.contract();
  }

  @Test
  public void aGroupIsFoundByWhatMakesItThoughThatIsNoIntent() {
    var asked = asked(arbitrary.next(PrivacyGroup.class));
    get(store().putGroup(asked));

    assertThat(get(store().groupMadeBy(asked.genesisTransaction().orElseThrow()))).contains(asked);
    assertThat(get(store().groupMadeBy(arbitrary.next(TransactionId.class)))).isEmpty();
  }

  @Test
  public void aGroupIsFoundByItsIdItsContractAndWhatMakesIt() {
    var group = arbitrary.next(PrivacyGroup.class);
    var deployment = arbitrary.next(Deployment.class);
    var made =
        StoredGroup.of(arbitrary.next(GroupId.class), NOW)
            .withGenesisTransaction(Optional.of(arbitrary.next(TransactionId.class)))
            .withGroup(Optional.of(group))
            .withDeployment(Optional.of(deployment));
    get(store().putGroup(asked(arbitrary.next(PrivacyGroup.class))));
    get(store().putGroup(made));

    assertThat(get(store().group(made.id()))).contains(made);
    assertThat(get(store().groupAt(group.contract()))).contains(made);
    assertThat(get(store().groupOf(deployment.call().hash()))).contains(made);
    assertThat(get(store().group(arbitrary.next(GroupId.class)))).isEmpty();
    assertThat(get(store().groupAt(arbitrary.next(ContractAddress.class)))).isEmpty();
    assertThat(get(store().groupOf(hash()))).isEmpty();
  }

  @Test
  public void thereIsRoomForSoManyGroupsOfAnotherNodeThatWait() {
    var giver = new NodeName("node2");
    var first = given(giver);
    assertThat(get(store().putGiven(first))).contains(first);
    CompletionStage<Optional<StoredGroup>> last = store().putGiven(given(giver));
    for (int i = 2; i < NodeStore.MOST_AWAITED; i++) {
      last = store().putGiven(given(giver));
    }
    assertThat(get(last)).isPresent();

    var late = given(giver);
    assertThat(get(store().putGiven(late))).isEmpty();
    assertThat(get(store().group(late.id()))).isEmpty();
    assertThat(get(store().putGiven(first))).as("it is there").contains(first);
    assertThat(get(store().putGiven(given(new NodeName("node3"))))).isPresent();
    get(store().putGroup(asked(arbitrary.next(PrivacyGroup.class))));
    assertThat(get(store().putGiven(late))).isEmpty();

    var confirmed = confirmed(first.id());
    get(store().putGroup(confirmed));
    get(store().putGroup(confirmed));

    assertThat(get(store().putGiven(late))).contains(late);
    assertThat(get(store().group(late.id()))).contains(late);
    assertThat(get(store().putGiven(given(giver)))).as("there was room for one").isEmpty();
  }

  @Test
  public void whatIsWithdrawnTakesNoRoomFromWhatWaits() {
    var giver = new NodeName("node2");
    var given = Stream.generate(() -> given(giver)).limit(NodeStore.MOST_AWAITED).toList();
    putGiven(given);
    var late = given(giver);
    assertThat(get(store().putGiven(late))).isEmpty();

    get(store().putGroup(withdrawn(given.getFirst())));
    get(store().putGroup(withdrawn(given.getFirst())));

    assertThat(get(store().group(given.getFirst().id()))).contains(withdrawn(given.getFirst()));
    assertThat(get(store().putGiven(late))).contains(late);
    assertThat(get(store().putGiven(given(giver)))).as("there was room for one").isEmpty();
  }

  @Test
  public void ofThoseThatOneNodeHasWithdrawnTheNewestStay() {
    var giver = new NodeName("node2");
    var given = Stream.generate(() -> given(giver)).limit(NodeStore.MOST_AWAITED).toList();
    putGiven(given);
    var ofAnother = given(new NodeName("node3"));
    get(store().putGiven(ofAnother));
    get(store().putGroup(withdrawn(ofAnother)));
    CompletionStage<Void> done = CompletableFuture.completedFuture(null);
    for (var each : given) {
      done = store().putGroup(withdrawn(each));
    }
    get(done);
    get(store().putGroup(confirmed(given.get(1).id())));
    assertThat(allGroups()).hasSize(NodeStore.MOST_WITHDRAWN + 1);

    var more = Stream.generate(() -> given(giver)).limit(3).toList();
    for (var each : more) {
      get(store().putGiven(each));
      get(store().putGroup(withdrawn(each)));
    }

    var first = given.getFirst();
    assertThat(get(store().group(first.id()))).isEmpty();
    assertThat(get(store().groupOf(first.deployment().orElseThrow().call().hash()))).isEmpty();
    assertThat(get(store().group(given.get(1).id()))).as("its contract has come late").isPresent();
    assertThat(get(store().group(given.getLast().id()))).isPresent();
    assertThat(get(store().group(more.getLast().id()))).isPresent();
    assertThat(get(store().group(ofAnother.id()))).isPresent();
    assertThat(allGroups().stream().filter(it -> it.withdrawnBy().isPresent()).count())
        .isEqualTo(NodeStore.MOST_WITHDRAWN + 1L);
  }

  @Test
  public void whatIsWithdrawnBeforeItIsGivenStaysSoAndIsBoundedToo() {
    var giver = new NodeName("node2");
    var given = given(giver);
    var early = withdrawnBefore(given);
    assertThat(get(store().putGiven(early))).contains(early);
    assertThat(get(store().putGiven(given))).as("it is withdrawn").contains(early);
    assertThat(get(store().group(given.id())).orElseThrow().withdrawnBy()).contains(giver);

    var known = given(giver);
    get(store().putGiven(known));
    assertThat(get(store().putGiven(withdrawnBefore(known)))).as("it is there").contains(known);

    var more =
        Stream.generate(() -> withdrawnBefore(given(giver)))
            .limit(NodeStore.MOST_WITHDRAWN)
            .toList();
    putGiven(more);

    assertThat(get(store().group(given.id()))).as("the first of too many").isEmpty();
    assertThat(get(store().group(more.getFirst().id()))).isPresent();
    assertThat(get(store().group(known.id()))).contains(known);
    assertThat(allGroups()).hasSize(NodeStore.MOST_WITHDRAWN + 1);
  }

  private static StoredGroup withdrawnBefore(StoredGroup given) {
    return withdrawn(given).withDeployment(Optional.empty());
  }

  private void putGiven(List<StoredGroup> given) {
    CompletionStage<Optional<StoredGroup>> last = CompletableFuture.completedFuture(null);
    for (var each : given) {
      last = store().putGiven(each);
    }
    assertThat(get(last)).contains(given.getLast());
  }

  private static StoredGroup withdrawn(StoredGroup given) {
    return given.withNotMade(Optional.of("Nobody takes part."));
  }

  @Test
  public void whatWasGivenFirstUnderAnIdStays() {
    var first = given(new NodeName("node2"));
    var other = given(new NodeName("node3"));
    get(store().putGiven(first));

    var again = other.withId(first.id());

    assertThat(get(store().putGiven(again))).contains(first);
    assertThat(get(store().group(first.id()))).contains(first);
  }

  private StoredGroup confirmed(GroupId id) {
    return StoredGroup.of(id, NOW).withGroup(Optional.of(arbitrary.next(PrivacyGroup.class)));
  }

  private StoredGroup given(NodeName giver) {
    return StoredGroup.of(arbitrary.next(GroupId.class), NOW)
        .withDeployment(Optional.of(arbitrary.next(Deployment.class)))
        .withGiver(Optional.of(giver));
  }

  @Test
  public void aPreparedTransactionIsFoundWithItsOutputs() {
    var prepared = arbitrary.next(Prepared.class);

    get(store().putPrepared(prepared));

    assertThat(get(store().prepared(prepared.prepared().transaction()))).contains(prepared);
  }

  @Test
  public void whatWasPreparedFirstStays() {
    var first = arbitrary.next(Prepared.class);
    get(store().putPrepared(first));

    get(store().putPrepared(new Prepared(first.prepared(), List.of(), NOW.plusSeconds(1))));

    assertThat(get(store().prepared(first.prepared().transaction()))).contains(first);
  }

  @Test
  public void howFarTheIndexerHasReadIsWhatWasPutLast() {
    get(store().putIndexedTo(new IndexedTo(new BlockHeight(8), hash())));
    var back = new IndexedTo(new BlockHeight(7), hash());

    get(store().putIndexedTo(back));

    assertThat(get(store().indexedTo())).contains(back);
  }

  /** CNF-10. */
  @Test
  public void aReindexStaysUntilItHasEndedAndKeepsWhatWasReadBeforeTheFork() {
    var blocks =
        LongStream.rangeClosed(1, 40)
            .mapToObj(height -> new IndexedTo(new BlockHeight(height), hash()))
            .toList();
    blocks.forEach(block -> get(store().putIndexedTo(block)));
    get(store().complete(List.of(reverted(intent(hash())))));
    var trail = get(store().readSoFar()).orElseThrow().trail();
    var fork = trail.get(trail.size() / 2);

    var begun = get(store().beginReindex(fork));

    assertThat(begun).isEqualTo(new ReadSoFar.Reindex(fork.height(), new BlockHeight(40), 1));
    assertThat(get(store().indexedTo())).contains(fork);
    var next = new IndexedTo(new BlockHeight(fork.height().value() + 1), hash());
    get(store().putIndexedTo(next));
    var read = get(store().readSoFar()).orElseThrow();
    assertThat(read.reindex()).contains(begun);
    assertThat(read.blocks()).endsWith(fork, next).isSubsetOf(union(trail, next));
    get(store().endReindex(begun));
    assertThat(get(store().readSoFar()).orElseThrow().reindex()).isEmpty();
    assertThat(get(store().indexedTo())).contains(next);
  }

  private static List<IndexedTo> union(List<IndexedTo> all, IndexedTo one) {
    return Stream.concat(all.stream(), Stream.of(one)).toList();
  }

  private StoredGroup asked(PrivacyGroup group) {
    return StoredGroup.of(group.id(), NOW)
        .withGenesisTransaction(Optional.of(arbitrary.next(TransactionId.class)))
        .withRequest(Bytes.utf8("{}"));
  }

  @Test
  public void ofEachGroupTheLastChangeThatWasAgreedToIsKept() {
    var first = agreed(1, Phase.SIGNING);
    assertThat(get(store().agreed(first.contract()))).isEmpty();
    assertThat(get(store().agree(first))).contains(first);

    var other = agreed(2, Phase.SIGNING).withContract(first.contract());
    assertThat(get(store().agree(other))).as("one is open").contains(first);
    var signed = first.withPhase(Phase.GATHERING).plus(List.of(arbitrary.next(Signature.class)));
    assertThat(get(store().join(signed))).contains(signed);
    assertThat(get(store().join(other))).as("of another change").contains(signed);
    assertThat(get(store().openChanges())).containsExactly(signed);

    var over = signed.withPhase(Phase.OVER).withNote(Optional.of("It is late."));
    assertThat(get(store().join(over))).contains(over);
    assertThat(get(store().openChanges())).isEmpty();
    assertThat(get(store().join(signed))).as("it has ended").contains(over);
    assertThat(get(store().agree(other))).contains(other);
    assertThat(get(store().agreed(first.contract()))).contains(other);
  }

  @Test
  public void whatIsKnownOfAChangeThatNobodyAgreedToIsNotKept() {
    var nobodys = agreed(1, Phase.GATHERING);

    assertThat(get(store().join(nobodys))).isEmpty();

    assertThat(get(store().agreed(nobodys.contract()))).isEmpty();
  }

  @Test
  public void soManyChangesAreOpenAndNoMore() {
    var open =
        LongStream.range(0, ChangeStore.MOST_OPEN)
            .mapToObj(number -> agreed(1, Phase.SIGNING))
            .toList();
    open.forEach(each -> assertThat(get(store().agree(each))).isPresent());
    var more = agreed(1, Phase.SIGNING);

    assertThat(get(store().agree(more))).isEmpty();
    get(store().join(open.getFirst().withPhase(Phase.WITHDRAWN)));
    assertThat(get(store().agree(more))).contains(more);
    assertThat(get(store().openChanges()))
        .hasSize(ChangeStore.MOST_OPEN)
        .isSortedAccordingTo(Comparator.comparing(each -> each.contract().value()));
  }

  private AgreedChange agreed(int number, Phase phase) {
    var change =
        new CommitteeChange(
            number, arbitrary.next(PrivacyGroup.class).committees().first(), new BlockHeight(9));
    return AgreedChange.of(arbitrary.next(ContractAddress.class), change, NOW, "operator", phase);
  }
}
