package dev.sequitur.protocol.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.indexing.Indexer.Effect;
import dev.sequitur.protocol.indexing.Indexer.Input;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How blocks are read, handed on, acknowledged and told again. */
class IndexerTest {
  private static final ContractAddress CONTRACT = Contract.ADDRESS;
  private static final ContractAddress UNKNOWN = new ContractAddress("0x" + "cd".repeat(20));
  private static final LedgerAddress OWN = new LedgerAddress("0x" + "11".repeat(20));
  private static final LedgerAddress ANOTHERS = new LedgerAddress("0x" + "22".repeat(20));
  private static final StateId STATE = Contract.state("state", Contract.A).id();
  private static final String SENDER = BlockDelivery.ToSender.to(CONTRACT);
  private static final String STATE_STORE = BlockDelivery.ToStateStore.to(CONTRACT);
  private static final String SUBMITTER = BlockDelivery.ToSubmitter.to(CONTRACT);

  private static final Identity ALICE = Identity.parse("alice@a");
  private static final LedgerAddress PUBLIC = new LedgerAddress("0x" + "77".repeat(20));

  private final List<Effect> effects = new ArrayList<>();
  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private Host<Input, Indexer.State, Void, Effect> indexer = after(0, 0);

  /** Knows one group, which this node submits for, and takes part in all that begin. */
  private static final class OneGroup implements Indexer.Groups {
    @Override
    public boolean isKnown(ContractAddress contract) {
      return contract.equals(CONTRACT);
    }

    @Override
    public Optional<ContractAddress> submitsFor(LedgerAddress signer) {
      return Optional.of(CONTRACT).filter(own -> signer.equals(OWN));
    }

    @Override
    public Optional<Identity> signsPublicly(LedgerAddress signer) {
      return Optional.of(ALICE).filter(own -> signer.equals(PUBLIC));
    }

    @Override
    public Optional<PrivacyGroup> group(ContractAddress contract) {
      return Optional.of(Contract.GROUP).filter(own -> contract.equals(CONTRACT));
    }

    @Override
    public Optional<PrivacyGroup> beginsWith(LedgerReceipt.Deployed deployed) {
      return Optional.of(deployed.group(BaseLedger.LOCAL_CHAIN));
    }
  }

  @Test
  void asksForTheBlocksAfterThoseThatAreDone() {
    indexer = after(41, 0);

    tell(new Input.Poll());

    assertThat(effects).containsExactly(new Effect.Fetch(height(42), 32));
  }

  @Test
  void asksOnceAtATimeAndAgainAfterAFailure() {
    tell(new Input.Poll());
    effects.clear();

    tell(new Input.Poll());
    assertThat(effects).isEmpty();
    tell(new Input.FetchFailed());
    tell(new Input.Poll());

    assertThat(effects).containsExactly(new Effect.Fetch(height(1), 32));
  }

  @Test
  void asksAgainAtOnceOnlyAfterAsManyBlocksAsItHadAskedFor() {
    tell(new Input.Poll());
    read(1, 31);
    effects.clear();
    tell(new Input.FetchEnded());
    assertThat(effects).isEmpty();

    tell(new Input.Poll());
    read(32, 63);
    effects.clear();
    tell(new Input.FetchEnded());

    assertThat(effects).containsExactly(new Effect.Fetch(height(64), 32));
  }

  @Test
  void handsABlockOnWhenItHasItsConfirmations() {
    indexer = after(0, 2);

    tell(new Input.Read(height(2), block(1)));
    assertThat(effects).isEmpty();
    tell(new Input.Read(height(3), block(1)));

    assertThat(effects).contains(new Effect.HandOn(height(1), now, Map.of(), List.of()));
  }

  @Test
  void leavesOutWhatIsNotTheNextBlock() {
    tell(new Input.Read(height(9), block(2)));
    assertThat(effects).isEmpty();
    tell(new Input.Read(height(9), block(1)));
    effects.clear();

    tell(new Input.Read(height(9), block(1)));

    assertThat(effects).isEmpty();
  }

