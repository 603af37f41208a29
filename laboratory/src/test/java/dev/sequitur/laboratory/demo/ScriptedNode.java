package dev.sequitur.laboratory.demo;

import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.sequencer.SequencerNode;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A node with what the demonstration uses of one; anything else fails the test. */
final class ScriptedNode {
  private final NodeName name;
  private final ScriptedSequencer sequencer;
  private final List<Intent> intents = new ArrayList<>();
  private final Map<String, TransactionId> keys = new HashMap<>();
  private final List<NumberedReceipt> receipts = new ArrayList<>();

  ScriptedNode(NodeName name, ScriptedSequencer sequencer) {
    this.name = name;
    this.sequencer = sequencer;
  }

  SequencerNode asSequencerNode() {
    return proxy(
        SequencerNode.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "name" -> name;
              case "store" -> store();
              case "knows" ->
                  CompletableFuture.completedFuture(
                      sequencer.hasMade((ContractAddress) arguments[0]));
              case "counts" -> new SequencerMetrics.Counts(intents.size(), 0, 0, 0);
              case "createGroup" ->
                  CompletableFuture.completedFuture(
                      sequencer.createGroup((GroupRequest) arguments[0]));
              case "submit" -> submit(arguments[0]);
              default -> throw new AssertionError("Not expected: " + method);
            });
  }

  private NodeStore store() {
    return proxy(
        NodeStore.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "groups" -> CompletableFuture.completedFuture(List.copyOf(sequencer.groups));
              case "group" ->
                  CompletableFuture.completedFuture(
                      sequencer.groups.stream()
                          .filter(stored -> stored.id().equals(arguments[0]))
                          .findFirst());
              case "states" ->
                  CompletableFuture.completedFuture(sequencer.states((Collection<?>) arguments[1]));
              case "intents" ->
                  CompletableFuture.completedFuture(
                      intents((Optional<?>) arguments[0], (int) arguments[1]));
              case "receipts" ->
                  CompletableFuture.completedFuture(
                      receipts((long) arguments[0], (int) arguments[1]));
              default -> throw new AssertionError("Not expected: " + method);
            });
  }

  private synchronized List<Intent> intents(Optional<?> before, int limit) {
    long below = before.map(Long.class::cast).orElse(Long.MAX_VALUE);
    var newestFirst = new ArrayList<>(intents);
    Collections.reverse(newestFirst);
    return newestFirst.stream().filter(intent -> intent.order() < below).limit(limit).toList();
  }

  private synchronized List<NumberedReceipt> receipts(long after, int limit) {
    return receipts.stream().filter(receipt -> receipt.sequence() > after).limit(limit).toList();
  }

  private CompletableFuture<List<TransactionId>> submit(Object batch) {
    if (((List<?>) batch).stream().map(Intent.class::cast).anyMatch(sequencer.refused)) {
      return CompletableFuture.failedFuture(new RefusedIntent("SQ0000", "Not this one."));
    }
    var ids = new ArrayList<TransactionId>();
    var fresh = new ArrayList<Intent>();
    synchronized (this) {
      for (var element : (List<?>) batch) {
        var intent = (Intent) element;
        var key = intent.idempotencyKey().orElseThrow().name();
        var known = keys.putIfAbsent(key, intent.transaction().id());
        if (known == null) {
          var numbered =
              new Intent(
                  intents.size() + 1,
                  intent.created(),
                  intent.idempotencyKey(),
                  intent.bodyHash(),
                  intent.transaction());
          intents.add(numbered);
          fresh.add(numbered);
        }
        ids.add(keys.get(key));
      }
    }
    fresh.forEach(intent -> sequencer.sequence(this, intent));
    return CompletableFuture.completedFuture(ids);
  }

  synchronized void end(Receipt receipt) {
    receipts.add(new NumberedReceipt(receipts.size() + 1, receipt));
  }

  /** What this node is told of another's transaction. */
  synchronized void endOfOthers(Receipt receipt) {
    receipts.add(new NumberedReceipt(receipts.size() + 1, receipt, false));
  }

  /** Forgets its newest intent, as a store that lost a write would. */
  synchronized void forgetNewest() {
    intents.remove(intents.size() - 1);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
