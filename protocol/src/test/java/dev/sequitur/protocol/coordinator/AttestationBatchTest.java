package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.coordinator.CoordinatedTransaction.Setbacks;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is ready is endorsed together, and each transaction has an outcome of its own. */
class AttestationBatchTest {
  private static final int AT_ONCE = CoordinatorOfA.SETTINGS.limits().attestationBatches();
  private static final int MOST = CoordinatorOfA.SETTINGS.limits().attestationBatch();
  private static final int MOST_BYTES = CoordinatorOfA.SETTINGS.limits().attestationBatchBytes();

  private static final Identity B_PARTY = Contract.party(B);
  private static final Identity C_PARTY = Contract.party(C);

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsFirstBlock();

  /** One after another, so that the first of them go alone. */
  private List<EndorsementRequest> busy() {
    var out = new ArrayList<EndorsementRequest>();
    for (int i = 0; i < AT_ONCE; i++) {
      var each = transaction(1_000 + i);
      coordinator.delegate(each);
      coordinator.load();
      coordinator.assembled(each, making("busy" + i));
      out.addAll(coordinator.sent(EndorsementRequest.class));
    }
    assertThat(out).hasSize(2 * AT_ONCE);
    return out;
  }

  /** So many, while as many batches are out as may be; then one of those is done. */
  private List<EndorsementRequest> together(int count, Function<Integer, PostAssembly> assemblies) {
    return together(
        IntStream.range(0, count).mapToObj(AttestationBatchTest::transaction).toList(), assemblies);
  }

  private List<EndorsementRequest> together(
      List<PrivateTransaction> all, Function<Integer, PostAssembly> assemblies) {
    var out = busy();
    coordinator.delegate(all.toArray(PrivateTransaction[]::new));
    for (int i = 0; i < all.size(); i++) {
      coordinator.assembled(all.get(i), assemblies.apply(i));
      assertThat(coordinator.sent(EndorsementRequest.class)).isEmpty();
    }
    coordinator.endorse(out.get(0));
    coordinator.endorse(out.get(1));
    return coordinator.sent(EndorsementRequest.class);
  }

  private List<EndorsementRequest> together(int count) {
    return together(count, i -> making("made" + i));
  }

  @Test
  void whatIsReadyAloneGoesAloneAndAtOnce() {
    assertThat(busy()).allSatisfy(request -> assertThat(request.items()).hasSize(1));
  }

  @Test
  void whatIsAssembledWhileManyBatchesAreOutGoesTogetherOnceOneIsDone() {
    var requests = together(5);

    assertThat(requests).extracting(EndorsementRequest::party).containsExactly(B_PARTY, C_PARTY);
    assertThat(requests)
        .allSatisfy(request -> assertThat(request.transactions()).containsExactly(ids(5)));
  }

  @Test
  void thoseOfSeveralSendersGoTogetherInTheOrderOfTheirDispatch() {
    var out = busy();
    var ofB = Contract.transaction(B, 1);
    var ofC = Contract.transaction(C, 2);
    var alsoOfB = Contract.transaction(B, 3);
    List.of(ofB, ofC, alsoOfB)
        .forEach(
            each -> {
              coordinator.delegateFrom(each.from().node(), each);
              coordinator.assembled(each, making("made by " + each.id()));
            });

    coordinator.endorse(out.get(0));
    coordinator.endorse(out.get(1));

    assertThat(coordinator.sent(EndorsementRequest.class))
        .hasSize(2)
        .allSatisfy(
            request ->
                assertThat(request.transactions())
                    .containsExactly(ofB.id(), ofC.id(), alsoOfB.id()));
  }

  @Test
  void aBatchHasAsManyAsALimitAllowsAndTheOthersGoWithTheNext() {
    var requests = together(MOST + 2);

    assertThat(requests.get(0).items()).hasSize(MOST);
    requests.forEach(coordinator::endorse);
    assertThat(coordinator.sent(EndorsementRequest.class).get(0).items()).hasSize(2);
  }

  @Test
  void aBatchHasAsManyBytesAsALimitAllowsUnlessOneAloneHasMore() {
    var requests =
        together(
            4,
            i -> specified(making("made" + i), new byte[i == 3 ? MOST_BYTES + 1 : MOST_BYTES / 3]));

    assertThat(requests.get(0).items()).hasSize(2);
    requests.forEach(coordinator::endorse);
    assertThat(coordinator.sent(EndorsementRequest.class).get(0).transactions())
        .containsExactly(transaction(2).id());
    coordinator.endorse();
    assertThat(coordinator.sent(EndorsementRequest.class).get(0).transactions())
        .containsExactly(transaction(3).id());
  }

