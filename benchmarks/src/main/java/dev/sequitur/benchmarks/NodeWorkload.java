package dev.sequitur.benchmarks;

import dev.sequitur.crypto.FreshIntents;
import dev.sequitur.laboratory.load.NodeLoad;
import dev.sequitur.laboratory.load.NodeLoad.Timed;
import dev.sequitur.laboratory.load.PrivateCall;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What one node submits, over its contracts in turn. Confined to one thread. */
final class NodeWorkload implements NodeLoad.Source {
  /** The most payments that the token domain takes in one transfer. */
  static final int PAYMENTS = 16;

  private final List<PrivateCall> calls;
  private final FreshIntents fresh = new FreshIntents(LimitSettings.DEFAULT.intentSeries());
  private int next;

  private NodeWorkload(List<PrivacyGroup> groups, Identity from, String function, String inputs) {
    var text = Bytes.utf8(inputs);
    this.calls =
        groups.stream()
            .map(group -> new PrivateCall(group.contract(), group.domain(), from, function, text))
            .toList();
  }

  /** Coins that {@link #splits} turns into those that are paid with. */
  static NodeWorkload mints(List<PrivacyGroup> groups, Identity owner) {
    return new NodeWorkload(groups, owner, "mint", payment(owner, PAYMENTS));
  }

  /** Each turns one coin into {@value #PAYMENTS} of one. */
  static NodeWorkload splits(List<PrivacyGroup> groups, Identity owner) {
    return new NodeWorkload(groups, owner, "transfer", coins(owner, PAYMENTS));
  }

  /**
   * So many coins of one to the next member, as many as it spends. Everybody pays as they are paid,
   * so coins do not run out, and the oldest is spent first: while there are more than are in
   * flight, no two transactions meet.
   */
  static NodeWorkload payments(List<PrivacyGroup> groups, Identity owner, int coins) {
    var members = groups.get(0).committee().identities();
    var to = members.get((members.indexOf(owner) + 1) % members.size());
    return new NodeWorkload(groups, owner, "transfer", coins(to, coins));
  }

  private static String coins(Identity to, int count) {
    var outputs = String.join(",", Collections.nCopies(count, payment(to, 1)));
    return "{\"outputs\":[" + outputs + "]}";
  }

  /** All of all members change one record: each spends what the one before it made. */
  static NodeWorkload increments(List<PrivacyGroup> groups, Identity from) {
    return new NodeWorkload(groups, from, "increment", "{\"key\":\"hot\",\"by\":1}");
  }

  private static String payment(Identity to, int amount) {
    return "{\"to\":\"" + to + "\",\"amount\":\"" + amount + "\"}";
  }

  @Override
  public Optional<Timed> next(long now) {
    var call = calls.get(next++ % calls.size());
    return Optional.of(new Timed(call.intent(fresh, Optional.empty()), now));
  }

  @Override
  public boolean isDone() {
    return false;
  }
}
