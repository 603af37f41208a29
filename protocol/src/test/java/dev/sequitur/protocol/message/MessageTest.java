package dev.sequitur.protocol.message;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Messages.FIRST;
import static dev.sequitur.protocol.fixture.Messages.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.fixture.Messages;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.RequestId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What a trace, and whoever asks about a transaction, is told of a message. */
class MessageTest {
  static final List<Message.ForMachine> OF_BOTH = Messages.OF_BOTH;
  static final List<Message.ForMachine> OF_THE_FIRST = Messages.OF_THE_FIRST;
  static final List<Message.ForMachine> OF_NONE = Messages.OF_NONE;

  @ParameterizedTest
  @FieldSource("OF_BOTH")
  void namesEachTransactionThatItIsAboutOnceInItsOrder(Message message) {
    assertThat(message.transactions()).containsExactly(FIRST.id(), SECOND.id());
  }

  @ParameterizedTest
  @FieldSource("OF_THE_FIRST")
  void namesTheOneTransactionThatItIsAbout(Message message) {
    assertThat(message.transactions()).containsExactly(FIRST.id());
  }

  @ParameterizedTest
  @FieldSource("OF_NONE")
  void namesNoTransactionIfItIsAboutNone(Message message) {
    assertThat(message.transactions()).isEmpty();
  }

  @Test
  void whatIsNotAskedForLeaveAnyMoreLeavesTheRestOfTheRequest() {
    var rest = Messages.LEAVE.without(FIRST.id());

    assertThat(rest.items()).containsExactly(Messages.LEAVE.items().get(1));
    assertThat(rest.requestId()).isEqualTo(Messages.LEAVE.requestId());
    assertThat(Messages.LEAVE.without(Contract.transaction(A, 9).id())).isEqualTo(Messages.LEAVE);
  }

  @Test
  void anEndorsementThatIsAskedForAgainIsTheSameButForKeyAndHeight() {
    var before = Messages.ENDORSEMENT;
    var again = before.again(new RequestId("again"), new BlockHeight(9), List.of());

    assertThat(again.idempotencyKey()).isEqualTo(new RequestId("again"));
    assertThat(again.blockHeight()).isEqualTo(new BlockHeight(9));
    assertThat(again.again(before.idempotencyKey(), before.blockHeight(), List.of()))
        .isEqualTo(before);
  }

  @Test
  void anItemsTransitionIsOfItsIntentAndOfItsStatesEachInItsPlace() {
    var item = Messages.ENDORSEMENT.items().getFirst();

    assertThat(item.transition())
        .isEqualTo(
            Attestation.transition(
                FIRST.key(),
                List.of(Contract.state("in", A).id()),
                List.of(Contract.state("read", A).id()),
                List.of(Contract.state("out", A).id())))
        .isEqualTo(item.transition(FIRST.key()))
        .isNotEqualTo(item.transition(SECOND.key()));
  }

  @Test
  void ofAPreparedTransactionsOutputsSomeMayBeLeftOut() {
    var all = Messages.DISTRIBUTION;
    var some = all.withOutputs(all.outputs().subList(0, 1));

    assertThat(some.outputs()).hasSize(1);
    assertThat(some.withOutputs(all.outputs())).isEqualTo(all);
  }

  @Test
  void anEnvelopeIsOfTheContractThatItsMessageIsAbout() {
    assertThat(envelope(Messages.LEAVE).contract()).contains(Contract.ADDRESS);
    var request = new ResolveVerifierRequest(new RequestId("r"), Identity.parse("alice@b"));
    assertThat(envelope(request).contract()).isEmpty();
  }

  private static Envelope envelope(Message payload) {
    return new Envelope(
        ProtocolVersion.CURRENT,
        new MessageId(new UUID(0, 1)),
        Optional.empty(),
        A,
        B,
        List.of(),
        payload);
  }
}