  @Test
  void theContentsOfStatesCountAmongTheBytes() {
    var requests = together(4, i -> making(i + "x".repeat(MOST_BYTES / 3)));

    assertThat(requests.get(0).items()).hasSize(2);
  }

  @Test
  void whatIntentsSayCountsAmongTheBytes() {
    var all = IntStream.range(0, 4).mapToObj(AttestationBatchTest::saying).toList();

    var requests = together(all, i -> making("made" + i));

    assertThat(requests.get(0).items()).hasSize(2);
  }

  private static PrivateTransaction saying(int number) {
    var like = transaction(number);
    return like.withInputs(Bytes.of(new byte[MOST_BYTES / 3]));
  }

  @Test
  void whatIsToBeEndorsedByOthersGoesInAnotherBatch() {
    var requests = together(3, i -> planned(making("made" + i), i == 2 ? 1 : 2));

    assertThat(requests.get(0).transactions()).containsExactly(ids(2));
    requests.forEach(coordinator::endorse);
    assertThat(coordinator.sent(EndorsementRequest.class).get(0).transactions())
        .containsExactly(transaction(2).id());
  }

  @Test
  void allOfItGoOnInOrderOnceAllPartiesHaveEndorsed() {
    var requests = together(3);

    coordinator.endorse(requests.get(0));
    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).isEmpty();
    coordinator.endorse(requests.get(1));

