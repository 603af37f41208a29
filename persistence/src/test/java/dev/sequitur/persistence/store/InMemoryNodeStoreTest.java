package dev.sequitur.persistence.store;

import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.NodeStore;

class InMemoryNodeStoreTest extends NodeStoreContractTest {
  private final InMemoryNodeStore store = new InMemoryNodeStore();

  @Override
  protected NodeStore store() {
    return store;
  }

  @Override
  protected ListenerStore listeners() {
    return store.listeners();
  }
}
