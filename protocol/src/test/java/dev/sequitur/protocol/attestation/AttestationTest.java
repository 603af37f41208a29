package dev.sequitur.protocol.attestation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is signed means one batch of one contract of one chain, for one purpose (ATT-3, ATT-4). */
class AttestationTest {
  private static final ContractAddress CONTRACT =
      new ContractAddress("0xcccccccccccccccccccccccccccccccccccccccc");
  private static final IntentKey INTENT =
      new IntentKey(
          TransactionId.parse("01234567-89ab-cdef-0123-456789abcdef"), commitment("of it"));

  private static SenderCommitment commitment(String text) {
    return new SenderCommitment(hash(text));
  }

  private static StateId state(String text) {
    return new StateId(hash(text));
  }

  private static Hash hash(String text) {
    return Digests.keccak256(Bytes.utf8(text));
  }

  /** The example of EIP-712 itself: its mail from Cow to Bob. */
  @Test
  void typedDataIsEncodedAsInTheExampleOfItsProposal() {
    var person = TypedData.type("Person(string name,address wallet)");
    var mail =
        TypedData.type(
            "Mail(Person from,Person to,string contents)Person(string name,address wallet)");
    var cow =
        TypedData.struct(person)
            .add(TypedData.text("Cow"))
            .add(new ContractAddress("0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"))
            .hash();
    var bob =
        TypedData.struct(person)
            .add(TypedData.text("Bob"))
            .add(new ContractAddress("0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"))
            .hash();
    var message =
        TypedData.struct(mail).add(cow).add(bob).add(TypedData.text("Hello, Bob!")).hash();
    var domain = TypedData.domain(TypedData.text("Ether Mail"), TypedData.text("1"), 1, CONTRACT);

    assertThat(domain)
        .isEqualTo(Hash.hex("f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f"));
    assertThat(message)
        .isEqualTo(Hash.hex("c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e"));
    assertThat(Digests.keccak256(TypedData.signed(domain, message)))
        .isEqualTo(Hash.hex("be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2"));
  }

  @Test
  void fixedBytesStandOnTheLeftAndNumbersOnTheRight() {
    var type = hash("any");
    var zero = Hash.of(new byte[32]);
    var one = Hash.hex("00".repeat(31) + "01");
    var left = Hash.hex("01" + "00".repeat(31));

    assertThat(TypedData.struct(type).add(1).hash())
        .isEqualTo(TypedData.struct(type).add(one).hash());
    assertThat(TypedData.struct(type).addLeft(new byte[] {1}).hash())
        .isEqualTo(TypedData.struct(type).add(left).hash());
    assertThat(TypedData.struct(type).add(List.of(zero, one)).hash())
        .isEqualTo(
            TypedData.struct(type)
                .add(Digests.keccak256(Bytes.hex("00".repeat(63) + "01")))
                .hash());
  }

  @Test
  void eachPartOfATransitionIsInItsDigest() {
    var a = List.of(state("a"));
    var none = List.<StateId>of();
    var other = new IntentKey(new TransactionId(new UUID(1, 2)), INTENT.commitment());
    var foreign = new IntentKey(INTENT.transaction(), commitment("of another"));
    var digests =
        List.of(
            Attestation.transition(INTENT, none, none, none),
            Attestation.transition(other, none, none, none),
            Attestation.transition(foreign, none, none, none),
            Attestation.transition(INTENT, a, none, none),
            Attestation.transition(INTENT, none, a, none),
            Attestation.transition(INTENT, none, none, a),
            Attestation.transition(INTENT, List.of(state("a"), state("b")), none, none),
            Attestation.transition(INTENT, List.of(state("b"), state("a")), none, none),
            Attestation.transition(INTENT, a, List.of(state("b")), none));

    assertThat(new HashSet<>(digests)).hasSize(digests.size());
  }

  @Test
  void aRootMeansNothingElsewhere() {
    var tree = MerkleTree.of(List.of(hash("1"), hash("2"), hash("3")));
    var two = MerkleTree.of(List.of(hash("1"), hash("2")));
    var elsewhere = new ContractAddress("0xdddddddddddddddddddddddddddddddddddddddd");
    var digests =
        List.of(
            new Attestation(Purpose.ENDORSEMENT, 1, CONTRACT).digest(tree),
            new Attestation(Purpose.ASSEMBLY, 1, CONTRACT).digest(tree),
            new Attestation(Purpose.ENDORSEMENT, 2, CONTRACT).digest(tree),
            new Attestation(Purpose.ENDORSEMENT, 1, elsewhere).digest(tree),
            new Attestation(Purpose.ENDORSEMENT, 1, CONTRACT).digest(two));

    assertThat(new HashSet<>(digests)).hasSize(digests.size());
  }

  /** Of the last of three leaves the sibling is the root of the tree of the first two. */
  @Test
  void howManyLeavesThereAreIsSigned() {
    var attestation = new Attestation(Purpose.ENDORSEMENT, 1, CONTRACT);
    var three = MerkleTree.of(List.of(hash("1"), hash("2"), hash("3")));
    var asTwo = new MerklePath(1, 2, three.path(2).siblings());

    assertThat(asTwo.root(hash("3"))).isEqualTo(three.root());
    assertThat(attestation.digest(hash("3"), asTwo)).isNotEqualTo(attestation.digest(three));
    assertThat(attestation.digest(hash("3"), three.path(2))).isEqualTo(attestation.digest(three));
  }
}
