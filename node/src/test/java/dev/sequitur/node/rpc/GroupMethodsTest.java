package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How many groups are read for an answer, counted. */
class GroupMethodsTest {
  private static final int GROUPS = 2_000;

  /** More than a query looks at. */
  private static final int SCANNED = 1_500;

  private static RunningRpc rpc;

  @BeforeAll
  static void start() {
    rpc =
        new RunningRpc(
            RpcSettings.loopback(0)
                .withLimits(
                    new RpcSettings.Limits(1 << 20, 10, 10, 500, SCANNED, 64, 64, 2, 10, 1 << 24)));
    IntStream.range(0, GROUPS).forEach(GroupMethodsTest::put);
  }

  private static void put(int number) {
    var like = Sample.group();
    var group =
        new PrivacyGroup(
            new GroupId(Sample.hash("group" + number)),
            like.chainId(),
            new ContractAddress("0x%040x".formatted(number)),
            like.domain(),
            "group-" + number,
            like.committee(),
            like.endorsementThreshold(),
            like.configuration());
    rpc.node
        .store()
        .putGroup(
            StoredGroup.of(group.id(), Sample.NOW.plusSeconds(60 + number))
                .withGroup(Optional.of(group)));
  }

  @AfterAll
  static void stop() {
    rpc.close();
  }

  @Test
  void forTheNewestGroupAPageIsReadHoweverManyThereAre() {
    assertThat(read("pgroup_queryGroups", "{\"limit\":1}", "name")).containsExactly("group-1999");
    assertThat(read("domain_querySmartContracts", "{\"limit\":2}", "address"))
        .containsExactly("0x%040x".formatted(1_999), "0x%040x".formatted(1_998));
  }

  @Test
  void groupsComeTheNewestFirstOverPages() {
    var names =
        rpc.call("pgroup_queryGroups", "[{\"limit\":450}]").get("result").findValuesAsText("name");

    assertThat(names)
        .isEqualTo(
            IntStream.range(0, 450).mapToObj(number -> "group-" + (1_999 - number)).toList());
  }

  @Test
  void aQueryLooksAtSoManyGroupsAndNoMore() {
    var answer =
        rpc.call(
            "pgroup_queryGroups",
            "[{\"limit\":1,\"eq\":[{\"field\":\"name\",\"value\":\"none\"}]}]");

    assertThat(answer.at("/error/message").asText()).contains("looked at 1500 rows");
  }

  private static List<String> read(String method, String query, String field) {
    long before = rpc.node.store().groupsRead();
    var answer = rpc.call(method, "[" + query + "]");
    assertThat(rpc.node.store().groupsRead() - before).isBetween(1L, 200L);
    return answer.get("result").findValuesAsText(field);
  }
}
