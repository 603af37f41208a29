package dev.sequitur.schedule.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IntentStore;
import dev.sequitur.protocol.room.Room.Forgotten;
import dev.sequitur.schedule.port.ScheduledCalls.Ended;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A queue that looks for an end after the node has forgotten the receipt (ROM-2). */
class ForgottenEndTest {
  private static final TransactionId CALL = new TransactionId(new UUID(0, 1));
  private static final TransactionId NEVER = new TransactionId(new UUID(0, 2));

  @Test
  void whatIsLeftOfATransactionSaysHowItEnded() {
    assertThat(calls(true).ended(CALL).toCompletableFuture().join()).contains(new Ended(true, ""));
    assertThat(calls(false).ended(CALL).toCompletableFuture().join())
        .contains(new Ended(false, "It failed, and why is forgotten."));
    assertThat(calls(true).ended(NEVER).toCompletableFuture().join()).isEmpty();
  }

  private static ScheduledTransactions calls(boolean success) {
    var store =
        (IntentStore)
            Proxy.newProxyInstance(
                IntentStore.class.getClassLoader(),
                new Class<?>[] {IntentStore.class},
                (proxy, method, arguments) ->
                    CompletableFuture.completedFuture(
                        method.getName().equals("forgotten") && arguments[0].equals(CALL)
                            ? Optional.of(left(success))
                            : Optional.empty()));
    return new ScheduledTransactions(
        new ScheduledTransactions.Node(
            new NodeName("a"),
            true,
            contract -> Optional.empty(),
            InstantSource.fixed(Instant.EPOCH),
            (contract, from) -> {
              throw new IllegalStateException("Nothing is sent.");
            },
            () -> CALL),
        store,
        batch -> {
          throw new IllegalStateException("Nothing is sent.");
        });
  }

  private static Forgotten left(boolean success) {
    return new Forgotten(
        CALL, new ContractAddress("0x" + "ab".repeat(20)), true, success, Instant.EPOCH);
  }
}
