package dev.sequitur.protocol.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.group.PrivacyGroup.EndorsementPolicy;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who may coordinate a contract, and by which keys its members sign. */
class CommitteeTest {
  private static final NodeName B = new NodeName("b");
  private static final Member ONE = member("one@b", 1);
  private static final Member OTHER = member("other@b", 2);
  private static final Member OF_A = member("one@a", 3);
  private static final Committee COMMITTEE = new Committee(List.of(ONE, OTHER, OF_A));

  @Test
  void itHasAtLeastOneMemberAndEachOnce() {
    assertThatThrownBy(() -> new Committee(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Committee(List.of(ONE, member("one@b", 4))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one@b");
  }

  @Test
  void itsNodesAreThoseOfItsMembersInOrder() {
    assertThat(COMMITTEE.nodes()).containsExactly(new NodeName("a"), B);
    assertThat(COMMITTEE.hasMemberOn(B)).isTrue();
    assertThat(COMMITTEE.hasMemberOn(new NodeName("c"))).isFalse();
  }

  @Test
  void twoMembersWithOneKeyAreNamed() {
    assertThat(COMMITTEE.withOneKey()).isEmpty();
    var same = member("same@a", 2);
    assertThat(new Committee(List.of(ONE, OTHER, OF_A, same)).withOneKey())
        .contains(List.of(OTHER.identity(), same.identity()));
  }

  @Test
  void aMemberIsFoundByItsIdentity() {
    assertThat(COMMITTEE.member(OTHER.identity())).contains(OTHER);
    assertThat(COMMITTEE.member(Identity.parse("two@b"))).isEmpty();
    assertThat(COMMITTEE.identities())
        .containsExactly(ONE.identity(), OTHER.identity(), OF_A.identity());
  }

  @Test
  void itConsistsOfItsOwnIdentitiesInOrderAndOfNoOthers() {
    assertThat(COMMITTEE.consistsOf(COMMITTEE.identities())).isTrue();
    for (var others :
        List.of(
            List.<Identity>of(),
            List.of(ONE.identity(), OTHER.identity()),
            List.of(OTHER.identity(), ONE.identity(), OF_A.identity()),
            List.of(ONE.identity(), OTHER.identity(), OF_A.identity(), OF_A.identity()),
            List.of(ONE.identity(), OTHER.identity(), Identity.parse("two@b")))) {
      assertThat(COMMITTEE.consistsOf(others)).as("%s", others).isFalse();
    }
  }

  @Test
  void ofOthersThoseAreItsMembersWhoseKeyIsTheirsInItsOrder() {
    assertThat(COMMITTEE.among(Set.of(OF_A, ONE, member("other@b", 9), member("two@b", 2))))
        .containsExactly(ONE, OF_A);
    assertThat(COMMITTEE.among(Set.of())).isEmpty();
  }

  @Test
  void aGroupIsEndorsedOnItsChainForItsContractByAsManyAsItSays() {
    var contract = new ContractAddress("0x" + "ab".repeat(20));
    var group =
        new PrivacyGroup(
            new GroupId(new Hash(1, 2, 3, 4)), 7, contract, "test", "g", COMMITTEE, 2, Bytes.EMPTY);

    assertThat(group.endorsementPolicy())
        .isEqualTo(new EndorsementPolicy(7, contract, new Quorum(COMMITTEE, 2)));
    assertThat(group.committee()).isEqualTo(COMMITTEE);
    assertThat(group.endorsementThreshold()).isEqualTo(2);
    for (int threshold : List.of(1, 3)) {
      assertThat(new Quorum(COMMITTEE, threshold).threshold()).isEqualTo(threshold);
    }
    for (int threshold : List.of(0, 4)) {
      assertThatThrownBy(() -> new Quorum(COMMITTEE, threshold))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not " + threshold);
    }
  }

  @Test
  void aQuorumIsMetByAsManyOfItsMembersAsItSaysEachWithItsKey() {
    var two = new Quorum(COMMITTEE, 2);

    assertThat(two.isMetBy(Set.of(ONE, OF_A))).isTrue();
    assertThat(two.isMetBy(Set.of(ONE, OF_A, OTHER))).isTrue();
    assertThat(two.isMetBy(Set.of(ONE))).isFalse();
    assertThat(two.isMetBy(Set.of(ONE, member("other@b", 9), member("two@b", 2)))).isFalse();
  }

  @Test
  void aVerifierIsACompressedKey() {
    assertThat(new Verifier(Bytes.of(new byte[33]))).hasToString("0x" + "00".repeat(33));
    for (int size : List.of(0, 32, 34, 65)) {
      assertThatThrownBy(() -> new Verifier(Bytes.of(new byte[size])))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static Member member(String identity, int key) {
    var bytes = new byte[33];
    bytes[32] = (byte) key;
    return new Member(Identity.parse(identity), new Verifier(Bytes.of(bytes)));
  }
}
