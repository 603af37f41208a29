package dev.sequitur.protocol.endorser;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
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
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EndorserTest {
  @Test
  void aRequestThatBreaksTheDomainIsRefusedLikeAnyOther() {
    var height = Contract.heightPreferring(B, BlockHeight.ZERO);
    var endorser = endorser(breakingAt(Contract.transaction(B, 1)));

    var life = new Life(endorser, height);
    life.tell(Contract.from(B, request(height)), Instant.EPOCH);

    assertThat(life.sent().to()).isEqualTo(B);
    assertThat(life.sent().message())
        .isInstanceOfSatisfying(
            EndorsementResponse.class,
            answered -> {
              assertThat(answered.endorsed()).isEmpty();
              assertThat(answered.refused())
                  .extracting(EndorsementResponse.Refused::reason)
                  .containsExactly("The domain cannot check this assembly.");
            });
  }

  private static final Attestation ASSEMBLY = Contract.GROUP.attestation(Purpose.ASSEMBLY);

  private static final BlockHeight HEIGHT = Contract.heightPreferring(B, BlockHeight.ZERO);

  /** The one request that is endorsed, and what changes it into one that is not. */
  @Test
  void itEndorsesForItsPartyInItsRangeForWhoCoordinates() {
    assertThat(answer(HEIGHT, B, like(A, B, HEIGHT))).isInstanceOf(EndorsementResponse.class);
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

  /** Its node's state store says that it is not what the ledger shows (DST-10). */
  @Test
  void whileItsStoreDiffersFromTheLedgerItEndorsesNothingAndRefusesNothing() {
    var asked = Contract.from(B, like(A, B, HEIGHT));
    var life = new Life(endorser(endorsing()), HEIGHT);
    life.tell(new Endorser.Input.StoreTold(Optional.of("It differs.")));
    life.tell(asked, Instant.EPOCH);
    assertThat(((EndorsementError) life.sent().message()).reason())
        .isEqualTo(new EndorsementError.CannotEndorseNow());

    life.tell(new Endorser.Input.StoreTold(Optional.empty()));
    life.tell(asked, Instant.EPOCH);
    assertThat(life.sent().message()).isInstanceOf(EndorsementResponse.class);
  }

  /** Somebody who lacks the current version makes a first one (EDR-7). */
  @Test
  void whatIsMadeOfNothingAndIsThereAlreadyIsRefusedAndTheOthersAreEndorsed() {
    var made = Contract.state("made", A, B);
    var first = madeOfNothing(Contract.transaction(B, 1), made);
    var request = with(like(A, B, HEIGHT), Contract.transaction(B, 2));
    var both =
        new EndorsementRequest(
            request.attestationRequest(),
            request.idempotencyKey(),
            request.contract(),
            request.party(),
            List.of(first, request.items().get(0)),
            request.coordinator(),
            request.blockHeight());
    var life = new Life(endorser(endorsing()), HEIGHT);
    life.onLedger = Set.of(made.id());

    var answer = (EndorsementResponse) life.answer(Contract.from(B, both), Instant.EPOCH);

    assertThat(life.lookedUp).contains(made.id());
    assertThat(answer.endorsed()).containsExactly(Contract.transaction(B, 2).key());
    assertThat(answer.refused())
        .extracting(EndorsementResponse.Refused::reason)
        .singleElement()
        .asString()
        .contains("stands on the ledger already");
    life.onLedger = Set.of();
    answer = (EndorsementResponse) life.answer(Contract.from(B, both), Instant.EPOCH);
    assertThat(answer.endorsed()).hasSize(2);
  }

  @Test
  void eachStateThatIsMadeOfNothingIsLookedUp() {
    var new1 = Contract.state("new", A, B);
    var there = Contract.state("there", A, B);
    var life = new Life(endorser(endorsing()), HEIGHT);
    life.onLedger = Set.of(there.id());

    var answer =
        (EndorsementResponse)
            life.answer(
                Contract.from(
                    B,
                    with(assembled(Contract.transaction(B, 1), List.of(), List.of(new1, there)))),
                Instant.EPOCH);

    assertThat(life.lookedUp).containsExactly(new1.id(), there.id());
    assertThat(answer.endorsed()).isEmpty();
  }

  /**
   * That it is there no more shows that whoever assembled it knew what was: the ledger decides.
   * What it spends need not be on the ledger yet (EDR-6).
   */
  @Test
  void whatSpendsIsNotLookedUp() {
    var spent = Contract.state("spent", A, B);
    var made = Contract.state("made", A, B);
    var life = new Life(endorser(endorsing()), HEIGHT);
    life.onLedger = Set.of(made.id());

    var answer =
        (EndorsementResponse)
            life.answer(
                Contract.from(
                    B, with(assembled(Contract.transaction(B, 1), List.of(spent), List.of(made)))),
                Instant.EPOCH);

    assertThat(life.lookedUp).isEmpty();
    assertThat(answer.endorsed()).containsExactly(Contract.transaction(B, 1).key());
  }

  @Test
  void nothingIsLookedUpForARequestThatIsRefusedAnyway() {
    var first = madeOfNothing(Contract.transaction(B, 1), Contract.state("made", A, B));
    var request = like(A, B, HEIGHT);
    var asked =
        new EndorsementRequest(
            request.attestationRequest(),
            request.idempotencyKey(),
            request.contract(),
            request.party(),
            List.of(first),
            request.coordinator(),
            new BlockHeight(HEIGHT.value() + 10));
    var life = new Life(endorser(endorsing()), HEIGHT);

    life.answer(Contract.from(B, asked), Instant.EPOCH);

    assertThat(life.lookedUp).isEmpty();
  }

  private static EndorsementRequest.Item madeOfNothing(
      PrivateTransaction transaction, PrivateState made) {
    return assembled(transaction, List.of(), List.of(made));
  }

  private static EndorsementRequest.Item assembled(
      PrivateTransaction transaction, List<PrivateState> spent, List<PrivateState> made) {
    var like = item(transaction);
    var transition =
        Attestation.transition(
            transaction.key(),
            spent.stream().map(PrivateState::id).toList(),
            List.of(),
            made.stream().map(PrivateState::id).toList());
    return new EndorsementRequest.Item(
        transaction,
        like.transactionSpecification(),
        like.verifiers(),
        proof(transition, MerklePath.ALONE),
        spent,
        List.of(),
        made,
        List.of(),
        like.delegationId());
  }

  @Test
  void itEndorsesForNobodyElsesParty() {
    assertThat(reason(HEIGHT, B, like(C, B, HEIGHT))).isInstanceOf(EndorsementError.Refused.class);
    var stranger = new Identity("stranger", A);
    assertThat(reason(HEIGHT, B, request(stranger, B, HEIGHT)))
        .isInstanceOf(EndorsementError.Refused.class);
  }

  @Test
  void itEndorsesForNobodyWhoAsksInTheNameOfAnother() {
    assertThat(reason(HEIGHT, C, like(A, B, HEIGHT))).isInstanceOf(EndorsementError.Refused.class);
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

  /** Its senders have found it unable to act (AVL-7). */
  @Test
  void thatABetterOneLivesIsNoGroundOnceItIsPassedOver() {
    var life = new Life(endorser(endorsing()), HEIGHT);
    var startup = new StartupNotification(new RequestId("up"), Instant.EPOCH, ADDRESS);
    life.tell(Contract.from(B, startup), Instant.EPOCH);
    var asked = like(A, C, HEIGHT);

    var ofAnother = asked.again(new RequestId("of another"), HEIGHT, List.of(A));
    assertThat(life.answer(Contract.from(C, ofAnother), Instant.EPOCH))
        .isInstanceOf(EndorsementError.class);
    var passedOver = asked.again(new RequestId("passed over"), HEIGHT, List.of(B));
    assertThat(life.answer(Contract.from(C, passedOver), Instant.EPOCH))
        .isInstanceOf(EndorsementResponse.class);
    assertThat(life.answer(Contract.from(C, asked), Instant.EPOCH))
        .as("that request alone said so")
        .isInstanceOf(EndorsementError.class);
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

  @Test
  void itChecksEachItemForItselfAndSignsWhatItEndorses() {
    var refused = Contract.transaction(B, 2);
    var request = with(like(A, B, HEIGHT), Contract.transaction(B, 1), refused, third());
    var life = new Life(endorser(refusing(refused)), HEIGHT);

    var answer = (EndorsementResponse) life.answer(Contract.from(B, request), Instant.EPOCH);

    assertThat(answer.idempotencyKey()).isEqualTo(request.idempotencyKey());
    assertThat(answer.party()).isEqualTo(request.party());
    assertThat(answer.refused())
        .containsExactly(new EndorsementResponse.Refused(refused.key(), "no"));
    assertThat(answer.endorsed()).containsExactly(Contract.transaction(B, 1).key(), third().key());
    assertThat(answer.endorsement())
        .contains(signed(request.items().get(0), request.items().get(2)));
  }

  @Test
  void oneThatBreaksTheDomainIsRefusedAndTheOthersAreNot() {
    var breaking = Contract.transaction(B, 2);
    var request = with(like(A, B, HEIGHT), Contract.transaction(B, 1), breaking, third());
    var life = new Life(endorser(breakingAt(breaking)), HEIGHT);

    var answer = (EndorsementResponse) life.answer(Contract.from(B, request), Instant.EPOCH);

    assertThat(answer.refused())
        .extracting(EndorsementResponse.Refused::intent)
        .containsExactly(breaking.key());
    assertThat(answer.endorsed()).hasSize(2);
  }

  @Test
  void whereItEndorsesNothingItSignsNothing() {
    var only = Contract.transaction(B, 2);
    var life = new Life(endorser(refusing(only)), HEIGHT);

    var answer =
        (EndorsementResponse)
            life.answer(Contract.from(B, with(like(A, B, HEIGHT), only)), Instant.EPOCH);

    assertThat(answer.endorsed()).isEmpty();
    assertThat(answer.endorsement()).isEmpty();
  }

  @Test
  void aRequestThatNamesATransactionTwiceIsRefused() {
    var request = with(like(A, B, HEIGHT), third(), third());
    var life = new Life(endorser(endorsing()), HEIGHT);

    assertThat(life.answer(Contract.from(B, request), Instant.EPOCH))
        .isInstanceOfSatisfying(
            EndorsementError.class,
            error -> assertThat(error.reason()).isInstanceOf(EndorsementError.Refused.class));
  }

  @Test
  void itEndorsesNothingWithAKeyThatTheGroupDoesNotKnow() {
    var another = new byte[33];
    another[32] = 9;
    var endorser = endorser(endorsing(), new OwnKeys(new Verifier(Bytes.of(another))));

    assertThat(new Life(endorser, HEIGHT).answer(from(B), Instant.EPOCH))
        .isInstanceOfSatisfying(
            EndorsementError.class,
            error -> assertThat(error.reason()).isInstanceOf(EndorsementError.Refused.class));
  }

  /** SEL-10: what is in flight in a range ends by the committee that the range began with. */
  @Test
  void itEndorsesWithTheKeyOfItsRangeUntilThatEndsAndWithTheNextOneFromThenOn() {
    var last = new BlockHeight(HEIGHT.value() / 10 * 10 + 9);
    var next = new BlockHeight(last.value() + 1);
    var group = Contract.withOtherKeyOf(A, HEIGHT);

    for (var key : List.of(KNOWN, Contract.OTHER_KEY)) {
      var life = new Life(endorser(group, endorsing(), new OwnKeys(key)), last);
      life.tell(Contract.from(B, like(A, B, last)), Instant.EPOCH);
      assertEndorsed(life.sent().message(), key, key.equals(KNOWN));

      life.index(next);
      life.tell(Contract.from(B, like(A, B, next)), Instant.EPOCH);
      assertEndorsed(life.sent().message(), key, key.equals(Contract.OTHER_KEY));
    }
  }

  private static void assertEndorsed(Message answer, Verifier key, boolean wanted) {
    if (wanted) {
      assertThat(((EndorsementResponse) answer).endorsement())
          .map(Signature::verifier)
          .contains(key);
    } else {
      assertThat(((EndorsementError) answer).reason())
          .isEqualTo(
              new EndorsementError.Refused(
                  "The node's key of the party is not the one that the group knows."));
    }
  }

  @Test
  void aPartyThatWasRemovedEndorsesUntilTheEndOfTheRange() {
    var last = new BlockHeight(HEIGHT.value() / 10 * 10 + 9);
    var next = new BlockHeight(last.value() + 1);
    var life = new Life(endorser(Contract.without(A, last), endorsing(), new OwnKeys()), last);
    life.tell(Contract.from(B, like(A, B, last)), Instant.EPOCH);
    assertThat(life.sent().message()).isInstanceOf(EndorsementResponse.class);

    life.index(next);
    life.tell(Contract.from(B, like(A, B, next)), Instant.EPOCH);

    assertThat(((EndorsementError) life.sent().message()).reason())
        .isEqualTo(new EndorsementError.Refused("This node does not sign for that party."));
  }

  /** With the sender's signature, and with the domain, it is as with its own key. */
  @Test
  void whoseAssemblyItEndorsesIsOfTheCommitteeOfItsRangeToo() {
    var next = new BlockHeight(HEIGHT.value() / 10 * 10 + 10);
    var seen = new ArrayList<PrivacyGroup>();
    var group = Contract.withOtherKeyOf(B, HEIGHT);
    var domain =
        (Domain)
            Proxy.newProxyInstance(
                Domain.class.getClassLoader(),
                new Class<?>[] {Domain.class},
                (proxy, method, arguments) -> {
                  seen.add((PrivacyGroup) arguments[0]);
                  return new Domain.Endorsement.Endorsed();
                });
    var life = new Life(endorser(group, domain, new OwnKeys()), HEIGHT);
    life.tell(Contract.from(B, like(A, B, HEIGHT)), Instant.EPOCH);
    assertThat(((EndorsementResponse) life.sent().message()).refused()).isEmpty();

    life.index(next);
    life.tell(Contract.from(B, like(A, B, next)), Instant.EPOCH);

    assertThat(((EndorsementResponse) life.sent().message()).refused())
        .extracting(EndorsementResponse.Refused::reason)
        .containsExactly("The sender's signature is not valid for this assembly.");
    assertThat(seen)
        .extracting(PrivacyGroup::committee)
        .containsExactly(Contract.GROUP.committee(), group.committee());
  }

  /** What the operator gave its party since counts for other groups. */
  @Test
  void itEndorsesWithTheKeyThatTheGroupKnowsAlsoOnceItsPartyHasAnother() {
    var keys = new OtherKeys(Keys.Standing.HELD, Optional.empty());

    assertThat(new Life(endorser(endorsing(), keys), HEIGHT).answer(from(B), Instant.EPOCH))
        .isInstanceOfSatisfying(
            EndorsementResponse.class,
            answered ->
                assertThat(answered.endorsement().orElseThrow().verifier()).isEqualTo(KNOWN));
  }

  @Test
  void itEndorsesNothingWithAKeyThatIsRevoked() {
    var keys = new OtherKeys(Keys.Standing.REVOKED, Optional.empty());

    assertThat(new Life(endorser(endorsing(), keys), HEIGHT).answer(from(B), Instant.EPOCH))
        .isInstanceOfSatisfying(
            EndorsementError.class,
            error ->
                assertThat(error.reason())
                    .isEqualTo(
                        new EndorsementError.Refused(
                            "The key of the party is revoked on its node.")));
  }

  @Test
  void whatAnotherHasTheKeyForIsAnsweredOnceThatHasSignedAndNotIfItHasNot() {
    var keys = new OtherKeys(Keys.Standing.HELD, Optional.of(Bytes.utf8("elsewhere")));
    var life = new Life(endorser(endorsing(), keys), HEIGHT);

    life.tell(from(B), Instant.EPOCH);

    assertThat(life.folded.messages()).isEmpty();
    var sign =
        life.folded.effects().stream()
            .filter(Endorser.Effect.Sign.class::isInstance)
            .map(Endorser.Effect.Sign.class::cast)
            .findFirst()
            .orElseThrow();
    var tree = MerkleTree.of(List.of(transition(Contract.transaction(B, 1))));
    var attestation = Contract.GROUP.attestation(Purpose.ENDORSEMENT);
    assertThat(Digests.keccak256(sign.message())).isEqualTo(attestation.digest(tree));
    assertThat(sign.key()).isEqualTo(KNOWN);

    life.tell(new Endorser.Input.Signed(sign, Optional.empty()));
    assertThat(life.folded.messages()).isEmpty();

    life.tell(new Endorser.Input.Signed(sign, Optional.of(Bytes.utf8("elsewhere"))));
    assertThat(life.sent().to()).isEqualTo(B);
    assertThat(life.sent().inReplyTo()).contains(from(B).id());
    assertThat(((EndorsementResponse) life.sent().message()).endorsement())
        .contains(new Signature(Contract.party(A), KNOWN, Bytes.utf8("elsewhere")));
  }

  private static PrivateTransaction third() {
    return Contract.transaction(B, 3);
  }

  private static EndorsementRequest with(
      EndorsementRequest like, PrivateTransaction... transactions) {
    var items = Stream.of(transactions).map(EndorserTest::item).toList();
    return new EndorsementRequest(
        like.attestationRequest(),
        like.idempotencyKey(),
        like.contract(),
        like.party(),
        items,
        like.coordinator(),
        like.blockHeight());
  }

  /** The root of just these. */
  private static Signature signed(EndorsementRequest.Item... items) {
    var tree = MerkleTree.of(Stream.of(items).map(EndorsementRequest.Item::transition).toList());
    var member = Contract.GROUP.committee().member(Contract.party(A)).orElseThrow();
    var signed =
        Bytes.of(Contract.GROUP.attestation(Purpose.ENDORSEMENT).digest(tree).toByteArray());
    return new Signature(member.identity(), member.verifier(), signed);
  }

  private static Domain refusing(PrivateTransaction refused) {
    return domain(
        item ->
            item.transaction().equals(refused)
                ? new Domain.Endorsement.Refused("no")
                : new Domain.Endorsement.Endorsed());
  }

  private static Domain breakingAt(PrivateTransaction breaking) {
    return domain(
        item -> {
          if (item.transaction().equals(breaking)) {
            throw new IndexOutOfBoundsException("private");
          }
          return new Domain.Endorsement.Endorsed();
        });
  }

  private static Domain domain(Function<EndorsementRequest.Item, Domain.Endorsement> endorse) {
    return (Domain)
        Proxy.newProxyInstance(
            Domain.class.getClassLoader(),
            new Class<?>[] {Domain.class},
            (proxy, method, arguments) -> endorse.apply((EndorsementRequest.Item) arguments[2]));
  }

  private static Received<EndorsementRequest> from(NodeName coordinator) {
    return Contract.from(coordinator, like(A, coordinator, HEIGHT));
  }

  private static Message answer(BlockHeight at, NodeName from, EndorsementRequest request) {
    return new Life(endorser(endorsing()), at).answer(Contract.from(from, request), Instant.EPOCH);
  }

  private static EndorsementError.Reason reason(
      BlockHeight at, NodeName from, EndorsementRequest request) {
    return ((EndorsementError) answer(at, from, request)).reason();
  }

  /** One life of an endorser. */
  private static final class Life {
    private final Host<Endorser.Input, Endorser.State, Void, Endorser.Effect> host;
    private final List<StateId> lookedUp = new ArrayList<>();
    private Set<StateId> onLedger = Set.of();
    private Host.Folded<Void, Endorser.Effect> folded;

    Life(Endorser endorser, BlockHeight height) {
      var machine = endorser.machine(height);
      host = new Host<>(machine, machine.initial());
    }

    void tell(Received<? extends Message.ForEndorser> received, Instant now) {
      folded = host.fold(List.of(new Endorser.Input.FromNode(received)), now);
      for (var effect : folded.effects()) {
        if (effect instanceof Endorser.Effect.LookUp look) {
          lookedUp.addAll(look.states());
          assertThat(folded.messages()).isEmpty();
          folded = host.fold(List.of(new Endorser.Input.LookedUp(look.received(), onLedger)), now);
        }
      }
    }

    void tell(Endorser.Input told) {
      folded = host.fold(List.of(told), Instant.EPOCH);
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
    return endorser(domain, new OwnKeys());
  }

  private static Endorser endorser(Domain domain, Keys keys) {
    return endorser(Contract.GROUP, domain, keys);
  }

  private static Endorser endorser(PrivacyGroup group, Domain domain, Keys keys) {
    return new Endorser(
        new Endorser.Setup(
            A,
            group,
            Contract.selection(group),
            SequencerSettings.DEFAULT,
            domain,
            keys,
            new SignedIsShown(new AtomicInteger())));
  }

  private static Domain endorsing() {
    return domain(item -> new Domain.Endorsement.Endorsed());
  }

  private static EndorsementRequest like(NodeName of, NodeName coordinator, BlockHeight height) {
    return request(Contract.party(of), coordinator, height);
  }

  private static EndorsementRequest request(BlockHeight height) {
    return like(A, B, height);
  }

  private static EndorsementRequest request(
      Identity party, NodeName coordinator, BlockHeight height) {
    return new EndorsementRequest(
        new AttestationRequest("all", List.of(Contract.party(A)), 1),
        new RequestId("key"),
        ADDRESS,
        party,
        List.of(item(Contract.transaction(B, 1))),
        coordinator,
        height);
  }

  private static EndorsementRequest.Item item(PrivateTransaction transaction) {
    return item(transaction, proof(transition(transaction), MerklePath.ALONE));
  }

  private static EndorsementRequest.Item item(PrivateTransaction transaction, Proof proof) {
    return new EndorsementRequest.Item(
        transaction,
        Bytes.EMPTY,
        List.of(),
        proof,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        new DelegationId(B, 1, 1));
  }

  /** Of one that takes no state and makes none. */
  private static Hash transition(PrivateTransaction transaction) {
    return Attestation.transition(transaction.key(), List.of(), List.of(), List.of());
  }

  /** That B's party has assembled it. */
  private static Proof proof(Hash transition, MerklePath path) {
    return proof(path, ASSEMBLY.digest(transition, path));
  }

  private static Proof proof(MerklePath path, Hash signed) {
    return new Proof(path, List.of(signature(Contract.party(B), signed)));
  }

  private static Signature signature(Identity party, Hash signed) {
    var verifier = Contract.GROUP.committee().member(Contract.party(B)).orElseThrow().verifier();
    return new Signature(party, verifier, Bytes.of(signed.toByteArray()));
  }

  /** Counts what it has checked. */
  private record SignedIsShown(AtomicInteger checked) implements Signatures {
    @Override
    public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
      checked.incrementAndGet();
      return signature.equals(Bytes.of(digest.toByteArray()));
    }

    @Override
    public LedgerAddress address(Verifier verifier) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void whatItsSenderHasNotSignedIsRefused() {
    var transaction = Contract.transaction(B, 1);
    var transition = transition(transaction);
    var other = transition(Contract.transaction(B, 2));
    var tree = MerkleTree.of(List.of(transition, other));
    var turned = MerkleTree.of(List.of(other, transition));
    var good = proof(tree.path(0), ASSEMBLY.digest(tree));
    var signature = good.signatures().get(0);
    var elsewhere =
        new Attestation(
            Purpose.ASSEMBLY,
            Contract.GROUP.chainId(),
            new ContractAddress("0x" + "cd".repeat(20)));
    var otherChain =
        new Attestation(Purpose.ASSEMBLY, Contract.GROUP.chainId() + 1, Contract.GROUP.contract());
    var otherKey = new byte[33];
    otherKey[0] = 1;
    var forged = new LinkedHashMap<String, Proof>();
    forged.put("no signature", Proof.NONE);
    forged.put("two signatures", new Proof(good.path(), List.of(signature, signature)));
    forged.put(
        "a member that did not assemble it",
        new Proof(good.path(), List.of(signature(Contract.party(C), ASSEMBLY.digest(tree)))));
    forged.put(
        "another key",
        new Proof(
            good.path(),
            List.of(
                new Signature(
                    Contract.party(B), new Verifier(Bytes.of(otherKey)), signature.value()))));
    forged.put("the place of another leaf", new Proof(tree.path(1), good.signatures()));
    forged.put(
        "another order",
        new Proof(good.path(), proof(turned.path(1), ASSEMBLY.digest(turned)).signatures()));
    forged.put(
        "the path of a tree that was not signed",
        proof(tree.path(0), ASSEMBLY.digest(other, MerklePath.ALONE)));
    forged.put("it alone, though with another", new Proof(MerklePath.ALONE, good.signatures()));
    forged.put(
        "with another, though alone",
        proof(tree.path(0), ASSEMBLY.digest(transition, MerklePath.ALONE)));
    forged.put(
        "an inner node as a leaf",
        proof(MerklePath.ALONE, ASSEMBLY.digest(tree.root(), MerklePath.ALONE)));
    forged.put("another contract", proof(tree.path(0), elsewhere.digest(tree)));
    forged.put("another chain", proof(tree.path(0), otherChain.digest(tree)));
    forged.put(
        "another purpose",
        proof(tree.path(0), Contract.GROUP.attestation(Purpose.ENDORSEMENT).digest(tree)));

    assertThat(refusals(item(transaction, good))).isEmpty();
    forged.forEach(
        (name, proof) ->
            assertThat(refusals(item(transaction, proof)))
                .as(name)
                .singleElement()
                .asString()
                .contains("sign"));
  }

  private static List<String> refusals(EndorsementRequest.Item... items) {
    var answer = (EndorsementResponse) answer(HEIGHT, B, with(items));
    return answer.refused().stream().map(EndorsementResponse.Refused::reason).toList();
  }

  private static EndorsementRequest with(EndorsementRequest.Item... items) {
    var like = request(HEIGHT);
    return new EndorsementRequest(
        like.attestationRequest(),
        like.idempotencyKey(),
        ADDRESS,
        like.party(),
        List.of(items),
        B,
        HEIGHT);
  }

  @Test
  void aSignatureOfASenderIsCheckedOnceForAllThatItHasSignedTogether() {
    var checked = new AtomicInteger();
    var transactions =
        IntStream.range(0, 5).mapToObj(number -> Contract.transaction(B, number)).toList();
    var tree = MerkleTree.of(transactions.stream().map(EndorserTest::transition).toList());
    var proofs = new SenderProofs(Contract.GROUP, new SignedIsShown(checked));

    for (int i = 0; i < transactions.size(); i++) {
      var item = item(transactions.get(i), proof(tree.path(i), ASSEMBLY.digest(tree)));
      assertThat(proofs.refusal(item, item.transition())).isEmpty();
    }
    assertThat(checked).hasValue(1);

    var wrong = proof(tree.path(0), transition(transactions.get(0)));
    assertThat(proofs.refusal(item(transactions.get(0), wrong), transition(transactions.get(0))))
        .isPresent();
  }

  /** ATT-9: what is remembered of a signature is remembered of it over one root. */
  @Test
  void aSignatureThatIsValidForOneRootVouchesForNoOtherInTheSameRequest() {
    var signed = Contract.transaction(B, 1);
    var other = Contract.transaction(B, 2);
    var tree = MerkleTree.of(List.of(transition(signed), transition(Contract.transaction(B, 3))));
    var good = proof(tree.path(0), ASSEMBLY.digest(tree));
    var borrowed = new Proof(tree.path(0), good.signatures());
    var alone = new Proof(MerklePath.ALONE, good.signatures());

    assertThat(refusals(item(signed, good), item(other, borrowed)))
        .singleElement()
        .asString()
        .contains("not valid for this assembly");
    assertThat(refusals(item(signed, good), item(other, alone))).hasSize(1);
    assertThat(refusals(item(other, borrowed), item(signed, good))).hasSize(1);
  }

  /** ATT-9: a path of four leaves is one of three, too, and comes to the same root. */
  @Test
  void aSignatureThatIsValidForOneSizeVouchesForNoOtherInTheSameRequest() {
    var transactions = IntStream.range(1, 5).mapToObj(i -> Contract.transaction(B, i)).toList();
    var tree = MerkleTree.of(transactions.stream().map(EndorserTest::transition).toList());
    var good = proof(tree.path(0), ASSEMBLY.digest(tree));
    var other = transactions.get(1);
    var smaller = new MerklePath(1, 3, tree.path(1).siblings());
    assertThat(smaller.root(transition(other))).isEqualTo(tree.root());

    var borrowed = item(other, new Proof(smaller, good.signatures()));

    assertThat(refusals(item(transactions.get(0), good), borrowed))
        .singleElement()
        .asString()
        .contains("not valid for this assembly");
  }

  /** What the group knows of the party. */
  private static final Verifier KNOWN =
      Contract.GROUP.committee().member(Contract.party(A)).orElseThrow().verifier();

  /**
   * Of a name whose newest key the group does not know.
   *
   * @param standing of the one that it knows
   * @param elsewhere what another signs, if another has the keys
   */
  private record OtherKeys(Standing standing, Optional<Bytes> elsewhere) implements Keys {
    @Override
    public Verifier verifier(String name) {
      return new Verifier(Bytes.of(new byte[33]));
    }

    @Override
    public Standing standing(String name, Verifier key) {
      return key.equals(KNOWN) ? standing : Standing.UNKNOWN;
    }

    @Override
    public boolean areHere(String name) {
      return elsewhere.isEmpty();
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      throw new AssertionError("That key signs nothing for this group.");
    }

    @Override
    public Bytes sign(String name, Verifier key, Hash digest) {
      assertThat(key).isEqualTo(KNOWN);
      return Bytes.of(digest.toByteArray());
    }
  }

  /** What they sign is shown. */
  private record OwnKeys(Verifier verifier) implements Keys {
    OwnKeys() {
      this(Contract.GROUP.committee().member(Contract.party(A)).orElseThrow().verifier());
    }

    @Override
    public Verifier verifier(String name) {
      return verifier;
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      return Bytes.of(digest.toByteArray());
    }
  }
}
