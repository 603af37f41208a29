package dev.sequitur.node.rpc.listener;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.Effect;
import akka.actor.testkit.typed.javadsl.BehaviorTestKit;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.node.rpc.method.ListenerFeed;
import dev.sequitur.node.rpc.method.ListenerFeed.Page;
import dev.sequitur.node.rpc.method.ListenerFeed.Row;
import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.listener.Telling;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Several subscriptions to one listener, whose rows are the numbers from 1 to 9, one in a batch;
 * the test moves all time.
 */
class SharedListenerTest {
  private static final int ROWS = 9;
  private static final ServedListeners.Key KEY = new ServedListeners.Key(ListenerKind.EVENTS, "l");

  private final ListenerStore store = new InMemoryNodeStore().listeners();
  private final ServedListeners served = new ServedListeners();
  private final Listener listener =
      new Listener("l", Bytes.EMPTY, Instant.EPOCH, 0, Optional.empty());
  private final List<Receiver> receivers = new ArrayList<>();
  private Duration time = Duration.ZERO;

  SharedListenerTest() {
    store.create(ListenerKind.EVENTS, listener);
  }

  /** CLR-3. */
  @Test
  void anAcknowledgementThatComesTooLateCountsForNoOtherBatch() {
    var slow = new Receiver();
    var quick = new Receiver();
    assertThat(slow.rows).containsExactly(1);

    slow.isOverdue();
    quick.acknowledges();
    assertThat(quick.rows).startsWith(1);
    assertThat(acknowledged()).isEqualTo(1);
    slow.acknowledges();

    assertThat(acknowledged()).as("what was taken late had been taken before").isEqualTo(1);
    assertThat(onItsWay()).containsExactly(2);
  }

  @Test
  void whoHasNotAnsweredABatchGetsNoOtherUntilItDoes() {
    var slow = new Receiver();
    var quick = new Receiver();
    slow.isOverdue();
    for (int batch = 0; batch < 3; batch++) {
      quick.acknowledges();
    }
    assertThat(quick.rows).containsExactly(1, 2, 3, 4);
    assertThat(slow.rows).containsExactly(1);

    slow.refuses();
    quick.acknowledges();

    assertThat(slow.rows).containsExactly(1, 5);
  }

  @Test
  void theListenerGoesOnWithWhoAnswersLateWhenNobodyElseIsLeft() {
    var slow = new Receiver();
    var quick = new Receiver();
    slow.isOverdue();
    quick.acknowledges();
    quick.leaves();
    assertThat(slow.rows).containsExactly(1);

    slow.acknowledges();

    assertThat(slow.rows).containsExactly(1, 2);
    assertThat(acknowledged()).isEqualTo(1);
  }

  @Test
  void ifNobodyElseIsReadyOneWaitsForABatchToBeTakenHoweverLong() {
    var first = new Receiver();
    var second = new Receiver();
    first.isOverdue();
    second.isOverdue();

    second.acknowledges();

    assertThat(acknowledged()).isEqualTo(1);
    assertThat(second.rows).containsExactly(1, 2);
  }

  /** Clients of Paladin look for rows in the result of whatever is pushed. */
  @Test
  void whatIsPushedOfItsEndHasAResultWithoutRows() {
    var receiver = new Receiver();

    served.deleted(ListenerKind.EVENTS, "l");
    work();

    var end = receiver.pushed.getLast().path("params");
    assertThat(end.at("/error/message").textValue()).startsWith("SQ010405: ");
    assertThat(end.at("/result/events").isArray()).isTrue();
    assertThat(end.at("/result/events")).isEmpty();
  }

  /** Of all: what has been pushed and is neither taken nor left to another. */
  private List<Integer> onItsWay() {
    return receivers.stream()
        .map(each -> each.rows.getLast())
        .filter(row -> row > acknowledged())
        .toList();
  }

  private long acknowledged() {
    return store
        .find(ListenerKind.EVENTS, "l")
        .toCompletableFuture()
        .join()
        .orElseThrow()
        .acknowledged();
  }

  private void work() {
    boolean worked = true;
    while (worked) {
      worked = false;
      for (var each : receivers) {
        while (each.actor.isAlive() && each.actor.selfInbox().hasMessages()) {
          each.actor.runOne();
          worked = true;
        }
      }
    }
  }

  /** One subscription, with what its client has got. */
  private final class Receiver implements ListenerSubscription.Outlet {
    final List<Integer> rows = new ArrayList<>();
    final List<ObjectNode> pushed = new ArrayList<>();
    final BehaviorTestKit<ListenerSubscription.Command> actor;

    Receiver() {
      var feed =
          new ListenerFeed(
              "ptx_subscription",
              "events",
              1,
              Duration.ZERO,
              (after, none, most) ->
                  CompletableFuture.completedFuture(
                      after == ROWS
                          ? new Page(List.of(), after)
                          : new Page(
                              List.of(new Row(after + 1, IntNode.valueOf((int) after + 1))),
                              after + 1)));
      actor =
          BehaviorTestKit.create(
              ListenerSubscription.create(
                  new ListenerSubscription.Setup(
                      "s" + receivers.size(),
                      ListenerKind.EVENTS,
                      listener,
                      feed,
                      store,
                      RpcSettings.Timeouts.DEFAULT,
                      () -> time.toNanos(),
                      this)));
      receivers.add(this);
      served.serve(KEY, actor.getRef());
      tell(ListenerSubscription.Start.INSTANCE);
    }

    void acknowledges() {
      tell(ListenerSubscription.Acknowledge.INSTANCE);
    }

    void refuses() {
      tell(ListenerSubscription.Refuse.INSTANCE);
    }

    void isOverdue() {
      time = time.plus(Telling.LONGEST_TURN);
      actor.getAllEffects().stream()
          .filter(Effect.TimerScheduled.class::isInstance)
          .map(Effect.TimerScheduled.class::cast)
          .filter(timer -> timer.duration().equals(Telling.LONGEST_TURN))
          .map(timer -> (ListenerSubscription.Command) timer.msg())
          .findFirst()
          .ifPresentOrElse(
              this::tell,
              () -> {
                throw new AssertionError("Nothing is on its way to it.");
              });
    }

    void leaves() {
      served.release(KEY, actor.getRef());
      tell(ListenerSubscription.Stop.INSTANCE);
    }

    private void tell(ListenerSubscription.Command command) {
      actor.run(command);
      work();
    }

    @Override
    public void push(ObjectNode notification) {
      pushed.add(notification);
      notification.at("/params/result/events").forEach(row -> rows.add(row.intValue()));
    }

    @Override
    public boolean keepsTurn() {
      return served.keepsTurn(KEY, actor.getRef());
    }

    @Override
    public boolean keepsLateTurn() {
      return served.keepsLateTurn(KEY, actor.getRef());
    }

    @Override
    public void answeredLate() {
      served.answeredLate(KEY, actor.getRef());
    }

    @Override
    public void ended() {
      served.release(KEY, actor.getRef());
    }
  }
}