  @Test
  void isNeverMoreThanItsWindowAheadOfTheOldestThatIsNotDone() {
    tell(new Input.Read(height(100), block(1, fulfilled(CONTRACT, ANOTHERS))));
    read(2, 64);
    effects.clear();

    read(65, 65);
    tell(new Input.Poll());
    assertThat(effects).isEmpty();
    acknowledge(1, SENDER, STATE_STORE);
    effects.clear();
    read(65, 65);

    assertThat(effects).contains(new Effect.HandOn(height(65), now, Map.of(), List.of()));
  }

  @Test
  void whatBeginsWithABlockIsKnownBeforeAnybodyIsToldOfIt() {
    tell(new Input.Read(height(1), block(1, fulfilled(CONTRACT, ANOTHERS))));

    assertThat(effects.get(0)).isEqualTo(new Effect.Reached(height(1), List.of(), List.of()));
    assertThat(deliveries())
        .extracting(BlockDelivery::to)
        .containsExactlyInAnyOrder(SENDER, STATE_STORE);
  }

  /** They may be in other JVMs: what one has no use for would travel for nothing. */
  @Test
  void senderAndStateStoreAreEachToldWhatTheyGoBy() {
    var block = block(1, fulfilled(CONTRACT, ANOTHERS));
    var whole = BlockNotice.of(block, now, CONTRACT::equals).get(CONTRACT);

    tell(new Input.Read(height(1), block));

    assertThat(deliveries())
        .allSatisfy(
            delivery -> {
              switch (delivery) {
                case BlockDelivery.ToSender(var contract, var notice) -> {
                  assertThat(notice.forSender()).isEqualTo(whole.forSender());
                  assertThat(notice.hasStates()).isFalse();
                }
                case BlockDelivery.ToStateStore(var contract, var notice, var after) -> {
                  assertThat(notice.forStateStore()).isEqualTo(whole.forStateStore());
                  assertThat(notice.confirmed()).isEmpty();
                }
                default -> throw new AssertionError(delivery);
              }
            });
    assertThat(effects)
        .contains(new Effect.HandOn(height(1), now, Map.of(CONTRACT, whole), List.of()));
  }

  @Test
  void toldAreThoseOfKnownGroupsOnly() {
    tell(new Input.Read(height(1), block(1, fulfilled(UNKNOWN, ANOTHERS))));

    assertThat(deliveries()).isEmpty();
    assertThat(effects).contains(new Effect.HandOn(height(1), now, Map.of(), List.of()));
  }

  @Test
  void aSubmitterIsToldOfItsOwnReceiptsWhateverTheySay() {
    var refused =
        receipt(
            OWN,
            new LedgerReceipt.Reverted(
                CONTRACT, intent(), LedgerReceipt.RevertReason.STATE_SPENT, "spent"));
    var used = receipt(OWN, new LedgerReceipt.NonceUsed());
    var others = receipt(ANOTHERS, new LedgerReceipt.NonceUsed());

    tell(new Input.Read(height(1), block(1, refused, others, used)));

    assertThat(deliveries())
        .containsExactly(
            new BlockDelivery.ToSubmitter(CONTRACT, height(1), List.of(refused, used)));
    assertThat(effects).contains(new Effect.CountRevert(LedgerReceipt.RevertReason.STATE_SPENT));
  }

  @Test
  void whoSubmitsPubliclyIsToldOfItsOwnReceiptsWhateverTheySay() {
    var called =
        receipt(
            PUBLIC,
            new LedgerReceipt.Called(
                Contract.hash("call"), Optional.empty(), Bytes.EMPTY, Optional.of("refused")));
    var used = receipt(PUBLIC, new LedgerReceipt.NonceUsed());
    var others = receipt(ANOTHERS, new LedgerReceipt.NonceUsed());

    tell(new Input.Read(height(1), block(1, called, others, used)));

    assertThat(deliveries())
        .containsExactly(
            new BlockDelivery.ToPublicSubmitter(ALICE, height(1), List.of(called, used)));
    effects.clear();
    acknowledge(1, BlockDelivery.ToPublicSubmitter.to(ALICE));
    tell(new Input.Stored(indexedTo(0)));
    tell(new Input.Poll());
    assertThat(effects).contains(new Effect.StoreProgress(indexedTo(1)));
  }

