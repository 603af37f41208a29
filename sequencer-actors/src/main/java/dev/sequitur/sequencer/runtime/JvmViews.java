package dev.sequitur.sequencer.runtime;

import dev.sequitur.cluster.placement.ShardMoves;
import dev.sequitur.sequencer.actor.JvmReport;
import dev.sequitur.sequencer.runtime.JvmGathering.Gathered;
import dev.sequitur.sequencer.view.JvmView;
import dev.sequitur.sequencer.view.Whereabouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** What follows from what the JVMs of a node have told. */
final class JvmViews {
  private static final String UP = "up";
  private static final ShardMoves NONE = new ShardMoves(0, 0);

  private JvmViews() {}

  /**
   * In the order of their addresses.
   *
   * @param self the JVM that was asked
   * @param belonging where the shards belong, by the JVMs that take some
   */
  static List<JvmView> of(
      Gathered gathered, String self, Function<Set<String>, List<String>> belonging) {
    var up = up(gathered);
    var staying = up.isEmpty() ? gathered.states().keySet() : up;
    var moves = moves(gathered, staying.isEmpty() ? List.of() : belonging.apply(staying));
    var views = new ArrayList<JvmView>();
    gathered
        .states()
        .forEach(
            (jvm, state) ->
                views.add(
                    new JvmView(
                        jvm,
                        jvm.equals(self),
                        state,
                        Optional.ofNullable(gathered.reports().get(jvm))
                            .map(report -> told(report, moves)))));
    return views;
  }

  /** The JVMs that are full members, neither on their way in nor out. */
  static Set<String> up(Gathered gathered) {
    var up = new TreeSet<String>();
    gathered
        .states()
        .forEach(
            (jvm, state) -> {
              if (state.equals(UP)) {
                up.add(jvm);
              }
            });
    return up;
  }

  /** By kind, then by JVM. */
  private static Map<String, Map<String, ShardMoves>> moves(
      Gathered gathered, List<String> belong) {
    var at = new HashMap<String, Map<String, Set<Integer>>>();
    gathered
        .reports()
        .values()
        .forEach(
            report ->
                report
                    .shards()
                    .forEach(
                        (kind, its) ->
                            at.computeIfAbsent(kind, any -> new HashMap<>())
                                .put(report.jvm(), its.keySet())));
    var moves = new HashMap<String, Map<String, ShardMoves>>();
    at.forEach((kind, its) -> moves.put(kind, ShardMoves.of(its, belong)));
    return moves;
  }

  private static JvmView.Told told(JvmReport report, Map<String, Map<String, ShardMoves>> moves) {
    var kinds = new TreeMap<String, JvmView.Share>();
    report
        .shards()
        .forEach(
            (kind, its) ->
                kinds.put(
                    kind,
                    new JvmView.Share(
                        its.size(),
                        its.values().stream().mapToInt(Integer::intValue).sum(),
                        moves.get(kind).getOrDefault(report.jvm(), NONE))));
    return new JvmView.Told(
        report.joined(),
        kinds,
        report.singletons(),
        report.received(),
        report.sent(),
        Duration.ofNanos(report.databaseNanos()),
        report.passedOn());
  }

  /** Where an entity is, of those kinds that are meant: a queue may be called as a contract is. */
  static Whereabouts where(Gathered gathered, Set<String> kinds) {
    var awake = new ArrayList<Whereabouts.Awake>();
    gathered
        .reports()
        .values()
        .forEach(
            report ->
                new TreeMap<>(report.awake())
                    .forEach(
                        (kind, since) -> {
                          if (kinds.contains(kind)) {
                            awake.add(new Whereabouts.Awake(kind, report.jvm(), since));
                          }
                        }));
    var silent =
        gathered.states().keySet().stream()
            .filter(jvm -> !gathered.reports().containsKey(jvm))
            .sorted()
            .toList();
    return new Whereabouts(awake, silent);
  }
}
