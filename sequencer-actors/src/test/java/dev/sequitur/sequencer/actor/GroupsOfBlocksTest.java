package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.sequencer.setup.GroupRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** SEL-6: of the contracts on a group's terms, which anybody may make, the first counts. */
class GroupsOfBlocksTest {
  private final InMemoryNodeStore store = new InMemoryNodeStore();
  private final Arbitrary any = new Arbitrary(7);
  private final PrivacyGroup group = any.next(PrivacyGroup.class);
  private final LedgerReceipt.Deployed copy = made(any.next(ContractAddress.class));
  private final GroupRegistry registry =
      new GroupRegistry(
          new NodeName("node1"), new SelectionPolicy(10, 16), null, new Secp256k1Signatures());

  /** What the ledger has; an answer has one block at most. */
  private final TreeMap<Long, Block> ledger = new TreeMap<>();

  private GroupsOfBlocks groups = beginning();

  /** Of another life: what the one before remembered is gone. */
  private GroupsOfBlocks beginning() {
    return new GroupsOfBlocks(
        registry,
        store,
        (from, limit) ->
            CompletableFuture.completedFuture(
                Optional.ofNullable(ledger.get(from.value())).stream().toList()));
  }

  private LedgerReceipt.Deployed made(ContractAddress contract) {
    return new LedgerReceipt.Deployed(
        contract,
        group.domain(),
        new ContractGenesis(
            group.id(),
            group.name(),
            group.committee(),
            group.endorsementThreshold(),
            group.configuration()));
  }

  @Test
  void theFirstContractOfAGroupStays() {
    stands(5);
    seek();

    assertThat(groups.standsElsewhere(copy)).isTrue();
    assertThat(groups.standsElsewhere(made(group.contract()))).as("told again").isFalse();
  }

  @Test
  void ofAGroupThatDoesNotStandAnyContractMayBeTheFirst() {
    seek();

    assertThat(groups.standsElsewhere(copy)).isFalse();
    assertThat(groups.standsElsewhere(made(group.contract()))).as("before it is stored").isTrue();
  }

  /** CNF-11: what is read again may have another first one. */
  @Test
  void aContractInABlockThatIsGoneMayBeReplaced() {
    stands(5);
    readAgainFrom(4);
    seek();

    assertThat(groups.standsElsewhere(copy)).isFalse();
    seek();
    assertThat(groups.standsElsewhere(made(any.next(ContractAddress.class)))).as("once").isTrue();
  }

  @Test
  void aContractThatIsReadAgainIsTheFirstAgain() {
    stands(5);
    readAgainFrom(4);
    seek();

    assertThat(groups.standsElsewhere(made(group.contract()))).isFalse();
    assertThat(groups.standsElsewhere(copy)).isTrue();
  }

  @Test
  void aContractInABlockThatIsThereStaysWhenLaterOnesAreReadAgain() {
    stands(5);
    readAgainFrom(5);
    seek();

    assertThat(groups.standsElsewhere(copy)).isTrue();
  }

  /** CNF-10, CNF-11: what was read again before a restart, the next life does not remember. */
  @Test
  void afterARestartWhatWasReadAgainIsTheFirstStill() {
    stands(5);
    readAgainFrom(4);
    ledger.put(5L, block(5));
    ledger.put(6L, block(6, made(group.contract())));
    seek();
    assertThat(groups.standsElsewhere(made(group.contract()))).isFalse();
    get(store.putIndexedTo(new IndexedTo(new BlockHeight(6), new Hash(6, 6, 6, 6))));

    groups = beginning();
    seek();

    assertThat(groups.standsElsewhere(copy)).isTrue();
  }

  @Test
  void afterARestartAContractThatWasNotReadAgainMayBeReplacedStill() {
    stands(5);
    readAgainFrom(4);
    ledger.put(5L, block(5));
    ledger.put(6L, block(6));
    ledger.put(7L, block(7, made(group.contract())));
    get(store.putIndexedTo(new IndexedTo(new BlockHeight(6), new Hash(6, 6, 6, 6))));

    groups = beginning();
    seek();

    assertThat(groups.standsElsewhere(copy)).as("what is read later is later").isFalse();
  }

  private void stands(long block) {
    get(
        store.putKnown(
            StoredGroup.of(group.id(), Instant.EPOCH).withGroup(Optional.of(group)),
            new KnownGroup(
                group.contract(),
                any.next(LedgerAddress.class),
                List.of(new NodeName("node1")),
                List.of("alice")),
            new BlockHeight(block)));
  }

  private void readAgainFrom(long fork) {
    get(store.putIndexedTo(new IndexedTo(new BlockHeight(9), new Hash(9, 9, 9, 9))));
    get(store.beginReindex(new IndexedTo(new BlockHeight(fork), new Hash(1, 1, 1, 1))));
  }

  private void seek() {
    get(groups.seek(List.of(block(7, copy))));
  }

  private Block block(long at, LedgerReceipt.Result... results) {
    var height = new BlockHeight(at);
    var receipt =
        new LedgerReceipt(
            any.next(TransactionHash.class),
            any.next(LedgerAddress.class),
            0,
            height,
            0,
            List.of(results));
    return new Block(
        height, any.next(Hash.class), any.next(Hash.class), Instant.EPOCH, List.of(receipt));
  }

  private static <T> T get(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }
}