  /** One event, and each who needs it is told. */
  @Test
  void aGroupsTransitionThatAPublicSignerHasSentIsToldToTheGroupAndToTheSigner() {
    var both =
        receipt(
            PUBLIC,
            new LedgerReceipt.Fulfilled(CONTRACT, intent(), List.of(STATE), List.of(), List.of()),
            new LedgerReceipt.Called(
                Contract.hash("call"), Optional.empty(), Bytes.EMPTY, Optional.empty()));

    tell(new Input.Read(height(1), block(1, both)));

    assertThat(deliveries())
        .extracting(BlockDelivery::to)
        .containsExactlyInAnyOrder(SENDER, STATE_STORE, BlockDelivery.ToPublicSubmitter.to(ALICE));
  }

  /** What begins beside it makes no other group known. */
  @Test
  void whereAGroupBeginsThoseOfOthersAreNotToldOf() {
    var group = Contract.GROUP;
    var genesis =
        new ContractGenesis(group.id(), group.name(), group.committee(), 1, group.configuration());
    var deployed = receipt(ANOTHERS, new LedgerReceipt.Deployed(UNKNOWN, group.domain(), genesis));
    var another = new ContractAddress("0x" + "ef".repeat(20));

    tell(new Input.Read(height(1), block(1, deployed, fulfilled(another, ANOTHERS))));

    assertThat(deliveries())
        .singleElement()
        .extracting(BlockDelivery::to)
        .isEqualTo("group-" + group.id());
  }

  @Test
  void aGroupThatBeginsIsKnownFromItsBlockOnAndKept() {
    var group = Contract.GROUP;
    var genesis =
        new ContractGenesis(group.id(), group.name(), group.committee(), 1, group.configuration());
    var deployed = receipt(ANOTHERS, new LedgerReceipt.Deployed(UNKNOWN, group.domain(), genesis));

    tell(new Input.Read(height(1), block(1, deployed, fulfilled(UNKNOWN, ANOTHERS))));

    assertThat(effects.get(0))
        .isInstanceOfSatisfying(
            Effect.Reached.class,
            reached ->
                assertThat(reached.begun())
                    .extracting(PrivacyGroup::contract)
                    .containsExactly(UNKNOWN));
    assertThat(deliveries())
        .extracting(BlockDelivery::to)
        .containsExactlyInAnyOrder(
            BlockDelivery.ToSender.to(UNKNOWN),
            BlockDelivery.ToStateStore.to(UNKNOWN),
            "group-" + group.id());
  }

  /** SEL-6: anybody may send the same terms again, and has another contract of them. */
  @Test
  void ofTwoContractsOfAGroupInABlockTheFirstCounts() {
    var group = Contract.GROUP;
    var genesis =
        new ContractGenesis(group.id(), group.name(), group.committee(), 1, group.configuration());
    var another = new ContractAddress("0x" + "ef".repeat(20));
    var first = receipt(ANOTHERS, new LedgerReceipt.Deployed(UNKNOWN, group.domain(), genesis));
    var second = receipt(ANOTHERS, new LedgerReceipt.Deployed(another, group.domain(), genesis));

    tell(new Input.Read(height(1), block(1, first, second)));

    assertThat(effects.get(0))
        .isInstanceOfSatisfying(
            Effect.Reached.class,
            reached ->
                assertThat(reached.begun())
                    .extracting(PrivacyGroup::contract)
                    .containsExactly(UNKNOWN));
    assertThat(deliveries()).hasSize(1);
  }

  /** Before anybody hears of the block; and the block is done once the group is kept (CMT-5). */
  @Test
  void aChangedCommitteeIsKnownFromItsBlockOnAndKept() {
    var change = change(1);
    var changed = receipt(ANOTHERS, new LedgerReceipt.CommitteeChanged(CONTRACT, change));
    var strangers = receipt(ANOTHERS, new LedgerReceipt.CommitteeChanged(UNKNOWN, change));
    var after = Contract.GROUP.changed(change, height(1)).orElseThrow();

    tell(new Input.Read(height(1), block(1, strangers, changed)));

    assertThat(effects.get(0)).isEqualTo(new Effect.Reached(height(1), List.of(), List.of(after)));
    assertThat(deliveries()).containsExactly(new BlockDelivery.OfCommittee(after, height(1)));
    assertThat(effects).contains(new Effect.HandOn(height(1), now, Map.of(), List.of(after)));
    assertThat(effects).doesNotHaveAnyElementsOfTypes(Effect.StoreProgress.class);

    acknowledge(1, "committee-" + after.id());
    assertThat(effects).hasAtLeastOneElementOfType(Effect.StoreProgress.class);
  }

