package dev.sequitur.ethereum;

import static dev.sequitur.ethereum.GroupContract.Outcome.ENDORSEMENT_INVALID;
import static dev.sequitur.ethereum.GroupContract.Outcome.FULFILLED;
import static dev.sequitur.ethereum.GroupContract.Outcome.INTENT_FULFILLED;
import static dev.sequitur.ethereum.GroupContract.Outcome.STATE_EXISTS;
import static dev.sequitur.ethereum.GroupContract.Outcome.STATE_UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.ethereum.ChainGroup.Transition;
import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of a privacy group on a real chain: four members, three of whom must endorse. */
class PrivacyGroupTest {
  private static final int MEMBERS = 4;
  private static final int THRESHOLD = 3;
  private static final BigInteger ORDER =
      new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);

  @TempDir private static Path directory;
  private static Anvil chain;
  private static FileKeys keys;
  private static String factory;
  private static int groups;

  private ChainGroup group;

  @BeforeAll
  static void start() throws IOException {
    chain = Anvil.start();
    keys = FileKeys.open(directory);
    factory = ChainGroup.factory(chain);
  }

  @AfterAll
  static void stop() {
    if (chain != null) {
      chain.close();
    }
  }

  @BeforeEach
  void newGroup() {
    group = newGroup(MEMBERS, THRESHOLD);
  }

  private static ChainGroup newGroup(int members, int threshold) {
    return ChainGroup.create(chain, factory, keys, members, threshold, hash("genesis" + groups++));
  }

  private static Hash hash(String text) {
    return Hash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }

  static StateId state(String name) {
    return new StateId(hash(name));
  }

  private static List<StateId> states(String... names) {
    return List.of(names).stream().map(PrivacyGroupTest::state).toList();
  }

  private static IntentKey intent(String name) {
    var id = new TransactionId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    return new IntentKey(id, new SenderCommitment(hash(name)));
  }

  private static Transition makes(String intent, String... outputs) {
    return new Transition(intent(intent), List.of(), List.of(), states(outputs));
  }

  private static Transition spends(String intent, List<StateId> inputs, String... outputs) {
    return new Transition(intent(intent), inputs, List.of(), states(outputs));
  }

  private List<PreparedTransaction> endorsed(Transition... batch) {
    return group.endorsed(List.of(batch), THRESHOLD);
  }

  private List<GroupContract.Outcome> fulfill(Transition... batch) {
    return group.fulfill(endorsed(batch));
  }

  @Test
  void aTransitionSpendsWhatItTakesAndMakesWhatItGives() {
    assertThat(fulfill(makes("mint", "a", "b"))).containsExactly(FULFILLED);
    assertThat(group.isUnspent(state("a"))).isTrue();

    assertThat(fulfill(spends("pay", states("a", "b"), "c"))).containsExactly(FULFILLED);
    assertThat(group.isUnspent(state("a"))).isFalse();
    assertThat(group.isUnspent(state("b"))).isFalse();
    assertThat(group.isUnspent(state("c"))).isTrue();
  }

  @Test
  void anIntentIsFulfilledOnceWhateverItsAssembly() {
    assertThat(fulfill(makes("mint", "a"))).containsExactly(FULFILLED);
    assertThat(fulfill(makes("mint", "b"))).containsExactly(INTENT_FULFILLED);
    assertThat(group.isUnspent(state("b"))).isFalse();
  }

  /** 256 of them share a slot: each has a bit of its own. */
  @Test
  void eachIntentOfASeriesIsFulfilledOnceAndByItself() {
    var first = intent("series").series();
    var all = IntStream.range(0, 256).mapToObj(place -> at(first, place)).toList();
    var odd = all.stream().filter(intent -> intent.transaction().place() % 2 == 1).toList();

    for (int from = 0; from < odd.size(); from += 32) {
      var batch = odd.subList(from, from + 32).stream().map(PrivacyGroupTest::bare).toList();
      assertThat(group.fulfill(group.endorsed(batch, THRESHOLD))).containsOnly(FULFILLED);
    }
    assertThat(all)
        .allMatch(intent -> group.isFulfilled(intent) == (intent.transaction().place() % 2 == 1));
    assertThat(fulfill(bare(at(first, 254)), bare(at(first, 255)), bare(at(first, 0))))
        .containsExactly(FULFILLED, INTENT_FULFILLED, FULFILLED);
    assertThat(group.isFulfilled(at(first, 254))).isTrue();
    assertThat(group.isFulfilled(at(first, 252))).isFalse();
  }

  /** One that is skipped leaves the slot as it is, whatever of it is fulfilled before and after. */
  @Test
  void whatIsSkippedUsesUpNoIntentOfItsSeries() {
    var first = intent("series").series();
    var skipped = new Transition(at(first, 1), states("none"), List.of(), List.of());
    var twice = new Transition(at(first, 2), List.of(), List.of(), states("a", "a"));

    assertThat(fulfill(bare(first), skipped, twice, bare(at(first, 3))))
        .containsExactly(FULFILLED, STATE_UNAVAILABLE, STATE_EXISTS, FULFILLED);
    assertThat(fulfill(bare(at(first, 1)), bare(at(first, 2)), bare(at(first, 3))))
        .containsExactly(FULFILLED, FULFILLED, INTENT_FULFILLED);
  }

  /** Another sender may use the same ids. */
  @Test
  void anotherCommitmentHasASlotOfItsOwn() {
    var mine = intent("mine").series();
    var theirs = new IntentKey(mine.transaction(), new SenderCommitment(hash("theirs")));
    var later = new TransactionId(UUID.nameUUIDFromBytes(new byte[] {1})).series();

    assertThat(fulfill(bare(theirs), bare(new IntentKey(later, mine.commitment()))))
        .containsExactly(FULFILLED, FULFILLED);
    assertThat(group.isFulfilled(mine)).isFalse();
    assertThat(fulfill(bare(mine))).containsExactly(FULFILLED);
  }

  private static IntentKey at(IntentKey intent, int place) {
    return new IntentKey(intent.transaction().at(place), intent.commitment());
  }

  private static Transition bare(IntentKey intent) {
    return new Transition(intent, List.of(), List.of(), List.of());
  }

  /** Whoever sends it ahead pays for it; its owner finds the intent fulfilled. */
  @Test
  void aCopyThatAStrangerSendsAheadCountsAsSuccessForItsOwner() {
    var owners = endorsed(makes("mint", "a"));
    var stranger =
        chain.send(chain.account(7), group.contract().value(), group.fulfillCall(owners));

    assertThat(ChainGroup.outcomes(stranger)).containsExactly(FULFILLED);
    assertThat(group.fulfill(owners)).containsExactly(INTENT_FULFILLED);
  }

  @Test
  void whatWasNeverMadeOrIsSpentIsNotSpentAndNotRead() {
    fulfill(makes("mint", "a", "b"), spends("burn", states("a")));

    assertThat(fulfill(spends("again", states("a")))).containsExactly(STATE_UNAVAILABLE);
    assertThat(fulfill(spends("unmade", states("x")))).containsExactly(STATE_UNAVAILABLE);
    assertThat(fulfill(new Transition(intent("read"), List.of(), states("a"), states("r"))))
        .containsExactly(STATE_UNAVAILABLE);
    assertThat(fulfill(new Transition(intent("read2"), List.of(), states("b"), states("r"))))
        .containsExactly(FULFILLED);
    assertThat(group.isUnspent(state("b"))).isTrue();
  }

  @Test
  void aStateIsMadeOnce() {
    fulfill(makes("mint", "a"));
    assertThat(fulfill(makes("other", "b", "a"))).containsExactly(STATE_EXISTS);
    assertThat(group.isUnspent(state("b"))).isFalse();
    assertThat(fulfill(spends("itself", states("a"), "a"))).containsExactly(STATE_EXISTS);
    assertThat(group.isUnspent(state("a"))).isTrue();
  }

  @Test
  void whatStandsTwiceInAListLeavesNoTrace() {
    fulfill(makes("mint", "a", "b"));
    assertThat(fulfill(spends("twice", states("b", "a", "a"), "c")))
        .containsExactly(STATE_UNAVAILABLE);
    assertThat(fulfill(spends("two", states("b"), "d", "c", "c"))).containsExactly(STATE_EXISTS);
    assertThat(List.of("a", "b")).allMatch(name -> group.isUnspent(state(name)));
    assertThat(List.of("c", "d")).noneMatch(name -> group.isUnspent(state(name)));
    assertThat(fulfill(spends("twice", states("b", "a"), "c"))).containsExactly(FULFILLED);
  }

  /** Two inputs are compared, and more are looked at: neither way may spend one for two. */
  @Test
  void oneStateIsNotSpentForTwoHoweverManyInputsThereAre() {
    fulfill(makes("mint", "a", "b", "c"));
    for (var inputs :
        List.of(states("a", "a"), states("a", "b", "a"), states("b", "b", "c", "a"))) {
      assertThat(fulfill(spends("twice", inputs, "d"))).containsExactly(STATE_UNAVAILABLE);
      assertThat(List.of("a", "b", "c")).allMatch(name -> group.isUnspent(state(name)));
      assertThat(group.isUnspent(state("d"))).isFalse();
    }
    assertThat(fulfill(spends("twice", states("c", "b", "a"), "d"))).containsExactly(FULFILLED);
    assertThat(List.of("a", "b", "c")).noneMatch(name -> group.isUnspent(state(name)));
  }

  @Test
  void whatIsReadMayBeSpentByTheSameTransitionAndByNoneAfterIt() {
    fulfill(makes("mint", "a"));
    var both = new Transition(intent("both"), states("a"), states("a"), states("b"));
    var late = new Transition(intent("late"), List.of(), states("a"), states("c"));

    assertThat(fulfill(both, late)).containsExactly(FULFILLED, STATE_UNAVAILABLE);
    assertThat(group.isUnspent(state("a"))).isFalse();
  }

  /** What a transition that is refused would have made, the next of the batch makes. */
  @Test
  void whatWasTakenBackIsThereForTheNext() {
    fulfill(makes("mint", "a"));

    assertThat(
            fulfill(
                spends("refused", states("a"), "b", "c", "c"),
                spends("next", states("a"), "b", "c")))
        .containsExactly(STATE_EXISTS, FULFILLED);
    assertThat(List.of("b", "c")).allMatch(name -> group.isUnspent(state(name)));
  }

  @Test
  void whatATransitionMakesItCannotSpend() {
    assertThat(fulfill(spends("self", states("a"), "a"))).containsExactly(STATE_UNAVAILABLE);
    assertThat(group.isUnspent(state("a"))).isFalse();
  }

  @Test
  void eachOfABatchEndsByItself() {
    assertThat(
            fulfill(
                makes("mint", "a"),
                spends("pay", states("a"), "b"),
                spends("conflict", states("a"), "c"),
                makes("mint", "z"),
                spends("on", states("b"), "d")))
        .containsExactly(FULFILLED, FULFILLED, STATE_UNAVAILABLE, INTENT_FULFILLED, FULFILLED);
  }

  @Test
  void batchesOfAnySizeAreRebuiltByTheContract() {
    for (int size : new int[] {1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 64}) {
      var batch =
          IntStream.range(0, size).mapToObj(i -> makes("m" + size + "-" + i, "s" + size + "-" + i));
      assertThat(group.fulfill(group.endorsed(batch.toList(), THRESHOLD)))
          .isEqualTo(Collections.nCopies(size, FULFILLED));
    }
  }

  @Test
  void aPartOfABatchComesWithPathsInAnyOrder() {
    for (int size : new int[] {2, 3, 5, 6, 7, 8, 13, 64}) {
      var batch =
          IntStream.range(0, size)
              .mapToObj(i -> makes("p" + size + "-" + i, "t" + size + "-" + i))
              .toList();
      var prepared = new ArrayList<>(group.endorsed(batch, THRESHOLD));
      Collections.reverse(prepared);
      assertThat(group.fulfill(prepared.subList(0, 1))).containsExactly(FULFILLED);
      var all = group.fulfill(prepared);
      assertThat(all.get(0)).isEqualTo(INTENT_FULFILLED);
      assertThat(all.subList(1, size)).isEqualTo(Collections.nCopies(size - 1, FULFILLED));
    }
  }

  @Test
  void transitionsOfSeveralBatchesGoTogether() {
    var calls = new ArrayList<>(endorsed(makes("one", "a"), makes("two", "b")));
    calls.addAll(endorsed(spends("three", states("a"), "c")));
    calls.addAll(endorsed(makes("x", "x"), makes("y", "y"), makes("z", "z")).subList(1, 3));
    assertThat(group.fulfill(calls)).isEqualTo(Collections.nCopies(5, FULFILLED));
  }

  @Test
  void fewerSignaturesThanTheThresholdAreNotEnough() {
    assertThat(group.fulfill(group.endorsed(List.of(makes("a", "a")), THRESHOLD - 1)))
        .containsExactly(ENDORSEMENT_INVALID);
    assertThat(group.fulfill(group.endorsed(List.of(makes("a", "a")), MEMBERS)))
        .containsExactly(FULFILLED);
  }

  @Test
  void theSameMembersSignatureCountsOnce() {
    var one = endorsed(makes("a", "a")).get(0);
    var signature = one.proof().signatures().get(0);
    byte[] twice = FulfillCall.groups(List.of(with(one, List.of(signature))), each -> 0);
    var copies = ByteBuffer.allocate(twice.length + 2 * 66).put((byte) 3);
    for (int i = 0; i < 3; i++) {
      copies.put((byte) i).put(signature.value().toByteArray());
    }
    copies.put(twice, 67, twice.length - 67);
    assertThat(raw(copies.array())).containsExactly(ENDORSEMENT_INVALID);
    for (int i = 0; i < 3; i++) {
      copies.put(1 + 66 * i, (byte) 0);
    }
    assertThat(raw(copies.array())).containsExactly(ENDORSEMENT_INVALID);
  }

  private List<GroupContract.Outcome> raw(byte[] groups) {
    return ChainGroup.outcomes(
        chain.send(chain.account(1), group.contract().value(), GroupContract.fulfill(groups)));
  }

  private static PreparedTransaction with(PreparedTransaction one, List<Signature> endorsements) {
    return new PreparedTransaction(
        one.intent(),
        one.contract(),
        one.inputs(),
        one.reads(),
        one.outputs(),
        new Proof(one.proof().path(), endorsements));
  }

  private static PreparedTransaction with(PreparedTransaction one, MerklePath path) {
    return new PreparedTransaction(
        one.intent(),
        one.contract(),
        one.inputs(),
        one.reads(),
        one.outputs(),
        new Proof(path, one.proof().signatures()));
  }

  /** The other signature of the two that a key makes of a digest, and one with another v. */
  @Test
  void aSignatureHasOneForm() {
    var one = group.endorsed(List.of(makes("a", "a")), MEMBERS).get(0);
    for (var malleated :
        List.<UnaryOperator<Bytes>>of(
            PrivacyGroupTest::highS, value -> withV(value, 0), value -> withV(value, -27))) {
      var forged =
          one.proof().signatures().stream()
              .map(
                  each ->
                      new Signature(each.party(), each.verifier(), malleated.apply(each.value())))
              .toList();
      assertThat(group.fulfill(List.of(with(one, forged)))).containsExactly(ENDORSEMENT_INVALID);
    }
    assertThat(group.fulfill(List.of(one))).containsExactly(FULFILLED);
  }

  static Bytes highS(Bytes signature) {
    byte[] bytes = signature.toByteArray();
    var s = new BigInteger(1, Arrays.copyOfRange(bytes, 32, 64));
    byte[] other = ORDER.subtract(s).toByteArray();
    Arrays.fill(bytes, 32, 64, (byte) 0);
    int length = Math.min(32, other.length);
    System.arraycopy(other, other.length - length, bytes, 64 - length, length);
    bytes[64] = (byte) (bytes[64] == 27 ? 28 : 27);
    return Bytes.of(bytes);
  }

  /**
   * @param by 0 for the other v of the two
   */
  static Bytes withV(Bytes signature, int by) {
    byte[] bytes = signature.toByteArray();
    bytes[64] = (byte) (by == 0 ? 27 + 28 - bytes[64] : bytes[64] + by);
    return Bytes.of(bytes);
  }

  @Test
  void whatIsSignedForSomethingElseMeansNothingHere() {
    var batch = List.of(makes("a", "a"), makes("b", "b"));
    var other = newGroup(MEMBERS, THRESHOLD);
    var here = group.contract();
    for (var prepared :
        List.of(
            group.endorsed(batch, MEMBERS, Purpose.ENDORSEMENT, Anvil.CHAIN, other.contract()),
            group.endorsed(batch, MEMBERS, Purpose.ENDORSEMENT, Anvil.CHAIN + 1, here),
            group.endorsed(batch, MEMBERS, Purpose.ASSEMBLY, Anvil.CHAIN, here))) {
      assertThat(group.fulfill(prepared)).containsExactly(ENDORSEMENT_INVALID, ENDORSEMENT_INVALID);
      assertThat(group.fulfill(prepared.subList(1, 2))).containsExactly(ENDORSEMENT_INVALID);
    }
    assertThat(group.fulfill(group.endorsed(batch, MEMBERS))).containsExactly(FULFILLED, FULFILLED);
  }

  @Test
  void strangersSignaturesCountForNothing() {
    var larger = newGroup(MEMBERS + 4, 1);
    var strangers = new ArrayList<Signature>();
    var one = endorsed(makes("a", "a")).get(0);
    var digest = one.endorsed(Anvil.CHAIN);
    for (var member : larger.members()) {
      if (!group.members().contains(member)) {
        strangers.add(larger.sign(member, digest));
      }
    }
    byte[] call = FulfillCall.groups(List.of(with(one, strangers)), strangers::indexOf);
    assertThat(raw(call)).containsExactly(ENDORSEMENT_INVALID);
  }

  @Test
  void aPathThatIsNotTheTransitionsOwnProvesNothing() {
    var batch =
        group.endorsed(
            IntStream.range(0, 6).mapToObj(i -> makes("f" + i, "f" + i)).toList(), THRESHOLD);
    var first = batch.get(0);
    var path = first.proof().path();
    var siblings = path.siblings();
    for (var forged :
        List.of(
            with(first, batch.get(1).proof().path()),
            with(first, new MerklePath(2, 6, siblings)),
            with(first, new MerklePath(0, 5, siblings)),
            with(first, new MerklePath(0, 8, siblings)),
            with(first, new MerklePath(0, 4, siblings.subList(0, 2))))) {
      assertThat(group.fulfill(List.of(forged))).containsExactly(ENDORSEMENT_INVALID);
    }
    assertThat(group.fulfill(batch.subList(0, 1))).containsExactly(FULFILLED);
  }

  /** Its hash begins with 0x01, and no digest of a transition is 64 bytes long. */
  @Test
  void anInnerNodeIsNoLeaf() {
    var batch = List.of(makes("a", "a"), makes("b", "b"), makes("c", "c"));
    var tree = MerkleTree.of(batch.stream().map(Transition::digest).toList());
    var signed = new Attestation(Purpose.ENDORSEMENT, Anvil.CHAIN, group.contract()).digest(tree);
    assertThat(signed)
        .isNotEqualTo(
            new Attestation(Purpose.ENDORSEMENT, Anvil.CHAIN, group.contract())
                .digest(tree.root(), 2));
    var cut = group.endorsed(batch, THRESHOLD).get(0);
    var shorter = new MerklePath(0, 2, cut.proof().path().siblings().subList(0, 1));
    assertThat(group.fulfill(List.of(with(cut, shorter)))).containsExactly(ENDORSEMENT_INVALID);
  }

  @Test
  void aBatchInAnotherOrderThanSignedIsNotTheOneThatWasSigned() {
    var prepared = endorsed(makes("a", "a"), makes("b", "b"));
    byte[] right = FulfillCall.groups(prepared, group::place);
    byte[] wrong = right.clone();
    int start = 1 + 66 * THRESHOLD + 6;
    int length = (right.length - start) / 2;
    System.arraycopy(right, start, wrong, start + length, length);
    System.arraycopy(right, start + length, wrong, start, length);
    assertThat(raw(wrong)).containsExactly(ENDORSEMENT_INVALID, ENDORSEMENT_INVALID);
    assertThat(raw(right)).containsExactly(FULFILLED, FULFILLED);
  }

  @Test
  void aCallThatIsCutShortChangesNothing() {
    byte[] whole = FulfillCall.groups(endorsed(makes("a", "a", "b")), group::place);
    for (int length = 1; length < whole.length; length += 7) {
      var cut = Arrays.copyOf(whole, length);
      var call = GroupContract.fulfill(cut);
      assertThat(chain.failure(chain.account(1), group.contract().value(), call)).isNotNull();
    }
    assertThat(raw(new byte[0])).isEmpty();
    assertThat(raw(whole)).containsExactly(FULFILLED);
  }

  @Test
  void theImplementationItselfIsNoGroup() {
    var implementation = chain.deploy(Artifact.PRIVACY_GROUP.creation());
    var call = group.fulfillCall(endorsed(makes("a", "a")));
    assertThat(failure(implementation, call)).contains(selector("NoGroup()"));
  }

  /** Its data would be in no transaction to the group, where members look. */
  @Test
  void noOtherContractCallsAGroup() {
    var forwarder = group.forwarder();
    var call = group.fulfillCall(endorsed(makes("a", "a")));
    assertThat(failure(forwarder, call)).contains(selector("CalledByContract()"));
  }

  /** By EIP-7702: what its code calls has the account as its origin. */
  @Test
  void noAccountWithCodeOfItsOwnCallsAGroup() {
    var account = chain.account(5);
    chain.call("anvil_setCode", account, "0xef0100" + group.forwarder().substring(2));
    var call = group.fulfillCall(endorsed(makes("a", "a")));
    var refused = selector("CalledByContract()");
    assertThat(chain.failure(account, account, call).toString()).contains(refused);
    assertThat(chain.failure(account, group.contract().value(), call).toString()).contains(refused);
  }

  private static String failure(String to, Bytes call) {
    return chain.failure(chain.account(1), to, call).toString();
  }

  private static String selector(String error) {
    return GroupContract.selector(error).toHex();
  }

  @Test
  void theFactoryMakesNoGroupThatNobodyCanUse() {
    var members = ChainGroup.committee(keys, MEMBERS);
    for (var wrong :
        List.of(
            ChainGroup.createCall(hash("w"), 0, members),
            ChainGroup.createCall(hash("w"), MEMBERS + 1, members),
            ChainGroup.createCall(hash("w"), 1, 0, members),
            ChainGroup.createCall(hash("w"), 1, MEMBERS + 1, members),
            ChainGroup.createCall(hash("w"), 1, List.of()),
            ChainGroup.createCall(hash("w"), 1, List.of(members.get(0), members.get(0))),
            ChainGroup.createCall(hash("w"), 1, List.of(members.get(1), members.get(0))))) {
      assertThat(failure(factory, wrong)).contains(selector("BadTerms()"));
    }
    var right = ChainGroup.createCall(hash("w"), 1, members);
    assertThat(chain.send(chain.account(1), factory, right).get("status").textValue())
        .isEqualTo("0x1");
    assertThat(failure(factory, right)).contains(selector("AlreadyCreated(address)"));
  }

  @Test
  void theTermsOfAGroupCanBeRead() {
    var terms =
        chain.view(group.contract().value(), GroupContract.selector("terms()")).toByteArray();
    var genesis = Hash.of(Arrays.copyOf(terms, 32));
    assertThat(genesis).isEqualTo(hash("genesis" + (groups - 1)));
    assertThat(terms[63]).as("the number of the last change").isEqualTo((byte) 0);
    assertThat(terms[95]).isEqualTo((byte) THRESHOLD);
    assertThat(terms[127]).as("for a change").isEqualTo((byte) THRESHOLD);
    assertThat(terms[191]).isEqualTo((byte) MEMBERS);
  }
}
