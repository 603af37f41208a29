package dev.sequitur.protocol.attestation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A path shows one leaf of one tree, at one place, and nothing else (ATT-1, ATT-2). */
class MerkleTreeTest {
  private static List<Hash> digests(int count) {
    return IntStream.range(0, count).mapToObj(MerkleTreeTest::digest).toList();
  }

  private static Hash digest(int number) {
    return Digests.keccak256(Bytes.utf8("transition " + number));
  }

  private static Hash keccak(Object... parts) {
    var bytes = new ByteArrayOutputStream();
    for (var part : parts) {
      if (part instanceof Hash hash) {
        bytes.writeBytes(hash.toByteArray());
      } else {
        bytes.write((Integer) part);
      }
    }
    return Digests.keccak256(Bytes.of(bytes.toByteArray()));
  }

  /** Level by level: an odd one goes up as it is. The tree of RFC 9162 is the same. */
  private static Hash rootByLevels(List<Hash> digests) {
    List<Hash> level = new ArrayList<>(digests.stream().map(each -> keccak(0, each)).toList());
    while (level.size() > 1) {
      var above = new ArrayList<Hash>();
      for (int i = 0; i < level.size(); i += 2) {
        above.add(i + 1 < level.size() ? keccak(1, level.get(i), level.get(i + 1)) : level.get(i));
      }
      level = above;
    }
    return level.get(0);
  }

  @Property(tries = 130)
  void theRootIsThatOfTheSameTreeBuiltByLevels(@ForAll @IntRange(min = 1, max = 130) int count) {
    assertThat(MerkleTree.of(digests(count)).root()).isEqualTo(rootByLevels(digests(count)));
  }

  @Property(tries = 60)
  void eachLeafHasAPathToTheRoot(@ForAll @IntRange(min = 1, max = 130) int count) {
    var digests = digests(count);
    var tree = MerkleTree.of(digests);
    var together = new SharedPaths();
    for (int i = 0; i < count; i++) {
      assertThat(tree.path(i).root(digests.get(i))).isEqualTo(tree.root());
      assertThat(together.root(digests.get(i), tree.path(i))).isEqualTo(tree.root());
    }
  }

  @Property(tries = 60)
  void aPathShowsNoOtherLeafNoOtherPlaceAndNothingWithAnotherSibling(
      @ForAll @IntRange(min = 2, max = 70) int count, @ForAll @IntRange(max = 69) int chosen) {
    var digests = digests(count);
    var tree = MerkleTree.of(digests);
    int index = chosen % count;
    var path = tree.path(index);
    var together = new SharedPaths();
    assertThat(together.root(digests.get(index), path)).isEqualTo(tree.root());
    for (int other = 0; other < count; other++) {
      if (other != index) {
        assertThat(path.root(digests.get(other))).isNotEqualTo(tree.root());
        assertThat(together.root(digests.get(other), path)).isNotEqualTo(tree.root());
        if (tree.path(other).siblings().size() == path.siblings().size()) {
          var moved = new MerklePath(other, count, path.siblings());
          assertThat(moved.root(digests.get(index))).isNotEqualTo(tree.root());
        }
      }
    }
    for (int level = 0; level < path.siblings().size(); level++) {
      var siblings = new ArrayList<>(path.siblings());
      siblings.set(level, digest(-1));
      var forged = new MerklePath(index, count, siblings);
      assertThat(forged.root(digests.get(index))).isNotEqualTo(tree.root());
      assertThat(together.root(digests.get(index), forged)).isNotEqualTo(tree.root());
    }
  }

  @Test
  void anInnerNodeIsNoLeaf() {
    var digests = digests(4);
    var tree = MerkleTree.of(digests);
    // Two siblings at the top: the inner node over the first two, and that over the others.
    var left = keccak(1, keccak(0, digests.get(0)), keccak(0, digests.get(1)));
    var right = keccak(1, keccak(0, digests.get(2)), keccak(0, digests.get(3)));
    assertThat(tree.root()).isEqualTo(keccak(1, left, right));
    assertThat(new MerklePath(0, 2, List.of(right)).root(left)).isNotEqualTo(tree.root());
    assertThat(MerklePath.ALONE.root(tree.root())).isNotEqualTo(tree.root());
  }