  @Test
  void aChangeThatDoesNotFollowIsPassedOver() {
    var changed = receipt(ANOTHERS, new LedgerReceipt.CommitteeChanged(CONTRACT, change(2)));

    tell(new Input.Read(height(1), block(1, changed)));

    assertThat(effects.get(0)).isEqualTo(new Effect.Reached(height(1), List.of(), List.of()));
    assertThat(deliveries()).isEmpty();
  }

  @Test
  void aCommitteeMayChangeInTheBlockInWhichItsGroupBegins() {
    var group = Contract.GROUP;
    var genesis =
        new ContractGenesis(group.id(), group.name(), group.committee(), 1, group.configuration());
    var deployed = receipt(ANOTHERS, new LedgerReceipt.Deployed(UNKNOWN, group.domain(), genesis));
    var changed = receipt(ANOTHERS, new LedgerReceipt.CommitteeChanged(UNKNOWN, change(1)));

    tell(new Input.Read(height(1), block(1, deployed, changed)));

    assertThat(effects.get(0))
        .isInstanceOfSatisfying(
            Effect.Reached.class,
            reached -> {
              assertThat(reached.begun())
                  .extracting(begun -> begun.committees().number())
                  .containsExactly(1);
              assertThat(reached.changed()).isEmpty();
            });
  }

  private static CommitteeChange change(int number) {
    var members = Contract.GROUP.committee().members().subList(0, 2);
    return new CommitteeChange(number, new Quorum(new Committee(members), 1), height(9));
  }

  /** So that a block that was lost before it shows. */
  @Test
  void aStateStoreIsToldWhichBlockWithStatesCameBefore() {
    tell(new Input.Read(height(9), block(1, fulfilled(CONTRACT, ANOTHERS))));
    read(2, 4);
    tell(new Input.Read(height(9), block(5, fulfilled(CONTRACT, ANOTHERS))));

    assertThat(deliveries())
        .filteredOn(BlockDelivery.ToStateStore.class::isInstance)
        .extracting(delivery -> ((BlockDelivery.ToStateStore) delivery).after())
        .containsExactly(BlockHeight.ZERO, height(1));
  }

  /** Else what is remembered would grow by each contract that was ever used. */
  @Test
  void aBlockThatAStateStoreHasAcknowledgedIsForgottenThoughOthersHaveNot() {
    tell(new Input.Read(height(9), block(1, fulfilled(CONTRACT, ANOTHERS))));
    tell(new Input.Read(height(9), block(2, fulfilled(CONTRACT, ANOTHERS))));
    acknowledge(2, STATE_STORE);
    tell(new Input.Read(height(9), block(3, fulfilled(CONTRACT, ANOTHERS))));
    acknowledge(1, STATE_STORE);
    acknowledge(3, STATE_STORE);
    tell(new Input.Read(height(9), block(4, fulfilled(CONTRACT, ANOTHERS))));

    assertThat(deliveries())
        .filteredOn(BlockDelivery.ToStateStore.class::isInstance)
        .extracting(delivery -> ((BlockDelivery.ToStateStore) delivery).after())
        .containsExactly(BlockHeight.ZERO, height(1), height(1), BlockHeight.ZERO);
  }

