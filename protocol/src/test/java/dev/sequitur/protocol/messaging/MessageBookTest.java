package dev.sequitur.protocol.messaging;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.GroupMessage.Content;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.message.GroupMessagesAcknowledgement;
import dev.sequitur.protocol.messaging.DeliveryTable.DeliveryState;
import dev.sequitur.protocol.messaging.MessageBook.Answer;
import dev.sequitur.protocol.messaging.MessageBook.Forget;
import dev.sequitur.protocol.messaging.MessageBook.Input;
import dev.sequitur.protocol.messaging.MessageBook.Keep;
import dev.sequitur.protocol.messaging.MessageBook.Load;
import dev.sequitur.protocol.messaging.MessageBook.Outcome;
import dev.sequitur.protocol.messaging.MessageBook.Read;
import dev.sequitur.protocol.port.MessageStore;
import dev.sequitur.protocol.port.MessageStore.Following;
import dev.sequitur.protocol.settings.SequencerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages reach the other nodes of a group in order and once, and what waits is bounded. */
class MessageBookTest {
  private static final NodeName STRANGER = new NodeName("stranger");

  private MessageBook book = new MessageBook(A, Contract.GROUP, SequencerSettings.DEFAULT);
  private final List<GroupMessage> kept = new ArrayList<>();
  private final List<MessageBookEvent> journal = new ArrayList<>();
  private MessageBookState state = MessageBookState.initial();
  private Instant now = Instant.EPOCH;
  private Decision<MessageBookState, MessageBookEvent, MessageBook.Effect> last;

  @BeforeEach
  void begin() {
    restart();
  }

  @Test
  void aMessageIsKeptAndThenItsCallerIsAnsweredAndItIsReadForEachOther() {
    write("one");

    assertThat(last.messages()).isEmpty();
    assertThat(last.effects())
        .containsExactly(
            keep(own(1, "one")),
            new Answer(1, new Outcome.Sent(own(1, "one").id())),
            new Read(B, 0),
            new Read(C, 0));
    assertThat(state.isIdle()).isFalse();
  }

  @Test
  void whatIsWrittenWhileABatchIsOnItsWayGoesWithTheNext() {
    write("one");
    read(B, 0);
    assertThat(last.messages()).containsExactly(Outgoing.of(B, batch(1, "one")));

    write("two");
    write("three");
    assertThat(last.effects()).doesNotContain(new Read(B, 0), new Read(C, 0));
    assertThat(last.messages()).isEmpty();
    acknowledge(B, 1);
    assertThat(last.effects()).containsExactly(new Read(B, 1));
    read(B, 1);

    assertThat(last.messages()).containsExactly(Outgoing.of(B, batch(2, "two", "three")));
    acknowledge(B, 3);
    assertThat(state.deliveryTo(B)).isEqualTo(DeliveryState.UP_TO_DATE);
    assertThat(state.deliveryTo(C)).isEqualTo(DeliveryState.READING);
  }

  @Test
  void whatIsNotAcknowledgedComesAgainUntilItIs() {
    write("one");
    read(B, 0);

    later(Duration.ofSeconds(1));
    assertThat(last.messages()).containsExactly(Outgoing.of(B, batch(1, "one")));
    tell(new Input.Tick());
    assertThat(last.messages()).as("not at once").isEmpty();
    later(Duration.ofSeconds(20));
    assertThat(last.messages()).containsExactly(Outgoing.of(B, batch(1, "one")));
    acknowledge(B, 1);
    later(Duration.ofSeconds(20));

    assertThat(last.messages()).isEmpty();
    assertThat(state.exchanges().open()).isEmpty();
  }

  @Test
  void aBatchIsBoundedInNumberAndInLength() {
    IntStream.rangeClosed(1, 70).forEach(i -> write("m" + i));
    read(B, 0);
    assertThat(sent().contents()).hasSize(GroupMessages.MOST);

    acknowledge(B, 64);
    var big = "x".repeat(Content.MOST_BYTES - "topic".length());
    IntStream.rangeClosed(1, 20).forEach(i -> write(big));
    read(B, 70);
    assertThat(sent().contents()).hasSize(16);
  }

