package dev.sequitur.sequencer.network;

import dev.sequitur.protocol.port.NodeStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a node reads of its groups in its store: the rows of all answers. */
record CountedRows(LongAdder rows) {
  private static final Set<String> OF_GROUPS =
      Set.of(
          "group",
          "groupAt",
          "groupOf",
          "groupMadeBy",
          "groups",
          "unfinishedGroups",
          "knownGroups",
          "known",
          "submittedBy",
          "localMembers",
          "groupsOf",
          "changedGroups",
          "countKnown");

  NodeStore of(NodeStore store) {
    return (NodeStore)
        Proxy.newProxyInstance(
            NodeStore.class.getClassLoader(),
            new Class<?>[] {NodeStore.class},
            (proxy, method, arguments) -> {
              try {
                var answer = method.invoke(store, arguments);
                return OF_GROUPS.contains(method.getName())
                    ? ((CompletionStage<?>) answer).thenApply(this::counted)
                    : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private <T> T counted(T answer) {
    rows.add(
        switch (answer) {
          case Collection<?> some -> some.size();
          case Optional<?> some -> some.isPresent() ? 1 : 0;
          default -> 1;
        });
    return answer;
  }
}
