package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which keys are derived for a caller: it takes 0.1 ms each, and members may be a million. */
class KeysOfMembersTest {
  private final RunningRpc rpc = RunningRpc.withDefaults();

  @AfterEach
  void stop() {
    rpc.close();
  }

  @Test
  void aPageOfKeysDerivesThoseThatItHasAndNoOther() {
    int ofFew = derived("keymgr_queryKeys", "[{\"limit\":2}]");
    addMembers(1_000);

    assertThat(derived("keymgr_queryKeys", "[{\"limit\":2}]"))
        .isLessThanOrEqualTo(2 * ofFew)
        .isPositive();
    assertThat(rpc.result("keymgr_queryKeys", "[{\"limit\":2}]").findValuesAsText("name"))
        .containsExactly("alice", "member-0000");
  }

  @Test
  void aKeyIsSoughtNoFurtherThanUntilItIsFound() {
    addMembers(1_000);

    assertThat(
            derived(
                "keymgr_reverseKeyLookup",
                "[\"ecdsa:secp256k1\",\"eth_address\",\"0x7e5f4552091a69125d5dfcb7b8c2659029395bdf\"]"))
        .isBetween(1, 5);
  }

  @Test
  void aKeyThatNobodyHasIsSoughtNoFurtherThanAQueryMayLook() {
    addMembers(20_001);

    var error =
        rpc.error(
            "keymgr_reverseKeyLookup",
            "[\"ecdsa:secp256k1\",\"eth_address\",\"0x1111111111111111111111111111111111111111\"]");

    assertThat(error.get("message").textValue()).contains("looked at 20000 rows");
  }

  private int derived(String method, String parameters) {
    rpc.node.keysAsked.set(0);
    rpc.result(method, parameters);
    return rpc.node.keysAsked.get();
  }

  /** Each in a group of its own. */
  private void addMembers(int number) {
    var like = Sample.group();
    rpc.node.groups.addAll(
        IntStream.range(0, number)
            .mapToObj(
                each ->
                    new PrivacyGroup(
                        new GroupId(Sample.hash("group " + each)),
                        like.chainId(),
                        new ContractAddress("0x%040x".formatted(each)),
                        like.domain(),
                        like.name(),
                        new Committee(
                            List.of(
                                new Member(
                                    new Identity("member-%04d".formatted(each), Sample.NODE),
                                    Sample.VERIFIER))),
                        1,
                        like.configuration()))
            .toList());
  }
}
