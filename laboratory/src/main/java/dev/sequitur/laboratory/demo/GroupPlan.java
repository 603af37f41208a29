package dev.sequitur.laboratory.demo;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A privacy group of the demonstration: one member on each node.
 *
 * @param number from 1
 * @param domain token and record in turn
 */
public record GroupPlan(int number, String domain, List<Identity> members) {
  static final String TOKEN = "token";
  static final String RECORD = "record";

  private static final List<String> NAMES =
      List.of("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi");

  public GroupPlan {
    members = List.copyOf(members);
  }

  /** At least one of each domain. */
  public static List<GroupPlan> of(int nodes, int contracts) {
    var members =
        IntStream.rangeClosed(1, nodes)
            .mapToObj(node -> new Identity(memberName(node), nodeName(node)))
            .toList();
    var groups = new ArrayList<GroupPlan>();
    for (int number = 1; number <= Math.max(2, contracts); number++) {
      groups.add(new GroupPlan(number, number % 2 == 1 ? TOKEN : RECORD, members));
    }
    return groups;
  }

  static NodeName nodeName(int number) {
    return new NodeName("node" + number);
  }

  private static String memberName(int node) {
    return node <= NAMES.size() ? NAMES.get(node - 1) : "member" + node;
  }

  public String name() {
    return "demo-" + domain + "-" + number;
  }

  /** Whose node asks for the group: not always the same. */
  public Identity creator() {
    return members.get((number - 1) % members.size());
  }

  /** The same for the same plan, so that a group that was asked for before is known again. */
  public Bytes request() {
    var names =
        members.stream().map(member -> "\"" + member + "\"").collect(Collectors.joining(","));
    return Bytes.utf8(
        "{\"domain\":\"" + domain + "\",\"name\":\"" + name() + "\",\"members\":[" + names + "]}");
  }
}
