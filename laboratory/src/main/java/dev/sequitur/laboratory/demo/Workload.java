package dev.sequitur.laboratory.demo;

import dev.sequitur.protocol.id.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What is submitted: the same operations for the same groups, run and seed, each known by its index
 * alone, so that a run that was killed is taken up again without having been written down.
 *
 * <p>Tokens: six in ten transfer between two members at random; the others pass a coin to and fro
 * between two. Records: nine in ten increment one of a few hot keys, from all nodes; the others set
 * one of a few notes.
 */
public record Workload(List<GroupPlan> groups, int run, long seed, int transactions) {
  private static final int COINS_EACH = 8;
  private static final long COIN = 1_000_000;
  private static final int LARGEST_PAYMENT = 5;
  private static final int HOT_KEYS = 3;
  private static final int NOTES = 16;

  public Workload {
    groups = List.copyOf(groups);
  }

  /** What owners need before they can pay; the same in every run. */
  public static List<Operation> funding(List<GroupPlan> groups) {
    var mints = new ArrayList<Operation>();
    for (var group : groups) {
      if (group.domain().equals(GroupPlan.TOKEN)) {
        for (var owner : group.members()) {
          for (int coin = 1; coin <= COINS_EACH; coin++) {
            var key = "demo-fund-" + group.number() + "-" + owner + "-" + coin;
            mints.add(Operation.mint(key, group, owner, COIN));
          }
        }
      }
    }
    return mints;
  }

  /**
   * @param index from 0 to {@link #transactions}, exclusive
   */
  public Operation operation(int index) {
    var random = new SplittableRandom(seed * 1_000_003 + index);
    var group = groups.get(random.nextInt(groups.size()));
    var key = "demo-" + run + "-" + index;
    return group.domain().equals(GroupPlan.TOKEN)
        ? payment(key, group, index, random)
        : change(key, group, index, random);
  }

  private static Operation payment(
      String key, GroupPlan group, int index, SplittableRandom random) {
    var members = group.members();
    int from = random.nextInt(members.size());
    int to = (from + 1 + random.nextInt(Math.max(1, members.size() - 1))) % members.size();
    if (random.nextInt(10) < 4) {
      // Ping-pong: neighbours, each the other's counterpart, an amount that is always the same.
      int pair = from - from % 2;
      int other = (pair + 1) % members.size();
      boolean ping = index % 2 == 0;
      return Operation.transfer(
          key, group, members.get(ping ? pair : other), members.get(ping ? other : pair), 1);
    }
    return Operation.transfer(
        key, group, members.get(from), members.get(to), 1 + random.nextInt(LARGEST_PAYMENT));
  }

  private static Operation change(String key, GroupPlan group, int index, SplittableRandom random) {
    Identity from = group.members().get(random.nextInt(group.members().size()));
    return random.nextInt(10) < 9
        ? Operation.increment(key, group, from, "hot-" + random.nextInt(HOT_KEYS))
        : Operation.set(key, group, from, "note-" + random.nextInt(NOTES), "written-" + index);
  }
}
