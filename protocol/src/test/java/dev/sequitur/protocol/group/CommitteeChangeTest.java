package dev.sequitur.protocol.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is signed for a change of a committee, and by whom (CMT-2). */
class CommitteeChangeTest {
  private static final ContractAddress CONTRACT =
      new ContractAddress("0xcccccccccccccccccccccccccccccccccccccccc");
  private static final Member ALICE = member("alice@node1", "02");
  private static final Member BOB = member("bob@node2", "03");
  private static final CommitteeChange CHANGE =
      new CommitteeChange(
          3, new Quorum(new Committee(List.of(ALICE, BOB)), 2, 1), new BlockHeight(77));

  /** Word by word, as EIP-712 says it. */
  @Test
  void itIsTypedDataInTheDomainOfTheGroup() {
    var member = text("Member(string identity,bytes key)");
    var alice = words(member, text("alice@node1"), Digests.keccak256(ALICE.verifier().publicKey()));
    var bob = words(member, text("bob@node2"), Digests.keccak256(BOB.verifier().publicKey()));
    var message =
        words(
            text(
                "CommitteeChange(uint32 number,Member[] members,uint32 threshold,"
                    + "uint32 changeThreshold,uint64 until)Member(string identity,bytes key)"),
            number(3),
            words(alice, bob),
            number(2),
            number(1),
            number(77));
    var domain =
        words(
            text(
                "EIP712Domain(string name,string version,uint256 chainId,address"
                    + " verifyingContract)"),
            text("Sequitur"),
            text("1"),
            number(1337),
            Hash.hex("00".repeat(12) + "cc".repeat(20)));

    var signed = Bytes.hex("1901" + hex(domain) + hex(message));

    assertThat(CHANGE.message(1337, CONTRACT)).isEqualTo(signed);
    assertThat(CHANGE.digest(1337, CONTRACT)).isEqualTo(Digests.keccak256(signed));
  }

  /** Whoever signs one signs nothing else. */
  @Test
  void allOfItIsSigned() {
    var quorum = CHANGE.quorum();
    var other = new ContractAddress("0x" + "dd".repeat(20));
    var digests =
        List.of(
            CHANGE.digest(1, CONTRACT),
            CHANGE.digest(2, CONTRACT),
            CHANGE.digest(1, other),
            new CommitteeChange(4, quorum, CHANGE.until()).digest(1, CONTRACT),
            new CommitteeChange(3, quorum, new BlockHeight(78)).digest(1, CONTRACT),
            with(new Quorum(quorum.committee(), 1, 1)).digest(1, CONTRACT),
            with(new Quorum(quorum.committee(), 2, 2)).digest(1, CONTRACT),
            with(new Quorum(new Committee(List.of(BOB, ALICE)), 2, 1)).digest(1, CONTRACT),
            with(new Quorum(new Committee(List.of(ALICE, member("bob@node2", "04"))), 2, 1))
                .digest(1, CONTRACT),
            with(new Quorum(new Committee(List.of(ALICE, member("bob@node3", "03"))), 2, 1))
                .digest(1, CONTRACT));

    assertThat(new HashSet<>(digests)).hasSize(digests.size());
  }

  @Test
  void whoIsNewOrHasAnotherKeySignsAsNew() {
    var otherBob = member("bob@node2", "04");
    var before = new Committee(List.of(BOB, member("carol@node3", "05")));

    assertThat(CHANGE.newcomers(before)).containsExactly(ALICE);
    assertThat(with(new Quorum(new Committee(List.of(ALICE, otherBob)), 1)).newcomers(before))
        .containsExactly(ALICE, otherBob);
    assertThat(CHANGE.newcomers(CHANGE.quorum().committee())).isEmpty();
  }

  private static CommitteeChange with(Quorum quorum) {
    return new CommitteeChange(CHANGE.number(), quorum, CHANGE.until());
  }

  private static Member member(String identity, String lastByte) {
    return new Member(
        Identity.parse(identity), new Verifier(Bytes.hex("02" + "00".repeat(31) + lastByte)));
  }

  private static Hash text(String text) {
    return Digests.keccak256(Bytes.utf8(text));
  }

  private static Hash number(long value) {
    return Hash.hex(String.format("%064x", value));
  }

  private static Hash words(Hash... words) {
    var all = new StringBuilder();
    for (var word : words) {
      all.append(hex(word));
    }
    return Digests.keccak256(Bytes.hex(all.toString()));
  }

  private static String hex(Hash hash) {
    return Bytes.of(hash.toByteArray()).toHex().substring(2);
  }
}
