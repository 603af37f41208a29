package dev.sequitur.benchmarks.cluster;

import dev.sequitur.crypto.FreshIntents;
import dev.sequitur.laboratory.demo.GroupPlan;
import dev.sequitur.laboratory.load.NodeLoad;
import dev.sequitur.laboratory.load.NodeLoad.Timed;
import dev.sequitur.laboratory.load.PrivateCall;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Increments of records at a rate, over groups and their records in turn: each spends a state and
 * makes one. Confined to one thread.
 */
final class Increments implements NodeLoad.Source {
  private static final int RECORDS = 50;

  private final List<Map.Entry<GroupPlan, ContractAddress>> groups;
  private final Identity from;
  private final int number;
  private final double rate;
  private final long begun = System.nanoTime();
  private final FreshIntents fresh = new FreshIntents(LimitSettings.DEFAULT.intentSeries());
  private int next;

  /**
   * @param number how many there are in all
   * @param rate a second
   */
  Increments(Map<GroupPlan, ContractAddress> groups, Identity from, int number, double rate) {
    this.groups = List.copyOf(groups.entrySet());
    this.from = from;
    this.number = number;
    this.rate = rate;
  }

  @Override
  public Optional<Timed> next(long now) {
    if (isDone() || next >= (now - begun) / 1e9 * rate) {
      return Optional.empty();
    }
    var group = groups.get(next % groups.size());
    int record = next / groups.size() % RECORDS;
    next++;
    var call =
        new PrivateCall(
            group.getValue(),
            group.getKey().domain(),
            from,
            "increment",
            Bytes.utf8("{\"key\":\"record-" + record + "\",\"by\":1}"));
    return Optional.of(new Timed(call.intent(fresh, Optional.empty()), now));
  }

  @Override
  public boolean isDone() {
    return next >= number;
  }
}
