package dev.sequitur.laboratory.demo;

import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import java.util.Optional;
import java.util.function.Consumer;

/** All intents of a node, newest first, a page at a time. */
record IntentPages(NodeStore store, int size) {
  void forEach(Consumer<Intent> consumer) {
    Optional<Long> before = Optional.empty();
    while (true) {
      var page = Await.answer(store.intents(before, size), "reading a node's intents");
      if (page.isEmpty()) {
        return;
      }
      page.forEach(consumer);
      before = Optional.of(page.get(page.size() - 1).order());
    }
  }
}
