package dev.sequitur.protocol.errand;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.sender.Handover;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Transaction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A batch is handed to its senders when it is durable, and only what is new of it. */
class IntentAcceptanceTest {
  private static final ContractAddress OTHER = new ContractAddress("0x" + "cd".repeat(20));
  private static final PrivateTransaction FIRST = Contract.transaction(A, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(A, 2);
  private static final PrivateTransaction ELSEWHERE = on(OTHER, 3);

  private static final Identity PARTY = Contract.party(A);

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

  @Test
  void thatSomeWereAcceptedIsToldOnceForEachKeyWhenTheyAreStored() {
    var other = Contract.party(B);

    acceptance.accept(batch(call(1, PARTY), call(2, other), call(3, PARTY)));
    acceptance.accept(batch(call(1, PARTY)));

    assertThat(handedOver)
        .containsExactly(new Handover.Input.PublicsAccepted(Set.of(PARTY, other)));
  }

  @Test
  void wherePrivateOnesAreAcceptedNobodyIsToldOfPublicOnes() {
    acceptance.accept(batch(Contract.transaction(A, 1)));

    assertThat(handedOver)
        .containsExactly(new Handover.Input.HandOver(ADDRESS, List.of(Contract.transaction(A, 1))));
  }

  @Test
  void ofAWriteThatFailsTheKeysAreToldSinceItMayBeStored() {
    node.writesFail = true;

    acceptance.accept(batch(call(1, PARTY)));

    assertThat(handedOver).contains(new Handover.Input.PublicsAccepted(Set.of(PARTY)));
  }

  private static PublicTransaction call(long number, Identity from) {
    return new PublicTransaction(
        new TransactionId(new UUID(7, number)),
        from,
        Optional.of(ADDRESS),
        Bytes.utf8("call " + number),
        BigInteger.ONE,
        77_000,
        PublicTransaction.Source.NONE);
  }

  private static List<Intent> batch(Transaction... transactions) {
    return Stream.of(transactions)
        .map(each -> new Intent(0, NodeOfA.NOW, Optional.empty(), Contract.hash("body"), each))
        .toList();
  }

  private static PrivateTransaction on(ContractAddress contract, long number) {
    var like = Contract.transaction(A, number);
    return like.withContract(contract);
  }
}
