package dev.sequitur.protocol.distribution;

import static dev.sequitur.protocol.fixture.Contract.A;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.StateLocks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpendableStatesTest {
  private final PrivateState oldest = coin("oldest");
  private final PrivateState newer = coin("newer");
  private final PrivateState madeInFlight = coin("made in flight");
  private final PrivateState madeHere = coin("made here");
  private final StateStoreState store =
      StateStoreState.initial()
          .bring(List.of(oldest, newer))
          .confirm(oldest.id())
          .confirm(newer.id());

  @Test
  void offersTheOldestConfirmedFirstThenWhatIsInFlightThenWhatTheBatchHasMade() {
    var spendable =
        new SpendableStates(store, StateLocks.NONE.with(spending(List.of(), madeInFlight)));
    spendable.use(spending(List.of(), madeHere));

    assertThat(available(spendable)).containsExactly(oldest, newer, madeInFlight, madeHere);
  }

  @Test
  void offersNothingThatIsSpentInFlightOrByTheBatch() {
    var locks =
        StateLocks.NONE.with(spending(List.of(), madeInFlight)).with(spending(List.of(oldest)));
    var spendable = new SpendableStates(store, locks);
    assertThat(available(spendable)).containsExactly(newer, madeInFlight);

    spendable.use(spending(List.of(newer, madeInFlight), madeHere));

    assertThat(available(spendable)).containsExactly(madeHere);
  }

  @Test
  void offersOnceWhatIsConfirmedHereAndStillInFlightAtTheCoordinator() {
    var spendable = new SpendableStates(store, StateLocks.NONE.with(spending(List.of(), newer)));

    assertThat(available(spendable)).containsExactly(oldest, newer);
  }

  @Test
  void whatIsSpentInFlightIsTakenAndNotAbsent() {
    var taken = StateLocks.NONE.with(spending(List.of(oldest)));

    assertThat(new SpendableStates(store, taken).isTaken("coin", "owner")).isTrue();
    assertThat(new SpendableStates(store, taken).isTaken("coin", "another")).isFalse();
    assertThat(new SpendableStates(store, StateLocks.NONE).isTaken("coin", "owner")).isFalse();
  }

  private static List<PrivateState> available(SpendableStates spendable) {
    var found = new ArrayList<PrivateState>();
    spendable.available("coin", "owner").forEach(found::add);
    return found;
  }

  private static PrivateState coin(String name) {
    return new PrivateState(
        new StateId(Contract.hash(name)),
        Contract.ADDRESS,
        "coin",
        "owner",
        Bytes.utf8(name),
        List.of(Contract.party(A)));
  }

  private static PostAssembly spending(List<PrivateState> inputs, PrivateState... outputs) {
    return new PostAssembly(
        inputs, List.of(), List.of(outputs), List.of(), Bytes.EMPTY, List.of(), Proof.NONE);
  }
}