  @Test
  void aReceiverKeepsWhatIsNextInLineAndAcknowledgesWhatItHas() {
    tell(new Input.Told(Contract.from(B, batch(1, "one", "two"))));

    assertThat(last.effects()).containsExactly(keep(of(B, 1, "one"), of(B, 2, "two")));
    assertThat(answer()).isEqualTo(new GroupMessagesAcknowledgement(ADDRESS, 2, false));

    tell(new Input.Told(Contract.from(B, batch(1, "one", "two"))));
    assertThat(last.effects()).isEmpty();
    assertThat(answer()).isEqualTo(new GroupMessagesAcknowledgement(ADDRESS, 2, false));

    tell(new Input.Told(Contract.from(B, batch(2, "two", "three"))));
    assertThat(last.effects()).containsExactly(keep(of(B, 3, "three")));
    assertThat(answer()).isEqualTo(new GroupMessagesAcknowledgement(ADDRESS, 3, false));
    assertThat(state.isIdle()).isTrue();
  }

  @Test
  void whatIsBehindTheNextInLineIsNotKeptAndAskedForAgain() {
    tell(new Input.Told(Contract.from(B, batch(1, "one"))));
    tell(new Input.Told(Contract.from(B, batch(3, "three"))));

    assertThat(last.effects()).isEmpty();
    assertThat(answer()).isEqualTo(new GroupMessagesAcknowledgement(ADDRESS, 1, true));
    assertThat(state.receivedFrom(B)).isEqualTo(1);
  }

  @Test
  void eachSenderHasALineOfItsOwn() {
    tell(new Input.Told(Contract.from(B, batch(1, "b"))));
    tell(new Input.Told(Contract.from(C, batch(1, "c"))));
    write("a");

    assertThat(kept).containsExactly(of(B, 1, "b"), of(C, 1, "c"), own(1, "a"));
  }

  /** Who is believed (MSG-7). */
  @Test
  void nobodyElseIsToldOrBelieved() {
    write("one");
    read(B, 0);

    tell(new Input.Told(Contract.from(STRANGER, batch(1, "one"))));
    assertThat(last.messages()).isEmpty();
    assertThat(last.effects()).isEmpty();
    tell(new Input.Told(Contract.from(A, batch(1, "one"))));
    assertThat(last.effects()).isEmpty();
    acknowledge(STRANGER, 1);
    acknowledge(C, 1);
    assertThat(last.events()).isEmpty();
    assertThat(state.deliveryTo(B)).isEqualTo(DeliveryState.ON_ITS_WAY);
    assertThat(state.acknowledged()).isEmpty();
  }

  /** MSG-7: whoever lies about it goes without what it lies about, and nobody else does. */
  @Test
  void whoAcknowledgesMoreThanWasWrittenHasAll() {
    write("one");
    read(B, 0);
    acknowledge(B, 2);

    assertThat(last.events()).containsExactly(new MessageBookEvent.Acknowledged(B, 1));
    assertThat(state.deliveryTo(B)).isEqualTo(DeliveryState.UP_TO_DATE);
    write("two");
    read(B, 1);
    assertThat(last.messages()).containsExactly(Outgoing.of(B, batch(2, "two")));
  }

  /** MSG-9: though it does not know which numbers it has forgotten. */
  @Test
  void aNodeThatWasSetBackGivesNoNumberTwice() {
    now = Instant.ofEpochMilli(1_000);
    restart();
    write("one");
    write("two");
    read(B, 0);
    acknowledge(B, 1_001);
    assertThat(timeless(kept)).containsExactly(own(1_000, "one"), own(1_001, "two"));

    kept.clear();
    journal.clear();
    now = Instant.ofEpochMilli(5_000);
    restart();
    write("three");
    write("four");
    assertThat(timeless(kept)).containsExactly(own(5_000, "three"), own(5_001, "four"));

    read(B, 0);
    assertThat(timeless(sent())).isEqualTo(batch(0, 5_000, "three", "four"));
  }

  /** What its sender has forgotten since, it keeps; what comes after the gap follows it. */
  @Test
  void aReceiverKeepsAllOfASenderThatWasSetBack() {
    tell(new Input.Told(Contract.from(B, batch(0, 1_000, "one", "two"))));
    assertThat(last.effects())
        .containsExactly(
            new Keep(
                now,
                List.of(
                    new Following(0, of(B, 1_000, "one")),
                    new Following(1_000, of(B, 1_001, "two")))));

    // Of its present records only the first was sent before.
    tell(new Input.Told(Contract.from(B, batch(1_000, 5_000, "three"))));
    assertThat(last.effects())
        .containsExactly(new Keep(now, List.of(new Following(1_001, of(B, 5_000, "three")))));
    assertThat(answer()).isEqualTo(new GroupMessagesAcknowledgement(ADDRESS, 5_000, false));

    tell(new Input.Told(Contract.from(B, batch(5_002, 9_000, "five"))));
    assertThat(last.effects()).as("something is between").isEmpty();
    assertThat(answer()).isEqualTo(new GroupMessagesAcknowledgement(ADDRESS, 5_000, true));
  }

