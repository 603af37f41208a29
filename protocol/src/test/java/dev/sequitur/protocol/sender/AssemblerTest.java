package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import dev.sequitur.protocol.transaction.StateLocks;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When a sender's assemblies are made, and upon what (ASM-1). */
class AssemblerTest {
  private static final PrivateTransaction FIRST = Contract.transaction(A, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(A, 2);
  private static final PrivateTransaction BROKEN = Contract.transaction(A, 13);

  private static final Verifier VERIFIER =
      GROUP.committee().member(Contract.party(A)).orElseThrow().verifier();

  private static final PrivateState ONE = Contract.state("one", A);
  private static final PrivateState OTHER = Contract.state("other", A);

  private final StateStore rules =
      new StateStore(
          A,
          ADDRESS,
          state -> true,
          new StateStore.Members(List.of(B), true),
          SequencerSettings.DEFAULT);
  private final List<SenderInput.AssemblyFinished> answers = new ArrayList<>();

  /** It takes the first state that it finds. */
  private boolean looksNoFurther;

  /** What each was assembled upon: the states that it could have spent. */
  private final List<List<PrivateState>> seen = new ArrayList<>();

  /** By name of the identity: what it was asked to sign. */
  private final List<String> signed = new ArrayList<>();

  private final Assembler assembler =
      new Assembler(
          Contract.selection(Contract.withOtherKeyOf(A, new BlockHeight(25))),
          domain(),
          keys(),
          (transaction, thrown) -> "reason: " + thrown.getMessage(),
          rules::lacking,
          rules::stopped);
  private StateStoreState state = StateStoreState.initial();

  /** Spends the oldest state there is, if any. */
  private Domain domain() {
    return (Domain)
        Proxy.newProxyInstance(
            Domain.class.getClassLoader(),
            new Class<?>[] {Domain.class},
            (self, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("assemble");
              return assembled((PrivateTransaction) arguments[1], (Domain.States) arguments[2]);
            });
  }

  /** Of what is signed elsewhere. */
  private final CompletableFuture<Bytes> elsewhere = new CompletableFuture<>();

  /**
   * What they sign is shown; the one called {@code locked} cannot be used, and the one of {@code
   * remote} is elsewhere.
   */
  private Keys keys() {
    return new Keys() {
      @Override
      public Verifier verifier(String name) {
        return VERIFIER;
      }

      @Override
      public Bytes sign(String name, Hash digest) {
        if (name.equals("locked")) {
          throw new IllegalStateException("locked");
        }
        signed.add(name);
        return Bytes.of(digest.toByteArray());
      }

      @Override
      public CompletionStage<Bytes> signed(String name, Verifier key, Bytes message) {
        return name.equals("remote") ? elsewhere : Keys.super.signed(name, key, message);
      }
    };
  }

  private Domain.Assembly assembled(PrivateTransaction transaction, Domain.States states) {
    if (transaction.equals(BROKEN)) {
      throw new IllegalStateException("broken");
    }
    var available = new ArrayList<PrivateState>();
    if (looksNoFurther) {
      available.add(states.available(ONE.schema(), ONE.lookup()).iterator().next());
      return assembledUpon(available);
    }
    for (var each : List.of(ONE, OTHER)) {
      states.available(each.schema(), each.lookup()).forEach(available::add);
    }
    seen.add(List.copyOf(available));
    return assembledUpon(available);
  }

  private static Domain.Assembly assembledUpon(List<PrivateState> available) {
    return new Domain.Assembly.Assembled(
        new PostAssembly(
            available.stream().limit(1).toList(),
            List.of(),
            List.of(),
            List.of(),
            Bytes.EMPTY,
            List.of(),
            Proof.NONE));
  }

  private void ask(int request, long height, PrivateTransaction... transactions) {
    assembler.assemble(
        new SenderEffect.Assemble(
            new RequestId("request-" + request),
            new MessageId(new UUID(0, request)),
            new BlockHeight(height),
            StateLocks.NONE,
            List.of(transactions)),
        answers::add,
        state);
  }

  /** Told to the assembler alone; what it did to the states comes by another way. */
  private void blockSeen(long height, boolean hasStates) {
    assembler.blockSeen(new BlockHeight(height), hasStates, state);
  }

  private void blockStored(long height, List<StateId> created) {
    tell(new StateStore.Input.BlockIndexed(new BlockHeight(height), List.of(), created));
  }

  private void contentStored(PrivateState... states) {
    var items =
        Stream.of(states).map(each -> new StateDistribution.Item(FIRST.id(), each)).toList();
    tell(
        new StateStore.Input.Given(
            Contract.from(B, new StateDistribution(new RequestId("given"), ADDRESS, items))));
  }

  private void tell(StateStore.Input input) {
    state = rules.decide(state, input, Instant.EPOCH).state();
    assembler.stateChanged(state);
  }

  private List<String> answered() {
    return answers.stream().map(answer -> answer.request().value()).toList();
  }

  @Test
  void nothingIsAssembledBeforeThisNodeHasReadAsFarAsTheCoordinator() {
    ask(1, 5, FIRST);
    blockSeen(4, false);
    assertThat(answers).isEmpty();

    blockSeen(5, false);

    assertThat(answered()).containsExactly("request-1");
  }

  @Test
  void norBeforeTheStatesOfTheBlocksThatWereSeenHaveCome() {
    blockSeen(5, true);
    blockSeen(6, false);
    ask(1, 6, FIRST);
    assertThat(answers).isEmpty();
    assertThat(assembler.isComplete(state)).isFalse();

    contentStored(ONE);
    assertThat(answers).isEmpty();
    blockStored(5, List.of(ONE.id()));

    assertThat(answered()).containsExactly("request-1");
    assertThat(assembler.isComplete(state)).isTrue();
  }

  @Test
  void anOlderBlockThatIsToldAgainChangesNothing() {
    blockSeen(5, false);
    blockSeen(4, true);
    ask(1, 5, FIRST);

    assertThat(answered()).containsExactly("request-1");
  }

  @Test
  void aContentIsAwaitedForThreeBlocks() {
    blockSeen(5, true);
    blockStored(5, List.of(ONE.id()));
    ask(1, 5, FIRST);
    blockSeen(7, false);
    assertThat(answers).isEmpty();

    blockSeen(8, false);

    assertThat(answered()).containsExactly("request-1");
  }

  @Test
  void thoseThatWaitAreAnsweredInTheirOrder() {
    ask(1, 5, FIRST);
    ask(2, 4, SECOND);
    blockSeen(3, false);
    assertThat(answers).isEmpty();

    blockSeen(5, false);

    assertThat(answered()).containsExactly("request-1", "request-2");
  }

  /** Its coordinator may be one of before, and lie. */
  @Test
  void oneForAHeightThatNeverComesKeepsNoneBehindItWaiting() {
    ask(1, Long.MAX_VALUE, FIRST);
    ask(2, 3, FIRST);
    blockSeen(3, false);

    assertThat(answered()).containsExactly("request-2");
  }

  @Test
  void ofMoreThanSixteenTheOldestIsForgotten() {
    IntStream.rangeClosed(1, 17).forEach(request -> ask(request, 5, FIRST));

    blockSeen(5, false);

    assertThat(answered()).hasSize(16).startsWith("request-2").endsWith("request-17");
  }

  @Test
  void eachIsAssembledUponWhatThoseBeforeItHaveLeft() {
    contentStored(ONE, OTHER);
    blockStored(1, List.of(ONE.id(), OTHER.id()));

    ask(1, 0, FIRST, SECOND);

    assertThat(seen).hasSize(2);
    assertThat(seen.get(0)).containsExactlyInAnyOrder(ONE, OTHER);
    assertThat(seen.get(1)).hasSize(1).isSubsetOf(seen.get(0));
    assertThat(answers.getFirst().results()).containsOnlyKeys(FIRST.id(), SECOND.id());
  }

  @Test
  void aFaultOfTheDomainEndsOneAssemblyAndNoOther() {
    ask(1, 0, BROKEN, FIRST);

    var results = answers.getFirst().results();
    assertThat(results.get(BROKEN.id())).isEqualTo(new Domain.Assembly.Failed("reason: broken"));
    assertThat(results.get(FIRST.id())).isInstanceOf(Domain.Assembly.Assembled.class);
  }

  @Test
  void eachIdentitySignsOnceAllThatIsAssembledForIt() {
    var ofAnother = of("another", 3);
    contentStored(ONE, OTHER);
    blockStored(1, List.of(ONE.id(), OTHER.id()));

    ask(1, 0, FIRST, ofAnother, BROKEN, SECOND);

    assertThat(signed).containsExactly(FIRST.from().name(), "another");
    var tree = MerkleTree.of(List.of(transition(FIRST), transition(SECOND)));
    assertProven(FIRST, tree, 0);
    assertProven(SECOND, tree, 1);
    assertProven(ofAnother, MerkleTree.of(List.of(transition(ofAnother))), 0);
  }

  private static PrivateTransaction of(String name, long number) {
    var like = Contract.transaction(A, number);
    return like.withFrom(new Identity(name, A));
  }

  private Hash transition(PrivateTransaction transaction) {
    return assembly(transaction).transition(transaction.key());
  }

  private PostAssembly assembly(PrivateTransaction transaction) {
    var result = answers.getFirst().results().get(transaction.id());
    return ((Domain.Assembly.Assembled) result).postAssembly();
  }

  private void assertProven(PrivateTransaction transaction, MerkleTree tree, int index) {
    var proof = assembly(transaction).proof();
    assertThat(proof.path()).isEqualTo(tree.path(index));
    var digest = GROUP.attestation(Purpose.ASSEMBLY).digest(tree);
    assertThat(proof.signatures())
        .containsExactly(
            new Signature(transaction.from(), VERIFIER, Bytes.of(digest.toByteArray())));
  }

  /**
   * SEL-10: block 25 gives another key, and the range of block 30 is the first that begins after.
   */
  @Test
  void itIsSignedWithTheKeyThatTheGroupKnowsInTheRangeOfTheRequest() {
    blockSeen(30, false);

    ask(1, 29, FIRST);
    ask(2, 30, FIRST);

    assertThat(answers)
        .extracting(answer -> keyOf(answer.results().get(FIRST.id())))
        .containsExactly(VERIFIER, Contract.OTHER_KEY);
  }

  private static Verifier keyOf(Domain.Assembly assembly) {
    var assembled = (Domain.Assembly.Assembled) assembly;
    return assembled.postAssembly().proof().signatures().getFirst().verifier();
  }

  @Test
  void anIdentityThatCannotSignFailsAloneAndNoneOfItsAssembliesLeavesUnsigned() {
    var locked = of("locked", 4);

    ask(1, 0, locked, FIRST);

    assertThat(answers.getFirst().results().get(locked.id()))
        .isEqualTo(new Domain.Assembly.Failed("reason: locked"));
    assertThat(assembly(FIRST).proof().signatures()).hasSize(1);
  }

  @Test
  void whatIsSignedElsewhereIsAnsweredOnceItIsSigned() {
    var remote = of("remote", 4);

    ask(1, 0, remote, FIRST);
    assertThat(answers).isEmpty();
    elsewhere.complete(Bytes.utf8("signed elsewhere"));

    assertThat(assembly(remote).proof().signatures())
        .containsExactly(new Signature(remote.from(), VERIFIER, Bytes.utf8("signed elsewhere")));
    assertThat(assembly(FIRST).proof().signatures()).hasSize(1);
  }

  @Test
  void whatNobodySignsNowIsParkedAloneWhichIsNoTry() {
    var remote = of("remote", 4);

    ask(1, 0, remote, FIRST);
    elsewhere.completeExceptionally(new IllegalStateException("The signer is silent."));

    assertThat(answers.getFirst().results().get(remote.id()))
        .isEqualTo(new Domain.Assembly.Parked("The signer is silent."));
    assertThat(assembly(FIRST).proof().signatures()).hasSize(1);
  }

  /** Not found is not absent while something is lacking (DST-5). */
  @Test
  void whatDependsOnWhatIsNotFoundWaitsWhileContentsAreLackingAndIsResumedOnceTheyCome() {
    blockSeen(5, true);
    blockStored(5, List.of(ONE.id()));
    blockSeen(8, false);

    ask(1, 8, FIRST);

    var parked = (Domain.Assembly.Parked) answers.getFirst().results().get(FIRST.id());
    assertThat(parked.reason())
        .isEqualTo(
            "The content of a state that block 5 made has not come to this node. It asks the other"
                + " members of the group: b was not asked yet.");
    assertThat(signed).isEmpty();
    assertThat(assembler.resumable(state)).isEmpty();
    contentStored(ONE);
    assertThat(assembler.resumable(state)).containsExactly(FIRST.id());
    assertThat(assembler.resumable(state)).isEmpty();
  }

  @Test
  void whatIsFoundIsAssembledUponWhateverElseIsLacking() {
    looksNoFurther = true;
    contentStored(ONE);
    blockStored(4, List.of(ONE.id()));
    blockStored(5, List.of(OTHER.id()));
    blockSeen(8, false);

    ask(1, 8, FIRST);

    assertThat(assembly(FIRST).inputs()).containsExactly(ONE);
  }

  /** What is held is not what the ledger shows (DST-10). */
  @Test
  void nothingIsAssembledWhileTheStoreDiffersFromTheLedgerAndAllIsResumedOnceItDoesNot() {
    contentStored(ONE);
    blockStored(4, List.of(ONE.id()));
    blockSeen(8, false);
    state = state.withDiffers(Optional.of(new BlockHeight(3)));

    ask(1, 8, FIRST);

    var parked = (Domain.Assembly.Parked) answers.getFirst().results().get(FIRST.id());
    assertThat(parked.reason()).contains("differs from the ledger since block 3");
    assertThat(seen).isEmpty();
    assertThat(signed).isEmpty();
    assertThat(assembler.resumable(state)).isEmpty();
    state = state.withDiffers(Optional.empty());
    assertThat(assembler.resumable(state)).containsExactly(FIRST.id());
    assertThat(assembler.resumable(state)).isEmpty();
  }
}
