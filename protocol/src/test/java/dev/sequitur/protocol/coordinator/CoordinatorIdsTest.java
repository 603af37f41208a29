package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** A coordinator uses no request id twice, and of the delegations of an intent only newer ones. */
class CoordinatorIdsTest {
  private static final PrivateTransaction INTENT = Contract.transaction(B, 1);

  @Property(tries = 200)
  void theDelegationOfAnIntentNeverGoesBack(@ForAll long seed) {
    var random = new Random(seed);
    var first = Contract.heightPreferring(A, BlockHeight.ZERO);
    var coordinator = new CoordinatorOfA(first, 1);
    for (int i = 0; i < 30; i++) {
      var before = coordinator.transaction(INTENT);
      var id = new DelegationId(B, 1 + random.nextInt(3), 1 + random.nextInt(4));
      var height = new BlockHeight(first.value() + random.nextInt(3));

      coordinator.tell(B, new DelegationCommand(id, A, ADDRESS, List.of(INTENT), height));

      var after = coordinator.transaction(INTENT);
      boolean newer =
          before == null
              || (isAfter(id, before.delegation())
                  && height.value() >= before.delegatedAt().value());
      assertThat(after.delegation()).isEqualTo(newer ? id : before.delegation());
      assertThat(after.delegatedAt()).isEqualTo(newer ? height : before.delegatedAt());
    }
  }

  private static boolean isAfter(DelegationId one, DelegationId other) {
    return one.epoch() == other.epoch()
        ? one.counter() > other.counter()
        : one.epoch() > other.epoch();
  }

  @Test
  void noTwoIntentsOfARequestHaveTheSameIdAcrossRestarts() {
    var used = new HashSet<RequestId>();
    for (long incarnation = 1; incarnation <= 3; incarnation++) {
      var ids = idsOfALife(incarnation);
      assertThat(ids).hasSizeGreaterThan(6).noneMatch(used::contains);
      used.addAll(ids);
    }
    assertThat(used).allMatch(id -> id.value().startsWith(A + "-"), "is its own");
  }

  /** Each with one message only, however often that is sent. */
  private static Set<RequestId> idsOfALife(long incarnation) {
    var coordinator =
        new CoordinatorOfA(Contract.heightPreferring(A, BlockHeight.ZERO), incarnation);
    var assembly = CoordinatorOfA.assembly(List.of(), Contract.state("made", A, B));
    coordinator.leaveIsAskedFor(INTENT, assembly);
    coordinator.delegate(INTENT);
    coordinator.delegate(Contract.transaction(B, 2));
    coordinator.tickFor(Duration.ofSeconds(4));
    var messages = new HashMap<RequestId, Object>();
    for (var sent : coordinator.allSent) {
      id(sent.message())
          .ifPresent(
              id -> {
                var earlier = messages.put(id, List.of(sent.to(), sent.message()));
                assertThat(earlier).isIn(null, List.of(sent.to(), sent.message()));
              });
    }
    return messages.keySet();
  }

  private static Optional<RequestId> id(Message message) {
    if (message instanceof AssembleRequest request) {
      return Optional.of(request.assembleRequestId());
    } else if (message instanceof EndorsementRequest request) {
      return Optional.of(request.idempotencyKey());
    } else if (message instanceof RequestDispatchConfirmation request) {
      return Optional.of(request.requestId());
    } else if (message instanceof StartupNotification notification) {
      return Optional.of(notification.startupId());
    } else if (message instanceof TransactionReverted notification) {
      return Optional.of(notification.notificationId());
    }
    return Optional.empty();
  }
}