  /** It had been acknowledged more than the sender knows of now. */
  @Test
  void whatASetBackSenderSendsAgainIsAcknowledgedAndItGoesOn() {
    write("one");
    read(B, 0);
    acknowledge(B, 7);
    now = Instant.ofEpochMilli(5_000);
    restart();
    write("two");
    read(B, 1);

    assertThat(timeless(sent())).isEqualTo(batch(1, 5_000, "two"));
  }

  @Test
  void aBatchEndsWhereThereIsAGap() {
    write("one");
    write("two");
    now = Instant.ofEpochMilli(5_000);
    restart();
    write("three");

    read(B, 0);
    assertThat(timeless(sent())).isEqualTo(batch(1, "one", "two"));
    acknowledge(B, 2);
    read(B, 2);
    assertThat(timeless(sent())).isEqualTo(batch(2, 5_000, "three"));
    later(Duration.ofSeconds(1));
    assertThat(timeless(sent())).isEqualTo(batch(2, 5_000, "three"));
  }

  /** A clock that is behind gives no number that is there. */
  @Test
  void numbersRiseWhateverTheClockSays() {
    now = Instant.ofEpochMilli(5_000);
    restart();
    write("one");
    now = Instant.ofEpochMilli(100);
    restart();
    write("two");

    assertThat(timeless(kept)).containsExactly(own(5_000, "one"), own(5_001, "two"));
  }

  @Test
  void howManyWaitIsCountedOverGaps() {
    for (int life = 1; life <= 4; life++) {
      now = Instant.ofEpochMilli(life * 100_000L);
      restart();
      IntStream.rangeClosed(1, MessageBook.MOST_WAITING / 4).forEach(i -> write("m"));
      assertThat(last.effects()).doesNotContain(new Answer(1, new Outcome.TooMany(B)));
    }
    write("too many");
    assertThat(last.effects()).containsExactly(new Answer(1, new Outcome.TooMany(B)));

    read(B, 0);
    acknowledge(B, 100_000);
    read(C, 0);
    acknowledge(C, 100_001);
    write("again");
    assertThat(last.effects()).hasAtLeastOneElementOfType(Keep.class);
    assertThat(state.numbers().runs()).hasSize(4);
    assertThat(state.numbers().runs().get(0)).isEqualTo(new WrittenNumbers.Run(100_001, 100_249));
  }

  @Test
  void aPartOfABatchCanBeAcknowledged() {
    write("one");
    write("two");
    read(B, 0);
    acknowledge(B, 1);
    assertThat(last.effects()).containsExactly(new Read(B, 1));

    // It was on its way all the same.
    acknowledge(B, 2);
    assertThat(last.events()).isEmpty();
    read(B, 1);
    assertThat(last.messages()).containsExactly(Outgoing.of(B, batch(2, "two")));
    acknowledge(B, 1);
    assertThat(last.events()).isEmpty();
  }

  @Test
  void aReceiverThatLacksWhatItHadIsGivenItAgainWhenTheBatchWouldComeAgain() {
    write("one");
    write("two");
    read(B, 0);
    acknowledge(B, 2);
    write("three");
    read(B, 2);

    tell(
        new Input.Acknowledged(
            Contract.from(B, new GroupMessagesAcknowledgement(ADDRESS, 1, true))));
    assertThat(last.messages()).isEmpty();
    assertThat(last.effects()).isEmpty();
    later(Duration.ofSeconds(1));
    assertThat(last.effects()).containsExactly(new Read(B, 1));
    read(B, 1);

    assertThat(last.messages()).containsExactly(Outgoing.of(B, batch(2, "two", "three")));
    restart();
    assertThat(last.effects()).contains(new Read(B, 1));
  }

  /** A late one says nothing new. */
  @Test
  void anAcknowledgementOfLessDoesNotGoBackByItself() {
    write("one");
    write("two");
    read(B, 0);
    acknowledge(B, 2);
    write("three");
    read(B, 2);
    acknowledge(B, 1);
    assertThat(last.events()).isEmpty();

    // Asked for again from where it is: that is known, too.
    tell(
        new Input.Acknowledged(
            Contract.from(B, new GroupMessagesAcknowledgement(ADDRESS, 2, true))));
    assertThat(last.events()).isEmpty();
    assertThat(state.acknowledgedBy(B)).isEqualTo(2);
  }