  /** A state store takes no note of it, and would wait for it in vain. */
  @Test
  void aBlockWithoutStatesIsNoneThatAStateStoreWaitsFor() {
    var nothing = new LedgerReceipt.Fulfilled(CONTRACT, intent(), List.of(), List.of(), List.of());
    var spends =
        new LedgerReceipt.Fulfilled(CONTRACT, intent(), List.of(STATE), List.of(), List.of());
    tell(new Input.Read(height(9), block(1, receipt(ANOTHERS, nothing))));
    tell(new Input.Read(height(9), block(2, receipt(ANOTHERS, spends))));
    tell(new Input.Read(height(9), block(3, receipt(ANOTHERS, nothing))));

    var toStateStore =
        deliveries().stream()
            .filter(BlockDelivery.ToStateStore.class::isInstance)
            .map(BlockDelivery.ToStateStore.class::cast)
            .toList();
    assertThat(toStateStore)
        .extracting(BlockDelivery.ToStateStore::height)
        .containsExactly(height(1), height(2), height(3));
    assertThat(toStateStore)
        .extracting(BlockDelivery.ToStateStore::after)
        .containsExactly(BlockHeight.ZERO, BlockHeight.ZERO, height(2));
  }

  @Test
  void progressIsStoredWhenEverybodyHasAcknowledgedAndNotBefore() {
    tell(new Input.Read(height(2), block(1, fulfilled(CONTRACT, OWN))));
    tell(new Input.Read(height(2), block(2, fulfilled(CONTRACT, ANOTHERS))));
    effects.clear();

    acknowledge(2, SENDER, STATE_STORE);
    acknowledge(1, SENDER, STATE_STORE);
    assertThat(effects).isEmpty();
    acknowledge(1, SUBMITTER);

    assertThat(effects).containsExactly(new Effect.StoreProgress(indexedTo(2)));
  }

  @Test
  void progressIsStoredOnceAtATimeAndAgainAfterAFailure() {
    read(1, 1);
    effects.clear();
    read(2, 2);
    assertThat(effects).doesNotHaveAnyElementsOfTypes(Effect.StoreProgress.class);
    effects.clear();

    tell(new Input.NotStored());
    tell(new Input.Poll());
    assertThat(effects).contains(new Effect.StoreProgress(indexedTo(2)));
    tell(new Input.Stored(indexedTo(2)));
    effects.clear();
    tell(new Input.Poll());

    assertThat(effects).doesNotHaveAnyElementsOfTypes(Effect.StoreProgress.class);
  }

  @Test
  void whoHasNotAcknowledgedIsToldAgainAfterAWhile() {
    tell(new Input.Read(height(1), block(1, fulfilled(CONTRACT, OWN))));
    acknowledge(1, SENDER, SUBMITTER);
    effects.clear();

    now = now.plus(Indexer.REDELIVER_AFTER);
    tell(new Input.Poll());
    assertThat(deliveries()).isEmpty();
    now = now.plusMillis(1);
    tell(new Input.Poll());
    assertThat(deliveries()).extracting(BlockDelivery::to).containsExactly(STATE_STORE);
    effects.clear();
    now = now.plus(Duration.ofSeconds(1));
    tell(new Input.Poll());

    assertThat(deliveries()).isEmpty();
  }

  @Test
  void blocksOfWhichNobodyWasToldMoreThanTheirHeightsAreUndone() {
    var ledger = new Ledger(10);
    ledger.serve();
    ledger.reorganise(7, 13);
    effects.clear();

    ledger.serve();

    assertThat(rifts(Effect.Undone.class)).containsExactly(rift(7, 10));
    assertThat(handedOn()).containsExactly(11L, 12L, 13L);
    assertThat(effects).doesNotHaveAnyElementsOfTypes(Effect.Halted.class);
  }

  @Test
  void whatTheirReplacementsHoldIsToldWithTheNextBlock() {
    var ledger = new Ledger(10);
    ledger.serve();
    ledger.reorganise(7, 8);
    ledger.append(fulfilledIn(9));
    ledger.append();
    effects.clear();
    ledger.serve();
    assertThat(deliveries()).isEmpty();

    ledger.append();
    ledger.serve();

    assertThat(handedOn()).containsExactly(11L);
    assertThat(deliveries())
        .filteredOn(BlockDelivery.ToSender.class::isInstance)
        .singleElement()
        .satisfies(
            told -> {
              assertThat(told.height()).isEqualTo(height(11));
              assertThat(((BlockDelivery.ToSender) told).notice().confirmed().get(intent()).block())
                  .isEqualTo(height(9));
            });
    effects.clear();
    ledger.append();
    ledger.serve();
    assertThat(deliveries()).isEmpty();
  }