    assertThat(coordinator.askedForLeave()).containsExactly(ids(3));
    assertThat(open()).isEqualTo(AT_ONCE - 1);
    assertThat(coordinator.state().attestations().asked())
        .as("what is answered is not remembered")
        .hasSize(2 * (AT_ONCE - 1));
  }

  @Test
  void whatAPartyRefusesIsTakenOutWithWhatDependsOnItAndTheOthersGoOn() {
    var requests =
        together(
            4,
            i ->
                i == 2
                    ? CoordinatorOfA.assembly(List.of(state("made1")), state("of it"))
                    : making("made" + i));
    coordinator.endorse(requests.get(0));

    coordinator.refuse(requests.get(1), transaction(1));

    var again = coordinator.sent(EndorsementRequest.class);
    coordinator.endorse(again.get(0));
    coordinator.endorse(again.get(1));
    assertThat(coordinator.askedForLeave())
        .containsExactly(transaction(0).id(), transaction(3).id());
    assertThat(coordinator.transaction(transaction(1)).setbacks().refusals()).isEqualTo(1);
    assertThat(coordinator.transaction(transaction(2)).setbacks()).isEqualTo(Setbacks.NONE);
    assertThat(coordinator.state().graph().node(transaction(1).key())).isEmpty();
    assertThat(coordinator.state().graph().node(transaction(2).key())).isEmpty();
    assertThat(open()).as("of the batch nothing is left").isEqualTo(AT_ONCE - 1);
  }

  /** Those that have refused the same answer after the coordinator knows. */
  @Test
  void whatIsRefusedByAllIsRefusedOnce() {
    var requests = together(3);

    coordinator.refuse(requests.get(0), transaction(1));
    coordinator.refuse(requests.get(1), transaction(1));

    assertThat(coordinator.transaction(transaction(1)).setbacks().refusals()).isEqualTo(1);
    assertThat(coordinator.askedForLeave())
        .containsExactly(transaction(0).id(), transaction(2).id());
  }

  /** It is in another batch by then, and its answer there counts. */
  @Test
  void whoRefusesItInABatchThatItHasLeftIsNotCounted() {
    var requests = together(2);
    coordinator.refuse(requests.get(0), transaction(0));
    busyAgain();
    coordinator.tickFor(Duration.ofSeconds(1));
    coordinator.assembled(transaction(0), making("made again"));
    var before = coordinator.transaction(transaction(0));
    assertThat(before.state()).isEqualTo(CoordinatedState.ATTESTATION);

    coordinator.refuse(requests.get(1), transaction(0));

    assertThat(coordinator.transaction(transaction(0))).isEqualTo(before);
  }

  @Test
  void whatWasRefusedGoesAloneAndHoldsNobodyUp() {
    var requests = together(2);
    coordinator.refuse(requests.get(0), transaction(0));
    coordinator.endorse(requests.get(1));
    busyAgain();
    coordinator.tickFor(Duration.ofSeconds(1));
    coordinator.assembled(transaction(0), making("made again"));

    assertThat(coordinator.sentTo(EndorsementRequest.class))
        .as("who refused it")
        .containsExactly(B);
    assertThat(coordinator.sent(EndorsementRequest.class).get(0).transactions())
        .containsExactly(transaction(0).id());
    assertThat(coordinator.state().attestations().together()).isEqualTo(AT_ONCE);
    coordinator.endorse();
    coordinator.endorse();
    assertThat(coordinator.state().attestations().together()).isEqualTo(AT_ONCE);
  }

  private void busyAgain() {
    var another = transaction(2_000);
    coordinator.delegate(another);
    coordinator.assembled(another, making("busy again"));
    assertThat(coordinator.state().attestations().together()).isEqualTo(AT_ONCE);
  }

  @Test
  void aBatchThatWaitsForSomebodySilentHoldsUpNoOther() {
    var requests = together(3);
    coordinator.endorse(requests.get(0));
    int before = coordinator.state().attestations().together();

    coordinator.tickFor(CoordinatorOfA.SETTINGS.delivery().endorsementTimeout());

    for (int i = 0; i < 3; i++) {
      assertThat(coordinator.transaction(transaction(i)).setbacks())
          .isEqualTo(new Setbacks(0, Optional.empty(), 0));
    }
    assertThat(coordinator.state().attestations().together()).isLessThan(before);
  }

  @Test
  void whatIsRefusedAsAWholeIsRefusedForEachOfThem() {
    var requests = together(3);

    coordinator.refuse(requests.get(0), new EndorsementError.Refused("no"));

    assertThat(coordinator.has(new CoordinatorEffect.Count(CoordinatorEffect.Counted.REFUSAL)))
        .isTrue();
    for (int i = 0; i < 3; i++) {
      assertThat(coordinator.transaction(transaction(i)).setbacks().refusals()).isEqualTo(1);
    }
    assertThat(open()).as("of the batch nothing is left").isEqualTo(AT_ONCE - 1);
  }

  @Test
  void aPartyThatIsBehindIsAskedForTheSameAgainUnderAnotherId() {
    var asked = together(3).get(0);

    coordinator.refuse(asked, new EndorsementError.MismatchedBlockHeight(coordinator.height));

    var again =
        coordinator.tickFor(Duration.ofSeconds(1)).stream()
            .filter(EndorsementRequest.class::isInstance)
            .map(EndorsementRequest.class::cast)
            .filter(request -> request.party().equals(asked.party()))
            .filter(request -> request.items().size() == 3)
            .findFirst()
            .orElseThrow();
    assertThat(again.idempotencyKey()).isNotEqualTo(asked.idempotencyKey());
    assertThat(again.items()).isEqualTo(asked.items());
    coordinator.endorse(asked);
    assertThat(signed()).isEmpty();
    coordinator.endorse(again);
    assertThat(signed()).containsOnly(B_PARTY);
  }

  @Test
  void oneThatIsFulfilledMeanwhileHoldsUpNoneOfTheOthers() {
    var requests = together(3);
    coordinator.confirm(transaction(1));

    requests.forEach(coordinator::endorse);

    assertThat(coordinator.askedForLeave())
        .containsExactly(transaction(0).id(), transaction(2).id());
  }

  @Test
  void onceAllOfItHaveLeftNobodyIsAskedAnyMoreAndTheNextBatchGoes() {
    var requests = together(2);
    var next = transaction(7);
    coordinator.delegate(next);
    coordinator.assembled(next, making("next"));
    assertThat(coordinator.sent(EndorsementRequest.class)).isEmpty();

    coordinator.confirm(transaction(0), transaction(1));

    for (var request : requests) {
      assertThat(coordinator.state().exchanges().get(request.idempotencyKey())).isEmpty();
      assertThat(coordinator.state().attestations().asked())
          .doesNotContainKey(request.idempotencyKey());
    }
    assertThat(coordinator.sent(EndorsementRequest.class))
        .hasSize(2)
        .allSatisfy(request -> assertThat(request.transactions()).containsExactly(next.id()));
  }

  @Test
  void whatLeavesBeforeItIsAskedForIsNotAskedFor() {
    var out = busy();
    coordinator.delegate(transaction(0), transaction(1));
    coordinator.assembled(transaction(0), making("made0"));
    coordinator.assembled(transaction(1), making("made1"));

    coordinator.confirm(transaction(0));
    coordinator.endorse(out.get(0));
    coordinator.endorse(out.get(1));

    assertThat(coordinator.sent(EndorsementRequest.class))
        .hasSize(2)
        .allSatisfy(
            request -> assertThat(request.transactions()).containsExactly(transaction(1).id()));
    assertThat(coordinator.state().attestations().waiting()).isEmpty();
  }

  /** An answer, and what somebody makes of it. */
  record Wrong(String what, UnaryOperator<EndorsementResponse> change) {
    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<Wrong> wrongAnswers() {
    return Stream.of(
        new Wrong("one left out", r -> like(r, r.endorsed().subList(1, 3), r.refused())),
        new Wrong("none", r -> like(r, List.of(), List.of())),
        new Wrong("another order", r -> like(r, reversed(r.endorsed()), r.refused())),
        new Wrong("one twice", r -> like(r, twice(r.endorsed()), r.refused())),
        new Wrong(
            "endorsed and refused", r -> like(r, r.endorsed(), refusing(transaction(1).key()))),
        new Wrong(
            "refused what was not asked",
            r -> like(r, r.endorsed(), refusing(transaction(9).key()))),
        new Wrong("no signature", r -> signed(r, Optional.empty())),
        new Wrong("the root of another order", r -> signed(r, root(2, 1, 0))),
        new Wrong("the root of some of them", r -> signed(r, root(0, 1))),
        new Wrong("the root of another one", r -> signed(r, root(0, 1, 7))));
  }

  @ParameterizedTest
  @MethodSource("wrongAnswers")
  void anAnswerThatDoesNotAnswerEachOfThemIsDroppedAndCountedAndTheRightOneStillCounts(
      Wrong wrong) {
    var requests = together(3);
    coordinator.endorse(requests.get(0));
    var right = CoordinatorOfA.endorsement(requests.get(1));

    coordinator.tell(C, wrong.change().apply(right));

    assertThat(
            coordinator.has(
                new CoordinatorEffect.Count(CoordinatorEffect.Counted.INVALID_ENDORSEMENT)))
        .isTrue();
    for (int i = 0; i < 3; i++) {
      assertThat(coordinator.transaction(transaction(i)).setbacks()).isEqualTo(Setbacks.NONE);
    }
    assertThat(signed()).containsOnly(B_PARTY);
    coordinator.tell(C, right);
    assertThat(coordinator.askedForLeave()).hasSize(3);
  }

  @Test
  void allAreProvedByOneRootAndEachByItsOwnPath() {
    together(3).forEach(coordinator::endorse);

    var tree = MerkleTree.of(transitions(0, 1, 2));
    for (int i = 0; i < 3; i++) {
      assertThat(proof(i).path()).isEqualTo(tree.path(i));
      assertThat(proof(i).signatures())
          .extracting(Signature::party)
          .containsExactlyInAnyOrder(B_PARTY, C_PARTY);
    }
  }

  @Test
  void whatAllRefuseLeavesAndTheRestHasTheRootThatAllHaveSigned() {
    var requests = together(3);

    requests.forEach(request -> coordinator.refuse(request, transaction(1)));

    var tree = MerkleTree.of(transitions(0, 2));
    assertThat(proof(0).path()).isEqualTo(tree.path(0));
    assertThat(proof(2).path()).isEqualTo(tree.path(1));
    assertThat(coordinator.transaction(transaction(1)).setbacks().refusals()).isEqualTo(1);
  }

  /** B has signed a root with the one that C refuses: no root has both signatures. */
  @Test
  void whereOnlySomeRefuseOneTheRestIsAskedForAgainTogether() {
    var requests = together(3);

    coordinator.endorse(requests.get(0));
    coordinator.refuse(requests.get(1), transaction(1));

    var again = coordinator.sent(EndorsementRequest.class);
    assertThat(again)
        .hasSize(2)
        .allSatisfy(
            request ->
                assertThat(request.transactions())
                    .containsExactly(transaction(0).id(), transaction(2).id()));
    again.forEach(coordinator::endorse);
    assertThat(proof(2).path()).isEqualTo(MerkleTree.of(transitions(0, 2)).path(1));
  }

  /** One that refuses another each time costs no further round for each. */
  @Test
  void whereTheyDifferAgainEachIsAskedForAlone() {
    var requests = together(4);
    coordinator.endorse(requests.get(0));
    coordinator.refuse(requests.get(1), transaction(0));
    var again = coordinator.sent(EndorsementRequest.class);

    coordinator.endorse(again.get(0));
    coordinator.refuse(again.get(1), transaction(1));

    var alone = coordinator.sent(EndorsementRequest.class);
    assertThat(alone)
        .extracting(EndorsementRequest::transactions)
        .containsExactly(
            List.of(transaction(2).id()),
            List.of(transaction(2).id()),
            List.of(transaction(3).id()),
            List.of(transaction(3).id()));
    alone.forEach(coordinator::endorse);
    assertThat(proof(3).path()).isEqualTo(MerklePath.ALONE);
  }

  /** B endorses both, C one of them, and A is silent: that one has enough (EDR-8). */
  @Test
  void whereTwoDifferAndAThirdIsSilentTheRestIsAskedForAgainWithoutWaitingForIt() {
    var requests = together(2, i -> ofAnyTwo(making("made" + i)));
    coordinator.endorse(of(B_PARTY, requests));
    coordinator.refuse(of(C_PARTY, requests), transaction(0));

    var timeout = CoordinatorOfA.SETTINGS.delivery().endorsementTimeout();
    var again =
        coordinator.tickFor(timeout).stream()
            .filter(EndorsementRequest.class::isInstance)
            .map(EndorsementRequest.class::cast)
            .filter(request -> request.transactions().equals(List.of(transaction(1).id())))
            .toList();
    coordinator.endorse(of(B_PARTY, again));
    coordinator.endorse(of(C_PARTY, again));

    assertThat(coordinator.transaction(transaction(1)).state())
        .isEqualTo(CoordinatedState.CONFIRMATION);
  }

  private static EndorsementRequest of(Identity party, List<EndorsementRequest> requests) {
    return requests.stream()
        .filter(request -> request.party().equals(party))
        .findFirst()
        .orElseThrow();
  }

  private static PostAssembly ofAnyTwo(PostAssembly like) {
    return new PostAssembly(
        like.inputs(),
        like.reads(),
        like.outputs(),
        like.info(),
        like.specification(),
        List.of(new AttestationRequest("endorse", List.of(Contract.party(A), B_PARTY, C_PARTY), 2)),
        like.proof());
  }

  private Proof proof(int number) {
    return coordinator.transaction(transaction(number)).progress().proof().orElseThrow();
  }

  private static List<Hash> transitions(int... numbers) {
    return IntStream.of(numbers)
        .mapToObj(i -> making("made" + i).transition(transaction(i).key()))
        .toList();
  }

  private static EndorsementResponse like(
      EndorsementResponse right,
      List<IntentKey> endorsed,
      List<EndorsementResponse.Refused> refused) {
    return new EndorsementResponse(
        right.idempotencyKey(),
        ADDRESS,
        right.party(),
        right.attestationRequestName(),
        endorsed,
        right.endorsement(),
        refused);
  }

  private static EndorsementResponse signed(
      EndorsementResponse right, Optional<Signature> endorsement) {
    return new EndorsementResponse(
        right.idempotencyKey(),
        ADDRESS,
        right.party(),
        right.attestationRequestName(),
        right.endorsed(),
        endorsement,
        right.refused());
  }

  /** C's signature over the root of these transactions. */
  private static Optional<Signature> root(int... numbers) {
    var tree = MerkleTree.of(transitions(numbers));
    var digest = Contract.GROUP.attestation(Purpose.ENDORSEMENT).digest(tree);
    return Optional.of(CoordinatorOfA.signature(C_PARTY, digest));
  }

  /** Who has signed a root of the batch of the first transaction. */
  private Set<Identity> signed() {
    long batch = coordinator.transaction(transaction(0)).progress().batch().orElseThrow();
    return coordinator.state().attestations().open().get(batch).signed().keySet();
  }

  private static <T> List<T> reversed(List<T> list) {
    var reversed = new ArrayList<>(list);
    Collections.reverse(reversed);
    return reversed;
  }

  private static <T> List<T> twice(List<T> list) {
    return Stream.concat(list.stream(), list.stream().limit(1)).toList();
  }

  private static List<EndorsementResponse.Refused> refusing(IntentKey intent) {
    return List.of(new EndorsementResponse.Refused(intent, "no"));
  }

  private int open() {
    return coordinator.state().attestations().open().size();
  }

  private static PrivateTransaction transaction(int number) {
    return Contract.transaction(B, number + 1);
  }

  private static TransactionId[] ids(int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> transaction(number).id())
        .toArray(TransactionId[]::new);
  }

  private static PrivateState state(String name) {
    return Contract.state(name, A, B, C);
  }

  private static PostAssembly making(String name) {
    return CoordinatorOfA.assembly(List.of(), state(name));
  }

  private static PostAssembly specified(PostAssembly like, byte[] specification) {
    return new PostAssembly(
        like.inputs(),
        like.reads(),
        like.outputs(),
        like.info(),
        Bytes.of(specification),
        like.attestationPlan(),
        like.proof());
  }

  private static PostAssembly planned(PostAssembly like, int threshold) {
    return new PostAssembly(
        like.inputs(),
        like.reads(),
        like.outputs(),
        like.info(),
        like.specification(),
        List.of(new AttestationRequest("endorse", List.of(B_PARTY, C_PARTY), threshold)),
        like.proof());
  }
}