  @Test
  void theOrderCounts() {
    var turned = new ArrayList<>(digests(3));
    Collections.reverse(turned);
    assertThat(MerkleTree.of(turned).root()).isNotEqualTo(MerkleTree.of(digests(3)).root());
  }

  @Test
  void treesAreTheSameIfTheirLeavesAre() {
    var tree = MerkleTree.of(digests(3));

    assertThat(tree).isEqualTo(MerkleTree.of(digests(3)));
    assertThat(tree).hasSameHashCodeAs(MerkleTree.of(digests(3)));
    assertThat(tree.hashCode()).isNotEqualTo(MerkleTree.of(digests(4)).hashCode());
    assertThat(tree).isNotEqualTo(MerkleTree.of(digests(4))).isNotEqualTo(tree.root());
  }

  @Test
  void whatIsSignedIsTheSameForPathsThatAreFollowedTogether() {
    var tree = MerkleTree.of(digests(5));
    var attestation = new Attestation(Attestation.Purpose.ENDORSEMENT, 7, Contract.ADDRESS);
    var together = new SharedPaths();

    for (int i = 0; i < 5; i++) {
      assertThat(together.digest(attestation, digest(i), tree.path(i)))
          .isEqualTo(attestation.digest(tree));
    }
    assertThat(together.digest(attestation, digest(1), tree.path(0)))
        .isNotEqualTo(attestation.digest(tree));
  }

  /** Of one root there are several digests: by the size, by the purpose and by the contract. */
  @Test
  void pathsThatAreFollowedTogetherAreSignedEachInItsSizeAndForItsPurpose() {
    var tree = MerkleTree.of(digests(4));
    var path = tree.path(1);
    var smaller = new MerklePath(1, 3, path.siblings());
    var endorsed = new Attestation(Attestation.Purpose.ENDORSEMENT, 7, Contract.ADDRESS);
    var assembled = new Attestation(Attestation.Purpose.ASSEMBLY, 7, Contract.ADDRESS);
    var together = new SharedPaths();

    assertThat(smaller.root(digest(1))).isEqualTo(tree.root());
    for (var attestation : List.of(endorsed, assembled)) {
      for (var each : List.of(path, smaller)) {
        assertThat(together.digest(attestation, digest(1), each))
            .isEqualTo(attestation.digest(digest(1), each));
      }
    }
  }

  @Test
  void aTreeHasAtLeastOneLeafAndEachOnce() {
    assertThatIllegalArgumentException().isThrownBy(() -> MerkleTree.of(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MerkleTree.of(List.of(digest(1), digest(2), digest(1))));
    assertThat(MerkleTree.of(digests(MerkleTree.MOST_LEAVES)).size()).isEqualTo(65_536);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MerkleTree.of(digests(MerkleTree.MOST_LEAVES + 1)));
    var tree = MerkleTree.of(digests(3));
    assertThatThrownBy(() -> tree.path(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> tree.path(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aPathHasJustTheSiblingsThatItsPlaceHas() {
    var siblings = MerkleTree.of(digests(5)).path(2).siblings();
    assertThat(siblings).hasSize(3);
    refused(2, 5, siblings.subList(0, 2));
    refused(2, 5, List.of(digest(1), digest(2), digest(3), digest(4)));
    // The last of five stands alone at the second level.
    assertThat(MerkleTree.of(digests(5)).path(4).siblings()).hasSize(1);
    refused(4, 5, siblings);
    refused(1, 1, List.of());
    refused(-1, 5, siblings);
    refused(5, 5, siblings);
    refused(0, 0, List.of());
    refused(0, MerkleTree.MOST_LEAVES + 1, List.of());
  }

  private static void refused(int index, int size, List<Hash> siblings) {
    assertThatIllegalArgumentException().isThrownBy(() -> new MerklePath(index, size, siblings));
  }

  @Test
  void aTreeMayBeAsLargeAsTheLargest() {
    var siblings = digests(16);

    assertThat(new MerklePath(0, MerkleTree.MOST_LEAVES, siblings).siblings()).isEqualTo(siblings);
  }
}