  @Test
  void whatWasNotToldOfABranchIsForgottenWithIt() {
    var ledger = new Ledger(10);
    ledger.serve();
    ledger.reorganise(7, 7);
    ledger.append(fulfilledIn(8));
    ledger.append();
    ledger.append();
    ledger.serve();
    ledger.reorganise(7, 12);
    effects.clear();

    ledger.serve();

    assertThat(rifts(Effect.Undone.class))
        .extracting(Indexer.Rift::ancestor)
        .containsExactly(Optional.of(height(7)));
    assertThat(handedOn()).containsExactly(11L, 12L);
    assertThat(deliveries()).isEmpty();
  }

  /** So that a restart reads the replacements too. */
  @Test
  void theProgressThatIsStoredGoesBackWithWhatIsUndone() {
    var ledger = new Ledger(10);
    ledger.serve();
    tell(new Input.Stored(indexedTo(10)));
    ledger.reorganise(7, 11);
    effects.clear();

    ledger.serve();

    assertThat(effects).contains(new Effect.StoreProgress(indexedTo(7)));
  }

  @Test
  void blocksOfWhichSomebodyWasToldAreNotUndoneAndNothingIsHandedOnAnyMore() {
    var ledger = new Ledger(8);
    ledger.append(fulfilledIn(9));
    ledger.append();
    ledger.serve();
    ledger.reorganise(7, 13);
    effects.clear();

    ledger.serve();
    ledger.append(fulfilledIn(14));
    now = now.plus(Indexer.LOOK_AFTER);
    ledger.serve();

    assertThat(rifts(Effect.Halted.class)).containsExactly(rift(7, 10));
    assertThat(handedOn()).isEmpty();
    assertThat(deliveries()).isEmpty();
    assertThat(effects)
        .doesNotHaveAnyElementsOfTypes(Effect.Undone.class, Effect.StoreProgress.class);
  }

  /** A hundred and more blocks a second were asked for, for as long as nobody did anything. */
  @Test
  void oneThatIsHaltedLooksSeldomAndAtOneBlock() {
    var ledger = new Ledger(8);
    ledger.append(fulfilledIn(9));
    ledger.append();
    ledger.serve();
    ledger.reorganise(7, 200);
    ledger.serve();
    effects.clear();

    for (int poll = 0; poll <= 100; poll++) {
      ledger.serve();
      now = now.plusMillis(100);
    }

    assertThat(effects)
        .filteredOn(Effect.Fetch.class::isInstance)
        .containsExactly(new Effect.Fetch(height(11), 1), new Effect.Fetch(height(11), 1));
  }

  @Test
  void blocksAboveThoseOfWhichSomebodyWasToldAreUndone() {
    var ledger = new Ledger(8);
    ledger.append(fulfilledIn(9));
    ledger.append();
    ledger.serve();
    acknowledge(9, SENDER, STATE_STORE);
    ledger.reorganise(9, 11);
    effects.clear();

    ledger.serve();

    assertThat(rifts(Effect.Undone.class)).containsExactly(rift(9, 10));
    assertThat(handedOn()).containsExactly(11L);
  }

  @Test
  void readingGoesOnWhenTheLedgerHasComeBackToWhatWasTold() {
    var ledger = new Ledger(8);
    ledger.append(fulfilledIn(9));
    ledger.append();
    ledger.serve();
    var told = List.copyOf(ledger.blocks);
    ledger.reorganise(7, 13);
    ledger.serve();
    ledger.blocks.clear();
    ledger.blocks.addAll(told);
    effects.clear();

    ledger.append();
    now = now.plus(Indexer.LOOK_AFTER);
    ledger.serve();

    assertThat(effects).containsOnlyOnce(new Effect.Resumed());
    assertThat(handedOn()).containsExactly(11L);
  }

