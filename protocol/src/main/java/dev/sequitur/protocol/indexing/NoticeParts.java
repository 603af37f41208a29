package dev.sequitur.protocol.indexing;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The notices of one block and the groups that begin with it, in parts that can be sent one by one:
 * how much a block has is up to the ledger, and how long a message becomes is not.
 */
public final class NoticeParts {
  private static final long GROUP_BYTES = 500;
  private static final long MEMBER_BYTES = 400;

  private final long most;
  private final List<Map<ContractAddress, BlockNotice>> parts = new ArrayList<>();
  private Map<ContractAddress, BlockNotice> part = new LinkedHashMap<>();
  private long bytes;

  private NoticeParts(long most) {
    this.most = most;
  }

  /**
   * At least one, which {@link #join} makes the same notices of.
   *
   * @param most bytes of a part, as {@link BlockNotice#bytes} counts them; what one transaction has
   *     done is never parted
   */
  public static List<Map<ContractAddress, BlockNotice>> of(
      Map<ContractAddress, BlockNotice> notices, long most) {
    var made = new NoticeParts(most);
    notices.forEach(made::add);
    made.parts.add(made.part);
    return made.parts;
  }

  /**
   * Groups in their order, in no list more than fit, of which one always does; no list if there are
   * none.
   *
   * @param most bytes of a list, as {@link #bytes} counts them
   */
  public static List<List<PrivacyGroup>> ofGroups(List<PrivacyGroup> groups, long most) {
    var parts = new ArrayList<List<PrivacyGroup>>();
    long left = 0;
    for (var group : groups) {
      left -= bytes(group);
      if (left < 0) {
        parts.add(new ArrayList<>());
        left = most - bytes(group);
      }
      parts.getLast().add(group);
    }
    return parts;
  }

  /** About how many bytes a group takes in memory; a message takes fewer. */
  public static long bytes(PrivacyGroup group) {
    return GROUP_BYTES
        + MEMBER_BYTES * group.committee().members().size()
        + group.configuration().size();
  }

  private void add(ContractAddress contract, BlockNotice notice) {
    if (notice.bytes() <= most) {
      put(contract, notice);
      return;
    }
    notice
        .confirmed()
        .forEach(
            (intent, onLedger) ->
                put(contract, some(notice, Map.of(intent, onLedger), List.of(), List.of())));
    int states = (int) Math.max(1, most / (2 * BlockNotice.STATE_BYTES));
    for (int from = 0; from < notice.spent().size(); from += states) {
      put(contract, some(notice, Map.of(), page(notice.spent(), from, states), List.of()));
    }
    for (int from = 0; from < notice.created().size(); from += states) {
      put(contract, some(notice, Map.of(), List.of(), page(notice.created(), from, states)));
    }
  }

  private static List<StateId> page(List<StateId> all, int from, int most) {
    return all.subList(from, Math.min(all.size(), from + most));
  }

  private static BlockNotice some(
      BlockNotice of,
      Map<IntentKey, Receipt.OnLedger> confirmed,
      List<StateId> spent,
      List<StateId> created) {
    return new BlockNotice(
        of.height(), of.indexed(), of.concernsContract(), confirmed, spent, created);
  }

  private void put(ContractAddress contract, BlockNotice notice) {
    long more = notice.bytes();
    if (bytes > 0 && bytes + more > most) {
      parts.add(part);
      part = new LinkedHashMap<>();
      bytes = 0;
    }
    join(part, contract, notice);
    bytes += more;
  }

  /** Adds what a part has to what came in the parts before it. */
  public static void join(
      Map<ContractAddress, BlockNotice> before, Map<ContractAddress, BlockNotice> part) {
    part.forEach((contract, notice) -> join(before, contract, notice));
  }

  private static void join(
      Map<ContractAddress, BlockNotice> all, ContractAddress contract, BlockNotice notice) {
    var whole = all.computeIfAbsent(contract, it -> empty(notice));
    whole.confirmed().putAll(notice.confirmed());
    whole.spent().addAll(notice.spent());
    whole.created().addAll(notice.created());
  }

  private static BlockNotice empty(BlockNotice like) {
    return some(like, new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
  }
}
