package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import dev.sequitur.protocol.transaction.Signature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a stranger may try with the call that changes a committee (CMT-3). Four members stand, three
 * of whom must sign; of four that come two are new. Whoever attacks has the honest change with all
 * its signatures, and lays it out otherwise.
 */
class ChangeAttacksTest {
  private static final String TAKEN = "taken";
  private static final String MALFORMED = "Malformed()";
  private static final String TOO_FEW_SIGNED = "TOO_FEW_SIGNED";
  private static final String NEW_KEY_UNSIGNED = "NEW_KEY_UNSIGNED";
  private static final int WORD = 32;

  /** Where the length of the bytes stands in a call. */
  private static final int LENGTH = 4 + WORD;

  private static final BlockHeight UNTIL = new BlockHeight(100_000);
  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();

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
    group = newGroup(4, 3);
  }

  private static ChainGroup newGroup(int members, int threshold) {
    return ChainGroup.create(chain, factory, keys, members, threshold, new Hash(groups++, 2, 3, 4));
  }

  /** None of what was tried has harmed it. */
  @AfterEach
  void theHonestOneIsTaken() {
    if (group != null) {
      assertThat(end(new Draft())).isEqualTo(TAKEN);
    }
  }

  /** A call that is laid out by hand. */
  private final class Draft {
    private int number = 1;
    private long until = UNTIL.value();
    private int threshold = 2;
    private int changeThreshold = 3;
    private int size = 4;
    private final List<Member> members = next();
    private final List<Integer> order = new ArrayList<>();
    private final List<ChangeCall.Placed> byBefore = new ArrayList<>();
    private final List<ChangeCall.Placed> byNew = new ArrayList<>();

    private Draft() {
      var after = inOrder(members);
      after.forEach(member -> order.add(members.indexOf(member)));
      sign(honest().digest(DevChain.CHAIN, group.contract()));
    }

    private void sign(Hash digest) {
      byBefore.clear();
      byNew.clear();
      for (int place = 0; place < 3; place++) {
        byBefore.add(placed(place, group.members().get(place), digest));
      }
      var after = inOrder(next());
      for (int place = 0; place < after.size(); place++) {
        if (!group.members().contains(after.get(place))) {
          byNew.add(placed(place, after.get(place), digest));
        }
      }
    }

    private byte[] bytes() {
      var out = new ByteArrayOutputStream();
      out.writeBytes(ByteBuffer.allocate(12).putInt(number).putLong(until).array());
      out.write(threshold);
      out.write(changeThreshold);
      out.write(size);
      for (var member : members) {
        var identity = Bytes.utf8(member.identity().toString());
        out.writeBytes(ByteBuffer.allocate(2).putShort((short) identity.size()).array());
        out.writeBytes(identity.toByteArray());
        out.writeBytes(member.verifier().publicKey().toByteArray());
      }
      order.forEach(out::write);
      for (var signatures : List.of(byBefore, byNew)) {
        out.write(signatures.size());
        for (var each : signatures) {
          out.write(each.place());
          out.writeBytes(each.value().toByteArray());
        }
      }
      return out.toByteArray();
    }
  }

  private ChangeCall.Placed placed(int place, Member member, Hash digest) {
    return new ChangeCall.Placed(place, group.sign(member, digest).value());
  }

  /** Two of those before, and two who are new, in the order in which they are signed. */
  private static List<Member> next() {
    return new ArrayList<>(
        ChainGroup.committee(keys, 6).stream()
            .sorted(Comparator.comparing(Member::identity))
            .toList()
            .subList(2, 6));
  }

  private static CommitteeChange honest() {
    return new CommitteeChange(1, new Quorum(new Committee(next()), 2, 3), UNTIL);
  }

  private static List<Member> inOrder(List<Member> members) {
    return members.stream()
        .sorted(Comparator.comparing(member -> SIGNATURES.address(member.verifier()).value()))
        .toList();
  }

  private String end(Draft draft) {
    return end(GroupContract.change(draft.bytes()));
  }

  private String end(Bytes call) {
    return end(chain.account(1), group.contract().value(), call);
  }

  private static String end(String from, String to, Bytes call) {
    var failure = chain.failure(from, to, call);
    if (failure == null) {
      return TAKEN;
    }
    var said = RevertData.in(failure);
    return GroupContract.flaw(said).map(Enum::name).orElseGet(() -> GroupContract.error(said));
  }

  /** Each is tried by itself. */
  private void eachEnds(String end, Map<String, Consumer<Draft>> attacks) {
    new TreeMap<>(attacks)
        .forEach(
            (name, attack) -> {
              var draft = new Draft();
              attack.accept(draft);
              assertThat(end(draft)).as(name).isEqualTo(end);
            });
  }

  @Test
  void aDraftIsLaidOutAsNodesLayOutAChange() {
    var digest = honest().digest(DevChain.CHAIN, group.contract());
    var signers = new ArrayList<>(group.members().subList(0, 3));
    signers.addAll(honest().newcomers(new Committee(group.members())));
    var signatures = signers.stream().map(it -> group.sign(it, digest)).toList();
    var call = new ChangeCommittee(group.contract(), honest(), signatures);

    assertThat(new Draft().bytes())
        .isEqualTo(ChangeCall.of(call, group.members(), ChangeAttacksTest::inOrder));
  }

  @Test
  void aCallThatIsCutAtAnyByteIsMalformed() {
    byte[] whole = new Draft().bytes();
    byte[] call = GroupContract.change(whole).toByteArray();
    for (int length = 0; length < whole.length; length++) {
      // What is cut off stands there, where the call no longer has it.
      ByteBuffer.wrap(call).putInt(LENGTH + WORD - Integer.BYTES, length);
      assertThat(end(Bytes.of(call))).as("%d bytes", length).isEqualTo(MALFORMED);
      if (length % 11 == 0) {
        var cut = GroupContract.change(Arrays.copyOf(whole, length));
        assertThat(end(cut)).as("%d bytes", length).isEqualTo(MALFORMED);
      }
    }
  }

  /** It is the same change, for the contract and for who reads it. */
  @Test
  void bytesBehindACallMeanNothing() {
    byte[] whole = new Draft().bytes();
    for (int more : new int[] {1, 66, 300}) {
      byte[] longer = Arrays.copyOf(whole, whole.length + more);
      Arrays.fill(longer, whole.length, longer.length, (byte) 0xff);
      assertThat(end(GroupContract.change(longer))).isEqualTo(TAKEN);
      assertThat(ChangeCall.read(longer)).isEqualTo(ChangeCall.read(whole));
    }
  }

  @Test
  void anOrderThatIsNoneIsRefused() {
    eachEnds(
        MALFORMED,
        Map.of(
            "descending", draft -> Collections.reverse(draft.order),
            "two exchanged", draft -> Collections.swap(draft.order, 1, 2),
            "too high", draft -> draft.order.set(3, 4),
            "far too high", draft -> draft.order.set(0, 255)));
    eachEnds(
        "KEY_TWICE",
        Map.of(
            "the first twice", draft -> draft.order.set(1, draft.order.get(0)),
            "the last twice", draft -> draft.order.set(2, draft.order.get(3)),
            "one for all", draft -> draft.order.replaceAll(any -> draft.order.get(0))));
  }

  /** Of the committee that stands; three must sign, and three have. */
  @Test
  void whoHasNotSignedCountsForNothing() {
    eachEnds(
        TOO_FEW_SIGNED,
        Map.of(
            "too few", draft -> draft.byBefore.removeLast(),
            "none", draft -> draft.byBefore.clear(),
            "one place thrice",
                draft -> draft.byBefore.replaceAll(any -> draft.byBefore.getFirst()),
            "one member at three places",
                draft ->
                    draft.byBefore.replaceAll(each -> at(each.place(), draft.byBefore.getFirst())),
            "descending", draft -> Collections.reverse(draft.byBefore),
            "one place higher",
                draft -> draft.byBefore.replaceAll(each -> at(each.place() + 1, each)),
            "beyond the last", draft -> draft.byBefore.set(2, at(4, draft.byBefore.getLast())),
            "far beyond the last",
                draft -> draft.byBefore.set(2, at(255, draft.byBefore.getLast()))));
    eachEnds(
        TOO_FEW_SIGNED,
        Map.of(
            "nobody", nobodyFrom(0),
            "nobody beyond the last", nobodyFrom(4),
            "nobody far beyond the last", nobodyFrom(253)));
    otherForms()
        .forEach(
            form ->
                eachEnds(TOO_FEW_SIGNED, Map.of("form", draft -> draft.byBefore.replaceAll(form))));
  }

  /** What recovers to no address, at places where memory may hold none. */
  private static Consumer<Draft> nobodyFrom(int place) {
    return draft ->
        draft.byBefore.replaceAll(
            each -> new ChangeCall.Placed(place + each.place(), Bytes.hex("00".repeat(65))));
  }

  @Test
  void aNewKeyThatHasNotSignedIsNotTaken() {
    eachEnds(
        NEW_KEY_UNSIGNED,
        Map.of(
            "the first only", draft -> draft.byNew.removeLast(),
            "the last only", draft -> draft.byNew.removeFirst(),
            "none", draft -> draft.byNew.clear(),
            "the first twice", draft -> draft.byNew.set(1, draft.byNew.getFirst()),
            "the last twice", draft -> draft.byNew.set(0, draft.byNew.getLast()),
            "the first for both",
                draft ->
                    draft.byNew.set(1, at(draft.byNew.getLast().place(), draft.byNew.getFirst())),
            "descending", draft -> Collections.reverse(draft.byNew),
            "beyond the last", draft -> draft.byNew.set(1, at(4, draft.byNew.getLast())),
            "a member of before for it",
                draft ->
                    draft.byNew.set(1, at(draft.byNew.getLast().place(), draft.byBefore.getLast())),
            "right, then wrong",
                draft ->
                    draft.byNew.add(at(draft.byNew.getLast().place(), draft.byNew.getFirst()))));
    otherForms()
        .forEach(
            form ->
                eachEnds(NEW_KEY_UNSIGNED, Map.of("form", draft -> draft.byNew.replaceAll(form))));
  }

  private static ChangeCall.Placed at(int place, ChangeCall.Placed of) {
    return new ChangeCall.Placed(place, of.value());
  }

  /** The other signature of the two that a key makes, and those with another v. */
  private static List<UnaryOperator<ChangeCall.Placed>> otherForms() {
    return List.<UnaryOperator<Bytes>>of(
            PrivacyGroupTest::highS,
            value -> PrivacyGroupTest.withV(value, 0),
            value -> PrivacyGroupTest.withV(value, -27),
            value -> PrivacyGroupTest.withV(value, 2))
        .stream()
        .<UnaryOperator<ChangeCall.Placed>>map(
            form -> each -> new ChangeCall.Placed(each.place(), form.apply(each.value())))
        .toList();
  }

  @Test
  void aThresholdThatNobodyCanReachOrNobodyNeedsIsRefused() {
    eachEnds(
        MALFORMED,
        Map.of(
            "nobody endorses", draft -> draft.threshold = 0,
            "nobody signs a change", draft -> draft.changeThreshold = 0,
            "more endorse than are there", draft -> draft.threshold = 5,
            "more sign than are there", draft -> draft.changeThreshold = 5,
            "far more", draft -> draft.threshold = 255,
            "nobody is there",
                draft -> {
                  draft.size = 0;
                  draft.members.clear();
                  draft.order.clear();
                }));
  }

  @Test
  void aKeyThatIsNoneIsRefused() {
    var field =
        new BigInteger("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", 16);
    var onCurve = next().getFirst().verifier().toString().substring(4);
    var wrong = new ArrayList<String>();
    // 1 is the x of two points, and 5 is that of none.
    for (var x :
        List.of(BigInteger.ZERO, BigInteger.valueOf(5), field, field.add(BigInteger.ONE))) {
      wrong.add("02" + "%064x".formatted(x));
      wrong.add("03" + "%064x".formatted(x));
    }
    for (var prefix : List.of("00", "01", "04", "05", "06", "82", "ff")) {
      wrong.add(prefix + onCurve);
    }
    var attacks = new TreeMap<String, Consumer<Draft>>();
    for (var key : wrong) {
      // Whatever address it may be taken for, it stands at the right place of one of these.
      for (int place = 0; place < 4; place++) {
        attacks.put(key + " at place " + place, key(key, place));
      }
    }
    eachEnds(MALFORMED, attacks);
  }

  private static Consumer<Draft> key(String hex, int place) {
    return draft -> {
      var before = draft.members.getFirst();
      draft.members.set(0, new Member(before.identity(), new Verifier(Bytes.hex(hex))));
      draft.order.remove((Integer) 0);
      draft.order.add(place, 0);
    };
  }

  /** Each of these is another change, which nobody has signed. */
  @Test
  void whatIsSignedIsTheWholeChange() {
    eachEnds(
        TOO_FEW_SIGNED,
        Map.of(
            "fewer endorse", draft -> draft.threshold = 1,
            "fewer sign the next", draft -> draft.changeThreshold = 1,
            "the one before stays longer", draft -> draft.until++,
            "another name",
                draft ->
                    draft.members.set(
                        0,
                        new Member(
                            Identity.parse("mallory@node"), draft.members.getFirst().verifier()))));
    eachEnds(
        "NUMBER_NOT_NEXT",
        Map.of(
            "the one before", draft -> draft.number = 0,
            "the one after", draft -> draft.number = 2,
            "the highest", draft -> draft.number = -1));
    eachEnds("TOO_LATE", Map.of("over", draft -> draft.until = 0));
  }

  @Test
  void whatIsSignedForAnotherGroupOrChainMeansNothingHere() {
    var other = newGroup(4, 3).contract();
    eachEnds(
        TOO_FEW_SIGNED,
        Map.of(
            "another group", draft -> draft.sign(honest().digest(DevChain.CHAIN, other)),
            "another chain",
                draft -> draft.sign(honest().digest(DevChain.CHAIN + 1, group.contract()))));
    eachEnds(
        NEW_KEY_UNSIGNED,
        Map.of(
            "by the new ones",
            draft -> {
              var byBefore = List.copyOf(draft.byBefore);
              draft.sign(honest().digest(DevChain.CHAIN, other));
              draft.byBefore.clear();
              draft.byBefore.addAll(byBefore);
            }));
  }

  /** Members read a change from the data of transactions to the group. */
  @Test
  void noContractAndNoAccountWithCodeChangesACommittee() {
    var call = GroupContract.change(new Draft().bytes());
    var forwarder = group.forwarder();
    assertThat(end(chain.account(1), forwarder, call)).isEqualTo("CalledByContract()");

    var account = chain.account(5);
    chain.call("anvil_setCode", account, "0xef0100" + forwarder.substring(2));
    assertThat(end(account, group.contract().value(), call)).isEqualTo("CalledByContract()");

    var implementation = chain.deploy(Artifact.PRIVACY_GROUP.creation());
    assertThat(end(chain.account(1), implementation, call)).isEqualTo("NoGroup()");
  }

  /** Whoever sends it ahead pays for it, and it counts once. */
  @Test
  void aChangeIsTakenOnceWhoeverHasSentIt() {
    var made = GroupContract.change(new Draft().bytes());
    var forged = new Draft();
    forged.threshold = 1;
    var contract = group.contract().value();
    assertThat(
            chain
                .send(chain.account(7), contract, GroupContract.change(forged.bytes()))
                .get("status"))
        .hasToString("\"0x0\"");
    assertThat(chain.send(chain.account(7), contract, made).get("status")).hasToString("\"0x1\"");

    assertThat(end(made)).isEqualTo("NUMBER_NOT_NEXT");
    chain.mine();
    var second = new Draft();
    second.number = 2;
    second.sign(
        new CommitteeChange(2, honest().quorum(), UNTIL).digest(DevChain.CHAIN, group.contract()));
    assertThat(end(second)).as("by those who stood before").isEqualTo(TOO_FEW_SIGNED);
    group = null;
  }

  /** As many as there may be leave, as many come, and all of them sign. */
  @Test
  void asManyMembersAsThereMayBeChangeWithinABlock() {
    int most = CommitteeChange.MOST_MEMBERS;
    group = newGroup(most, most);
    var others =
        ChainGroup.committee(keys, 2 * most).stream()
            .filter(member -> !group.members().contains(member))
            .toList();
    var quorum = new Quorum(new Committee(others), most, most);
    var change = new CommitteeChange(1, quorum, UNTIL);
    var digest = change.digest(DevChain.CHAIN, group.contract());
    var signatures = new ArrayList<Signature>();
    group.members().forEach(member -> signatures.add(group.sign(member, digest)));
    others.forEach(member -> signatures.add(group.sign(member, digest)));
    var call = new ChangeCommittee(group.contract(), change, signatures);
    var data =
        GroupContract.change(ChangeCall.of(call, group.members(), ChangeAttacksTest::inOrder));

    long gas = Gas.DEFAULT.limit(call);
    var receipt = chain.send(chain.account(1), group.contract().value(), data, gas);

    assertThat(receipt.get("status")).as("" + receipt).hasToString("\"0x1\"");
    assertThat(gas).isLessThan(DevChain.BLOCK_GAS);
    group = null;
  }
}
