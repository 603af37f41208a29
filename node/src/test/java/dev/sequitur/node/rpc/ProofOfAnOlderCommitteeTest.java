package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeHistory;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ATT-8: who had to endorse what block 7 has, whoever is in the committee since. */
class ProofOfAnOlderCommitteeTest {
  private final RunningRpc rpc = RunningRpc.withDefaults();

  @AfterEach
  void stop() {
    rpc.close();
  }

  /** A change counts from the block after its own (SEL-10). */
  @ParameterizedTest
  @CsvSource({"6,1", "7,2", "8,2"})
  void aProofTellsTheCommitteeThatCountedInItsBlock(long changed, int members) {
    rpc.node.groups.clear();
    rpc.node.groups.add(bobLeavesBy(new BlockHeight(changed)));

    var policy =
        rpc.result("ptx_getEndorsementProof", "[\"" + Sample.CONFIRMED + "\"]")
            .get("endorsementPolicy");

    assertThat(policy.get("committee")).hasSize(members);
    assertThat(policy.get("threshold").asInt()).isEqualTo(members);
  }

  private static PrivacyGroup bobLeavesBy(BlockHeight block) {
    var like = Sample.group();
    var alone = new Committee(List.of(new Member(Sample.ALICE, Sample.VERIFIER)));
    return new PrivacyGroup(
        like.id(),
        like.chainId(),
        like.contract(),
        like.domain(),
        like.name(),
        new CommitteeHistory(
            like.committees().newest(),
            List.of(new CommitteeHistory.Change(block, new Quorum(alone, 1), block))),
        like.configuration());
  }
}
