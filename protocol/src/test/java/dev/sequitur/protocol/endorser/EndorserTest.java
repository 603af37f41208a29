package dev.sequitur.protocol.endorser;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.AttestationRequest;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndorserTest {
  @Test
  void aRequestThatBreaksTheDomainIsRefusedLikeAnyOther() {
    var height = Contract.heightPreferring(B, BlockHeight.ZERO);
    var endorser =
        new Endorser(
            new Endorser.Setup(
                A,
                Contract.GROUP,
                Contract.SELECTION,
                SequencerSettings.DEFAULT,
                brokenDomain(),
                new NoKeys()));

    var life = new Life(endorser, height);
    life.tell(Contract.from(B, request(height)), Instant.EPOCH);

    assertThat(life.sent().to()).isEqualTo(B);
    assertThat(life.sent().message())
        .isInstanceOfSatisfying(
            EndorsementError.class,
            error -> assertThat(error.reason()).isInstanceOf(EndorsementError.Refused.class));
  }

  private static final BlockHeight HEIGHT = Contract.heightPreferring(B, BlockHeight.ZERO);
  private static final Hash SIGNED = Contract.hash("signed");

  /** The one request that is endorsed, and what changes it into one that is not. */
  @Test
  void itEndorsesForItsPartyInItsRangeForWhoCoordinates() {
    assertThat(answer(HEIGHT, B, like(A, B, HEIGHT)))
        .isInstanceOf(EndorsementResponse.class);
  }

  @Test
  void itEndorsesForTheRangeThatItIsInAndForNoOther() {
    long first = HEIGHT.value() / 10 * 10;
    for (long height : new long[] {first, first + 9}) {
      assertThat(answer(HEIGHT, B, like(A, B, new BlockHeight(height))))
          .as("asked at %d", height)
          .isInstanceOf(EndorsementResponse.class);
    }
    for (long height : new long[] {first - 1, first + 10}) {
      assertThat(reason(HEIGHT, B, like(A, B, new BlockHeight(height))))
          .as("asked at %d", height)
          .isEqualTo(new EndorsementError.MismatchedBlockHeight(HEIGHT));
    }
  }

  @Test
  void oneBlockAfterTheEndOfTheRangeItEndorsesNothingOfIt() {
    var last = new BlockHeight(HEIGHT.value() / 10 * 10 + 9);
    var next = new BlockHeight(last.value() + 1);
    var asked = Contract.from(B, like(A, B, last));
    var life = new Life(endorser(endorsing()), last);
    life.tell(asked, Instant.EPOCH);
    assertThat(life.sent().message()).isInstanceOf(EndorsementResponse.class);

    life.index(next);
    life.tell(asked, Instant.EPOCH);
    assertThat(((EndorsementError) life.sent().message()).reason())
        .isEqualTo(new EndorsementError.MismatchedBlockHeight(next));
    life.index(last);
    assertThat(life.host.state().height()).as("its height never falls").isEqualTo(next);
  }

  @Test
  void itEndorsesForNobodyElsesParty() {
    assertThat(reason(HEIGHT, B, like(C, B, HEIGHT)))
        .isInstanceOf(EndorsementError.Refused.class);
    var stranger = new Identity("stranger", A);
    assertThat(reason(HEIGHT, B, request(stranger, B, HEIGHT)))
        .isInstanceOf(EndorsementError.Refused.class);
  }

  @Test
  void itEndorsesForNobodyWhoAsksInTheNameOfAnother() {
    assertThat(reason(HEIGHT, C, like(A, B, HEIGHT)))
        .isInstanceOf(EndorsementError.Refused.class);
  }

  @Test
  void itEndorsesForNoCoordinatorWhileABetterOneLives() {
    var endorser = endorser(endorsing());
    var threshold = SequencerSettings.DEFAULT.heartbeats().coordinatorFailureThreshold();
    var heartbeat =
        new CoordinatorHeartbeatNotification(
            new HeartbeatSequence(1, 1), Instant.EPOCH, ADDRESS, List.of());
    var startup = new StartupNotification(new RequestId("up"), Instant.EPOCH, ADDRESS);
    for (var sign : List.<Message.ForEndorser>of(heartbeat, startup)) {
      var life = new Life(endorser, HEIGHT);
      life.tell(Contract.from(B, sign), Instant.EPOCH);
      assertThat(life.answer(from(C), Instant.EPOCH.plus(threshold)))
          .isInstanceOfSatisfying(
              EndorsementError.class,
              error ->
                  assertThat(error.reason())
                      .isEqualTo(new EndorsementError.NotPreferredCoordinator(B)));
      assertThat(life.answer(from(C), Instant.EPOCH.plus(threshold).plusMillis(1)))
          .as("when it was not heard of for too long")
          .isInstanceOf(EndorsementResponse.class);
      assertThat(life.answer(from(B), Instant.EPOCH))
          .as("the better one itself")
          .isInstanceOf(EndorsementResponse.class);
    }
  }

  @Test
  void theFirstRequestOfItsLifeIsToldAsActivityOfTheContract() {
    var life = new Life(endorser(endorsing()), HEIGHT);
    var heartbeat =
        new CoordinatorHeartbeatNotification(
            new HeartbeatSequence(1, 1), Instant.EPOCH, ADDRESS, List.of());

    life.tell(Contract.from(B, heartbeat), Instant.EPOCH);
    assertThat(life.folded.effects()).as("of what others do").isEmpty();
    life.tell(from(B), Instant.EPOCH);
    assertThat(life.folded.effects()).containsExactly(new Endorser.Effect.TellActivity());
    life.tell(from(B), Instant.EPOCH);
    assertThat(life.folded.effects()).isEmpty();
  }

  private static Received<EndorsementRequest> from(NodeName coordinator) {
    return Contract.from(coordinator, like(A, coordinator, HEIGHT));
  }

  private static Message answer(BlockHeight at, NodeName from, EndorsementRequest request) {
    return new Life(endorser(endorsing()), at)
        .answer(Contract.from(from, request), Instant.EPOCH);
  }

  private static EndorsementError.Reason reason(
      BlockHeight at, NodeName from, EndorsementRequest request) {
    return ((EndorsementError) answer(at, from, request)).reason();
  }

  /** One life of an endorser. */
  private static final class Life {
    private final Host<Endorser.Input, Endorser.State, Void, Endorser.Effect> host;
    private Host.Folded<Void, Endorser.Effect> folded;

    Life(Endorser endorser, BlockHeight height) {
      var machine = endorser.machine(height);
      host = new Host<>(machine, machine.initial());
    }

    void tell(Received<? extends Message.ForEndorser> received, Instant now) {
      folded = host.fold(List.of(new Endorser.Input.FromNode(received)), now);
    }

    void index(BlockHeight height) {
      folded = host.fold(List.of(new Endorser.Input.BlockIndexed(height)), Instant.EPOCH);
    }

    Outgoing sent() {
      assertThat(folded.messages()).hasSize(1);
      return folded.messages().get(0);
    }

    /** To whoever asks. */
    Message answer(Received<EndorsementRequest> asked, Instant now) {
      tell(asked, now);
      assertThat(sent().to()).isEqualTo(asked.from());
      assertThat(sent().inReplyTo()).contains(asked.id());
      return sent().message();
    }
  }

  private static Endorser endorser(Domain domain) {
    return new Endorser(
        new Endorser.Setup(
            A,
            Contract.GROUP,
            Contract.SELECTION,
            SequencerSettings.DEFAULT,
            domain,
            new NoKeys()));
  }

  private static Domain endorsing() {
    return (Domain)
        Proxy.newProxyInstance(
            Domain.class.getClassLoader(),
            new Class<?>[] {Domain.class},
            (proxy, method, arguments) ->
                new Domain.Endorsement.Endorsed(Bytes.of(SIGNED.toByteArray())));
  }

  private static EndorsementRequest like(NodeName of, NodeName coordinator, BlockHeight height) {
    return request(Contract.party(of), coordinator, height);
  }

  private static Domain brokenDomain() {
    return (Domain)
        Proxy.newProxyInstance(
            Domain.class.getClassLoader(),
            new Class<?>[] {Domain.class},
            (proxy, method, arguments) -> {
              throw new IndexOutOfBoundsException("private");
            });
  }

  private static EndorsementRequest request(BlockHeight height) {
    return like(A, B, height);
  }

  private static EndorsementRequest request(
      Identity party, NodeName coordinator, BlockHeight height) {
    var transaction = Contract.transaction(B, 1);
    return new EndorsementRequest(
        new AttestationRequest("all", List.of(Contract.party(A)), 1),
        new RequestId("key"),
        transaction.id(),
        ADDRESS,
        party,
        transaction,
        Bytes.EMPTY,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        coordinator,
        height,
        new DelegationId(B, 1, 1));
  }

  private static final class NoKeys implements Keys {
    @Override
    public Verifier verifier(String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      throw new UnsupportedOperationException();
    }
  }
}
