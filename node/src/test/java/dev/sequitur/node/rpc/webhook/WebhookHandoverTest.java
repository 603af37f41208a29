package dev.sequitur.node.rpc.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.rpc.method.ListenerFeed;
import dev.sequitur.node.rpc.method.Webhook;
import dev.sequitur.node.rpc.method.WebhookSender;
import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.listener.Delivering;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One JVM of a node sends; what it had on its way when it died, another one sends again. */
class WebhookHandoverTest {
  private static final long ROWS = 9;
  private static final int AT_ONCE = 2;
  private static final int KNOWN = 512;

  private final ActorTestKit kit = ActorTestKit.create();
  private final ListenerStore store = new InMemoryNodeStore().listeners();
  private final List<Long> sent = new CopyOnWriteArrayList<>();
  private volatile long taken = 4;

  WebhookHandoverTest() {
    var webhook =
        Webhook.fresh("orders", "https://books.example", JsonNodeFactory.instance.objectNode());
    store.create(
        ListenerKind.WEBHOOKS,
        new Listener("books", webhook.toBytes(), Instant.EPOCH, 0, Optional.empty()));
  }

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  @Test
  void theNextJvmGoesOnBehindWhatWasTakenAndLeavesNothingOut() {
    var first = jvm();
    await().until(() -> acknowledged() == taken && sent.contains(taken + AT_ONCE));
    assertThat(sent).doesNotContain(taken + AT_ONCE + 1);
    kit.stop(first);
    var before = List.copyOf(sent);

    taken = ROWS;
    jvm();
    await().until(() -> acknowledged() == ROWS);
    var after = sent.subList(before.size(), sent.size());
    assertThat(after).containsExactlyInAnyOrderElementsOf(numbers(5));
    assertThat(before).containsExactlyInAnyOrderElementsOf(numbers(1).subList(0, 4 + AT_ONCE));
  }

  @Test
  void whileTwoBelieveThatTheyAreTheOneNothingIsLeftOut() {
    taken = ROWS;
    jvm();
    jvm();
    await().until(() -> acknowledged() == ROWS);
    assertThat(sent).containsAll(numbers(1));
  }

  private static List<Long> numbers(long from) {
    return LongStream.rangeClosed(from, ROWS).boxed().toList();
  }

  private long acknowledged() {
    return store
        .find(ListenerKind.WEBHOOKS, "books")
        .toCompletableFuture()
        .join()
        .orElseThrow()
        .acknowledged();
  }

  private ActorRef<WebhookDispatcher.Command> jvm() {
    var pauses = new Backoff(Duration.ofMillis(20), Duration.ofMillis(100));
    return kit.spawn(
        WebhookDispatcher.create(
            new WebhookDispatcher.Setup(
                store,
                new Sender(),
                id -> new byte[32],
                webhook -> (after, heldBack, most) -> page(after, most),
                new Delivering(KNOWN, AT_ONCE, 3, Duration.ofMillis(10), pauses),
                System::nanoTime,
                new WebhookFigures(new PrometheusRegistry(), InstantSource.system()))));
  }

  private static CompletionStage<ListenerFeed.Page> page(long after, int most) {
    var rows =
        LongStream.rangeClosed(after + 1, Math.min(ROWS, after + most))
            .mapToObj(
                number ->
                    new ListenerFeed.Row(number, JsonText.object().put("schedule", "s" + number)))
            .toList();
    return CompletableFuture.completedFuture(
        new ListenerFeed.Page(rows, Math.max(after, Math.min(ROWS, after + most))));
  }

  /** Its receiver takes what it may, and answers nothing to what is beyond. */
  private final class Sender implements WebhookSender {
    @Override
    public CompletionStage<Answer> send(Receiver receiver, String id, byte[] body) {
      long number = Long.parseLong(id.substring(id.indexOf('.') + 1)) + 1;
      sent.add(number);
      return number <= taken
          ? CompletableFuture.completedFuture(new Answer.Taken())
          : new CompletableFuture<>();
    }

    @Override
    public void mustBeAllowed(String url) {}
  }
}
