package dev.sequitur.protocol.errand;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.messaging.MessageBook.Answer;
import dev.sequitur.protocol.messaging.MessageBook.Keep;
import dev.sequitur.protocol.messaging.MessageBook.Outcome;
import dev.sequitur.protocol.port.MessageStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a message book has done by others. */
class MessageBookErrandsTest implements MessageStore {
  private static final Outcome SENT = new Outcome.Sent(GroupMessageId.of(ADDRESS, A, 1));

  private final List<List<Following>> puts = new ArrayList<>();
  private final List<Integer> forgotten = new ArrayList<>();
  private final List<CompletableFuture<Void>> writes = new ArrayList<>();
  private final List<MessageBook.Input> told = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private boolean broken;
  private final MessageBookErrands errands =
      new MessageBookErrands(
          this,
          A,
          ADDRESS,
          new MessageBookErrands.Edge() {
            @Override
            public void tell(MessageBook.Input input) {
              told.add(input);
            }

            @Override
            public void failed(Throwable cause) {
              failures.add(cause);
            }
          });

  /** Or one could be kept while one before it is not. */
  @Test
  void messagesAreKeptOneWriteAfterTheOther() {
    var first = errands.keep(List.of(keep(1), keep(2))).toCompletableFuture();
    var second = errands.keep(List.of(keep(3))).toCompletableFuture();
    var nothing = errands.keep(List.of()).toCompletableFuture();
    assertThat(puts).containsExactly(List.of(following(1), following(2)));

    writes.get(0).complete(null);
    assertThat(first).isDone();
    assertThat(second).isNotDone();
    assertThat(nothing).isNotDone();
    assertThat(puts).hasSize(2);
    writes.get(1).complete(null);

    assertThat(nothing).isDone();
  }

  @Test
  void afterAWriteThatHasFailedNothingIsKept() {
    errands.keep(List.of(keep(1)));
    var second = errands.keep(List.of(keep(2))).toCompletableFuture();
    writes.get(0).completeExceptionally(new IllegalStateException("full"));

    assertThat(second).isCompletedExceptionally();
    assertThat(puts).hasSize(1);
  }

  @Test
  void eachCallerHasItsOwnAnswer() {
    var answers = new ArrayList<String>();
    errands.write(Optional.empty(), "t", Bytes.EMPTY, outcome -> answers.add("one " + outcome));
    var two =
        errands.write(Optional.empty(), "t", Bytes.EMPTY, outcome -> answers.add("two " + outcome));
    assertThat(two).isEqualTo(new MessageBook.Input.Write(2, Optional.empty(), "t", Bytes.EMPTY));
    errands.run(List.of(new Answer(2, new Outcome.TooMany(B)), new Answer(1, SENT)));

    assertThat(answers).containsExactly("two " + new Outcome.TooMany(B), "one " + SENT);
  }

  @Test
  void whatIsTooLongIsRefusedBeforeTheRulesSeeIt() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> errands.write(Optional.empty(), "", Bytes.EMPTY, outcome -> {}));
  }

  @Test
  void whatIsAskedForIsToldAndWhatCannotBeReadEndsTheLife() {
    errands.run(List.of(new MessageBook.Load(), new MessageBook.Read(B, 7)));
    assertThat(told)
        .containsExactly(
            new MessageBook.Input.Found(Map.of(B, 3L), List.of(5L, 6L)),
            new MessageBook.Input.WereRead(B, List.of(message(8))));

    broken = true;
    errands.run(List.of(new MessageBook.Read(B, 7)));
    assertThat(failures).hasSize(1);
  }

  @Test
  void whatNeedNotBeKeptIsForgottenAndADiskThatDoesNotEndsTheLife() {
    errands.run(List.of(new MessageBook.Forget(B, 7)));
    assertThat(forgotten).containsExactly(7);

    broken = true;
    errands.run(List.of(new MessageBook.Forget(B, 8)));
    assertThat(failures).hasSize(1);
  }

  private static Keep keep(long number) {
    return new Keep(Instant.EPOCH, List.of(following(number)));
  }

  private static Following following(long number) {
    return new Following(number - 1, message(number));
  }

  private static GroupMessage message(long number) {
    return new GroupMessage(
        ADDRESS,
        A,
        number,
        new GroupMessage.Content(Instant.EPOCH, Optional.empty(), "topic", Bytes.EMPTY));
  }

  @Override
  public CompletionStage<Void> putMessages(Instant at, List<Following> messages) {
    puts.add(messages);
    var write = new CompletableFuture<Void>();
    writes.add(write);
    return write;
  }

  @Override
  public CompletionStage<Void> forgetMessages(ContractAddress contract, NodeName from, int keep) {
    forgotten.add(keep);
    return broken
        ? CompletableFuture.failedFuture(new IllegalStateException("gone"))
        : CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Map<NodeName, Long>> newestMessages(ContractAddress contract) {
    return CompletableFuture.completedFuture(Map.of(B, 3L));
  }

  @Override
  public CompletionStage<List<Long>> newestNumbers(
      ContractAddress contract, NodeName from, int most) {
    assertThat(from).isEqualTo(A);
    assertThat(most).isEqualTo(MessageBook.MOST_WAITING);
    return CompletableFuture.completedFuture(List.of(5L, 6L));
  }

  @Override
  public CompletionStage<List<GroupMessage>> messagesAfter(
      ContractAddress contract, NodeName from, long after, int limit) {
    return broken
        ? CompletableFuture.failedFuture(new IllegalStateException("gone"))
        : CompletableFuture.completedFuture(List.of(message(after + 1)));
  }
}
