package dev.sequitur.protocol.distribution;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.distribution.StateStore.Input;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.settings.SequencerSettings;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A store that is not what the ledger shows is noticed by the block that shows it (DST-8). */
class PartedFromLedgerTest {
  private final StateStore store =
      new StateStore(
          A,
          ADDRESS,
          state -> true,
          new StateStore.Members(List.of(B), true),
          SequencerSettings.DEFAULT);
  private StateStoreState state = StateStoreState.initial();

  @Test
  void aBlockThatSpendsAndMakesWhatFollowsFromThoseBeforeItIsNothingToTell() {
    block(1, ids(), ids("one", "two"));
    block(2, ids("one"), ids("three"));
    block(5, ids("two", "three", "four"), ids("four", "five"));

    assertThat(state.differs()).isEmpty();
  }

  @Test
  void aBlockThatSpendsWhatWasNeverSeenMadeIsRememberedAndTheFirstOfThem() {
    block(1, ids(), ids("one"));
    block(4, ids("of a block that was missed"), ids());
    block(6, ids("of another"), ids());

    assertThat(state.differs()).contains(new BlockHeight(4));
  }

  @Test
  void whatIsSpentTwiceShowsIt() {
    block(1, ids(), ids("one"));
    block(2, ids("one"), ids());
    block(3, ids("one"), ids());

    assertThat(state.differs()).contains(new BlockHeight(3));
  }

  @Test
  void whatIsMadeThoughItIsThereShowsIt() {
    block(1, ids(), ids("one"));
    block(2, ids(), ids("one"));

    assertThat(state.differs()).contains(new BlockHeight(2));
  }

  private static List<StateId> ids(String... names) {
    return Stream.of(names).map(name -> Contract.state(name, A, B).id()).toList();
  }

  private void block(long height, List<StateId> spent, List<StateId> created) {
    var block = new Input.BlockIndexed(new BlockHeight(height), spent, created);
    state = store.decide(state, block, Instant.EPOCH).state();
  }
}
