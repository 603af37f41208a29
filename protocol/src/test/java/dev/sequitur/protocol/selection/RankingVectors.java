package dev.sequitur.protocol.selection;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.CommitteeHistory;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Makes the published test vectors, a JSON object a line, so that other implementations can check
 * that they rank as this one does. To write them anew: {@code -Dvectors.write=true}.
 */
final class RankingVectors {
  private RankingVectors() {}

  static List<String> all() {
    var lines = new ArrayList<String>();
    for (int members : List.of(1, 3, 4, 7)) {
      for (int virtualNodes : List.of(1, 16, 128)) {
        for (long rangeSize : List.of(1L, 4L, 100L)) {
          for (long height : List.of(0L, 1L, 3L, 4L, 99L, 100L, 1_000_000_007L)) {
            lines.add(line(members, new SelectionPolicy(rangeSize, virtualNodes), height));
          }
        }
      }
    }
    return lines;
  }

  /**
   * Of contracts whose committees change (SEL-10): by the last block of a range, by a first one.
   */
  static List<String> changing() {
    var lines = new ArrayList<String>();
    for (long rangeSize : List.of(1L, 4L, 100L)) {
      for (long height : List.of(0L, 3L, 4L, 7L, 8L, 11L, 12L, 100L, 1_000_000_007L)) {
        lines.add(
            changing(
                List.of(members(0, 3), members(1, 5), members(0, 2)),
                List.of(3L, 8L),
                new SelectionPolicy(rangeSize, 16),
                new BlockHeight(height)));
      }
    }
    return lines;
  }

  private static String changing(
      List<List<Identity>> committees,
      List<Long> blocks,
      SelectionPolicy policy,
      BlockHeight height) {
    var contract = new ContractAddress(String.format("0x%040x", 0xC0FFEE0L));
    var changes =
        IntStream.range(0, blocks.size())
            .mapToObj(
                i ->
                    new CommitteeHistory.Change(
                        new BlockHeight(blocks.get(i)),
                        Contract.all(committees.get(i + 1)),
                        new BlockHeight(blocks.get(i))))
            .toList();
    var history = new CommitteeHistory(Contract.all(committees.get(0)), changes);
    return line(
        Contract.group(contract, history),
        "\"committees\":"
            + committees.stream()
                .map(RankingVectors::quoted)
                .collect(Collectors.joining(",", "[", "]"))
            + ",\"changedByBlocks\":"
            + blocks.stream().map(Object::toString).collect(Collectors.joining(",", "[", "]")),
        policy,
        height);
  }

  private static String line(int members, SelectionPolicy policy, long height) {
    var contract = new ContractAddress(String.format("0x%040x", 0xC0FFEEL + members));
    var committee = members(0, members);
    return line(
        Contract.group(contract, CommitteeHistory.of(Contract.all(committee))),
        "\"committee\":" + quoted(committee),
        policy,
        new BlockHeight(height));
  }

  private static List<Identity> members(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> new Identity("member" + i, new NodeName("node" + (char) ('a' + i))))
        .toList();
  }

  private static String line(
      PrivacyGroup group, String committee, SelectionPolicy policy, BlockHeight height) {
    var selection = new CoordinatorSelection(group, policy);
    var ranking = selection.ranking(selection.range(height));
    return "{\"contract\":\""
        + group.contract()
        + "\","
        + committee
        + ",\"n\":"
        + policy.rangeSize()
        + ",\"virtualNodes\":"
        + policy.virtualNodes()
        + ",\"b\":"
        + height
        + ",\"ranking\":"
        + quoted(ranking.members().stream().map(Ranking.Ranked::identity).toList())
        + "}";
  }

  private static String quoted(List<Identity> identities) {
    return identities.stream()
        .map(identity -> "\"" + identity + "\"")
        .collect(Collectors.joining(",", "[", "]"));
  }
}
