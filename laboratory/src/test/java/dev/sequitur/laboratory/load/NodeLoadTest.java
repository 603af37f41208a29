package dev.sequitur.laboratory.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.FreshIntents;
import dev.sequitur.laboratory.load.Entrance.Answer;
import dev.sequitur.laboratory.load.Entrance.Ended;
import dev.sequitur.laboratory.load.NodeLoad.Timed;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** With a node that a test answers for. */
class NodeLoadTest implements Entrance, Entrance.Receipts, NodeLoad.Source {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "11".repeat(20));
  private static final PrivateCall CALL =
      new PrivateCall(CONTRACT, "token", Identity.parse("a@node1"), "burn", Bytes.utf8("{}"));

  private final FreshIntents fresh = new FreshIntents(16);
  private final List<List<Intent>> submitted = new ArrayList<>();
  private final Deque<CompletableFuture<List<Answer>>> answers = new ArrayDeque<>();
  private List<Ended> receipts = List.of();
  private int left;
  private int page = 1;
  private final Totals totals = new Totals();

  /** CNF-9: all that members send is told at every node, for as long as a run lasts. */
  @Test
  void whatOtherNodesHaveSentIsNotKept() {
    var load = load(false);
    receipts = List.of(ended(id(1), false), ended(id(2), false));
    step(load);
    assertThat(load.early()).isZero();

    receipts = List.of(ended(id(3), true));
    step(load);
    step(load);
    assertThat(load.early()).as("an own one, that comes before its answer").isEqualTo(1);
  }

  @Test
  void aReceiptMayComeBeforeTheAnswer() {
    var load = load(false);
    left = 1;
    step(load);
    receipts = List.of(ended(id(1), true));
    step(load);
    step(load);
    answers.getLast().complete(List.of(new Answer(Optional.of(id(1)), "")));
    step(load);

    assertThat(totals.confirmedNow()).isEqualTo(1);
    assertThat(totals.latencies().count()).isEqualTo(1);
    assertThat(load.outstanding()).isZero();
  }

  @Test
  void whatGetsNoAnswerIsSubmittedAgain() {
    var load = load(false);
    left = 2;
    step(load);
    answers.getLast().completeExceptionally(new IOException("It was killed."));

    again(load);
    assertThat(submitted).hasSize(2);
    assertThat(submitted.get(1)).isEqualTo(submitted.get(0));
    assertThat(totals.repeated()).isEqualTo(2);
    assertThat(totals.lastFailure()).hasValue("node1: It was killed.");
  }

  @Test
  void aRefusedOneIsCounted() {
    var load = load(false);
    left = 1;
    step(load);
    answers.getLast().complete(List.of(new Answer(Optional.empty(), "Not this one.")));
    step(load);

    assertThat(totals.refused()).isEqualTo(1);
    assertThat(totals.firstRefusal()).hasValue("Not this one.");
    assertThat(load.outstanding()).isZero();
  }

  @Test
  void aRefusedOneIsSubmittedAgainByALoadThatInsists() {
    var load = load(true);
    left = 1;
    step(load);
    answers.getLast().complete(List.of(new Answer(Optional.empty(), "Too many.")));

    again(load);
    assertThat(submitted.get(1)).isEqualTo(submitted.get(0));
    assertThat(totals.refused()).isZero();
    assertThat(load.outstanding()).isEqualTo(1);
  }

  @Test
  void nothingIsSubmittedBeforeTheReceiptsOfAnEarlierStartAreRead() {
    var load = load(false);
    left = 1;
    receipts = List.of(ended(id(1), true));
    load.step(this, 10);
    load.step(this, 10);
    assertThat(submitted).isEmpty();
    step(load);
    answers.getLast().complete(List.of(new Answer(Optional.of(id(1)), "")));
    step(load);

    assertThat(totals.confirmed()).isEqualTo(1);
    assertThat(totals.confirmedNow()).isZero();
  }

  /** A node that starts again, while the others submit. */
  @Test
  void whatOthersGoOnSendingKeepsNobodyFromSubmitting() {
    var load = load(false);
    left = 1;
    page = 2;
    for (int i = 1; i < 4; i++) {
      receipts = List.of(ended(id(i), false));
      load.step(this, 10);
    }

    assertThat(submitted).hasSize(1);
  }

  private NodeLoad load(boolean insists) {
    return new NodeLoad("node1", this, this, totals, insists);
  }

  private void step(NodeLoad load) {
    for (int i = 0; i < 3; i++) {
      load.step(this, 10);
    }
  }

  private void again(NodeLoad load) {
    int before = submitted.size();
    Awaitility.await()
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              load.step(this, 10);
              return submitted.size() > before;
            });
  }

  private static TransactionId id(int number) {
    return new TransactionId(new UUID(0, number));
  }

  private static Ended ended(TransactionId id, boolean own) {
    return new Ended(id, own, true, Optional.empty(), Optional.empty());
  }

  @Override
  public int together() {
    return 10;
  }

  @Override
  public int atOnce() {
    return 1;
  }

  @Override
  public CompletableFuture<List<Answer>> submit(List<Intent> intents) {
    submitted.add(intents);
    answers.add(new CompletableFuture<>());
    return answers.getLast();
  }

  @Override
  public int page() {
    return page;
  }

  @Override
  public CompletableFuture<List<Ended>> next(Set<TransactionId> open) {
    var page = receipts;
    receipts = List.of();
    return CompletableFuture.completedFuture(page);
  }

  @Override
  public Optional<Timed> next(long now) {
    return left-- > 0
        ? Optional.of(new Timed(CALL.intent(fresh, Optional.of("key-" + left)), now))
        : Optional.empty();
  }

  @Override
  public boolean isDone() {
    return left <= 0;
  }
}
