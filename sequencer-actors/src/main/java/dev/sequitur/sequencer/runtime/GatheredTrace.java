package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.TracePart;
import dev.sequitur.trace.CausalOrder;
import dev.sequitur.trace.CausalOrder.Testimony;
import dev.sequitur.trace.TraceWords;
import dev.sequitur.trace.TransactionTrace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** What the processes of the asked nodes have answered so far. Thread-safe by its lock. */
final class GatheredTrace {
  private final NodeName self;
  private final TracePart own;
  private final Map<NodeName, Map<UUID, TracePart>> parts = new TreeMap<>();
  private final CompletableFuture<TransactionTrace> completion = new CompletableFuture<>();

  /**
   * @param members who is asked; this node too, if it has several processes
   */
  GatheredTrace(NodeName self, TracePart own, Collection<NodeName> members) {
    this.self = self;
    this.own = own;
    members.forEach(member -> parts.put(member, new LinkedHashMap<>()));
    parts.computeIfAbsent(self, node -> new LinkedHashMap<>()).put(own.process(), own);
  }

  /** Completes when all have answered, or at {@link #end}. */
  CompletableFuture<TransactionTrace> completion() {
    return completion;
  }

  /** Takes an answer in; one of a node that was not asked, or a second one, is ignored. */
  void add(NodeName from, TracePart part) {
    synchronized (this) {
      var ofNode = parts.get(from);
      if (ofNode == null || ofNode.size() >= TracePart.MOST_PROCESSES) {
        return;
      }
      ofNode.putIfAbsent(part.process(), TraceWords.known(part));
    }
    if (isComplete()) {
      end();
    }
  }

  boolean isComplete() {
    return waitsFor().isEmpty();
  }

  /** Those that have not answered, or not with all their processes, by name. */
  synchronized List<NodeName> waitsFor() {
    return parts.entrySet().stream()
        .filter(entry -> !isComplete(entry.getValue().values()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isComplete(Collection<TracePart> parts) {
    int processes = parts.stream().mapToInt(TracePart::processes).max().orElse(Integer.MAX_VALUE);
    return parts.size() >= processes;
  }

  private boolean isOwn(NodeName node, TracePart part) {
    return node.equals(self) && part.process().equals(own.process());
  }

  /** Makes the trace of what is there. */
  void end() {
    List<NodeName> silent;
    var testimonies = new ArrayList<Testimony>();
    synchronized (this) {
      silent = waitsFor();
      testimonies.add(new Testimony(self, own));
      parts.forEach(
          (node, ofNode) ->
              ofNode.values().stream()
                  .filter(part -> !isOwn(node, part))
                  .forEach(part -> testimonies.add(new Testimony(node, part))));
    }
    if (!completion.isDone()) {
      long leftOut = testimonies.stream().mapToLong(t -> t.part().leftOut()).sum();
      completion.complete(new TransactionTrace(CausalOrder.of(testimonies), silent, leftOut));
    }
  }
}
