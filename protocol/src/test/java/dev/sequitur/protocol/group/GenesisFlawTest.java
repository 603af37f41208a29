package dev.sequitur.protocol.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node asks of the members of a group before it takes part (SEL-7). */
class GenesisFlawTest {
  private static final NodeName SELF = new NodeName("self");
  private static final NodeName MAKER = new NodeName("maker");
  private static final Member OURS = member("one@self", 1);
  private static final Member THEIRS = member("one@maker", 9);

  private final GenesisFlaw.Check check =
      new GenesisFlaw.Check(
          SELF,
          identity -> verifier(identity.name().equals("one") ? 1 : 2),
          identity -> identity.name().startsWith("revoked"),
          identity -> identity.name().startsWith("taken"));

  @Test
  void aGroupOfTheGiversAndOfOursIsRight() {
    assertThat(check.flaw(MAKER, committee(OURS, THEIRS))).isEmpty();
    assertThat(check.flaw(MAKER, committee(THEIRS, member("two@self", 2), OURS))).isEmpty();
  }

  @Test
  void whoGivesItHasAMemberInIt() {
    assertThat(check.flaw(new NodeName("stranger"), committee(OURS, THEIRS)))
        .contains(GenesisFlaw.NOT_FROM_A_MEMBER);
    assertThat(check.flaw(new NodeName("stranger"), committee(THEIRS)))
        .contains(GenesisFlaw.NOT_FROM_A_MEMBER);
  }

  @Test
  void thisNodeHasAMemberInIt() {
    assertThat(check.flaw(MAKER, committee(THEIRS))).contains(GenesisFlaw.NO_MEMBER_HERE);
  }

  @Test
  void eachMemberOfThisNodeHasTheKeyOfItsName() {
    assertThat(check.flaw(MAKER, committee(member("one@self", 3), THEIRS)))
        .contains(GenesisFlaw.KEY_NOT_OURS);
    assertThat(check.flaw(MAKER, committee(OURS, THEIRS, member("two@self", 1))))
        .contains(GenesisFlaw.KEY_NOT_OURS);
  }

  @Test
  void noMemberOfThisNodeIsCalledLikeAKeyOfItsOwn() {
    assertThat(check.flaw(MAKER, committee(OURS, THEIRS, member("taken@self", 2))))
        .contains(GenesisFlaw.KEY_NOT_OURS);
  }

  @Test
  void noMemberOfThisNodeHasARevokedKey() {
    assertThat(check.flaw(MAKER, committee(OURS, THEIRS, member("revoked@self", 2))))
        .contains(GenesisFlaw.KEY_REVOKED);
    assertThat(check.flaw(MAKER, committee(OURS, member("revoked@maker", 7)))).isEmpty();
  }

  /** How those are called and what they sign with is their nodes' affair. */
  @Test
  void membersOfOtherNodesAreTakenAsTheyAre() {
    assertThat(check.flaw(MAKER, committee(OURS, member("taken@maker", 7)))).isEmpty();
  }

  /** One signature would count for two, and a contract on a chain is never made so. */
  @Test
  void noTwoMembersHaveOneKey() {
    assertThat(check.flaw(MAKER, committee(OURS, member("one@maker", 1))))
        .contains(GenesisFlaw.KEY_TWICE);
    assertThat(check.flaw(MAKER, committee(OURS, THEIRS, member("two@maker", 9))))
        .contains(GenesisFlaw.KEY_TWICE);
  }

  @Test
  void eachFlawIsASentenceBehindANodesName() {
    assertThat(GenesisFlaw.values())
        .extracting(GenesisFlaw::sentence)
        .doesNotHaveDuplicates()
        .allMatch(sentence -> Character.isLowerCase(sentence.charAt(0)) && !sentence.endsWith("."));
  }

  private static Committee committee(Member... members) {
    return new Committee(List.of(members));
  }

  private static Member member(String identity, int key) {
    return new Member(Identity.parse(identity), verifier(key));
  }

  private static Verifier verifier(int key) {
    byte[] bytes = new byte[33];
    bytes[0] = 2;
    bytes[32] = (byte) key;
    return new Verifier(Bytes.of(bytes));
  }
}