  @Test
  void callersAreRefusedWhileTooManyWaitForOne() {
    IntStream.rangeClosed(1, MessageBook.MOST_WAITING).forEach(i -> write("m" + i));
    write("too many");
    assertThat(last.effects()).containsExactly(new Answer(1, new Outcome.TooMany(B)));

    read(B, 0);
    acknowledge(B, 64);
    write("too many for c");
    assertThat(last.effects()).containsExactly(new Answer(1, new Outcome.TooMany(C)));
    read(C, 0);
    acknowledge(C, 1);
    write("again");
    assertThat(last.effects())
        .contains(new Answer(1, new Outcome.Sent(GroupMessageId.of(ADDRESS, A, kept.size()))));
    assertThat(kept).hasSize(MessageBook.MOST_WAITING + 1);
  }

  @Test
  void aRestartGoesByWhatIsKeptAndSendsTheRestAgain() {
    write("one");
    write("two");
    read(B, 0);
    acknowledge(B, 1);
    tell(new Input.Told(Contract.from(C, batch(1, "of c"))));

    tell(new Input.Started());
    assertThat(last.effects()).containsExactly(new Load());
    assertThat(state.isIdle()).as("nothing is on its way").isTrue();
    assertThat(state.exchanges().open()).isEmpty();
    restart();
    assertThat(state.written()).isEqualTo(2);
    assertThat(state.receivedFrom(C)).isEqualTo(1);
    assertThat(last.effects()).containsExactly(new Read(B, 1), new Read(C, 0));

    // Of the life before.
    acknowledge(B, 2);
    assertThat(last.events()).isEmpty();
    read(B, 1);
    assertThat(last.messages()).containsExactly(Outgoing.of(B, batch(2, "two")));
  }

  /** Its caller was not answered, and nobody was told: the number is free. */
  @Test
  void whatWasNotKeptWhenTheProcessEndedWasNeverWritten() {
    write("one");
    write("lost");
    kept.remove(1);

    restart();
    write("two");

    assertThat(kept).containsExactly(own(1, "one"), own(2, "two"));
  }

  @Test
  void ofEachOtherTheNewestAreKeptAndTheRestIsForgotten() {
    keeping(2);
    tell(new Input.Told(Contract.from(B, batch(1, "one", "two"))));
    assertThat(last.effects()).doesNotHaveAnyElementsOfTypes(Forget.class);

    tell(new Input.Told(Contract.from(B, batch(3, "three", "four", "five"))));
    assertThat(last.effects()).endsWith(new Forget(B, 2));
    tell(new Input.Told(Contract.from(B, batch(3, "three", "four", "five"))));
    assertThat(last.effects()).as("it comes again").isEmpty();
    tell(new Input.Told(Contract.from(C, batch(1, "one"))));
    assertThat(last.effects()).as("of another").doesNotHaveAnyElementsOfTypes(Forget.class);
  }

  /** So whoever has lost some can have them again. */
  @Test
  void itsOwnStay() {
    keeping(1);

    IntStream.rangeClosed(1, 5).forEach(i -> write("m" + i));

    assertThat(last.effects()).doesNotHaveAnyElementsOfTypes(Forget.class);
  }

  @Test
  void whatIsForgottenGoesTogether() {
    keeping(300);
    var forgotten = new ArrayList<Forget>();
    for (int number = 1; number <= 346; number++) {
      tell(new Input.Told(Contract.from(B, batch(number, "m"))));
      last.effects().stream()
          .filter(Forget.class::isInstance)
          .map(Forget.class::cast)
          .forEach(forgotten::add);
    }

    assertThat(forgotten)
        .containsExactly(new Forget(B, 300), new Forget(B, 300), new Forget(B, 300));
  }

  /** The store deletes no more than so many at a time. */
  @Test
  void whereMuchIsKeptNoMoreGoesTogetherThanTheStoreDeletes() {
    keeping(200_000);
    var fifty = Collections.nCopies(50, "m").toArray(String[]::new);
    long before = 0;
    for (long first = 1; first < 203_000; first += fifty.length) {
      tell(new Input.Told(Contract.from(B, batch(first, fifty))));
      for (var effect : last.effects()) {
        if (effect instanceof Forget) {
          long last = first + fifty.length - 1;
          assertThat(last - Math.max(before, 200_000))
              .isBetween(1L, (long) MessageStore.MOST_FORGOTTEN);
          before = last;
        }
      }
    }

    assertThat(before).isGreaterThan(202_000);
  }