  /** Each time it halts and each time it goes on is told, and told once. */
  @Test
  void whatHasComeBackCanBeReplacedAgain() {
    var ledger = new Ledger(8);
    ledger.append(fulfilledIn(9));
    ledger.serve();
    var told = List.copyOf(ledger.blocks);
    for (int time = 0; time < 2; time++) {
      effects.clear();
      ledger.reorganise(7, 13);
      ledger.serve();
      assertThat(rifts(Effect.Halted.class)).containsExactly(rift(7, 9 + time));
      ledger.blocks.clear();
      ledger.blocks.addAll(told);
      ledger.branch = 0;
      for (int i = 0; i <= time; i++) {
        ledger.append();
      }
      now = now.plus(Indexer.LOOK_AFTER);
      ledger.serve();
      assertThat(effects).containsOnlyOnce(new Effect.Resumed());
    }
    ledger.append();
    ledger.serve();

    assertThat(effects).containsOnlyOnce(new Effect.Resumed());
  }

  @Test
  void anAncestorIsFoundThroughPagesOfOneBlock() {
    var ledger = new Ledger(40);
    ledger.serve();
    ledger.reorganise(20, 41);
    ledger.most = 1;
    effects.clear();

    while (ledger.serves()) {}

    assertThat(rifts(Effect.Undone.class)).containsExactly(rift(20, 40));
    assertThat(handedOn()).containsExactly(41L);
  }

  @Test
  void anAncestorIsFoundThroughManyPagesAndThroughPagesThatComeInParts() {
    var ledger = new Ledger(200);
    ledger.serve();
    ledger.reorganise(100, 201);
    ledger.most = 5;
    effects.clear();

    while (ledger.serves()) {}

    assertThat(rifts(Effect.Undone.class)).containsExactly(rift(100, 200));
    assertThat(handedOn()).containsExactly(201L);
  }

  @Test
  void anotherFirstBlockIsUndoneToo() {
    var ledger = new Ledger(3);
    ledger.serve();
    ledger.reorganise(0, 4);
    effects.clear();

    ledger.serve();

    assertThat(rifts(Effect.Undone.class)).containsExactly(rift(0, 3));
    assertThat(handedOn()).containsExactly(4L);
  }

  /** Of what was told before a restart nothing is known but how far it went. */
  @Test
  void afterARestartABlockThatDoesNotFollowTheLastOneHaltsIt() {
    indexer = after(10, 0);
    var ledger = new Ledger(10);
    ledger.reorganise(9, 12);

    ledger.serve();

    assertThat(rifts(Effect.Halted.class))
        .containsExactly(new Indexer.Rift(Optional.empty(), indexedTo(10)));
    assertThat(handedOn()).isEmpty();
  }

  @Test
  void whatIsOlderThanTheTrailIsNotUndone() {
    var ledger = new Ledger(Indexer.TRAIL + 10);
    ledger.serve();
    ledger.reorganise(5, Indexer.TRAIL + 12);

    ledger.serve();

    assertThat(rifts(Effect.Halted.class))
        .extracting(Indexer.Rift::ancestor)
        .containsExactly(Optional.empty());
    assertThat(indexer.state().trail()).hasSize(Indexer.TRAIL);
  }

  @Test
  void aSearchThatFailsBeginsAnewWithTheNextLook() {
    var ledger = new Ledger(10);
    ledger.serve();
    ledger.reorganise(7, 11);
    tell(new Input.Poll());
    tell(new Input.Read(height(11), ledger.blocks.get(10)));
    tell(new Input.FetchEnded());
    tell(new Input.FetchFailed());
    effects.clear();

    ledger.serve();

    assertThat(rifts(Effect.Undone.class)).containsExactly(rift(7, 10));
    assertThat(handedOn()).containsExactly(11L);
  }

  /** A chain of blocks; answers what the indexer asks for until it asks no more. */
  private final class Ledger {
    private final List<Block> blocks = new ArrayList<>();
    private int most = Integer.MAX_VALUE;
    private int branch;

    private Ledger(long head) {
      while (blocks.size() < head) {
        append();
      }
    }

    private void append(LedgerReceipt... receipts) {
      long number = blocks.size() + 1L;
      var parent =
          blocks.isEmpty() ? Contract.hash("block 0") : blocks.get(blocks.size() - 1).hash();
      var name = branch == 0 ? "block " + number : "block " + number + " of branch " + branch;
      blocks.add(
          new Block(height(number), Contract.hash(name), parent, Instant.EPOCH, List.of(receipts)));
    }

