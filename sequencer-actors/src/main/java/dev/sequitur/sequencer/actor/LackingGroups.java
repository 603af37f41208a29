package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.id.ContractAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * In which groups contents are lacking whose state stores are in this JVM (DST-5). What was not
 * asked for yet is not told of: mostly it is on its way. Thread-safe.
 */
public final class LackingGroups {
  private static final int MOST_SENTENCES = 5;

  private final Map<ContractAddress, Lacking> groups = new ConcurrentHashMap<>();

  void tell(ContractAddress contract, Optional<Lacking> lacks) {
    var told = lacks.filter(Lacking::isAskedFor);
    if (told.isPresent()) {
      groups.put(contract, told.get());
    } else {
      groups.remove(contract);
    }
  }

  /** How many contents are lacking in all groups. */
  long states() {
    return groups.values().stream().mapToLong(Lacking::states).sum();
  }

  /** For the operator: of the groups that lack most. */
  public List<String> sentences() {
    return groups.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.comparingInt(Lacking::states).reversed()))
        .limit(MOST_SENTENCES)
        .map(each -> "Group " + each.getKey() + ": " + each.getValue().sentence())
        .toList();
  }
}
