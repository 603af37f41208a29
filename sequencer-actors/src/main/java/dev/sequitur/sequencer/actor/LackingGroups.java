package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What is wrong with groups whose state stores are in this JVM: contents are lacking (DST-5), or
 * the store has parted from the ledger (DST-8, DST-9). What was not asked for yet is not told of:
 * mostly it is on its way. Thread-safe.
 */
public final class LackingGroups {
  private static final int MOST_SENTENCES = 5;

  private final Map<ContractAddress, Lacking> groups = new ConcurrentHashMap<>();
  private final Map<ContractAddress, BlockHeight> parted = new ConcurrentHashMap<>();

  void tell(ContractAddress contract, Optional<Lacking> lacks) {
    var told = lacks.filter(Lacking::isAskedFor);
    if (told.isPresent()) {
      groups.put(contract, told.get());
    } else {
      groups.remove(contract);
    }
  }

  /**
   * @param since the first block that does not follow from what the store holds
   */
  void tellParted(ContractAddress contract, Optional<BlockHeight> since) {
    if (since.isPresent()) {
      parted.put(contract, since.get());
    } else {
      parted.remove(contract);
    }
  }

  /** Why nothing may be done upon what the store of a group holds, if that is in this JVM. */
  Optional<String> parted(ContractAddress contract) {
    return Optional.ofNullable(parted.get(contract))
        .map(since -> StateStore.differing(contract, since));
  }

  /** How many groups have parted from the ledger. */
  long parted() {
    return parted.size();
  }

  /** How many contents are lacking in all groups. */
  long states() {
    return groups.values().stream().mapToLong(Lacking::states).sum();
  }

  /** For the operator: of the groups that lack most. */
  public List<String> sentences() {
    var ofParted =
        parted.entrySet().stream()
            .limit(MOST_SENTENCES)
            .map(each -> StateStore.differing(each.getKey(), each.getValue()));
    var ofLacking =
        groups.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.comparingInt(Lacking::states).reversed()))
            .limit(MOST_SENTENCES)
            .map(each -> "Group " + each.getKey() + ": " + each.getValue().sentence());
    return Stream.concat(ofParted, ofLacking).toList();
  }
}
