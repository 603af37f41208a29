package dev.sequitur.protocol.selection;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

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

  private static String line(int members, SelectionPolicy policy, long height) {
    var contract = new ContractAddress(String.format("0x%040x", 0xC0FFEEL + members));
    var committee = new ArrayList<Identity>();
    for (int i = 0; i < members; i++) {
      committee.add(new Identity("member" + i, new NodeName("node" + (char) ('a' + i))));
    }
    var selection = new CoordinatorSelection(contract, committee, policy);
    var ranking = selection.ranking(selection.range(new BlockHeight(height)));
    return "{\"contract\":\""
        + contract
        + "\",\"committee\":"
        + quoted(committee)
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
