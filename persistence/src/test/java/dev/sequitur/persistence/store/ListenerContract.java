package dev.sequitur.persistence.store;

import static dev.sequitur.protocol.port.ListenerStore.ListenerKind.EVENTS;
import static dev.sequitur.protocol.port.ListenerStore.ListenerKind.MESSAGES;
import static dev.sequitur.protocol.port.ListenerStore.ListenerKind.RECEIPTS;
import static dev.sequitur.protocol.port.ListenerStore.ListenerKind.WEBHOOKS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.EventNumbers;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import dev.sequitur.protocol.port.MessageStore.Following;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What holds for the {@link ListenerStore} beside every node store. */
abstract class ListenerContract extends ReceiptContract {
  static final ContractAddress GROUP_OF_MESSAGES = new ContractAddress("0x" + "12".repeat(20));

  /** Of the node that has the store. */
  protected abstract ListenerStore listeners();

  @Test
  public void aListenerIsCreatedOnceAndRefusedWithOtherProperties() {
    var listener = listener("l", "a");

    assertThat(get(listeners().create(RECEIPTS, listener))).isTrue();
    assertThat(get(listeners().create(RECEIPTS, listener("l", "a")))).isTrue();
    assertThat(get(listeners().create(RECEIPTS, listener("l", "b")))).isFalse();
    assertThat(get(listeners().find(RECEIPTS, "l"))).contains(listener);
  }

  @Test
  public void anAcknowledgementIsRememberedAndNeverFallsBack() {
    get(listeners().create(RECEIPTS, listener("l", "a")));
    get(store().complete(List.of(confirmed(intent(hash())), confirmed(intent(hash())))));

    acknowledge(RECEIPTS, listener("l", "a"), 2);
    acknowledge(RECEIPTS, listener("l", "a"), 1);
    get(listeners().create(RECEIPTS, listener("l", "a")));

    assertThat(get(listeners().find(RECEIPTS, "l")).orElseThrow().acknowledged()).isEqualTo(2);
  }

  @Test
  public void whatAListenerComesToLaterIsRememberedWithIt() {
    get(listeners().create(RECEIPTS, listener("l", "a")));
    get(store().complete(List.of(confirmed(intent(hash())), confirmed(intent(hash())))));
    var held = List.of(new HeldBack.Row(1, true), new HeldBack.Row(2, false));

    get(listeners().acknowledge(RECEIPTS, listener("l", "a"), new Taken(2, held, List.of())));

    assertThat(get(listeners().find(RECEIPTS, "l")).orElseThrow().heldBack().rows())
        .isEqualTo(held);
    get(
        listeners()
            .acknowledge(RECEIPTS, listener("l", "a"), new Taken(1, List.of(), List.of(1L))));
    assertThat(get(listeners().all(RECEIPTS)))
        .containsExactly(listener("l", "a").taken(new Taken(2, held.subList(1, 2), List.of())));
    get(listeners().delete(RECEIPTS, "l"));
    get(listeners().create(RECEIPTS, listener("l", "a")));
    assertThat(get(listeners().find(RECEIPTS, "l"))).contains(listener("l", "a"));
  }