  private void keeping(int messages) {
    var settings = SequencerSettings.DEFAULT;
    book =
        new MessageBook(
            A, Contract.GROUP, settings.withLimits(settings.limits().withMessagesKept(messages)));
  }

  /** CMT-7: what was written after it left is not for it, whatever it acknowledges. */
  @Test
  void whoHasLeftIsToldNothingThatIsWrittenLater() {
    var group = new AtomicReference<>(Contract.GROUP);
    book = new MessageBook(A, ADDRESS, group::get, SequencerSettings.DEFAULT);
    restart();
    write("one");
    read(B, 0);
    group.set(Contract.without(B, new BlockHeight(7)));
    write("two");

    acknowledge(B, 1);

    assertThat(last.effects()).isEmpty();
    later(Duration.ofMinutes(1));
    assertThat(last.messages()).extracting(Outgoing::to).doesNotContain(B);
  }

  /** MSG-10: what is written before it came is not for it, also if it was there before. */
  @Test
  void messagesBeginWithTheChangeByWhichANodeComes() {
    var group = new AtomicReference<>(Contract.without(B, new BlockHeight(7)));
    book = new MessageBook(A, ADDRESS, group::get, SequencerSettings.DEFAULT);
    restart();
    write("one");
    write("two");

    group.set(Contract.again(group.get(), new BlockHeight(9)));
    later(Duration.ofMillis(100));
    assertThat(last.effects()).doesNotContain(new Read(B, 0));
    write("three");
    assertThat(last.effects()).contains(new Read(B, 2));
    read(B, 2);
    assertThat(timeless(sent())).isEqualTo(batch(0, 3, "three"));

    restart();
    assertThat(last.effects()).as("after a restart").contains(new Read(B, 2));
    read(B, 2);
    acknowledge(B, 3);
    assertThat(state.deliveryTo(B)).isEqualTo(DeliveryState.UP_TO_DATE);
  }

  /** MSG-10: also if it has lost what it had before it left. */
  @Test
  void whoComesBackWithoutItsRecordsIsSentNothingOfBeforeItCame() {
    var group = new AtomicReference<>(Contract.GROUP);
    book = new MessageBook(A, ADDRESS, group::get, SequencerSettings.DEFAULT);
    restart();
    write("one");
    read(B, 0);
    acknowledge(B, 1);
    group.set(Contract.without(B, new BlockHeight(7)));
    write("two");
    group.set(Contract.again(group.get(), new BlockHeight(9)));
    write("three");
    read(B, 2);
    assertThat(timeless(sent())).isEqualTo(batch(1, 3, "three"));

    tell(
        new Input.Acknowledged(
            Contract.from(B, new GroupMessagesAcknowledgement(ADDRESS, 0, true))));
    later(Duration.ofSeconds(1));
    assertThat(last.effects()).contains(new Read(B, 2));
    read(B, 2);
    assertThat(timeless(sent())).isEqualTo(batch(0, 3, "three"));
  }

  /** MSG-10: what was on its way as it left is not for it, nor what is read just then. */
  @Test
  void whoLeavesAndComesBackAtOnceIsSentNothingOfBefore() {
    var group = new AtomicReference<>(Contract.GROUP);
    book = new MessageBook(A, ADDRESS, group::get, SequencerSettings.DEFAULT);
    restart();
    write("one");
    group.set(Contract.again(Contract.without(B, new BlockHeight(7)), new BlockHeight(9)));
    read(B, 0);
    assertThat(last.messages()).isEmpty();
    later(Duration.ofMinutes(1));
    assertThat(last.messages()).isEmpty();
    assertThat(state.beginsAfter(B)).isEqualTo(1);
  }

  /** Of what waits for a node that has come, only what is for it counts. */
  @Test
  void callersAreNotRefusedForWhatIsNotForWhoHasCome() {
    var group = new AtomicReference<>(Contract.without(B, new BlockHeight(7)));
    book = new MessageBook(A, ADDRESS, group::get, SequencerSettings.DEFAULT);
    restart();
    for (int i = 0; i < MessageBook.MOST_WAITING; i += 50) {
      IntStream.rangeClosed(1, 50).forEach(each -> write("m"));
      read(C, i);
      acknowledge(C, i + 50);
    }
    group.set(Contract.again(group.get(), new BlockHeight(9)));
    write("one more");
    assertThat(last.effects()).hasAtLeastOneElementOfType(Keep.class);
  }

