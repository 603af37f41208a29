package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What holds for a sender whatever happens, restarts among it. */
class SenderHistoriesTest {
  private static final List<PrivateTransaction> INTENTS =
      List.of(
          Contract.transaction(A, 1),
          SenderOfA.after(2, Contract.transaction(A, 1)),
          SenderOfA.external(3),
          Contract.transaction(A, 4));

  private final SenderOfA sender = SenderOfA.started();
  private final Map<DelegationId, DelegationCommand> commands = new HashMap<>();
  private final Map<TransactionId, DelegationCommand> newest = new HashMap<>();
  private final Map<TransactionId, Receipt> receipts = new HashMap<>();
  private final Set<TransactionId> accepted = new HashSet<>();
  private final Set<TransactionId> fulfilled = new HashSet<>();

  @Property(tries = 300)
  void noDelegationIdIsUsedTwiceAndNoReceiptSaysThatWhatIsFulfilledHasFailed(@ForAll long seed) {
    new SenderHistoriesTest().live(new Random(seed));
  }

  private void live(Random random) {
    for (int i = 0; i < 60; i++) {
      happens(random, INTENTS.get(random.nextInt(INTENTS.size())));
      look();
    }
  }

  private void happens(Random random, PrivateTransaction intent) {
    var known = newest.get(intent.id());
    switch (random.nextInt(10)) {
      case 0 -> {
        if (accepted.add(intent.id())) {
          sender.accept(intent);
        }
      }
      case 1 -> sender.tickAfter(Duration.ofMillis(100 + random.nextInt(9_000)));
      case 2 -> restart();
      case 3 -> {
        if (accepted.contains(intent.id())) {
          fulfilled.add(intent.id());
          sender.confirm(intent);
        }
      }
      case 4, 5 -> {
        if (known != null) {
          sender.tell(
              known.delegateNode(),
              new DelegationAccepted(
                  known.delegationId(),
                  known.delegateNode(),
                  ADDRESS,
                  known.transactions(),
                  new HeartbeatSequence(1, 1)));
        }
      }
      case 6 -> {
        if (known != null) {
          sender.tell(
              known.delegateNode(),
              new DelegationRejected(
                  known.delegationId(),
                  known.delegateNode(),
                  ADDRESS,
                  known.transactions(),
                  new DelegationRejected.Overloaded(Duration.ofSeconds(1))));
        }
      }
      case 7 -> {
        if (known != null) {
          sender.tell(
              known.delegateNode(),
              new Dispatched(
                  ADDRESS,
                  List.of(new Dispatched.Item(intent.id(), known.delegationId())),
                  known.delegateNode()));
        }
      }
      default -> {
        var from =
            random.nextBoolean() || known == null
                ? (random.nextBoolean() ? B : C)
                : known.delegateNode();
        sender.tell(
            from,
            new TransactionReverted(
                new RequestId("reverted-" + random.nextInt()),
                intent.id(),
                ADDRESS,
                Optional.empty(),
                "given up",
                random.nextInt(3) > 0));
      }
    }
  }

  /** The node store knows what has no receipt. */
  private void restart() {
    var pending =
        INTENTS.stream()
            .filter(intent -> accepted.contains(intent.id()))
            .filter(intent -> !receipts.containsKey(intent.id()))
            .toList();
    sender.restart(pending, Map.of());
  }

  private void look() {
    for (var outgoing : sender.last().messages()) {
      if (outgoing.message() instanceof DelegationCommand command) {
        assertThat(command.delegationId().sender()).isEqualTo(A);
        var sentBefore = commands.put(command.delegationId(), command);
        assertThat(sentBefore).isIn(null, command);
        if (sentBefore == null) {
          command.transactions().forEach(id -> assertNewer(id, command));
        }
      }
    }
    for (var receipt : sender.completed()) {
      var id = receipt.transaction();
      assertThat(receipt.success()).isEqualTo(fulfilled.contains(id));
      receipts.put(id, receipt);
    }
    for (var late : sender.effects(SenderEffect.Confirm.class)) {
      late.confirmations()
          .forEach((intent, receipt) -> receipts.put(intent.transaction(), receipt));
    }
    assertThat(fulfilled).allSatisfy(id -> assertThat(receipts.get(id)).matches(Receipt::success));
  }

  private void assertNewer(TransactionId id, DelegationCommand command) {
    var before = newest.put(id, command);
    if (before != null && !before.equals(command)) {
      assertThat(command.delegationId().isLaterThan(before.delegationId())).isTrue();
    }
  }
}
