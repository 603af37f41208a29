package dev.sequitur.sequencer.view;

import java.time.Instant;
import java.util.List;

/**
 * In which JVMs of the node the entities of one contract or queue are in memory.
 *
 * @param silent JVMs that did not answer in time
 */
public record Whereabouts(List<Awake> awake, List<String> silent) {
  public Whereabouts {
    awake = List.copyOf(awake);
    silent = List.copyOf(silent);
  }

  /**
   * One entity.
   *
   * @param since when it has been in memory there
   */
  public record Awake(String kind, String jvm, Instant since) {}
}
