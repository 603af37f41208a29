package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.ReadSoFar;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CNF-10: where the ledger has parted from what was read. */
class LedgerForkTest {
  private static final int LAST = 9;

  private final ScriptedPorts ports = new ScriptedPorts();
  private final List<Block> ledger = new ArrayList<>();
  private LedgerFork fork;

  @BeforeEach
  void start() {
    var group = ports.newGroup();
    for (int height = 1; height <= LAST; height++) {
      ledger.add(ports.append(group));
    }
    var outside = ports.setup(0).ports();
    fork = new LedgerFork(outside.ledger(), outside.store());
  }

  @Test
  void itIsAtTheNewestBlockThatBothHave() {
    var read = readUpToAForkAt(6);

    assertThat(find(read.hash())).contains(at(6));
  }

  @Test
  void ifNoneIsCommonItIsBeforeAll() {
    var read = readUpToAForkAt(0);

    assertThat(find(read.hash())).contains(new IndexedTo(BlockHeight.ZERO, new Hash(0, 0, 0, 0)));
  }

  @Test
  void whatTheLedgerHasIsNotReadAgain() {
    var read = readUpToAForkAt(LAST);

    assertThat(find(read.hash())).isEmpty();
  }

  /** The command may start the node more than once: no later fork is followed by it. */
  @Test
  void ifAnotherBlockIsNamedThanWasReadLastNothingIsDone() {
    readUpToAForkAt(6);

    assertThat(find(new Hash(1, 2, 3, 4))).isEmpty();
    assertThat(find(other(8).hash())).isEmpty();
  }

  /** An endpoint may have old blocks no more, or lie behind. */
  @Test
  void ifTheLedgerDoesNotGiveABlockItIsNotTakenForAnother() {
    var read = readUpToAForkAt(3);
    ports.prune(5);

    assertThatThrownBy(() -> find(read.hash()))
        .hasMessageContaining("does not give block 5, which this node has read");

    ports.readSoFar(ReadSoFar.upTo(Optional.empty(), other(LAST + 1)));
    assertThatThrownBy(() -> find(other(LAST + 1).hash()))
        .hasMessageContaining("does not give block 10");
  }

  private Optional<IndexedTo> find(Hash gone) {
    return fork.find(gone).toCompletableFuture().join();
  }

  /** Each block is remembered, up to this one as the ledger has it. */
  private ReadSoFar readUpToAForkAt(int common) {
    var read = Optional.<ReadSoFar>empty();
    for (int height = 1; height <= LAST; height++) {
      var blocks = new ArrayList<>(read.map(ReadSoFar::blocks).orElse(List.of()));
      var next = height <= common ? at(height) : other(height);
      read = Optional.of(new ReadSoFar(next.height(), next.hash(), blocks, Optional.empty()));
    }
    ports.readSoFar(read.orElseThrow());
    return read.orElseThrow();
  }

  private IndexedTo at(int height) {
    return new IndexedTo(new BlockHeight(height), ledger.get(height - 1).hash());
  }

  private static IndexedTo other(int height) {
    return new IndexedTo(new BlockHeight(height), new Hash(height, height, height, height));
  }
}