  @Test
  public void anAcknowledgementOfWhatDoesNotExistFails() {
    get(listeners().create(RECEIPTS, listener("l", "a")));

    assertThatThrownBy(() -> acknowledge(RECEIPTS, listener("l", "a"), 1))
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  public void whatWasTakenOfAListenerThatIsGoneIsNotTakenOfOneOfItsName() {
    get(store().complete(List.of(confirmed(intent(hash())))));
    var gone = listener("l", "a");
    assertThat(acknowledge(RECEIPTS, gone, 1)).isFalse();

    get(listeners().create(RECEIPTS, listener("l", "b")));

    assertThat(acknowledge(RECEIPTS, gone, 1)).isFalse();
    assertThat(get(listeners().find(RECEIPTS, "l"))).contains(listener("l", "b"));
  }

  private boolean acknowledge(ListenerKind kind, Listener listener, long upTo) {
    return get(listeners().acknowledge(kind, listener, Taken.upTo(upTo)));
  }

  @Test
  public void aListenerWithOtherPropertiesGoesOnWhereItStoodAndIsAnotherForWhoServesIt() {
    var known = listener("l", "a");
    get(listeners().create(WEBHOOKS, known));
    acknowledge(WEBHOOKS, known, 7);
    get(listeners().stop(WEBHOOKS, "l", Optional.of(NOW)));
    var changed = listener("l", "b");

    assertThat(get(listeners().change(WEBHOOKS, known, changed.properties()))).isTrue();

    assertThat(get(listeners().find(WEBHOOKS, "l")))
        .contains(changed.withAcknowledged(7).withStopped(Optional.of(NOW)));
    assertThat(get(listeners().change(WEBHOOKS, known, known.properties()))).isFalse();
    assertThat(acknowledge(WEBHOOKS, known, 8)).isFalse();
    get(listeners().delete(WEBHOOKS, "l"));
    assertThat(get(listeners().change(WEBHOOKS, changed, known.properties()))).isFalse();
    assertThat(get(listeners().find(WEBHOOKS, "l"))).isEmpty();
  }

  @Test
  public void aDeletedListenerIsGone() {
    get(listeners().create(RECEIPTS, listener("l", "a")));

    assertThat(get(listeners().delete(RECEIPTS, "l"))).isTrue();
    assertThat(get(listeners().delete(RECEIPTS, "l"))).isFalse();
    assertThat(get(listeners().find(RECEIPTS, "l"))).isEmpty();
  }

  @Test
  public void aListenerIsStoppedAndStartedWhereItStands() {
    get(listeners().create(RECEIPTS, listener("l", "a")));
    get(store().complete(List.of(confirmed(intent(hash())))));
    acknowledge(RECEIPTS, listener("l", "a"), 1);

    assertThat(get(listeners().stop(RECEIPTS, "l", Optional.of(NOW)))).isTrue();
    assertThat(get(listeners().find(RECEIPTS, "l")).orElseThrow().stopped()).contains(NOW);
    assertThat(get(listeners().create(RECEIPTS, listener("l", "a")))).isTrue();
    assertThat(get(listeners().stop(RECEIPTS, "l", Optional.empty()))).isTrue();

    assertThat(get(listeners().find(RECEIPTS, "l")))
        .contains(listener("l", "a").withAcknowledged(1));
    assertThat(get(listeners().stop(RECEIPTS, "other", Optional.empty()))).isFalse();
  }

  @Test
  public void listenersAreListedByName() {
    get(listeners().create(RECEIPTS, listener("m", "a")));
    get(listeners().create(RECEIPTS, listener("l", "a")));

    assertThat(get(listeners().all(RECEIPTS))).extracting(Listener::name).containsExactly("l", "m");
  }

  @Test
  public void listenersOfAnotherKindHaveTheirOwnNamesAndNumbers() {
    get(listeners().create(RECEIPTS, listener("l", "a")));
    get(listeners().create(EVENTS, listener("l", "b")));
    get(listeners().create(EVENTS, listener("k", "b")));

    acknowledge(EVENTS, listener("l", "b"), 1L << 40);
    acknowledge(EVENTS, listener("l", "b"), 1L << 30);
    get(listeners().stop(EVENTS, "k", Optional.of(NOW)));

    assertThat(get(listeners().all(RECEIPTS))).containsExactly(listener("l", "a"));
    assertThat(get(listeners().all(EVENTS)))
        .containsExactly(
            listener("k", "b").withStopped(Optional.of(NOW)),
            listener("l", "b").withAcknowledged(1L << 40));
    assertThat(get(listeners().delete(RECEIPTS, "l"))).isTrue();
    assertThat(get(listeners().find(EVENTS, "l"))).isPresent();
    assertThat(acknowledge(RECEIPTS, listener("l", "a"), 0)).isFalse();
  }

  @Test
  public void listenersOfMessagesHaveNamesAndNumbersOfTheirOwn() {
    get(listeners().create(RECEIPTS, listener("l", "a")));
    get(listeners().create(MESSAGES, listener("l", "b")));
    get(store().putMessages(NOW, List.of(new Following(0, message(1)))));

    acknowledge(MESSAGES, listener("l", "b"), 1);

    assertThat(get(listeners().find(MESSAGES, "l")))
        .contains(listener("l", "b").withAcknowledged(1));
    assertThat(get(listeners().all(RECEIPTS))).containsExactly(listener("l", "a"));
    assertThatThrownBy(() -> acknowledge(MESSAGES, listener("l", "b"), 2))
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
    get(listeners().stop(MESSAGES, "l", Optional.of(NOW)));
    assertThat(get(listeners().delete(MESSAGES, "l"))).isTrue();
    assertThat(get(listeners().find(MESSAGES, "l"))).isEmpty();
    assertThat(get(listeners().find(RECEIPTS, "l"))).contains(listener("l", "a"));
  }

  /** What they were told of later blocks those have not, which stand in their places now. */
  @Test
  public void aReindexSetsListenersOfEventsBackToTheForkThatHaveComeFurther() {
    LongStream.rangeClosed(1, 9)
        .forEach(
            height -> get(store().putIndexedTo(new IndexedTo(new BlockHeight(height), hash()))));
    var fork = get(store().readSoFar()).orElseThrow().trail().getLast();
    long forkEnd = EventNumbers.lastOf(fork.height().value());
    long taken = EventNumbers.lastOf(9) - 5;
    var early = listener("early", "{}").withAcknowledged(3);
    var late = listener("late", "{}").withAcknowledged(taken);
    var toCome = listener("to come", "{}").withAcknowledged(EventNumbers.lastOf(50));
    for (var each : List.of(early, late, toCome)) {
      get(listeners().create(EVENTS, each));
    }
    var receipts = listener("late", "{}").withAcknowledged(taken);
    get(listeners().create(RECEIPTS, receipts));

    get(store().beginReindex(fork));

    var back = get(listeners().find(EVENTS, "late")).orElseThrow();
    assertThat(back.acknowledged()).isEqualTo(forkEnd);
    assertThat(back.again()).contains(taken);
    assertThat(get(listeners().find(EVENTS, "early"))).contains(early);
    assertThat(get(listeners().find(EVENTS, "to come"))).contains(toCome);
    assertThat(get(listeners().find(RECEIPTS, "late"))).contains(receipts);
    get(listeners().acknowledge(EVENTS, back, Taken.upTo(forkEnd + 7)));
    var further = get(listeners().find(EVENTS, "late")).orElseThrow();
    assertThat(further.acknowledged()).isEqualTo(forkEnd + 7);
    assertThat(further.again()).as("told again until there").contains(taken);
  }

  private Listener listener(String name, String properties) {
    return new Listener(name, Bytes.utf8(properties), NOW, 0, Optional.empty());
  }

  final GroupMessage message(long number) {
    return message(GROUP_OF_MESSAGES, new NodeName("node1"), number);
  }

  final GroupMessage message(ContractAddress contract, NodeName from, long number) {
    var content =
        new GroupMessage.Content(
            NOW, Optional.of(GroupMessageId.of(contract, from, 7)), "topic", Bytes.utf8("{}"));
    return new GroupMessage(contract, from, number, content);
  }
}