    private void reorganise(int ancestor, int head) {
      branch++;
      blocks.subList(ancestor, blocks.size()).clear();
      while (blocks.size() < head) {
        append();
      }
    }

    /** Whether it took anything. */
    private boolean serves() {
      var before = indexer.state().last();
      serve();
      return !before.equals(indexer.state().last());
    }

    private void serve() {
      int answered = effects.size();
      tell(new Input.Poll());
      for (int asked = 0; asked < 100; asked++) {
        var fetch =
            effects.subList(answered, effects.size()).stream()
                .filter(Effect.Fetch.class::isInstance)
                .map(Effect.Fetch.class::cast)
                .findFirst();
        if (fetch.isEmpty()) {
          return;
        }
        answered = effects.size();
        answer(fetch.get());
      }
      throw new AssertionError("It asks without end: " + effects);
    }

    private void answer(Effect.Fetch fetch) {
      int from = (int) fetch.from().value();
      int to = Math.min(blocks.size(), from - 1 + Math.min(fetch.limit(), most));
      for (int number = from; number <= to; number++) {
        tell(new Input.Read(height(blocks.size()), blocks.get(number - 1)));
      }
      tell(new Input.FetchEnded());
    }
  }

  private List<Indexer.Rift> rifts(Class<? extends Effect> kind) {
    return effects.stream()
        .filter(kind::isInstance)
        .map(
            effect ->
                effect instanceof Effect.Undone(var rift) ? rift : ((Effect.Halted) effect).rift())
        .toList();
  }

  private static Indexer.Rift rift(long ancestor, long last) {
    return new Indexer.Rift(Optional.of(height(ancestor)), indexedTo(last));
  }

  private List<Long> handedOn() {
    return effects.stream()
        .filter(Effect.HandOn.class::isInstance)
        .map(effect -> ((Effect.HandOn) effect).height().value())
        .toList();
  }

  private static LedgerReceipt fulfilledIn(long number) {
    var receipt = fulfilled(CONTRACT, ANOTHERS);
    return new LedgerReceipt(
        receipt.hash(), receipt.signer(), receipt.nonce(), height(number), 0, receipt.results());
  }

  private static Host<Input, Indexer.State, Void, Effect> after(long done, int confirmations) {
    var machine = new Indexer(confirmations, new OneGroup()).machine(indexedTo(done));
    return new Host<>(machine, machine.initial());
  }

  private void tell(Input input) {
    effects.addAll(indexer.fold(List.of(input), now).effects());
  }

  private void read(long from, long to) {
    for (long number = from; number <= to; number++) {
      tell(new Input.Read(height(100), block(number)));
    }
  }

  private void acknowledge(long number, String... who) {
    Stream.of(who).forEach(each -> tell(new Input.Acknowledged(height(number), each)));
  }

  private List<BlockDelivery> deliveries() {
    return effects.stream()
        .filter(Effect.Deliver.class::isInstance)
        .map(effect -> ((Effect.Deliver) effect).delivery())
        .toList();
  }

  private static BlockHeight height(long number) {
    return new BlockHeight(number);
  }

  private static IndexedTo indexedTo(long number) {
    return new IndexedTo(height(number), Contract.hash("block " + number));
  }

  private static Block block(long number, LedgerReceipt... receipts) {
    return new Block(
        height(number),
        Contract.hash("block " + number),
        Contract.hash("block " + (number - 1)),
        Instant.EPOCH,
        List.of(receipts));
  }

  private static IntentKey intent() {
    return Contract.transaction(Contract.A, 1).key();
  }

  private static LedgerReceipt fulfilled(ContractAddress contract, LedgerAddress signer) {
    return receipt(
        signer,
        new LedgerReceipt.Fulfilled(contract, intent(), List.of(), List.of(), List.of(STATE)));
  }

  private static LedgerReceipt receipt(LedgerAddress signer, LedgerReceipt.Result... results) {
    return new LedgerReceipt(
        new TransactionHash(Contract.hash("transaction")),
        signer,
        0,
        height(1),
        0,
        List.of(results));
  }
}
