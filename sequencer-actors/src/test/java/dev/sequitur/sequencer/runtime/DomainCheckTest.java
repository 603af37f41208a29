package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Domain.Objection;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Which intents are refused for what their domain objects to. */
class DomainCheckTest {
  private static final Instant NOW = Instant.parse("2026-11-26T10:00:00Z");

  /** Of one transaction and another that may make its objection pass. */
  private record Pair(TransactionId doubtful, TransactionId other) {}

  private final Arbitrary arbitrary = new Arbitrary(7);
  private final ContractAddress contract = arbitrary.next(ContractAddress.class);
  private final InMemoryNodeStore store = new InMemoryNodeStore();
  private final List<List<Optional<Objection>>> answers = new ArrayList<>();
  private final List<List<PrivateTransaction>> asked = new ArrayList<>();
  private final Set<Pair> helping = new HashSet<>();
  private final DomainCheck check =
      new DomainCheck(
          store,
          this::answer,
          (doubtful, objection, other) -> helping.contains(new Pair(doubtful.id(), other.id())),
          Duration.ofMinutes(1));

  private CompletionStage<List<Optional<Objection>>> answer(
      ContractAddress of, List<PrivateTransaction> transactions) {
    assertThat(of).isEqualTo(contract);
    asked.add(List.copyOf(transactions));
    return CompletableFuture.completedFuture(answers.get(asked.size() - 1));
  }

  @Test
  void whatTheDomainDoesNotObjectToIsTaken() {
    answer(nothing(), nothing());

    taken(transaction(), transaction());

    assertThat(asked).hasSize(1);
  }

  @Test
  void whatCanNeverPassIsRefusedThoughSomethingWouldHelp() {
    var first = transaction();
    var second = transaction();
    helping.add(new Pair(second.id(), first.id()));
    answer(nothing(), never("no such function"));

    refused("no such function", first, second);
  }

  /** Such as one whose states are on their way to another JVM. */
  @Test
  void aDomainThatSaysNothingInTimeObjectsToNothing() {
    var silent =
        new DomainCheck(
            store,
            (of, transactions) -> new CompletableFuture<>(),
            (doubtful, objection, other) -> false,
            Duration.ofMillis(1));

    assertThat(silent.check(contract, List.of(transaction())))
        .succeedsWithin(Duration.ofMinutes(1));
  }

  @Test
  void whatCanNeverPassIsToldBeforeWhatMay() {
    answer(may("the balance is too low"), never("no such function"));

    refused("no such function", transaction(), transaction());
  }

  @Test
  void whatMayPassIsRefusedIfNothingHereCouldHelp() {
    answer(may("the balance is too low"));
    answer(may("the balance is still too low"));

    refused("the balance is still too low", transaction());
  }

  @Test
  void whatHasPassedByTheSecondQuestionIsTaken() {
    answer(may("the balance is too low"));
    answer(nothing());

    taken(transaction());
  }

  @Test
  void onlyWhatIsDoubtfulIsAskedAgain() {
    var fine = transaction();
    var doubtful = transaction();
    answer(nothing(), may("the balance is too low"));
    answer(nothing());

    taken(fine, doubtful);

    assertThat(asked.get(1)).containsExactly(doubtful);
  }

  @Test
  void oneBeforeItInTheBatchMayHelp() {
    var first = transaction();
    var second = transaction();
    helping.add(new Pair(second.id(), first.id()));
    answer(nothing(), may("the balance is too low"));

    taken(first, second);
  }

  @Test
  void oneBehindItInTheBatchDoesNotHelp() {
    var first = transaction();
    var second = transaction();
    helping.add(new Pair(first.id(), second.id()));
    answer(may("the balance is too low"), nothing());
    answer(may("the balance is too low"));

    refused("the balance is too low", first, second);
  }

  @Test
  void itDoesNotHelpItself() {
    var only = transaction();
    helping.add(new Pair(only.id(), only.id()));
    answer(may("the balance is too low"));
    answer(may("the balance is too low"));

    refused("the balance is too low", only);
  }

  @Test
  void whatItDependsOnInTheBatchMayHelpWhereverItStands() {
    var behind = transaction();
    answer(may("the balance is too low"), nothing());

    taken(transaction(behind.id()), behind);
  }

  @Test
  void anIntentThatHasNotEndedMayHelp() {
    var pending = pending(contract);
    var doubtful = transaction();
    helping.add(new Pair(doubtful.id(), pending.id()));
    answer(may("the balance is too low"));

    taken(doubtful);

    assertThat(asked).hasSize(1);
  }

  @Test
  void whatItDependsOnAndHasNotEndedMayHelp() {
    var pending = pending(contract);
    answer(may("the balance is too low"));

    taken(transaction(pending.id()));
  }

  @Test
  void whatHasEndedDoesNotHelpAnyMore() {
    var ended = pending(contract);
    store.complete(
        List.of(Receipt.reverted(ended.id(), contract, ended.domain(), "no funds", NOW)));
    var doubtful = transaction(ended.id());
    helping.add(new Pair(doubtful.id(), ended.id()));
    answer(may("the balance is too low"));
    answer(may("the balance is too low"));

    refused("the balance is too low", doubtful);
  }

  @Test
  void whatOfAnotherContractHasNotEndedDoesNotHelp() {
    var elsewhere = pending(arbitrary.next(ContractAddress.class));
    var doubtful = transaction();
    helping.add(new Pair(doubtful.id(), elsewhere.id()));
    answer(may("the balance is too low"));
    answer(may("the balance is too low"));

    refused("the balance is too low", doubtful);
  }

  @Test
  void whatIsHelpedSavesNoOther() {
    var pending = pending(contract);
    var helped = transaction();
    var alone = transaction();
    helping.add(new Pair(helped.id(), pending.id()));
    answer(may("the first balance is too low"), may("the second balance is too low"));
    answer(may("the second balance is too low"));

    refused("the second balance is too low", helped, alone);
    assertThat(asked.get(1)).containsExactly(alone);
  }

  private void taken(PrivateTransaction... batch) {
    assertThat(check.check(contract, List.of(batch))).isCompletedWithValue(null);
    assertThat(asked).hasSameSizeAs(answers);
  }

  private void refused(String reason, PrivateTransaction... batch) {
    assertThatThrownBy(() -> check.check(contract, List.of(batch)).toCompletableFuture().join())
        .cause()
        .isInstanceOfSatisfying(
            RefusedIntent.class, refusal -> assertThat(refusal.code()).isEqualTo("SQ020005"))
        .hasMessageContaining(reason);
    assertThat(asked).hasSameSizeAs(answers);
  }

  @SafeVarargs
  private void answer(Optional<Objection>... toEach) {
    answers.add(Arrays.asList(toEach));
  }

  private static Optional<Objection> nothing() {
    return Optional.empty();
  }

  private static Optional<Objection> may(String reason) {
    return Optional.of(new Objection(reason, true));
  }

  private static Optional<Objection> never(String reason) {
    return Optional.of(new Objection(reason, false));
  }

  private PrivateTransaction pending(ContractAddress of) {
    var transaction = transaction(of);
    store.accept(
        List.of(new Intent(0, NOW, Optional.empty(), arbitrary.next(Hash.class), transaction)));
    return transaction;
  }

  private PrivateTransaction transaction(TransactionId... dependsOn) {
    return transaction(contract, dependsOn);
  }

  private PrivateTransaction transaction(ContractAddress of, TransactionId... dependsOn) {
    var any = arbitrary.next(PrivateTransaction.class);
    return any.with().contract(of).dependsOn(List.of(dependsOn)).build();
  }
}
