package dev.sequitur.node.network;

import dev.sequitur.node.process.JsonRpcCaller;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Faults of one JVM, set by the product's own call. They are gone when it dies. */
public record Faults(JsonRpcCaller caller) {
  private static final int SECONDS = 600;

  /** What this JVM sends of these messages about a group is lost. */
  public void drop(Group group, String... messages) {
    var names =
        Arrays.stream(messages)
            .map(message -> "'" + message + "'")
            .collect(Collectors.joining(","));
    set(
        "'kind':'drop','probability':1,'messages':[%s],'contracts':['%s']"
            .formatted(names, group.contract()));
  }

  /** This JVM and the nodes hear nothing of each other. */
  public void cutOff(int... nodes) {
    var names =
        IntStream.of(nodes).mapToObj(node -> "'node" + node + "'").collect(Collectors.joining(","));
    set("'kind':'partition','peers':[" + names + "]");
  }

  /** This JVM does not see the newest blocks. */
  public void lag(int blocks) {
    set("'kind':'ledgerLag','blocks':" + blocks);
  }

  private void set(String fault) {
    caller.result("chaos_setFault", "[{%s,'seconds':%d}]".formatted(fault, SECONDS));
  }

  /** Messages that faults of the kind have met since the JVM was started. */
  public long met(String kind) {
    return caller.result("chaos_listFaults", "[]").at("/concerned/" + kind).asLong();
  }

  public void clear() {
    caller.result("chaos_clearFaults", "[]");
  }
}
