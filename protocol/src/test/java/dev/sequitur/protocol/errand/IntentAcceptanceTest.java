package dev.sequitur.protocol.errand;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.sender.Handover;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A batch is handed to its senders when it is durable, and only what is new of it. */
class IntentAcceptanceTest {
  private static final ContractAddress OTHER = new ContractAddress("0x" + "cd".repeat(20));
  private static final PrivateTransaction FIRST = Contract.transaction(A, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(A, 2);
  private static final PrivateTransaction ELSEWHERE = on(OTHER, 3);

  private final NodeOfA node = new NodeOfA();
  private final List<Handover.Input> handedOver = new ArrayList<>();
  private final IntentAcceptance acceptance = new IntentAcceptance(node.intents(), handedOver::add);

  @Test
  void eachSenderIsHandedItsOwnInTheOrderOfTheBatchOnceTheyAreStored() {
    node.holdsWrites = true;
    var accepted = acceptance.accept(batch(SECOND, ELSEWHERE, FIRST));
    assertThat(handedOver).isEmpty();

    node.release();

    assertThat(handedOver)
        .containsExactly(
            new Handover.Input.HandOver(ADDRESS, List.of(SECOND, FIRST)),
            new Handover.Input.HandOver(OTHER, List.of(ELSEWHERE)));
    assertThat(accepted).isCompleted();
  }

  @Test
  void whatWasAcceptedBeforeIsNotHandedOverAgain() {
    acceptance.accept(batch(FIRST));
    handedOver.clear();

    acceptance.accept(batch(FIRST, SECOND));

    assertThat(handedOver).containsExactly(new Handover.Input.HandOver(ADDRESS, List.of(SECOND)));
  }

  @Test
  void aWriteThatFailsMayBeStoredSoTheSendersOfItsContractsLookThemselves() {
    node.writesFail = true;

    var accepted = acceptance.accept(batch(FIRST, SECOND, ELSEWHERE));

    assertThat(handedOver).containsExactly(new Handover.Input.InDoubt(Set.of(ADDRESS, OTHER)));
    assertThat(accepted).isCompletedExceptionally();
  }

  private static List<Intent> batch(PrivateTransaction... transactions) {
    return Stream.of(transactions)
        .map(each -> new Intent(0, NodeOfA.NOW, Optional.empty(), Contract.hash("body"), each))
        .toList();
  }

  private static PrivateTransaction on(ContractAddress contract, long number) {
    var like = Contract.transaction(A, number);
    return new PrivateTransaction(
        like.id(),
        contract,
        like.domain(),
        like.function(),
        like.from(),
        like.inputs(),
        like.submitMode(),
        like.dependsOn(),
        like.salt());
  }
}