  /** CMT-8: they would not take it. What they lack still they get if it is added again. */
  @Test
  void whoIsRemovedTellsNobodyAndGoesOnWhenItComesBack() {
    var group = new AtomicReference<>(Contract.GROUP);
    book = new MessageBook(A, ADDRESS, group::get, SequencerSettings.DEFAULT);
    restart();
    write("one");
    read(B, 0);
    group.set(Contract.without(A, new BlockHeight(7)));
    later(Duration.ofMinutes(1));
    later(Duration.ofMinutes(1));
    assertThat(last.messages()).isEmpty();
    assertThat(state.exchanges().open()).isEmpty();

    group.set(Contract.GROUP);
    write("two");
    assertThat(last.effects()).contains(new Read(B, 0));
  }

  @Test
  void whoHasLeftIsNotSentAgainWhatItDoesNotAcknowledgeNorWhatIsBeingRead() {
    var group = new AtomicReference<>(Contract.GROUP);
    book = new MessageBook(A, ADDRESS, group::get, SequencerSettings.DEFAULT);
    restart();
    write("one");
    read(B, 0);
    group.set(Contract.without(B, new BlockHeight(7)));
    later(Duration.ofMinutes(1));
    assertThat(last.messages()).isEmpty();

    group.set(Contract.GROUP);
    write("two");
    assertThat(last.effects()).contains(new Read(B, 0));
    group.set(Contract.without(B, new BlockHeight(7)));
    read(B, 0);
    assertThat(last.messages()).isEmpty();
    later(Duration.ofMinutes(1));
    assertThat(last.messages()).isEmpty();
  }

  // The surroundings

  private void write(String data) {
    tell(new Input.Write(1, Optional.empty(), "topic", Bytes.utf8(data)));
  }

  private void read(NodeName to, long after) {
    var messages =
        kept.stream()
            .filter(each -> each.from().equals(A) && each.number() > after)
            .limit(GroupMessages.MOST)
            .toList();
    tell(new Input.WereRead(to, messages));
  }

  private void acknowledge(NodeName by, long upTo) {
    var message = new GroupMessagesAcknowledgement(ADDRESS, upTo, false);
    tell(Input.of(Contract.from(by, message)));
  }

  private void later(Duration time) {
    now = now.plus(time);
    tell(new Input.Tick());
  }

  private void restart() {
    state = book.machine().recover(journal);
    tell(book.machine().first().apply(now).orElseThrow());
    Map<NodeName, Long> newest = new HashMap<>();
    kept.forEach(each -> newest.merge(each.from(), each.number(), Math::max));
    var written =
        kept.stream().filter(each -> each.from().equals(A)).map(GroupMessage::number).toList();
    tell(new Input.Found(newest, written));
  }

  private void tell(Input input) {
    last = book.decide(state, input, now);
    state = last.state();
    journal.addAll(last.events());
    for (var effect : last.effects()) {
      if (effect instanceof Keep keep) {
        keep.messages().forEach(each -> kept.add(each.message()));
      }
    }
  }

  private GroupMessages sent() {
    return (GroupMessages) last.messages().get(0).message();
  }

  private List<GroupMessage> timeless(List<GroupMessage> messages) {
    return messages.stream()
        .map(each -> of(each.from(), each.number(), each.content().data().toUtf8()))
        .toList();
  }

  private GroupMessages timeless(GroupMessages batch) {
    var data = batch.contents().stream().map(each -> each.data().toUtf8()).toArray(String[]::new);
    return batch(batch.after(), batch.first(), data);
  }

  private Object answer() {
    return last.messages().get(0).message();
  }

  /** Of numbers without a gap. */
  private Keep keep(GroupMessage... messages) {
    return new Keep(
        now, Stream.of(messages).map(each -> new Following(each.number() - 1, each)).toList());
  }

  private GroupMessage own(long number, String data) {
    return of(A, number, data);
  }

  private GroupMessage of(NodeName from, long number, String data) {
    return new GroupMessage(ADDRESS, from, number, content(data));
  }

  private GroupMessages batch(long first, String... data) {
    return batch(first - 1, first, data);
  }

  private GroupMessages batch(long after, long first, String... data) {
    return new GroupMessages(ADDRESS, after, first, Stream.of(data).map(this::content).toList());
  }

  private Content content(String data) {
    return new Content(Instant.EPOCH, Optional.empty(), "topic", Bytes.utf8(data));
  }
}
